"""Divisible loads on a chain: the experiment of the thesis, reduced, and what a proof costs.

Ten processors and 50 loads (and fewer, to be certified), ratios of data to work, volumes, speeds
and bandwidths as in section 2.6 of the thesis (bytes, flops, MB/s and Mflop/s); latencies are left
out, as in its schedules.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from statistics import mean

import highspy

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import run_highs
from steadygrid.engine.solving.reading import read_model
from steadygrid.engine.solving.relaxation import double_program
from steadygrid.kinds.divisible_chain.solver.cases import Rules
from steadygrid.kinds.divisible_chain.solver.chain import Chain, sequence_of
from steadygrid.kinds.divisible_chain.solver.choice import finish_together, solve_program
from steadygrid.kinds.divisible_chain.solver.goal import Goal
from steadygrid.kinds.divisible_chain.solver.model import build_model
from steadygrid.kinds.divisible_chain.solver.program import Unproved
from steadygrid.kinds.divisible_chain.solver.references import (
    Division,
    heuristic_b,
    multi_installment,
    simple,
    single_load,
)
from steadygrid.kinds.divisible_chain.solver.rounding import rounded_part, rounded_shares
from steadygrid.kinds.divisible_chain.solver.timing import earliest

LENGTH, NUM_LOADS, INSTALLMENTS = 10, 50, 6
RATIOS = ("1/100", "1/10", "1", "10", "100")
"""Bytes per flop; one instance each."""
SIZES = ((6, 15, 4), (8, 20, 5), (LENGTH, NUM_LOADS, INSTALLMENTS))
"""Processors, loads and installments of the programs that are certified."""
CERTIFIED = ("1/100", "1/10", "1", "10")
"""The ratios at which they are."""
SEEDS = (0, 1)
MAKESPAN = Goal("makespan")
_TIME_LIMIT = 60.0
"""Seconds for each chain."""


def measure() -> Iterator[Measurement]:
    """Compare the methods, relative to LP 6; then certify programs of several sizes."""
    ratios: dict[str, list[float]] = {}
    for ratio in RATIOS:
        chain = random_chain(0, Fraction(ratio))
        best = _value(chain, INSTALLMENTS)
        ratios.setdefault("LP 1", []).append(_value(chain, 1) / best)
        for name, divide in METHODS.items():
            division = divide(chain)
            timing = earliest(division.chain, division.shares)
            ratios.setdefault(name, []).append(float(timing.makespan) / best)
    claims = {"LP 1": (1.005, False), "MULTIINST 100": (1.13, True), "HEURISTIC B": (1.13, True)}
    for name, values in ratios.items():
        claim, at_least = claims.get(name, (None, False))
        what = f"{name}: mean makespan over that of LP {INSTALLMENTS}, {len(values)} instances"
        yield Measurement(what, mean(values), "", claim=claim, at_least=at_least)
    for length, num_loads, installments in SIZES:
        for ratio, seed in product(CERTIFIED, SEEDS):
            name = f"{length} x {num_loads} x {installments}, ratio {ratio}, seed {seed}"
            chain = random_chain(seed, Fraction(ratio), length, num_loads)
            yield from _certified(name, _divided(chain, installments))


def _certified(name: str, chain: Chain) -> Iterator[Measurement]:
    """Solve one program alone, then solve and prove it."""
    program = read_model(build_model(_rules(chain))).program
    with stopwatch() as alone:
        run_highs(program, Control())
    with stopwatch() as watch:
        gap = _proved_gap(chain)
    yield Measurement(f"{name}: HiGHS alone", alone.seconds, "s")
    yield Measurement(f"{name}: built, solved and proved", watch.seconds, "s")
    yield Measurement(f"{name}: proved gap, 0 if exact", gap, "", claim=0)


def _proved_gap(chain: Chain) -> float:
    """Solve and prove like a job does; give the distance of value and bound."""
    try:
        solve_program(chain, MAKESPAN, Control(_TIME_LIMIT))
    except Unproved as unproved:
        (near,) = unproved.known
        bound = rounded_part(near.rules, near.prices).value
        makespan = earliest(chain, rounded_shares(chain, near.shares)).makespan
        assert bound is not None
        return float((makespan - bound) / makespan)
    return 0.0


def _rules(chain: Chain) -> Rules:
    return Rules(chain, MAKESPAN, tuple(range(chain.length)))


def random_chain(
    seed: int, ratio: Fraction, length: int = LENGTH, num_loads: int = NUM_LOADS
) -> Chain:
    """Draw a chain with speeds of 10 to 100 Mflop/s, links of 10 to 100 Mb/s, loads of 6 to 60 Gflop.

    Parameters
    ----------
    ratio
        Data over work of all loads, in bytes per flop.
    """
    chance = random.Random(seed)
    speeds = [Fraction(chance.randint(10, 100)) for _ in range(length)]
    bandwidths = [Fraction(chance.randint(10, 100), 8) for _ in range(length - 1)]
    works = [Fraction(chance.randint(6_000, 60_000)) for _ in range(num_loads)]
    zero = Fraction(0)
    return Chain(
        ids=tuple(f"P{i}" for i in range(1, length + 1)),
        strict=True,
        sequence=sequence_of([1] * num_loads, 1),
        work=tuple(tuple(work / speed for work in works) for speed in speeds),
        wire=tuple(tuple(work * ratio / width for work in works) for width in bandwidths),
        available=(zero,) * length,
        released=(zero,) * num_loads,
        free=(zero,) * (length - 1),
    )


METHODS: dict[str, Callable[[Chain], Division]] = {
    "SIMPLE": simple,
    "SINGLELOAD": single_load,
    "MULTIINST 100": lambda chain: multi_installment(chain, 100),
    "HEURISTIC B": lambda chain: heuristic_b(
        chain, lambda alone: finish_together(alone, Control()), lambda: None
    ),
}


def _divided(chain: Chain, installments: int) -> Chain:
    return chain.with_installments((installments,) * chain.num_loads)


def _value(chain: Chain, installments: int) -> float:
    """Solve the program by an interior point method, to about six digits."""
    model = build_model(_rules(_divided(chain, installments)))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("solver", "ipm")
    highs.setOptionValue("run_crossover", "off")
    highs.passModel(double_program(read_model(model), relaxed=True))
    highs.run()
    return float(highs.getInfo().objective_function_value)
