"""How pictures show how busy a resource is."""

from fractions import Fraction

from steadygrid.pictures.house_style import BUSY_CLASSES

UNUSED, BELOW_HALF, HALF, ABOVE_NINE_TENTHS, ALWAYS = BUSY_CLASSES


def busy_class(share: Fraction) -> str:
    """Say how busy a resource is that is at work for a share of the time."""
    if share >= 1:
        return ALWAYS
    if share > Fraction(9, 10):
        return ABOVE_NINE_TENTHS
    if share >= Fraction(1, 2):
        return HALF
    return BELOW_HALF if share else UNUSED
