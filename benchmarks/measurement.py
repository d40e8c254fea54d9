"""What every benchmark returns, and the clocks."""

import platform
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

GIGABYTE = 2**30


@dataclass
class Stopwatch:
    """Seconds of wall time that a block took; 0 until it ends."""

    seconds: float = 0.0


@contextmanager
def stopwatch() -> Iterator[Stopwatch]:
    """Time a block."""
    watch = Stopwatch()
    start = time.perf_counter()
    try:
        yield watch
    finally:
        watch.seconds = time.perf_counter() - start


@dataclass(frozen=True)
class Measurement:
    """One line of the table: a claim and what was seen."""

    what: str
    measured: float
    unit: str
    claim: float | None = None
    """The largest value that makes the claim true; None where nothing is claimed."""
    at_least: bool = False
    """Whether `claim` is the smallest value instead."""

    @property
    def holds(self) -> bool | None:
        """Whether the claim is true of this measurement."""
        if self.claim is None:
            return None
        return self.measured >= self.claim if self.at_least else self.measured <= self.claim


def processor_seconds() -> float:
    """Give the processor time of this process, and of its children that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_gigabytes() -> float:
    """Give the largest resident memory that this process ever had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if platform.system() == "Darwin" else 1024) / GIGABYTE
