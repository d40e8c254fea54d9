"""One delivery to every sort of receiver: it ends in time, and nothing inside is reached."""

import asyncio
import json
import secrets
import ssl
import time
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from app.db.deliveries import Answered, Claimed
from app.receivers import AllowedReceiver, Rules, SystemResolver
from tests.workers.receivers import (
    Behaviour,
    answers,
    certificate,
    drips,
    floods,
    hangs,
    hints,
    receiving,
)
from workers.sending import PAUSES, Post, asked_pause, pause_after

NAME = "hooks.example.org"
SECRETS = tuple("whsec_" + b64encode(secrets.token_bytes(32)).decode() for _ in range(2))
PAYLOAD = json.dumps({"type": "job.succeeded", "data": {"labels": {"a": "\u00e9 \ud83d\ude00"}}})
SECONDS = 1.0
OK = answers("204 No Content")


def delivery(url: str, *signing: str, failures: int = 0) -> Claimed:
    signing = signing or SECRETS[:1]
    return Claimed("dlv_1", "whk_1", "local", url, signing, "msg_1", PAYLOAD, 1, failures)


def rules(port: int, network: str = "127.0.0.1/32") -> Rules:
    return Rules(http=True, allowed=[AllowedReceiver.read(f"{NAME}:{port}={network}")])


class Names:
    """A name server that gives the next list of addresses each time it is asked."""

    def __init__(self, *found: Sequence[str]) -> None:
        self._found = list(found)
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self._found.pop(0) if len(self._found) > 1 else self._found[0]


def post(
    one: Claimed,
    allowed: Rules,
    names: Names | SystemResolver | None = None,
    trusted: ssl.SSLContext | None = None,
    seconds: float = SECONDS,
) -> Answered:
    return asyncio.run(Post(allowed, names or Names(["127.0.0.1"]), seconds, trusted)(one))


def posted(behaviour: Behaviour, failures: int = 0) -> Answered:
    with receiving(behaviour) as receiver:
        url = f"http://{NAME}:{receiver.port}/"
        return post(delivery(url, failures=failures), rules(receiver.port))


def test_another_implementation_believes_what_arrives() -> None:
    with receiving(OK) as receiver:
        url = f"http://{NAME}:{receiver.port}/a%20b?c=d"
        assert post(delivery(url, *SECRETS), rules(receiver.port)) == Answered(204, None)
    (request,) = receiver.received
    assert request.line == "POST /a%20b?c=d HTTP/1.1"
    assert request.fields["host"] == f"{NAME}:{receiver.port}"
    assert request.fields["content-type"] == "application/json"
    assert request.fields["accept-encoding"] == "identity"
    assert request.body.decode() == PAYLOAD
    for secret in SECRETS:
        assert Webhook(secret).verify(request.body, request.fields) == json.loads(PAYLOAD)
    changed = request.body.replace(b"job", b"jop")
    with pytest.raises(WebhookVerificationError):
        Webhook(SECRETS[0]).verify(changed, request.fields)
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_" + b64encode(b"other").decode()).verify(request.body, request.fields)


@pytest.mark.parametrize("behaviour", [hangs, drips])
def test_a_receiver_that_does_not_answer_is_left_in_time(behaviour: Behaviour) -> None:
    begun = time.monotonic()
    answered = posted(behaviour)
    assert time.monotonic() - begun < 30
    assert (answered.status, answered.error) == (None, "timeout")


def test_of_an_answer_little_is_read() -> None:
    begun = time.monotonic()
    assert posted(floods) == Answered(200, None)
    assert time.monotonic() - begun < 30
    assert posted(answers("200 OK", "Content-Encoding: gzip", body=b"no gzip")).error is None


def test_of_what_comes_before_an_answer_little_is_read() -> None:
    answered = posted(hints)
    assert (answered.status, answered.error) == (None, "no_http_answer")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("301 Moved", "redirected"),
        ("307 Temporary Redirect", "redirected"),
        ("400 Bad Request", "refused"),
        ("500 Internal Server Error", "refused"),
        ("410 Gone", "gone"),
    ],
)
def test_what_is_no_success_is_a_failure_and_no_redirect_is_followed(line: str, error: str) -> None:
    with receiving(OK) as inside:
        place = f"Location: http://127.0.0.1:{inside.port}/"
        answered = posted(answers(line, place, "Set-Cookie: a=b"))
        assert (answered.status, answered.error) == (int(line[:3]), error)
        assert answered.gone is (error == "gone")
        assert inside.connections == 0


@pytest.mark.parametrize("line", ["garbage", "HTTP/1.1 abc", "HTTP/1.1 99999 a"])
def test_what_is_no_http_is_a_failure(line: str) -> None:
    answered = posted(lambda one, _: one.sendall(f"{line}\r\n\r\n".encode()))
    assert (answered.status, answered.error) == (None, "no_http_answer")
    assert posted(lambda one, _: None).error == "no_http_answer"


