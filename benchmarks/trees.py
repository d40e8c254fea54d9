"""The bandwidth-centric algorithm on very large trees, called as a library."""

from collections.abc import Iterator

from benchmarks.generators import random_tree
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from workers.problems.master_worker.bandwidth_centric import solve_tree


def measure() -> Iterator[Measurement]:
    """Solve one tree with few distinct weights, and a smaller one with arbitrary weights."""
    tree = random_tree(seed=1, size=100_000, distinct=None)
    with stopwatch() as watch:
        solution = solve_tree(*tree)
    digits = len(str(solution.throughput))
    yield Measurement(
        f"10^5 processors, arbitrary weights (throughput of {digits:,} characters)",
        watch.seconds,
        "s",
    )
    tree = random_tree(seed=0, size=1_000_000, distinct=36)
    with stopwatch() as watch:
        solve_tree(*tree)
    yield Measurement("10^6 processors, 36 distinct weights", watch.seconds, "s", claim=10)
    yield Measurement("peak memory", peak_gigabytes(), "GB", claim=3)
