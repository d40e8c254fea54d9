"""Who is let in: keys and their scopes, what is open, and a service that asks for no keys."""

import asyncio
import http.client
import json
import socket
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.pool import QueuePool

from app.access import admission, holders
from app.access.admission import ASK_SECONDS, Admission
from app.access.holders import FRESH_SECONDS, Holders
from app.access.views import BELOW
from app.db.engine import Database
from app.db.keys import KeyRepository
from app.db.scopes import Scope
from app.http.refusals import problem_response
from app.main import OPEN, create_app
from app.pages import assets
from app.settings import Settings, SettingsError, read_settings
from tests.access.conftest import MakeKey, bearer
from tests.http.bodies import BODY
from tests.http.conftest import listening, quiet
from tests.http.processes import PATIENCE, until
from tests.http.routes import paths
from tests.http.test_origins import LOCAL, reached

JOB = f"/v1/jobs/job_{'0' * 32}"
SCOPES = [
    ("GET", "/v1/jobs", "read"),
    ("HEAD", "/v1/jobs", "read"),
    ("GET", "/v1/info", "read"),
    ("GET", "/", "read"),
    ("OPTIONS", "/v1/jobs", "read"),
    ("POST", "/v1/jobs", "submit"),
    ("POST", "/v1/jobs?validate_only=true", "submit"),
    ("POST", f"{JOB}/cancel", "submit"),
    ("DELETE", JOB, "submit"),
    ("PUT", "/v1/jobs", "submit"),
    ("GET", "/metrics", "admin"),
    ("HEAD", "/metrics", "admin"),
    ("GET", "/operations", "admin"),
    ("POST", "/metrics", "admin"),
]


def code(answer: Any) -> Any:
    return None if answer.status_code < 400 else (answer.status_code, answer.json()["code"])


UNAUTHORIZED = (401, "unauthorized")


def test_without_a_key_only_what_is_the_same_for_all_clients_is_shown(
    keyed: TestClient,
) -> None:
    seen = 0
    application: Any = keyed.app
    for path in sorted(one.format_map(Anything()) for one in [*paths(application), "/v1/nowhere"]):
        for method in ("GET", "POST", "DELETE"):
            answer = keyed.request(method, path, content=b"not read")
            if path in OPEN or path.startswith("/docs/assets/"):
                assert answer.status_code != 401
            elif path.startswith(BELOW):
                assert code(answer) == (404, "not_found")
            elif not path.startswith(f"{assets.FOLDER}/x"):
                assert code(answer) == UNAUTHORIZED, path
                assert answer.headers["WWW-Authenticate"] == 'Bearer realm="steadygrid"'
                assert answer.headers["Cache-Control"] == "no-store"
                seen += 1
    assert seen > 60
    for path in (
        "/livez",
        "/readyz",
        "/docs",
        "/openapi.json",
        "/docs/assets/favicon.png",
    ):
        assert keyed.get(path).status_code == 200
    assert keyed.get(assets.address("steadygrid.css")).status_code == 200


