"""Pages of the guide that the code writes: ``python -m docs._generate`` before Sphinx reads them.

Each is a pure function of the code: the same code gives the same bytes.
"""

from collections.abc import Mapping
from pathlib import Path

from docs._generate import errors, kinds, limits, project, python

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "generated"
"""Where the pages are; version control ignores it."""


def pages() -> Mapping[str, str]:
    """Give the text of each page by the name of its file."""
    made = {
        "errors.md": errors.page(),
        "limits.md": limits.page(),
        "python.md": python.page(),
        **kinds.pages(),
        "contributing.md": project.page("CONTRIBUTING.md"),
        "changelog.md": project.page("CHANGELOG.md"),
    }
    listed = "\n".join(name.removesuffix(".md") for name in made)
    first = f"# Reference from the code\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    return {"index.md": first, **made}


def write(folder: Path = FOLDER) -> None:
    """Write all pages, and remove those that are no longer made."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
