"""What kinds that know ports of one transfer at a time say of them."""

from typing import Protocol

from steadygrid.domain.job import Options
from steadygrid.domain.platform import SINGLE_PORT, PortModel
from steadygrid.problems import start_ups

SINCE = 1
"""Workers that solve less do not know them, see `steadygrid.problems.SOLVES`."""


class Ported(Protocol):
    """An instance with a port model."""

    @property
    def ports(self) -> PortModel:
        """What limits the transfers of a processor."""


def requires(instance: Ported, options: Options) -> int:
    """Say how new a version has to be that knows the ports of an instance, and its latencies."""
    return max(
        SINCE if instance.ports in SINGLE_PORT else 0,
        start_ups.requires(options),
    )
