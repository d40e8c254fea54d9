"""What kinds that schedule transfers on a platform require of workers: its ports, cards and memory."""

from typing import Protocol

from steadygrid.domain.application import Application
from steadygrid.domain.job import Options
from steadygrid.domain.platform import SINGLE_PORT, Platform, PortModel
from steadygrid.kinds.shared import start_ups

SINCE = 1
"""Workers that solve less know no ports of one transfer at a time, see `steadygrid.kinds.SOLVES`."""
CARDS_SINCE = 2
"""Workers that solve less cannot read a platform with network cards."""
MISSING_ROUTES_SINCE = MEMBERS_SINCE = 10
"""Workers that solve less cannot read routes that are missing, and processors that stand for several."""
MEMORY_SINCE = 6
"""Workers that solve less cannot read the memory of processors and tasks, nor place within it."""


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


class WithTasks(Ported, Protocol):
    """An instance with an application, too."""

    @property
    def application(self) -> Application:
        """Its tasks and files."""


def requires(instance: Ported, options: Options) -> int:
    """Say how new a version has to be that knows the ports of an instance, its latencies and its cards.

    Parameters
    ----------
    instance
        Well-formed.
    options
        `latencies` is read.
    """
    return max(
        SINCE if instance.ports in SINGLE_PORT else 0,
        start_ups.requires(options),
        requires_to_read(instance, options),
    )


def requires_to_read(instance: OnPlatform, _options: Options) -> int:
    """Say how new a version has to be that can read the platform of an instance.

    Parameters
    ----------
    instance
        Well-formed.
    _options
        Not read.
    """
    processors = instance.platform.processors
    return max(
        CARDS_SINCE if any(one.cards is not None for one in processors) else 0,
        MEMORY_SINCE if any(one.memory is not None for one in processors) else 0,
        MISSING_ROUTES_SINCE if instance.platform.missing_routes else 0,
        MEMBERS_SINCE if any(one.members is not None for one in processors) else 0,
    )


def requires_with_tasks(instance: WithTasks, options: Options) -> int:
    """Say the same where tasks may say how much memory they need, used or not.

    Parameters
    ----------
    instance
        Well-formed.
    options
        As `requires` reads them.
    """
    given = any(task.memory is not None for task in instance.application.tasks)
    return max(requires(instance, options), MEMORY_SINCE if given else 0)
