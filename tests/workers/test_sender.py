"""The sender: killed at any step it loses nothing, and no receiver holds up another one."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from standardwebhooks import Webhook

from app.db.clock import current_time
from app.db.counters import Count
from app.db.deliveries import Answered, Claimed
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.ids import new_id
from app.db.models import webhook_deliveries
from app.db.webhook_tables import DeliveryState
from app.db.webhooks import OF_WEBHOOKS
from app.receivers import SystemResolver
from app.settings import Settings
from steadygrid.domain.job import JobState
from tests.databases import ON_SQLITE, add_job
from tests.db.test_webhooks import ask_tests, finish, sent, write
from tests.environment import bare
from tests.http.bodies import BODY
from tests.http.processes import PATIENCE, served, until
from tests.tree import ROOT
from tests.workers.dying_senders import STEPS, all_resolved, rules_for
from tests.workers.receivers import answers, hangs, receiving
from workers.embedded import EmbeddedWorkers
from workers.sender import AT_A_TIME, OF_ONE_TENANT, Sender
from workers.sending import Post
from workers.sweeper import Sweeper

SECRET = "whsec_c3RlYWR5Z3JpZCBzdGVhZHlncmlkIQ=="
OK = answers("204 No Content")


def hook(database: Database, port: int) -> str:
    webhook = new_id(OF_WEBHOOKS)
    with database.write("local") as unit:
        unit.webhooks.add(webhook, f"http://hooks.example.org:{port}/", ["job.succeeded"], SECRET)
    return webhook


def run(sender: Sender, enough: Callable[[], bool]) -> float:
    """Let a sender work until it is enough; give the seconds that it took to stop."""

    async def go() -> float:
        stop = asyncio.Event()
        running = asyncio.ensure_future(sender.run(stop))
        async with asyncio.timeout(30):
            while not enough():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            begun = time.monotonic()
            stop.set()
            await running
        return time.monotonic() - begun

    return asyncio.run(go())


def test_killed_at_each_step_a_sender_loses_nothing(database: Database) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    with receiving(OK) as receiver:
        webhook = hook(database, receiver.port)
        done = subprocess.run(
            [sys.executable, "-m", "tests.workers.dying_senders", url, str(receiver.port)],
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
            cwd=ROOT,
            env=bare(),
        )
        assert done.returncode == 0, done.stderr
    jobs = json.loads(done.stdout.splitlines()[-1])
    assert jobs.keys() == STEPS.keys()
    ids: dict[str, set[str]] = {}
    times = Counter[str]()
    for request in receiver.received:
        told = Webhook(SECRET).verify(request.body, request.fields)
        assert told["id"] == request.fields["webhook-id"]
        ids.setdefault(told["data"]["job"], set()).add(told["id"])
        times[told["data"]["job"]] += 1
    assert ids.keys() == set(jobs.values())
    assert all(len(one) == 1 for one in ids.values())
    assert len(set().union(*ids.values())) == len(jobs)
    # What was sent before two of the kills was written down by no sender, and is sent again.
    assert sum(times.values()) >= len(jobs) + 2
    assert {one.state for one in sent(database, webhook)} == {DeliveryState.SUCCEEDED}


@ON_SQLITE
def test_a_receiver_that_hangs_holds_up_no_other(database: Database) -> None:
    with receiving(hangs) as slow, receiving(OK) as quick:
        hanging = hook(database, slow.port)
        ask_tests(database, hanging, 40)
        ask_tests(database, hook(database, quick.port), 40)
        rules = rules_for(slow.port)
        both = type(rules)(True, [*rules.allowed, *rules_for(quick.port).allowed])
        sender = Sender(database, Post(both, all_resolved, 60))
        begun = time.monotonic()
        run(sender, lambda: len(quick.received) == 40)
        # It stops after five seconds although two deliveries hang, and gives them back.
        assert time.monotonic() - begun < 45
        assert slow.connections == 2
    with database.write_all() as unit:
        assert len(unit.deliveries.claim(16, 2, 60)) == 2


@ON_SQLITE
def test_a_name_server_that_hangs_holds_up_no_other_tenant(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, looks = threading.Event(), list[float]()

    def addresses_of(host: str, _port: int) -> list[str]:
        if host.startswith("slow") and not over.is_set():
            looks.append(time.monotonic())
            over.wait(20)
        return ["127.0.0.1"]

    monkeypatch.setattr("app.receivers.addresses_of", addresses_of)
    with database.write("other") as unit:
        for number in range(AT_A_TIME):
            url, webhook = f"https://slow-{number}.example.org/", new_id(OF_WEBHOOKS)
            unit.webhooks.add(webhook, url, ["job.failed"], SECRET)
            unit.webhooks.test(webhook, 1)
    with receiving(OK) as quick:
        webhook = hook(database, quick.port)
        resolver = SystemResolver(AT_A_TIME)
        post = Post(rules_for(quick.port), resolver, 0.1)

        def enough() -> bool:
            # The attempts of the other tenant are over by then, and their looks are not.
            if looks and time.monotonic() > looks[0] + 1 and not sent(database, webhook):
                ask_tests(database, webhook, 1)
            if quick.received:
                over.set()
            return over.is_set()

        run(Sender(database, post, settle=post.settle), enough)
        resolver.close()
    assert 0 < len(looks) <= OF_ONE_TENANT


@ON_SQLITE
def test_a_sender_that_looks_for_a_name_in_vain_ends_and_gives_its_delivery_back(
    database: Database,
) -> None:
    """No name server ever answers; the sender must not wait for one when it is told to end."""
    webhook = new_id(OF_WEBHOOKS)
    with database.write("local") as unit:
        unit.webhooks.add(webhook, "https://hooks.example.org/", ["job.failed"], SECRET)
        unit.webhooks.test(webhook, 1)
    url = database.engine.url.render_as_string(hide_password=False)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.workers.stuck_sender"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=bare(database_url=url),
    ) as sender:
        try:
            assert sender.stdout is not None
            assert sender.stdout.readline() == "hooks.example.org\n"
            sender.terminate()
            assert sender.wait(PATIENCE) == 0
        finally:
            sender.kill()
    (left,) = sent(database, webhook)
    assert left.state is DeliveryState.PENDING
    with database.write_all() as unit:
        assert len(unit.deliveries.claim(1, 1, 60.0, 1, {})) == 1


def test_a_database_that_is_away_is_waited_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    real = Sender._has_work

    def has_work(sender: Sender) -> bool:
        looks.append(time.monotonic())
        if len(looks) < 3:
            raise DatabaseUnavailableError("away")
        return real(sender)

    monkeypatch.setattr("workers.sender._POLL_SECONDS", 0.05)
    monkeypatch.setattr(Sender, "_has_work", has_work)
    with receiving(OK) as receiver:
        hook(database, receiver.port)
        finish(database, add_job(database))
        run(
            Sender(database, Post(rules_for(receiver.port), all_resolved)),
            lambda: bool(receiver.received),
        )


def test_two_senders_share_the_work_and_send_nothing_twice(database: Database) -> None:
    hooks = [hook(database, 1) for _ in range(3)]
    for webhook in hooks:
        ask_tests(database, webhook, 10)
    posted: list[str] = []
    under_way, most = Counter[str](), Counter[str]()

    async def post(one: Claimed) -> Answered:
        under_way[one.webhook_id] += 1
        most[one.webhook_id] = max(most[one.webhook_id], under_way[one.webhook_id])
        await asyncio.sleep(0.02)
        under_way[one.webhook_id] -= 1
        posted.append(one.message)
        return Answered(204, None)

    async def both() -> None:
        stop = asyncio.Event()
        running = [asyncio.ensure_future(Sender(database, post).run(stop)) for _ in range(2)]
        async with asyncio.timeout(30):
            while len(posted) < 30:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        stop.set()
        await asyncio.gather(*running)

    asyncio.run(both())
    assert len(set(posted)) == len(posted) == 30
    assert set(most.values()) == {2}
    assert {one.state for webhook in hooks for one in sent(database, webhook)} == {"succeeded"}


@ON_SQLITE
def test_a_sender_counts_what_arrives_and_what_fails(database: Database) -> None:
    ask_tests(database, hook(database, 1), 3)
    posted: list[str] = []

    async def post(one: Claimed) -> Answered:
        posted.append(one.message)
        return Answered(500, "refused", 3_600.0) if len(posted) == 2 else Answered(204, None)

    run(Sender(database, post), lambda: len(posted) == 3)
    with database.read_all() as unit:
        found = unit.counters.all()
    assert (found[Count.DELIVERED].value, found[Count.UNDELIVERED].value) == (2, 1)
    assert found[Count.SENDER_LOOKS].value > 0


@ON_SQLITE
def test_the_sweeper_forgets_old_deliveries(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.sweeper._BATCH", 2)
    webhook = hook(database, 1)
    ask_tests(database, webhook, 7)
    old = update(webhook_deliveries).values(
        state=DeliveryState.SUCCEEDED.value, finished_at=current_time(-8 * 86_400)
    )
    waits = sent(database, webhook)[0].id
    write(database, old.where(webhook_deliveries.c.id != waits))
    Sweeper(database, Settings(webhook_days=9)).purge()
    assert len(sent(database, webhook)) == 7
    Sweeper(database, Settings(webhook_days=7)).purge()
    assert [one.id for one in sent(database, webhook)] == [waits]


@pytest.mark.parametrize("beside", [True, False])
def test_who_sends_is_a_setting(tmp_path: Path, beside: bool) -> None:
    started = EmbeddedWorkers(Settings(data_dir=tmp_path, worker_senders=beside)).services
    assert len(started) == 1 + beside


def test_the_command_sends_until_it_is_stopped(database: Database, tmp_path: Path) -> None:
    url = database.engine.url.render_as_string(hide_password=False)
    with receiving(OK) as receiver, (tmp_path / "log").open("wb") as log:
        place = f"127.0.0.1:{receiver.port}"
        webhook = new_id(OF_WEBHOOKS)
        with database.write("local") as unit:
            unit.webhooks.add(webhook, f"http://{place}/", ["job.failed"], SECRET)
        own = {"webhook_http": True, "webhook_receivers": f"{place}=127.0.0.1/32"}
        sender = subprocess.Popen(
            [Path(sys.executable).with_name("steadygrid"), "sender"],
            env=bare(covered=True, database_url=url, data_dir=tmp_path, **own),
            stderr=log,
            cwd=tmp_path,
        )
        try:
            finish(database, add_job(database), JobState.FAILED)
            until(lambda: bool(receiver.received))
            until(lambda: sent(database, webhook)[0].state is DeliveryState.SUCCEEDED)
        finally:
            sender.terminate()
            assert sender.wait(20) == 0
    told = Webhook(SECRET).verify(receiver.received[0].body, receiver.received[0].fields)
    assert told["type"] == "job.failed"
    # Neither the address nor what was sent is in the log.
    logged = (tmp_path / "log").read_text()
    assert sent(database, webhook)[0].id in logged
    assert place not in logged
    assert "job.failed" not in logged


def test_from_the_request_to_the_receiver(tmp_path: Path) -> None:
    """With `steadygrid serve`, and nothing else: what was asked arrives, signed, when it has ended."""
    with receiving(OK) as receiver:
        own: dict[str, Any] = {
            "webhook_http": True,
            "webhook_receivers": f"127.0.0.1:{receiver.port}=127.0.0.1/32",
            "pages": False,
        }
        with served(tmp_path, "serve", **own) as service:

            def post(path: str, document: object) -> dict[str, str]:
                answer = service.ask("POST", path, json.dumps(document).encode())
                assert answer.status in (201, 202), answer.content
                told: dict[str, str] = json.loads(answer.content)
                return told

            wanted = {"url": f"http://127.0.0.1:{receiver.port}/", "events": ["job.succeeded"]}
            secret = post("/v1/webhooks", wanted)["secret"]
            job = post("/v1/jobs", BODY | {"labels": {"color": "red"}})["id"]
            until(lambda: bool(receiver.received))
    (request,) = receiver.received
    told = Webhook(secret).verify(request.body, request.fields)
    assert told["type"] == "job.succeeded"
    assert told["data"] == {
        "job": job,
        "state": "succeeded",
        "outcome": "optimal",
        "labels": {"color": "red"},
    }
