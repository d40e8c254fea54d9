"""How often a client may try to log in."""

import math
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

from limits import RateLimitItemPerMinute
from limits.aio.strategies import MovingWindowRateLimiter

from app.access.counts import Counts, Storage
from app.settings import Settings

MOST = 10
"""Attempts from one address within `SECONDS`."""
SECONDS = 60.0
MOST_ADDRESSES = 10_000
"""That are remembered; beyond, those that tried first are forgotten."""
_LIMIT = RateLimitItemPerMinute(MOST)
_NETWORK_BITS = 64
"""Of an IPv6 address: a client that has one has all with the same prefix."""


class SharedAttempts:
    """Counts attempts to log in by address, those of all API processes where there is Redis.

    While Redis is away each process counts for itself.

    Parameters
    ----------
    settings
        `redis_url`.
    """

    def __init__(self, settings: Settings) -> None:
        self._counts = Counts(settings, "logins", "login_limits")
        self._own = Attempts()

    async def wait(self, address: str) -> int:
        """Count an attempt; give the seconds to wait, 0 where it may be made now."""

        async def ask(storage: Storage) -> int:
            window = MovingWindowRateLimiter(storage)
            if await window.hit(_LIMIT, _name(address)):
                return 0
            end = (await window.get_window_stats(_LIMIT, _name(address))).reset_time
            return max(1, math.ceil(end - time.time()))

        seconds = await self._counts.ask(ask) if self._counts.shared else None
        return self._own.wait(address) if seconds is None else seconds

    async def close(self) -> None:
        """Leave Redis."""
        await self._counts.close()


class Attempts:
    """Counts attempts to log in by address, those of one process.

    Parameters
    ----------
    clock
        Gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[str, list[float]] = {}

    def wait(self, address: str) -> int:
        """Count an attempt; give the seconds to wait, 0 where it may be made now."""
        now = self._clock()
        name = _name(address)
        made = [at for at in self._made.pop(name, ()) if at > now - SECONDS]
        refused = len(made) >= MOST
        if not refused:
            made.append(now)
        self._made[name] = made
        if len(self._made) > MOST_ADDRESSES:
            del self._made[next(iter(self._made))]
        return math.ceil(made[0] + SECONDS - now) if refused else 0


def _name(address: str) -> str:
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(known, IPv6Address):
        return address
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ip_network((known, _NETWORK_BITS), strict=False))
