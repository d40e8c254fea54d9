"""How many connections a process takes, by its settings and by the files it may open."""

import resource
from typing import NamedTuple

from app.settings import Settings

RESERVED_CONNECTIONS = 16
"""Beyond the limit, for probes. Other requests there are refused."""
ACCEPTED_AT_A_TIME = 32
"""Connections taken before the event loop looks at anything else."""
OTHER_FILES = 128
"""Files kept for the database's connections, logs and the connections that are closing."""
_MOST_BY_DEFAULT = 4096

CROWDED = "steadygrid.crowded"
"""In ``scope["extensions"]`` of a request that came by a connection of the reserve."""
PROBES = frozenset(("/livez", "/readyz"))


def part(total: int, processes: int) -> int:
    """Give what one of so many processes has of a total: at least one."""
    return max(1, total // processes)


def share_of(settings: Settings, processes: int) -> Settings:
    """Give the settings of one of so many API processes that together keep to the limits.

    Raises
    ------
    TooManyConnectionsError
        See `capacity_of`.
    """
    most = capacity_of(settings).connections
    share = {
        "max_connections": part(most, processes),
        "reading_processes": part(settings.reading_processes, processes),
    }
    return settings.model_copy(update=share)


class TooManyConnectionsError(ValueError):
    """The process may not open enough files for so many connections."""


class Capacity(NamedTuple):
    """What a process takes at once."""

    connections: int
    """Open connections. The reserve comes on top."""
    waiting: int
    """Requests that wait for a job, event streams among them."""


def capacity_of(settings: Settings) -> Capacity:
    """Give the capacity that the settings name, or half of the limit of open files.

    Raises
    ------
    TooManyConnectionsError
        With the numbers.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        files = 2 * _MOST_BY_DEFAULT
    asked = settings.max_connections
    most = max(1, min(_MOST_BY_DEFAULT, files // 2)) if asked is None else asked
    if asked is not None and most + RESERVED_CONNECTIONS + OTHER_FILES > files:
        raise TooManyConnectionsError(
            f"STEADYGRID_MAX_CONNECTIONS is {most}, but this process may open {files} files only,"
            f" and {RESERVED_CONNECTIONS + OTHER_FILES} are needed for the rest. Raise the limit"
            " (ulimit -n) or lower the setting"
        )
    return Capacity(most, max(1, most // 2))
