"""What limits the moves of a program: the resources of a platform under ``multiport``."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.domain.resources import medium_resource

Hop = tuple[int, int]
"""Two neighbouring processors of a route."""


class Network(NamedTuple):
    """Resources that hops of routes share."""

    bandwidths: Sequence[Fraction]
    """Of each resource, data per time."""
    uses: Mapping[Hop, tuple[int, ...]]
    """The resources that limit a hop; one stands twice if data takes it twice."""
    latencies: Mapping[Hop, Fraction]
    """Of hops. What is not in it has none."""


def network_of(platform: Platform) -> Network:
    """List the resources of a platform under ``multiport``.

    Parameters
    ----------
    platform
        Its processors are numbered as they stand in `Platform.processors`.
    """
    media = {medium_resource(medium.id): medium.bandwidth for medium in platform.media}
    numbers: dict[str, int] = {}
    bandwidths: list[Fraction] = []
    uses: dict[Hop, tuple[int, ...]] = {}
    latencies: dict[Hop, Fraction] = {}
    for arc in platform.arcs:
        hop = arc.source, arc.target
        taken: list[int] = []
        for use in arc_uses(platform, arc, "multiport"):
            bandwidth = media.get(use.resource, 1 / use.time_per_data)
            if use.resource not in numbers:
                numbers[use.resource] = len(bandwidths)
                bandwidths.append(bandwidth)
            taken += [numbers[use.resource]] * int(bandwidth * use.time_per_data)
        uses[hop] = tuple(taken)
        latency = platform.links[arc.link].latency
        if latency:
            latencies[hop] = latency
    return Network(bandwidths, uses, latencies)
