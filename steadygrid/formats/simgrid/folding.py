"""Hosts that are declared together: each by itself, or interchangeable ones as one.

Where a platform would have more processors than the limits allow, the hosts of a cluster that differ
in nothing but their names become one processor, which stands for all of them: nothing is expanded
before. The first of them stays by itself, as do those that anything else in the document names, and
those that the caller wants apart.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid.declarations import (
    Declarations,
    DeclaredLink,
    DeclaredRoute,
    Hop,
    Host,
    HostLink,
    Hosts,
    Leaf,
    Zone,
)
from steadygrid.formats.simgrid.groups import GroupIndex
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.topologies import interchangeable, num_links, num_points

_LONGEST_LABEL = 60
MOST_UNFOLDED = 20_000
"""Processors of a platform whose interchangeable hosts all stay by themselves."""
MOST_IN_FABRIC = 1_000_000
"""Hosts of one fabric. They are looked at one by one."""
_FOLDED = (
    "interchangeable hosts are one processor, whose speed and links are those of all of them"
    " together. Write apart=NAME,... to keep hosts by themselves"
)


def settle_hosts(
    declarations: Declarations, limits: Limits, notes: Notes, apart: Collection[str] = ()
) -> None:
    """Give every zone its hosts, with their links, in place of groups of them.

    Parameters
    ----------
    declarations
        Is changed.
    apart
        Names of hosts that are never folded.

    Raises
    ------
    InstanceError
        Of two hosts of one name.
    LimitError
        Where even folded hosts are too many, or the links of a fabric.
    """
    groups = [(zone, hosts) for zone in declarations.zones for hosts in zone.groups]
    index = GroupIndex([hosts for _, hosts in groups])
    for name in index.strangers(declarations, apart):
        notes.add("apart: there is no such host", name)
    _refuse_large_fabrics(declarations, limits)
    hidden = {link.id for link in declarations.links if link.policy == "SHARED" or link.latency}
    room = limits.max_processors - sum(_fixed_size(zone, hidden) for zone in declarations.zones)
    beyond = max(0, limits.max_processors - MOST_UNFOLDED)
    folds = sum(hosts.count for _, hosts in groups) > room - beyond
    if folds:
        index.refuse_doubles(declarations)
        for name in chain(apart, _names_in(declarations)):
            index.set_apart(name)
    for position, (zone, hosts) in enumerate(groups):
        singles = index.singles[position] if folds else None
        if zone.fabric is None:
            room -= _settle_on_hub(declarations, zone, hosts, singles, notes)
        else:
            room -= _settle_in_fabric(zone, hosts, singles, room, notes)
        if room < 0:
            most, line = limits.max_processors, zone.line if zone.fabric else hosts.line
            raise _too_many_processors(most - room, most, line)


def _fixed_size(zone: Zone, hidden: Collection[str]) -> int:
    """Count the processors and switches of a zone, without hosts that are declared together.

    The only router of a Cluster zone is its hub, if no backbone is hidden behind it: such as is
    shared or takes time.
    """
    if zone.fabric is not None:
        return num_points(zone.fabric.topology)
    routers = sum(host.router for host in zone.hosts)
    has_hub = zone.routing == "cluster" and (routers != 1 or zone.backbone in hidden)
    return len(zone.hosts) + has_hub


def _refuse_large_fabrics(declarations: Declarations, limits: Limits) -> None:
    for zone in declarations.zones:
        if zone.fabric is None:
            continue
        topology = zone.fabric.topology
        for number, most, noun in (
            (num_links(topology), limits.max_links, "links between its switches"),
            (topology.count, MOST_IN_FABRIC, "hosts that are no flat cluster"),
        ):
            if number > most:
                detail = (
                    f"line {zone.line}: the cluster {zone.id[:80]!r} has {number:,} {noun}. At most"
                    f" {most:,} are accepted"
                )
                raise LimitError(detail, [Fault((), "limit_exceeded", detail)])
        if (number := num_points(topology)) > limits.max_processors:
            raise _too_many_processors(number, limits.max_processors, zone.line)


def _too_many_processors(number: int, most: int, line: int) -> LimitError:
    detail = (
        f"line {line}: with this the platform has {number:,} processors and switches or more,"
        f" interchangeable hosts counted once. At most {most:,} are accepted (max_processors):"
        " declare fewer hosts, or raise STEADYGRID_MAX_PROCESSORS"
    )
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])


def _names_in(declarations: Declarations) -> Iterator[str]:
    """Give what routes and host links name: hosts, routers, zones and links."""
    for zone in declarations.zones:
        for route in (*zone.routes, *zone.bypasses):
            yield from _names_of(route)
        for link in zone.host_links:
            yield link.host
            yield from (hop.link for hop in (*link.up, *link.down))


def _names_of(route: DeclaredRoute) -> Iterator[str]:
    yield from (route.source, route.target, *(route.gateways or ()))
    yield from (hop.link for hop in route.hops)


# --- hosts on a hub ----------------------------------------------------------------------


def _settle_on_hub(
    declarations: Declarations, zone: Zone, hosts: Hosts, singles: set[int] | None, notes: Notes
) -> int:
    """Add the hosts of a group, folded where `singles` says which are not; count them."""
    if singles is None or hosts.count - len(singles) < 2:
        for number in chain.from_iterable(hosts.numbers):
            _add(declarations, zone, hosts, str(number), 1)
        return hosts.count
    for number in sorted(singles):
        _add(declarations, zone, hosts, str(number), 1)
    label = _label(_remove_singles(hosts.numbers, singles))
    _add(declarations, zone, hosts, label, hosts.count - len(singles))
    notes.add(_FOLDED, hosts.name(label))
    return len(singles) + 1


def _add(declarations: Declarations, zone: Zone, hosts: Hosts, label: str, members: int) -> None:
    """Add a host and its links; or one that stands for some, with what all have together."""
    name, link = hosts.name(label), hosts.link_name(label)
    zone.hosts.append(_host(hosts, name, members))
    bandwidth, latency, policy = hosts.link
    line, split = hosts.line, policy == "SPLITDUPLEX"
    declarations.links.append(DeclaredLink(link, bandwidth * members, latency, policy, line))
    up = [Hop(link, "UP" if split else "NONE")]
    down = [Hop(link, "DOWN" if split else "NONE")]
    if hosts.limiter is not None:
        limiter = f"{link}_limiter"
        declarations.links.append(
            DeclaredLink(limiter, hosts.limiter * members, latency * 0, "SHARED", line)
        )
        up.insert(0, Hop(limiter))
        down.append(Hop(limiter))
    zone.host_links.append(HostLink(name, tuple(up), tuple(down), line))


def _host(hosts: Hosts, name: str, members: int) -> Host:
    speed = None if hosts.speed is None else hosts.speed * members
    return Host(name, speed, router=False, line=hosts.line, members=members)


def _remove_singles(numbers: Iterable[range], singles: Collection[int]) -> Iterator[range]:
    """Give the ranges of numbers, ascending, without some of them."""
    left = sorted(singles)
    for piece in sorted(numbers, key=lambda piece: piece.start):
        start = piece.start
        for single in left[bisect_left(left, piece.start) : bisect_left(left, piece.stop)]:
            if start < single:
                yield range(start, single)
            start = single + 1
        if start < piece.stop:
            yield range(start, piece.stop)


def _label(pieces: Iterable[range]) -> str:
    """Write numbers as an element does, as far as there is room."""
    joined: list[range] = []
    for piece in pieces:
        if joined and joined[-1].stop == piece.start:
            joined[-1] = range(joined[-1].start, piece.stop)
        else:
            joined.append(piece)
    texts = [
        f"{piece.start}" if len(piece) == 1 else f"{piece.start}-{piece.stop - 1}"
        for piece in joined[:_LONGEST_LABEL]
    ]
    text = ",".join(texts)
    if len(joined) > _LONGEST_LABEL or len(text) > _LONGEST_LABEL:
        text = f"{texts[0]},...,{joined[-1].stop - 1}"
    return f"[{text}]"


# --- hosts of a fabric -------------------------------------------------------------------


def _settle_in_fabric(
    zone: Zone, hosts: Hosts, singles: set[int] | None, room: int, notes: Notes
) -> int:
    """Give a fabric its leaves, folded where `singles` says which are not; count them."""
    if zone.fabric is None:
        raise ValueError(f"{zone.id!r} is no fabric")
    for group in interchangeable(zone.fabric.topology):
        numbers = [(position, hosts.number_at(position)) for position in group]
        alone = [one for one in numbers if singles is None or one[1] in singles]
        rest = [one for one in numbers if singles is not None and one[1] not in singles]
        if len(rest) == 1:
            alone, rest = sorted([*alone, *rest]), []
        for position, number in alone:
            zone.leaves.append(Leaf(position, _host(hosts, hosts.name(number), 1)))
        if rest:
            label = _label(range(number, number + 1) for number in sorted(n for _, n in rest))
            name = hosts.name(label)
            zone.leaves.append(Leaf(rest[0][0], _host(hosts, name, len(rest))))
            notes.add(_FOLDED, name)
        if len(zone.leaves) > room:
            break
    return len(zone.leaves)
