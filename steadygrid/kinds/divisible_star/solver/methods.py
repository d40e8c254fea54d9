"""The methods of `divisible_star`: on trees, and for stars with more than one linear round."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.choice import comparable, is_tree_linear
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.kinds.divisible_star.solver.compare import compared
from steadygrid.kinds.divisible_star.solver.items.answer import answer_items
from steadygrid.kinds.divisible_star.solver.one_round.answer import answer_at_once, answer_one_round
from steadygrid.kinds.divisible_star.solver.results.answer import answer_results, results_at_once
from steadygrid.kinds.divisible_star.solver.rounds.answer import (
    answer_rounds,
    answer_rounds_at_once,
)
from steadygrid.kinds.divisible_star.solver.star.star import read_star
from steadygrid.kinds.divisible_star.solver.tree.answer import answer
from steadygrid.kinds.divisible_star.solver.tree.closed_form import (
    LONGEST_BITS,
    TooLongError,
    divide_exactly,
    divide_rounded,
)
from steadygrid.kinds.divisible_star.solver.tree.model import build_model
from steadygrid.kinds.divisible_star.solver.tree.tree import ZERO, Division, Tree, read_tree

SEARCHED = ("search", "local_search")


def solve(
    instance: DivisibleStarInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the optimum at the given order, or at the best; or compare all methods.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` is read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    if sizing.method == "compare":

        def run(one: DivisibleStarInstance, part: Control) -> Solution:
            same = replace(sizing, method=one.method)
            try:
                return solve(one, options, same, part)
            except OutOfTime as why:
                return best_without_solver(one, options, same, part, why)

        return compared(comparable(instance), run, control)
    if not is_tree_linear(instance):
        return solve_star(instance, sizing.method, options.mip_gap, control)
    tree = read_tree(instance)
    if sizing.method == "lp":
        division = _by_program(tree.with_round_trips, control)
    else:
        control.phase(Phase.SOLVING)
        division = _by_closed_form(tree.with_round_trips, control.check)
    return answer(instance, tree, sizing.method, division)


def best_without_solver(
    instance: DivisibleStarInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: the closed form needs no solver and next to no time.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` is read, where methods are compared.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        Not read.
    """
    if sizing.method == "compare":
        return solve(instance, options, sizing, control)
    if not is_tree_linear(instance):
        return best_on_star(instance, sizing.method)
    tree = read_tree(instance)
    return answer(
        instance, tree, sizing.method, _by_closed_form(tree.with_round_trips, lambda: None)
    )


def _by_closed_form(tree: Tree, check: Callable[[], None]) -> Division:
    try:
        return divide_exactly(tree, check)
    except TooLongError:
        return divide_rounded(tree, check)


def _by_program(tree: Tree, control: Control) -> Division:
    control.phase(Phase.BUILDING)
    model = build_model(tree)
    solved = solve_certified(model, control)
    if solved.status != "optimal":
        raise AssertionError(f"divisible_star is feasible and bounded, yet {solved.status}")
    shares, prices = solved.values_of(model.share), solved.prices_of(model.done)
    if too_long([*shares.values(), *prices.values()], LONGEST_BITS):
        return divide_rounded(tree, control.check)
    places = range(len(tree.ids))
    return Division(
        [shares.get(i, ZERO) for i in places],
        [prices.get(i, ZERO) for i in places],
    )


def solve_star(
    instance: DivisibleStarInstance, method: str, gap: Fraction, control: Control
) -> Solution:
    """Find the best plan of what is asked. A search may end at a relative gap.

    Parameters
    ----------
    instance
        Without faults.
    method
        Name of the one that was asked for.
    gap
        Relative gap at which a search may end.
    control
        Deadline, cancellation and progress of the solve.
    """
    star = read_star(instance)
    if instance.load.items is not None:
        control.phase(Phase.SOLVING)
        return answer_items(instance, star, method, control.check)
    if _searches_pairs(instance, method):
        return answer_results(instance, star, method, control)
    if method in SEARCHED:
        return answer_one_round(instance, star, method, control)
    return answer_rounds(instance, star, method, gap, control)


def best_on_star(instance: DivisibleStarInstance, method: str) -> Solution:
    """Answer when the time is over.

    Parameters
    ----------
    instance
        Without faults.
    method
        Name of the one that was asked for.
    """
    if instance.load.items is not None:
        return answer_items(instance, read_star(instance), method, _never)
    if _searches_pairs(instance, method):
        return results_at_once(instance, read_star(instance), method)
    if method in SEARCHED:
        return answer_at_once(instance, read_star(instance), method)
    return answer_rounds_at_once(instance, read_star(instance), method)


def _never() -> None:
    """Allow no step of a search."""
    raise OutOfTime


def _searches_pairs(instance: DivisibleStarInstance, method: str) -> bool:
    """Tell whether results do not come back in reverse order, or cost nothing besides."""
    reversed_ = instance.return_orders == "lifo" and method in SEARCHED
    return bool(instance.load.return_volume) and not reversed_
