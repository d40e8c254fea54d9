"""The platform as the referee sees it: derived anew from its description, by identifiers."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.platform import Link, Platform, PortModel, Processor
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

_ONE_TRANSFER = ("send_or_receive", "no_overlap")


class Hop(NamedTuple):
    """One direction of a link."""

    unit_time: Fraction
    """Time for one unit of data."""
    half: str | None
    """Name of what it shares with the opposite direction, on a half-duplex link."""
    uses: tuple[tuple[str, Fraction], ...]
    """Each limited resource with the time on it per unit of data."""
    latency: Fraction = Fraction(0)
    """Time before the data of a message flows, where that is paid."""


@dataclass(frozen=True)
class Network:
    """Which processors can send to which, and what that takes.

    Attributes
    ----------
    hops
        By sender and receiver.
    switches
        Processors that only forward and have no port limit.
    resources
        Names of all limited resources of communication, as the contract spells them.
    start_ups
        By processor, the time before it executes a task, once for executions that follow each other.
        None where the kind knows no latencies.
    cards
        Transfers that a resource serves at a time where these may be several: the ports of a
        processor with a number of cards.
    members
        By processor, how many it stands for, where these are several.
    """

    ports: PortModel
    processors: frozenset[str]
    switches: frozenset[str]
    hops: Mapping[tuple[str, str], Hop]
    resources: frozenset[str]
    start_ups: Mapping[str, Fraction] | None = None
    cards: Mapping[str, int] = field(default_factory=dict)
    members: Mapping[str, int] = field(default_factory=dict)

    @property
    def rates_need_slots(self) -> bool:
        """Whether rates that no resource forbids may be more than slots can carry.

        So it may be under ``one_port`` with half-duplex links, and where a processor takes part in
        one transfer at a time; else every such rate is a schedule.
        """
        if self.ports == "one_port":
            return any(hop.half is not None for hop in self.hops.values())
        return self.one_transfer_each

    @property
    def one_transfer_each(self) -> bool:
        """Whether a processor never sends and receives at a time."""
        return self.ports in _ONE_TRANSFER

    def computing(self, processor: str) -> str:
        """Name what a processor computes with: its port under ``no_overlap``."""
        if self.ports == "no_overlap":
            return port_resource(processor)
        return compute_resource(processor)


def read_network(platform: Platform, ports: PortModel) -> Network:
    """Derive hops and resources from a platform that has no faults.

    Rules, in order:

    1. A link carries data from source to target, and back unless it is ``simplex``.
    2. A half-duplex link has one resource for both directions.
    3. Under ``one_port`` every processor but a switch has one port to send and one to receive.
       With named cards it has such a pair for each card. With a number of cards its ports serve
       that many transfers at a time: a transfer takes a share of them, and a link has no more than
       one.
    4. Under ``send_or_receive`` and ``no_overlap`` a processor has one port for both directions.
       It leaves nothing to a half-duplex link to limit.
    5. A link between two switches limits itself.
    6. Under ``multiport`` every link limits itself. So do the bandwidths of the processors at both
       ends (switches have none), and the media on the route.

    Parameters
    ----------
    platform
        Processors, links, media and cards; routes do not count.
    ports
        The port model.
    """
    processors = {processor.id: processor for processor in platform.processors}
    media = {medium.id: 1 / medium.bandwidth for medium in platform.media}
    hops: dict[tuple[str, str], Hop] = {}
    for link in platform.links:
        source = _End(processors[link.source], link.source_card)
        target = _End(processors[link.target], link.target_card)
        ends = [(source, target)]
        if link.duplex != "simplex":
            ends.append((target, source))
        for sender, receiver in ends:
            hops[sender.processor.id, receiver.processor.id] = _read_hop(
                link, sender, receiver, media, ports
            )
    resources = {name for hop in hops.values() for name, _ in hop.uses}
    resources.update(_own_resources(platform, ports))
    return Network(
        ports,
        frozenset(processors),
        frozenset(name for name, processor in processors.items() if processor.switch),
        hops,
        frozenset(resources),
        {name: processor.latency for name, processor in processors.items()},
        _several_at_a_time(platform) if ports == "one_port" else {},
        {name: one.members for name, one in processors.items() if one.members is not None},
    )


class _End(NamedTuple):
    processor: Processor
    card: str | None
    """By which the link goes there, where the processor has names for its cards."""

    @property
    def at_a_time(self) -> int:
        """Transfers in each direction."""
        return _number_of_cards(self.processor)


def _part(time: Fraction, end: _End) -> Fraction:
    """Give the share of a time that one transfer takes of all that the cards have."""
    return time / end.at_a_time if end.at_a_time > 1 else time


def _number_of_cards(processor: Processor) -> int:
    return processor.cards if isinstance(processor.cards, int) else 1


def _several_at_a_time(platform: Platform) -> dict[str, int]:
    numbers = {processor.id: _number_of_cards(processor) for processor in platform.processors}
    return {
        port(name): number
        for name, number in numbers.items()
        for port in (send_resource, receive_resource)
        if number > 1
    }


def _read_hop(
    link: Link,
    sending: _End,
    receiving: _End,
    media: Mapping[str, Fraction],
    ports: PortModel,
) -> Hop:
    sender, receiver = sending.processor, receiving.processor
    if link.unit_time is not None:
        unit_time = link.unit_time
    elif link.bandwidth is not None:
        unit_time = 1 / link.bandwidth
    else:
        raise ValueError(f"the link from {link.source!r} to {link.target!r} has no speed")
    half = None
    uses: list[tuple[str, Fraction]] = []
    away_from_ports = sender.switch and receiver.switch
    several = ports == "one_port" and (sending.at_a_time > 1 or receiving.at_a_time > 1)
    if link.duplex == "half" and (away_from_ports or ports not in _ONE_TRANSFER):
        half = half_resource(sender.id, receiver.id)
        uses.append((half, unit_time))
    elif ports == "multiport" or away_from_ports or several:
        uses.append((link_resource(sender.id, receiver.id), unit_time))
    if ports == "one_port":
        if not sender.switch:
            uses.append((send_resource(sender.id, sending.card), _part(unit_time, sending)))
        if not receiver.switch:
            uses.append(
                (receive_resource(receiver.id, receiving.card), _part(unit_time, receiving))
            )
    elif ports in _ONE_TRANSFER:
        uses.extend(
            (port_resource(end.id), unit_time) for end in (sender, receiver) if not end.switch
        )
    else:
        if sender.bandwidth_out is not None and not sender.switch:
            uses.append((out_resource(sender.id), 1 / sender.bandwidth_out))
        if receiver.bandwidth_in is not None and not receiver.switch:
            uses.append((in_resource(receiver.id), 1 / receiver.bandwidth_in))
        named = Counter(link.media)
        uses.extend((medium_resource(medium), n * media[medium]) for medium, n in named.items())
    return Hop(unit_time, half, tuple(uses), link.latency)


def _own_resources(platform: Platform, ports: PortModel) -> set[str]:
    names: set[str] = set()
    for processor in platform.processors:
        if processor.switch:
            continue
        if ports == "one_port":
            for card in processor.cards if isinstance(processor.cards, tuple) else (None,):
                names.add(send_resource(processor.id, card))
                names.add(receive_resource(processor.id, card))
        elif ports in _ONE_TRANSFER:
            names.add(port_resource(processor.id))
        else:
            if processor.bandwidth_out is not None:
                names.add(out_resource(processor.id))
            if processor.bandwidth_in is not None:
                names.add(in_resource(processor.id))
    if ports == "multiport":
        names.update(medium_resource(medium.id) for medium in platform.media)
    return names
