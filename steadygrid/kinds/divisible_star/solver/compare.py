"""All methods that answer an instance side by side, for `compare`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.schemas import ComparedStar, DivisibleStarInstance

Run = Callable[[DivisibleStarInstance, Control], Solution]


def compared(asked: Sequence[DivisibleStarInstance], run: Run, control: Control) -> Solution:
    """Answer with the best of some methods, and a table of all.

    They share the time evenly, and what one does not need is left to those after it. Of equally
    short answers the one with the better bound is taken.

    Parameters
    ----------
    asked
        The instance, for each method.
    run
        Answers it, also when its part of the time is over.
    """
    answers: list[tuple[str, Solution, float]] = []
    for position, one in enumerate(asked):
        started = control.elapsed
        part = control.limited(control.remaining / (len(asked) - position), silent=True)
        found = run(one, part)
        answers.append((one.method, found, round(control.elapsed - started, 3)))
    chosen, best, _ = min(answers, key=lambda one: (_value(one[1]), one[1].result.gap or 0))
    bound = best.result.bound
    assert bound is not None
    rows = [
        ComparedStar(
            method=method,
            makespan=_value(found),
            ratio_to_bound=_value(found) / bound.value if bound.value else None,
            is_answer=method == chosen,
            seconds=seconds,
            note="; ".join(found.result.notes) or None,
        )
        for method, found, seconds in answers
    ]
    result = best.result.model_copy(update={"method": "compare", "comparison": rows})
    return replace(best, result=result)


def _value(solution: Solution) -> Fraction:
    assert solution.result.objective is not None
    return solution.result.objective.value
