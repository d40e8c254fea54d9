"""What carries the data of a program, as the referee reads it off a platform under ``multiport``."""

from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.platform import Link, Platform
from steadygrid.domain.resources import (
    half_resource,
    in_resource,
    link_resource,
    medium_resource,
    out_resource,
)


class Carriers(NamedTuple):
    """What carries data, and how fast.

    Attributes
    ----------
    bandwidths
        Data per time unit, by resource.
    uses
        Resources that a hop takes, by its ends; one that it takes twice is listed twice.
    latencies
        By the ends of a hop.
    """

    bandwidths: dict[str, Fraction]
    uses: dict[tuple[str, str], list[str]]
    latencies: dict[tuple[str, str], Fraction]


def read_carriers(platform: Platform) -> Carriers:
    """Read a platform that has no faults.

    Rules, in order:

    1. A link carries data from source to target, and back unless it is ``simplex``.
    2. Each direction has the bandwidth of the link, which both share where it is ``half``.
    3. A processor that is no switch may have a bandwidth of all that leaves it, and one of all
       that enters it.
    4. A link takes each medium as often as it names it.
    """
    processors = {processor.id: processor for processor in platform.processors}
    read = Carriers({medium_resource(m.id): m.bandwidth for m in platform.media}, {}, {})
    for link in platform.links:
        ends = (link.source, link.target)
        for sender, receiver in (ends,) if link.duplex == "simplex" else (ends, ends[::-1]):
            half = link.duplex == "half"
            own = half_resource(sender, receiver) if half else link_resource(sender, receiver)
            read.bandwidths[own] = _bandwidth(link)
            used = [own]
            out, into = processors[sender].bandwidth_out, processors[receiver].bandwidth_in
            if out is not None and not processors[sender].switch:
                read.bandwidths[out_resource(sender)] = out
                used.append(out_resource(sender))
            if into is not None and not processors[receiver].switch:
                read.bandwidths[in_resource(receiver)] = into
                used.append(in_resource(receiver))
            used += [medium_resource(medium) for medium in link.media]
            read.uses[sender, receiver] = used
            read.latencies[sender, receiver] = link.latency
    return read


def _bandwidth(link: Link) -> Fraction:
    if link.bandwidth is not None:
        return link.bandwidth
    assert link.unit_time is not None
    return 1 / link.unit_time
