"""Faults, order of sending and size of a `divisible_star` instance."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from math import inf

from steadygrid.domain.cards import unused_cards
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Arc, Platform, no_processor, platform_faults
from steadygrid.domain.problem import Sizing
from steadygrid.problems.divisible_star.schemas import DivisibleStarInstance

SINCE = 3
"""Workers that solve less do not know this kind, see `steadygrid.problems.SOLVES`."""


def requires(_instance: DivisibleStarInstance, _options: Options) -> int:
    """Say how new a version has to be that knows this kind."""
    return SINCE


class NoTreeError(Exception):
    """Why the links from the master do not form a tree."""


def arcs_down(platform: Platform, master: str) -> dict[int, Arc]:
    """Give the arc by which each processor is reached, breadth first from the master.

    Neighbours are in the order of their link times, ties in the order of the platform's links.

    Raises
    ------
    NoTreeError
        If links that the master reaches form a cycle; with a sentence that names it.
    """
    root = platform.index_by_id[master]
    reached: dict[int, Arc] = {}
    queue = [root]
    for place in queue:
        above = reached[place].source if place in reached else None
        ahead = [arc for arc in platform.arcs_out[place] if arc.target != above]
        for arc in by_link_time(ahead):
            if arc.target in reached or arc.target == root:
                raise NoTreeError(_cycle(platform, reached, arc))
            reached[arc.target] = arc
            queue.append(arc.target)
    return reached


def by_link_time(arcs: Iterable[Arc]) -> list[Arc]:
    """Sort arcs by their times, exactly, and as fast as floats are sorted.

    The nearest double of a larger rational is no smaller, so only equal doubles are compared.
    """
    near = sorted(((_double(arc.unit_time), arc) for arc in arcs), key=lambda pair: pair[0])
    return [
        arc
        for _, tied in groupby(near, key=lambda pair: pair[0])
        for arc in sorted((arc for _, arc in tied), key=lambda arc: arc.unit_time)
    ]


def _double(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return inf


def _cycle(platform: Platform, reached: dict[int, Arc], closing: Arc) -> str:
    ways = []
    for end in (closing.source, closing.target):
        way = [end]
        while way[-1] in reached:
            way.append(reached[way[-1]].source)
        ways.append(way[::-1])
    common = 0
    while common < min(map(len, ways)) and ways[0][common] == ways[1][common]:
        common += 1
    ring = [*ways[0][common - 1 :], *reversed(ways[1][common:])]
    ids = [platform.processors[place].id for place in ring]
    shown = ids if len(ids) <= 6 else [*ids[:5], "..."]
    return f"links form a cycle through {', '.join(map(repr, shown))}"


def order_of(instance: DivisibleStarInstance) -> list[int]:
    """Give the processors that may take part, in the order in which they are sent to."""
    places = instance.platform.index_by_id
    if instance.order is not None:
        return [places[id_] for id_ in instance.order]
    return list(arcs_down(instance.platform, instance.master))


def faults(instance: DivisibleStarInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order: those of the platform; a known master; links that form a tree below it, with
    every processor that computes and no switch; an order of different processors that are reached
    over each other; somebody who computes; no latencies.
    """
    platform = instance.platform
    sound = True
    for fault in platform_faults(platform, (*at, "platform")):
        sound = False
        yield fault
    known = Known(platform.index_by_id)
    if instance.master not in platform.index_by_id:
        yield Fault((*at, "master"), "unknown_processor", no_processor(instance.master, known))
        sound = False
    if not sound:
        return
    try:
        down = arcs_down(platform, instance.master)
    except NoTreeError as why:
        yield Fault(
            (*at, "platform"),
            "not_a_tree",
            f"{why}: leave one of them out, so that there is only one way from the master",
        )
        return
    for fault in (*_reach_faults(instance, down, at), *_order_faults(instance, down, known, at)):
        sound = False
        yield fault
    if sound:
        yield from _part_faults(instance, down, at)


