"""The documented settings are those that there are."""

from app.settings import Settings
from tests.settings_table import DOCUMENT, current, table


def test_the_table_of_settings_is_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == current(text), "bring it up to date: python -m tests.settings_table"


def test_every_setting_is_listed_and_says_what_it_is() -> None:
    rows = [line.split(" | ") for line in table().splitlines()[2:]]
    assert len(rows) == len(Settings.model_fields)
    assert {f"| `STEADYGRID_{name.upper()}`" for name in Settings.model_fields} == {
        row[0] for row in rows
    }
    assert [row[0] for row in rows if not row[2].removesuffix(" |")] == []
