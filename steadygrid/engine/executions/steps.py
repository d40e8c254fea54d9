"""What one instance of an allocation does: executions and transfers, and what each waits for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from steadygrid.domain.periods import first_periods, hop_periods
from steadygrid.domain.resources import pair_name
from steadygrid.domain.roles import Role, joins_of, roles_of
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName


class Hop(Protocol):
    """One direction of a link, as an instance describes it."""

    @property
    def unit_time(self) -> Fraction:
        """Time for one unit of data."""

    @property
    def uses(self) -> Sequence[tuple[str, Fraction]]:
        """Each limited resource with the time on it per unit of data."""

    @property
    def latency(self) -> Fraction:
        """Time before the data of a message flows, where that is paid."""


class Network(Protocol):
    """Which processors can send to which."""

    @property
    def hops(self) -> Mapping[tuple[str, str], Hop]:
        """By sender and receiver."""

    @property
    def cards(self) -> Mapping[str, int]:
        """Transfers that a resource serves at a time, where these may be several."""

    @property
    def start_ups(self) -> Mapping[str, Fraction] | None:
        """By processor, the time before the executions of one task."""

    def computing(self, processor: str) -> str:
        """Name what a processor computes with."""


class Runs(Protocol):
    """What an allocation runs an instance of."""

    @property
    def times(self) -> Mapping[str, Mapping[str, Fraction]]:
        """By task, the time of one execution on each processor."""

    @property
    def sizes(self) -> Mapping[FileName, Fraction]:
        """Data of each file."""


class Seen(NamedTuple):
    """A problem with its result, as far as its schedule needs it.

    Attributes
    ----------
    network
        On which all of it runs.
    streams
        How many of each stream one instance of the schedule is.
    runs_of
        Gives what an allocation runs an instance of.
    stream_of
        Names the stream of an allocation.
    """

    network: Network
    streams: Mapping[str, Fraction]
    runs_of: Callable[[Allocation], Runs]
    stream_of: Callable[[Allocation], str]


def seen_of(views: Any) -> Seen:
    """Read what a kind declares as `steadygrid.domain.problem.Problem.views`.

    Parameters
    ----------
    views
        What it gave for an instance and a result.
    """
    return Seen(views.network, views.streams, views.of, views.stream_of)


Lane = tuple[str, str, FileName]
"""Sender, receiver and file."""


class Flow(NamedTuple):
    """How a transfer shares links under ``multiport``: data, and time per unit of data by resource."""

    data: Fraction
    uses: tuple[tuple[str, Fraction], ...]


class Step(NamedTuple):
    """An execution of a task, or a hop of a share of a file; under ``multiport`` the whole path.

    Attributes
    ----------
    what
        The task and its processor; or the lane. Of a whole path, the first and the last processor.
    time
        Of one instance, alone on its resources.
    latency
        Before the first of those that follow each other; 0 where latencies are not paid.
    resources
        Names of what it keeps busy.
    draws
        Whose noise it has: the processor, or the two ends of the link.
    period
        In which it first runs, counted from 1.
    needs
        Positions of the steps that it waits for.
    share
        Of the file.
    flow
        Under ``multiport``. None for tasks and elsewhere.
    """

    what: tuple[str, str] | Lane
    time: Fraction
    latency: Fraction
    resources: tuple[str, ...]
    draws: str
    period: int
    needs: tuple[int, ...]
    share: Fraction = Fraction(1)
    flow: Flow | None = None

    @property
    def computes(self) -> bool:
        """Whether it is an execution of a task."""
        return len(self.what) == 2


@dataclass(frozen=True)
class Course:
    """An allocation with the steps of its instances.

    Attributes
    ----------
    steps
        Each after those it needs.
    last
        Positions of the steps that no other needs.
    per_period
        Instances in a period of the schedule.
    """

    allocation: Allocation
    stream: str
    steps: tuple[Step, ...]
    last: tuple[int, ...]
    per_period: int

    @property
    def periods(self) -> int:
        """How many periods an instance takes."""
        return max((step.period for step in self.steps), default=1)


def courses_of(schedule: Schedule, seen: Seen) -> list[Course]:
    """Read what the instances of each allocation do. Those without instances are left out.

    Parameters
    ----------
    schedule
        A periodic one that holds.
    seen
        What its allocations run, and on which network.
    """
    return [
        course_of(schedule, seen, allocation)
        for allocation in schedule.allocations
        if allocation.instances_per_period
    ]


def course_of(schedule: Schedule, seen: Seen, allocation: Allocation) -> Course:
    """Read what the instances of an allocation do, which need not be one of the schedule's.

    Parameters
    ----------
    schedule
        Says which files there are, by which ports they travel, and whether latencies are paid.
    seen
        What its allocations run, and on which network.
    allocation
        Complete, and over links that there are.
    """
    return _Reader(schedule, seen, allocation).course()


@dataclass
class _Reader:
    schedule: Schedule
    seen: Seen
    allocation: Allocation
    steps: list[Step] = field(default_factory=list)
    copies: dict[tuple[str, str], int] = field(default_factory=dict)
    """Position of each copy of a task."""
    hops: dict[int, list[int]] = field(default_factory=dict)
    """Positions of the hops of each transfer."""

    def course(self) -> Course:
        """Put every step after those it needs."""
        allocation, ports = self.allocation, self.schedule.ports
        self.runs = self.seen.runs_of(allocation)
        self.roles: Mapping[FileName, Role] = roles_of(self.schedule.files, allocation)
        self.joins = joins_of(allocation)
        self.first = first_periods(self.schedule.files, allocation, ports)
        self.hop_periods = hop_periods(self.schedule.files, allocation, ports)
        self.arrivals: dict[tuple[FileName, str], list[int]] = {}
        for number, transfer in enumerate(allocation.transfers):
            self.arrivals.setdefault((transfer.file, transfer.path[-1]), []).append(number)
        for task, processors in allocation.tasks.items():
            for processor in processors:
                self._copy(task, processor)
        for number in range(len(allocation.transfers)):
            self._transfer(number)
        needed = {need for step in self.steps for need in step.needs}
        return Course(
            allocation,
            self.seen.stream_of(allocation),
            tuple(self.steps),
            tuple(i for i in range(len(self.steps)) if i not in needed),
            int(allocation.instances_per_period),
        )

    def _add(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def _copy(self, task: str, processor: str) -> int:
        here = (task, processor)
        if here not in self.copies:
            needs = self._inputs(task, processor)
            network = self.seen.network
            paid = self.schedule.grouping is not None
            start_ups = (network.start_ups or {}) if paid else {}
            self.copies[here] = self._add(
                Step(
                    here,
                    self.runs.times[task][processor],
                    start_ups.get(processor, Fraction(0)),
                    (network.computing(processor),),
                    processor,
                    self.first[here],
                    needs,
                )
            )
        return self.copies[here]

    def _inputs(self, user: str, processor: str) -> tuple[int, ...]:
        found = (self._arrival_steps(file, processor) for file in self._used_by(user))
        return tuple(dict.fromkeys(need for needs in found for need in needs))

    def _used_by(self, user: str) -> Iterable[FileName]:
        return (file for file, role in self.roles.items() if user in role.users)

    def _arrival_steps(self, file: FileName, processor: str) -> tuple[int, ...]:
        """Give the steps after which all of a file is on a processor."""
        if (made := self._made(self.roles[file].maker, processor)) is not None:
            return made
        return tuple(
            self._transfer(number)[-1] for number in self.arrivals.get((file, processor), ())
        )

    def _made(self, maker: str, processor: str) -> tuple[int, ...] | None:
        """Give the steps after which something is made on a processor. None where it is not."""
        if processor in self.allocation.tasks.get(maker, ()):
            return (self._copy(maker, processor),)
        if self._joins(maker, processor):
            return self._inputs(maker, processor)
        return None

    def _joins(self, maker: str, processor: str) -> bool:
        return maker in self.joins and self.joins[maker].processor == processor

    def _flowing_in(self, join: str, processor: str) -> tuple[int, ...]:
        """Give the steps after which operands flow in: what is combined of them flows on at once."""
        found: list[int] = []
        for file in self._used_by(join):
            maker = self.roles[file].maker
            if self._joins(maker, processor):
                found += self._flowing_in(maker, processor)
            elif (made := self._made(maker, processor)) is not None:
                found += made
            else:
                for number in self.arrivals.get((file, processor), ()):
                    found += self._source(number)
        return tuple(dict.fromkeys(found))

    def _transfer(self, number: int) -> list[int]:
        if number in self.hops:
            return self.hops[number]
        file, path, share = self.allocation.transfers[number]
        needs = self._source(number)
        size = self.runs.sizes.get(file, Fraction(0)) * share
        periods = self.hop_periods[number]
        links = [self.seen.network.hops[ends] for ends in pairwise(path)]
        if self.schedule.ports == "multiport":
            uses = tuple(use for link in links for use in link.uses)
            slowest = max(time for _, time in uses) if uses else Fraction(0)
            step = Step(
                (path[0], path[-1], file),
                size * slowest,
                Fraction(0),
                (),
                pair_name(path[0], path[-1]),
                periods[0],
                needs,
                share,
                Flow(size, uses),
            )
            self.hops[number] = [self._add(step)]
            return self.hops[number]
        paid = self.schedule.grouping is not None
        positions: list[int] = []
        for ends, link, period in zip(pairwise(path), links, periods, strict=True):
            step = Step(
                (*ends, file),
                size * link.unit_time,
                link.latency if paid and size else Fraction(0),
                tuple(name for name, _ in link.uses) if size else (),
                pair_name(*ends),
                period,
                needs,
                share,
            )
            positions.append(self._add(step))
            needs = (positions[-1],)
        self.hops[number] = positions
        return positions

    def _source(self, number: int) -> tuple[int, ...]:
        """Give the steps after which a transfer can begin."""
        file, path, _ = self.allocation.transfers[number]
        maker = self.roles[file].maker
        if self.schedule.ports == "multiport" and self._joins(maker, path[0]):
            return self._flowing_in(maker, path[0])
        if (made := self._made(maker, path[0])) is not None:
            return made
        passing = [
            (self.hop_periods[other][at - 1], other, at - 1)
            for other, transfer in enumerate(self.allocation.transfers)
            if other != number and transfer.file == file and path[0] in transfer.path[1:]
            for at in (transfer.path.index(path[0]),)
        ]
        if not passing:
            return ()
        _, other, hop = min(passing)
        if self.schedule.ports == "multiport":
            return self._source(other)
        return (self._transfer(other)[hop],)


class Move(NamedTuple):
    """What a step sends, for one instance.

    Attributes
    ----------
    path
        On which data flow. The processor alone for a task.
    data
        Units that flow.
    """

    path: tuple[str, ...]
    data: Fraction


def moves_of(course: Course, network: Network) -> list[Move]:
    """Give what each step of an allocation sends, and where.

    Parameters
    ----------
    course
        The allocation.
    network
        Of its schedule.
    """
    left = list(course.allocation.transfers)

    def move(step: Step) -> Move:
        if step.computes:
            return Move((step.what[1],), Fraction(0))
        sender, receiver, file = step.what  # type: ignore[misc]  # a lane, as it is no task
        if step.flow is None:
            return Move((sender, receiver), step.time / network.hops[sender, receiver].unit_time)
        taken = next(
            one
            for one in left
            if (one.path[0], one.path[-1], one.file, one.share)
            == (sender, receiver, file, step.share)
        )
        left.remove(taken)
        return Move(taken.path, step.flow.data)

    return [move(step) for step in course.steps]
