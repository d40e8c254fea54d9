"""SIGTERM: those who wait are answered, streams end, the process leaves soon."""

import json
import signal
import threading
import time
from pathlib import Path

from tests.http.bodies import BODY
from tests.http.processes import served


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
        started = time.monotonic()
        assert service.process.wait(30) == 0
        assert time.monotonic() - started < 15
        for thread in waiting:
            thread.join()
        assert json.loads(told[paths[0]])["state"] == "queued"
        assert b"event: state" in told[paths[1]]
