"""Times that are not exact: a factor for each operation, one for each resource, or one that drifts."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import Literal

NoiseOf = Literal["operation", "resource", "drift"]
Factors = Callable[[], float]
"""Gives the factor of the next operation of a resource."""

DRIFT = 100
"""Operations of a resource from one random factor to the next, where factors drift."""
_DRAWN = Struct(">4Q")
"""Numbers of one digest."""
_RANGE = float(1 << 64)


def factors_of(resource: str, noise: float, noise_of: NoiseOf, seed: int) -> Factors:
    """Give the factors by which the times of a resource are wrong, one operation after the other.

    Parameters
    ----------
    resource
        The processor, or the two ends of a link.
    noise
        Factors lie between ``1 - noise`` and ``1 + noise``, all of them alike probable.
    noise_of
        ``operation``: each operation has its own; ``resource``: all have the first; ``drift``: each
        `DRIFT`-th operation has its own, and those between go straight from one to the next.
    seed
        Of the random numbers. Every execution of a seed meets the same numbers.

    Notes
    -----
    Numbers 4k to 4k + 3 are the first 32 bytes of SHA-256 of ``seed:resource:k``, 8 bytes each.
    """
    numbers = _numbers(f"{seed}:{resource}:".encode())
    if noise_of == "resource":
        factor = 1 + noise * (2 * next(numbers) - 1)
        return lambda: factor
    if noise_of == "drift":
        return _drifting(numbers, noise).__next__
    return (1 + noise * (2 * number - 1) for number in numbers).__next__


def _drifting(numbers: Iterator[float], noise: float) -> Iterator[float]:
    last = 2 * next(numbers) - 1
    for number in numbers:
        following = 2 * number - 1
        for k in range(DRIFT):
            yield 1 + noise * (last + (following - last) * k / DRIFT)
        last = following


def _numbers(text: bytes) -> Iterator[float]:
    begun = sha256(text)
    for k in count():
        one = begun.copy()
        one.update(b"%d" % k)
        first, second, third, last = _DRAWN.unpack(one.digest())
        yield first / _RANGE
        yield second / _RANGE
        yield third / _RANGE
        yield last / _RANGE
