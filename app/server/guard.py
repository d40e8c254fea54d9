"""Who is connected: the limit, and the reserve beyond it for probes."""

from typing import Protocol

from app.server.capacity import RESERVED_CONNECTIONS
from app.settings import Settings

_MOST_RESERVE_SECONDS = 2.0


class Connection(Protocol):
    """What the guard knows of a connection."""

    @property
    def busy(self) -> bool:
        """Whether a request is being answered."""

    def reject(self) -> None:
        """Say that there are too many connections, and close."""


class Guard:
    """The connections of one server.

    A client that comes when the limit is reached gets a place in the reserve, where only probes
    are answered. A full reserve turns its oldest silent connection away: a probe, which
    asks as soon as it is connected, gets through even if all others are silent for ever.

    Parameters
    ----------
    settings
        Deadlines in seconds.
    connections
        The limit.
    """

    def __init__(self, settings: Settings, connections: int) -> None:
        self.header_seconds = settings.header_seconds
        self.stall_seconds = settings.body_seconds
        self.reserve_seconds = min(_MOST_RESERVE_SECONDS, settings.header_seconds)
        self._limit = connections
        self._open: set[Connection] = set()
        self._reserve: dict[Connection, None] = {}

    def enter(self, connection: Connection) -> None:
        """Give a new connection a place."""
        if len(self._open) < self._limit:
            self._open.add(connection)
            return
        if len(self._reserve) >= RESERVED_CONNECTIONS:
            oldest = next((one for one in self._reserve if not one.busy), next(iter(self._reserve)))
            self.leave(oldest)
            oldest.reject()
        self._reserve[connection] = None

    def crowded(self, connection: Connection) -> bool:
        """Whether a connection that asks is beyond the limit. It moves up if there is room."""
        if connection in self._reserve and len(self._open) < self._limit:
            del self._reserve[connection]
            self._open.add(connection)
        return connection not in self._open

    def leave(self, connection: Connection) -> None:
        """Take a connection's place back."""
        self._open.discard(connection)
        self._reserve.pop(connection, None)
