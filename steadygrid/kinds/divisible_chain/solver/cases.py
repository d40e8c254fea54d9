r"""Cases of who computes what, and the constraints that hold in each.

A load is complete when the processors that compute some of it have done so: one that computes
nothing of it does not delay it. So which constraints hold depends on a choice, and a program with a
bound for *all* choices has only those that hold under every choice. A case fixes a part of the
choice, and more constraints hold in it. What may be fixed:

- whether a processor computes any of a *group*. A group is the installments of a load in one round,
  or a single one under ``strict_one_port`` where links far behind the processor may hold an
  installment up that no processor behind it needs. Within a group, empty installments arrive no
  later than some processor computes a part of the load. So a processor that computes any of it has
  passed all of it when the load is complete.
- with one round, whether a load is complete no earlier than all loads before it. It is then
  complete when everything before it is: every processor has passed it, even those that compute
  nothing of it. Where it is not, all that holds for the last load before it that is. Processors
  that may become available later are left out, unless they compute some load so far.

Besides, every load takes at least as long as its shares take without other loads on the chain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain
from steadygrid.kinds.divisible_chain.solver.goal import Goal

Place = tuple[int, int]
"""A processor and the position of an installment."""


class Group(NamedTuple):
    """Installments of a load, of which a processor computes some, or none."""

    processor: int
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A part of the choice.

    Attributes
    ----------
    computes, skips
        Groups of which the processor computes some, and none.
    closing, overtaking
        Loads that are complete no earlier than all loads before, and those that are.
    """

    computes: frozenset[Group] = frozenset()
    skips: frozenset[Group] = frozenset()
    closing: frozenset[int] = frozenset()
    overtaking: frozenset[int] = frozenset()

    def split(self, over: Group | int) -> "tuple[Case, Case]":
        """Give the two cases of a group, or of a load."""
        if isinstance(over, Group):
            return (
                replace(self, computes=self.computes | {over}),
                replace(self, skips=self.skips | {over}),
            )
        return (
            replace(self, closing=self.closing | {over}),
            replace(self, overtaking=self.overtaking | {over}),
        )


EVERYTHING = Case()


def groups_of(chain: Chain, processor: int) -> list[Group]:
    """List the groups of what a processor can compute, in order.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    processor
        By position along the chain.
    """
    able = [
        t for t, piece in enumerate(chain.sequence) if chain.work[processor][piece.load] is not None
    ]
    if chain.strict and 0 < processor < chain.length - 2:
        return [Group(processor, (t,)) for t in able]
    # Consecutive installments of one load are of one round, or there is no other load.
    runs = groupby(enumerate(able), key=lambda one: (one[1] - one[0], chain.sequence[one[1]].load))
    return [Group(processor, tuple(t for _, t in run)) for _, run in runs]


@dataclass(frozen=True)
class Strand:
    """Installments that go down the chain one after the other.

    Attributes
    ----------
    prefix
        Of the names of its constraints.
    before
        By installment, the one before. None for the first.
    able
        By participant, the installments that it may compute.
    dates
        The start of a computation is no earlier, where that is later than for the one before.
    ends
        (load, processor, installment): the load is complete no earlier than that is computed.
        The load is None for the makespan.
    """

    prefix: str
    before: Mapping[int, int | None]
    able: Mapping[int, Sequence[int]]
    dates: Mapping[Place, Fraction]
    ends: Sequence[tuple[int | None, int, int]]


