"""Places for large bodies and to wait in: no tenant keeps the others out, however it behaves."""

import asyncio
import json
import select
import socket
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.scopes import Scope
from app.http import body_guard
from app.http.body_guard import LARGE_AT_A_TIME, LARGE_BYTES, Arrival
from app.http.fair_places import FairPlaces, room_for
from app.http.refusals import Refusal
from app.settings import Settings
from tests.http.bodies import BODY
from tests.http.conftest import listening, quiet
from tests.http.processes import PATIENCE, ended, until

LENGTH = LARGE_BYTES + 1
WHOLE = json.dumps(BODY).encode().ljust(LENGTH)
READ = (422, "limit_exceeded")
"""How it is answered when it has been let in: nothing holds so many blanks."""
ONE_S = room_for(0, LARGE_AT_A_TIME)
"""Of all places those that one tenant may have."""
MEGABYTE = 10**6


class Tenants:
    """A service, and the keys of its tenants."""

    def __init__(self, address: tuple[str, int], keys: dict[str, str]) -> None:
        self.address = address
        self.keys = keys

    def begin(self, stack: ExitStack, tenant: str, count: int = 1) -> list[socket.socket]:
        """Announce large bodies, send a little of each, and then nothing more."""
        head = self.head(tenant)
        clients = [
            stack.enter_context(socket.create_connection(self.address, PATIENCE))
            for _ in range(count)
        ]
        for client in clients:
            client.sendall(head + WHOLE[:10])
        return clients

    def head(self, tenant: str) -> bytes:
        return (
            "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.keys[tenant]}\r\nContent-Length: {LENGTH}\r\n\r\n"
        ).encode()

    def post(self, tenant: str) -> tuple[int, str]:
        """Send a large body, and give status and code of the answer."""
        with socket.create_connection(self.address, PATIENCE) as client:
            client.sendall(self.head(tenant))
            return answered(client, WHOLE)


def answered(client: socket.socket, rest: bytes = b"") -> tuple[int, str]:
    with suppress(OSError):  # refused before all of it was sent
        client.sendall(rest)
    answer = ended(client)
    return int(answer.split(b" ")[1]), json.loads(answer.partition(b"\r\n\r\n")[2]).get("code", "")


@contextmanager
def service(folder: Path, **values: Any) -> Iterator[Tenants]:
    settings = quiet(f"sqlite:///{folder / 'steadygrid.db'}", folder, auth="keys", **values)
    database = Database.open(settings.effective_database_url)
    upgrade(database)
    keys = {}
    with database.write_all() as unit:
        for name in "abc":
            unit.tenants.create(name)
            keys[name] = unit.keys.create(name, [Scope.READ, Scope.SUBMIT])
    database.close()
    with listening(settings) as address:
        yield Tenants(address, keys)


def test_who_stops_sending_keeps_no_other_tenant_from_sending(tmp_path: Path) -> None:
    with service(tmp_path, body_turn_seconds=600) as tenants, ExitStack() as stack:
        slow = tenants.begin(stack, "a", ONE_S + 2)
        assert tenants.post("b") == READ
        assert tenants.post("c") == READ
        # No request was refused for that, since no other had to wait.
        with ThreadPoolExecutor(len(slow)) as threads:
            answers = threads.map(lambda client: answered(client, WHOLE[10:]), slow)
        assert list(answers) == [READ] * len(slow)


