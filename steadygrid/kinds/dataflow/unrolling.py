"""What the firings of a timetable wait for, iteration by iteration."""

from bisect import bisect_right
from itertools import accumulate

from steadygrid.domain.errors import Fault
from steadygrid.domain.timetable import Timetable
from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph
from steadygrid.kinds.dataflow.referee_timetable import read_timetable
from steadygrid.kinds.dataflow.schemas import DataflowInstance, DataflowResult
from steadygrid.verification.findings import Findings


def unrolled(
    instance: DataflowInstance, result: DataflowResult, schedule: Timetable
) -> Unrolling | list[Fault]:
    """Say what each firing waits for; or why the timetable does not hold.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer. It has the cycles of an iteration, and the places that were chosen.
    schedule
        Of the answer.
    """
    findings, graph = Findings(), Graph(instance)
    cycles = [result.repetitions.get(name, 0) for name in graph.names]
    if min(cycles) < 1 or any(
        cycles[channel.source] * made != cycles[channel.target] * taken
        for channel in graph.channels
        for made, taken in [graph.per_cycle(channel)]
    ):
        at = ("result", "repetitions")
        return [Fault(at, "wrong_repetitions", "the repetitions do not balance every channel")]
    fired = read_timetable(
        instance, graph, cycles, result, 1 / schedule.throughput, schedule, findings
    )
    if findings or fired is None:
        detail = "the result does not say after how many cycles the starts of each actor repeat"
        return list(findings.faults) or [Fault(("result", "unfolding"), "missing", detail)]
    channels = [*graph.channels, *fired.rooms]
    return _Unrolled(graph, cycles, result.unfolding or {}, channels, schedule).unrolling


class _Unrolled:
    def __init__(
        self,
        graph: Graph,
        cycles: list[int],
        unfolding: dict[str, int],
        channels: list[Channel],
        schedule: Timetable,
    ) -> None:
        self._graph, self._schedule = graph, schedule
        self._rows = [
            unfolding[name] * phases for name, phases in zip(graph.names, graph.phases, strict=True)
        ]
        self._firsts = list(accumulate(self._rows, initial=0))
        self._firings = [cycle * phases for cycle, phases in zip(cycles, graph.phases, strict=True)]
        self._into: list[list[Channel]] = [[] for _ in cycles]
        for channel in channels:
            self._into[channel.target].append(channel)

    @property
    def unrolling(self) -> Unrolling:
        """Rows as lines, and firings as their turns."""
        lines: list[Line] = []
        for actor, name in enumerate(self._graph.names):
            busy = (name,) if self._graph.sequential else ()
            lines += (
                Line(row.start, row.time, row.every, name, busy, True)
                for row in self._schedule.rows[self._firsts[actor] : self._firsts[actor + 1]]
            )
        return Unrolling(lines, sum(self._firings), self._repetitions_of)

    def _repetitions_of(self, iterations: int) -> list[Repetition]:
        counts = [number * iterations for number in self._firings]
        places = list(accumulate(counts, initial=0))
        ends = [
            [
                (channel, channel.production.ends(counts[channel.source], channel.initial))
                for channel in into
            ]
            for into in self._into
        ]
        found: list[Repetition] = []
        for actor, count in enumerate(counts):
            for firing in range(count):
                needs: list[int] = []
                for channel, made in ends[actor]:
                    taken = channel.taken(firing)
                    if taken.end <= max(taken.first, channel.initial):
                        continue
                    last = bisect_right(made, taken.end - 1)
                    first = bisect_right(made, max(taken.first, channel.initial))
                    # Of one that fires in order, the last to end is the last.
                    first = last if self._graph.sequential else first
                    base = places[channel.source] - 1
                    needs += range(base + first, base + last + 1)
                turn, row = divmod(firing, self._rows[actor])
                instance = firing // self._firings[actor]
                found.append(Repetition(self._firsts[actor] + row, turn, instance, tuple(needs)))
        return found
