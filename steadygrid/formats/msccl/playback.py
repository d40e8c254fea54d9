"""A program event by event: what starts, flows, arrives and is received at which tick."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import ceil
from typing import NamedTuple

from steadygrid.domain.exported_program import Factors
from steadygrid.formats.msccl.areas import Area, Link, SharedArea
from steadygrid.formats.msccl.fair_rates import Sharing
from steadygrid.formats.msccl.moves import Program

UNITS = 2**48
"""Of a piece of one chunk."""
LARGEST = 2**12
"""Chunks of a move, so that its units are whole numbers of 64 bits."""
UNDER_WAY = 2
"""Pieces of a channel that have started and are not received, at most."""
REMEMBERED = 200
"""States that are compared with later ones, to find out when loops repeat."""
CHECKED = 256
"""Ticks with events between two calls of `check`."""
_ENDS, _ARRIVES, _FLOWS = range(3)


class Tempo(NamedTuple):
    """What a run takes, in units and ticks."""

    capacities: Mapping[int, int]
    """Units per tick, by resource."""
    uses: Sequence[Sequence[int]]
    """By move, the resources that it takes."""
    delays: Sequence[int]
    """By move, ticks from when its data has left until it arrives."""
    step: int
    """Ticks before the data of a move flows."""
    loops: int


class Playback:
    """One run.

    Parameters
    ----------
    program
        What runs. Its instances do the same at the same ticks, so that one of them is played, which
        takes every resource as often as there are instances.
    tempo
        What moves take.
    check
        Called now and then. What it raises ends the run.
    hurried
        Whether channels take the first of their moves that can start, and whether what is added is
        received as it comes. Only for one loop.
    factors
        By move, what gives the factor of its next piece: step, data and delay take so many times as
        long. None: all times are exact. Parallel instances of a piece have the same factor.
    """

    def __init__(
        self,
        program: Program,
        tempo: Tempo,
        check: Callable[[], None],
        hurried: bool = False,
        factors: Sequence[Factors] | None = None,
    ) -> None:
        self.tick = 0
        self.starts = [0] * len(program.moves)
        """By move, the tick of its last start."""
        self._check = check
        self._tempo = tempo
        moves = program.moves
        self._after = [move.after for move in moves]
        if max(move.chunks for move in moves) > LARGEST:
            raise ValueError(f"a move has more than {LARGEST:,} chunks")
        self._units = [move.chunks * UNITS for move in moves]
        self._channel_of = program.channel_of
        self._following: list[list[int]] = [[] for _ in moves]
        for number, move in enumerate(moves):
            for earlier in move.after:
                self._following[earlier].append(program.channel_of[number])
        self._chained = [None if hurried else move.chained for move in moves]
        self._added_next: list[int | None] = [None] * len(moves)
        for number, chained in enumerate(self._chained):
            if chained is not None:
                self._added_next[chained] = number
        self._sequence = [[] if hurried else list(channel.moves) for channel in program.channels]
        self._pending = [list(channel.moves) for channel in program.channels] if hurried else None
        self._length = [len(channel.moves) for channel in program.channels]
        channels = range(len(self._length))
        self._started = [0 for _ in channels]
        self._received = [0 for _ in channels]
        self._arrived = [0 for _ in channels]
        """By channel: bit i stands if piece `_received` + i has arrived."""
        self._busy = [False for _ in channels]
        self._factors = factors
        self._factor = [1.0 for _ in channels]
        """By channel, that of the piece that was started last."""
        self._done = [0] * len(moves)
        """By move, in how many loops it has been received."""
        self._areas, self._place = _areas(tempo, program.instances)
        self._events: list[tuple[int, int, int, int]] = []
        self._known: dict[object, tuple[int, int]] = {}

    def run(self) -> None:
        """Play until everything has been received."""
        events = self._events
        candidates: Iterable[int] = range(len(self._length))
        base = loop = -1
        for count in range(10**18):
            if count % CHECKED == 0:
                self._check()
            self._start(candidates)
            for area in self._areas:
                if area.changed and area.refresh(self.tick):
                    heappush(events, (area.ends, _ENDS, area.number, area.version))
            if not events:
                break
            loop = (self._started[0] - 1) // self._length[0]
            if loop > base and self._pending is None and self._factors is None:
                base = loop
                self._repeat(loop)
            candidates = self._advance()
        if any(
            r < n * self._tempo.loops for r, n in zip(self._received, self._length, strict=True)
        ):
            raise RuntimeError("moves wait for each other")

    def _advance(self) -> set[int]:
        """Go to the next tick with events; give the channels that may start something."""
        events = self._events
        self.tick = tick = events[0][0]
        candidates: set[int] = set()
        arrived: list[int] = []
        while events and events[0][0] == tick:
            _, kind, number, detail = heappop(events)
            if kind == _FLOWS:
                self._flow(number, detail)
            elif kind == _ARRIVES:
                self._arrived[number] |= 1 << (detail - self._received[number])
                arrived.append(number)
            elif self._areas[number].version == detail:
                for channel in self._areas[number].finish(tick):
                    self._busy[channel] = False
                    candidates.add(channel)
                    piece = self._started[channel] - 1
                    move = self._sequence[channel][piece % self._length[channel]]
                    delay = self._scaled(channel, self._tempo.delays[move])
                    if delay:
                        heappush(events, (tick + delay, _ARRIVES, channel, piece))
                    else:
                        self._arrived[channel] |= 1 << (piece - self._received[channel])
                        arrived.append(channel)
        self._receive(arrived, candidates)
        return candidates

    def _receive(self, arrived: list[int], candidates: set[int]) -> None:
        """Receive all that can be; add the channels that may then start something."""
        while arrived:
            channel = arrived.pop()
            while self._arrived[channel] & 1:
                loop, position = divmod(self._received[channel], self._length[channel])
                move = self._sequence[channel][position]
                chained = self._chained[move]
                if chained is not None and self._done[chained] <= loop:
                    break
                self._received[channel] += 1
                self._arrived[channel] >>= 1
                self._done[move] += 1
                candidates.add(channel)
                candidates.update(self._following[move])
                added = self._added_next[move]
                if added is not None:
                    arrived.append(self._channel_of[added])

    def _start(self, candidates: Iterable[int]) -> None:
        # Pieces that start together draw their factors in the order of channels.
        for channel in candidates if self._factors is None else sorted(candidates):
            started = self._started[channel]
            if self._busy[channel] or started - self._received[channel] >= UNDER_WAY:
                continue
            move = self._next(channel, started)
            if move is None:
                continue
            self._started[channel] += 1
            self._busy[channel] = True
            self.starts[move] = self.tick
            if self._factors is not None:
                self._factor[channel] = self._factors[move]()
            if self._tempo.step:
                step = self._scaled(channel, self._tempo.step)
                heappush(self._events, (self.tick + step, _FLOWS, channel, move))
            else:
                self._flow(channel, move)

    def _next(self, channel: int, started: int) -> int | None:
        """Give the move that a channel can start now."""
        if self._pending is not None:
            for position, move in enumerate(self._pending[channel]):
                if all(self._done[earlier] for earlier in self._after[move]):
                    self._sequence[channel].append(self._pending[channel].pop(position))
                    return move
            return None
        loop, position = divmod(started, self._length[channel])
        if loop == self._tempo.loops:
            return None
        move = self._sequence[channel][position]
        for earlier in self._after[move]:
            if self._done[earlier] <= loop:
                return None
        return move

    def _flow(self, channel: int, move: int) -> None:
        area, column = self._place[move]
        self._areas[area].add(channel, column, self._scaled(channel, self._units[move]))

    def _scaled(self, channel: int, amount: int) -> int:
        """Multiply ticks or units of a piece by its factor."""
        return amount if self._factors is None else ceil(amount * self._factor[channel])

    def _repeat(self, loop: int) -> None:
        """Skip loops that are as others were.

        What happens next depends on nothing but the state: pieces counted from this loop on, ticks
        from this tick on. If both were the same before, all that happened since then happens again,
        until a piece of a loop that is none would start.
        """
        if len(self._known) >= REMEMBERED:
            return
        state = self._state(loop)
        earlier = self._known.get(state)
        if earlier is None:
            self._known[state] = self.tick, loop
            return
        ticks, loops = self.tick - earlier[0], loop - earlier[1]
        latest = max((s - 1) // n for s, n in zip(self._started, self._length, strict=True))
        times = (self._tempo.loops - 1 - latest) // loops
        if times > 0:
            self._skip(times * ticks, times * loops)

    def _state(self, loop: int) -> object:
        flows = []
        for area in self._areas:
            flows += area.flows(self.tick)
        coming = [
            (
                tick - self.tick,
                kind,
                number,
                detail - (loop * self._length[number] if kind == _ARRIVES else 0),
            )
            for tick, kind, number, detail in self._events
            if kind != _ENDS
        ]
        counts = [
            (s - loop * n, r - loop * n, a, b)
            for s, r, a, b, n in zip(
                self._started, self._received, self._arrived, self._busy, self._length, strict=True
            )
        ]
        return tuple(counts), tuple(sorted(flows)), tuple(sorted(coming))

    def _skip(self, ticks: int, loops: int) -> None:
        self.tick += ticks
        for channel, length in enumerate(self._length):
            self._started[channel] += loops * length
            self._received[channel] += loops * length
        self._done = [count + loops for count in self._done]
        for area in self._areas:
            area.delay(ticks)
        self._events[:] = [
            (
                tick + ticks,
                kind,
                number,
                detail + (loops * self._length[number] if kind == _ARRIVES else 0),
            )
            for tick, kind, number, detail in self._events
        ]
        heapify(self._events)
        self._known.clear()


def _areas(tempo: Tempo, instances: int) -> tuple[list[Area], list[tuple[int, int]]]:
    """Part the resources into areas; give for each move its area and its column there."""
    parent = {resource: resource for resource in tempo.capacities}

    def area_of(resource: int) -> int:
        while parent[resource] != resource:
            parent[resource] = parent[parent[resource]]
            resource = parent[resource]
        return resource

    kinds = {tuple(uses) for uses in tempo.uses}
    for first, *rest in kinds:
        for other in rest:
            parent[area_of(other)] = area_of(first)
    members: dict[int, list[int]] = {}
    for resource in tempo.capacities:
        members.setdefault(area_of(resource), []).append(resource)
    columns: dict[int, list[tuple[int, ...]]] = {area: [] for area in members}
    for kind in sorted(kinds):
        columns[area_of(kind[0])].append(kind)
    areas: list[Area] = []
    place: dict[tuple[int, ...], tuple[int, int]] = {}
    for number, (area, resources) in enumerate(members.items()):
        there = columns[area]
        uses = [[instances * kind.count(resource) for kind in there] for resource in resources]
        capacities = [tempo.capacities[resource] for resource in resources]
        if len(resources) == 1:
            areas.append(Link(number, capacities[0], uses[0]))
        else:
            areas.append(SharedArea(number, Sharing(capacities, uses), len(there)))
        for column, kind in enumerate(there):
            place[kind] = number, column
    return areas, [place[tuple(uses)] for uses in tempo.uses]
