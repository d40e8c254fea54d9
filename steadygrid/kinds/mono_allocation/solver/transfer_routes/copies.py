"""From the solver's numbers to copies of tasks that are needed, and the routes of their files."""

from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.flows.paths import Shares, nearly_paths_to, paths_to
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import ReferencePath, Tables
from steadygrid.engine.mapping.transfers import transfers_of

Supply = Callable[[int, Sequence[int], Sequence[int]], Shares]
"""Gives the routes of a file (its position) from processors that make it to those that need it."""


def needed_copies(
    tables: Tables, places: Sequence[Sequence[int]], supply: Supply
) -> tuple[list[tuple[int, ...]], tuple[Transfer, ...]]:
    """Keep the copies that some final task needs, and find the routes of their files.

    Backwards from the tasks without successor: a copy is needed where one of its files stays for
    a needed copy, or where a route begins.

    Parameters
    ----------
    places
        Processors with a copy, per task.
    supply
        Called once per file that moves, users before their producers.

    Raises
    ------
    NoMapping
        If rounding has left too little to find a route.
    """
    needed: list[set[int]] = [
        set() if tables.outgoing[k] else set(row[:1]) for k, row in enumerate(places)
    ]
    transfers: dict[int, list[Transfer]] = {}
    arcs = tables.platform.arcs
    for l in backwards(tables):
        for f in tables.incoming[l]:
            k = tables.files[f][0]
            receivers = [r for r in sorted(needed[l]) if r not in places[k]]
            needed[k] |= needed[l] - set(receivers)
            if receivers:
                routes = supply(f, places[k], receivers)
                transfers[f] = transfers_of(tables, f, routes)
                starts = {arcs[route[0]].source for route, _ in routes}
                needed[k] |= starts & set(places[k])
    return (
        [tuple(sorted(row)) for row in needed],
        tuple(transfer for f in sorted(transfers) for transfer in transfers[f]),
    )


def backwards(tables: Tables) -> list[int]:
    """List the tasks, each before those that make its files."""
    waiting = [len(files) for files in tables.outgoing]
    order = [k for k, count in enumerate(waiting) if not count]
    for l in order:
        for f in tables.incoming[l]:
            k = tables.files[f][0]
            waiting[k] -= 1
            if not waiting[k]:
                order.append(k)
    return order


def whole_over_links(tables: Tables, sent: Mapping[tuple[int, int], float]) -> Supply:
    """Read routes from copies per link, which are integers up to rounding.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    sent
        Copies by file and arc, of a solution in floats.
    """
    flows: dict[int, dict[int, Fraction]] = defaultdict(dict)
    for (f, arc), copies in sent.items():
        if round(copies):
            flows[f][arc] = Fraction(round(copies))

    def supply(file: int, _: Sequence[int], receivers: Sequence[int]) -> Shares:
        return paths_to(tables.platform, flows[file], receivers)

    return supply


def split_over_links(tables: Tables, sent: Mapping[tuple[int, int], float]) -> Supply:
    """Read routes from shares per link in double precision.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    sent
        Share by file and arc, of a solution in floats.
    """
    flows: dict[int, dict[int, float]] = defaultdict(dict)
    for (f, arc), share in sent.items():
        flows[f][arc] = share

    def supply(file: int, senders: Sequence[int], receivers: Sequence[int]) -> Shares:
        found: Shares = []
        for receiver in receivers:
            routes = nearly_paths_to(tables.platform, flows[file], senders, receiver)
            if not routes:
                raise NoMapping("too little is left of the flow of a file")
            found += routes
        return found

    return supply


def over_given_paths(tables: Tables, got: Mapping[tuple[int, int, int], float]) -> Supply:
    """Let each receiver get a file from the processor from which it gets most of it.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    got
        Share by file, sender and receiver, of a solution in floats.
    """

    def supply(file: int, senders: Sequence[int], receivers: Sequence[int]) -> Shares:
        found: Shares = []
        for r in receivers:
            q = max(senders, key=lambda q: got.get((file, q, r), 0.0))
            found.append((_given(tables, q, r), Fraction(1)))
        return found

    return supply


def _given(tables: Tables, source: int, target: int) -> ReferencePath:
    route = tables.reference_path(source, target)
    if not route:
        raise NoMapping("rounding has chosen a pair of processors without a path")
    return route


