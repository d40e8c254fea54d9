"""The smallest parts of SVG as text: escaped words, lengths, and texts that keep to their room."""

import re
from html import escape

from steadygrid.pictures.labels import text_width

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LABEL_FONT = 11.5
"""Pixels, a little more than labels have: fonts differ."""
_BOLD_FONT = 13.0
"""Pixels, as `LABEL_FONT`, of names."""
_WIDE, _MORE = frozenset("MWmw@%"), 4.5
"""Letters that are wider than most, and by how many pixels."""


def escaped(text: str) -> str:
    """Make a text fit for XML; characters that XML cannot have are replaced."""
    return escape(_NO_XML.sub("\ufffd", text))


def text_element(
    x: float, y: float, said: str, look: str, anchor: str = "", room: float | None = None
) -> str:
    """Write a text, squeezed where it might be wider than its room.

    The blank after it keeps it apart from the next one where both are read.

    Parameters
    ----------
    x, y
        Where it stands, in pixels.
    look
        Attributes that say how it looks, a blank before each.
    anchor
        Which part of it stands there; empty: its begin.
    room
        Pixels that it may take. None: as many as it needs.
    """
    placed = f' text-anchor="{anchor}"' if anchor else ""
    wide = sum(c in _WIDE for c in said)
    if room is not None and text_width(said, _BOLD_FONT) + _MORE * wide > room:
        placed += f' textLength="{length_text(room)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{length_text(x)}" y="{length_text(y)}"{placed}{look}>{escaped(said)}</text> '


def length_text(value: float) -> str:
    """Write a length to a tenth of a pixel, in as few characters as can be.

    Parameters
    ----------
    value
        Pixels.
    """
    return f"{value:.1f}".removesuffix(".0")
