"""SIGTERM: those who wait are answered, streams end, the process leaves soon."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.http.bodies import BODY
from tests.tree import ROOT


def test_sigterm_answers_those_who_wait_and_ends_streams(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        command = [sys.executable, "-m", "uvicorn", "app.main:create_app", "--factory"]
        process = subprocess.Popen(
            [*command, "--fd", str(listener.fileno()), "--log-level", "critical"],
            cwd=ROOT,
            env=os.environ | {"STEADYGRID_DATA_DIR": str(tmp_path)},
            pass_fds=[listener.fileno()],
        )
    try:
        first = connection(port)
        first.request("POST", "/v1/jobs", json.dumps(BODY), {"Content-Type": "application/json"})
        own = json.loads(first.getresponse().read())["links"]["self"]
        told: dict[str, bytes] = {}

        def follow(path: str) -> None:
            client = connection(port)
            client.request("GET", path)
            told[path] = client.getresponse().read()
            client.close()

        paths = [f"{own}?wait=60", f"{own}/events"]
        waiting = [threading.Thread(target=follow, args=[path]) for path in paths]
        for thread in waiting:
            thread.start()
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        started = time.monotonic()
        assert process.wait(30) in (0, -signal.SIGTERM)
        assert time.monotonic() - started < 15
        for thread in waiting:
            thread.join()
        assert json.loads(told[paths[0]])["state"] == "queued"
        assert b"event: state" in told[paths[1]]
        first.close()
    finally:
        process.kill()
        process.wait()


def connection(port: int) -> http.client.HTTPConnection:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.connect()
    return client
