"""The exact optimum of program (2.2), and who takes part in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.domain.job import Phase
from workers.exact import solve_certified
from workers.problems.divisible_chain.chain import Chain, Shares
from workers.problems.divisible_chain.goal import Goal
from workers.problems.divisible_chain.model import PRICED, build_model
from workers.solving.control import Control


@dataclass(frozen=True)
class Optimum:
    """A certified optimum of the program over some participants."""

    participants: tuple[int, ...]
    shares: Shares
    value: Fraction
    prices: Mapping[str, Fraction]
    """By the name of the constraint."""


def solve_program(chain: Chain, goal: Goal, control: Control) -> Optimum:
    """Find the best set of participants and their optimum.

    A participant delays what it passes until it is available, even if it computes nothing. So
    the processors are let in by their availability, while that lies before the best makespan
    known; a schedule with a shorter makespan cannot use the others. For the other objectives
    every such set is tried whose availability alone does not cost more than the best.
    """
    workers = [i for i in range(chain.length) if any(work is not None for work in chain.work[i])]
    dates = sorted({chain.available[i] for i in workers})
    best: Optimum | None = None
    for date in dates:
        if best is not None and goal.value(date, [date] * chain.num_loads) >= best.value:
            break
        participants = [i for i in workers if chain.available[i] <= date]
        if not all(chain.able(load, participants) for load in range(chain.num_loads)):
            continue
        optimum = solve_for(chain, goal, participants, control)
        if best is None or optimum.value <= best.value:
            best = optimum
    if best is None:
        raise AssertionError("every load has a processor")
    return best


def solve_for(chain: Chain, goal: Goal, participants: Sequence[int], control: Control) -> Optimum:
    """Solve the program over the given participants, and prove it."""
    control.phase(Phase.BUILDING)
    model = build_model(chain, goal, participants, control.check)
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"divisible_chain is feasible and bounded, yet {solved.status}")
    prices = {}
    for name, pattern in PRICED.items():
        component = model.component(name)
        if component is None:
            continue
        for index, price in solved.prices_of(component).items():
            places = index if isinstance(index, tuple) else (index,)
            prices[pattern.format(*(place + 1 for place in places))] = price
    return Optimum(tuple(participants), solved.values_of(model.share), solved.objective, prices)


def finish_together(chain: Chain, control: Control) -> dict[int, Fraction]:
    """Divide the only load of a chain, in one installment, so that it is done soonest."""
    optimum = solve_program(chain, Goal("makespan"), control)
    return {i: share for (i, _), share in optimum.shares.items()}