def over_used_links(tables: Tables, used: Mapping[tuple[int, int], float]) -> Supply:
    """Grow a tree from the producers over the links that carry a file, and cut it into paths.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    used
        By file and arc, 1 where it carries the file, of a solution in floats.
    """
    platform = tables.platform
    open_arcs = {key for key, value in used.items() if round(value)}

    def supply(file: int, senders: Sequence[int], receivers: Sequence[int]) -> Shares:
        parent = _tree(
            senders,
            lambda place: (
                (arc.index, (arc.target,))
                for arc in platform.arcs_out[place]
                if (file, arc.index) in open_arcs
            ),
        )
        return _branches(platform, parent, senders, receivers)

    return supply


def _tree(
    roots: Sequence[int], onward: Callable[[int], Iterable[tuple[int, Sequence[int]]]]
) -> dict[int, int]:
    """Search in breadth; give by what each processor is reached first."""
    parent: dict[int, int] = {}
    seen = set(roots)
    queue = deque(roots)
    while queue:
        for name, reached in onward(queue.popleft()):
            for place in reached:
                if place not in seen:
                    seen.add(place)
                    parent[place] = name
                    queue.append(place)
    return parent


def _branches(
    platform: Platform, parent: Mapping[int, int], roots: Sequence[int], ends: Sequence[int]
) -> Shares:
    """Cut a tree into paths, each from a processor that has the file by the ones before."""
    having = set(roots)
    found: Shares = []
    for end in ends:
        route: list[int] = []
        place = end
        while place not in having:
            if place not in parent:
                raise NoMapping("the links that carry a file reach no receiver")
            route.append(parent[place])
            place = platform.arcs[parent[place]].source
        if route:
            having.update(platform.arcs[arc].target for arc in route)
            pieces = _cut(platform, tuple(reversed(route)), ends)
            found += [(piece, Fraction(1)) for piece in pieces]
    return found


def over_chosen_paths(tables: Tables, chosen: Mapping[tuple[int, int, int], float]) -> Supply:
    """Keep, of the given routes that were chosen, those that bring a file to where it is needed.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    chosen
        By file and both ends of a route, 1 where it is chosen, of a solution in floats.
    """
    platform = tables.platform
    arcs = platform.arcs
    from_place: dict[tuple[int, int], list[int]] = defaultdict(list)
    for (f, q, r), value in chosen.items():
        if round(value):
            from_place[f, q].append(r)

    def supply(file: int, senders: Sequence[int], receivers: Sequence[int]) -> Shares:
        routes: list[tuple[int, int]] = []

        def onward(place: int) -> Iterable[tuple[int, Sequence[int]]]:
            for end in from_place[file, place]:
                routes.append((place, end))
                passed = [arcs[arc].target for arc in tables.reference_path(place, end) or ()]
                yield len(routes) - 1, passed

        parent = _tree(senders, onward)
        kept: set[int] = set()
        waiting = list(receivers)
        while waiting:
            place = waiting.pop()
            if place not in senders and place not in parent:
                raise NoMapping("the paths that carry a file reach no receiver")
            if place not in senders and parent[place] not in kept:
                kept.add(parent[place])
                waiting.append(routes[parent[place]][0])
        stops = {*receivers, *(routes[number][0] for number in kept)} - set(senders)
        pieces = [
            piece
            for number in sorted(kept)
            for piece in _cut(platform, _as_far_as_needed(tables, *routes[number], stops), stops)
        ]
        ends = {arcs[piece[-1]].target for piece in pieces}
        if len(ends) < len(pieces):
            raise NoMapping("a file reaches a processor over two paths")
        return [(piece, Fraction(1)) for piece in pieces]

    return supply


def _as_far_as_needed(tables: Tables, start: int, end: int, stops: Container[int]) -> ReferencePath:
    """Give the given route, or that to its last stop where this is a part of it.

    Raises
    ------
    NoMapping
        If the file would go on to where no task needs it.
    """
    route = tables.reference_path(start, end) or ()
    arcs = tables.platform.arcs
    last = max(i for i, arc in enumerate(route, start=1) if arcs[arc].target in stops)
    needed = route[:last]
    if last < len(route) and tables.reference_path(start, arcs[needed[-1]].target) != needed:
        raise NoMapping("a given route goes on to where no task needs the file")
    return needed


def _cut(
    platform: Platform, route: ReferencePath, stops: Container[int]
) -> Iterator[ReferencePath]:
    """Cut a route where a copy of the file is needed, or sent on."""
    begun = 0
    for position, arc in enumerate(route, start=1):
        if platform.arcs[arc].target in stops or position == len(route):
            yield route[begun:position]
            begun = position
