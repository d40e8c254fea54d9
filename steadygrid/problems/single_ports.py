"""What kinds that schedule transfers on a platform require of workers: its ports, and its cards."""

from typing import Protocol

from steadygrid.domain.job import Options
from steadygrid.domain.platform import SINGLE_PORT, Platform, PortModel
from steadygrid.problems import start_ups

SINCE = 1
"""Workers that solve less know no ports of one transfer at a time, see `steadygrid.problems.SOLVES`."""
CARDS_SINCE = 2
"""Workers that solve less cannot read a platform with network cards."""


class OnPlatform(Protocol):
    """An instance with a platform."""

    @property
    def platform(self) -> Platform:
        """Its processors and links."""


class Ported(OnPlatform, Protocol):
    """An instance with a port model."""

    @property
    def ports(self) -> PortModel:
        """What limits the transfers of a processor."""


def requires(instance: Ported, options: Options) -> int:
    """Say how new a version has to be that knows the ports of an instance, its latencies and its cards."""
    return max(
        SINCE if instance.ports in SINGLE_PORT else 0,
        start_ups.requires(options),
        requires_to_read(instance, options),
    )


def requires_to_read(instance: OnPlatform, _options: Options) -> int:
    """Say how new a version has to be that can read the platform of an instance."""
    given = any(processor.cards is not None for processor in instance.platform.processors)
    return CARDS_SINCE if given else 0
