"""What names the version agrees, and a release refuses what is not ready."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.releases import disagreements, missing_changes, version_of
from tests.tree import ROOT

FILES = (
    *("pyproject.toml", "service/pyproject.toml", "CITATION.cff", "CHANGELOG.md"),
    *(".ci/release", "tests/releases.py", "tests/tree.py"),
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that name the version, as they are after step 2 of docs/releases.md."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    change(tmp_path / "CHANGELOG.md", "## Unreleased\n", f"## Unreleased\n\n{dated(tmp_path)}\n")
    return tmp_path


def dated(root: Path) -> str:
    return f"## {version_of(root)} - 2026-11-28"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_all_places_name_the_same_version() -> None:
    assert list(disagreements(ROOT)) == []


def test_another_version_in_one_place_is_named(copy: Path) -> None:
    assert [*disagreements(copy), *missing_changes(copy)] == []
    version = version_of(copy)
    change(copy / "CITATION.cff", f"\nversion: {version}\n", "\nversion: 9.9.9\n")
    change(copy / "service" / "pyproject.toml", f'"steadygrid=={version}"', '"steadygrid==9.9.8"')
    assert list(disagreements(copy)) == [
        f"dependency in service/pyproject.toml: 9.9.8, not {version}",
        f"version in CITATION.cff: 9.9.9, not {version}",
    ]


def test_a_changelog_that_is_not_ready_is_refused(copy: Path) -> None:
    heading = dated(copy)
    change(copy / "CHANGELOG.md", f"{heading}\n", f"\n- A change.\n\n{heading}\n")
    (late,) = missing_changes(copy)
    assert late.startswith("CHANGELOG.md: changes are under Unreleased.")
    change(copy / "CHANGELOG.md", heading, f"## {version_of(copy)}")
    assert len(list(missing_changes(copy))) == 2


def test_a_release_refuses_a_tree_with_changes_and_a_tag_that_exists(copy: Path) -> None:
    def git(*words: str) -> None:
        own = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *own, *words], cwd=copy, check=True, capture_output=True)

    def refused() -> str:
        done = subprocess.run(
            [copy / ".ci" / "release"],
            env={"PYTHON": sys.executable, "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr

    git("init")
    assert refused().startswith("The tree is not clean.")
    git("add", "-A")
    git("commit", "-m", "Prepare a release")
    git("tag", f"v{version_of(copy)}")
    assert refused() == f"The tag v{version_of(copy)} exists.\n"
    change(copy / "CHANGELOG.md", dated(copy), "## Some day")
    git("commit", "-am", "Forget the date")
    assert "no section '## " in refused()


def test_the_citation_has_what_its_schema_requires_and_no_licence() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    keys = {line.partition(":")[0] for line in lines if line[0] not in " "}
    assert {"cff-version", "message", "title", "authors", "version"} <= keys
    assert "cff-version: 1.2.0" in lines
    assert "  - name: The steadygrid developers" in lines
    assert not {"license", "license-url"} & keys
