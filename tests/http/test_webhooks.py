"""``/v1/webhooks``: made, seen, changed, tried and deleted; and the page that explains them."""

import asyncio
import base64
import re
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi.testclient import TestClient
from standardwebhooks import Webhook

from app.db.deliveries import Answered
from app.db.engine import Database
from app.http.refusals import Refusal
from app.receivers import Rules
from app.settings import Settings
from app.webhooks import service
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import ON_SQLITE, on_each_database, settings_on
from tests.tree import ROOT
from workers.sending import signature

URL = "https://192.0.9.1/hook?a=b"
WANTED = {"url": URL, "events": ["job.succeeded", "job.failed", "job.succeeded"]}


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_on(request, tmp_path_factory.mktemp("hooks"), tenant_webhooks=2)


def make(client: TestClient, **changes: Any) -> dict[str, Any]:
    answer = client.post("/v1/webhooks", json=WANTED | changes)
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["location"] == answer.json()["links"]["self"]
    made: dict[str, Any] = answer.json()
    return made


def test_a_webhook_from_its_making_to_its_end(client: TestClient, database: Database) -> None:
    made = make(client)
    secret = made.pop("secret")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    links = made["links"]
    assert client.get(links["self"]).json() == made
    assert made["events"] == ["job.succeeded", "job.failed"]
    assert (made["enabled"], made["disabled"]) == (True, None)
    assert client.get("/v1/webhooks").json() == {"items": [made], "next_page_token": None}

    job = client.post("/v1/jobs", json=BODY | {"labels": {"a": "b"}}).json()["id"]
    finish(database, claim(database))
    with database.write_all() as unit:
        assert unit.deliveries.announce(9) == 1
    (sent,) = client.get(links["deliveries"]).json()["items"]
    assert sent["links"]["subject"] == f"/v1/jobs/{job}"
    assert client.get(sent["links"]["self"]).json() == sent
    assert (sent["event"], sent["state"], sent["attempts"]) == ("job.succeeded", "pending", 0)
    with database.write_all() as unit:
        (taken,) = unit.deliveries.claim(9, 2, 60)
        unit.deliveries.record(taken, Answered(500, "refused", 60))
    failed = client.get(sent["links"]["self"]).json()
    assert (failed["status"], failed["error"], failed["attempts"]) == (500, "refused", 1)
    assert failed["due_at"] > sent["due_at"]
    again = client.post(sent["links"]["redeliver"])
    assert again.status_code == 202
    assert again.json()["message"] == sent["message"]
    with database.write_all() as unit:
        (taken,) = unit.deliveries.claim(9, 2, 60)
        unit.deliveries.record(taken, Answered(204, None))
    (ended,) = client.get(f"{links['deliveries']}?state=succeeded").json()["items"]
    assert (ended["due_at"], ended["status"]) == (None, 204)
    assert client.get(f"{links['deliveries']}?state=failed").json()["items"] == []

    rotated = client.post(links["rotate"]).json()
    assert rotated["secret"] != secret
    assert rotated["former_secret_until"] is not None
    changed = client.patch(links["self"], json={"enabled": False, "events": ["sweep.finished"]})
    assert (changed.json()["disabled"], changed.json()["events"]) == ("owner", ["sweep.finished"])
    assert changed.json()["url"] == URL
    for path in (links["test"], sent["links"]["redeliver"]):
        refused = client.post(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "webhook_disabled")
    assert client.patch(links["self"], json={"enabled": True}).json()["enabled"] is True
    assert client.patch(links["self"], json={}).json()["enabled"] is True

    assert client.delete(links["self"]).status_code == 204
    for method, path in (
        ("GET", links["self"]),
        ("GET", links["deliveries"]),
        ("GET", sent["links"]["self"]),
        ("DELETE", links["self"]),
        ("POST", links["test"]),
        ("POST", links["rotate"]),
    ):
        assert client.request(method, path).status_code == 404
    assert client.patch(links["self"], json={}).status_code == 404
    with database.read_all() as unit:
        actions = [line.action for line in unit.audit.page(99).items]
    assert [one for one in actions if one.startswith("webhook")] == [
        "webhook.created",
        "webhook.rotated",
        "webhook.changed",
        "webhook.changed",
        "webhook.deleted",
    ]


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "#/url", "missing"),
        (WANTED | {"events": []}, "#/events", "too_short"),
        (WANTED | {"events": ["job.ended"]}, "#/events/0", "enum"),
        (WANTED | {"secret": "whsec_"}, "#/secret", "extra_forbidden"),
        (WANTED | {"url": 1}, "#/url", "string_type"),
        (WANTED | {"url": "https://"}, "#/url", "invalid_url"),
        (WANTED | {"url": "http://192.0.9.1/"}, "#/url", "https_needed"),
        (WANTED | {"url": "https://192.0.9.1:22/"}, "#/url", "port_refused"),
        (WANTED | {"url": "https://169.254.169.254/"}, "#/url", "address_refused"),
        (WANTED | {"url": "https://localhost/"}, "#/url", "address_refused"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    client: TestClient, body: Any, pointer: str, code: str
) -> None:
    refused = client.post("/v1/webhooks", json=body)
    assert refused.status_code == 422
    assert {"pointer": pointer, "code": code}.items() <= refused.json()["errors"][0].items()
    assert client.get("/v1/webhooks").json()["items"] == []


