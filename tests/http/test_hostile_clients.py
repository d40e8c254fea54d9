"""Slow and hostile clients against a real server: each is gone after its deadline."""

import json
import resource
import select
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.http.bodies import BODY
from tests.http.processes import PATIENCE, Served, ended, served, until

HALF_HEADERS = b"GET /v1/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
JSON = json.dumps(BODY).encode()


def post(path: str, length: int) -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


@contextmanager
def crowd(service: Served, count: int, first: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        clients = [stack.enter_context(service.connect()) for _ in range(count)]
        for client in clients:
            client.sendall(first)
        yield clients


def drip(clients: list[socket.socket], seconds: float) -> None:
    """Send a byte from each client again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for client in clients:
            try:
                client.send(b"1")
            except OSError:
                continue
        time.sleep(0.2)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that waits a second for headers and for bodies."""
    folder = tmp_path_factory.mktemp("impatient")
    with served(folder, header_seconds=1, body_seconds=1) as service:
        yield service


def assert_half_headers_end(service: Served) -> None:
    before = service.idle_files()
    with crowd(service, 300, HALF_HEADERS) as clients:
        drip(clients, 2.0)
        told = {ended(client)[:12] for client in clients}
        assert told == {b"HTTP/1.1 408"}
        until(lambda: service.files() <= before, 45)
    with crowd(service, 20, b"") as silent:
        assert {ended(client) for client in silent} == {b""}
    assert service.alive()


def test_half_sent_headers_are_gone_after_their_deadline(impatient: Served) -> None:
    assert_half_headers_end(impatient)


def test_so_are_those_sent_to_a_service_with_workers(tmp_path: Path) -> None:
    with served(tmp_path, "serve", header_seconds=1) as service:
        assert_half_headers_end(service)


def test_bodies_at_a_byte_per_second_are_gone_after_their_deadline(impatient: Served) -> None:
    before = impatient.idle_files()
    with (
        crowd(impatient, 75, post("/v1/jobs", 1_000_000)) as read,
        crowd(impatient, 75, post("/nowhere", 100)) as unread,
    ):
        drip(read + unread, 3.0)
        assert {ended(client)[:12] for client in read} == {b"HTTP/1.1 408"}
        assert {ended(client)[:12] for client in unread} == {b"HTTP/1.1 404"}
        until(lambda: impatient.files() <= before, 45)
    assert impatient.alive()


def test_a_body_that_keeps_to_the_least_rate_may_take_longer(tmp_path: Path) -> None:
    with served(tmp_path, body_seconds=0.5, body_bytes_per_second=1000) as service:
        padded = JSON + b" " * (4000 - len(JSON))
        with service.connect() as client:
            client.sendall(post("/v1/jobs?validate_only=true", 4000))
            for piece in range(8):
                client.sendall(padded[500 * piece : 500 * (piece + 1)])
                time.sleep(0.25)
            assert client.recv(2**16).startswith(b"HTTP/1.1 200 ")


def test_more_sockets_than_files_stop_no_probe_and_write_no_traceback(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        with served(tmp_path, files=1024) as service:
            with crowd(service, 1100, b""):
                for _ in range(20):
                    assert service.alive()
                    assert service.ask("GET", "/readyz").status == 200
                crowded = service.ask("GET", "/v1/info")
                assert (crowded.status, crowded.code) == (503, "too_many_connections")
                assert crowded.headers["Retry-After"] == "1"
                assert service.files() < 800
            until(lambda: service.ask("GET", "/v1/info").status == 200)
            assert len(service.log.read_bytes()) < 2000
            assert b"Traceback" not in service.log.read_bytes()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_process_without_files_refuses_and_recovers(impatient: Served) -> None:
    pid, limit = impatient.process.pid, resource.RLIMIT_NOFILE
    before = resource.prlimit(pid, limit)
    impatient.idle_files()
    taken = {int(one.name) for one in Path(f"/proc/{pid}/fd").iterdir()}
    lowest = next(number for number in range(10_000) if number not in taken)
    resource.prlimit(pid, limit, (lowest, before[1]))
    refused = impatient.ask("GET", "/livez")
    assert (refused.status, refused.code) == (503, "too_many_connections")
    resource.prlimit(pid, limit, before)
    assert impatient.alive()
    assert b"Traceback" not in impatient.log.read_bytes()


def test_more_connections_than_files_are_refused_at_start(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match=r"MAX_CONNECTIONS is 5000.*1024 files"),
        served(tmp_path, files=1024, max_connections=5000),
    ):
        pass


def test_an_answer_that_the_client_does_not_read_is_cut_off(impatient: Served) -> None:
    before = impatient.idle_files()
    with impatient.connect() as client:
        # What has been sent ends in the kernel's buffers: 150 answers are too much for them.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 150)
        until(lambda: impatient.files() > before)
        until(lambda: impatient.files() <= before, 45)


def test_those_who_wait_have_a_share_of_their_own(tmp_path: Path) -> None:
    """Beyond it everything is answered without waiting, and says when to ask again."""
    with served(tmp_path, max_connections=8) as service:
        own = json.loads(service.ask("POST", "/v1/jobs", JSON).content)["links"]["self"]
        line = f"GET {own}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with crowd(service, 4, line) as streams:
            for stream in streams:
                assert stream.recv(100).startswith(b"HTTP/1.1 200")
            stream_of_all = service.ask("GET", "/v1/events")
            assert stream_of_all.content.startswith(b"retry: 5000\n\nevent: summary\n")
            events = service.ask("GET", f"{own}/events").content
            assert events.startswith(b"retry: 5000\n\nevent: state\n")
            assert events.count(b"event: ") == 1
            for method, path, body, status in (
                ("GET", f"{own}?wait=60", None, 200),
                ("POST", "/v1/jobs?wait=60", JSON, 202),
            ):
                answered = service.ask(method, path, body)
                assert (answered.status, json.loads(answered.content)["state"]) == (
                    status,
                    "queued",
                )
                assert answered.headers["Retry-After"] == "5"
            assert service.ask("GET", own).headers["Retry-After"] == "1"
        assert len(json.loads(service.ask("GET", "/v1/jobs").content)["items"]) == 2
        waits = f"GET {own}?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

        def asked_again_after() -> str:
            return service.ask("GET", f"{own}?wait=1").headers["Retry-After"]

        for _ in range(3):  # a client that leaves gives its place back
            with crowd(service, 4, waits) as waiting:
                ready, _, _ = select.select(waiting, [], [], 0.5)
                assert not ready
                assert asked_again_after() == "5"
            until(lambda: asked_again_after() == "1")


def test_large_bodies_are_let_in_four_at_a_time(tmp_path: Path) -> None:
    length = 5 * 2**20
    with served(tmp_path, body_turn_seconds=1) as service:
        with crowd(service, 4, post("/v1/jobs", length) + b" "):
            with service.connect() as fifth:
                fifth.sendall(post("/v1/jobs", length))
                answer = ended(fifth)
                assert answer.startswith(b"HTTP/1.1 503 ")
                assert b'"code":"too_many_large_bodies"' in answer
                assert b"retry-after: 5\r\n" in answer.lower()
            assert service.ask("POST", "/v1/jobs", JSON).status == 202
        big = JSON + b" " * 8 + b"\n" * 40_000 + b'"'
        assert service.ask("POST", "/v1/jobs", big * 120).code == "malformed_json"


def test_ten_large_bodies_take_the_memory_of_four(tmp_path: Path) -> None:
    entry = '{"id": "P%08d", "unit_time": 1}'
    entries = ", ".join(entry % number for number in range(140_000))
    platform = f'{{"processors": [{entries}], "links": []}}'
    body = (
        '{"problem": {"kind": "master_worker", "master": "P0", "task": {"work": 1},'
        f' "platform": {platform}}}}}'
    ).encode()
    assert len(body) > 4 * 2**20
    with served(tmp_path, covered=False) as service:
        before = service.peak_bytes()
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(lambda _: service.ask("POST", "/v1/jobs", body), range(10)))
        assert {answer.status for answer in answers} == {422}
        assert b"140,000 processors, and at most 100,000 are accepted" in answers[0].content
        assert service.peak_bytes() - before < 40_000_000


def test_a_refusal_reaches_a_client_that_is_still_sending(tmp_path: Path) -> None:
    with served(tmp_path, max_body_bytes=1000) as service, service.connect() as client:
        client.sendall(post("/v1/jobs", 30_000_000))
        sender = threading.Thread(target=client.sendall, args=[b" " * 30_000_000])
        sender.start()
        client.settimeout(PATIENCE)
        assert client.recv(2**16).startswith(b"HTTP/1.1 413 ")
        sender.join()
        assert service.alive()
