"""The version to release: what names it, and what of that disagrees.

``python -m tests.releases`` prints the version that can be released, or what prevents it.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.tree import ROOT

SERVICE = "steadygrid-service"


def version_of(root: Path) -> str:
    """The version that ``pyproject.toml`` names."""
    return str(_project(root / "pyproject.toml")["version"])


def disagreements(root: Path) -> Iterator[str]:
    """Name each place that has another version than ``pyproject.toml``."""
    version = version_of(root)
    service = _project(root / "service" / "pyproject.toml")
    extras = _project(root / "pyproject.toml")["optional-dependencies"]["service"]
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    found = {
        "version in service/pyproject.toml": [service["version"]],
        "dependency in service/pyproject.toml": _pinned(service["dependencies"], "steadygrid"),
        "extra service in pyproject.toml": _pinned(extras, SERVICE),
        "version in CITATION.cff": re.findall(r"^version: *(\S+)$", citation, re.MULTILINE),
    }
    for place, versions in found.items():
        if versions != [version]:
            yield f"{place}: {', '.join(versions) or 'none'}, not {version}"


def missing_changes(root: Path) -> Iterator[str]:
    """Say what the changelog lacks for a release of this version."""
    version = version_of(root)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", changelog, re.MULTILINE))
    dated = re.compile(rf"{re.escape(version)} - \d{{4}}-\d{{2}}-\d{{2}}")
    own = [text for heading, text in sections.items() if dated.fullmatch(heading)]
    if len(own) != 1 or not _changes(own[0]):
        yield f"CHANGELOG.md: no section '## {version} - YYYY-MM-DD' that has changes"
    if "Unreleased" not in sections:
        yield "CHANGELOG.md: no section '## Unreleased'"
    elif _changes(sections["Unreleased"]):
        yield f"CHANGELOG.md: changes are under Unreleased. Move them to {version}"


def _project(path: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    return project


def _pinned(requirements: list[str], name: str) -> list[str]:
    return [one.removeprefix(f"{name}==") for one in requirements if one.startswith(f"{name}==")]


def _changes(section: str) -> list[str]:
    return re.findall(r"^- .+", section, re.MULTILINE)


if __name__ == "__main__":
    faults = [*disagreements(ROOT), *missing_changes(ROOT)]
    if faults:
        sys.exit("\n".join(faults))
    print(version_of(ROOT))
