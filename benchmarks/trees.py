"""The bandwidth-centric algorithm on very large trees, called as a library."""

from collections.abc import Iterator

from benchmarks.generators import random_tree
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.kinds.master_worker.solver.bandwidth_centric import solve_tree


def measure() -> Iterator[Measurement]:
    """Solve a tree with arbitrary weights, and a larger one with few distinct weights."""
    for size, distinct, weights, claim in (
        (100_000, None, "arbitrary weights", None),
        (1_000_000, 36, "36 distinct weights", 10.0),
    ):
        tree = random_tree(seed=1, size=size, distinct=distinct)
        with stopwatch() as watch:
            solution = solve_tree(*tree)
        working = len([rate for rate in solution.computed if rate])
        yield Measurement(
            f"{size:,} processors, {weights}; {working:,} of them get work",
            watch.seconds,
            "s",
            claim,
        )
    yield Measurement("peak memory", peak_gigabytes(), "GB", claim=3)
