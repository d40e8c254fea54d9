"""The settings as a table: ``python -m tests.settings_table`` writes it into its document."""

from pathlib import Path

from pydantic.fields import FieldInfo

from app.settings import Settings
from tests.tree import ROOT

DOCUMENT = ROOT / "docs" / "settings.md"
HEAD = ("| variable | default | |", "|---|---|---|")


def table() -> str:
    """Give the rows, those of one machine and of production first, the limits last."""
    own = Settings.__annotations__.keys() & Settings.model_fields.keys()
    names = sorted(Settings.model_fields, key=lambda name: name not in own)
    rows = [_row(name, Settings.model_fields[name]) for name in names]
    return "".join(f"{line}\n" for line in (*HEAD, *rows))


def _row(name: str, field: FieldInfo) -> str:
    default = field.default
    if default in (None, ""):
        shown = "none"
    elif isinstance(default, bool):
        shown = f"`{str(default).lower()}`"
    elif isinstance(default, int | float):
        shown = f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
    else:
        shown = f"`{default}`"
    description = (field.description or "").replace("|", "\\|")
    return f"| `STEADYGRID_{name.upper()}` | {shown} | {description} |"


def current(text: str) -> str:
    """Give a document with the table as it should be."""
    begin = text.index(HEAD[0])
    end = text.rindex("|\n") + 2
    return text[:begin] + table() + text[end:]


def main(document: Path = DOCUMENT) -> None:
    """Bring the document up to date."""
    document.write_text(current(document.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
