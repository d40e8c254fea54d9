"""What every picture's specification has in common."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from steadygrid.pictures import house_style
from steadygrid.pictures.picture import Theme

MARGIN = 5
"""Pixels that Vega leaves on each side of what is drawn."""
_SUBTITLE_CHARACTER = 6.4
"""Pixels of most characters of a subtitle, rather too many."""


def specification(
    chart: Any, theme: Theme, title: str, subtitle: str | Sequence[str] = ""
) -> dict[str, Any]:
    """Give the specification of an Altair chart in the house style.

    Parameters
    ----------
    chart
        Its data are names (``alt.NamedData``), so that Altair validates no rows.
    title, subtitle
        Words and numbers of steadygrid, no ids. A subtitle may have several lines
        (`subtitle_lines`).
    """
    import altair as alt

    below = subtitle if isinstance(subtitle, str) else list(subtitle)
    titled = alt.Title(title, subtitle=below) if below else alt.Title(title)
    document: dict[str, Any] = chart.properties(title=titled).to_dict()
    return document | {"config": document.get("config", {}) | house_style.config(theme)}


def subtitle_lines(text: str, width: int) -> list[str]:
    """Break a subtitle into lines that fit into a drawing of `width` pixels.

    Parameters
    ----------
    text
        A sentence or more.
    width
        Of the whole drawing, in pixels.
    """
    return wrap(
        text.replace("≈ ", "≈\N{NO-BREAK SPACE}"),
        max(20, int((width - 2 * MARGIN) / _SUBTITLE_CHARACTER)),
    )
