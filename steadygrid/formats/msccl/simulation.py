"""When a program ends: its moves run over shared links, in whole ticks and whole units of data.

A channel does its moves in their order, loop after loop. A move starts when its sender has finished
the move before, all that it passes on has been received, and fewer than two of its channel are in
progress. It takes the time of a step; then its data flows, at a max-min fair rate among all that
share resources, until all has left, and arrives after the latencies of its route. Received it is
after what came before it in its channel, and after what is added before it. Rounding only ever
delays, so that what is predicted is the end of flows that the links can carry.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.exported_program import Factors
from steadygrid.formats.msccl.moves import Program, Route, reorder
from steadygrid.formats.msccl.network import Network
from steadygrid.formats.msccl.playback import Playback, Tempo

TICKS = 2**28
"""For a piece of one chunk over the slowest resource alone."""
SLOWEST = 2**20
"""Units that the slowest resource carries per tick."""
FASTEST = 2**36
"""Units that any resource carries per tick at most."""


class Settings(NamedTuple):
    """What a run depends on besides its program and network."""

    piece: Fraction
    """Data of a chunk that one instance moves in one loop."""
    loops: int = 1
    step_time: Fraction = Fraction(0)
    """Time that a move takes before its data flows."""


class Run(NamedTuple):
    """How long a program takes."""

    ticks: int
    tick: Fraction
    """Time units of one tick."""

    @property
    def time(self) -> Fraction:
        """From the start to the last receipt."""
        return self.ticks * self.tick


def loops_of(chunk: int, instances: int, piece: int) -> int:
    """Count the loops that move a chunk.

    Parameters
    ----------
    chunk
        Bytes of it, rounded up.
    instances
        Parallel copies, which share it.
    piece
        Bytes that one of them moves in one loop at most.
    """
    return max(1, -(-chunk // (piece * instances)))


def simulate(
    program: Program,
    network: Network,
    settings: Settings,
    check: Callable[[], None] = lambda: None,
    factors: Callable[[tuple[int, int]], Factors] | None = None,
) -> Run:
    """Run a program to its end.

    Parameters
    ----------
    program
        Its routes are in `network`.
    network
        What moves share.
    settings
        What runs, and how often.
    check
        Called now and then. What it raises ends the run.
    factors
        For what one processor sends to another: gives the factor of the next piece, whose step, data and
        latency take so many times as long. None: all times are exact.

    Raises
    ------
    LimitError
        Resources differ by more than a tick can express.
    """
    slowest, capacities = speeds_of(program, network)
    tick = settings.piece / (slowest * TICKS)
    routes = {move.route for move in program.moves}
    delays = {route: _delay(network, route, tick) for route in routes}
    tempo = Tempo(
        capacities,
        _uses(program, network),
        [delays[move.route] for move in program.moves],
        ceil(settings.step_time / tick),
        settings.loops,
    )
    drawn = None if factors is None else [factors(move.ends) for move in program.moves]
    playback = Playback(program, tempo, check, factors=drawn)
    playback.run()
    return Run(playback.tick, tick)


def order_by_start(
    program: Program, network: Network, check: Callable[[], None] = lambda: None
) -> Program:
    """Order moves by when they start in a run of one loop, in which no channel waits for the order.

    In that run a channel takes the first of its moves whose data has been received. Steps and
    latencies take no time, there is one instance, and what arrives is added up as it comes. So the order depends on nothing
    but trees, split and network. Moves that start together keep their order.

    Parameters
    ----------
    program
        In the order by depth.
    network, check
        As for `simulate`.
    """
    _, capacities = speeds_of(program, network)
    single = Program(program.trees, program.moves, program.split)
    tempo = Tempo(capacities, _uses(program, network), [0] * len(program.moves), 0, 1)
    playback = Playback(single, tempo, check, hurried=True)
    playback.run()
    starts = playback.starts
    return reorder(program, sorted(range(len(starts)), key=lambda number: (starts[number], number)))


def _uses(program: Program, network: Network) -> list[tuple[int, ...]]:
    """List the resources that each move takes."""
    known: dict[Route, tuple[int, ...]] = {}
    for move in program.moves:
        route = move.route
        if route not in known:
            hops = pairwise(route)
            known[route] = tuple(number for hop in hops for number in network.uses[hop])
    return [known[move.route] for move in program.moves]


def speeds_of(program: Program, network: Network) -> tuple[Fraction, dict[int, int]]:
    """Give the least bandwidth of what is used, and what each resource carries per tick.

    Parameters
    ----------
    program
        Its routes are in `network`.
    network
        What moves share.

    Raises
    ------
    LimitError
        Resources differ by more than a tick can express.
    """
    used = sorted({number for numbers in _uses(program, network) for number in numbers})
    slowest = min(network.bandwidths[number] for number in used)
    capacities = {number: floor(SLOWEST * network.bandwidths[number] / slowest) for number in used}
    if max(capacities.values()) > FASTEST:
        sentence = (
            "nothing is predicted: bandwidths of links differ by more than a factor of"
            f" {FASTEST // SLOWEST:,}"
        )
        raise LimitError(sentence, [Fault((), "bandwidths_too_different", sentence)])
    return slowest, capacities


def _delay(network: Network, route: Sequence[int], tick: Fraction) -> int:
    latencies = (network.latencies.get(hop, Fraction(0)) for hop in pairwise(route))
    return ceil(sum(latencies, Fraction(0)) / tick)