def _reach_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], at: Pointer
) -> Iterator[Fault]:
    for i, processor in enumerate(instance.platform.processors):
        here = (*at, "platform", "processors", i)
        reached = i in down or processor.id == instance.master
        if reached and processor.switch:
            yield Fault(
                here,
                "switch_in_star",
                "a switch has no port to send by, one after the other: leave out `switch` to make"
                " it a router, which forwards and computes nothing",
            )
        if not reached and processor.time_per_work is not None and instance.order is None:
            yield Fault(
                here,
                "unreachable",
                f"{processor.id!r} computes, but no links lead to it from the master: add one, or"
                " leave out its speed",
            )


def _order_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], known: Known, at: Pointer
) -> Iterator[Fault]:
    platform = instance.platform
    listed = set(instance.order or ())
    seen: set[str] = set()
    for i, id_ in enumerate(instance.order or ()):
        here = (*at, "order", i)
        if id_ not in platform.index_by_id:
            yield Fault(here, "unknown_processor", no_processor(id_, known))
            continue
        if id_ in seen:
            yield Fault(here, "order_repeats", f"{id_!r} is in the order already: list it once")
        seen.add(id_)
        if id_ == instance.master:
            yield Fault(
                here, "master_in_order", "the master needs no message: leave it out of the order"
            )
        elif (arc := down.get(platform.index_by_id[id_])) is None:
            yield Fault(
                here,
                "unreachable",
                f"no links lead to {id_!r} from the master: add one, or leave it out of the order",
            )
        elif (via := platform.processors[arc.source].id) not in listed | {instance.master}:
            yield Fault(
                here,
                "order_without_forwarder",
                f"{id_!r} is reached over {via!r} only: list {via!r} in the order, too",
            )


def _part_faults(
    instance: DivisibleStarInstance, down: dict[int, Arc], at: Pointer
) -> Iterator[Fault]:
    platform = instance.platform
    members = order_of(instance)
    working = [
        place
        for place in (platform.index_by_id[instance.master], *members)
        if platform.processors[place].time_per_work is not None
    ]
    if not working:
        yield Fault(
            (*at, "platform" if instance.order is None else "order"),
            "no_processor",
            "nobody can compute: give a processor "
            + ("a speed" if instance.order is None else "of the order a speed"),
        )
    starting = [
        ("processors", place) for place in working if platform.processors[place].latency
    ] + [
        ("links", down[place].link) for place in members if platform.links[down[place].link].latency
    ]
    if starting:
        others = f" ({len(starting):,} are given)" if len(starting) > 1 else ""
        yield Fault(
            (*at, "platform", *starting[0], "latency"),
            "latency_not_applicable",
            f"this kind would have to pay latencies, but knows linear costs only{others}: leave"
            " latency out, or set it to 0",
        )


def sizing(instance: DivisibleStarInstance, options: Options) -> Sizing:
    """Count what takes part, and variables, constraints and coefficients of the program.

    The closed form builds none.
    """
    members = order_of(instance)
    platform = instance.platform
    working = sum(
        platform.processors[place].time_per_work is not None
        for place in (platform.index_by_id[instance.master], *members)
    )
    messages = len(members)
    return Sizing(
        "closed_form" if instance.method == "auto" else instance.method,
        {
            "processors": len(platform.processors),
            "workers": working,
            "messages": messages,
            "variables": working + 2 * messages + 1,
            "constraints": working + 2 * messages + 1,
            "coefficients": 4 * working + 5 * messages,
        },
        tuple(_unused(instance, messages + 1)),
        "leave out processors",
    )


def _unused(instance: DivisibleStarInstance, members: int) -> Iterator[str]:
    """Name what was given but is not used."""
    platform = instance.platform
    if members < len(platform.processors):
        yield f"{len(platform.processors) - members} processors take no part"
    if platform.routes:
        yield "routes are not used: in a tree there is only one way"
    if platform.media:
        yield f"media are not used under {instance.ports}"
    if any(p.bandwidth_in is not None or p.bandwidth_out is not None for p in platform.processors):
        yield f"bandwidth_in and bandwidth_out are not used under {instance.ports}"
    yield from unused_cards(platform)
