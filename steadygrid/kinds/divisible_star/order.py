"""Who is reached from the master over which links, and in which order it is sent to."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import groupby
from math import inf

from steadygrid.domain.platform import Arc, Platform
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance


class NoTreeError(Exception):
    """Why the links from the master do not form a tree."""


def _link_time(arc: Arc) -> Fraction:
    return arc.unit_time


def arcs_down(
    platform: Platform, master: str, time: Callable[[Arc], Fraction] = _link_time
) -> dict[int, Arc]:
    """Give the arc by which each processor is reached, breadth first from the master.

    Neighbours are in the order of their link times, or of another time of their links, ties in the
    order of the platform's links.

    Parameters
    ----------
    platform
        Its links are followed from the master on.
    master
        Name of a processor that there is.
    time
        By which neighbours are in order. The unit time of their links if not given.

    Returns
    -------
    dict
        By index of the processor; without the master.

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
        for arc in _by_time(ahead, time):
            if arc.target in reached or arc.target == root:
                raise NoTreeError(_cycle(platform, reached, arc))
            reached[arc.target] = arc
            queue.append(arc.target)
    return reached


def _by_time(arcs: Iterable[Arc], time: Callable[[Arc], Fraction]) -> list[Arc]:
    """Sort arcs by their times, exactly, and as fast as floats are sorted.

    The nearest double of a larger rational is no smaller, so only equal doubles are compared.
    """
    near = sorted(((_double(time(arc)), arc) for arc in arcs), key=lambda pair: pair[0])
    return [
        arc
        for _, tied in groupby(near, key=lambda pair: pair[0])
        for arc in sorted((arc for _, arc in tied), key=time)
    ]


def _double(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return inf


def _cycle(platform: Platform, reached: dict[int, Arc], closing: Arc) -> str:
    routes = []
    for end in (closing.source, closing.target):
        route = [end]
        while route[-1] in reached:
            route.append(reached[route[-1]].source)
        routes.append(route[::-1])
    common = 0
    while common < min(map(len, routes)) and routes[0][common] == routes[1][common]:
        common += 1
    ring = [*routes[0][common - 1 :], *reversed(routes[1][common:])]
    ids = [platform.processors[place].id for place in ring]
    shown = ids if len(ids) <= 6 else [*ids[:5], "..."]
    return f"links form a cycle through {', '.join(map(repr, shown))}"


def order_of(instance: DivisibleStarInstance) -> list[int]:
    """Give the processors that may take part, in the order in which they are sent to."""
    places = instance.platform.index_by_id
    if instance.order is not None:
        return [places[id_] for id_ in instance.order]
    return list(arcs_down(instance.platform, instance.master))


def by_time_there_and_back(instance: DivisibleStarInstance) -> list[int]:
    """Give the same, where results come back in reverse order and the order is not given.

    Neighbours are in the order of the times of data and results together.
    """
    load, platform = instance.load, instance.platform

    def there_and_back(arc: Arc) -> Fraction:
        back = reverse_arc(platform, arc)
        assert back is not None
        return load.communication_volume * arc.unit_time + load.return_volume * back.unit_time

    return list(arcs_down(platform, instance.master, there_and_back))


def working(instance: DivisibleStarInstance) -> list[int]:
    """List who may compute: the master, then in the order."""
    platform = instance.platform
    return [
        place
        for place in (platform.index_by_id[instance.master], *order_of(instance))
        if platform.processors[place].time_per_work is not None
    ]


def is_beside_master(instance: DivisibleStarInstance, down: dict[int, Arc], place: int) -> bool:
    """Tell whether a processor is sent to by the master, or has nothing to compute.

    Parameters
    ----------
    instance
        Its platform has no faults, and its links form a tree.
    down
        Arc by which each processor is reached.
    place
        Index of a processor that is reached.
    """
    platform = instance.platform
    return (
        down[place].source == platform.index_by_id[instance.master]
        or platform.processors[place].time_per_work is None
    )


def is_deep(instance: DivisibleStarInstance, down: dict[int, Arc]) -> bool:
    """Tell whether a processor that may compute is sent to by another than the master.

    Parameters
    ----------
    instance
        Its platform has no faults, and its links form a tree.
    down
        Arc by which each processor is reached.
    """
    return any(not is_beside_master(instance, down, place) for place in order_of(instance))


def reverse_arc(platform: Platform, arc: Arc) -> Arc | None:
    """Give the arc from a processor to its sender, for results.

    Parameters
    ----------
    platform
        Of this arc.
    arc
        From the sender.

    Returns
    -------
    Arc or None
        None where no arc leads back.
    """
    return next((back for back in platform.arcs_out[arc.target] if back.target == arc.source), None)


def latencies(instance: DivisibleStarInstance, down: dict[int, Arc]) -> list[tuple[str, int]]:
    """List the processors and links, by their places, that have a latency and are used.

    Parameters
    ----------
    instance
        Its platform has no faults, and its links form a tree.
    down
        Arc by which each processor is reached.

    Returns
    -------
    list of pair
        ``processors`` or ``links``, and the index there.
    """
    platform = instance.platform
    members = working(instance)
    links: set[int] = set()
    for place in members:
        at = place
        while at in down and down[at].link not in links:
            links.add(down[at].link)
            back = reverse_arc(platform, down[at]) if instance.load.return_volume else None
            if back is not None:
                links.add(back.link)
            at = down[at].source
    found = [("processors", place) for place in members if platform.processors[place].latency]
    return found + [("links", link) for link in sorted(links) if platform.links[link].latency]
