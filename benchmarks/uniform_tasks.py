"""Uniform tasks on stars, dealt out by the means of cells: how near the bound, and how long it takes.

The same of the bound that policies are told: from the prices of fewer cells.

Sizes and works from 1 to 10, correlated or not; speeds and bandwidths from 1 to 10; epsilon 1/5.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance
from steadygrid.kinds.bag_of_tasks.solver.by_cells import by_means, long_run_prices
from steadygrid.submissions.submission import parse_submission

STARS, SECONDS = 10, 2.0


def measure() -> Iterator[Measurement]:
    """Solve some stars of each size, and tell of the worst."""
    for workers in (4, 30):
        rng = random.Random(workers)
        gaps, seconds, above, bounding = [], [], [], []
        for _ in range(STARS):
            instance = random_star(rng, workers)
            with stopwatch() as watch:
                dealt = by_means(instance, Fraction(0), Control(60))
            gaps.append(float(dealt.gap))
            seconds.append(watch.seconds)
            with stopwatch() as watch:
                bound = sum(long_run_prices(instance, Control(60)).values())
            above.append(float(bound / sum(dealt.rates.values()) - 1))
            bounding.append(watch.seconds)
        what = f"{STARS} stars of {workers} workers, epsilon 1/5: "
        yield Measurement(f"{what}greatest gap", max(gaps), "", claim=0.01)
        yield Measurement(f"{what}longest", max(seconds), "s", claim=SECONDS)
        yield Measurement(f"{what}bound of policies above value", max(above), "", claim=0.02)
        yield Measurement(f"{what}longest to that bound", max(bounding), "s", claim=SECONDS)


def random_star(rng: random.Random, workers: int) -> BagOfTasksInstance:
    """Draw a star and the correlation of its tasks."""
    names = [f"P{i}" for i in range(1, workers + 1)]
    processors = [{"id": "P0"}, *({"id": n, "speed": rng.randint(1, 10)} for n in names)]
    links = [{"source": "P0", "target": n, "bandwidth": rng.randint(1, 10)} for n in names]
    tasks = {"input_size": [1, 10], "work": [1, 10], "correlation": rng.choice((0, "1/2", "9/10"))}
    problem = {
        "kind": "bag_of_tasks",
        "platform": {"processors": processors, "links": links},
        "master": "P0",
        "bags": [{"id": "b", "uniform": tasks}],
        "ports": rng.choice(("multiport", "one_port")),
        "epsilon": "1/5",
    }
    instance = parse_submission({"problem": problem}, Limits()).instance
    assert isinstance(instance, BagOfTasksInstance)
    return instance
