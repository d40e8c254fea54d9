"""What the referee must know of an instance whose answer is a periodic schedule.

Where all allocations run the same application, that is one `SteadyInstance`. Where they do not, each
has a view of its own, see `Views`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from steadygrid.domain.schedule import Allocation
from steadygrid.domain.slots import FileName
from steadygrid.verification.network import Network


@dataclass(frozen=True)
class SteadyInstance:
    """One application, repeated for ever, on one network.

    Attributes
    ----------
    times
        By task, the time of one execution on each processor that may run it.
    sizes
        Data of each file of the application.
    ends
        Fictitious tasks that run nowhere, and the processors where their files begin, or end: on
        all of them.
    duplication
        Whether several processors may run copies of a task (``tasks``), and whether processors
        that do not run its producer may send a file on to several others (``tasks_and_files``).
    relays
        Processors that may send on a whole file after it has arrived there, to several others, too.
        None where a path leads from where a file is made to where it is used.
    first_periods
        Of each task, where the kind has a rule of its own, which its allocations then give. None:
        every operation runs in the period after those it needs.
    roles
        Of files whose names do not tell: who makes and who uses them; names of tasks, ends or joins.
    joins
        What makes files of others and takes no time, not even a period, with its processor.
    """

    network: Network
    times: Mapping[str, Mapping[str, Fraction]]
    sizes: Mapping[FileName, Fraction]
    ends: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    duplication: Literal["none", "tasks", "tasks_and_files"] = "none"
    first_periods: Mapping[str, int] | None = None
    relays: frozenset[str] = frozenset()
    roles: Mapping[FileName, tuple[str, str]] = field(default_factory=dict)
    joins: Mapping[str, str] = field(default_factory=dict)

    def maker(self, file: FileName) -> str:
        """Name what makes a file."""
        return self.roles.get(file, file)[0]

    def user(self, file: FileName) -> str:
        """Name what uses a file."""
        return self.roles.get(file, file)[1]

    def places(self, allocation: Allocation, name: str) -> tuple[str, ...]:
        """List the processors of a task, an end or a join.

        Parameters
        ----------
        allocation
            Where tasks run.
        name
            Of the task, end or join; one that is none of them has no processor.
        """
        if name in self.ends:
            return self.ends[name]
        if name in self.joins:
            return (self.joins[name],)
        return allocation.tasks.get(name, ())


@dataclass(frozen=True)
class Views:
    """What each allocation of a schedule runs.

    Attributes
    ----------
    network
        On which all of them run.
    files
        That the header of a schedule lists.
    of
        What an allocation runs an instance of: files with their sizes, who makes and who uses
        them, and so the order of the operations. The network is the one above.
    streams
        How many of each stream one instance of the schedule is, one of each for instance, or a
        share of each on the average. The rates and counts of its allocations sum up to so many times
        those of the header, exactly.
    stream_of
        To which stream an allocation belongs; one that is not among `streams` is a fault.
    """

    network: Network
    files: Collection[FileName]
    of: Callable[[Allocation], SteadyInstance]
    streams: Mapping[str, Fraction]
    stream_of: Callable[[Allocation], str]

    def by_stream(self, allocations: Iterable[Allocation]) -> dict[str, list[int]]:
        """List the positions of the allocations of each stream. None of an unknown stream."""
        positions: dict[str, list[int]] = {stream: [] for stream in self.streams}
        for position, allocation in enumerate(allocations):
            positions.get(self.stream_of(allocation), []).append(position)
        return positions


def views_of_one_application(instance: SteadyInstance) -> Views:
    """Let every allocation run the same application, in one stream."""
    return Views(
        instance.network,
        instance.sizes,
        lambda _: instance,
        {"": Fraction(1)},
        lambda allocation: allocation.message or "",
    )
