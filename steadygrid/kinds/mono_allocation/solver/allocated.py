"""An allocation with its period, and what bounds it: what the methods hand to each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from steadygrid.domain.schedule import Transfer
from steadygrid.domain.slots import FileName
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.scheduling import UnitSlot

BoundSource = Literal["relaxation", "forbidden_assignments", "allocations", "intervals", "search"]


@dataclass(frozen=True)
class Allocated:
    """One allocation for all instances.

    Attributes
    ----------
    tasks
        The processors that run each task: one, or several where tasks may be duplicated.
    transfers
        The routes of the files that move.
    period
        That the resources allow, or, once it is carried, of its schedule.
    odd_sets
        Once it is carried, the sets of processors that are busy for as long.
    slots
        Of that schedule, per time unit, where it needs slots of its own.
    notes
        Why it may take longer than the resources would allow.
    """

    tasks: Mapping[str, tuple[str, ...]]
    transfers: tuple[Transfer, ...]
    period: Fraction
    odd_sets: tuple[OddSet, ...] = ()
    slots: Sequence[UnitSlot] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Messages:
    """How a proof shares out the cost of one file to the two tasks at its ends.

    Attributes
    ----------
    sent, received
        By processor, what is added to the cost of sending the file from it, or of receiving it
        there, and taken from the cost of its producer, or its user, on that processor.
    """

    sent: Mapping[str, Fraction]
    received: Mapping[str, Fraction]


@dataclass(frozen=True)
class PeriodBound:
    """What no allocation can undercut.

    Attributes
    ----------
    period
        Time per instance.
    exact
        Whether `prices` prove it in exact arithmetic.
    prices
        By resource, zeros left out. They sum to ``1 / period``, and every allocation (every one
        of a shorter period, where assignments were forbidden) costs at least 1.
    messages
        By file; needed where the task graph is too wide to find the cheapest allocation.
    weights
        By task, zeros left out, in place of prices: the tasks that fit on the processors within
        any shorter period weigh less than all tasks.
    """

    period: Fraction
    source: BoundSource
    exact: bool
    prices: Mapping[str, Fraction] = field(default_factory=dict)
    messages: Mapping[FileName, Messages] = field(default_factory=dict)
    weights: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """The best allocation of a method, and what the method knows of all the others.

    Attributes
    ----------
    allocated
        Over the best routes that the routing allows. Its period is that of its schedule.
    found_by
        In the portfolio: a heuristic; ``intervals`` (the search for the best ones); ``local_search`` (improved by moves and swaps),
        ``large_neighborhood`` (improved by small programs) or ``milp``.
    searched
        No allocation has a shorter period, by the solver's word. None without a search.
    proved
        Whether the search has closed the gap as far as was asked.
    rounds
        Small programs that were searched.
    nodes
        Of the search of the whole program.
    bound
        Proved meanwhile.
    """

    allocated: Allocated
    found_by: str | None = None
    searched: Fraction | None = None
    proved: bool = False
    rounds: int | None = None
    nodes: int | None = None
    notes: tuple[str, ...] = ()
    bound: PeriodBound | None = None

    @property
    def period(self) -> Fraction:
        """Of its schedule."""
        return self.allocated.period
