"""Processes that read bodies: whose turn it is, and what becomes of those that do not end well."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.migrate import upgrade
from app.http import reading
from app.http.reading import THREADS, Readers
from app.http.refusals import Refusal
from app.http.sources import Sources
from steadygrid.domain.errors import Fault, InstanceError
from tests.http import reading_tasks as tasks
from tests.http.conftest import quiet
from tests.integration.drills import gone

PATIENCE = 120.0


class Client:
    """A client that waits until it goes away."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.scope: dict[str, object] = {}

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Room:
    """Readers, and those who ask them."""

    def __init__(self, sources: Sources) -> None:
        self.readers = Readers(sources, 100)

    async def ask(self, tenant: str, do: Callable[..., Any], *arguments: Any) -> Any:
        client: Any = Client()
        return await self.readers.apart(client, tenant, do, b"content", *arguments)

    def begin(
        self, tenant: str, do: Callable[..., Any], *arguments: Any
    ) -> "tuple[Client, asyncio.Task[Any]]":
        client: Any = Client()
        asking = self.readers.apart(client, tenant, do, b"content", *arguments)
        return client, asyncio.ensure_future(asking)


Scene = Callable[[Room], Awaitable[None]]
Play = Callable[..., None]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Plays a scene with readers that have settings of their own."""
    url = f"sqlite:///{tmp_path / 'steadygrid.db'}"
    database = Database.open(url)

    def play(scene: Scene, **values: Any) -> None:
        settings = quiet(url, tmp_path, **{"auth": "keys", **values})

        async def played() -> None:
            room = Room(Sources(settings, database))
            async with asyncio.timeout(PATIENCE):
                try:
                    await scene(room)
                finally:
                    await room.readers.close()

        asyncio.run(played())

    yield play
    database.close()


async def until(what: Callable[[], bool]) -> None:
    while not what():  # noqa: ASYNC110 - a process makes it true
        await asyncio.sleep(0.005)


async def refused(asking: Awaitable[Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await asking
    return caught.value


def test_it_is_done_in_a_process_of_its_own_with_the_same_database(
    play: Play, tmp_path: Path
) -> None:
    async def scene(room: Room) -> None:
        pid, content, more = await room.ask("a", tasks.echo, "more")
        assert pid != os.getpid()
        assert (content, more) == (b"tnetnoc", "more")
        assert await room.ask("a", tasks.echo, "") == (pid, b"tnetnoc", "")
        assert await room.ask("a", tasks.tenants) == ["local"]

    database = Database.open(f"sqlite:///{tmp_path / 'steadygrid.db'}")
    upgrade(database)
    database.close()
    play(scene, reading_processes=1)


def test_what_it_raises_is_raised_here(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    logged = ""

    class Log:
        def error(self, event: str, **values: Any) -> None:
            nonlocal logged
            logged += f"{event} {values}"

    monkeypatch.setattr(reading, "log", Log())

    async def scene(room: Room) -> None:
        refusal = await refused(room.ask("a", tasks.refuse))
        assert (refusal.code, refusal.detail) == ("invalid_request", "No.")
        assert refusal.headers == {"Retry-After": "7"}
        assert [part.pointer for part in refusal.errors] == ["#/a"]
        with pytest.raises(InstanceError) as error:
            await room.ask("a", tasks.find_fault)
        there = InstanceError(faults=[Fault(("a", 0), "odd", "it is odd")])
        assert error.value.faults == there.faults
        assert error.value.detail == there.detail
        with pytest.raises(DatabaseUnavailableError):
            await room.ask("a", tasks.lose_database)
        assert logged == ""
        broken = await refused(room.ask("a", tasks.stumble))
        assert broken.code == "internal"
        assert "KeyError" in logged
        assert "reading_tasks.py" in logged
        assert tasks.SECRET not in logged + broken.detail

    play(scene, reading_processes=1)


def test_what_takes_too_long_is_ended(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        refusal = await refused(room.ask("a", tasks.sleep, str(tmp_path)))
        assert refusal.code == "reading_failed"
        assert "longer than 2 s" in refusal.detail
        assert gone(int((tmp_path / "pid").read_text()))
        assert (await room.ask("a", tasks.echo, "on"))[2] == "on"

    play(scene, reading_processes=1, reading_seconds=2)


def test_what_takes_too_much_memory_is_ended(play: Play) -> None:
    async def scene(room: Room) -> None:
        refusal = await refused(room.ask("a", tasks.grow))
        assert refusal.code == "reading_failed"
        assert "more than 1,000,000,000 bytes of memory" in refusal.detail
        assert (await room.ask("a", tasks.echo, "on"))[2] == "on"

    play(scene, reading_processes=1, reading_memory_bytes=10**9)


def test_a_process_that_dies_is_followed_by_another(play: Play) -> None:
    async def scene(room: Room) -> None:
        before, *_ = await room.ask("a", tasks.echo, "")
        refusal = await refused(room.ask("a", tasks.die))
        assert refusal.code == "reading_failed"
        assert refusal.headers == {"Retry-After": "5"}
        after, *_ = await room.ask("a", tasks.echo, "")
        assert after != before

    play(scene, reading_processes=1)


def test_there_is_no_process_to_be_had(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(room: Room) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("sys.executable", "/nowhere/python")
            assert (await refused(room.ask("a", tasks.echo, ""))).code == "reading_failed"
        assert (await room.ask("a", tasks.echo, "on"))[2] == "on"

    play(scene, reading_processes=1)


def test_work_for_a_client_that_left_ends_and_frees_its_place(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        client, asking = room.begin("a", tasks.sleep, str(tmp_path))
        await until((tmp_path / "pid").exists)
        waits, waiting = room.begin("a", tasks.sleep, str(tmp_path))
        after = room.begin("a", tasks.echo, "on")[1]
        await asyncio.sleep(0)
        for one in (waits, client):
            one.gone.set()
        assert [(await refused(one)).code for one in (waiting, asking)] == ["client_gone"] * 2
        assert (await after)[2] == "on"
        assert gone(int((tmp_path / "pid").read_text()))

    play(scene, reading_processes=1)


def test_a_request_that_is_cut_off_gives_its_place_back(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        _, asking = room.begin("a", tasks.sleep, str(tmp_path))
        await until((tmp_path / "pid").exists)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        assert (await room.ask("b", tasks.echo, "on"))[2] == "on"

    play(scene, reading_processes=1)


def test_tenants_take_turns(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        def begun() -> list[str]:
            file = tmp_path / "begun"
            return file.read_text().split() if file.exists() else []

        asked = [room.begin("a", tasks.line, "a0", str(tmp_path))[1]]
        await until(lambda: begun() == ["a0"])
        for name in ("a1", "a2", "a3", "b0", "b1", "c0"):
            asked.append(room.begin(name[0], tasks.line, name, str(tmp_path))[1])
            await asyncio.sleep(0)
        order = ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]
        for number, name in enumerate(order, 1):
            while begun() != order[:number]:  # noqa: ASYNC110 - a process makes it true
                await asyncio.sleep(0.005)
            (tmp_path / name).touch()
        assert {await one for one in asked} == set(order)

    play(scene, reading_processes=1)


def test_of_two_processes_one_is_kept_for_others(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        first = room.begin("a", tasks.line, "a0", str(tmp_path))[1]
        await until((tmp_path / "begun").exists)
        second = room.begin("a", tasks.line, "a1", str(tmp_path))[1]
        assert (await room.ask("b", tasks.echo, "b"))[2] == "b"
        assert (tmp_path / "begun").read_text() == "a0\n"
        for name in ("a0", "a1"):
            (tmp_path / name).touch()
        assert [await first, await second] == ["a0", "a1"]

    play(scene)


def test_who_is_alone_has_all_processes(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        asked = [room.begin("a", tasks.line, name, str(tmp_path))[1] for name in ("a0", "a1")]
        await until(lambda: (tmp_path / "begun").exists())
        await until(lambda: len((tmp_path / "begun").read_text().split()) == 2)
        for name in ("a0", "a1"):
            (tmp_path / name).touch()
        assert [await one for one in asked] == ["a0", "a1"]

    play(scene, auth="off")


def test_who_waits_in_vain_is_told_when_to_come_back(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        room.begin("a", tasks.sleep, str(tmp_path))
        await until((tmp_path / "pid").exists)
        refusal = await refused(room.ask("b", tasks.echo, ""))
        assert refusal.code == "too_many_bodies"
        assert refusal.headers == {"Retry-After": "5"}

    play(scene, reading_processes=1, body_turn_seconds=0.05)


def test_the_end_of_the_service_releases_all_clients(play: Play, tmp_path: Path) -> None:
    async def scene(room: Room) -> None:
        asking = room.begin("a", tasks.sleep, str(tmp_path))[1]
        await until((tmp_path / "pid").exists)
        closing = asyncio.ensure_future(room.readers.close())
        assert (await refused(asking)).code == "unavailable"
        await closing
        assert gone(int((tmp_path / "pid").read_text()))

    play(scene, reading_processes=1)


def test_threads_are_shared_too(play: Play) -> None:
    let_go, begun = threading.Event(), threading.Semaphore(0)

    def held(_sources: Sources) -> str:
        begun.release()
        assert let_go.wait(PATIENCE)
        return "a"

    async def scene(room: Room) -> None:
        own = [asyncio.ensure_future(room.readers.run_in_thread("a", held)) for _ in range(THREADS)]
        for _ in range(THREADS - 1):
            await until(lambda: begun.acquire(blocking=False))
        assert await room.readers.run_in_thread("b", lambda _: "b") == "b"
        assert not begun.acquire(blocking=False)
        let_go.set()
        assert await asyncio.gather(*own) == ["a"] * THREADS

    play(scene)
