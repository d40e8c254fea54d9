"""What people read about an answer of `task_graph`."""

from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Amount, Measure, Phrase, View
from steadygrid.kinds.shared.headlines import periodic_view
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphResult
from steadygrid.kinds.task_graph.view_given import (
    facts_of_given,
    proof_of_given,
    sections_of_given,
)


def view(
    instance: TaskGraphInstance,
    options: Options,
    result: TaskGraphResult,
    schedule: Schedule | None,
) -> View:
    """Say how many instances are done how often. All else is in envelope and schedule.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    """
    told = periodic_view(
        instance,
        schedule,
        result.bound,
        instance.task_index,
        fixed_routes=instance.routing == "fixed",
    )
    return replace(
        told,
        classes=tuple(map(tuple, result.classes)),
        facts=(*_pools(result), *facts_of_given(instance, result)),
        sections=tuple(sections_of_given(instance, result)),
        proof=proof_of_given(result),
        given=instance.method == "given",
    )


def _pools(result: TaskGraphResult) -> tuple[tuple[str, Phrase], ...]:
    """Say how many processors the program took for how many."""
    if not result.classes:
        return ()
    members, largest = sum(map(len, result.classes)), max(map(len, result.classes))
    return (
        (
            "pools",
            (
                Amount(Fraction(members), Measure.COUNT),
                " processors are solved as ",
                Amount(Fraction(len(result.classes)), Measure.COUNT),
                " pools" if len(result.classes) > 1 else " pool",
                f"; {largest} x P is P and {largest - 1} more like it",
            ),
        ),
    )
