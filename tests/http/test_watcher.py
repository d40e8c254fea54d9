"""The watcher: one look for all requests that wait, and none waits for ever."""

import asyncio
import threading
import time
from collections.abc import Collection, Mapping

from app.http.watcher import Sighting, Watcher


class Table:
    """Plays the jobs table, and counts the looks at it."""

    def __init__(self, **jobs: Sighting) -> None:
        self.jobs = dict(jobs)
        self.looks: list[set[str]] = []
        self.broken = False

    def look(self, ids: Collection[str]) -> Mapping[str, Sighting]:
        self.looks.append(set(ids))
        if self.broken:
            raise OSError("the database is away")
        return {one: self.jobs[one] for one in ids if one in self.jobs}


PATIENCE = 30
RUNNING = Sighting(False, 2)
ENDED = Sighting(True, 5)


def test_sixty_who_wait_cost_one_look_at_a_time() -> None:
    async def scene() -> None:
        table = Table(a=RUNNING)
        watcher = Watcher(table.look, asyncio.Event())
        waiting = [asyncio.create_task(watcher.ended("a", 60)) for _ in range(60)]
        await asyncio.sleep(0.1)
        assert len(table.looks) < 30
        table.jobs["a"] = ENDED
        assert await asyncio.gather(*waiting) == [True] * 60
        await asyncio.sleep(0.05)
        looks = len(table.looks)
        await asyncio.sleep(0.05)
        assert len(table.looks) == looks, "no request waits, and yet it looks"
        await watcher.close()

    asyncio.run(scene())


def test_each_is_woken_by_what_he_waits_for() -> None:
    async def scene() -> None:
        table = Table(a=RUNNING, b=RUNNING)
        watcher = Watcher(table.look, asyncio.Event())
        assert await watcher.changed("a", 1, 60)
        assert not await watcher.changed("a", 2, 0.05)
        assert not await watcher.ended("a", 0.05)
        news = asyncio.create_task(watcher.changed("b", 2, 60))
        await asyncio.sleep(0.03)
        table.jobs["b"] = Sighting(False, 3)
        assert await news
        table.jobs["a"] = ENDED
        assert await watcher.changed("a", 5, 60)
        assert await watcher.ended("gone", 60)
        await watcher.close()

    asyncio.run(scene())


def test_the_end_of_the_process_releases_all_callers() -> None:
    async def scene() -> None:
        shutdown = asyncio.Event()
        watcher = Watcher(Table(a=RUNNING).look, shutdown)
        waiting = asyncio.create_task(watcher.ended("a", 60))
        await asyncio.sleep(0.03)
        shutdown.set()
        assert await waiting is False
        assert await watcher.ended("a", 60) is False
        await watcher.close()

    asyncio.run(scene())


def test_closing_releases_all_callers() -> None:
    async def scene() -> None:
        watcher = Watcher(Table(a=RUNNING).look, asyncio.Event())
        waiting = asyncio.create_task(watcher.ended("a", 60))
        await asyncio.sleep(0.03)
        await watcher.close()
        assert await waiting is False

    asyncio.run(scene())


def test_closing_waits_for_the_query_in_progress() -> None:
    begun, closing, over = threading.Event(), threading.Event(), threading.Event()

    def look(_ids: Collection[str]) -> Mapping[str, Sighting]:
        begun.set()
        assert closing.wait(PATIENCE)
        time.sleep(0.2)
        over.set()
        return {}

    async def scene() -> None:
        watcher = Watcher(look, asyncio.Event())
        waiting = asyncio.create_task(watcher.ended("a", PATIENCE))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        closing.set()
        await watcher.close()
        assert over.is_set()
        assert await waiting is False

    asyncio.run(scene())


def test_a_database_that_is_away_for_a_while_is_waited_for(monkeypatch: object) -> None:
    async def scene() -> None:
        table = Table(a=ENDED)
        table.broken = True
        watcher = Watcher(table.look, asyncio.Event(), trouble_seconds=0.02)
        waiting = asyncio.create_task(watcher.ended("a", 60))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        table.broken = False
        assert await waiting
        await watcher.close()

    asyncio.run(scene())


def test_those_who_wait_long_are_looked_after_less_often() -> None:
    async def scene() -> None:
        table = Table(a=RUNNING)
        watcher = Watcher(table.look, asyncio.Event(), patience=0.0)
        assert not await watcher.ended("a", 0.25)
        assert len(table.looks) <= 5
        await watcher.close()

    asyncio.run(scene())
