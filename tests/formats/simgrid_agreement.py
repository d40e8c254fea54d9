"""Whether the routes of an imported platform are SimGrid's own."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.formats.simgrid.fixed import find_host_routes, with_routes
from steadygrid.formats.simgrid.folding import settle_hosts
from steadygrid.formats.simgrid.network import Network
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.reader import read_declarations
from steadygrid.formats.simgrid.shape import shape_platform
from steadygrid.formats.simgrid.zones import build_layout
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes

Ends = tuple[str, str]
Links = tuple[str, ...]
"""Of a route, by their names in SimGrid, in order."""

LOOPBACK = "__loopback__"
"""Is on SimGrid's route where a bypass begins or ends on a host; the model of its network makes it."""


class Read(NamedTuple):
    """A document as the importer reads it, step by step."""

    network: Network
    platform: Platform
    names: dict[str, str]
    """Of the points of the network, by the ids of processors."""


def read(data: bytes, limits: Limits | None = None) -> Read:
    notes, limits = Notes(), limits or Limits()
    declarations = read_declarations(data, limits, notes)
    settle_hosts(declarations, limits, notes)
    layout = build_layout(declarations, notes)
    ways = find_host_routes(declarations, layout, notes)
    platform = shape_platform(layout.network, "read", limits, notes)
    if ways is not None:
        platform = with_routes(platform, ways, layout.network, limits, notes)
    points = [point.id for point in layout.network.points]
    names = dict(zip((p.id for p in platform.processors), points, strict=True))
    return Read(layout.network, platform, names)


def differences(found: Read, simgrid: Mapping[Ends, Links | None]) -> list[str]:
    """List the pairs of hosts of which the platform's route uses other links than SimGrid's.

    On each route every link is used as often as in SimGrid; of a fat pipe it does not matter how
    often. The latencies of the platform's links sum to those of SimGrid's list.
    """
    ids = {name: i for i, name in found.names.items()}
    routes = FixedRoutes(read_network(found.platform, "multiport"), found.platform.routes)
    capacities = {capacity.name: capacity for capacity in found.network.capacities}
    latencies = dict(_latencies(found.platform))
    wrong = []
    for (source, target), links in simgrid.items():
        expected = None if links is None else tuple(link for link in links if link != LOOPBACK)
        way = routes.path(ids[source], ids[target])
        if not expected or way is None:
            if bool(expected) != (way is not None):
                wrong.append(f"{source} to {target}: {way}, in SimGrid {links}")
            continue
        uses = found.network.along(tuple(found.names[step] for step in way))
        used = Counter(_link(found.network.capacities[index].name) for index in uses)
        wanted = Counter(expected)
        alike = used.keys() == wanted.keys() and all(
            number == wanted[name] or capacities[name].fatpipe for name, number in used.items()
        )
        latency = sum((latencies[hop] for hop in pairwise(way)), Fraction(0))
        if not alike or latency != sum(
            (capacities[name].latency for name in expected), Fraction(0)
        ):
            wrong.append(f"{source} to {target}: {way} over {dict(used)}, in SimGrid {links}")
    return wrong


def _link(name: str) -> str:
    """Give SimGrid's name of a fat pipe of which our name tells for what it stands."""
    return re.sub(r"( of \d+)?( again)?$", "", name)


def _latencies(platform: Platform) -> Iterable[tuple[Ends, Fraction]]:
    for link in platform.links:
        yield (link.source, link.target), link.latency
        if link.duplex != "simplex":
            yield (link.target, link.source), link.latency
