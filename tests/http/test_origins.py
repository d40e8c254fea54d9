"""Who may ask: names of the service, pages of other origins, and what browsers are told."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.error_entries import ErrorEntries
from app.http.authorities import read_authority, read_origin
from app.main import create_app
from app.server.answers import DATA_POLICY, PreparedAnswers
from app.settings import SettingsError, read_settings
from tests.http.bodies import BODY
from tests.http.conftest import listening, quiet

PATIENCE = 30
LOCAL = ("127.0.0.1", 8000)
SERVICE = "grid.example.org"


@contextmanager
def reached(tmp_path: Path, server: tuple[str, int], **values: Any) -> Iterator[TestClient]:
    """A service in process, as reached at a local address; it asks no client for a key."""
    url = f"sqlite:///{tmp_path / 'steadygrid.db'}"
    settings = quiet(url, tmp_path, **({"insecure": True} | values))
    application = create_app(settings)

    async def there(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope["server"] = server
        await application(scope, receive, send)

    with TestClient(there, base_url="http://localhost:8000") as client:
        yield client


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A service without settings, as reached at a loopback address."""
    with reached(tmp_path_factory.mktemp("local"), LOCAL) as client:
        yield client


def code(answer: Any) -> Any:
    return None if answer.status_code < 400 else (answer.status_code, answer.json()["code"])


FOREIGN_HOST = (421, "foreign_host")
FOREIGN_ORIGIN = (403, "foreign_origin")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "localhost:1",
        "LOCALHOST:8000",
        "LocalHost.",
        "localhost.:8000",
        "127.0.0.1",
        "127.0.0.1:8000",
        "127.255.3.4:80",
        "127.0.0.1.",
        "[::1]",
        "[::1]:8000",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]:8000",
    ],
)
def test_names_of_this_machine_are_answered_at_its_loopback_addresses(
    local: TestClient, host: str
) -> None:
    assert code(local.get("/v1/info", headers={"Host": host})) is None


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example.org",
        "rebound.example.org:8000",
        "localhost.example.org",
        "127.0.0.1.example.org",
        "notlocalhost",
        "0.0.0.0:8000",
        "10.0.0.1",
        "[::2]",
        "::1",
        "localhost:8000:8000",
        "localhost@example.org",
        "localhost:port",
        "127.1",
        "[127.0.0.1]",
        "[localhost]",
        "localhost\xa0",
        "\xa0127.0.0.1",
        "",
        ".",
    ],
)
def test_other_names_are_refused_there_for_every_method_and_path(
    local: TestClient, host: str
) -> None:
    name = host.encode("latin-1")
    for method, path in (
        ("GET", "/v1/info"),
        ("POST", "/v1/jobs"),
        ("OPTIONS", "/v1/jobs"),
        ("GET", "/docs"),
        ("GET", "/livez"),
        ("GET", "/nowhere"),
    ):
        answer = local.request(method, path, headers={b"Host": name})
        assert code(answer) == FOREIGN_HOST, path
        assert "STEADYGRID_ALLOWED_HOSTS" in answer.json()["detail"]


def test_two_names_in_one_request_are_refused(local: TestClient) -> None:
    twice = [("Host", "localhost"), ("Host", "rebound.example.org")]
    assert code(local.get("/v1/info", headers=twice)) == FOREIGN_HOST


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_every_loopback_address_checks_names(tmp_path: Path, address: str) -> None:
    with reached(tmp_path, (address, 8000)) as client:
        assert code(client.get("/livez", headers={"Host": "a.example.org"})) == FOREIGN_HOST


@pytest.mark.parametrize("address", ["172.18.0.4", "2001:db8::4", "testserver"])
def test_elsewhere_every_name_is_answered_as_long_as_none_is_set(
    tmp_path: Path, address: str
) -> None:
    # Containers, probes and Prometheus ask by addresses and by names that only they know.
    with reached(tmp_path, (address, 8000)) as client:
        for host in ("172.18.0.4:8000", "api:8000", "anything.example.org"):
            for path in ("/readyz", "/metrics", "/v1/jobs"):
                assert code(client.get(path, headers={"Host": host})) is None


@pytest.mark.parametrize("address", ["172.18.0.4", "127.0.0.1"])
def test_where_hosts_are_set_only_they_are_answered(tmp_path: Path, address: str) -> None:
    hosts = f"{SERVICE}., Other, [2001:DB8:0::1]"
    with reached(tmp_path, (address, 8000), allowed_hosts=hosts) as client:
        named = (SERVICE, f"{SERVICE}:8443", f"{SERVICE.upper()}.", "other")
        for host in (*named, "[2001:db8::1]:1", "[2001:0db8:0:0:0:0:0:1]"):
            assert code(client.get("/v1/info", headers={"Host": host})) is None
        for host in ("localhost:8000", "172.18.0.4:8000", f"a.{SERVICE}"):
            assert code(client.get("/v1/info", headers={"Host": host})) == FOREIGN_HOST
            for path in ("/livez", "/readyz", "/metrics"):
                assert code(client.get(path, headers={"Host": host})) is None


