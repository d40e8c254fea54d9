"""The methods of `divisible_chain`."""

from collections.abc import Sequence

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Outcome, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance, DivisibleChainResult
from steadygrid.kinds.divisible_chain.sizing import DEFAULT_MAX_INSTALLMENTS, installments
from steadygrid.kinds.divisible_chain.solver.answer import answer, notes_on_startup
from steadygrid.kinds.divisible_chain.solver.bounds import PricedBound, best_bound
from steadygrid.kinds.divisible_chain.solver.cases import EVERYTHING
from steadygrid.kinds.divisible_chain.solver.chain import Chain, Shares, read_chain
from steadygrid.kinds.divisible_chain.solver.choice import finish_together, solve_program
from steadygrid.kinds.divisible_chain.solver.goal import Goal, read_goal
from steadygrid.kinds.divisible_chain.solver.program import Approximation, Unproved
from steadygrid.kinds.divisible_chain.solver.proof import Found, Proof, holds, proof_of, value_of
from steadygrid.kinds.divisible_chain.solver.references import (
    Division,
    NoAnswerError,
    heuristic_b,
    multi_installment,
    simple,
    single_load,
)
from steadygrid.kinds.divisible_chain.solver.rounding import rounded_part, rounded_shares

FOR_THE_PROOF = 0.9
"""Part of the time limit that the solver and the proof of its answer may take. The rest is for a
rounded answer, which is off by less than any float can tell."""
EVALUATION_SECONDS = 2.0
"""For the dates of shares that may be better than those that are known."""


def solve(
    instance: DivisibleChainInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the certified optimum, or what a method of the literature makes of the instance.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    chain = read_chain(instance, installments(instance))
    goal = read_goal(instance)
    if sizing.method == "lp":
        try:
            found = solve_program(chain, goal, control.limited(FOR_THE_PROOF * control.remaining))
        except Unproved as unproved:
            if control.remaining <= 0:
                raise
            solution = best_without_solver(instance, options, sizing, control, unproved)
            if solution.result.outcome is not Outcome.OPTIMAL:
                solution.result.notes.append(
                    f"an exact proof was not found in {FOR_THE_PROOF:.0%} of the time limit:"
                    " shares and prices are rounded, and a longer time limit may prove them"
                )
            return solution
        return answer(
            instance, chain, goal, "lp", found.shares, _best(instance, chain, found, control)
        )
    control.phase(Phase.SOLVING)
    of_a_load = control.limited(control.remaining, silent=True)
    try:
        division = {
            "simple": lambda: simple(chain, control.check),
            "single_load": lambda: single_load(chain, control.check),
            "multi_installment": lambda: multi_installment(
                chain, instance.max_installments, control.check, DEFAULT_MAX_INSTALLMENTS
            ),
            "heuristic_b": lambda: heuristic_b(
                chain, lambda alone: finish_together(alone, of_a_load), control.check
            ),
        }[sizing.method]()
    except NoAnswerError as why:
        return Solution(_no_answer(instance, chain.ids, sizing.method, str(why)))
    return _of_division(instance, sizing.method, division, control)


def best_without_solver(
    instance: DivisibleChainInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: the best of what is known, and a bound that prices prove.

    Known are `simple` and `single_load`, which send each load in one installment, the first of
    those that were asked for, what was proved, and what the solver held, rounded. Each bound holds
    for all of them.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        The time that is left, and cancellation.
    interruption
        What ended the solve. An `Unproved` one brings what the solver held.
    """
    chain = read_chain(instance, installments(instance))
    goal = read_goal(instance)
    divisions = [simple(chain), single_load(chain)]
    if sizing.method == "lp":
        first = {piece.load: t for t, piece in reversed(list(enumerate(chain.sequence)))}
        divisions = [
            Division(chain, {(i, first[load]): share for (i, load), share in shares.items()})
            for _, shares in divisions
        ]
    chain = divisions[0].chain
    candidates = [shares for _, shares in divisions]
    bounds: list[Proof | PricedBound] = [best_bound(chain, goal, control)]
    if sizing.method == "lp" and isinstance(interruption, Unproved):
        if interruption.found is not None:
            candidates.append(interruption.found.shares)
            bounds.append(interruption.found.proof)
        for near in interruption.known:
            control.check()
            candidates.append(rounded_shares(chain, near.shares))
            if near.rules.case == EVERYTHING:
                bounds.append(_rounded_proof(chain, goal, near))
    shares = _shortest(chain, goal, candidates, control)
    valid = [b for b in bounds if isinstance(b, PricedBound) or holds(chain, goal, b)]
    bound = max(valid, key=lambda one: one.value)
    return answer(instance, chain, goal, sizing.method, shares, bound)


def _shortest(chain: Chain, goal: Goal, candidates: Sequence[Shares], control: Control) -> Shares:
    """Give the best shares, of which the first are quickly evaluated, the others if they are too.

    Exact dates can have thousands of digits; then their check takes as long again.
    """
    best, value = candidates[0], value_of(chain, goal, candidates[0], control.check)
    for shares in candidates[1:]:
        part = control.limited(EVALUATION_SECONDS)
        try:
            other = value_of(chain, goal, shares, part.check)
        except OutOfTime:
            continue
        if other < value:
            best, value = shares, other
    return best


def _rounded_proof(chain: Chain, goal: Goal, near: Approximation) -> Proof:
    part = rounded_part(near.rules, near.prices)
    return proof_of(chain, goal, near.rules.workers, [part])


def _best(
    instance: DivisibleChainInstance, chain: Chain, found: Found, control: Control
) -> Proof | PricedBound:
    """Give what is proved: where the cases were too many, that of resources may be more."""
    if found.value == found.proof.value:
        return found.proof
    of_resources = best_bound(chain, read_goal(instance), control)
    return found.proof if found.proof.value >= of_resources.value else of_resources


def _of_division(
    instance: DivisibleChainInstance, method: str, division: Division, control: Control
) -> Solution:
    goal = read_goal(instance)
    chain, shares = division
    return answer(instance, chain, goal, method, shares, best_bound(chain, goal, control))


def _no_answer(
    instance: DivisibleChainInstance, ids: tuple[str, ...], method: str, why: str
) -> DivisibleChainResult:
    return without_schedule(
        DivisibleChainResult,
        Outcome.UNKNOWN,
        method,
        chain=list(ids),
        notes=[
            f"{method} has no answer: {why}; ask for the method lp",
            *notes_on_startup(instance),
        ],
    )
