"""Which variable goes first: devex weights, exact ratios, and what prevents cycles."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flint import fmpq

from steadygrid.engine.exact.variables import ZERO, size_of


class Weights:
    """Reference weights of devex pricing, rounded to powers of two.

    Source: Forrest, Goldfarb: *Steepest-edge simplex algorithms for linear programming*,
    Mathematical Programming 57, 1992, section 6.
    """

    def __init__(self) -> None:
        self._exponents: dict[int, int] = {}

    def __getitem__(self, key: int) -> int:
        """Give the logarithm of a weight, to base 2."""
        return self._exponents.get(key, 0)

    def spread(self, sizes: Mapping[int, int], source: int) -> None:
        """Let what a pivot changes weigh at least its share of the weight at the pivot.

        Parameters
        ----------
        sizes
            Logarithms of the entries of the pivot's column (row).
        source
            Where the pivot stands among them.
        """
        exponents = self._exponents
        base = exponents.get(source, 0) - 2 * sizes[source]
        for key, size in sizes.items():
            if base + 2 * size > exponents.get(key, 0):
                exponents[key] = base + 2 * size

    def renew(self, key: int, exponent: int) -> None:
        """Set a weight, to 1 at least.

        Parameters
        ----------
        key
            What has the weight.
        exponent
            The weight is 2 to this power; less than 0 counts as 0.
        """
        self._exponents[key] = max(exponent, 0)


class Stop(NamedTuple):
    """Something that ends a step.

    Attributes
    ----------
    distance, rate
        Not negative, and positive: the ratio is how long the step may be.
    size
        The logarithm of the pivot; larger is better.
    variable
        The least one counts where steps have to be careful.
    key
        What the caller knows it by.
    """

    distance: fmpq
    rate: fmpq
    size: int
    variable: int
    key: int


class Caution:
    """Whether a stretch without progress has become so long that it may be a cycle.

    Degenerate programs have long stretches that end: hundreds of pivots in a chain of loads. Only
    after as many as there are rows every choice goes to the least index, until there is progress
    (Bland: *New finite pivoting rules for the simplex method*, Mathematics of Operations Research
    2, 1977). No basis comes back after progress, and none under that rule.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._still = 0

    def __bool__(self) -> bool:
        """Whether to take the least index."""
        return self._still > self._most

    def note(self, progress: object) -> None:
        """Count a pivot: whether (a number that is not 0) it changed the objective."""
        self._still = 0 if progress else self._still + 1


def first_stop(stops: Iterable[Stop], careful: bool) -> tuple[Stop, fmpq] | None:
    """Give what ends a step first, and the ratio. None where nothing does.

    Ties go to the largest pivot, or, where steps are careful, to the least variable.

    Parameters
    ----------
    stops
        All that may end the step.
    careful
        Whether ties go to the least variable, against cycles of pivots.
    """
    best: Stop | None = None
    least = ZERO
    for stop in stops:
        if best is not None and _is_longer(stop, least):
            continue
        ratio = stop.distance / stop.rate if stop.distance else ZERO
        if best is None or ratio < least or (ratio == least and _is_better(stop, best, careful)):
            best, least = stop, ratio
    return None if best is None else (best, least)


def _is_longer(stop: Stop, least: fmpq) -> bool:
    """Tell from the lengths of the numbers alone that a ratio is larger, where they show it."""
    if not stop.distance:
        return False
    return not least or size_of(stop.distance) - size_of(stop.rate) > size_of(least) + 2


def _is_better(stop: Stop, other: Stop, careful: bool) -> bool:
    if careful or stop.size == other.size:
        return stop.variable < other.variable
    return stop.size > other.size
