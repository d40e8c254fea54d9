"""How wide texts of a drawing are."""

from rich.cells import cell_len


def text_width(text: str, size: float) -> float:
    """Estimate the pixels that a text is wide.

    Parameters
    ----------
    text
        One line.
    size
        Of the font, in pixels.
    """
    return 0.58 * size * cell_len(text)