def test_a_star_stands_for_every_host(tmp_path: Path) -> None:
    with reached(tmp_path, LOCAL, allowed_hosts="*") as client:
        assert code(client.get("/v1/info", headers={"Host": SERVICE})) is None


def test_the_public_address_is_a_name_of_the_service(tmp_path: Path) -> None:
    with reached(tmp_path, LOCAL, public_url=f"https://{SERVICE}/below") as client:
        assert code(client.get("/v1/info", headers={"Host": SERVICE})) is None
        assert code(client.get("/v1/info", headers={"Host": "localhost"})) is None
        assert code(client.get("/v1/info", headers={"Host": "example.org"})) == FOREIGN_HOST


CHANGES = [
    ("POST", "/v1/jobs"),
    ("POST", "/v1/platforms"),
    ("POST", f"/v1/jobs/job_{'0' * 32}/cancel"),
    ("DELETE", f"/v1/jobs/job_{'0' * 32}"),
    ("PUT", "/nowhere"),
]


def refused(client: TestClient, **headers: str) -> bool:
    answers = [
        code(client.request(method, path, json=BODY, headers=headers)) for method, path in CHANGES
    ]
    assert len({answer == FOREIGN_ORIGIN for answer in answers}) == 1, answers
    return answers[0] == FOREIGN_ORIGIN


def test_programs_send_neither_origin_nor_cookie(local: TestClient) -> None:
    assert not refused(local)
    assert refused(local, Cookie="session=1")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8000", "http://localhost:8000"),
        ("localhost:8000", "https://localhost:8000"),
        ("localhost.:8000", "http://LOCALHOST:8000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("127.0.0.1", "https://127.0.0.1"),
        ("localhost:443", "https://localhost"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("[0:0:0:0:0:0:0:1]:8000", "http://[::1]:8000"),
    ],
)
def test_our_own_pages_may_change_things(local: TestClient, host: str, origin: str) -> None:
    assert not refused(local, Host=host, Origin=origin)
    assert not refused(local, Host=host, Origin=origin, Cookie="session=1")


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://pages.example.org",
        "http://localhost:3000",
        "http://localhost",
        "http://127.0.0.1:8000",
        "ftp://localhost:8000",
        "http://localhost:8000/",
        "http://localhost:8000.example.org",
        "http://localhost:8000@example.org",
        "file://",
    ],
)
def test_pages_of_other_origins_may_read_what_any_client_may_and_change_nothing(
    local: TestClient, origin: str
) -> None:
    headers = {"Host": "localhost:8000", "Origin": origin}
    assert refused(local, **headers)
    assert refused(local, **headers, Cookie="session=1")
    for method in ("GET", "HEAD", "OPTIONS"):
        assert local.request(method, "/v1/info", headers=headers).status_code in (200, 405)
    both = [("Origin", "http://localhost:8000"), ("Origin", origin)]
    assert code(local.post("/v1/jobs", headers=both)) == FOREIGN_ORIGIN


def test_a_refused_post_makes_no_job(local: TestClient) -> None:
    before = local.get("/v1/jobs").json()
    origin = {"Origin": "https://pages.example.org"}
    assert code(local.post("/v1/jobs", json=BODY, headers=origin)) == FOREIGN_ORIGIN
    assert local.get("/v1/jobs").json() == before


def test_the_pages_of_the_public_address_may_change_things(tmp_path: Path) -> None:
    with reached(tmp_path, LOCAL, public_url=f"https://{SERVICE}/below") as client:
        # As behind a proxy that asks for the service by its own name.
        assert not refused(client, Host="localhost:8000", Origin=f"https://{SERVICE}")
        assert not refused(client, Origin=f"https://{SERVICE}:443", Cookie="session=1")
        assert refused(client, Origin=f"http://{SERVICE}")
        assert refused(client, Origin=f"https://{SERVICE}:8443")


@pytest.mark.parametrize("origins", ["https://pages.example.org", "*"])
def test_origins_of_cors_may_change_things_without_a_cookie(tmp_path: Path, origins: str) -> None:
    with reached(tmp_path, LOCAL, cors_origins=origins) as client:
        page = "https://pages.example.org"
        assert not refused(client, Origin=page)
        assert refused(client, Origin=page, Cookie="session=1")
        assert refused(client, Origin="null")
        assert refused(client, Origin="https://else.example.org") == (origins != "*")


