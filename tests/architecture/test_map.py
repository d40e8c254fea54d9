"""The map of the house in CONTRIBUTING.md names every package and says what its docstring says."""

import ast

from tests.tree import ROOT

HOUSES = ("steadygrid", "steadygrid/engine", "app", "workers")
HEADING = "## The house\n"


def purpose(package: str) -> str:
    """Give the first sentence of a package's docstring, in one line."""
    source = (ROOT / package / "__init__.py").read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(source)) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")


def rows() -> list[str]:
    """Give the rows of the map, house by house."""
    found = []
    for house in HOUSES:
        rooms = sorted(path.parent.name for path in (ROOT / house).glob("*/__init__.py"))
        packages = [house, *(f"{house}/{room}" for room in rooms)]
        found += [f"| `{package}` | {purpose(package)} |" for package in dict.fromkeys(packages)]
    return list(dict.fromkeys(found))


def test_the_map_names_every_package_and_its_purpose() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    told = [line for line in section.splitlines() if line.startswith("| `")]
    assert told == rows(), "the map should be:\n" + "\n".join(rows())


def test_every_package_says_in_one_line_what_it_is_for() -> None:
    assert [row for row in rows() if not 20 <= len(row) <= 160] == []
