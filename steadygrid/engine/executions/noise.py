"""Times that are not exact: a factor for each operation, or one for each resource."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from typing import Literal

NoiseOf = Literal["operation", "resource"]
Factors = Callable[[], float]
"""Gives the factor of the next operation of a resource."""

_DRAWS = 4
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
        ``operation``: each operation has its own; ``resource``: all have the first.
    seed
        Of the random numbers; every execution of a seed meets the same numbers.

    Notes
    -----
    Numbers 4k to 4k + 3 are the first 32 bytes of SHA-256 of ``seed:resource:k``, 8 bytes each.
    """
    numbers = _numbers(f"{seed}:{resource}:".encode())
    if noise_of == "resource":
        factor = 1 + noise * (2 * next(numbers) - 1)
        return lambda: factor
    draw = numbers.__next__
    return lambda: 1 + noise * (2 * draw() - 1)


def _numbers(text: bytes) -> Iterator[float]:
    begun = sha256(text)
    for k in count():
        one = begun.copy()
        one.update(b"%d" % k)
        digest = one.digest()
        for i in range(_DRAWS):
            yield int.from_bytes(digest[8 * i : 8 * i + 8], "big") / _RANGE
