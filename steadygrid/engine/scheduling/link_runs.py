"""When links are busy, all that each carries taken together: then a link is interrupted rarely."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from steadygrid.domain.platform import Arc
from steadygrid.engine.scheduling.matching import Edge, run_edges
from steadygrid.engine.scheduling.timeline import Interval, distribute

Demand = tuple[int, int]
"""An operation, and the time that it needs."""


def demands_by_link(
    running: Iterable[int], times: Sequence[int], arcs: Sequence[Arc]
) -> dict[int, list[Demand]]:
    """Group operations by the index of their arc, the longest first.

    Parameters
    ----------
    running
        The operations.
    times, arcs
        Of all operations.
    """
    on_link: dict[int, list[Demand]] = {}
    for k in sorted(running, key=lambda k: (-times[k], k)):
        on_link.setdefault(arcs[k].index, []).append((k, times[k]))
    return on_link


def place_demands(
    on_link: Mapping[int, Sequence[Demand]], open_times: Mapping[int, Sequence[tuple[int, int]]]
) -> list[Interval]:
    """Let each link carry what it has to do, one after the other, whenever it is busy.

    Parameters
    ----------
    on_link
        What each link has to do.
    open_times
        By link, its starts and ends in order.
    """
    return [
        interval
        for index, demands in on_link.items()
        for interval in distribute(open_times[index], demands)
    ]


def run_links(
    on_link: Mapping[int, Sequence[Demand]],
    ends: Mapping[int, Sequence[Hashable]],
    length: int,
    check: Callable[[], None] | None,
) -> dict[int, list[tuple[int, int]]]:
    """Say when the links of a bipartite graph are busy.

    Parameters
    ----------
    on_link
        What each link has to do.
    ends
        By operation, the vertex of the first side that it occupies, and that of the second.
    length
        The period. No vertex has more to do.
    check
        Called now and then. It may raise to give up.

    Returns
    -------
    dict
        By link, its starts and ends in order.
    """
    numbers: dict[Hashable, int] = {}
    edges = []
    for demands in on_link.values():
        one, other = (numbers.setdefault(end, len(numbers)) for end in ends[demands[0][0]][:2])
        edges.append(Edge(one, other, sum(time for _, time in demands)))
    indices = list(on_link)
    open_times: dict[int, list[tuple[int, int]]] = {index: [] for index in indices}
    for start, end, edge in run_edges(edges, length, check):
        open_times[indices[edge]].append((start, end))
    return open_times
