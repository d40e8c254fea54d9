"""The methods of `divisible_chain`."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from app.domain.job import Certificate, Options, Outcome, Phase
from app.domain.problem import Sizing
from app.problems.divisible_chain.schemas import DivisibleChainInstance, DivisibleChainResult
from app.problems.divisible_chain.sizing import DEFAULT_MAX_INSTALLMENTS, installments
from workers.problems import Solution
from workers.problems.divisible_chain.answer import answer, notes_on_startup
from workers.problems.divisible_chain.bounds import best_bound
from workers.problems.divisible_chain.chain import Chain, Shares, read_chain
from workers.problems.divisible_chain.goal import Goal, read_goal
from workers.problems.divisible_chain.program import (
    Approximation,
    Optimum,
    Unproved,
    finish_together,
    solve_program,
)
from workers.problems.divisible_chain.references import (
    Division,
    NoAnswerError,
    heuristic_b,
    multi_installment,
    simple,
    single_load,
)
from workers.problems.divisible_chain.rounding import is_bound, rounded
from workers.problems.divisible_chain.timing import earliest
from workers.solving.control import Control, Interrupted

PATIENCE = 1.0
"""How many times as long as the solver took its proof may take; after that a rounded answer, off
by less than any float can tell, is worth more."""


def solve(
    instance: DivisibleChainInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the certified optimum, or what a method of the literature makes of the instance."""
    chain = read_chain(instance, installments(instance))
    goal = read_goal(instance)
    if sizing.method == "lp":
        try:
            optimum = solve_program(chain, goal, control, patience=PATIENCE)
        except Unproved as unproved:
            if control.remaining <= 0:
                raise
            solution = best_without_solver(instance, options, sizing, control, unproved)
            if solution.result.outcome is not Outcome.OPTIMAL:
                solution.result.notes.append(
                    "the exact optimum could not be proved in as much time again as the solver"
                    " needed: shares and prices are its own, rounded, and prove value and bound"
                )
            return solution
        return answer(instance, chain, goal, "lp", optimum)
    control.phase(Phase.SOLVING)
    try:
        division = {
            "simple": lambda: simple(chain, control.check),
            "single_load": lambda: single_load(chain, control.check),
            "multi_installment": lambda: multi_installment(
                chain, instance.max_installments, control.check, DEFAULT_MAX_INSTALLMENTS
            ),
            "heuristic_b": lambda: heuristic_b(
                chain, lambda alone: finish_together(alone, control), control.check
            ),
        }[sizing.method]()
    except NoAnswerError as why:
        return Solution(_no_answer(instance, chain.ids, sizing.method, str(why)))
    return _of_division(instance, sizing.method, division)


def best_without_solver(
    instance: DivisibleChainInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: Interrupted,
) -> Solution:
    """Answer when the time is over: the best of what is known, and a bound that prices prove.

    Known are `simple` and `single_load`, which send each load in one installment, the first of
    those that were asked for, and what the solver held, rounded.
    """
    chain = read_chain(instance, installments(instance))
    goal = read_goal(instance)
    of_resources = best_bound(chain, goal, instance.rounds)
    divisions = [simple(chain), single_load(chain)]
    known: Sequence[Approximation] = ()
    if sizing.method == "lp":
        first = {piece.load: t for t, piece in reversed(list(enumerate(chain.sequence)))}
        divisions = [
            Division(chain, {(i, first[load]): share for (i, load), share in shares.items()})
            for _, shares in divisions
        ]
        known = interruption.known if isinstance(interruption, Unproved) else ()
    chain = divisions[0].chain
    candidates = [
        _Candidate(Optimum(_computing(shares), shares, *of_resources), True)
        for _, shares in divisions
    ]
    for near in known:
        control.check()
        found = rounded(chain, goal, near)
        if found.value > of_resources.value and is_bound(chain, goal, found):
            candidates += [
                _Candidate(replace(found, shares=shares), False)
                for shares in (found.shares, *(shares for _, shares in divisions))
                if set(_computing(shares)) <= set(found.participants)
            ]
        else:
            bounded = replace(found, value=of_resources.value, prices=of_resources.prices)
            candidates.append(_Candidate(bounded, True))
    optimum, from_resources = min(candidates, key=lambda one: one.rank(chain, goal))
    return answer(instance, chain, goal, sizing.method, optimum, from_resources=from_resources)


class _Candidate(NamedTuple):
    """An answer, and whether its bound is one of resources."""

    optimum: Optimum
    from_resources: bool

    def rank(self, chain: Chain, goal: Goal) -> tuple[Fraction, Fraction]:
        """Give what is less for what is better."""
        timing = earliest(chain, self.optimum.participants, self.optimum.shares)
        return goal.value(timing.makespan, timing.completions), -self.optimum.value


def _computing(shares: Shares) -> tuple[int, ...]:
    return tuple(sorted({i for i, _ in shares}))


def _of_division(instance: DivisibleChainInstance, method: str, division: Division) -> Solution:
    goal = read_goal(instance)
    chain, shares = division
    bound = best_bound(chain, goal, instance.rounds)
    found = Optimum(_computing(shares), shares, bound.value, bound.prices)
    return answer(instance, chain, goal, method, found, from_resources=True)


def _no_answer(
    instance: DivisibleChainInstance, ids: tuple[str, ...], method: str, why: str
) -> DivisibleChainResult:
    return DivisibleChainResult(
        outcome=Outcome.UNKNOWN,
        method=method,
        objective=None,
        bound=None,
        gap=None,
        certificate=Certificate(type="none"),
        makespan=None,
        chain=list(ids),
        participants=[],
        loads=[],
        shares=[],
        timeline=[],
        idle=[],
        guarantee=None,
        makespan_with_startup=None,
        bound_source=None,
        notes=[
            f"{method} has no answer: {why}. The instance has one: ask for the method lp",
            *notes_on_startup(instance),
        ],
    )
