"""Method and size of a `divisible_star` instance, before anything is built."""

from collections.abc import Iterator

from steadygrid.domain.cards import unused_cards
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_memory
from steadygrid.kinds.divisible_star.choice import SEVERAL_ROUNDS, method_of, most_messages
from steadygrid.kinds.divisible_star.order import arcs_down, latencies, order_of, working
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.kinds.shared.single_ports import requires_to_read

SINCE = 3
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""


def requires(instance: DivisibleStarInstance, options: Options) -> int:
    """Say how new a version has to be that knows this kind.

    Parameters
    ----------
    instance
        Well-formed.
    options
        Not read.
    """
    return max(SINCE, requires_to_read(instance, options))


def sizing(instance: DivisibleStarInstance, options: Options) -> Sizing:
    """Count what takes part, and variables, constraints and coefficients of the program.

    The closed form builds none.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    """
    members = order_of(instance)
    computing = len(working(instance))
    method = method_of(instance)
    assert method is not None
    several = instance.rounds > 1 or method in SEVERAL_ROUNDS
    messages = most_messages(instance)[0] if several else len(members)
    chosen = instance.rounds > 1 and latencies(
        instance, arcs_down(instance.platform, instance.master)
    )
    return Sizing(
        method,
        {
            "processors": len(instance.platform.processors),
            "workers": computing,
            "messages": messages,
            "variables": computing + 2 * messages + 1,
            "constraints": computing + 2 * messages + 1,
            "coefficients": 4 * computing + 5 * messages,
        },
        tuple(_unused(instance, len(members) + 1)),
        "leave out processors",
        frozenset() if chosen else frozenset({"mip_gap"}),
    )


def _unused(instance: DivisibleStarInstance, members: int) -> Iterator[str]:
    """Name what was given but is not used."""
    platform = instance.platform
    idle = len(platform.processors) - members
    if idle > 0:
        yield f"{idle} {'processor takes' if idle == 1 else 'processors take'} no part"
    if platform.routes:
        yield "routes are not used: in a tree there is only one route"
    if platform.media:
        yield f"media are not used under {instance.ports}"
    if any(p.bandwidth_in is not None or p.bandwidth_out is not None for p in platform.processors):
        yield f"bandwidth_in and bandwidth_out are not used under {instance.ports}"
    yield from unused_cards(platform)
    yield from unused_memory(platform)
