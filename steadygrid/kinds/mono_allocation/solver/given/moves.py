"""The move of one task that helps a given mapping most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.mapping.occupation import Number
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.given.path_rule import PathRule, Row, transfers
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import allocated, carried

MOST_MOVES = 1_000_000
"""Moves whose occupation is computed, at most."""


class Step(NamedTuple):
    """One task, or a copy of it, moved from one processor to another, by their positions."""

    task: int
    source: int
    target: int


@dataclass(frozen=True)
class BestMove:
    """What the moves of one task come to.

    Attributes
    ----------
    step
        That leaves the shortest period. None where none shortens it.
    period
        After it.
    tried
        Moves whose period is known, or known to be no shorter.
    total
        All moves, see `Moves`.
    """

    step: Step | None
    period: Fraction | None
    tried: int
    total: int


class Moves:
    """The moves of one task of a mapping.

    Of interchangeable processors that run nothing one stands for all, where no task has copies:
    among copies identifiers may decide which one sends.

    Parameters
    ----------
    tables, path_rule
        The instance and the rule for its files.
    places
        Of the tasks.
    period
        Of the mapping as it is. None where it does nothing.
    """

    def __init__(
        self,
        tables: MonoTables,
        path_rule: PathRule,
        places: Sequence[Row],
        period: Fraction | None,
    ) -> None:
        self._tables = tables
        self._path_rule = path_rule
        self._places = places
        self._period = period
        self._files = [
            path_rule.loads(f, places[k], places[l]) for f, (k, l, _) in enumerate(tables.files)
        ]
        self._blocked = {f for f, added in enumerate(self._files) if added is None}
        self._loads: dict[int, Number] = {}
        self._held: dict[int, Fraction] = {}
        for k, row in enumerate(places):
            for i in row:
                self._loads[i] = self._loads.get(i, 0) + self._time(k, i)
                self._held[i] = self._held.get(i, Fraction(0)) + tables.instance.needs[k]
        for added in self._files:
            for place, time in (added or {}).items():
                self._loads[place] = self._loads.get(place, 0) + time
        self._ranked = sorted(self._loads.items(), key=lambda use: -use[1])
        limit: Number | None = None if period is None else period * path_rule.costs.scale
        self._limit = limit
        self._full = {place for place, load in self._ranked if limit is not None and load >= limit}
        self._copied = any(len(row) > 1 for row in places)
        self._used = {i for row in places for i in row}

    def best(self, control: Control) -> BestMove:
        """Look for the best move, as long as the time lasts, among `MOST_MOVES` at most.

        Where schedules take longer than the resources would allow, periods are those of schedules:
        found for moves in the order of what the resources allow, until no other can be better.

        Raises
        ------
        Cancelled
            If cancelled.
        """
        sources = [(k, i) for k, row in enumerate(self._places) for i in row]
        targets = [self._targets(k) for k, _ in sources]
        total = sum(map(len, targets))
        left, tried = MOST_MOVES, 0
        found: list[tuple[Number, Step]] = []
        least = self._limit
        plain = self._tables.instance.ports == "multiport"
        try:
            for (k, i), candidates in zip(sources, targets, strict=True):
                control.check()
                before = self._change_by_removal(k, i)
                if before is None:
                    tried += len(candidates)
                    continue
                if left <= 0:
                    continue
                allowed = candidates[:left]
                left -= len(allowed)
                for j in allowed:
                    tried += 1
                    longest = self._occupation_after(Step(k, i, j), before, least)
                    if longest is not None:
                        least = longest if plain else least
                        found.append((longest, Step(k, i, j)))
        except OutOfTime:
            pass
        return self._chosen(found, tried, total, control)

    def _chosen(
        self, found: list[tuple[Number, Step]], tried: int, total: int, control: Control
    ) -> BestMove:
        best, step = self._period, None
        for longest, one in sorted(found):
            least = Fraction(longest) / self._path_rule.costs.scale
            if best is not None and least >= best:
                break
            period = self._carried(one, control)
            if best is None or period < best:
                best, step = period, one
        return BestMove(step, best if step else None, tried, total)

    def _carried(self, step: Step, control: Control) -> Fraction:
        places = [
            _moved(row, step) if k == step.task else row for k, row in enumerate(self._places)
        ]
        sent = transfers(self._tables, self._path_rule, places)
        assert sent is not None
        return carried(self._tables, allocated(self._tables, places, sent), control).period

    def _targets(self, task: int) -> Sequence[int]:
        """List where a copy of a task may move; memory and intervals are asked later."""
        able: Sequence[int] = self._tables.labels[task]
        if not self._copied:
            able = twins_of(self._tables).candidates(able, self._used)
        row = self._places[task]
        return [j for j in able if j not in row]

    def _change_by_removal(self, task: int, source: int) -> dict[int, Number] | None:
        """Give what taking a copy and all files of its task away changes. None where that is no help.

        No move helps that leaves a resource as it is that is busy for the whole period, or a
        file without a route.
        """
        tables = self._tables
        around = {*tables.incoming[task], *tables.outgoing[task]}
        if not around >= self._blocked:
            return None
        change: dict[int, Number] = {source: -self._time(task, source)}
        for f in around:
            for place, time in (self._files[f] or {}).items():
                change[place] = change.get(place, 0) - time
        return change if all(change.get(place, 0) < 0 for place in self._full) else None

    def _occupation_after(
        self, step: Step, before: dict[int, Number], least: Number | None
    ) -> Number | None:
        """Give the longest occupation after a move. None where it is not below `least`, or not allowed."""
        task, _, target = step
        tables, places = self._tables, self._places
        row = _moved(places[task], step)
        change = dict(before)
        change[target] = change.get(target, 0) + self._time(task, target)
        for f in (*tables.incoming[task], *tables.outgoing[task]):
            k, l, _ = tables.files[f]
            makers = row if k == task else places[k]
            added = self._path_rule.loads(f, makers, row if l == task else places[l])
            if added is None:
                return None
            for place, time in added.items():
                change[place] = change.get(place, 0) + time
        longest = max(self._loads.get(place, 0) + time for place, time in change.items())
        rest = next(self._other_loads(change), 0)
        longest = max(longest, rest)
        if least is not None and longest >= least:
            return None
        return longest if self._allows(step) else None

    def _other_loads(self, change: dict[int, Number]) -> Iterator[Number]:
        return (load for place, load in self._ranked if place not in change)

    def _allows(self, step: Step) -> bool:
        """Tell whether memory and intervals allow a move."""
        instance = self._tables.instance
        room = instance.memory[step.target]
        held = self._held.get(step.target, Fraction(0)) + instance.needs[step.task]
        if room is not None and held > room:
            return False
        limits = self._tables.limits
        if limits is None or not instance.contiguous:
            return True
        mapping = [row[0] for row in self._places]
        return limits.allow(mapping, limits.held(mapping), {step.task: step.target})

    def _time(self, task: int, processor: int) -> Number:
        time = self._path_rule.costs.times[task][processor]
        assert time is not None
        return time


def _moved(row: Row, step: Step) -> Row:
    return tuple(sorted(step.target if i == step.source else i for i in row))
