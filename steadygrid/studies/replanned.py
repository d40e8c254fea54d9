"""What a re-planning tells: documents, and the difference between two schedules."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.job import Bound, Outcome
from steadygrid.domain.rational import ExactRational, Whole, approximate
from steadygrid.domain.resources import compute_resource, link_resource
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName
from steadygrid.verification.retained_throughput import RetainedThroughput

MOST_LISTED = 1_000
"""Transfers, or tasks, that a document lists; it counts all."""

Decision = Literal["keep", "change"]


class _ReplanModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ReplanRate(_ReplanModel):
    """A throughput, in instances per time unit."""

    value: ExactRational
    approx: float | None

    @classmethod
    def from_value(cls, value: Fraction) -> "ReplanRate":
        """Wrap a throughput."""
        return cls(value=value, approx=approximate(value))


class KeptRate(_ReplanModel):
    """A throughput that the schedule of before has on the current platform."""

    value: ExactRational
    approx: float | None
    exact: bool = Field(description="false: no schedule with these shares does more")
    limited_by: list[str] = Field(
        description="resources that are busy all the time. `slots` are all slots, one after the"
        " other. Empty where nothing is kept: what is gone limits nothing"
    )

    @classmethod
    def from_retained(cls, kept: RetainedThroughput) -> "KeptRate":
        """Wrap what is kept."""
        value = kept.throughput
        return cls(
            value=value,
            approx=approximate(value),
            exact=kept.exact,
            limited_by=list(kept.limited_by) if value else [],
        )


class GoneResource(_ReplanModel):
    """A resource that the schedule needs, and that is gone."""

    resource: str
    share: ExactRational = Field(description="part of the instances that need it")

    @classmethod
    def from_schedule(cls, schedule: Schedule, names: Sequence[str]) -> "list[GoneResource]":
        """Say how many instances of a schedule need each of some processors and links."""
        needed: Amounts[str] = Amounts()
        for one in schedule.allocations:
            users = {compute_resource(name) for names in one.tasks.values() for name in names}
            hops = (ends for transfer in one.transfers for ends in pairwise(transfer.path))
            for name in users.union(link_resource(*ends) for ends in hops):
                needed[name] += one.instances_per_period
        whole = schedule.instances_per_period
        return [cls(resource=name, share=needed[name] / whole) for name in names]


class KeptRates(_ReplanModel):
    """What is kept of a schedule."""

    same_slots: KeptRate = Field(
        description="of the schedule as it stands: its slots in their order, each as long as it takes"
        " now"
    )
    same_shares: KeptRate = Field(
        description="of the same shares of the same allocations, in a new order"
    )


class KeptParts(_ReplanModel):
    """What is kept, as parts of the optimum."""

    same_slots: ExactRational
    same_shares: ExactRational


class ReplanAdvice(_ReplanModel):
    """Whether the new schedule is worth the change."""

    same_slots: Decision = Field(
        description="keep: leave the schedule as it is; change: to the new one"
    )
    same_shares: Decision | None = Field(
        description="keep: put the same shares in a new order; change: to the new schedule."
        " Null: only a bound is known of what is kept, and it does not say"
    )


class MovedTask(_ReplanModel):
    """A task that runs elsewhere."""

    task: str
    message: str | None = None
    moved: ExactRational = Field(
        description="how many of its executions, per instance, run on other processors"
    )


class MovedTransfer(_ReplanModel):
    """A file that moves over a link now, or does so no more."""

    file: FileName
    sender: str
    receiver: str


class AllocationChange(_ReplanModel):
    """How many allocations two schedules have in common, each as tasks and routes of files."""

    kept: Whole
    new: Whole
    dropped: Whole
    share_kept: ExactRational = Field(description="of all instances. Of all messages together")


class ScheduleChange(_ReplanModel):
    """What is different in the new schedule."""

    tasks_moved: Whole
    tasks: list[MovedTask] = Field(description="the most first. At most 1,000")
    allocations: AllocationChange
    transfers_appear: Whole = Field(
        description="files over links, which nothing moved there before"
    )
    appear: list[MovedTransfer] = Field(description="of these at most 1,000")
    transfers_vanish: Whole
    vanish: list[MovedTransfer] = Field(description="at most 1,000")


class InstancesDone(_ReplanModel):
    """How many instances are complete at the horizon."""

    same_slots: Whole = Field(description="if the schedule goes on as it stands")
    same_shares: Whole = Field(description="in a new order")
    after_change: Whole = Field(
        description="after a change to the new schedule, with its cost and start-up"
    )


class ReplanOut(_ReplanModel):
    """What a schedule still does, and what is best now, as far as it is known."""

    before: ReplanRate = Field(description="of the schedule where it was made, with its loss")
    kept: KeptRates
    gone: list[GoneResource] = Field(description="why nothing is kept, where nothing is")
    optimum: ReplanRate | None = Field(None, description="the value of the new answer")
    outcome: Outcome | None = Field(
        None,
        description="of that answer. Unless it is optimal, more than `optimum` may be possible",
    )
    bound: Bound | None = Field(None, description="what no schedule exceeds now")
    after: ReplanRate | None = Field(
        None, description="of the schedule of that answer, with its loss"
    )
    of_optimum: KeptParts | None = None
    advice: ReplanAdvice | None = Field(
        None, description="null: not known yet, or nothing can be done"
    )
    tolerance: ExactRational = Field(
        description="part of the optimum that is not worth a change, where no cost is given"
    )
    cost: ExactRational | None = None
    horizon: ExactRational | None = None
    whole_cost: ExactRational | None = Field(
        None, description="cost with the prologue of the new schedule"
    )
    instances_done: InstancesDone | None = Field(
        None, description="complete at the horizon, which is decided by. Null without a horizon"
    )
    change: ScheduleChange | None = Field(
        None, description="from the old schedule to that of the new answer"
    )
    notes: list[str]


def change_of(old: Schedule, new: Schedule) -> ScheduleChange:
    """Compare two schedules, each per instance of its own.

    Periods do not count: schedules that run the same allocations in the same proportions are the same.

    Parameters
    ----------
    old, new
        Schedules of the same kind.
    """
    before, after = _Shares(old), _Shares(new)
    moved = _moved(before, after)
    both = before.allocations.keys() & after.allocations.keys()
    of_all = sum(after.allocations.values(), Fraction(0)) or Fraction(1)
    common = sum((min(before.allocations[a], after.allocations[a]) for a in both), Fraction(0))
    appear = [one for one in after.transfers if one not in before.transfers]
    vanish = [one for one in before.transfers if one not in after.transfers]
    return ScheduleChange(
        tasks_moved=len(moved),
        tasks=moved[:MOST_LISTED],
        allocations=AllocationChange(
            kept=len(both),
            new=len(after.allocations) - len(both),
            dropped=len(before.allocations) - len(both),
            share_kept=common / of_all,
        ),
        transfers_appear=len(appear),
        appear=[_transfer(*one) for one in appear[:MOST_LISTED]],
        transfers_vanish=len(vanish),
        vanish=[_transfer(*one) for one in vanish[:MOST_LISTED]],
    )


_Place = tuple[str, str | None, str]
"""A task, the message that its allocation carries, and a processor."""
_Hop = tuple[FileName, str, str]


class _Shares:
    """Per instance, how often each allocation runs, and each task where, and what moves over links."""

    def __init__(self, schedule: Schedule) -> None:
        self.allocations: Amounts[Hashable] = Amounts()
        self.places: Amounts[_Place] = Amounts()
        self.transfers: dict[_Hop, None] = {}
        for allocation in schedule.allocations:
            if not allocation.instances_per_period:
                continue
            share = allocation.instances_per_period / schedule.instances_per_period
            self.allocations[_identity(allocation)] += share
            for task, processors in allocation.tasks.items():
                for processor in processors:
                    self.places[task, allocation.message, processor] += share
            self.transfers.update(dict.fromkeys(_hops(allocation)))


def _identity(allocation: Allocation) -> Hashable:
    return (
        allocation.message,
        frozenset(allocation.tasks.items()),
        frozenset(allocation.transfers),
        allocation.combinations,
    )


def _hops(allocation: Allocation) -> Iterator[_Hop]:
    for sent in allocation.transfers:
        for sender, receiver in pairwise(sent.path) if sent.share else ():
            yield sent.file, sender, receiver


def _moved(before: _Shares, after: _Shares) -> list[MovedTask]:
    moved: Amounts[tuple[str, str | None]] = Amounts()
    for place, share in after.places.items():
        if (more := share - before.places[place]) > 0:
            moved[place[:2]] += more
    listed = sorted(moved.items(), key=lambda entry: -entry[1])
    return [MovedTask(task=task, message=name, moved=share) for (task, name), share in listed]


def _transfer(file: FileName, sender: str, receiver: str) -> MovedTransfer:
    return MovedTransfer(file=file, sender=sender, receiver=receiver)
