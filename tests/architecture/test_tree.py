"""What the files of this repository may and must contain."""

import ast
import re
import subprocess
import tomllib
from importlib.metadata import requires, version
from itertools import chain

import pytest
from packaging.requirements import Requirement

from app.http.pictures import MOST_WAITING, MOST_WAITING_OF_A_TENANT
from app.settings import Settings
from steadygrid.pictures.asking import MOST_LANES_ASKED
from steadygrid.pictures.drawing import MEMORY, SECONDS
from steadygrid.pictures.picture import MOST_BARS
from steadygrid.pictures.platform_scene import MOST_ROWS
from steadygrid.pictures.rendering import MOST_PIXELS
from tests.tree import CODE, ROOT, modules, name_of, syntax_of, tracked_files

LONGEST_MODULE = 500
OURS = ("steadygrid", "steadygrid-service")
MACHINE_PATH = re.compile(r"(^|[^A-Za-z0-9_.])/(tmp|work|root|farm)/")
REGISTRY = re.compile(r"index[-_]url|https?://\S*/simple\b|files\.pythonhosted|registry\.npmjs")


def readable_files() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in tracked_files():
        try:
            found.append((name_of(path), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name_of(path)
        for path in modules(*CODE)
        if "versions" not in path.parts and not ast.get_docstring(syntax_of(path))
    ]
    assert silent == []


def test_a_module_has_one_subject_and_fits_a_few_screens() -> None:
    long = {
        name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(*CODE)
    }
    assert {name: lines for name, lines in long.items() if lines > LONGEST_MODULE} == {}


def test_no_file_names_a_path_of_one_machine() -> None:
    assert [name for name, text in readable_files() if MACHINE_PATH.search(text)] == []


def test_no_file_names_a_package_registry() -> None:
    assert [
        name
        for name, text in readable_files()
        if REGISTRY.search(text) and name != name_of(ROOT / "tests/architecture/test_tree.py")
    ] == []


def test_decisions_are_numbered_without_gaps() -> None:
    pages = sorted(path for path in (ROOT / "docs" / "decisions").glob("0*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {int(page.name[:4])}. ")
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequences"))


@pytest.mark.parametrize(
    "target",
    ["setup", "tools", "demo", "serve", "test", "browser", "bench", "docs", "lint", "format"],
)
def test_the_makefile_has_the_usual_targets(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:.*## \S", makefile, re.MULTILINE)


@pytest.mark.parametrize(
    ("target", "tools"),
    [
        *((target, False) for target in ("setup", "demo", "serve")),
        *((target, True) for target in ("tools", "test", "browser", "bench", "lint", "format")),
    ],
)
def test_only_who_works_on_the_code_gets_its_tools(target: str, tools: bool) -> None:
    found = subprocess.run(
        ["make", "--dry-run", "VENV=build/nowhere", "PYTHON=python3", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "installing steadygrid and its dependencies into build/nowhere" in found.stdout
    assert ("-e '.[dev]'" in found.stdout) is tools


@pytest.mark.parametrize("target", ["demo", "serve", "test"])
def test_the_readme_names_what_a_newcomer_runs(target: str) -> None:
    assert f"make {target}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_says_what_a_machine_needs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (sentence,) = re.findall(r"^A machine needs .*$", readme, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in sentence
    assert all(f"`{program}`" in sentence for program in ("venv", "make", "bash"))


def test_every_dependency_is_pinned_within_its_range() -> None:
    pins = dict(
        line.strip().lower().split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    )
    pins = {name.replace("_", "-"): version for name, version in pins.items()}
    for folder in (ROOT, ROOT / "service"):
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        optional = project.get("optional-dependencies", {})
        stated = [*project["dependencies"], *chain.from_iterable(optional.values())]
        assert len(stated) == len(requires(project["name"]) or ()), "install again: make tools"
        for requirement in map(Requirement, stated):
            if requirement.name in OURS:
                assert requirement.extras <= set(optional)
                assert requirement.specifier.contains(version("steadygrid"))
                continue
            assert requirement.specifier.contains(pins[requirement.name.lower()]), requirement


def test_both_distributions_have_one_version() -> None:
    assert len({version(name) for name in OURS}) == 1


def test_the_documented_limits_of_pictures_are_those_that_hold() -> None:
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    settings = Settings.model_fields
    for line in (
        f"| `picture_seconds` | {settings['picture_seconds'].default:g} |",
        f"| `picture_memory_bytes` | {settings['picture_memory_bytes'].default:,} |",
        f"At most {MOST_WAITING} pictures wait",
        f"and {MOST_WAITING_OF_A_TENANT} of one tenant if",
        f"at most {MOST_BARS:,} bars",
        f"at most {MOST_LANES_ASKED} lanes",
        f"at most {MOST_ROWS} rows of boxes",
        f"at most {MOST_PIXELS:,} pixels",
    ):
        assert line in text
    assert settings["picture_seconds"].default == SECONDS
    assert settings["picture_memory_bytes"].default == MEMORY


def test_every_setting_that_a_document_names_exists() -> None:
    known = {f"STEADYGRID_{name.upper()}" for name in Settings.model_fields}
    known |= {"STEADYGRID_TEST_POSTGRES", "STEADYGRID_TEST_REDIS"}
    known |= {"STEADYGRID_HYPOTHESIS", "STEADYGRID_SHARED_DATA", "STEADYGRID_SIMGRID_PYTHON"}
    known |= {"STEADYGRID_FAULTS", "STEADYGRID_FAULT_SECONDS", "STEADYGRID_REST_SECONDS"}
    known |= {"STEADYGRID_KEY", "STEADYGRID_URL"}  # of the client
    for name, text in readable_files():
        if name.endswith((".md", ".yml", "Dockerfile", "Makefile", ".ci/run")):
            assert set(re.findall(r"STEADYGRID_[A-Z_]*[A-Z]", text)) <= known, name
