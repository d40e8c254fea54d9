"""Processors that stand for several interchangeable ones: which questions may be asked of them."""

from collections.abc import Iterator
from typing import Any

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.domain.problem import Problem
from steadygrid.domain.wording import shown

_MOST_TOLD = 3
_APART = "read the platform with that one apart, as a processor of its own"


def member_faults(
    problem: Problem[Any, Any], instance: Any, options: Options, at: Pointer
) -> Iterator[Fault]:
    """Refuse processors that stand for several where these do not add up to one.

    They do where several allocations share the platform, and nothing but rates counts: under
    ``multiport``, without latencies. What tells one of them apart, as the master or with times of its
    own, has to be a processor of its own.

    Parameters
    ----------
    problem
        Kind of the instance; says whether it takes processors that stand for several.
    instance
        Well-formed, of this kind. It may have no platform.
    options
        `max_period` and `latencies` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if "platform" not in problem.instance.model_fields:
        return
    platform: Platform = instance.platform
    several = {p.id: i for i, p in enumerate(platform.processors) if p.members is not None}
    if not several:
        return
    name, first = next(iter(several.items()))
    here = (*at, "platform", "processors", first, "members")
    number = platform.processors[first].members
    who = f"{shown(name)} stands for {number:,} processors"
    if not problem.takes_members:
        yield Fault(
            here,
            "members_not_taken",
            f"{who}, and {problem.kind} takes each by itself: list each, or ask for task_graph or"
            " master_worker",
        )
        return
    if instance.ports != "multiport":
        detail = f'{who}: that needs "ports": "multiport". Else list each by itself'
        yield Fault(here, "members_need_multiport", detail)
    if options.longest_period is not None:
        detail = (
            f"{who}, which do in turn what is placed on it: the schedule chooses a period with time for"
            ' that, leave max_period out or ask for "exact"'
        )
        yield Fault(("options", "max_period"), "members_choose_period", detail)
    if options.latencies == "paid":
        yield Fault(
            here,
            "members_pay_no_latencies",
            f"{who}, each of which would pay latencies: list each by itself, or leave latencies out",
        )
    if getattr(instance, "master", None) in several:
        detail = f"{shown(instance.master)} stands for several, and the master is one: {_APART}"
        yield Fault((*at, "master"), "master_of_members", detail)
    application = getattr(instance, "application", None)
    tasks = (
        [((*at, "task"), instance.task)]
        if application is None
        else [((*at, "application", "tasks", k), task) for k, task in enumerate(application.tasks)]
    )
    for place, task in tasks:
        for named in sorted(several.keys() & (task.times or {}).keys()):
            detail = f"{shown(named)} stands for several, and this is the time on one: {_APART}"
            yield Fault((*place, "times", named), "times_of_members", detail)


def told_of_members(instance: Any) -> Iterator[str]:
    """Say which processors stand for several, and what that means."""
    platform = getattr(instance, "platform", None)
    if not isinstance(platform, Platform):
        return
    several = [one for one in platform.processors if one.members is not None]
    for one in several[:_MOST_TOLD]:
        yield (
            f"{one.id!r} stands for {one.members:,} processors: they do in turn what is placed on"
            " it, and times on it are their parts of all of their time"
        )
    if len(several) > _MOST_TOLD:
        yield f"{len(several) - _MOST_TOLD:,} more processors stand for several"
