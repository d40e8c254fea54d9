"""The methods for stars with more than one linear round."""

from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.kinds.divisible_star.solver.items.answer import answer_items
from steadygrid.kinds.divisible_star.solver.one_round.answer import answer_at_once, answer_one_round
from steadygrid.kinds.divisible_star.solver.results.answer import answer_results, results_at_once
from steadygrid.kinds.divisible_star.solver.rounds.answer import (
    answer_rounds,
    answer_rounds_at_once,
)
from steadygrid.kinds.divisible_star.solver.star.star import read_star

SEARCHED = ("search", "local_search")


def solve_star(
    instance: DivisibleStarInstance, method: str, gap: Fraction, control: Control
) -> Solution:
    """Find the best plan of what is asked; a search may end at a relative gap.

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
    """Tell whether results do not simply come back the other way round, or cost nothing besides."""
    reversed_ = instance.return_orders == "lifo" and method in SEARCHED
    return bool(instance.load.return_volume) and not reversed_
