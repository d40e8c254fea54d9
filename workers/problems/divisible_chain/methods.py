"""The methods of `divisible_chain`."""

from fractions import Fraction

from app.domain.job import Certificate, Options, Outcome, Phase
from app.domain.problem import Sizing
from app.problems.divisible_chain.schemas import DivisibleChainInstance, DivisibleChainResult
from app.problems.divisible_chain.sizing import DEFAULT_MAX_INSTALLMENTS, installments
from workers.problems import Solution
from workers.problems.divisible_chain.answer import answer, notes_on_startup
from workers.problems.divisible_chain.bounds import best_bound
from workers.problems.divisible_chain.chain import read_chain
from workers.problems.divisible_chain.goal import read_goal
from workers.problems.divisible_chain.program import Optimum, finish_together, solve_program
from workers.problems.divisible_chain.references import (
    Division,
    NoAnswerError,
    heuristic_b,
    multi_installment,
    simple,
    single_load,
)
from workers.solving.control import Control, Interrupted


def solve(
    instance: DivisibleChainInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the certified optimum, or what a method of the literature makes of the instance."""
    chain = read_chain(instance, installments(instance))
    goal = read_goal(instance)
    if sizing.method == "lp":
        optimum = solve_program(chain, goal, control)
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
    """Answer when the time is over: the better of two divisions, and a bound that prices prove.

    `simple` and `single_load` send each load in one installment, the first of those that were
    asked for; the others stay empty.
    """
    chain = read_chain(instance, installments(instance))
    divisions = [simple(chain), single_load(chain)]
    if sizing.method == "lp":
        first = {piece.load: t for t, piece in reversed(list(enumerate(chain.sequence)))}
        divisions = [
            Division(chain, {(i, first[load]): share for (i, load), share in shares.items()})
            for _, shares in divisions
        ]
    answers = [_of_division(instance, sizing.method, division) for division in divisions]
    return min(answers, key=_value)


def _value(solution: Solution) -> Fraction:
    objective = solution.result.objective
    assert objective is not None
    return objective.value


def _of_division(instance: DivisibleChainInstance, method: str, division: Division) -> Solution:
    goal = read_goal(instance)
    chain, shares = division
    bound = best_bound(chain, goal, instance.rounds)
    participants = tuple(sorted({i for i, _ in shares}))
    found = Optimum(participants, shares, bound.value, bound.prices)
    return answer(instance, chain, goal, method, found, from_resources=True)


def _no_answer(
    instance: DivisibleChainInstance, ids: tuple[str, ...], method: str, why: str
) -> DivisibleChainResult:
    return DivisibleChainResult(
        outcome=Outcome.INFEASIBLE,
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
