"""Scarce places that tenants share: none takes the last ones, and who waits gets them in turn."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

SHARE = 9
"""A tenant may have up to so many times what it leaves free for the others."""


def room_for(held: int, free: int) -> int:
    """Say how much more a tenant may have of what is free.

    Who has nothing may always have one place that is free. Else a tenant leaves a part for others,
    the greater the more it has. Alone it gets nine tenths of all, a second one nine tenths of the
    rest, and so on, so that the next tenant finds a place.

    Parameters
    ----------
    held
        What it has.
    free
        What no tenant has.
    """
    least = 1 if not held and free > 0 else 0
    return max(least, (SHARE * free - held) // (SHARE + 1))


class NoPlaceError(Exception):
    """There is no place, and none came free in time."""


class FairPlaces:
    """A number of places, for which requests of several tenants wait; used on the event loop.

    Who waits gets a place that comes free by the rule that chooses jobs, too: the tenant that has the
    fewest places, then the one that was served least recently; within a tenant who came first.

    Parameters
    ----------
    total
        How many places there are.
    shared
        Whether there are several tenants. One that is alone may have all places.
    waiting
        How many requests may wait for one. They are places of the same kind: no tenant takes the
        last ones.
    """

    def __init__(self, total: int, *, shared: bool, waiting: int = 0) -> None:
        self.total = total
        self._shared = shared
        self._most_waiting = waiting
        self._held: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}
        self._served: dict[str, int] = {}
        self._serial = count(1)

    def take(self, tenant: str) -> bool:
        """Take a place if there is one now; give it back with `leave`."""
        if tenant in self._queues or not self._may_enter(tenant):
            return False
        self._serve(tenant)
        return True

    def leave(self, tenant: str) -> None:
        """Give a place back."""
        self._held[tenant] -= 1
        if not self._held[tenant]:
            del self._held[tenant]
        self._hand_on()
        self._forget(tenant)

    async def wait(self, tenant: str, seconds: float) -> None:
        """Take a place, now or when it is one's turn; give it back with `leave`.

        Parameters
        ----------
        tenant
            Who asks.
        seconds
            How long at most.

        Raises
        ------
        NoPlaceError
            The time is over, or too many wait already.
        """
        if self.take(tenant):
            return
        own = self._queues.get(tenant, ())
        waiting = sum(map(len, self._queues.values()))
        if not self._fair(len(own), self._most_waiting - waiting):
            raise NoPlaceError("too many wait already")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._queues.setdefault(tenant, deque())
        queue.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self.leave(tenant)  # the place came when the request was given up
            else:
                self._dequeue(tenant, turn)
                self._forget(tenant)
            if isinstance(error, TimeoutError):
                raise NoPlaceError("no place came free in time") from None
            raise

    @contextmanager
    def taken(self, tenant: str) -> Iterator[bool]:
        """Have a place for as long as the block lasts, and say so; False: there is none."""
        took = self.take(tenant)
        try:
            yield took
        finally:
            if took:
                self.leave(tenant)

    def held_by(self, tenant: str) -> int:
        """Say how many places a tenant has."""
        return self._held[tenant]

    def wanted(self, tenant: str) -> bool:
        """Say whether another tenant waits for a place."""
        return any(other != tenant for other in self._queues)

    @property
    def held(self) -> int:
        """How many places are taken."""
        return self._held.total()

    def _fair(self, held: int, free: int) -> bool:
        return room_for(held, free) > 0 if self._shared else free > 0

    def _may_enter(self, tenant: str) -> bool:
        return self._fair(self._held[tenant], self.total - self.held)

    def _serve(self, tenant: str) -> None:
        self._held[tenant] += 1
        self._served[tenant] = next(self._serial)

    def _hand_on(self) -> None:
        """Let those in who may come in now, in the order of their turns."""
        while able := [tenant for tenant in self._queues if self._may_enter(tenant)]:
            tenant = min(able, key=lambda one: (self._held[one], self._served.get(one, 0)))
            turn = self._queues[tenant][0]
            self._dequeue(tenant, turn)
            if not turn.done():  # else it has been given up, and that is not known yet
                self._serve(tenant)
                turn.set_result(None)

    def _dequeue(self, tenant: str, turn: "asyncio.Future[None]") -> None:
        queue = self._queues.get(tenant)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[tenant]

    def _forget(self, tenant: str) -> None:
        """Keep nothing of a tenant that has no place and wants none."""
        if tenant not in self._held and tenant not in self._queues:
            self._served.pop(tenant, None)
