"""That no numbers of processors let all stages keep a shorter period: searched for by the referee."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from steadygrid.kinds.replicated_workflow.limits import MOST_COUNT_STEPS
from steadygrid.kinds.replicated_workflow.referee_view import (
    most_copies,
    read_unit_times,
    times_of_stage,
)
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


def check_counts(instance: ReplicatedWorkflowInstance, bound: Fraction, findings: Findings) -> None:
    """Check that no numbers of processors allow more than a bound.

    Parameters
    ----------
    bound
        Of the throughput of all mappings, above 0.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ============
    1  that no numbers of processors are in time can be searched for           `not_proved`
    2  there are none with which every stage is in time for a shorter period   `bound_beaten`
    == ======================================================================= ============
    """
    at = ("result", "bound")
    exist = counts_exist(instance, 1 / bound) if bound > 0 else True
    if exist is None:
        findings.add(at, "not_proved", "Numbers of processors take too long to search for.")
    elif exist:
        findings.add(
            at,
            "bound_beaten",
            f"There are processors for more than {show(bound)}, by their numbers.",
        )


def counts_exist(
    instance: ReplicatedWorkflowInstance, period: Fraction, most_steps: int = MOST_COUNT_STEPS
) -> bool | None:
    """Tell whether all stages can have processors that are busy for less than a period allows.

    A processor of a stage with r of them has one data set in r, for every mapping and every order of
    service. It computes the data set, and sends and receives the files over links no quicker than its
    quickest. For a shorter period all of this must take less than r periods.

    Parameters
    ----------
    period
        Time per data set that no mapping is to undercut.

    Returns
    -------
    bool or None
        None where it takes more than `most_steps` to tell.

    Notes
    -----
    Depth first over the stages, by how many processors of each class are left. What was seen to fail is not
    tried again. Processors are of one class that are busy equally long with each stage.
    """
    classes = _classes(instance)
    keys = list(classes)
    stages = len(keys[0]) if keys else 0
    asked = instance.stages or tuple((task.id,) for task in instance.application.tasks)
    most = [most_copies(instance, tasks) for tasks in asked]
    steps = 0

    @cache
    def possible(stage: int, left: tuple[int, ...]) -> bool | None:
        nonlocal steps
        if stage == stages:
            return True
        limit = sum(left) if most[stage] is None else min(sum(left), most[stage] or 0)
        for number in range(1, limit + 1):
            quick = [
                count if (load := key[stage]) is not None and load < number * period else 0
                for key, count in zip(keys, left, strict=True)
            ]
            for taken in _choices_of_classes(quick, number):
                steps += 1
                if steps > most_steps:
                    return None
                rest = tuple(one - other for one, other in zip(left, taken, strict=True))
                found = possible(stage + 1, rest)
                if found is not False:
                    return found
        return False

    return possible(0, tuple(classes.values()))


def _choices_of_classes(most: Sequence[int], number: int) -> Iterator[tuple[int, ...]]:
    """Give every choice of so many processors, by class, of no more than there are."""
    if not most:
        if not number:
            yield ()
        return
    if sum(most) < number:
        return
    for first in range(min(most[0], number), -1, -1):
        for rest in _choices_of_classes(most[1:], number - first):
            yield first, *rest


def _classes(instance: ReplicatedWorkflowInstance) -> Mapping[tuple[Fraction | None, ...], int]:
    """Count processors by how long they are busy, at least, with a data set of each stage."""
    application, names = instance.application, [p.id for p in instance.platform.processors]
    asked = instance.stages or tuple((task.id,) for task in application.tasks)
    tasks = {task.id: task for task in application.tasks}
    computing = [
        times_of_stage(instance.platform, [tasks[name] for name in stage], names) for stage in asked
    ]
    able = {
        name for times in computing for name, t in zip(names, times, strict=True) if t is not None
    }
    sends: dict[str, Fraction] = {}
    receives: dict[str, Fraction] = {}
    for (sender, receiver), time in read_unit_times(instance).items():
        if sender in able and receiver in able:
            sends[sender] = min(time, sends.get(sender, time))
            receives[receiver] = min(time, receives.get(receiver, time))
    stage_of = {name: k for k, stage in enumerate(asked) for name in stage}
    out, into = [Fraction(0)] * len(asked), [Fraction(0)] * len(asked)
    for file in application.files:
        k, l = stage_of[file.source], stage_of[file.target]
        if k != l:
            out[k] += file.size
            into[l] += file.size
    found: dict[tuple[Fraction | None, ...], int] = {}
    for i, name in enumerate(names):
        loads: list[Fraction | None] = []
        for k, times in enumerate(computing):
            own = times[i]
            if own is None:
                loads.append(None)
                continue
            parts = [
                own,
                out[k] * sends.get(name, Fraction(0)),
                into[k] * receives.get(name, Fraction(0)),
            ]
            loads.append(sum(parts, Fraction(0)) if instance.ports == "no_overlap" else max(parts))
        key = tuple(loads)
        if any(load is not None for load in key):
            found[key] = found.get(key, 0) + 1
    return found
