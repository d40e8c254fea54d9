"""What many ask for at the same time is looked up once, and never before they have asked."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.access.lookups import Lookups

PATIENCE = 30.0


class Shelf:
    """Something that is looked up, when it is let."""

    def __init__(self) -> None:
        self.begun = 0
        self.let = asyncio.Semaphore(0)

    async def look(self) -> int:
        self.begun += 1
        number = self.begun
        await self.let.acquire()
        return number

    async def fail(self) -> int:
        await self.look()
        raise KeyError(self.begun)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def played(scene: Callable[[Lookups[str, int], Shelf], Awaitable[None]]) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE):
            await scene(Lookups(), Shelf())

    asyncio.run(play())


def test_calls_during_a_lookup_in_progress_share_the_next() -> None:
    async def scene(lookups: Lookups[str, int], shelf: Shelf) -> None:
        first = asyncio.ensure_future(lookups.ask("a", shelf.look))
        await settled()
        assert shelf.begun == 1
        later = [asyncio.ensure_future(lookups.ask("a", shelf.look)) for _ in range(1000)]
        other = asyncio.ensure_future(lookups.ask("b", shelf.look))
        await settled()
        assert shelf.begun == 2
        shelf.let.release()
        await settled()
        assert await first == 1
        assert shelf.begun == 3
        for _ in range(2):
            shelf.let.release()
        assert await other == 2
        assert set(await asyncio.gather(*later)) == {3}
        again = asyncio.ensure_future(lookups.ask("a", shelf.look))
        shelf.let.release()
        assert await again == 4

    played(scene)


def test_an_error_is_raised_to_all_and_is_not_kept() -> None:
    async def scene(lookups: Lookups[str, int], shelf: Shelf) -> None:
        asking = [asyncio.ensure_future(lookups.ask("a", shelf.fail)) for _ in range(3)]
        shelf.let.release()
        for one in asking:
            with pytest.raises(KeyError):
                await one
        shelf.let.release()
        assert await lookups.ask("a", shelf.look) == 2

    played(scene)


def test_who_goes_away_takes_nothing_from_the_others() -> None:
    async def scene(lookups: Lookups[str, int], shelf: Shelf) -> None:
        first, second = (asyncio.ensure_future(lookups.ask("a", shelf.look)) for _ in range(2))
        await settled()
        first.cancel()
        shelf.let.release()
        assert await second == 1

    played(scene)
