"""The service in a process of its own, and clients that do not behave."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.environment import bare
from tests.tree import ROOT

PATIENCE = 60.0
"""Seconds after which a test has failed."""


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    content: bytes

    @property
    def code(self) -> str:
        code: str = json.loads(self.content)["code"]
        return code


class Served:
    """One running service."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(
        self, method: str, path: str, body: bytes | None = None, key: str | None = None
    ) -> Answer:
        """Request something, as who has a key if one is given."""
        fields = {"Content-Type": "application/json"} if body else {}
        if key is not None:
            fields["Authorization"] = f"Bearer {key}"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as one:
            one.request(method, path, body, fields)
            answer = one.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def alive(self) -> bool:
        return self.ask("GET", "/livez").status == 200

    def idle_files(self) -> int:
        """Count the open files when nothing has changed for a while."""
        seen = [self.files()]
        while len(seen) < 10 or len(set(seen[-10:])) > 1:
            time.sleep(0.05)
            seen.append(self.files())
        return seen[-1]

    def files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def peak_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(one for one in status.splitlines() if one.startswith("VmHWM"))
        return 1024 * int(line.split()[1])


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def served(
    folder: Path,
    command: str = "api",
    files: int | None = None,
    covered: bool = True,
    port: int | None = None,
    options: Sequence[str] = (),
    **settings: Any,
) -> Iterator[Served]:
    """Run ``steadygrid api`` (or `serve`) with other settings and limit of open files.

    What is `covered` is seen by the coverage, which takes time and memory. A service that has
    died is started again on its `folder` and `port`.
    """
    port = port or free_port()
    log = folder / "log"
    program = Path(sys.executable).with_name("steadygrid")
    limit = [] if files is None else ["prlimit", f"--nofile={files}"]
    with log.open("ab") as sink:
        process = subprocess.Popen(
            [*limit, program, command, "--port", str(port), *options],
            env=bare(covered=covered, **{"data_dir": folder / "data", **settings}),
            cwd=ROOT,
            stdout=sink,
            stderr=sink,
        )
    service = Served(process, port, log)
    try:
        until(lambda: _ready(service))
        yield service
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _ready(service: Served) -> bool:
    assert service.process.poll() is None, service.log.read_text()
    try:
        return service.ask("GET", "/readyz").status == 200
    except OSError:
        return False


def until(what: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, f"waited for {seconds} s in vain"
        time.sleep(0.05)


def ended(client: socket.socket) -> bytes:
    """Give all that a client is sent until the connection ends, however it ends."""
    told = b""
    try:
        while piece := client.recv(2**16):
            told += piece
    except ConnectionError:
        pass
    return told
