"""The exact optimum of program (2.2), and who takes part in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from app.domain.job import Phase
from workers.exact import solve_certified
from workers.problems.divisible_chain.chain import Chain, Shares
from workers.problems.divisible_chain.goal import Goal
from workers.problems.divisible_chain.model import PRICED, build_model
from workers.solving.control import Control, Interrupted


@dataclass(frozen=True)
class Approximation:
    """Nearly optimal shares and prices of the program over some participants.

    Attributes
    ----------
    shares
        By processor and installment.
    prices
        By the name of the constraint; may be empty.
    """

    participants: tuple[int, ...]
    shares: Mapping[tuple[int, int], float | Fraction]
    prices: Mapping[str, float | Fraction]


class Unproved(Interrupted):
    """The time limit struck when something was known already.

    Attributes
    ----------
    known
        What, for the sets of participants looked at.
    """

    def __init__(self, known: Sequence[Approximation]) -> None:
        super().__init__("time_limit")
        self.known = known


@dataclass(frozen=True)
class Optimum:
    """Shares over some participants, and prices of the program that prove a bound."""

    participants: tuple[int, ...]
    shares: Shares
    value: Fraction
    """The bound; that of the shares if they are optimal."""
    prices: Mapping[str, Fraction]
    """By the name of the constraint."""


def solve_program(chain: Chain, goal: Goal, control: Control, *, patience: float = inf) -> Optimum:
    """Find the best set of participants and their optimum.

    A participant delays what it passes until it is available, even if it computes nothing. So
    the processors are let in by their availability, while that lies before the best makespan
    known; a schedule with a shorter makespan cannot use the others. For the other objectives
    every such set is tried whose availability alone does not cost more than the best.

    Parameters
    ----------
    patience
        As that of `solve_certified`.

    Raises
    ------
    Interrupted
        `Unproved` where the time is over, or the patience.
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
        try:
            optimum = solve_for(chain, goal, participants, control, patience=patience)
        except Unproved as interruption:
            if best is None:
                raise
            earlier = Approximation(best.participants, best.shares, best.prices)
            raise Unproved([earlier, *interruption.known]) from interruption
        if best is None or optimum.value <= best.value:
            best = optimum
    if best is None:
        raise AssertionError("every load has a processor")
    return best


def solve_for(
    chain: Chain,
    goal: Goal,
    participants: Sequence[int],
    control: Control,
    *,
    patience: float = inf,
) -> Optimum:
    """Solve the program over the given participants, and prove it.

    Raises
    ------
    Interrupted
        `Unproved` where the time is over, or the patience, with what the solver knew.
    """
    try:
        control.phase(Phase.BUILDING)
        model = build_model(chain, goal, participants, control.check)
        solved = solve_certified(model, control, patience=patience)
    except Interrupted as interruption:
        if interruption.reason == "cancelled":
            raise
        raise Unproved(_known(participants, interruption)) from interruption
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"divisible_chain is feasible and bounded, yet {solved.status}")
    prices = {}
    for name, pattern in PRICED.items():
        component = model.component(name)
        if component is None:
            continue
        for index, price in solved.prices_of(component).items():
            prices[_named(pattern, index)] = price
    return Optimum(tuple(participants), solved.values_of(model.share), solved.objective, prices)


def _named(pattern: str, index: Any) -> str:
    places = index if isinstance(index, tuple) else (index,)
    return pattern.format(*(place + 1 for place in places))


def _known(participants: Sequence[int], interruption: Interrupted) -> list[Approximation]:
    shares = {
        index: share for (name, index), share in interruption.values.items() if name == "share"
    }
    prices = {
        _named(PRICED[name], index): price for (name, index), price in interruption.duals.items()
    }
    return [Approximation(tuple(participants), shares, prices)] if shares or prices else []


def finish_together(chain: Chain, control: Control) -> dict[int, Fraction]:
    """Divide the only load of a chain, in one installment, so that it is done soonest."""
    optimum = solve_program(chain, Goal("makespan"), control)
    return {i: share for (i, _), share in optimum.shares.items()}
