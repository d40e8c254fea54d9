"""Fault after fault, while tenants with keys, quotas and webhooks submit and cancel, and old jobs go."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from app.db.clock import current_time
from app.db.ids import new_id
from app.db.models import jobs
from app.db.scopes import Scope
from app.db.webhook_tables import DeliveryState, webhook_deliveries
from app.db.webhooks import OF_WEBHOOKS
from app.main import create_app
from tests.draws import faults as numbered
from tests.draws import rest_seconds
from tests.integration.drills import Redis, Service, until
from tests.integration.invariants import assert_invariants
from tests.integration.own_answer import body_of
from tests.integration.process_faults import LEASE, Faults, count_running
from tests.workers.receivers import Receiver, answers, receiving

MakeService = Callable[..., Service]
FAULTS = (10, 500)
"""In each mode, usually and in a long search: each fault at least once."""
EVENTS = ("job.succeeded", "job.failed", "job.cancelled")
QUEUED = 8
MOST_RUNNING = {"a": 1, "b": 2, "c": None}
"""Tenants, and how many jobs of each may run."""
CAPPED = {tenant: most for tenant, most in MOST_RUNNING.items() if most is not None}
OLD_SECONDS = 100 * 86_400.0
REST = rest_seconds(300.0)
LABELS: tuple[dict[str, str], ...] = (
    {"do": "solve"},
    {"do": "wait", "seconds": "0.3"},
    {"do": "progress", "seconds": "0.2"},
    {"do": "chatter"},
)


class Accepted(NamedTuple):
    """A job that was accepted, and whose it is."""

    tenant: str
    work: int


class Campaign:
    """Clients of several tenants, and the faults that break things."""

    def __init__(
        self, service: Service, client: TestClient, draw: Random, receiver: Receiver
    ) -> None:
        self.service = service
        self.receiver = receiver
        self.draw = draw
        self.faults = Faults(service, draw)
        self.accepted: dict[str, Accepted] = {}
        self.cancelled: set[str] = set()
        self.old: set[str] = set()
        self.seen: Counter[str] = Counter()
        self._client = client
        self._headers = {tenant: self._key(tenant) for tenant in MOST_RUNNING}

    def _key(self, tenant: str) -> dict[str, str]:
        with self.service.database.write_all() as unit:
            unit.tenants.create(tenant)
            unit.tenants.change(tenant, {"running_jobs": MOST_RUNNING[tenant]})
            key = unit.keys.create(tenant, [Scope.READ, Scope.SUBMIT])
        url = f"http://127.0.0.1:{self.receiver.port}/{tenant}"
        with self.service.database.write(tenant) as one:
            one.webhooks.add(new_id(OF_WEBHOOKS), url, EVENTS, "whsec_c2VjcmV0")
        return {"Authorization": f"Bearer {key}"}

    def ask(self, tenant: str, method: str, path: str, **more: Any) -> Any:
        """Ask as a tenant, again while the database is away."""
        headers = self._headers[tenant] | more.pop("headers", {})
        while True:
            answer = self._client.request(method, path, headers=headers, **more)
            if answer.status_code != 503:
                return answer
            self.seen["503"] += 1
            time.sleep(0.05)

    def submit(self) -> None:
        """Have a tenant submit a job; a tenant with enough of them is refused."""
        tenant, work = self.draw.choice([*MOST_RUNNING]), len(self.accepted) + self.seen["429"] + 1
        answer = self.ask(
            tenant,
            "POST",
            "/v1/jobs",
            json=body_of(work, self.draw.choice(LABELS)),
            headers={"Idempotency-Key": str(work)},
        )
        if answer.status_code == 429:
            assert answer.json()["code"] == "quota_exceeded"
            self.seen["429"] += 1
            return
        assert answer.status_code in (200, 202), answer.text
        assert answer.json()["id"] not in self.accepted
        self.accepted[answer.json()["id"]] = Accepted(tenant, work)

    def cancel(self) -> None:
        """Have a tenant cancel its job, and the other tenants try to."""
        own = self.draw.choice([*self.accepted])
        for tenant in MOST_RUNNING:
            answer = self.ask(tenant, "POST", f"/v1/jobs/{own}/cancel")
            mine = tenant == self.accepted[own].tenant
            assert (answer.status_code < 300) == (mine and answer.status_code != 410)
            assert mine or answer.status_code == 404
        self.cancelled.add(own)

    def age(self) -> None:
        """Make a job that has ended an old one."""
        own = self.draw.choice([*self.accepted])
        with self.service.database.engine.begin() as connection:
            ended = update(jobs).where(jobs.c.id == own, jobs.c.finished_at.is_not(None))
            if connection.execute(ended.values(finished_at=current_time(-OLD_SECONDS))).rowcount:
                self.old.add(own)

    def look(self) -> None:
        """See how many jobs run."""
        count_running(self.service.database, self.seen)

    def run(self, faults: list[Callable[[], None]]) -> None:
        """Break something so many times, and wait until nothing is left to be done."""
        for number in numbered(*FAULTS):
            for _ in range(self.draw.randint(1, 4)):
                self.submit()
            self.draw.choice((self.cancel, self.age))()
            time.sleep(self.draw.uniform(0, 0.4))
            fault = faults[number % len(faults)]
            self.seen[fault.__name__] += 1
            fault()
            self.look()
        until(self._at_rest, REST)
        self.age()
        # A service that starts looks at once for what is too old.
        self.faults.stop_and_start()
        until(self._tidied, REST)
        # What a sender held that was killed is taken over when its lease ends.
        with self.service.database.engine.begin() as connection:
            connection.execute(update(webhook_deliveries).values(lease_until=current_time()))
        until(self._told, REST)

    def _told(self) -> bool:
        pending = webhook_deliveries.c.state == DeliveryState.PENDING.value
        with self.service.database.looking() as connection:
            left = connection.execute(select(func.count()).where(pending)).scalar_one()
        unannounced = select(func.count()).where(
            jobs.c.announce == 1, jobs.c.finished_at.is_not(None)
        )
        with self.service.database.looking() as connection:
            return not left and not connection.execute(unannounced).scalar_one()

    def _tidied(self) -> bool:
        with self.service.database.looking() as connection:
            left = connection.execute(
                select(jobs.c.id).where(jobs.c.finished_at < current_time(-86_400))
            )
            return not left.all()

    def _at_rest(self) -> bool:
        self.look()
        unfinished = select(func.count()).where(jobs.c.finished_at.is_(None))
        with self.service.database.looking() as connection:
            return connection.execute(unfinished).scalar_one() == 0

    def judge(self) -> None:
        """Nothing lost, nothing twice, nothing to the wrong tenant."""
        purged, heard = set(), self._judge_messages()
        for own, (owner, work) in self.accepted.items():
            for tenant in MOST_RUNNING.keys() - {owner}:
                assert self.ask(tenant, "GET", f"/v1/jobs/{own}").status_code == 404
            answer = self.ask(owner, "GET", f"/v1/jobs/{own}")
            if answer.status_code == 410:
                purged.add(own)
                continue
            job = answer.json()
            expected = ("succeeded", "cancelled") if own in self.cancelled else ("succeeded",)
            assert job["state"] in expected, job
            if job["state"] == "succeeded":
                assert job["objective"]["value"] == (f"1/{2 * work}")
            assert (owner, f"job.{job['state']}", own) in heard
        assert purged == self.old
        if self.service.settings.embedded:  # elsewhere two may claim at the same moment
            assert all(self.seen[f"running {name}"] <= most for name, most in CAPPED.items())
        assert_invariants(self.service.database, len(self.accepted) - len(purged))
        self.seen |= Counter(jobs=len(self.accepted), cancelled=len(self.cancelled))
        self.seen |= Counter(purged=len(purged))

    def _heard(self) -> list[tuple[str, str, str]]:
        heard = []
        for request in self.receiver.received:
            message = json.loads(request.body)
            path = request.line.split(" ")[1]
            heard.append((path.removeprefix("/"), message["type"], message["data"]["job"]))
        return heard

    def _judge_messages(self) -> set[tuple[str, str, str]]:
        """Give what was heard: of each job one kind of message, by the webhook of its tenant."""
        heard = self._heard()
        for tenant, _, job in heard:
            assert self.accepted[job].tenant == tenant
        different = set(heard)
        assert len({job for *_, job in different}) == len(different)
        self.seen |= Counter(messages=len(heard), repeated=len(heard) - len(different))
        return different


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving(answers("204 No Content")) as receiver:
        yield receiver


@pytest.fixture
def campaign(either: MakeService, seed: int, receiver: Receiver) -> Iterator[Campaign]:
    service = either(
        2,
        auth="keys",
        pipeline="tests.integration.own_answer",
        tenant_queued_jobs=QUEUED,
        retention_days=1,
        max_failures=1000,
        lease_seconds=LEASE,
        heartbeat_seconds=LEASE / 5,
        log_level="CRITICAL",
        webhook_http=True,
        webhook_receivers=f"127.0.0.1:{receiver.port}=127.0.0.0/8",
    )
    with TestClient(create_app(service.settings), base_url="http://localhost") as client:
        service.start()
        yield Campaign(service, client, Random(seed), receiver)


@pytest.mark.parametrize("seed", [0])
def test_no_fault_loses_a_job_or_gives_an_answer_twice_or_to_another_tenant(
    campaign: Campaign, request: pytest.FixtureRequest
) -> None:
    faults = [
        campaign.faults.kill_a_solver,
        campaign.faults.kill_a_worker,
        campaign.faults.put_a_worker_to_sleep,
        campaign.faults.kill_everything,
        campaign.faults.stop_and_start,
    ]
    if not campaign.service.settings.embedded:
        redis: Redis = request.getfixturevalue("redis")
        faults += [campaign.faults.drop_connections, redis.kill, redis.start]
    campaign.run(faults)
    campaign.judge()
    print(dict(sorted(campaign.seen.items())))
