"""Place/transition nets whose transitions take time."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple


class Transition(NamedTuple):
    """What happens again and again."""

    name: str
    delay: Fraction
    """How long it takes from the tokens that it needs to those that it makes."""


class Place(NamedTuple):
    """Where tokens wait that one transition makes and one needs, one each time."""

    name: str
    before: int
    """The transition that makes tokens, by its position."""
    after: int
    """The transition that needs them."""
    tokens: int
    """That are there at the beginning."""


class Net(NamedTuple):
    """An event graph: each place is between two transitions, which may be the same."""

    name: str
    rows: int
    """How many transitions there are of each sort, one for each turn."""
    transitions: Sequence[Transition]
    places: Sequence[Place]
