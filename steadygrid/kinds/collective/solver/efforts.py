"""How much is tried in the search for the program that runs best."""

from fractions import Fraction
from typing import NamedTuple

from steadygrid.engine.arborescences.level_growth import Variant
from steadygrid.kinds.collective.execution import MOST_PIECES, MOST_UNASKED

MOST_CHUNKS = 16
"""Of the smallest message, in packings that are made for programs."""
SEEDS = 40
"""Random orders in which trees grow."""


class Effort(NamedTuple):
    """How much is tried.

    Attributes
    ----------
    seconds, part
        For all of it, and the part of the time left that it is at most.
    simulated
        Pieces of all runs together.
    pieces
        Of one run, at most.
    variants
        In which trees are grown.
    numbers
        Of chunks that are tried.
    enough
        Share of the bound at which the search ends.
    timed_hops
        Of programs whose trees grow as they run, at most.
    """

    seconds: float
    part: float
    simulated: int
    pieces: int
    variants: tuple[Variant, ...]
    numbers: int
    enough: Fraction
    timed_hops: int


USUAL = Effort(
    20.0,
    1 / 3,
    300_000,
    MOST_UNASKED,
    (Variant(), Variant(nearest_first=True)),
    6,
    Fraction(98, 100),
    8_000,
)
"""By default."""
ASKED = Effort(
    20.0,
    0.5,
    50_000_000,
    MOST_PIECES,
    (
        Variant(),
        Variant(nearest_first=True),
        Variant(one_by_one=True),
        *(Variant(seed=seed) for seed in range(SEEDS)),
    ),
    MOST_CHUNKS,
    Fraction(995, 1000),
    16_000,
)
"""Where `execution` is given."""
