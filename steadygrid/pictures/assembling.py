"""What every picture's specification has in common."""

from typing import Any

from steadygrid.pictures import house_style
from steadygrid.pictures.picture import Theme


def specification(chart: Any, theme: Theme, title: str, subtitle: str = "") -> dict[str, Any]:
    """Give the specification of an Altair chart in the house style.

    Parameters
    ----------
    chart
        Its data are names (``alt.NamedData``), so that Altair validates no rows.
    title, subtitle
        Words and numbers of ours, no ids.
    """
    import altair as alt

    titled = alt.Title(title, subtitle=subtitle) if subtitle else alt.Title(title)
    document: dict[str, Any] = chart.properties(title=titled).to_dict()
    return document | {"config": document.get("config", {}) | house_style.config(theme)}
