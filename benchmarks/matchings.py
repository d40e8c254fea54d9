"""The decomposition of a period's transfers into matchings."""

from collections.abc import Iterator

from benchmarks.generators import random_transfers, saturated_transfers
from benchmarks.measurement import Measurement, stopwatch
from steadygrid.engine.scheduling.matching import decompose


def measure() -> Iterator[Measurement]:
    """Decompose two graphs of 10^4 edges over 200 processors, with weights of 30 digits.

    In the random one few processors are critical; in the saturated one all are, all the time.
    """
    for what, edges in (
        ("random", random_transfers(seed=0)),
        ("saturated", saturated_transfers(seed=0)),
    ):
        with stopwatch() as watch:
            matchings = decompose(edges)
        yield Measurement(
            f"{what}: 10^4 edges over 200 processors into {len(matchings):,} matchings",
            watch.seconds,
            "s",
            claim=5,
        )
