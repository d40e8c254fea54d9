"""Tokens of an issuer of the site: which are taken, for whom, and what happens without the issuer."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient
from jwt.algorithms import get_default_algorithms

from app.access import admission, issuer
from app.access.issuer import fetched
from app.main import create_app
from app.settings import SettingsError, read_settings
from tests.access.conftest import bearer
from tests.access.test_admission import UNAUTHORIZED, code
from tests.http.conftest import listening, quiet
from tests.http.processes import until

ISSUER, AUDIENCE = "https://login.example.org", "steadygrid"
PRIVATE: dict[str, Any] = {
    "RS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}
PRIVATE["PS256"] = PRIVATE["RS256"]
WEAK = rsa.generate_private_key(65537, 1024)
STRANGER = rsa.generate_private_key(65537, 2048)
SECRET = "a secret that the issuer shares with another service"


def public(algorithm: str, private: Any, **fields: str) -> dict[str, Any]:
    """A public key as the issuer publishes it."""
    key: dict[str, Any] = get_default_algorithms()[algorithm].to_jwk(
        private.public_key(), as_dict=True
    )
    return {"kid": algorithm, "use": "sig"} | key | fields


KEYS = [
    public("RS256", PRIVATE["RS256"]),
    public("ES256", PRIVATE["ES256"]),
    public("EdDSA", PRIVATE["EdDSA"]),
    public("RS256", WEAK, kid="weak"),
    public("RS256", STRANGER, kid="encrypts", use="enc"),
    {"kid": "shared", "kty": "oct", "k": base64.urlsafe_b64encode(SECRET.encode()).decode()},
    {"kid": "broken", "kty": "RSA", "n": "!", "e": 7},
    "no key",
]


class Issuer(ThreadingHTTPServer):
    """Gives its keys to every client, until it does something else."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = 0
        self.status = 200
        self.content = json.dumps({"keys": KEYS}).encode()
        self.hold = threading.Event()
        self.hold.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/keys"