class Anything(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "x"


def test_paths_that_only_look_open_are_not(keyed: TestClient) -> None:
    for path in (
        *("/livez/", "//livez", "/LIVEZ", "/livez/../v1/jobs", "/docs/../v1/jobs", "/docs/assets"),
        *(
            "/v1/jobs?/livez",
            "/v1/jobs#/livez",
            "/v1/jobs;/livez",
            "/static",
            "/static/vega.js",
            "/static/vega-1-a.js",
        ),
        *("/livez%2f..%2fv1%2fjobs", "/openapi.json/x", "/", "/metrics", "/v1/summary"),
    ):
        assert code(keyed.get(path)) == UNAUTHORIZED, path


@pytest.mark.parametrize(("method", "path", "needed"), SCOPES)
def test_each_scope_allows_what_it_says(
    keyed: TestClient, key: MakeKey, method: str, path: str, needed: str
) -> None:
    for scope in ("read", "submit", "admin"):
        answer = keyed.request(method, path, headers=bearer(key(scope)))
        if scope == needed:
            assert answer.status_code not in (401, 403)
            continue
        assert answer.status_code == 403
        assert f'error="insufficient_scope", scope="{needed}"' in answer.headers["WWW-Authenticate"]
        if method != "HEAD":
            assert code(answer) == (403, "missing_scope")


def test_who_may_only_read_changes_nothing_on_any_route(keyed: TestClient, key: MakeKey) -> None:
    application: Any = keyed.app
    reader = bearer(key("read"))
    for path in sorted({one.format_map(Anything()) for one in paths(application)} - OPEN):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = keyed.request(method, path, headers=reader)
            files = path.startswith(("/docs/assets", f"{assets.FOLDER}/x", BELOW))
            assert files or code(answer) == (403, "missing_scope"), (method, path)


def test_credentials_are_read_as_they_are_meant(keyed: TestClient, key: MakeKey) -> None:
    good = key()
    for scheme in ("Bearer", "bearer", "BEARER", "bEaReR", "Bearer  ", " Bearer"):
        assert code(keyed.get("/v1/jobs", headers={"Authorization": f"{scheme} {good}"})) is None
    for given in (
        *("", "Bearer", "Bearer ", good, f"Basic {good}", f"Bearer{good}", f"Token {good}"),
        *(
            f"Bearer {good}x",
            f"Bearer {good[:-1]}",
            f"Bearer {good},{good}",
            f"Bearer {good} {good}",
        ),
        *(f"Bearer {good.upper()}", f'Bearer "{good}"', f"Bearer\xa0{good}", "Bearer \xff\xfe"),
        *(f"Bearer {'a' * 20_000}", f"Bearer {good.replace('_', '%5F')}", "Bearer null"),
    ):
        answer = keyed.get("/v1/jobs", headers={b"Authorization": given.encode("latin-1")})
        assert code(answer) == UNAUTHORIZED, given[:60]
        assert good not in answer.text
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    twice = [("Authorization", f"Bearer {good}")] * 2
    assert code(keyed.get("/v1/jobs", headers=twice)) == UNAUTHORIZED


def test_a_key_in_the_address_or_a_cookie_is_no_key(keyed: TestClient, key: MakeKey) -> None:
    good = key()
    for query in (f"?access_token={good}", f"?key={good}", f"?Authorization=Bearer%20{good}"):
        assert code(keyed.get(f"/v1/jobs{query}")) == UNAUTHORIZED
    for field in ("Cookie", "X-API-Key", "Proxy-Authorization", "X-Authorization"):
        assert code(keyed.get("/v1/jobs", headers={field: f"Bearer {good}"})) == UNAUTHORIZED
    assert code(keyed.get("/v1/jobs", auth=("sk", good))) == UNAUTHORIZED


def test_a_key_leads_to_its_own_tenant(keyed: TestClient, key: MakeKey) -> None:
    mine, other = bearer(key(tenant="mine")), bearer(key(tenant="other"))
    job = keyed.post("/v1/jobs", json=BODY, headers=mine).json()
    assert [one["id"] for one in keyed.get("/v1/jobs", headers=mine).json()["items"]] == [job["id"]]
    assert keyed.get("/v1/jobs", headers=other).json()["items"] == []
    assert code(keyed.get(job["links"]["self"], headers=other)) == (404, "not_found")


def test_no_body_is_read_of_a_client_without_a_key(place: str, tmp_path: Path) -> None:
    """An answer comes although the body never does."""
    with (
        listening(quiet(place, tmp_path, auth="keys")) as address,
        socket.create_connection(address, timeout=PATIENCE) as client,
    ):
        client.sendall(
            b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
        )
        assert client.recv(100).startswith(b"HTTP/1.1 401 ")


def test_the_use_of_a_key_is_written_down(
    keyed: TestClient, key: MakeKey, database: Database
) -> None:
    good = key()
    keyed.get("/v1/jobs", headers=bearer(good))

    def used() -> bool:
        with database.read_all() as unit:
            return unit.keys.get(good.split("_")[1]).used_at is not None

    until(used)


def test_the_database_is_closed_when_the_uses_of_keys_are_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, auth="keys")
    used, close = KeyRepository.used, Database.close
    in_use = []
    leaving = threading.Event()

    def slowly(self: KeyRepository, key_id: str) -> None:
        assert leaving.wait(PATIENCE)
        time.sleep(1)
        used(self, key_id)

    def closely(self: Database) -> None:
        assert isinstance(self.engine.pool, QueuePool)
        in_use.append(self.engine.pool.checkedout())
        close(self)

    with TestClient(create_app(settings), base_url="http://localhost") as client:
        database = Database.open(settings.effective_database_url)
        with database.write_all() as unit:
            unit.tenants.create("grid")
            good = unit.keys.create("grid", Scope)
        monkeypatch.setattr(KeyRepository, "used", slowly)
        monkeypatch.setattr(Database, "close", closely)
        assert client.get("/v1/jobs", headers=bearer(good)).status_code == 200
        leaving.set()
    assert in_use == [0]
    with database.read_all() as unit:
        assert unit.keys.get(good.split("_")[1]).used_at is not None
    database.close()


