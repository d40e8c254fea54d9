"""The characters that pictures are made of, in Unicode and in plain ASCII."""

from dataclasses import dataclass, fields
from fractions import Fraction

from rich.cells import cell_len, set_cell_size


@dataclass(frozen=True)
class Glyphs:
    """One alphabet. Every picture can be drawn in either."""

    to: str
    of: str
    times: str
    approx: str
    ellipsis: str
    rule: str
    axis: str
    tick: str
    axis_ends: str
    caps: str
    """Left and right end of a block."""
    sliver: str
    """A block of one column."""
    lines: str
    """Fills of blocks, one per file."""
    idle: str
    shades: str
    """Many short blocks in one column, by how much of it they fill."""
    full: str
    parts: str
    """A bar's last cell, by eighths (or less finely) of it."""

    def fits(self, encoding: str) -> bool:
        """Whether an encoding has all of these characters."""
        text = "".join(getattr(self, field.name) for field in fields(self))
        try:
            return text.encode(encoding).decode(encoding) == text
        except (UnicodeError, LookupError):
            return False


UNICODE = Glyphs(
    to="→", of="←", times="×", approx="≈", ellipsis="…", rule="─", axis="─", tick="┴",
    axis_ends="└┘", caps="├┤", sliver="│", lines="─═┄", idle="·", shades="░▒▓█", full="█", parts="▏▎▍▌▋▊▉",
)  # fmt: skip
ASCII = Glyphs(
    to=">", of="<", times="x", approx="~", ellipsis="..", rule="-", axis="-", tick="+",
    axis_ends="++", caps="[]", sliver="|", lines="-=~", idle=".", shades=":+*#", full="#", parts="",
)  # fmt: skip


def glyphs_for(encoding: str | None) -> Glyphs:
    """Choose the alphabet that a stream's encoding can carry."""
    return UNICODE if encoding and UNICODE.fits(encoding) else ASCII


def printable(text: str) -> str:
    """Escape all that could move a terminal's cursor or turn its text around."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shorten(text: str, width: int, glyphs: Glyphs) -> str:
    """Cut out the middle of a name that is wider than `width` cells.

    Parameters
    ----------
    text
        A name.
    width
        Cells that it may take.
    glyphs
        Characters to draw with.
    """
    text = printable(text)
    if cell_len(text) <= width:
        return text
    room = width - len(glyphs.ellipsis)
    if room < 2:
        return set_cell_size(text, max(width, 0))
    tail = text[-(room // 2) :]
    while cell_len(tail) > room // 2:
        tail = tail[1:]
    return set_cell_size(text, room - cell_len(tail)).rstrip() + glyphs.ellipsis + tail


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text with blanks up to `width` cells, on the left if it belongs to the right.

    Parameters
    ----------
    text
        Printable.
    width
        Cells per line.
    right
        Whether the text goes to the right.
    """
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if right else text + blanks


def bar(share: Fraction, width: int, glyphs: Glyphs) -> str:
    """Draw a share of `width` cells. What is not zero is always seen.

    Parameters
    ----------
    share
        From 0 to 1. Others are taken for the nearer end.
    width
        Cells of a whole bar.
    glyphs
        Characters to draw with.
    """
    share = min(max(share, Fraction(0)), Fraction(1))
    steps = len(glyphs.parts) + 1
    length = int(share * width * steps + Fraction(1, 2))
    if share and not length:
        length = 1
    whole, part = divmod(length, steps)
    return glyphs.full * whole + (glyphs.parts[part - 1] if part else "")
