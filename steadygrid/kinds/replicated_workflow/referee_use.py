"""How long each resource of a mapped workflow is busy per data set."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import (
    compute_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.kinds.replicated_workflow.referee_view import Workflow
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowResult,
    ResourceTime,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


class _Parts(NamedTuple):
    """Mean times per data set, by processor."""

    receive: Amounts[str]
    compute: Amounts[str]
    send: Amounts[str]


def check_use(workflow: Workflow, result: ReplicatedWorkflowResult, findings: Findings) -> Fraction:
    """Check the mean times of resources, the longest of them, and whose it is.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Returns
    -------
    Fraction
        The longest.

    Notes
    -----
    Rules, in this order:

    == =============================================================== =========================
    1  every resource that serves an operation is listed once          `wrong_resources`
    2  it has its mean time per data set, and under ``no_overlap`` the `wrong_time`
       parts of that
    3  the times do not rise from the first to the last                `wrong_order`
    4  `mct` is the longest                                            `wrong_mct`
    5  `critical_resource` is named where the period is no longer, and `wrong_critical_resource`
       only there
    6  it has just that time                                           `wrong_critical_resource`
    == =============================================================== =========================

    Between two stages the mean is one over the least common multiple of their copies: no more
    terms than there are links.
    """
    due = {time.resource: time for time in mean_times(workflow)}
    longest = max(time.time for time in due.values())
    at = ("result", "occupation")
    listed = [time.resource for time in result.occupation]
    if sorted(listed) != sorted(due):
        findings.add(
            at,
            "wrong_resources",
            f"{len(due)} resources serve operations, and not only those that are listed.",
        )
    for position, given in enumerate(result.occupation):
        right = due.get(given.resource)
        if right is not None and given != right:
            findings.add(
                (*at, position),
                "wrong_time",
                f"{given.resource} is busy for {show(right.time)} per data set, or not with these"
                " parts.",
            )
    times = [time.time for time in result.occupation]
    if times != sorted(times, reverse=True):
        findings.add(at, "wrong_order", "The times do not fall from the first to the last.")
    if result.mct != longest:
        findings.add(("result", "mct"), "wrong_mct", f"The longest time is {show(longest)}.")
    critical = result.critical_resource
    if (critical is not None) != (result.period == longest):
        findings.add(
            ("result", "critical_resource"),
            "wrong_critical_resource",
            "A critical resource is named where the period is the longest time of a resource, and only"
            " there.",
        )
    elif critical is not None and (critical not in due or due[critical].time != longest):
        findings.add(
            ("result", "critical_resource"),
            "wrong_critical_resource",
            f"{critical!r} is not busy for {show(longest)} per data set.",
        )
    return longest


def mean_times(workflow: Workflow) -> Iterator[ResourceTime]:
    """Give the mean time per data set of every resource that serves an operation."""
    parts = _Parts(Amounts(), Amounts(), Amounts())
    for stage in workflow.stages:
        for name, time in zip(stage.processors, stage.times, strict=True):
            parts.compute[name] = time / len(stage.processors)
    data: Amounts[tuple[int, int]] = Amounts()
    for operation in workflow.operations:
        if operation.receiver is not None:
            data[operation.stage, operation.receiver] += operation.size
    for (sender, receiver), size in data.items():
        ends = workflow.ends(sender, receiver)
        for one, other in ends:
            time = size * workflow.unit_times[one, other] / len(ends)
            parts.send[one] += time
            parts.receive[other] += time
    for name in parts.compute:
        if workflow.one_at_a_time:
            times = {"receive": parts.receive[name], "compute": parts.compute[name]}
            times["send"] = parts.send[name]
            yield ResourceTime(resource=port_resource(name), time=sum(times.values()), **times)
            continue
        yield _alone(compute_resource(name), parts.compute[name])
        if name in parts.receive:
            yield _alone(receive_resource(name), parts.receive[name])
        if name in parts.send:
            yield _alone(send_resource(name), parts.send[name])


def _alone(resource: str, time: Fraction) -> ResourceTime:
    return ResourceTime(resource=resource, time=time, receive=None, compute=None, send=None)