def test_a_revoked_key_is_refused_within_five_seconds() -> None:
    assert FRESH_SECONDS + ASK_SECONDS < 5


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time runs faster."""
    monkeypatch.setattr(holders, "FRESH_SECONDS", 0.01)
    monkeypatch.setattr(admission, "ASK_SECONDS", 0.05)


def test_what_is_known_of_a_key_is_forgotten(
    keyed: TestClient, key: MakeKey, database: Database, at_once: None
) -> None:
    good = key()
    assert code(keyed.get("/v1/jobs", headers=bearer(good))) is None
    with database.write_all() as unit:
        unit.keys.revoke(good.split("_")[1])
    until(lambda: code(keyed.get("/v1/jobs", headers=bearer(good))) == UNAUTHORIZED)


@pytest.mark.parametrize("path", ["{job}?wait=60", "{job}/events", "/v1/events"])
def test_waiting_and_listening_end_when_the_key_is_revoked(
    place: str, tmp_path: Path, at_once: None, path: str
) -> None:
    settings = quiet(place, tmp_path, auth="keys")
    with listening(settings) as (host, port):
        database = Database.open(place)
        with database.write_all() as unit:
            unit.tenants.create("grid")
            keys = [unit.keys.create("grid", Scope) for _ in range(2)]
        answers: list[tuple[int, bytes]] = []

        def ask(key: str, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
            with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as client:
                fields = bearer(key) | {"Content-Type": "application/json"}
                client.request(method, path, body, fields)
                answer = client.getresponse()
                return answer.status, answer.read()

        job = json.loads(ask(keys[0], "POST", "/v1/jobs", json.dumps(BODY).encode())[1])
        asked = path.format(job=job["links"]["self"])
        waiting = threading.Thread(target=lambda: answers.append(ask(keys[1], "GET", asked)))
        waiting.start()
        time.sleep(0.5)
        assert not answers
        with database.write_all() as unit:
            assert unit.keys.revoke(keys[1].split("_")[1])
        database.close()
        waiting.join(PATIENCE)
        ((status, content),) = answers
        if path.endswith("events"):
            assert status == 200
            assert content.endswith(b"event: closed\ndata: {}\n\n")
        else:
            assert (status, json.loads(content)["code"]) == UNAUTHORIZED
            assert b"queued" not in content
        assert ask(keys[1], "GET", asked)[0] == 401


def test_an_answer_of_another_kind_is_cut_off(
    keyed: TestClient, key: MakeKey, database: Database, tmp_path: Path, at_once: None
) -> None:
    """No part of a document must look like all of it."""
    begun = threading.Event()

    async def endless(_scope: Any, _receive: Any, send: Any) -> None:
        fields = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": fields})
        while True:
            await send({"type": "http.response.body", "body": b"1," * 100, "more_body": True})
            begun.set()
            await asyncio.sleep(0.01)

    settings = quiet("sqlite:///unused.db", tmp_path, auth="keys")
    door = Admission(
        endless,
        settings,
        Holders(settings),
        lambda _: False,
        lambda _, refusal: problem_response(refusal, 401),
    )
    parts = SimpleNamespace(state=SimpleNamespace(resources=SimpleNamespace(database=database)))

    async def service(scope: Any, receive: Any, send: Any) -> None:
        await door(scope | {"app": parts}, receive, send)

    good = key()
    with (
        listening(settings, service) as (host, port),
        closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as client,
    ):
        client.request("GET", "/", headers=bearer(good))
        answer = client.getresponse()
        assert begun.wait(PATIENCE)
        with database.write_all() as unit:
            unit.keys.revoke(good.split("_")[1])
        with pytest.raises(http.client.IncompleteRead):
            answer.read()


def test_an_unavailable_database_refuses_no_client_for_good(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, auth="keys")
    application = create_app(settings)
    with TestClient(application, base_url="http://localhost") as client:
        (tmp_path / "steadygrid.db").rename(tmp_path / "aside")
        (tmp_path / "steadygrid.db").mkdir()
        application.state.resources.database.close()
        answer = client.get("/v1/jobs", headers=bearer(f"sk_{'a' * 8}_{'b' * 32}"))
        assert code(answer) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "5"


@pytest.mark.parametrize("address", ["172.18.0.4", "0.0.0.0", "2001:db8::4", "/run/socket", ""])
def test_without_keys_other_machines_are_refused(tmp_path: Path, address: str) -> None:
    with reached(tmp_path, (address, 8000), insecure=False) as client:
        for method, path in (("GET", "/v1/jobs"), ("POST", "/v1/jobs"), ("GET", "/metrics")):
            answer = client.request(method, path, headers={"X-Forwarded-For": "127.0.0.1"})
            assert code(answer) == (403, "insecure")
            assert "STEADYGRID_AUTH=keys" in answer.json()["detail"]
        for path in ("/livez", "/readyz", "/docs"):
            assert client.get(path).status_code == 200
    with reached(tmp_path, (address, 8000)) as client:
        assert code(client.get("/v1/jobs")) is None


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_without_keys_this_machine_is_answered(tmp_path: Path, address: str) -> None:
    with reached(tmp_path, (address, 8000), insecure=False) as client:
        assert code(client.get("/v1/jobs", headers=bearer("whatever"))) is None


def test_pages_of_other_origins_may_send_a_key(tmp_path: Path) -> None:
    origin = {"Origin": "https://pages.example.org"}
    with reached(tmp_path, LOCAL, auth="keys", cors_origins=origin["Origin"]) as client:
        asked = {
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        }
        assert client.options("/v1/jobs", headers=origin | asked).status_code == 200
        answer = client.get("/v1/jobs", headers=origin)
        assert code(answer) == UNAUTHORIZED
        assert answer.headers["Access-Control-Allow-Origin"] == origin["Origin"]
        assert "WWW-Authenticate" in answer.headers["Access-Control-Expose-Headers"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"AUTH": ""}, "it must be off, or keys"),
        ({"AUTH": "key"}, "it must be off, or keys"),
        ({"AUTH": "keys,off"}, "off stands alone"),
        ({"PUBLIC_URL": "https://grid.example.org"}, "PUBLIC_URL says that there is a proxy"),
        ({"TRUSTED_PROXIES": "10.0.0.0/8"}, "TRUSTED_PROXIES says that there is a proxy"),
        ({"AUTH": "off", "REDIS_URL": "redis://a/0", "PUBLIC_URL": "https://a"}, "behind a proxy"),
        ({"TRUSTED_PROXIES": "proxy.example.org"}, "no address and no network"),
        ({"TRUSTED_PROXIES": "10.0.0.1/8", "AUTH": "keys"}, "no address and no network"),
    ],
)
def test_settings_that_would_admit_all_clients_are_refused(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"STEADYGRID_{name}", value)
    with pytest.raises(SettingsError, match=said):
        read_settings()


@pytest.mark.parametrize(
    ("settings", "methods"),
    [
        ({}, {"off"}),
        ({"redis_url": "redis://a/0"}, {"keys"}),
        ({"redis_url": "redis://a/0", "auth": "off"}, {"off"}),
        ({"auth": " keys "}, {"keys"}),
        (
            {"auth": "keys", "public_url": "https://a", "trusted_proxies": "::1, 10.0.0.0/8"},
            {"keys"},
        ),
        ({"insecure": True, "public_url": "https://a"}, {"off"}),
    ],
)
def test_production_asks_for_keys(settings: dict[str, Any], methods: set[str]) -> None:
    assert Settings(**settings).auth_methods == methods
