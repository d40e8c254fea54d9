"""SIGTERM: those who wait are answered, streams end, the process leaves soon."""

import asyncio
import http.client
import json
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from app.server import run
from app.settings import Settings
from tests.http.bodies import BODY
from tests.http.conftest import listening
from tests.http.processes import PATIENCE, served


def test_sigterm_answers_those_who_wait_and_ends_streams(tmp_path: Path) -> None:
    with served(tmp_path) as service:
        job = service.ask("POST", "/v1/jobs", json.dumps(BODY).encode())
        own = json.loads(job.content)["links"]["self"]
        told: dict[str, bytes] = {}

        def follow(path: str) -> None:
            told[path] = service.ask("GET", path).content

        paths = [f"{own}?wait=60", f"{own}/events"]
        waiting = [threading.Thread(target=follow, args=[path]) for path in paths]
        for thread in waiting:
            thread.start()
        time.sleep(0.5)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(30) == 0
        for thread in waiting:
            thread.join()
        assert json.loads(told[paths[0]])["state"] == "queued"
        assert b"event: state" in told[paths[1]]


def test_what_takes_longer_than_the_shutdown_may_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "SHUTDOWN_SECONDS", 1)
    begun = threading.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            begun.set()
            await asyncio.sleep(PATIENCE)

    with listening(Settings(data_dir=tmp_path), application) as (host, port):
        client = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        client.request("POST", "/v1/jobs", b"{}")
        assert begun.wait(PATIENCE)
    answer = client.getresponse()
    told = json.loads(answer.read())
    client.close()
    assert (answer.status, told["code"], told["status"]) == (503, "unavailable", 503)
    assert answer.headers["Retry-After"] == "1"
