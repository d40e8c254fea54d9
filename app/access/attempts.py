"""How often a client may try to log in."""

import math
import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network

MOST = 10
"""Attempts from one address within `SECONDS`."""
SECONDS = 60.0
MOST_ADDRESSES = 10_000
"""That are remembered; beyond, those that tried first are forgotten."""
_NETWORK_BITS = 64
"""Of an IPv6 address: a client that has one has all with the same prefix."""


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