def test_what_a_proxy_forwards_is_not_believed(local: TestClient) -> None:
    forwarded = {"X-Forwarded-Host": "localhost:8000", "Forwarded": "host=localhost"}
    rebound = {"Host": "rebound.example.org", **forwarded}
    assert code(local.get("/v1/info", headers=rebound)) == FOREIGN_HOST
    stranger = {"Origin": f"https://{SERVICE}", "X-Forwarded-Host": SERVICE}
    assert refused(local, **stranger)


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/info", "/nowhere", "/metrics", "/openapi.json", "/docs/assets/favicon.png"]
)
def test_answers_may_do_nothing_in_a_browser(local: TestClient, path: str) -> None:
    for answer in (
        local.get(path, follow_redirects=False),
        local.head(path, follow_redirects=False),
        local.get(path, headers={"Host": "rebound.example.org"}),
        local.post(path, headers={"Origin": "null"}),
    ):
        assert answer.headers["Content-Security-Policy"] == DATA_POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_prepared_answers_have_the_same_fields(tmp_path: Path) -> None:
    answers = PreparedAnswers(ErrorEntries(quiet(f"sqlite:///{tmp_path / 'none.db'}", tmp_path)))
    for prepared in (answers.late(), answers.crowded()):
        head = prepared.split(b"\r\n\r\n")[0].decode().split("\r\n")
        assert f"Content-Security-Policy: {DATA_POLICY}" in head
        assert "X-Content-Type-Options: nosniff" in head


def test_what_is_one_tenant_s_is_kept_by_no_shared_cache(local: TestClient) -> None:
    job = local.post("/v1/jobs", json=BODY).json()["links"]["self"]
    platform = local.post("/v1/platforms", json=BODY["problem"]["platform"]).headers["Location"]
    for path in (job, f"{job}/instance", "/v1/jobs", platform, "/v1/platforms", "/v1/info"):
        fields = local.get(path).headers["Cache-Control"].split(", ")
        assert "private" in fields or "no-store" in fields


def status(address: tuple[str, int], *lines: str) -> int:
    """Send a request and give the status of its answer."""
    with socket.create_connection(address, timeout=PATIENCE) as client:
        client.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        answer = b""
        while chunk := client.recv(65536):
            answer += chunk
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0", "::1"])
def test_a_connection_knows_its_own_address(tmp_path: Path, bound: str) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    try:
        with listening(settings, address=bound) as (_, port):
            address = ("::1" if bound == "::1" else "127.0.0.1", port)
            for host in ("127.0.0.1", "[::1]", "localhost", "LOCALHOST."):
                assert status(address, "GET /livez HTTP/1.1", f"Host: {host}:{port}") == 200
            for host in ("a.example.org", "0.0.0.0", ""):
                assert status(address, "GET /livez HTTP/1.1", f"Host: {host}") == 421
            # HTTP/1.1 asks for exactly one.
            assert status(address, "GET /livez HTTP/1.1") == 400
            twice = ("Host: localhost", "Host: localhost")
            assert status(address, "GET /livez HTTP/1.1", *twice) == 400
            assert status(address, "GET /livez HTTP/1.0") == 421
    except OSError as error:
        if bound != "::1":
            raise
        pytest.skip(f"no IPv6 here: {error}")


def test_a_target_may_name_the_host(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    with listening(settings) as address:
        for target in (
            "http://localhost:1/v1/info?",
            "HTTPS://[::1]/%76%31/info",
            "http://localhost",
        ):
            for host in ("localhost", "a.example.org"):
                assert status(address, f"GET {target} HTTP/1.1", f"Host: {host}") in (200, 307)
        for target in (
            "http://a.example.org/v1/info",
            "http://u@localhost/v1/info",
            "http:///v1/info",
        ):
            assert status(address, f"GET {target} HTTP/1.1", "Host: localhost") == 421
        ours = ("Host: a.example.org", "Origin: http://localhost")
        assert status(address, "DELETE http://localhost/v1/jobs/job_1 HTTP/1.1", *ours) == 404
        assert (
            status(address, "DELETE /v1/jobs/job_1 HTTP/1.1", "Host: localhost:1", ours[1]) == 403
        )
        assert status(address, "GET ftp://localhost/v1/info HTTP/1.1", "Host: localhost") == 404


def test_the_server_takes_no_proxy_s_word_for_who_asks(tmp_path: Path) -> None:
    seen = []

    async def look(scope: Any, _receive: Any, send: Any) -> None:
        seen.append((scope["scheme"], scope["client"][0]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    with listening(settings, look) as address:
        forwarded = ("X-Forwarded-For: 10.1.2.3", "X-Forwarded-Proto: https")
        status(address, "GET / HTTP/1.1", "Host: localhost", *forwarded)
    assert seen == [("http", "127.0.0.1")]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALLOWED_HOSTS", "https://grid.example.org"),
        ("ALLOWED_HOSTS", "grid.example.org:8000"),
        ("ALLOWED_HOSTS", "*.example.org"),
        ("ALLOWED_HOSTS", "::1"),
        ("ALLOWED_HOSTS", "[127.0.0.1]"),
        ("PUBLIC_URL", "https://[1::2::3]"),
        ("PUBLIC_URL", "grid.example.org"),
        ("PUBLIC_URL", "ftp://grid.example.org"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "https://user@grid.example.org"),
        ("PUBLIC_URL", "https://grid.example.org/?a=b"),
    ],
)
def test_settings_that_name_no_host_are_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(f"STEADYGRID_{variable}", value)
    with pytest.raises(SettingsError, match=variable):
        read_settings()


def test_what_is_no_host_and_no_origin_is_none() -> None:
    assert read_authority("a b") is None
    assert read_authority("a:123456") is None
    assert read_origin("null") is None
    assert read_origin("https://[::1") is None
