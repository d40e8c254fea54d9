"""The referee's own look for a better mapping, where a bound rests on a search's word."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from steadygrid.kinds.replicated_workflow.referee_state import played, resources_of
from steadygrid.kinds.replicated_workflow.referee_use import mean_times
from steadygrid.kinds.replicated_workflow.referee_view import (
    Workflow,
    read_mapping,
    read_unit_times,
)
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStageOut,
    ReplicatedWorkflowInstance,
)
from steadygrid.verification.findings import Findings

MOST_STEPS = 300_000
"""Processors looked at, and operations played, over all mappings that are tried."""
MOST_TURNS = 12
"""Turns of all rows for which a mapping is played."""
MOST_LISTED = 5_000
"""Up to so many choices of a stage for every processor all of them are tried."""

Processors = Sequence[tuple[str, ...]]
"""Of each stage, in the order of their turns."""


class _TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def beaten_by(
    instance: ReplicatedWorkflowInstance,
    mapping: Sequence[MappedStageOut] | None,
    below: Fraction,
    most_steps: int = MOST_STEPS,
) -> Fraction | None:
    """Look for a mapping that keeps a period shorter than `below`.

    Parameters
    ----------
    mapping
        Of the answer, near which to look first. None if there is none.

    Returns
    -------
    Fraction or None
        A period that it keeps. Finding none proves nothing.

    Notes
    -----
    First the mappings in which a processor is added, left out or replaced, or two change places. Then, of
    small instances, every choice of a stage, or none, for each processor, in the order of the platform.
    A mapping none of whose resources is busy for too long on the average is played from an idle start.
    Where, some turns later, everything is free so much later at most, it goes on like that for ever.
    """
    asked = instance.stages
    if asked is None:
        asked = tuple((task.id,) for task in instance.application.tasks)
    names = [processor.id for processor in instance.platform.processors]
    search = _Search(instance, asked, below, most_steps)
    try:
        if mapping is not None:
            near = _neighbours([tuple(stage.processors) for stage in mapping], names)
            found = search.first(near)
            if found is not None:
                return found
        if (len(asked) + 1) ** len(names) <= MOST_LISTED:
            return search.first(_all_mappings(len(asked), names))
    except _TooManyStepsError:
        pass
    return None


def _neighbours(mapping: Processors, names: Sequence[str]) -> Iterator[Processors]:
    taken = {name for stage in mapping for name in stage}
    free = [name for name in names if name not in taken]
    turns = [(k, i) for k, stage in enumerate(mapping) for i in range(len(stage))]
    for k, i in turns:
        stage = mapping[k]
        yield _replace_stage(mapping, k, stage[:i] + stage[i + 1 :])
        for name in free:
            yield _replace_stage(mapping, k, (*stage[:i], name, *stage[i + 1 :]))
            yield _replace_stage(mapping, k, (*stage[: i + 1], name, *stage[i + 1 :]))
    for (k, i), (l, j) in combinations(turns, 2):
        exchanged = {mapping[k][i]: mapping[l][j], mapping[l][j]: mapping[k][i]}
        yield [tuple(exchanged.get(name, name) for name in stage) for stage in mapping]


def _replace_stage(mapping: Processors, k: int, stage: tuple[str, ...]) -> Processors:
    return [*mapping[:k], stage, *mapping[k + 1 :]]


def _all_mappings(stages: int, names: Sequence[str]) -> Iterator[Processors]:
    for choice in product(range(stages + 1), repeat=len(names)):
        yield [
            tuple(name for name, chosen in zip(names, choice, strict=True) if chosen == k)
            for k in range(stages)
        ]


class _Search:
    def __init__(
        self,
        instance: ReplicatedWorkflowInstance,
        stages: Sequence[tuple[str, ...]],
        below: Fraction,
        most_steps: int,
    ) -> None:
        self._instance = instance
        self._stages = stages
        self._below = below
        self._left = most_steps
        self._unit_times = read_unit_times(instance)

    def first(self, mappings: Iterator[Processors]) -> Fraction | None:
        """Give the period of the first mapping that keeps one below."""
        for mapping in mappings:
            workflow = self._read(mapping)
            if workflow is not None:
                period = self._period_kept(workflow)
                if period is not None:
                    return period
        return None

    def _read(self, mapping: Processors) -> Workflow | None:
        self._pay(len(self._instance.platform.processors))
        if not all(mapping):
            return None
        listed = [
            MappedStageOut(tasks=list(tasks), processors=list(processors))
            for tasks, processors in zip(self._stages, mapping, strict=True)
        ]
        return read_mapping(self._instance, listed, Findings(), self._unit_times)

    def _period_kept(self, workflow: Workflow) -> Fraction | None:
        """Give a period below that a mapping is seen to keep."""
        rows, cost = workflow.rows, workflow.rows * len(workflow.operations)
        if max(time.time for time in mean_times(workflow)) >= self._below:
            return None
        states = [dict.fromkeys(resources_of(workflow), Fraction(0))]
        for _ in range(MOST_TURNS):
            self._pay(cost)
            states.append(played(workflow, states[-1]))
            for turns, before in enumerate(reversed(states[:-1]), start=1):
                moved = max(time - before[name] for name, time in states[-1].items())
                if moved < self._below * rows * turns:
                    return moved / (rows * turns)
        return None

    def _pay(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooManyStepsError
