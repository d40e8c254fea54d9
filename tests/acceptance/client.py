"""A client of the service as a stranger would write it: HTTP, JSON and the command line."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.environment import bare

STEADYGRID = Path(sys.executable).with_name("steadygrid")


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        return {n.lower(): v for n, v in self.headers.items()}.get(name.lower())

    def problem(self, status: int, code: str) -> Any:
        """Expect a problem of RFC 9457 and give it."""
        assert (self.status, self.json["code"]) == (status, code), self.body[:2000]
        assert self.header("Content-Type") == "application/problem+json"
        assert self.json["status"] == status
        assert {"type", "title", "detail"} <= self.json.keys()
        return self.json


class Solved(NamedTuple):
    job: dict[str, Any]
    result: dict[str, Any]
    schedule: dict[str, Any] | None


class Service:
    def __init__(self, url: str) -> None:
        self.url = url

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send `body` (bytes as they are, anything else as JSON) and give whatever comes back."""
        sent = dict(headers or {})
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return Answer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return Answer(refusal.code, dict(refusal.headers), refusal.read())

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, headers={n.replace("_", "-"): v for n, v in headers.items()})

    def read(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status == 200, (path, answer.body[:2000])
        return answer.json

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        named = {n.replace("_", "-"): v for n, v in headers.items()}
        return self.call("POST", path, body, named)

    def items(self, path: str, limit: int = 500) -> list[Any]:
        """Read a list page by page."""
        found: list[Any] = []
        token = None
        while True:
            joint = "&" if "?" in path else "?"
            more = f"&page_token={quote(token)}" if token else ""
            page = self.read(f"{path}{joint}limit={limit}{more}")
            assert set(page) == {"items", "next_page_token"}
            assert len(page["items"]) <= limit
            found += page["items"]
            token = page["next_page_token"]
            if token is None:
                return found
            assert page["items"]

    def schedule(self, name: str, limit: int = 500) -> dict[str, Any]:
        """Read a schedule whole: its header and its three parts, the last are runs or slots."""
        at = f"/v1/schedules/{name}"
        header = self.read(at)
        sent = "runs" if "runs" in header["counts"] else "slots"
        names = ("allocations", "computations", sent)
        return header | {part: self.items(f"{at}/{part}", limit) for part in names}

    def solve(self, body: Any, limit: int = 500) -> Solved:
        """Post a job, wait until it has succeeded, and read all of its answer."""
        answer = self.post("/v1/jobs?wait=60", body)
        assert answer.status == 200, answer.body[:2000]
        job = answer.json
        assert job["state"] == "succeeded", job
        result = self.read(f"/v1/jobs/{job['id']}/result")
        assert result["outcome"] == job["outcome"]
        assert result["schedule"] == job["schedule"]
        schedule = self.schedule(job["schedule"], limit) if job["schedule"] else None
        return Solved(job, result, schedule)


@contextmanager
def serving(data_dir: Path) -> Iterator[Service]:
    """Run ``steadygrid serve`` on a free port of the loopback, as a user at a terminal would."""
    log = data_dir / "log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [STEADYGRID, "serve", "--port", "0", "--data-dir", data_dir],
            env=bare(),
            stderr=stream,
            start_new_session=True,
        )
    try:
        yield Service(_address(process, log))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    assert "Traceback" not in log.read_text()


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    while process.poll() is None:
        if found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text()):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def steadygrid(
    *arguments: str | Path, text: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run one command."""
    return subprocess.run(
        [STEADYGRID, *arguments],
        env=bare(),
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
