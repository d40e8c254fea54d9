"""Pages of the guide that the code writes are pure, and hold what they are about."""

from pathlib import Path

import docs._generate
from app.error_entries import PAGE_OF_ERRORS
from docs._generate import gallery
from docs._generate.limits import KINDS, SIZES
from steadygrid.domain.codes import CODES
from steadygrid.domain.codes.text import anchor_of
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS


def test_pages_are_written_twice_with_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("no longer made")
    docs._generate.write(tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    docs._generate.write(tmp_path)
    assert first == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert first.keys() == docs._generate.pages().keys()


def test_each_code_has_an_entry_with_its_anchor() -> None:
    lines = docs._generate.pages()["errors.md"].splitlines()
    for code in CODES:
        at = lines.index(f"### `{code}`")
        assert lines[at - 2] == f"({anchor_of(code)})="
    assert len({anchor_of(code) for code in CODES}) == len(CODES)
    built = PAGE_OF_ERRORS.replace(".html", ".md")
    assert built.endswith(
        docs._generate.FOLDER.relative_to(docs._generate.FOLDER.parents[1]).as_posix()
        + "/errors.md"
    )


def test_each_field_of_each_kind_is_listed() -> None:
    made = docs._generate.pages()
    for kind, problem in PROBLEMS.items():
        for model in (problem.instance, problem.result):
            for name in model.model_fields:
                assert f"| `{name}" in made[f"{kind}.md"], (kind, name)


def test_the_first_page_lists_all_others() -> None:
    made = docs._generate.pages()
    for name in made.keys() - {"index.md"}:
        assert f"\n{name.removesuffix('.md')}\n" in made["index.md"]


def test_each_limit_of_the_code_has_its_row_and_its_meaning() -> None:
    made = docs._generate.pages()["limits.md"]
    for name, field in Limits.model_fields.items():
        default = "any number" if field.default is None else f"{field.default:,}"
        assert f"| `{name}` | {default} | " in made
    told = {
        (kind, name): f"{most:,}"
        for kind, problem in PROBLEMS.items()
        for name, most in problem.limits.items()
    }
    for (kind, name), most in told.items():
        assert f"| `{kind}` | `{name}` | {most} | " in made
    assert SIZES.keys() == Limits.model_fields.keys()
    assert {(kind, name) for kind, names in KINDS.items() for name in names} == told.keys()


def test_each_example_has_a_card_with_picture_command_and_answer(tmp_path: Path) -> None:
    examples = {path.stem for path in (gallery.ROOT / "examples").glob("*.json")}
    assert gallery.SENTENCES.keys() == examples
    text = "\n".join(gallery.card("star", tmp_path))
    assert gallery.SENTENCES["star"] in text
    assert "steadygrid solve examples/star.json\n\n  13 tasks every 15 time units\n" in text
    assert "](star.svg)" in text
    assert (tmp_path / "star.svg").read_text(encoding="utf-8").startswith("<svg")


def test_pages_of_the_project_link_into_the_guide() -> None:
    made = docs._generate.pages()
    assert "](../../glossary.md)" in made["contributing.md"]
    assert "](../../decisions/index.md)" in made["contributing.md"]
    assert made["changelog.md"].startswith("# Changelog\n")
    assert "](docs" not in made["contributing.md"] + made["changelog.md"]