@dataclass(frozen=True)
class Rules:
    """What holds in a case, for processors of which the others compute nothing.

    The first strand has all installments. The others have those of one load each, as if it were
    alone on the chain, where the first says too little of its completion.
    """

    chain: Chain
    goal: Goal
    workers: tuple[int, ...]
    case: Case = EVERYTHING
    strands: tuple[Strand, ...] = field(init=False)
    waits: Mapping[int, Fraction] = field(init=False)
    """By installment, the date before which the first processor computes nothing from it on. It
    need not wait for the release of what it computes nothing of."""

    def __post_init__(self) -> None:
        """Derive the strands."""
        chain = self.chain
        skipped = {(group.processor, t) for group in self.case.skips for t in group.steps}
        able = {
            i: [
                t
                for t, piece in enumerate(chain.sequence)
                if chain.work[i][piece.load] is not None and (i, t) not in skipped
            ]
            for i in self.workers
        }
        object.__setattr__(self, "waits", self._waits(able.get(0, ())))
        steps = range(len(chain.sequence))
        before = {t: t - 1 if t else None for t in steps}
        ends: list[tuple[int | None, int, int]]
        if self.goal.name == "makespan":
            ends = [(None, i, row[-1]) for i, row in able.items() if row]
        else:
            ends = [*dict.fromkeys(self._ends(able))]
        main = Strand("", before, able, self._dates(able), ends)
        alone = [] if self.goal.name == "makespan" else self._alone(main)
        object.__setattr__(self, "strands", (main, *alone))

    @property
    def is_possible(self) -> bool:
        """Whether every load has a processor that may compute it."""
        rows = self.strands[0].able.values()
        loads = {self.chain.sequence[t].load for row in rows for t in row}
        return len(loads) == self.chain.num_loads

    @property
    def is_decided(self) -> bool:
        """Whether nothing else can be decided that the program does not hold already."""
        chain = self.chain
        released = ((t, chain.released[chain.sequence[t].load]) for t in self.waits)
        return all(self.waits[t] >= date for t, date in released) and len(self.strands) == 1

    def _waits(self, row: Sequence[int]) -> dict[int, Fraction]:
        chain = self.chain
        certain = {t for group in self.case.computes if group.processor == 0 for t in group.steps}
        waits: dict[int, Fraction] = {}
        least: Fraction | None = None
        for t in reversed(row):
            own = chain.released[chain.sequence[t].load]
            least = own if least is None else min(least, own)
            waits[t] = max(chain.available[0], own if t in certain else least)
        return waits

    def _dates(self, able: Mapping[int, Sequence[int]]) -> dict[Place, Fraction]:
        dates = {(i, row[0]): self.chain.available[i] for i, row in able.items() if row and i}
        latest = ZERO
        for t in able.get(0, ()):
            if (date := self.waits[t]) > latest:
                dates[0, t] = latest = date
        return {place: date for place, date in dates.items() if date}

    def _ends(self, able: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int, int]]:
        """(2.5), where it holds: for groups that are computed, and for loads that close."""
        chain = self.chain
        computed: dict[int, int] = {}
        for group in sorted(self.case.computes):
            load = chain.sequence[group.steps[-1]].load
            yield load, group.processor, group.steps[-1]
            computed[group.processor] = min(load, computed.get(group.processor, load))
        if not chain.in_one_round:
            return  # no load closes before the last round
        closing: int | None = None
        for load in range(chain.num_loads):
            if load == 0 or load in self.case.closing:
                closing = load
            elif load not in self.case.overtaking:
                closing = None
            if closing is None:
                continue
            for i, row in able.items():
                passed = [t for t in row if chain.sequence[t].load <= load]
                if not passed:
                    continue
                upto = max(closing, chain.sequence[passed[-1]].load)
                released = max(chain.released[: upto + 1])
                if chain.available[i] <= released or computed.get(i, load + 1) <= upto:
                    yield closing, i, passed[-1]

    def _alone(self, main: Strand) -> Iterator[Strand]:
        chain = self.chain
        told = {(load, i): t for load, i, t in main.ends}
        for load in range(chain.num_loads):
            steps = [t for t, piece in enumerate(chain.sequence) if piece.load == load]
            able = {i: [t for t in row if t in set(steps)] for i, row in main.able.items()}
            if all(told.get((load, i), -1) >= row[-1] for i, row in able.items() if row):
                continue
            released = chain.released[load]
            dates = {(0, able[0][0]): released} if released and able.get(0) else {}
            yield Strand(
                "alone.",
                dict(zip(steps, [None, *steps], strict=False)),
                able,
                dates,
                [(load, i, row[-1]) for i, row in able.items() if row],
            )
