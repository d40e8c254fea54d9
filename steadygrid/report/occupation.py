"""How busy every resource of a platform is, exactly, for every form of the schedule."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.occupation import occupation
from steadygrid.domain.platform import SINGLE_PORT, Arc, Platform, Processor, computing_resource
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    in_resource,
    link_resource,
    medium_resource,
    out_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import Computing, Sending, Timetable
from steadygrid.report.report import Report

ONE_AT_A_TIME = (*SINGLE_PORT, "strict_one_port")
"""Port models under which a processor's transfers, in both directions, keep one port busy."""
_SORTS = (".compute", ".send", ".receive", ".port", ".link", ".half", ".in", ".out", ".medium")
"""Ends of the names of what `resources_of` lists. Some kinds price rows of their programs, too."""


class Resource(NamedTuple):
    """Something that a schedule can keep busy.

    Attributes
    ----------
    name
        As in certificates: ``P.send``, ``A->B.link``.
    what
        The end of its name: ``compute``, ``send``, ``receive``, ``port``, ``out``, ``in``, ``link``,
        ``half``, ``medium`` or ``odd``.
    ends
        The processor that it belongs to; of a link the sender and the receiver, of a half-duplex
        one the ends as the platform lists them. The members of a set; of a medium none.
    card, medium
        Ids, where it is a port of a named card, or a medium.
    """

    name: str
    what: str
    ends: tuple[str, ...]
    card: str | None = None
    medium: str | None = None


def resources_of(platform: Platform, ports: str, named: Collection[str] = ()) -> Iterator[Resource]:
    """List the resources of a platform under a port model: by processor, by link, media, sets.

    Parameters
    ----------
    named
        Resources of which an answer speaks: processors without a speed compute, too, where tasks
        say how long they take there, and links within a set of an odd number of processors may be
        a resource together.

    Notes
    -----
    Links are listed under every port model, as they carry data under each. Processors' bandwidths
    and media under ``multiport``, where they limit. Where a port does several things, what it
    spends on each is listed, too.
    """
    for processor in platform.processors:
        compute = compute_resource(processor.id)
        if processor.time_per_work is not None or compute in named:
            yield Resource(compute, "compute", (processor.id,))
        yield from _ports_of(processor, ports)
    for link in platform.links:
        if link.duplex == "half":
            name = half_resource(link.source, link.target)
            yield Resource(name, "half", (link.source, link.target))
            continue
        directions = [(link.source, link.target), (link.target, link.source)]
        for direction in directions[:1] if link.duplex == "simplex" else directions:
            yield Resource(link_resource(*direction), "link", direction)
    if ports == "multiport":
        for medium in platform.media:
            yield Resource(medium_resource(medium.id), "medium", (), medium=medium.id)
    for name in named:
        if name.endswith(".odd"):
            yield Resource(name, "odd", tuple(name.removesuffix(".odd").split("--")))


def _ports_of(processor: Processor, ports: str) -> Iterator[Resource]:
    owner = processor.id
    if processor.switch:
        return
    if ports == "multiport":
        if processor.bandwidth_out is not None:
            yield Resource(out_resource(owner), "out", (owner,))
        if processor.bandwidth_in is not None:
            yield Resource(in_resource(owner), "in", (owner,))
        return
    if ports in ONE_AT_A_TIME:
        yield Resource(port_resource(owner), "port", (owner,))
    for card in processor.card_names or (None,):
        yield Resource(send_resource(owner, card), "send", (owner,), card)
        yield Resource(receive_resource(owner, card), "receive", (owner,), card)


def occupation_of(report: Report) -> dict[str, Fraction] | None:
    """Compute the share of the time for which a schedule keeps each resource busy.

    Returns
    -------
    dict
        By the names of `resources_of`, idle ones left out. Of a period; of the time until all is
        done, where the schedule runs once; of what a data set takes in the long run, where it
        repeats row by row. None where there is no platform, or no schedule.
    """
    platform, found = report.platform, report.found
    if platform is None or found is None:
        return None
    if isinstance(found, Schedule):
        return _periodic(report, platform, found)
    if isinstance(found, Timeline):
        return _timeline_occupation(platform, found)
    return _by_rows(platform, found)


def prices_of(report: Report) -> dict[str, Fraction]:
    """Give the prices of the certificate, without those that are 0."""
    return {name: price for name, price in report.prices.items() if price}


def strange_price(report: Report) -> str | None:
    """Name a resource that an answer prices and the platform asked about does not have, if any."""
    if report.platform is None:
        return None
    prices = prices_of(report)
    known = {one.name for one in resources_of(report.platform, report.ports, prices)}
    of_platforms = (name for name in prices if name.endswith(_SORTS))
    return next((name for name in of_platforms if name not in known), None)


def _periodic(report: Report, platform: Platform, schedule: Schedule) -> dict[str, Fraction]:
    if not schedule.period:
        return {}
    carried = occupation(platform, report.view.file_sizes, schedule, "multiport")
    links = {name: share for name, share in carried.items() if name.endswith((".link", ".half"))}
    return links | report.busy | report.occupation


def _timeline_occupation(platform: Platform, timeline: Timeline) -> dict[str, Fraction]:
    times: Amounts[str | tuple[str, str]] = Amounts()
    for event in timeline.events:
        times[event.place] += event.end - event.start
    busy: Amounts[str] = Amounts()
    for place, time in times.items():
        if isinstance(place, str):
            busy[compute_resource(place)] += time
            continue
        for name in _taken(platform, place, timeline.ports):
            busy[name] += time
    return {name: time / timeline.makespan for name, time in busy.items() if time}


def _by_rows(platform: Platform, timetable: Timetable) -> dict[str, Fraction]:
    ports = timetable.ports or "one_port"
    busy: Amounts[str] = Amounts()
    for row in timetable.rows:
        taken: list[str] = []
        if isinstance(row.operation, Computing):
            owner = row.operation.processor
            taken = list(dict.fromkeys((compute_resource(owner), computing_resource(owner, ports))))
        elif isinstance(row.operation, Sending):
            taken = _taken(platform, (row.operation.sender, row.operation.receiver), ports)
        for name in taken:
            busy[name] += row.time / row.every
    return {name: share for name, share in busy.items() if share}


def _taken(platform: Platform, direction: tuple[str, str], ports: str) -> list[str]:
    """Name what a transfer over a link keeps busy."""
    index = platform.index_by_id
    arc: Arc = platform.arc_by_ends[index[direction[0]], index[direction[1]]]
    taken = [link_resource(*direction) if arc.half is None else half_resource(*direction)]
    ends = (
        (platform.processors[arc.source], send_resource(direction[0], arc.source_card)),
        (platform.processors[arc.target], receive_resource(direction[1], arc.target_card)),
    )
    for processor, name in ends:
        if not processor.switch:
            taken.append(name)
            if ports in ONE_AT_A_TIME:
                taken.append(port_resource(processor.id))
    return taken
