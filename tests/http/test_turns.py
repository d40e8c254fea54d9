"""A tenant that asks very often at once: how many of its requests wait, and whose turn is next."""

import asyncio
import json
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request
from starlette.types import Message, Receive, Scope, Send

import steadygrid as sg
from app.db.engine import Database
from app.http import turns
from app.http.identity import Identity, identify
from app.http.turns import TenantTurns, end_turn
from app.main import _answer_refusal
from app.settings import Settings
from steadygrid.client import synchronous_connection
from tests.http.bodies import BODY
from tests.http.processes import PATIENCE, Answer, Served, until
from tests.http.test_shared_uploads import service


def test_a_tenant_has_so_many_streams_and_waits_and_others_have_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service(tmp_path, tenant_waiting_requests=2) as tenants, ExitStack() as stack:

        def ask(tenant: str, path: str, body: Any = None) -> Answer:
            method = "GET" if body is None else "POST"
            content = None if body is None else json.dumps(body).encode()
            return Served.ask(asker, method, path, content, tenants.keys[tenant])

        def opened(tenant: str, path: str) -> tuple[socket.socket, bytes]:
            client = stack.enter_context(socket.create_connection(tenants.address, PATIENCE))
            fields = f"Host: localhost\r\nAuthorization: Bearer {tenants.keys[tenant]}"
            client.sendall(f"GET {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode())
            return client, client.recv(2**16).split(b" ")[1]

        asker: Any = SimpleNamespace(port=tenants.address[1])
        job = json.loads(ask("a", "/v1/jobs", BODY).content)["links"]
        first, status = opened("a", "/v1/events")
        assert (status, opened("a", job["events"])[1]) == (b"200", b"200")
        for path in ("/v1/events", job["events"]):
            refused = ask("a", path)
            assert (refused.status, refused.code) == (429, "quota_exceeded")
            assert refused.headers["Retry-After"] == "5"
            detail = json.loads(refused.content)["detail"]
            assert detail.startswith("At most 2 event streams")
            assert "(waiting-requests)" in detail
        # A crowd of streams is refused before anything is looked for.
        assert ask("a", "/v1/nothing/events").status == 429
        # What would wait is not refused, but answered at once.
        made = ask("a", "/v1/jobs?wait=60", BODY)
        assert (made.status, made.headers["Retry-After"]) == (202, "5")
        seen = ask("a", f"{job['self']}?wait=60")
        assert (seen.status, seen.headers["Retry-After"]) == (200, "5")
        assert ask("a", f"{job['self']}0?wait=60").status == 404
        assert opened("b", "/v1/events")[1] == b"200"
        first.close()
        until(lambda: opened("a", "/v1/events")[1] == b"200")

        database = Database.open(f"sqlite:///{tmp_path / 'steadygrid.db'}")
        with database.write_all() as unit:
            unit.tenants.change("c", {"waiting_requests": 0})
        database.close()
        assert opened("c", "/v1/events")[1] == b"429"

        pauses: list[float] = []

        def noted(seconds: float) -> None:
            pauses.append(seconds)
            time.sleep(seconds)

        monkeypatch.setattr(synchronous_connection, "sleep", noted)
        url = "http://{}:{}".format(*tenants.address)
        with sg.Client(url, key=tenants.keys["c"]) as client, pytest.raises(TimeoutError):
            client.submit(BODY).wait(timeout=2)
        # Not again and again until less than a second is left.
        assert [seconds > 1 for seconds in pauses] == [True]


class Crowd:
    """Requests that the application inside answers when it is told to."""

    def __init__(self, **values: Any) -> None:
        self.begun: list[str] = []
        self.sent: list[Message] = []
        self.go_on: dict[str, asyncio.Event] = {}
        self._turns = TenantTurns(
            self._answer,
            Settings(auth="keys", **values),
            lambda _request, refusal: _answer_refusal(_Entries(), refusal),  # type: ignore[arg-type]
            lambda _request: None,
        )

    def ask(self, tenant: str, name: str, method: str = "GET") -> "asyncio.Task[None]":
        scope: Scope = {"type": "http", "method": method, "path": name, "headers": []}
        identify(scope, Identity(tenant, frozenset(), "key"))
        return asyncio.create_task(self._turns(scope, _nothing, self._send))

    async def _answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        name = scope["path"]
        self.begun.append(name)
        event = self.go_on.setdefault(name, asyncio.Event())
        if name.startswith("wait"):
            end_turn(Request(scope))
        await event.wait()
        if name.startswith("broken"):
            raise ValueError(name)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    async def _send(self, message: Message) -> None:
        self.sent.append(message)


class _Entries:
    def path_of(self, _code: str) -> None:
        return None


async def _nothing() -> Message:
    raise AssertionError("nothing is read")


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_few_requests_are_begun_at_a_time_and_tenants_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With three places, one tenant takes at most two. The third is free for another tenant."""
    monkeypatch.setattr(turns, "AT_A_TIME", 3)

    async def play() -> None:
        crowd = Crowd()
        tasks = [crowd.ask("a", name) for name in ("a0", "broken", "a2", "wait", "a4", "a5")]
        tasks += [crowd.ask("a", "post", "POST"), crowd.ask("b", "b0")]
        await settled()
        assert crowd.begun == ["a0", "broken", "post", "b0"]
        for name in ("a0", "b0"):  # their answers begin, and go on for ever
            crowd.go_on[name].set()
        await settled()
        assert crowd.begun[4:] == ["a2"]
        crowd.go_on["broken"].set()
        await settled()
        assert crowd.begun[5:] == ["wait", "a4"]
        tasks[2].cancel()
        await settled()
        assert crowd.begun[7:] == ["a5"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(play())


def test_who_has_no_turn_in_time_is_told_when_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "AT_A_TIME", 1)

    async def play() -> None:
        crowd = Crowd(body_turn_seconds=0.01)
        first, late = crowd.ask("a", "a0"), crowd.ask("a", "a1")
        await late
        head, body = crowd.sent
        assert head["status"] == 503
        assert (b"retry-after", b"5") in head["headers"]
        assert json.loads(body["body"])["code"] == "temporary_reduced_capacity"
        assert crowd.begun == ["a0"]
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)

    asyncio.run(play())
