"""All methods for a multicast side by side, for `compare`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Outcome, relative_gap
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.methods import REFERENCES
from steadygrid.kinds.collective.schemas import ComparedMulticast
from steadygrid.kinds.collective.solver import copying

LATE = "its part of the time was not enough"

Run = Callable[[str, Control], Solution]


def compared(run: Run, control: Control) -> Solution:
    """Answer with the best of all methods, the best bound, and a table.

    The references share half the time evenly, and what one does not need is left to the others. The
    bound by itself and at last the trees follow.

    Parameters
    ----------
    run
        Answers by a method.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or if there was no time for any answer.
    """
    answers: dict[str, Solution] = {}
    rows: list[tuple[str, Solution | None, float]] = []
    for method, seconds in _time_slices(control):
        started = control.elapsed
        found: Solution | None = None
        try:
            found = run(method, control.limited(seconds, silent=True))
            answers[method] = found
        except OutOfTime:
            if not control.remaining and not answers:
                raise
        rows.append((method, found, round(control.elapsed - started, 3)))
    valued = {name: _value(one) for name, one in answers.items() if one.result.objective}
    if not valued:
        raise OutOfTime
    best = max(reversed(valued), key=lambda name: valued[name])
    proved = min(answers.values(), key=_bound)
    notes = answers["trees"].result.notes if "trees" in answers else [copying.LATE]
    undecided = [note for note in notes if note in (copying.LATE, copying.BY_HEURISTICS)]
    return _joined(answers[best], proved, rows, undecided)


def _time_slices(control: Control) -> Iterator[tuple[str, float]]:
    end = control.elapsed + control.remaining / 2
    for position, method in enumerate(REFERENCES):
        yield method, (end - control.elapsed) / (len(REFERENCES) - position)
    yield "upper_bound", control.remaining / 2
    yield "trees", control.remaining


def _joined(
    best: Solution,
    proved: Solution,
    rows: list[tuple[str, Solution | None, float]],
    undecided: list[str],
) -> Solution:
    """Put the table together. What kept `trees` from the optimum is reported where nothing reaches the bound."""
    value, bound = _value(best), _bound(proved)
    reasons = undecided if value < bound else []
    result = best.result.model_copy(
        update={
            "method": "compare",
            "outcome": Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
            "bound": proved.result.bound,
            "gap": relative_gap(value, bound),
            "certificate": proved.result.certificate,
            "comparison": [_row(*row, bound) for row in rows],
            "notes": list(dict.fromkeys((*best.result.notes, *reasons))),
        }
    )
    return replace(best, result=result)


def _row(method: str, found: Solution | None, seconds: float, bound: Fraction) -> ComparedMulticast:
    if found is None:
        return ComparedMulticast(
            method=method, throughput=None, ratio_to_bound=None, seconds=seconds, note=LATE
        )
    throughput = _bound(found) if method == "upper_bound" else _value(found)
    return ComparedMulticast(
        method=method,
        throughput=throughput,
        ratio_to_bound=throughput / bound,
        seconds=seconds,
        note="; ".join(found.result.notes) or None,
    )


def _value(solution: Solution) -> Fraction:
    assert solution.result.objective is not None
    return solution.result.objective.value


def _bound(solution: Solution) -> Fraction:
    assert solution.result.bound is not None
    return solution.result.bound.value