class Handler(BaseHTTPRequestHandler):
    server: Issuer

    def do_GET(self) -> None:
        self.server.asked += 1
        self.server.hold.wait(20)
        self.send_response(self.server.status)
        self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()
        self.wfile.write(self.server.content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def issuing() -> Iterator[Issuer]:
    with Issuer() as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield server
        finally:
            server.hold.set()
            server.shutdown()
            thread.join()


@contextmanager
def trusting(tmp_path: Path, server: Issuer, **values: Any) -> Iterator[TestClient]:
    """A service that takes the tokens of an issuer, and has the tenant ``grid``."""
    settings = quiet(
        f"sqlite:///{tmp_path / 'steadygrid.db'}",
        tmp_path,
        **{
            "auth": "keys,jwt",
            "jwt_issuer": ISSUER,
            "jwt_audience": AUDIENCE,
            "jwt_keys_url": server.url,
        }
        | values,
    )
    application = create_app(settings)
    with TestClient(application, base_url="http://localhost") as client:
        with application.state.resources.database.write_all() as unit:
            unit.tenants.create("grid")
        yield client


@pytest.fixture(scope="module")
def server() -> Iterator[Issuer]:
    with issuing() as one:
        yield one


@pytest.fixture(scope="module")
def client(server: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with trusting(tmp_path_factory.mktemp("tokens"), server) as one:
        yield one


def claims(**changes: Any) -> dict[str, Any]:
    usual = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "exp": int(time.time()) + 3600,
        "sub": "alice",
        "tenant": "grid",
        "scope": "openid read submit",
    }
    return {name: value for name, value in (usual | changes).items() if value is not None}


def token(algorithm: str = "RS256", kid: Any = "", key: Any = None, **changes: Any) -> str:
    header = {} if kid is None else {"kid": kid or {"PS256": "RS256"}.get(algorithm, algorithm)}
    return jwt.encode(claims(**changes), key or PRIVATE[algorithm], algorithm, header)


def asked(client: TestClient, text: str, path: str = "/v1/jobs") -> Any:
    answer = client.get(path, headers={b"Authorization": b"Bearer " + text.encode("latin-1")})
    assert answer.status_code in (200, 401, 403, 503)
    return code(answer)


def part(document: Any) -> str:
    text = document if isinstance(document, str) else json.dumps(document)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
def test_a_token_leads_to_the_tenant_that_it_names(client: TestClient, algorithm: str) -> None:
    assert asked(client, token(algorithm)) is None
    assert (
        asked(client, token(algorithm, aud=["other", AUDIENCE], nbf=int(time.time()) + 5)) is None
    )
    assert asked(client, token(algorithm), "/metrics") == (403, "missing_scope")
    assert asked(client, token(algorithm, scope=["admin"]), "/metrics") is None
    scopes: list[Any] = ["", "openid", "READ", [], None, {"read": 1}, 7]
    for nothing in scopes:
        assert asked(client, token(algorithm, scope=nothing)) == (403, "missing_scope")


def test_keys_go_on_beside_tokens(client: TestClient) -> None:
    application: Any = client.app
    with application.state.resources.database.write_all() as unit:
        key = unit.keys.create("grid", ["read"])
    assert asked(client, key) is None
    assert asked(client, key[:-1]) == UNAUTHORIZED


def wrong_tokens() -> dict[str, str]:
    now = int(time.time())
    pem = (
        PRIVATE["RS256"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    good = token()
    head, body, signature = good.split(".")

    def forged(header: Any, payload: Any = None, signed: str = "") -> str:
        return f"{part(header)}.{part(payload or claims())}.{signed or signature}"

    def signed_with(key: Any, header: dict[str, Any], algorithm: str = "HS256") -> str:
        text = f"{part(header)}.{part(claims())}"
        made = get_default_algorithms()[algorithm].sign(text.encode(), key)
        return f"{text}.{base64.urlsafe_b64encode(made).decode().rstrip('=')}"

    deep = "[" * 3000
    return {
        "none": forged({"alg": "none"}, signed="AA"),
        "none, unsigned": f"{part({'alg': 'none'})}.{body}.",
        "None": forged({"alg": "None", "kid": "RS256"}),
        "unsigned": f"{head}.{body}.",
        "the public key as a secret": signed_with(pem, {"alg": "HS256", "kid": "RS256"}),
        "a shared secret": signed_with(SECRET.encode(), {"alg": "HS256", "kid": "shared"}),
        "a shared secret as RS256": signed_with(SECRET.encode(), {"alg": "RS256", "kid": "shared"}),
        "another key": token(key=STRANGER),
        "another key's kid": token(kid="ES256"),
        "a kid of another sort": token("ES256", kid="RS256"),
        "an unknown kid": token(kid="nobody"),
        "no kid": token(kid=None),
        "a kid that is a path": token(kid="../../dev/null"),
        "a kid that is a query": token(kid="' OR 1=1 --"),
        "a kid that is no text": forged({"alg": "RS256", "kid": ["RS256"]}),
        "a weak key": signed_with(WEAK, {"alg": "RS256", "kid": "weak"}, "RS256"),
        "a key for encryption": token(key=STRANGER, kid="encrypts"),
        "a broken key": token(kid="broken"),
        "a key of its own": forged({"alg": "RS256", "kid": "x", "jwk": KEYS[0]}),
        "keys from elsewhere": forged({"alg": "RS256", "kid": "x", "jku": "http://127.0.0.1:1/"}),
        "an extension": jwt.encode(
            claims(), PRIVATE["RS256"], "RS256", {"kid": "RS256", "crit": ["x"], "x": 1}
        ),
        "RS1": forged({"alg": "RS1", "kid": "RS256"}),
        "an algorithm that is a list": forged({"alg": ["RS256"], "kid": "RS256"}),
        "an algorithm that is an object": forged({"alg": {}, "kid": "RS256"}),
        "another algorithm of the key": forged({"alg": "RS384", "kid": "RS256"}),
        "another body": f"{head}.{part(claims(tenant='other'))}.{signature}",
        "another issuer": token(iss="https://login.example.com"),
        "no issuer": token(iss=None),
        "an issuer in a list": forged({"alg": "RS256", "kid": "RS256"}, claims(iss=[ISSUER])),
        "another audience": token(aud="steadygrid2"),
        "other audiences": token(aud=["a", "b"]),
        "no audience": token(aud=None),
        "expired": token(exp=now - 1),
        "never expiring": token(exp=None),
        "expiring at true": token(exp=True),
        "expiring at a text": token(exp=str(now + 60)),
        "expiring at no number": token(exp=float("nan")),
        "expiring when no clock gets there": token(exp=10**400),
        "expiring at the end of time": token(exp=float("inf")),
        "not yet valid": token(nbf=now + 3_000),
        "issued tomorrow": token(iat=now + 86_400),
        "issued at a text": token(iat="yesterday"),
        "no tenant": token(tenant=None),
        "tenants": token(tenant=["grid"]),
        "a tenant of a longer name": token(tenant="grid\n"),
        "a tenant in capitals": token(tenant="GRID"),
        "an unknown tenant": token(tenant="others"),
        "a tenant that is a path": token(tenant="../grid"),
        "a deep header": f"{part(deep)}.{body}.{signature}",
        "a deep body": f"{head}.{part(deep)}.{signature}",
        "a long token": token(filler="x" * 20_000),
        "a list": f"{part([])}.{part([])}.{signature}",
        "five parts": f"{good}.{good}",
        "one part": "a",
        "dots": "..",
        "no letters": "\xe9.\xe9.\xe9",
        "a number beyond measure": f"{part('{' + chr(34) + 'alg' + chr(34) + ':' + '9' * 5000 + '}')}.{body}.{signature}",
    }


WRONG = wrong_tokens()


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_token_for_this_service_is_refused(client: TestClient, name: str) -> None:
    assert asked(client, WRONG[name]) == UNAUTHORIZED


def test_unknown_keys_are_asked_for_once_a_minute(tmp_path: Path) -> None:
    with issuing() as own, trusting(tmp_path, own) as client:
        for number in range(5):
            assert asked(client, token(kid=f"unknown {number}")) == UNAUTHORIZED
        assert own.asked == 1
        assert asked(client, token()) is None


def test_a_new_key_is_found_after_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with issuing() as own, trusting(tmp_path, own) as client:
        assert asked(client, token()) is None
        own.content = json.dumps({"keys": [public("RS256", STRANGER, kid="new")]}).encode()
        assert asked(client, token(key=STRANGER, kid="new")) == UNAUTHORIZED
        monkeypatch.setattr(issuer, "PAUSE_SECONDS", 0.0)
        monkeypatch.setattr(issuer, "RENEWED_SECONDS", 0.0)
        pause_is_over(client)
        assert asked(client, token(key=STRANGER, kid="new")) is None
        # A key that the issuer has withdrawn ends.
        until(lambda: asked(client, token(jti="again" + str(time.time()))) == UNAUTHORIZED)


def keys_of(client: TestClient) -> Any:
    """The keys of the issuer, as the door of a service holds them."""
    part: Any = client.app
    part = part.middleware_stack
    while not isinstance(part, admission.Admission):
        part = getattr(part, "app", None) or part._app
    return part._holders._tokens._keys


def pause_is_over(client: TestClient) -> None:
    keys_of(client)._next = 0.0


@pytest.mark.parametrize(
    ("status", "content"),
    [
        (500, b""),
        (302, b""),
        (200, b"no JSON"),
        (200, b"[]"),
        (200, b'{"keys": 7}'),
        (200, b"[" * 100_000),
        (200, b" " * (issuer.MOST_BYTES + 1)),
    ],
)
def test_without_keys_nothing_can_be_checked(tmp_path: Path, status: int, content: bytes) -> None:
    with issuing() as own, trusting(tmp_path, own) as client:
        own.status, own.content = status, content
        answer = client.get("/v1/jobs", headers=bearer(token()))
        assert code(answer) == (503, "issuer_unavailable")
        assert answer.headers["Retry-After"] == "5"
        assert own.asked == 1
        assert asked(client, WRONG["none"]) == UNAUTHORIZED


def test_keys_are_kept_for_an_hour_while_the_issuer_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with issuing() as own, trusting(tmp_path, own) as client:
        assert asked(client, token()) is None
        own.status = 503
        keys = keys_of(client)
        for age, expected in ((601, None), (3599, None), (3601, (503, "issuer_unavailable"))):
            keys._fetched, keys._next = time.monotonic() - age, 0.0
            assert asked(client, token(jti=str(age))) == expected
            until(lambda: keys._fetching is None)


def test_an_issuer_that_hangs_delays_no_other_client(tmp_path: Path) -> None:
    with issuing() as own, trusting(tmp_path, own) as client:
        own.hold.clear()
        answers: list[Any] = []
        waiting = threading.Thread(target=lambda: answers.append(asked(client, token())))
        waiting.start()
        until(lambda: own.asked == 1)
        assert client.get("/livez").status_code == 200
        assert asked(client, f"sk_{'a' * 8}_{'b' * 32}") == UNAUTHORIZED
        assert not answers
        own.hold.set()
        waiting.join()
        assert answers == [None]


def test_tenants_are_made_where_that_is_wanted(tmp_path: Path) -> None:
    with issuing() as own, trusting(tmp_path, own, jwt_create_tenants=True) as client:
        for _ in range(2):
            assert asked(client, token(tenant="new-one", jti=str(time.time()))) is None
        application: Any = client.app
        with application.state.resources.database.read_all() as unit:
            assert unit.tenants.get("new-one") is not None
            (line,) = unit.audit.page(9, of="new-one").items
        assert (line.actor, line.action) == ("token of alice", "tenant.created")
        assert asked(client, token(tenant="New")) == UNAUTHORIZED


def test_a_stream_ends_with_its_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "ASK_SECONDS", 0.05)
    with issuing() as own, trusting(tmp_path, own) as client:
        application: Any = client.app
        settings = application.state.resources.settings
    with issuing() as own:
        values = settings.model_copy(update={"jwt_keys_url": own.url})
        with listening(values) as (host, port), jwt_client(host, port) as ask:
            short = token(exp=int(time.time()) + 2)
            status, content = ask("/v1/events", short)
            assert (status, content.endswith(b"event: closed\ndata: {}\n\n")) == (200, True)
            assert ask("/v1/events", short)[0] == 401


@contextmanager
def jwt_client(host: str, port: int) -> Iterator[Any]:
    import http.client

    def ask(path: str, text: str) -> tuple[int, bytes]:
        client = http.client.HTTPConnection(host, port, timeout=60)
        try:
            client.request("GET", path, headers=bearer(text))
            answer = client.getresponse()
            return answer.status, answer.read()
        finally:
            client.close()

    yield ask


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"AUTH": "jwt"}, "JWT_ISSUER and STEADYGRID_JWT_AUDIENCE and STEADYGRID_JWT_KEYS_URL"),
        ({"JWT_KEYS_URL": "http://login.example.org/keys"}, "it must be https"),
        ({"JWT_KEYS_URL": "file:///etc/passwd"}, "it must be a URL such as https"),
        ({"AUTH": "jwt,off"}, "off stands alone"),
    ],
)
def test_settings_that_name_no_issuer_are_refused(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"STEADYGRID_{name}", value)
    with pytest.raises(SettingsError, match=said):
        read_settings()


def test_a_key_set_is_what_verifies_signatures(server: Issuer) -> None:
    assert [key["kid"] for key in fetched(server.url)] == [
        "RS256",
        "ES256",
        "EdDSA",
        "weak",
        "broken",
    ]