def test_a_port_where_nothing_listens_is_a_failure() -> None:
    with receiving(OK) as receiver:
        port = receiver.port
    answered = post(delivery(f"http://{NAME}:{port}/"), rules(port))
    assert (answered.status, answered.error) == (None, "connection_failed")


def test_what_is_checked_is_what_is_connected_to() -> None:
    """A name that leads inside when it is asked again is not asked again."""
    with receiving(OK) as inside:
        url = f"http://{NAME}:{inside.port}/"
        # TEST-NET-1 is allowed here, and leads nowhere; the second look would lead to `inside`.
        names = Names(["192.0.2.1"], ["127.0.0.1"])
        answered = post(delivery(url), rules(inside.port, "192.0.2.0/24"), names)
        assert names.asked == 1
        assert answered.error in ("timeout", "connection_failed")
        # At the next attempt the name is judged anew.
        answered = post(delivery(url), rules(inside.port, "192.0.2.0/24"), names)
        assert (names.asked, answered.error) == (2, "address_refused")
        both = Names(["192.0.2.1", "127.0.0.1"])
        assert (
            post(delivery(url), rules(inside.port, "192.0.2.0/24"), both).error == "address_refused"
        )
        assert inside.connections == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
def test_the_system_s_own_names_lead_nowhere(host: str) -> None:
    with receiving(OK) as inside:
        resolver = SystemResolver(1)
        anywhere = Rules(
            http=True, allowed=[AllowedReceiver.read(f"{host}:{inside.port}=192.0.2.0/24")]
        )
        answered = post(delivery(f"http://{host}:{inside.port}/"), anywhere, resolver)
        resolver.close()
        assert answered.error == "address_refused"
        assert inside.connections == 0


def test_what_the_operator_has_forbidden_since_is_sent_no_more() -> None:
    with receiving(OK) as receiver:
        url = f"http://{NAME}:{receiver.port}/"
        assert post(delivery(url), Rules(http=False)).error == "https_needed"
        assert post(delivery(url), Rules(http=True)).error == "port_refused"
        assert receiver.connections == 0


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(OK) as receiver, receiving(OK) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        assert post(delivery(f"http://{NAME}:{receiver.port}/"), rules(receiver.port)).error is None
        assert (receiver.connections, proxy.connections) == (1, 0)


def test_the_certificate_is_that_of_the_name(tmp_path: Path) -> None:
    serves, believes = certificate(tmp_path, NAME)
    named: list[str | None] = []
    serves.sni_callback = lambda _socket, name, _context: named.append(name)
    with receiving(OK, serves) as receiver:
        url = f"https://{NAME}:{receiver.port}/"
        allowed = rules(receiver.port)
        assert post(delivery(url), allowed, trusted=believes) == Answered(204, None)
        assert named == [NAME]
        assert post(delivery(url), allowed).error == "tls_failed"
    other, believes = certificate(tmp_path, "other.example.org")
    with receiving(OK, other) as receiver:
        url = f"https://{NAME}:{receiver.port}/"
        assert post(delivery(url), rules(receiver.port), trusted=believes).error == "tls_failed"
        assert receiver.received == []


def test_another_address_of_the_host_is_tried_where_the_first_does_not_answer() -> None:
    with receiving(OK) as receiver:
        names = Names(["127.0.0.2", "127.0.0.1"])
        url = f"http://{NAME}:{receiver.port}/"
        assert post(delivery(url), rules(receiver.port, "127.0.0.0/8"), names) == Answered(
            204, None
        )


def test_pauses_grow_from_seconds_to_a_day() -> None:
    for failures, usual in enumerate((*PAUSES, PAUSES[-1], PAUSES[-1]), 1):
        found = [pause_after(failures) for _ in range(100)]
        assert 0.8 * usual <= min(found) < max(found) <= min(1.2 * usual, 86_400)
        assert len(set(found)) > 1
    assert sum(PAUSES) < 5 * 86_400 < sum(PAUSES) + 2 * PAUSES[-1]


def test_a_receiver_may_ask_for_more_time() -> None:
    asked = answers("503 Service Unavailable", "Retry-After: 1000")
    assert posted(asked).pause == 1_000
    assert posted(asked, failures=3).pause >= 4_000
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=500), usegmt=True)
    assert 490 < asked_pause(later) <= 500
    assert asked_pause("9" * 50) == asked_pause("Fri, 31 Dec 9999 23:59:59 GMT") == 86_400
    for nonsense in (None, "", "-5", "1.5", "soon", "\u0665", "Fri, 31 Dec 1999 23:59:59 GMT"):
        assert asked_pause(nonsense) == 0
    assert asked_pause(f"Fri, 31 Dec 1999 23:59:59 +{'9' * 20}") == 0
