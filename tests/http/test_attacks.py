"""Requests that mean harm: answered with a refusal, soon, and never with a 500."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.http.bodies import BODY, body

JSON = {"Content-Type": "application/json"}
PATIENCE = 60
"""Seconds after which a test has failed; an answer takes far less."""


def connect(address: tuple[str, int]) -> closing[http.client.HTTPConnection]:
    return closing(http.client.HTTPConnection(*address[:2], timeout=PATIENCE))


def told(response: http.client.HTTPResponse) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status, json.loads(response.read())["code"]


def alive(address: tuple[str, int]) -> bool:
    with connect(address) as connection:
        connection.request("GET", "/livez")
        return connection.getresponse().status == 200


def test_an_announced_gigabyte_is_refused_before_it_is_sent(address: tuple[str, int]) -> None:
    with connect(address) as connection:
        connection.putrequest("POST", "/v1/jobs")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(2**30))
        connection.endheaders()
        response = connection.getresponse()
        assert response.headers["Connection"] == "close"
        assert told(response) == (413, "body_too_large")


def test_a_length_of_a_thousand_digits_is_refused(address: tuple[str, int]) -> None:
    with connect(address) as connection:
        connection.putrequest("POST", "/v1/jobs")
        connection.putheader("Content-Length", "9" * 1000)
        connection.endheaders()
        assert connection.getresponse().status in (400, 413)
    assert alive(address)


def test_an_endless_chunked_body_is_cut_off(address: tuple[str, int]) -> None:
    with socket.create_connection(address[:2], timeout=PATIENCE) as client:
        client.sendall(
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(17):
            client.sendall(chunk)
        assert client.recv(2**16).startswith(b"HTTP/1.1 413 ")
        started = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() < started + PATIENCE:
                client.sendall(chunk)
    assert alive(address)


def test_a_chunked_body_over_the_limit_is_refused(service: TestClient) -> None:
    limit = service.get("/v1/info").json()["limits"]["max_body_bytes"]

    def pieces() -> Iterator[bytes]:
        for _ in range(limit // 2**20 + 1):
            yield b" " * 2**20

    answer = service.post("/v1/platforms", content=pieces(), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    assert answer.json()["detail"] == "The body is longer than 67,108,864 bytes."


def test_slow_clients_do_not_keep_others_waiting(address: tuple[str, int]) -> None:
    slow = [socket.create_connection(address[:2], timeout=PATIENCE) for _ in range(100)]
    try:
        for client in slow:
            client.sendall(
                b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
        assert alive(address)
        with connect(address) as connection:
            connection.request("POST", "/v1/jobs", json.dumps(BODY), JSON)
            assert connection.getresponse().status == 202
    finally:
        for client in slow:
            client.close()


def test_sixty_waiting_requests_do_not_stop_the_service(address: tuple[str, int]) -> None:
    with connect(address) as connection:
        connection.request("POST", "/v1/jobs", json.dumps(BODY), JSON)
        own = json.loads(connection.getresponse().read())["links"]["self"]
        states: list[str] = []

        def wait() -> None:
            with connect(address) as waiting:
                waiting.request("GET", f"{own}?wait=60")
                states.append(json.loads(waiting.getresponse().read())["state"])

        threads = [threading.Thread(target=wait) for _ in range(60)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            connection.request("GET", own)
            assert json.loads(connection.getresponse().read())["state"] == "queued"
        connection.request("POST", f"{own}/cancel")
        connection.getresponse().read()
        for thread in threads:
            thread.join()
        assert states == ["cancelled"] * 60


@pytest.mark.parametrize(
    "text",
    ["1e10000000", "1E999999", "1/0", "9" * 100_000, "0x10", "١", "1_000", " 1", "1e+31", "∞"],
)
def test_numbers_that_would_take_for_ever_are_refused_unread(
    service: TestClient, text: str
) -> None:
    answer = service.post("/v1/jobs", json=body(task={"work": text}))
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == ["#/problem/task/work"]
    assert text not in answer.text


@pytest.mark.parametrize("number", ["9" * 100_000, "-" + "9" * 100_000, "1e400", "1e-400"])
def test_json_numbers_beyond_bounds_are_refused(service: TestClient, number: str) -> None:
    content = json.dumps(body(task={"work": "@"})).replace('"@"', number)
    answer = service.post("/v1/jobs", content=content, headers=JSON)
    assert answer.status_code in (202, 422)
    if answer.status_code == 422:
        assert [error["pointer"] for error in answer.json()["errors"]] == ["#/problem/task/work"]
    assert (answer.status_code == 202) == (number == "1e-400")


def processors(count: int) -> list[dict[str, Any]]:
    return [{"id": f"P{i}", "unit_time": 1} for i in range(count)]


@pytest.mark.parametrize(
    ("part", "entries", "detail"),
    [
        ("processors", processors(100_001), "100,001 processors, and at most 100,000 are accepted"),
        ("links", [0] * 200_001, "200,001 links, and at most 200,000 are accepted"),
        ("media", [0] * 200_001, "200,001 media, and at most 200,000 are accepted"),
        ("routes", [0] * 200_001, "200,001 routes, and at most 200,000 are accepted"),
    ],
)
def test_platforms_over_the_limits_are_refused_with_number_and_limit(
    service: TestClient, part: str, entries: list[Any], detail: str
) -> None:
    platform = BODY["problem"]["platform"] | {part: entries}
    answer = service.post("/v1/jobs", json=body(platform=platform))
    assert (answer.status_code, answer.json()["code"]) == (422, "limit_exceeded")
    expected = {"pointer": f"#/problem/platform/{part}", "code": "limit_exceeded", "detail": detail}
    assert answer.json()["errors"] == [expected]
    stored = service.post("/v1/platforms", json=platform)
    assert (stored.status_code, stored.json()["code"]) == (422, "limit_exceeded")
    assert stored.json()["errors"] == [expected | {"pointer": f"#/{part}"}]


def test_applications_over_the_limits_are_refused_with_number_and_limit(
    service: TestClient,
) -> None:
    tasks = [{"id": f"T{i}", "work": 1} for i in range(5001)]
    answer = service.post("/v1/applications", json={"tasks": tasks})
    assert (answer.status_code, answer.json()["code"]) == (422, "limit_exceeded")
    assert answer.json()["errors"][0]["detail"] == "5,001 tasks, and at most 5,000 are accepted"


def test_a_program_that_is_huge_though_its_json_is_small_is_refused(tmp_path: Any) -> None:
    from app.main import create_app
    from tests.http.conftest import quiet

    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, max_coefficients=3)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        for parameters in ({}, {"validate_only": "true"}):
            asked = body(method="lp")
            answer = client.post("/v1/jobs", params=parameters, json=asked)
            assert (answer.status_code, answer.json()["code"]) == (422, "limit_exceeded")
            error = answer.json()["errors"][0]
            assert error["pointer"] == "#/problem"
            assert error["detail"].endswith("coefficients, and at most 3 are accepted")


def test_a_chain_of_five_thousand_tasks_is_read_and_its_cycle_found(service: TestClient) -> None:
    tasks = [{"id": f"T{i}", "work": 1} for i in range(5000)]
    files = [{"source": f"T{i}", "target": f"T{i + 1}", "size": 1} for i in range(4999)]
    application = {"tasks": tasks, "files": files}
    assert service.post("/v1/applications", json=application).status_code == 201
    files.append({"source": "T4999", "target": "T0", "size": 1})
    answer = service.post("/v1/applications", json=application)
    assert answer.status_code == 422
    assert [error["code"] for error in answer.json()["errors"]] == ["cycle"]


BOMB = """<?xml version="1.0"?>
<!DOCTYPE platform [<!ENTITY a "{a}">{more}]>
<platform version="4.1"><zone id="z" routing="Full"><host id="&{last};" speed="1Gf"/></zone></platform>
"""


@pytest.mark.parametrize(
    "document",
    [
        BOMB.format(a="x" * 1000, more='<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">', last="b"),
        BOMB.format(a="x", more='<!ENTITY c SYSTEM "file:///etc/hostname">', last="c"),
        BOMB.format(a="x", more='<!ENTITY d SYSTEM "http://127.0.0.1:9/">', last="d"),
        "<platform" + " " * 100,
        "\x00",
        "",
    ],
)
def test_hostile_xml_is_refused(service: TestClient, document: str) -> None:
    headers = {"Content-Type": "application/simgrid+xml"}
    answer = service.post("/v1/platforms", content=document, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert "root" not in answer.text


@pytest.mark.parametrize(
    "line",
    [
        b"GET /v1/jobs/\xff HTTP/1.1",
        b"GET /v1/jobs?label=\xff:\xfe HTTP/1.1",
        b"GET //v1//jobs HTTP/1.1",
        b"GET /v1/../v1/jobs HTTP/1.1",
        b"GET http://elsewhere/v1/jobs/x HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"BREW /v1/jobs HTTP/1.1",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1",
        b"nonsense",
    ],
)
def test_strange_request_lines_are_refused(address: tuple[str, int], line: bytes) -> None:
    with socket.create_connection(address[:2], timeout=PATIENCE) as client:
        client.sendall(line + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        status = client.makefile("rb").readline().split()[1]
    assert status[:1] == b"4", status
    assert alive(address)


@pytest.mark.parametrize(
    "headers",
    [
        {"Prefer": "wait=" + "9" * 5000},
        {"Prefer": "wait=-1, wait=x, ,;;=,"},
        {"If-None-Match": '"' + "x" * 5000},
        {"Accept": "nothing/at-all"},
        {"Accept-Encoding": "zstd;q=x, gzip;q=, *;q=0"},
        {"Accept-Language": "\u00ff\u0080"},
    ],
)
def test_strange_header_fields_do_no_harm(service: TestClient, headers: dict[str, str]) -> None:
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    own = f"/v1/jobs/job_{'0' * 32}"
    assert service.get(own, headers=encoded).status_code == 404  # type: ignore[arg-type]
    assert service.get("/v1/problems", headers=encoded).status_code == 200  # type: ignore[arg-type]


def test_an_idempotency_key_may_be_any_text(service: TestClient) -> None:
    headers = {"Idempotency-Key": "\u00ff\u0080'; DROP TABLE jobs; --".encode("latin-1")}
    first = service.post("/v1/jobs", json=BODY, headers=headers)  # type: ignore[arg-type]
    second = service.post("/v1/jobs", json=BODY, headers=headers)  # type: ignore[arg-type]
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json()["id"] == second.json()["id"]


def test_what_another_tenant_has_is_not_there(client: TestClient, database: Any) -> None:
    from app.db.new_jobs import NewJob
    from app.db.packing import pack

    job = NewJob.create("master_worker", {})
    platform = f"plt_{'1' * 32}"
    with database.write("other") as unit:
        unit.jobs.add(job)
        unit.platforms.store(platform, pack(BODY["problem"]["platform"]), {"name": "secret"})
    own = f"/v1/jobs/{job.id}"
    for path in (own, f"{own}/instance", f"{own}/result", f"{own}/events"):
        assert client.get(path).status_code == 404
    assert client.post(f"{own}/cancel").status_code == 404
    assert client.delete(own).status_code == 404
    assert client.get("/v1/jobs").json()["items"] == []
    assert client.get(f"/v1/platforms/{platform}").status_code == 404
    assert client.get("/v1/platforms").json()["items"] == []
    asked = client.post("/v1/jobs", json=body(platform=platform))
    assert asked.json()["errors"][0]["code"] == "unknown_platform"
