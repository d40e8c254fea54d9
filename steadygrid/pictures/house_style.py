"""Colours and fonts, for light and for dark pages: no other file names a colour."""

from typing import Any

from steadygrid.pictures.picture import Theme

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

BUSY_CLASSES = ("unused", "below 50 %", "50 to 90 %", "above 90 %", "always busy")
"""How busy a resource is, from the least."""

BUSY_COLOURS: dict[Theme, tuple[str, ...]] = {
    "light": ("#d5dbe3", "#9dbbe0", "#4a7fb5", "#f0a92e", "#b8281e"),
    "dark": ("#4b535e", "#35618f", "#7fb0e6", "#d98f1c", "#ff7a6b"),
}
PORT_COLOURS: dict[Theme, dict[str, str]] = {
    "light": {
        "compute": "#3f74ad",
        "send": "#c8453b",
        "receive": "#e0a52e",
        "carry": "#2a7d4f",
        "mixed": "#8c97a3",
    },
    "dark": {
        "compute": "#74abe2",
        "send": "#ef7c72",
        "receive": "#e9b64d",
        "carry": "#62c48d",
        "mixed": "#a8b3bf",
    },
}
"""What is done in a bar of a Gantt chart."""
ON_PORT_COLOURS: dict[Theme, dict[str, str]] = {
    "light": {
        "compute": "#ffffff",
        "send": "#ffffff",
        "receive": "#1c2128",
        "carry": "#ffffff",
        "mixed": "#1c2128",
    },
    "dark": dict.fromkeys(("compute", "send", "receive", "carry", "mixed"), "#14181d"),
}
"""Of words within such a bar."""
SERIES: dict[Theme, tuple[str, ...]] = {
    "light": ("#3f74ad", "#c8453b", "#2f8a57", "#8a5cb0", "#c98a12", "#5f6b78"),
    "dark": ("#74abe2", "#ef7c72", "#62c48d", "#bd95e0", "#e9b64d", "#a8b3bf"),
}
"""One after the other, where things have no colour of their own."""
RESOURCE_WORDS = {
    "compute": "computing",
    "send": "sending",
    "receive": "receiving",
    "port": "the only port",
    "out": "bandwidth out",
    "in": "bandwidth in",
    "link": "a link",
    "half": "a half-duplex link",
    "medium": "a shared medium",
    "odd": "links among an odd number",
}
"""What a resource is, by the end of its name."""
INK: dict[Theme, str] = {"light": "#1c2128", "dark": "#e6e9ee"}
FAINT: dict[Theme, str] = {"light": "#59636f", "dark": "#9aa5b1"}
"""Of axes and of what is said on the side."""
GRID: dict[Theme, str] = {"light": "#e3e7ec", "dark": "#333b45"}
PAPER: dict[Theme, str] = {"light": "#ffffff", "dark": "#14181d"}

PLATFORM: dict[Theme, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "ink": "#1c2128",
        "faint": "#59636f",
        "edge": "#7d8894",
        "shade": "#f5f7f9",
        "limit": "#b3430a",
        "use": "#5d7186",
        "idle": "#98a3af",
        "room": "#e6eaef",
        "side": "#fff3bf",
    },
    "dark": {
        "paper": "#14181d",
        "ink": "#e6e9ee",
        "faint": "#9aa5b1",
        "edge": "#7a8591",
        "shade": "#1b2026",
        "limit": "#ffa063",
        "use": "#93a8bd",
        "idle": "#667380",
        "room": "#2a323b",
        "side": "#38310c",
    },
}
"""Of boxes and lines: the accent is for what limits alone, and ``side`` for one side of a cut."""

_RAMPS: dict[Theme, tuple[str, ...]] = {
    "light": ("#e4edf7", "#c2d8ee", "#94bbde", "#6299c8", "#3a77ab", "#1d5386"),
    "dark": ("#1d2c3c", "#234263", "#2f5f8d", "#4681b6", "#74abe2", "#b4d5f5"),
}


def ramp(theme: Theme) -> tuple[str, ...]:
    """Give colours from little to much, on paper."""
    return _RAMPS[theme]


def on_ramp(theme: Theme, place: int | None) -> str:
    """Give the colour of words on one of them, or, with None, on `FAINT`.

    Parameters
    ----------
    theme
        Of the page: light or dark.
    place
        Of a colour in `ramp`, from little to much.
    """
    if place is None:
        return PAPER[theme]
    return PAPER[theme] if place >= len(_RAMPS[theme]) - 3 else INK[theme]


def resource_colours(theme: Theme) -> dict[str, str]:
    """Give the colour of a resource by the end of its name, for all of `RESOURCE_WORDS`."""
    ports, (_, _, green, purple, _, grey) = PORT_COLOURS[theme], SERIES[theme]
    return ports | {
        "port": purple,
        "out": ports["send"],
        "in": ports["receive"],
        "link": green,
        "half": green,
        "medium": purple,
        "odd": grey,
    }


def config(theme: Theme) -> dict[str, Any]:
    """Give the ``config`` of a specification."""
    ink, faint = INK[theme], FAINT[theme]
    return {
        "font": FONT,
        "background": PAPER[theme],
        "view": {"stroke": None},
        "axis": {
            "labelColor": faint,
            "titleColor": faint,
            "domainColor": faint,
            "tickColor": faint,
            "gridColor": GRID[theme],
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
        },
        "legend": {
            "labelColor": ink,
            "titleColor": faint,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "labelLimit": 300,
        },
        "title": {
            "color": ink,
            "subtitleColor": faint,
            "anchor": "start",
            "fontSize": 14,
            "subtitleFontSize": 12,
            "fontWeight": 600,
        },
        "text": {"color": ink},
        "header": {"labelColor": ink, "titleColor": faint},
        "range": {"category": list(SERIES[theme])},
    }