@ON_SQLITE
def test_a_change_to_where_nothing_may_be_sent_changes_nothing(client: TestClient) -> None:
    made = make(client)
    for change in (
        {"url": "https://10.0.0.1/"},
        {"url": None},
        {"events": None},
        {"enabled": None},
    ):
        assert client.patch(made["links"]["self"], json=change).status_code == 422
    assert client.get(made["links"]["self"]).json()["url"] == URL


@ON_SQLITE
def test_a_name_server_that_hangs_is_not_waited_for(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(_host: str, _port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    monkeypatch.setattr(service, "resolve", hang)
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.1)
    begun = time.monotonic()
    refused = client.post("/v1/webhooks", json=WANTED | {"url": "https://a.example/"})
    assert time.monotonic() - begun < 30
    assert refused.json()["errors"][0]["code"] == "host_unknown"


def test_a_repetition_with_its_key_makes_no_second_webhook(client: TestClient) -> None:
    key = {"Idempotency-Key": "made-once"}
    made = client.post("/v1/webhooks", json=WANTED, headers=key)
    again = client.post(
        "/v1/webhooks", json=WANTED | {"events": WANTED["events"][::-1]}, headers=key
    )
    assert (made.status_code, again.status_code) == (201, 200)
    assert again.json() == made.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Cache-Control"] == "no-store"
    assert again.headers["Location"] == made.headers["Location"]
    assert client.get("/v1/webhooks").json()["items"] == [
        {name: value for name, value in made.json().items() if name != "secret"}
    ]
    other = client.post("/v1/webhooks", json=WANTED | {"events": ["job.failed"]}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    job = client.post("/v1/jobs", json=BODY, headers=key)
    assert (job.status_code, job.json()["code"]) == (422, "idempotency_key_reused")
    assert client.delete(made.json()["links"]["self"]).status_code == 204
    anew = client.post("/v1/webhooks", json=WANTED, headers=key)
    assert (anew.status_code, anew.json()["id"] != made.json()["id"]) == (201, True)
    assert client.delete(anew.json()["links"]["self"]).status_code == 204


@ON_SQLITE
def test_there_is_a_limit_of_webhooks_and_of_tests(client: TestClient) -> None:
    made = [make(client) for _ in range(2)]
    refused = client.post("/v1/webhooks", json=WANTED)
    assert (refused.status_code, refused.json()["code"]) == (409, "webhooks_too_many")
    pages = client.get("/v1/webhooks?limit=1").json()
    token = pages["next_page_token"]
    (last,) = client.get(f"/v1/webhooks?limit=1&page_token={token}").json()["items"]
    assert [pages["items"][0]["id"], last["id"]] == [made[1]["id"], made[0]["id"]]
    links = made[0]["links"]
    for _ in range(service.MOST_TESTS):
        test = client.post(links["test"])
        assert test.status_code == 202
        assert test.json()["links"]["subject"] is None
    refused = client.post(links["test"])
    assert (refused.status_code, refused.json()["code"]) == (409, "tests_too_many")
    page = client.get(f"{links['deliveries']}?limit=3").json()
    rest = client.get(f"{links['deliveries']}?limit=3&page_token={page['next_page_token']}").json()
    assert len({one["id"] for one in page["items"] + rest["items"]}) == service.MOST_TESTS


def pieces() -> list[str]:
    page = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_both_methods_to_check_a_signature_that_the_page_shows() -> None:
    with_library, without = pieces()
    secret = "whsec_" + base64.b64encode(b"a key of twenty-four byte").decode()
    body = b'{"type":"job.succeeded","data":{"job":"job_1"}}'
    stamp = int(time.time())
    signed = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(stamp),
        "webhook-signature": f"v1,other {signature(secret, 'msg_1', stamp, body.decode())}",
    }
    old = str(stamp - 400)
    stale = signed | {
        "webhook-timestamp": old,
        "webhook-signature": signature(secret, "msg_1", int(old), body.decode()),
    }
    names: dict[str, Any] = {}
    exec(without, names)
    is_signed = names["is_signed"]
    assert is_signed(secret, signed, body)
    assert not is_signed(secret, signed, body + b" ")
    assert not is_signed(secret, stale, body)
    assert not is_signed("whsec_AAAA", signed, body)
    assert len(without.strip().splitlines()) <= 10

    fetched: list[str] = []
    names = {"SECRET": secret, "fetch_result": fetched.append}
    exec(with_library, names)
    names["receive"](signed | {"webhook-signature": signed["webhook-signature"].split()[1]}, body)
    assert fetched == ["job_1"]
    with pytest.raises(Exception, match="old"):
        names["receive"](stale, body)
    assert Webhook(secret)


def test_names_that_hang_keep_no_other_tenant_from_making_a_webhook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over = threading.Event()

    def addresses_of(host: str, _port: int) -> list[str]:
        if host.startswith("slow"):
            over.wait(20)
        return ["1.1.1.1"]

    async def asked(tenant: str, host: str) -> str:
        try:
            await service.check_receiver(Rules(), tenant, f"https://{host}.example.org/")
        except Refusal as refusal:
            return refusal.code
        return "taken"

    async def go() -> tuple[list[str], str]:
        slow = await asyncio.gather(*(asked("a", f"slow-{number}") for number in range(9)))
        good = await asked("b", "good")
        over.set()
        return slow, good

    monkeypatch.setattr("app.receivers.addresses_of", addresses_of)
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.2)
    slow, good = asyncio.run(go())
    assert (set(slow), good) == ({"invalid_request", "unavailable"}, "taken")