def test_who_waits_gets_the_place_of_one_that_sends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at every second; who waits has a minute and more."""
    made: list[FairPlaces] = []

    class Places(FairPlaces):
        def __init__(self, total: int, **more: Any) -> None:
            super().__init__(total, **more)
            made.append(self)

    monkeypatch.setattr(body_guard, "FairPlaces", Places)
    monkeypatch.setattr(body_guard, "LOOKS", 2 * PATIENCE)
    with service(tmp_path, body_turn_seconds=2 * PATIENCE) as tenants, ExitStack() as stack:
        slow = tenants.begin(stack, "a", ONE_S)
        until(lambda: sum(one.held for one in made) == ONE_S)  # of fewer places it may have fewer
        slow += tenants.begin(stack, "b")
        until(lambda: sum(one.held for one in made) == LARGE_AT_A_TIME)
        assert tenants.post("c") == READ
        for client in slow:
            client.setblocking(False)
        told = b""

        def is_told() -> bool:
            nonlocal told
            told += b"".join(at_once(client) for client in slow)
            return b"bytes per second" in told

        until(is_told)
        assert told.count(b"HTTP/1.1 408 ") == 1
        assert b"at less than 1,000,000 bytes per second" in told


def at_once(client: socket.socket) -> bytes:
    try:
        return client.recv(2**16)
    except OSError:
        return b""


def test_who_waits_in_vain_is_told_when_to_come_back(tmp_path: Path) -> None:
    with service(tmp_path, body_turn_seconds=0.5) as tenants, ExitStack() as stack:
        slow = tenants.begin(stack, "a", ONE_S + 1)
        (late, *others), _, _ = select.select(slow, [], [], PATIENCE)
        assert not others
        answer = ended(late)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b'"code":"too_many_large_bodies"' in answer
        assert tenants.post("b") == READ


def test_who_waits_everywhere_keeps_no_other_tenant_from_waiting(tmp_path: Path) -> None:
    """Of eight connections four may wait."""

    def opened(stack: ExitStack, tenants: Tenants, tenant: str) -> bytes:
        """Begin a stream, and give how soon to come back when it has ended."""
        client = stack.enter_context(socket.create_connection(tenants.address, PATIENCE))
        fields = f"Host: localhost\r\nAuthorization: Bearer {tenants.keys[tenant]}"
        client.sendall(f"GET /v1/events HTTP/1.1\r\n{fields}\r\n\r\n".encode())
        answer = b""
        while b"event: summary" not in answer:
            answer += client.recv(2**16)
        assert answer.startswith(b"HTTP/1.1 200 ")
        return answer.partition(b"retry: ")[2].split(b"\n")[0]

    with service(tmp_path, max_connections=8) as tenants, ExitStack() as stack:
        own = [opened(stack, tenants, "a") for _ in range(4)]
        assert own == [b"1000"] * 3 + [b"5000"]
        assert opened(stack, tenants, "b") == b"1000"
        assert opened(stack, tenants, "b") == b"5000"


class Upload:
    """A body whose pieces come so many seconds after each other, by a clock of its own."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, places: FairPlaces, tenant: str = "a"
    ) -> None:
        self.later = 0.0
        self.pieces: list[tuple[float, int]] = []
        settings = Settings(body_turn_seconds=30, body_seconds=3600)
        self.arrival = Arrival(settings, places, tenant, 60 * MEGABYTE, self.receive)
        before = body_guard._loop_time
        monkeypatch.setattr(body_guard, "_loop_time", lambda: before() + self.later)

    async def receive(self) -> dict[str, Any]:
        seconds, length = self.pieces.pop(0)
        self.later += seconds
        return {"type": "http.request", "body": bytes(length), "more_body": True}

    async def comes(self, *pieces: tuple[float, int]) -> None:
        """Take pieces: the seconds before each, and its bytes."""
        self.pieces += pieces
        for _ in pieces:
            await self.arrival.receive()


def played(scene: Callable[[], Awaitable[None]]) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE):
            await scene()

    asyncio.run(play())


async def another(places: FairPlaces, tenant: str) -> "asyncio.Task[None]":
    waiting = asyncio.create_task(places.wait(tenant, 3600))
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waiting.done()
    return waiting


SLOW = [(6.0, 4 * MEGABYTE)] * 2
FAST = [(6.0, 7 * MEGABYTE)] * 2


def test_a_slow_body_loses_its_place_to_another_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    places = FairPlaces(1, shared=True, waiting=9)
    upload = Upload(monkeypatch, places)

    async def scene() -> None:
        await upload.comes((0, 10))
        waiting = await another(places, "b")
        with pytest.raises(Refusal, match="request_timeout") as refusal:
            await upload.comes(*SLOW)
        assert refusal.value.headers["Connection"] == "close"
        upload.arrival.leave()
        await waiting

    played(scene)


def test_one_who_waits_takes_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two slow bodies that are looked at one after the other, the second keeps its place."""
    places = FairPlaces(2, shared=True, waiting=9)
    first, second = (Upload(monkeypatch, places, tenant) for tenant in "ac")

    async def scene() -> None:
        for upload in (first, second):
            await upload.comes((0, 10))
        waiting = await another(places, "b")
        with pytest.raises(Refusal, match="request_timeout"):
            await first.comes(*SLOW)
        await second.comes(*SLOW, (0, 10))
        await waiting
        assert (first.arrival.large, second.arrival.large) == (False, True)

    played(scene)


@pytest.mark.parametrize(
    ("waits", "pieces"), [("b", FAST), ("a", SLOW), (None, SLOW)], ids=["fast", "own", "none"]
)
def test_a_body_keeps_its_place(
    monkeypatch: pytest.MonkeyPatch, waits: str | None, pieces: list[tuple[float, int]]
) -> None:
    """It comes fast enough, or no other tenant waits."""
    places = FairPlaces(1, shared=True, waiting=9)
    upload = Upload(monkeypatch, places)

    async def scene() -> None:
        await upload.comes((0, 10))
        waiting = None if waits is None else await another(places, waits)
        await upload.comes(*pieces, (0, 10))
        assert upload.arrival.large
        if waiting is not None:
            waiting.cancel()

    played(scene)


def test_it_counts_what_came_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    """A good beginning is no reason to keep a place for ever."""
    places = FairPlaces(1, shared=True, waiting=9)
    upload = Upload(monkeypatch, places)

    async def scene() -> None:
        await upload.comes((0, 50 * MEGABYTE))
        waiting = await another(places, "b")
        await upload.comes((6, 0))
        with pytest.raises(Refusal, match="request_timeout"):
            await upload.comes((6, 0), (0, 0))
        waiting.cancel()

    played(scene)
