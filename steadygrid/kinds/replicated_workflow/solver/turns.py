"""Workflows that do one thing at a time, played turn by turn until a turn repeats."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count, cycle, islice, repeat
from math import lcm
from typing import NamedTuple

from steadygrid.kinds.replicated_workflow.solver.model import Workflow
from steadygrid.kinds.replicated_workflow.solver.starts import Starts, Walk, shortest_round

MOST_TURNS = 24
"""That are played before another method is tried."""
_ROWS_AT_ONCE = 4096
"""Between two looks at the clock."""

Heartbeat = Callable[[], None]


class Repeating(NamedTuple):
    """A state in which a turn leaves everything as it was, only later.

    Attributes
    ----------
    period
        Time per data set, in units of ``1 / scale``.
    state
        When each processor is free before the first data set, in units of ``1 / scale``: stage by
        stage. A turn of ``rows`` data sets later no processor is free later than ``rows * period``
        after that, and those of the slowest part of the workflow exactly then.
    slowest
        A processor of the slowest part.
    turns
        How many were played.
    """

    period: Fraction
    state: list[Fraction]
    slowest: int
    turns: int


class NoOverlapTurns:
    """The processors of a workflow under ``no_overlap``, one thing at a time.

    Attributes
    ----------
    first
        Number of the first processor of each stage, and how many there are.
    """

    def __init__(self, workflow: Workflow, heartbeat: Heartbeat) -> None:
        self.workflow = workflow
        self._heartbeat = heartbeat
        self.first = [0]
        for copies in workflow.copies:
            self.first.append(self.first[-1] + copies)
        self._parts = self._find_parts()
        self._plan()

    def _find_parts(self) -> list[list[int]]:
        """Give the processors that can wait for each other. No two parts ever meet."""
        workflow = self.workflow
        parts: dict[tuple[int, int], list[int]] = {}
        for k, copies in enumerate(workflow.copies):
            for j in range(copies):
                part = (workflow.components[k], j % workflow.common_copies[k])
                parts.setdefault(part, []).append(self.first[k] + j)
        return list(parts.values())

    def _plan(self) -> None:
        """Choose columns of the table that is played: processors, and times.

        A computation follows the last file that it needs on the same processor, so the two are one
        step; computations that need none come before the files of a data set.
        """
        workflow = self.workflow
        stages = len(workflow.stages)
        zero = stages + len(workflow.operations)
        computing: dict[int, int] = {}
        last_into: dict[int, int] = {}
        for o, operation in enumerate(workflow.operations):
            if operation.is_file:
                last_into[operation.stages[1]] = o
            else:
                computing[operation.stages[0]] = stages + o
        self._sources = [(k, computing[k]) for k in range(stages) if k not in last_into]
        self._moves: list[tuple[int, int, int, int]] = []
        for o, operation in enumerate(workflow.operations):
            if operation.is_file:
                k, l = operation.stages
                then = computing[l] if last_into[l] == o else zero
                self._moves.append((k, l, stages + o, then))

    def repeating(self, most_turns: int = MOST_TURNS) -> Repeating | None:
        """Play turns until every part repeats. None if that takes more than `most_turns`.

        Notes
        -----
        If the state s is the same c turns later, only w later, then the largest of the states
        between, each earlier by its number of turns times w / c, repeats after one turn. It is an
        eigenvector of the max-plus matrix of a turn, of which the period is the eigenvalue.
        """
        history = [[0] * self.first[-1]]
        found: list[tuple[Fraction, list[Fraction]] | None] = [None] * len(self._parts)
        for _ in range(most_turns):
            history.append(self._played(history[-1]))
            for i, part in enumerate(self._parts):
                if found[i] is None:
                    found[i] = _repeated(history, part)
            if all(found):
                break
        else:
            return None
        state = [Fraction(0)] * self.first[-1]
        growth = []
        for part, repeated in zip(self._parts, found, strict=True):
            assert repeated is not None
            growth.append(repeated[0])
            for place, value in zip(part, repeated[1], strict=True):
                state[place] = value
        slowest = growth.index(max(growth))
        return Repeating(
            growth[slowest] / self.workflow.rows, state, self._parts[slowest][0], len(history) - 1
        )

    def _played(self, before: Sequence[int]) -> list[int]:
        """Play one turn."""
        free = list(before)
        columns = self._places()
        columns += [cycle(operation.times) for operation in self.workflow.operations]
        columns.append(repeat(0))
        sources, moves = self._sources, self._moves
        for row in self._rows(columns):
            for stage, computing in sources:
                free[row[stage]] += row[computing]
            for stage, following, sending, computing in moves:
                sender, receiver = row[stage], row[following]
                end, other = free[sender], free[receiver]
                if end < other:  # noqa: PLR1730  # a call would take longer than the rest
                    end = other
                end += row[sending]
                free[sender] = end
                free[receiver] = end + row[computing]
        return free

    def least_starts(self, period: Fraction, most_turns: int = MOST_TURNS) -> Starts | None:
        """Give the earliest starts of which none of data set n is before n periods.

        None if they do not settle within `most_turns`.

        Parameters
        ----------
        period
            Time per data set, in units of ``1 / scale``.
        most_turns
            Turns of all rows that are played at most.
        """
        p, q = period.numerator, period.denominator
        turn = self.workflow.rows * p
        free = [-turn] * self.first[-1]
        for _ in range(most_turns):
            starts, later = self._recorded(free, q, p)
            if all(one == other - turn for one, other in zip(free, later, strict=True)):
                return self._starts(period, starts, p)
            free = [time - turn for time in later]
        return None

    def starts(self, found: Repeating) -> Starts:
        """Give the starts of a turn that repeats, the earliest of each part at 0."""
        unit = lcm(found.period.denominator, *(time.denominator for time in found.state))
        free = [int(time * unit) for time in found.state]
        starts, _ = self._recorded(free, unit, None)
        return self._starts(found.period, starts, int(found.period * unit), unit)

    def _starts(
        self, period: Fraction, starts: list[list[int]], step: int, unit: int | None = None
    ) -> Starts:
        potentials = [[start - n * step for n, start in enumerate(one)] for one in starts]
        least = min(min(one) for one in potentials)
        return Starts(
            period,
            period.denominator if unit is None else unit,
            [[value - least for value in one] for one in potentials],
        )

    def _recorded(
        self, before: Sequence[int], unit: int, step: int | None
    ) -> tuple[list[list[int]], list[int]]:
        """Play one turn; give the start of each operation for each data set, and the state after it.

        Parameters
        ----------
        unit
            By which times are multiplied.
        step
            No data set n starts before n times this. None: nothing holds it.
        """
        workflow = self.workflow
        free = list(before)
        stages = len(workflow.stages)
        columns = self._places()
        columns += [
            cycle([unit * time for time in operation.times]) for operation in workflow.operations
        ]
        columns.append(repeat(min(free)) if step is None else count(0, step))
        starts: list[list[int]] = [[] for _ in workflow.operations]
        plan = [
            (operation.stages[0], operation.stages[-1], stages + o, starts[o].append)
            for o, operation in enumerate(workflow.operations)
        ]
        for row in self._rows(columns):
            earliest = row[-1]
            for stage, following, taking, append in plan:
                one, other = row[stage], row[following]
                start = max(free[one], free[other], earliest)
                append(start)
                free[one] = free[other] = start + row[taking]
        return starts, free

    def _places(self) -> list[Iterator[int]]:
        """Give the processor of each stage, data set by data set."""
        return [
            cycle(range(first, first + copies))
            for first, copies in zip(self.first, self.workflow.copies, strict=False)
        ]

    def _rows(self, columns: Sequence[Iterator[int]]) -> Iterator[tuple[int, ...]]:
        """Give the rows of a turn, with a look at the clock now and then."""
        table = zip(*columns, strict=True)
        for done in range(0, self.workflow.rows, _ROWS_AT_ONCE):
            self._heartbeat()
            yield from islice(table, min(_ROWS_AT_ONCE, self.workflow.rows - done))

    def critical_walk(self, found: Repeating, starts: Starts) -> Walk:
        """Give operations of the slowest part that wait for each other all round.

        Parameters
        ----------
        starts
            Of the state that repeats, in which everything starts as early as it can.
        """
        workflow = self.workflow
        unit = starts.unit
        step = int(found.period * unit)

        def start(o: int, n: int) -> int:
            return starts.potentials[o][n % workflow.rows] + n * step

        operations = workflow.operations
        queues = {queue.stage: queue.operations for queue in workflow.queues}
        stage = next(k for k, first in enumerate(self.first[1:]) if found.slowest < first)
        o, n = queues[stage][-1], found.slowest - self.first[stage]
        seen: dict[tuple[int, int], int] = {}
        walk: list[tuple[int, int]] = []
        while (o, n % workflow.rows) not in seen:
            seen[o, n % workflow.rows] = len(walk)
            walk.append((o, n))
            due = start(o, n)
            for k in operations[o].stages:
                place = queues[k].index(o)
                before = queues[k][place - 1]
                m = n if place else n - workflow.copies[k]
                time = operations[before].times[m % operations[before].modulus]
                if start(before, m) + unit * time == due:
                    break
            else:
                raise AssertionError(f"nothing lets operation {o} of data set {n} start at {due}")
            o, n = before, m
        first = seen[o, n % workflow.rows]
        length = walk[first][1] - n
        return shortest_round(workflow, walk[first:][::-1], length)


def _repeated(
    history: Sequence[Sequence[int]], part: Sequence[int]
) -> tuple[Fraction, list[Fraction]] | None:
    """Tell by how much a part moves per turn, and a state that does so, the earliest at 0."""
    last = [history[-1][place] for place in part]
    for turns in range(1, len(history)):
        before = [history[-1 - turns][place] for place in part]
        growth = last[0] - before[0]
        if all(now - then == growth for now, then in zip(last, before, strict=True)):
            each = Fraction(growth, turns)
            state = [
                max(history[-1 - back][place] + back * each for back in range(1, turns + 1))
                for place in part
            ]
            least = min(state)
            return each, [value - least for value in state]
    return None
