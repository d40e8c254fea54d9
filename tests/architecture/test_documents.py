"""What the documents tell people to type exists."""

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from app.main import create_app
from docs._generate import FOLDER, pages
from steadygrid.cli.command import app as command_line
from tests.tree import ROOT, name_of, tracked_files

DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md"),
    *(
        "docs/first-schedule.md",
        "docs/http.md",
        "docs/limits.md",
        "docs/operations.md",
        "docs/settings.md",
    ),
)
REQUEST_PATH = re.compile(
    r"(?<=[\s`'/0e\"])(/(?:v1/[a-z/{}_.-]+|livez|readyz|metrics|docs|openapi\.json))"
)
generated_pages = cache(pages)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def served_paths() -> set[str]:
    app = create_app()
    templates = {*app.openapi()["paths"], "/docs", "/openapi.json"}
    return {re.sub(r"\{[a-z_]+\}", "ID", template) for template in templates}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_request_in_a_document_is_served(name: str) -> None:
    named = {
        re.sub(
            r"(job|sch|plt)_\.\.\.|\{[a-z_]+\}|(?<=/pictures/)gantt|(?<=[a-z]\.)svg", "ID", path
        ).rstrip("/.")
        for path in REQUEST_PATH.findall(text_of(name).replace("$base", "e"))
    }
    assert named <= served_paths()


def test_the_documents_name_requests_at_all() -> None:
    assert len(REQUEST_PATH.findall(text_of("docs/http.md"))) > 10


@pytest.mark.parametrize(
    ("name", "least"),
    [
        *(("README.md", 4), ("docs/first-schedule.md", 17), ("docs/own-files.md", 2)),
        ("docs/pictures.md", 5),
    ],
)
def test_every_command_in_a_document_exists_with_its_options(name: str, least: int) -> None:
    commands: Any = get_command(command_line)
    lines = re.findall(r"^ +(?:\.venv/bin/)?steadygrid (.+)$", text_of(name), re.MULTILINE)
    assert len(lines) >= least
    for line in lines:
        command, *words = shlex.split(line, comments=True)
        found: Any = commands.get_command(Context(commands), command)
        if hasattr(found, "commands"):
            found = found.commands[words[0]]
        options = {option for parameter in found.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


@pytest.mark.parametrize(("name", "least"), [("README.md", 3), ("docs/first-schedule.md", 6)])
def test_every_file_that_a_page_solves_exists(name: str, least: int) -> None:
    named = set(re.findall(r"examples/[a-z0-9_.-]+\.(?:json|xml)", text_of(name)))
    assert len(named) >= least
    assert {example for example in named if not (ROOT / example).is_file()} == set()


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= 130


def test_every_link_between_documents_leads_somewhere() -> None:
    """To a file, and where it names a heading, to one of that page."""
    documents = [path for path in tracked_files() if path.suffix == ".md"]
    broken = [
        f"{name_of(path)}: {link}"
        for path in documents
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", path.read_text(encoding="utf-8"))
        if not leads_somewhere(path, link)
    ]
    assert broken == []


def test_every_page_has_its_place_in_the_guide() -> None:
    """Once in a toctree of `docs/index.md`."""
    trees = re.findall(
        r"^```\{toctree\}\n(.*?)^```", text_of("docs/index.md"), re.MULTILINE | re.DOTALL
    )
    listed = [line for tree in trees for line in tree.splitlines() if line and line[0] != ":"]
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    folders = ("decisions", "reference/generated", "reference/generated/gallery")
    assert sorted(listed) == sorted(pages | {f"{folder}/index" for folder in folders})


def leads_somewhere(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    if target.resolve() == FOLDER / "gallery" / "index.md":
        return True
    generated = generated_pages().get(target.name) if target.parent.resolve() == FOLDER else None
    if generated is None and (not anchor or target.suffix != ".md"):
        return target.exists()
    text = target.read_text(encoding="utf-8") if generated is None else generated
    headings = ["", *re.findall(r"^#+ +(.+)$", text, re.MULTILINE)]
    return anchor in {re.sub(r"[^\w\s-]", "", one.lower()).replace(" ", "-") for one in headings}
