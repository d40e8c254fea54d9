"""The feed: one poll for all clients that look at lists; none is kept waiting or kept for ever."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from app.db.jobs import JobRecord
from app.db.news import Snapshot
from app.error_entries import ErrorEntries
from app.http import feed as feeds
from app.http.feed import Change, Feed, Listener, Look
from app.jobs import live
from app.settings import Settings
from steadygrid.domain.job import JobState

PATIENCE = 30
ENTRIES = ErrorEntries(Settings())
DAY = datetime(2026, 11, 23, tzinfo=UTC)
JOB = JobRecord(
    id="job_a",
    kind="cell",
    name=None,
    state=JobState.QUEUED,
    outcome=None,
    objective=None,
    bound=None,
    gap=None,
    limited_by=None,
    labels={},
    priority=0,
    warnings=[],
    attempt=0,
    failures=0,
    created_at=DAY,
    started_at=None,
    finished_at=None,
    progress=None,
    schedule_id=None,
    error=None,
    seq=1,
    traced=False,
)


def job(name: str, seq: int = 1) -> JobRecord:
    return replace(JOB, id=name, seq=seq)


class Table:
    """Plays the database: what the next look finds, and what was looked at."""

    def __init__(self) -> None:
        self.changed: list[JobRecord] = []
        self.deleted: frozenset[str] = frozenset()
        self.looks: list[tuple[str, bool, bool]] = []
        self.broken = False

    def look(self, tenant: str, before: Snapshot | None, summary: bool) -> Look:
        self.looks.append((tenant, before is None, summary))
        if self.broken:
            raise OSError("the database is away")
        changes = [Change(record, None) for record in self.changed]
        deleted = self.deleted
        self.changed, self.deleted = [], frozenset()
        summed = {"looks": len(self.looks)} if summary else None
        return Look(Snapshot({}, frozenset()), changes, deleted, summed)


Scene = Callable[[Feed, Table], Coroutine[Any, Any, None]]


def play(scene: Scene, shutdown: bool = False) -> Table:
    table = Table()

    async def played() -> None:
        event = asyncio.Event()
        if shutdown:
            event.set()
        feed = Feed(table.look, event, seconds=0.001)
        async with asyncio.timeout(PATIENCE):
            await scene(feed, table)
        await feed.close()

    asyncio.run(played())
    return table


def everything(_change: Change) -> bool:
    return True


async def looked(table: Table, more: int = 2) -> None:
    """Wait for some looks that have begun after this moment."""
    goal = len(table.looks) + more
    while len(table.looks) < goal:  # noqa: ASYNC110 the look is in another thread
        await asyncio.sleep(0.001)


async def heard(listener: Listener) -> list[str]:
    assert await listener.wait(PATIENCE)
    return list(listener.jobs(100))


def test_the_first_to_listen_hears_how_things_stand_and_then_what_changes() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        with feed.listening(listener):
            assert await listener.wait(PATIENCE)
            assert listener.summary() == {"looks": 1}
            assert listener.summary() is None
            assert listener.jobs(100) == {}
            table.changed = [job("a"), job("b")]
            assert await heard(listener) == ["a", "b"]

    table = play(scene)
    assert table.looks[0] == ("local", True, True)
    assert table.looks[1][:2] == ("local", False)


def test_a_later_listener_hears_the_state_at_once_and_costs_no_poll() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        first, second = Listener("local", everything), Listener("local", everything)
        with feed.listening(first):
            await looked(table)
            with feed.listening(second):
                assert await second.wait(PATIENCE)
                assert second.summary() is not None
                table.changed = [job("a")]
                await looked(table)
                assert await heard(first) == ["a"]
                assert await heard(second) == ["a"]

    table = play(scene)
    assert sum(fresh for _, fresh, _ in table.looks) == 1
    assert sum(summary for _, _, summary in table.looks) == 2


def test_summaries_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "SUMMARY_SECONDS", 0.0)

    async def scene(feed: Feed, table: Table) -> None:
        with feed.listening(Listener("local", everything)):
            await looked(table, 5)

    assert all(summary for _, _, summary in play(scene).looks)


def test_tenants_hear_of_their_own_jobs_only() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        mine, other = Listener("mine", everything), Listener("other", everything)
        found = {"mine": [job("a")], "other": [job("b")]}
        plain = table.look

        def look(tenant: str, before: Snapshot | None, summary: bool) -> Look:
            table.changed = [] if before is None else found[tenant]
            return plain(tenant, before, summary)

        feed._look = look
        with feed.listening(mine), feed.listening(other):
            await looked(table, 6)
            assert await heard(mine) == ["a"]
            assert await heard(other) == ["b"]

    play(scene)


def test_only_what_is_wanted_is_kept_and_each_job_once() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", lambda change: change.record.id != "b")
        with feed.listening(listener):
            await looked(table)
            for seq in range(1, 4):
                table.changed = [job("a", seq), job("b", seq), job(f"c{seq}")]
                await looked(table)
            assert await listener.wait(PATIENCE)
            told = [one for most in (2, 100) for one in listener.jobs(most).values()]
            expected = [job("a", 3), job("c1"), job("c2"), job("c3")]
            assert told == [Change(record, None) for record in expected]
            assert listener.jobs(100) == {}

    play(scene)


def test_a_job_that_is_deleted_is_told_to_all_and_its_change_no_more() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", lambda change: change.record.id != "b")
        with feed.listening(listener):
            await looked(table)
            table.changed = [job("a"), job("b")]
            await looked(table)
            table.deleted = frozenset("ab")
            await looked(table)
            assert listener.jobs(100) == {"a": None, "b": None}

    play(scene)


def test_a_listener_that_is_too_slow_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MOST_PENDING", 2)

    async def scene(feed: Feed, table: Table) -> None:
        slow, quick = Listener("local", everything), Listener("local", everything)
        with feed.listening(slow), feed.listening(quick):
            await looked(table)
            table.changed = [job("a"), job("b")]
            await looked(table)
            assert await heard(quick) == ["a", "b"]
            assert not slow.over
            table.changed = [job("c")]
            await looked(table)
            assert (slow.over, quick.over) == (True, False)
            assert slow.jobs(100) == {}

    play(scene)


def test_an_outage_is_waited_for_and_a_long_one_ends_the_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        with feed.listening(listener):
            assert await heard(listener) == []
            table.broken = True
            await looked(table, 3)
            table.changed = [job("a")]
            table.broken = False
            assert await heard(listener) == ["a"]
            await looked(table)
            assert not listener.over
            table.broken = True
            await looked(table)
            monkeypatch.setattr(feeds, "GAP_SECONDS", -1.0)
            await looked(table)
            assert not listener.over
            table.broken = False
            await looked(table)
            assert listener.over

    play(scene)


def test_without_listeners_nothing_is_queried() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        for _ in range(2):
            with feed.listening(Listener("local", everything)):
                await looked(table)
            assert feed._task is not None
            await feed._task
            looks = len(table.looks)
            await asyncio.sleep(0.02)
            assert len(table.looks) == looks

    table = play(scene)
    # What was known before is out of date.
    assert sum(fresh for _, fresh, _ in table.looks) == 2


def test_a_tenant_without_listeners_is_forgotten() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        with feed.listening(Listener("mine", everything)):
            for _ in range(2):
                with feed.listening(Listener("other", everything)):
                    await looked(table, 4)
                await looked(table, 4)

    table = play(scene)
    fresh = [tenant for tenant, fresh, _ in table.looks if fresh]
    assert sorted(fresh) == ["mine", "other", "other"]


def test_the_end_of_the_service_releases_all_listeners() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        with feed.listening(listener):
            assert not listener.over or table.looks == []
            feed._shutdown.set()
            assert await listener.wait(PATIENCE)
            while not listener.over:  # noqa: ASYNC110 the end has no event of its own
                await asyncio.sleep(0.001)
        late = Listener("local", everything)
        with feed.listening(late):
            assert late.over

    play(scene)


def test_a_stream_ends_at_once_where_the_service_does() -> None:
    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        assert [block async for block in live.write_events(feed, listener, ENTRIES, "exact")] == [
            b"retry: 1000\n\n"
        ]
        assert table.looks == []

    play(scene, shutdown=True)


def test_events_are_small_and_at_most_two_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds == live.EVENT_SECONDS:
            slept.append(seconds)
        await sleep(min(seconds, 0.001))

    monkeypatch.setattr(asyncio, "sleep", noted)
    sent: list[bytes] = []

    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        stream = live.write_events(feed, listener, ENTRIES, "exact")
        async for block in stream:
            sent.append(block)
            if len(sent) == 2:
                table.changed = [job(f"job_{number:03}") for number in range(150)]
                table.deleted = frozenset(f"job_{number:03}" for number in range(150, 250))
            if len(sent) == 5:
                listener.end()

    play(scene)
    assert slept == [0.5, 0.5, 0.5]
    assert sent[0] == b"retry: 1000\n\n"
    assert sent[1].startswith(b"event: summary\n")
    told = []
    for block in sent[2:]:
        event, data = block.decode().strip().split("\n")
        assert event == "event: jobs"
        told.append(json.loads(data.removeprefix("data: ")))
    assert [(len(one["items"]), len(one["deleted"])) for one in told] == [
        (100, 0),
        (50, 50),
        (0, 50),
    ]
    ids = [job for one in told for job in [*(item["id"] for item in one["items"]), *one["deleted"]]]
    assert sorted(ids) == [f"job_{number:03}" for number in range(250)]


def test_a_job_is_written_once_however_many_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, str]] = []

    def document(record: JobRecord, _entries: ErrorEntries, numbers: str) -> dict[str, str]:
        written.append((record.id, numbers))
        return {"id": record.id}

    monkeypatch.setattr(live, "job_document", document)

    async def follow(feed: Feed, table: Table, numbers: str) -> bytes:
        stream = live.write_events(feed, Listener("local", everything), ENTRIES, numbers)
        async for block in stream:
            if block.startswith(b"event: jobs"):
                return block
        raise AssertionError

    async def scene(feed: Feed, table: Table) -> None:
        all_of_them = [follow(feed, table, one) for one in ("exact", "float", "exact", "exact")]
        following = asyncio.gather(*all_of_them)
        await looked(table)
        table.changed = [job("a"), job("b")]
        data = b'event: jobs\ndata: {"items":[{"id":"a"},{"id":"b"}],"deleted":[]}\n\n'
        assert await following == [data] * 4

    play(scene)
    assert sorted(written) == [(one, way) for one in "ab" for way in ("exact", "float")]


def test_a_silent_stream_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PING_SECONDS", 0.001)
    monkeypatch.setattr(feeds, "SUMMARY_SECONDS", 1000.0)

    async def scene(feed: Feed, table: Table) -> None:
        listener = Listener("local", everything)
        async for block in live.write_events(feed, listener, ENTRIES, "exact"):
            if block.startswith(b": "):
                listener.end()

    play(scene)


def test_closing_waits_for_the_query_in_progress() -> None:
    begun, closing, over = threading.Event(), threading.Event(), threading.Event()

    def look(_tenant: str, _before: Snapshot | None, _summary: bool) -> Look:
        begun.set()
        assert closing.wait(PATIENCE)
        time.sleep(0.2)
        over.set()
        return Look(Snapshot({}, frozenset()), [], frozenset(), None)

    async def scene() -> None:
        feed = Feed(look, asyncio.Event(), seconds=0.001)
        with feed.listening(Listener("local", everything)):
            assert await asyncio.to_thread(begun.wait, PATIENCE)
            closing.set()
            await feed.close()
            assert over.is_set()

    asyncio.run(scene())
