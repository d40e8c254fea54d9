"""A timetable of firings: its rows, their order, and the tokens that they move."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph
from steadygrid.kinds.dataflow.referee_rows import ROWS, check_header, read_starts
from steadygrid.kinds.dataflow.referee_tokens import Course, Timed, timed
from steadygrid.kinds.dataflow.referee_zero import waiting_in_a_circle
from steadygrid.kinds.dataflow.schemas import DataflowInstance, DataflowResult
from steadygrid.verification.findings import Findings


class Fired(NamedTuple):
    """What a timetable lets happen on each channel, and which places channels have.

    Attributes
    ----------
    course
        Gives what happens on a channel.
    limits
        Places of the channels that have a limit, by name.
    rooms
        The free places of these.
    """

    course: Callable[[Channel], Course]
    limits: Mapping[str, int]
    rooms: Sequence[Channel]


def read_timetable(
    instance: DataflowInstance,
    graph: Graph,
    cycles: Sequence[int],
    result: DataflowResult,
    period: Fraction,
    schedule: Timetable,
    findings: Findings,
) -> Fired | None:
    """Check a timetable, and give what it lets happen on channels. None where its rows are others.

    Parameters
    ----------
    instance
        Without faults.
    graph
        Actors and channels by number.
    cycles
        Of each actor, in an iteration.
    result
        The answer. It has the unfolding and the places that were chosen.
    period
        Time per iteration.
    schedule
        Timetable of the answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ===================
    1  the unfolding has a number for every actor, at least 1; of strictly   `wrong_unfolding`
       periodic schedules it is 1
    2  the timetable repeats when it says so                                 see `check_header`
    3  it has the rows of the unfolding                                      see `read_starts`
    4  a firing of a sequential actor starts no earlier than the one before  `overlap`
       ends
    5  tokens are taken after they were made, see `Course.too_early`         `too_early`
    6  places are taken after they were freed                                `over_capacity`
    7  firings without time at the same moment do not wait for each other in `waits_for_itself`
       a circle
    == ===================================================================== ===================
    """
    unfolding = result.unfolding
    if unfolding is None:
        return None
    if unfolding.keys() != graph.index.keys() or any(turn < 1 for turn in unfolding.values()):
        findings.add(
            ("result", "unfolding"),
            "wrong_unfolding",
            "The starts of every actor repeat after so many cycles, at least 1.",
        )
        return None
    turns = [unfolding[name] for name in graph.names]
    if instance.even and {*turns} != {1}:
        detail = "The starts of every actor repeat after each of its cycles."
        findings.add(("result", "unfolding"), "wrong_unfolding", detail)
        return None
    check_header(cycles, turns, period, schedule, findings)
    starts = read_starts(graph, cycles, turns, period, schedule, findings)
    if starts is None:
        return None
    rows = [
        timed(
            listed,
            [graph.time(actor, firing) for firing in range(len(listed))],
            period * turns[actor] / cycles[actor],
        )
        for actor, listed in enumerate(starts)
    ]
    if graph.sequential:
        _check_order(graph, rows, findings)
    course = partial(_course, graph, cycles, turns, period, rows)
    limits = {**(instance.capacities or {}), **(result.capacities or {})}
    rooms = [graph.room(one, limits[one.name]) for one in graph.channels if one.name in limits]
    _check_channels(graph, rows, course, rooms, findings)
    return Fired(course, limits, rooms)


def _course(
    graph: Graph,
    cycles: Sequence[int],
    turns: Sequence[int],
    period: Fraction,
    rows: Sequence[Timed],
    channel: Channel,
) -> Course:
    source, target = channel.source, channel.target
    return Course(
        graph,
        channel,
        rows[source],
        rows[target],
        (turns[source], turns[target]),
        period / (cycles[source] * graph.per_cycle(channel)[0]),
    )


def _check_order(graph: Graph, rows: Sequence[Timed], findings: Findings) -> None:
    """Check that firings of an actor do not overlap, the first of the next turn included."""
    first = 0
    for name, of_actor in zip(graph.names, rows, strict=True):
        following: list[int | Fraction] = [*of_actor.starts[1:], of_actor.again]
        for row, (end, start) in enumerate(zip(of_actor.ends, following, strict=True)):
            if start < end:
                findings.add(
                    (*ROWS, first + row),
                    "overlap",
                    f"{name!r} fires again before this firing has ended.",
                )
        first += len(of_actor.starts)


def _check_channels(
    graph: Graph,
    rows: Sequence[Timed],
    course: Callable[[Channel], Course],
    rooms: Sequence[Channel],
    findings: Findings,
) -> None:
    firsts = [0]
    for timed_rows in rows:
        firsts.append(firsts[-1] + len(timed_rows.starts))
    sound = True
    for channel in graph.channels:
        on_channel = course(channel)
        early = on_channel.too_early()
        if early is not None:
            sound = False
            findings.add(
                (*ROWS, firsts[channel.target] + early[1]),
                "too_early",
                f"Tokens of {channel.name!r} are taken before row {firsts[channel.source] + early[0]}"
                " has made them.",
            )
    for room in rooms:
        early = course(room).too_early()
        if early is not None:
            sound = False
            findings.add(
                (*ROWS, firsts[room.target] + early[1]),
                "over_capacity",
                f"A place of {room.name!r} is taken before row {firsts[room.source] + early[0]} has"
                " freed it.",
            )
    channels = [*graph.channels, *rooms]
    actor = waiting_in_a_circle(graph, rows, channels, course) if sound else None
    if actor is not None:
        findings.add(
            (*ROWS, firsts[actor]),
            "waits_for_itself",
            f"Firings of {graph.names[actor]!r} without time wait, at the same moment, for themselves.",
        )
