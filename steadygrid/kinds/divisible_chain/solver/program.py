"""The exact optimum of program (2.2) in one case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain.solver.cases import Rules
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Shares
from steadygrid.kinds.divisible_chain.solver.model import PRICED, build_model
from steadygrid.kinds.divisible_chain.solver.proof import Found


@dataclass(frozen=True)
class Approximation:
    """Nearly optimal shares and prices of the program in a case.

    Attributes
    ----------
    shares
        By processor and installment.
    prices
        By the name of the constraint; may be empty.
    """

    rules: Rules
    shares: Mapping[tuple[int, int], float | Fraction]
    prices: Mapping[str, float | Fraction]


class Unproved(OutOfTime):
    """The time limit struck when something was known already.

    Attributes
    ----------
    known
        What the solver held.
    found
        What was proved before. None if nothing was.
    """

    def __init__(self, known: Sequence[Approximation], found: Found | None = None) -> None:
        super().__init__()
        self.known = known
        self.found = found


@dataclass(frozen=True)
class Optimum:
    """The best of the program in a case, and the prices that prove it.

    Attributes
    ----------
    completions
        By load, as the program has them; empty for the makespan.
    """

    rules: Rules
    shares: Shares
    value: Fraction
    completions: Mapping[int, Fraction]
    prices: Mapping[str, Fraction]
    """By the name of the constraint."""


def solve_case(rules: Rules, control: Control) -> Optimum:
    """Solve the program in a case in which every load has a processor, and prove it.

    Raises
    ------
    Cancelled, OutOfTime
        `Unproved` where the time is over, with what the solver knew.
    """
    try:
        control.phase(Phase.BUILDING)
        model = build_model(rules, control.check)
        solved = solve_certified(model, control)
    except OutOfTime as interruption:
        raise Unproved(_known(rules, interruption)) from interruption
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"divisible_chain is feasible and bounded, yet {solved.status}")
    prices = {
        _named(rules, name, index): price
        for name in PRICED
        for index, price in solved.prices_of(model.component(name)).items()
    }
    completions: dict[int, Fraction] = {}
    if rules.goal.name != "makespan":
        known = solved.values_of(model.completion)
        completions = {load: known.get(load, ZERO) for load in range(rules.chain.num_loads)}
    return Optimum(rules, solved.values_of(model.share), solved.objective, completions, prices)


def _named(rules: Rules, name: str, index: Any) -> str:
    if name == "whole":
        return PRICED[name].format(index + 1)
    strand, *places = index
    prefix = rules.strands[strand].prefix
    return f"{prefix}{PRICED[name].format(*(place + 1 for place in places))}"


def _known(rules: Rules, interruption: OutOfTime) -> list[Approximation]:
    shares = {
        index: share for (name, index), share in interruption.values.items() if name == "share"
    }
    prices = {
        _named(rules, name, index): price for (name, index), price in interruption.duals.items()
    }
    return [Approximation(rules, shares, prices)] if shares or prices else []
