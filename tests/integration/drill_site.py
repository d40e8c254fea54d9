"""Fault after fault, with everything on: jobs, sweeps, plans made anew, drift, webhooks, retention.

Too long for the gate, which has `test_campaign` and `test_sweep_campaign`. ``make drill`` runs it.
"""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select, update

from app.db.clock import current_time
from app.db.grid_tables import watches
from app.db.migrate import upgrade
from app.db.models import jobs, replans, sweeps
from app.db.webhook_tables import DeliveryState, webhook_deliveries
from app.settings import Settings
from tests.draws import faults as numbered
from tests.draws import rest_seconds
from tests.http import bodies
from tests.integration.drills import QUICK, Redis
from tests.integration.invariants import assert_invariants
from tests.integration.own_answer import body_of
from tests.integration.process_faults import LEASE, count_running
from tests.integration.site import Site, SiteFaults, let_in
from tests.workers.receivers import Receiver, answers, receiving

FAULTS = (20, 500)
"""In each mode."""
REST = rest_seconds(3_600.0)
MOST_RUNNING = {"a": 1, "b": 2, "c": None}
"""Tenants, and how many jobs of each may run."""
SLOW = {"a": Fraction(1, 4), "b": Fraction(1, 5), "c": Fraction(1, 6)}
"""The speed to which the worker of each tenant's platform falls: all platforms have the same id."""
PLANNED = Fraction(1, 2)
OLD_SECONDS = 100 * 86_400.0
LABELS: tuple[dict[str, str], ...] = (
    {"do": "solve"},
    {"do": "solve"},
    {"do": "wait", "seconds": "0.2"},
    {"do": "progress", "seconds": "0.1"},
    {"do": "refuse"},
)
"""What a job does before it is solved. The last one fails."""
FAILS = LABELS[-1]


class Job(NamedTuple):
    """A job that was accepted, and what its answer must be."""

    tenant: str
    value: Fraction | None
    """None: it fails."""


class Sweep(NamedTuple):
    """A sweep that was accepted, and the values of its jobs by index."""

    tenant: str
    values: list[Fraction]


class Drill:
    """Clients of several tenants, beside whom things break."""

    def __init__(self, site: Site, receiver: Receiver, draw: Random) -> None:
        self.site = site
        self.receiver = receiver
        self.draw = draw
        self.singles: dict[str, Job] = {}
        self.plans: dict[str, Job] = {}
        """Replans that were asked for."""
        self.sweeps: dict[str, Sweep] = {}
        self.watched: dict[str, str] = {}
        """By tenant."""
        self.losses: Counter[str] = Counter()
        self.cancelled: set[str] = set()
        self.based: set[str] = set()
        """Jobs that were planned anew."""
        self.old: set[str] = set()
        self.deleted: set[str] = set()
        self.seen: Counter[str] = Counter()
        self._work = 0
        self._fields: dict[str, dict[str, str]] = {}

    def ask(self, tenant: str, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Ask as a tenant; give status and document."""
        more = {"Idempotency-Key": key} if key else {}
        return self.site.ask(method, path, body, **self._fields[tenant], **more)

    def made(self, tenant: str, path: str, body: Any) -> dict[str, Any]:
        """Make something once, however often it has to be asked for."""
        self._work += 1
        status, told = self.ask(tenant, "POST", path, body, f"drill-{self._work}")
        assert status in (200, 201, 202), told
        found: dict[str, Any] = told
        return found

    def begin(self) -> None:
        """Let tenants in, and watch a schedule of each on its platform."""
        for tenant, most in MOST_RUNNING.items():
            self._fields[tenant] = let_in(self.site, tenant, most, self.receiver.port)
        self.site.start()
        platform = bodies.BODY["problem"]["platform"]
        for tenant in MOST_RUNNING:
            stored = self.made(tenant, "/v1/platforms", platform)["id"]
            body = bodies.body(platform=stored) | {"labels": LABELS[0]}
            own = self.made(tenant, "/v1/jobs", body)["id"]
            self.singles[own] = Job(tenant, PLANNED)
            self.watched[tenant] = own
        self._wait(self._at_rest)
        for tenant, own in self.watched.items():
            status, told = self.ask(tenant, "PUT", f"/v1/jobs/{own}/drift", {"loss": "1/20"})
            assert status == 200, told

    def submit(self) -> None:
        tenant, labels = self.draw.choice([*MOST_RUNNING]), self.draw.choice(LABELS)
        work = self._work + 1
        own = self.made(tenant, "/v1/jobs", body_of(work, labels))["id"]
        assert own not in self.singles
        self.singles[own] = Job(tenant, None if labels is FAILS else Fraction(1, 2 * work))

    def sweep(self) -> None:
        tenant = self.draw.choice([*MOST_RUNNING])
        works = [1_000 * self._work + place for place in range(1, self.draw.randint(2, 12))]
        parameter = {
            "name": "work",
            "at": ["/problem/task/work", "/problem/task/input_size"],
            "values": works,
        }
        body = {"template": body_of(1, LABELS[0]), "parameters": [parameter]}
        own = self.made(tenant, "/v1/sweeps", body)["id"]
        self.sweeps[own] = Sweep(tenant, [Fraction(1, 2 * work) for work in works])

    def plan_anew(self) -> None:
        """Ask for the best plan on a slower worker, if the job has one now."""
        own = self._any_single()
        tenant, value = self.singles[own]
        if value is None or self.ask(tenant, "GET", f"/v1/jobs/{own}").content.get("state") != (
            "succeeded"
        ):
            return
        speed = Fraction(1, self.draw.randint(3, 9))
        measured = {"processors": {"W": {"speed": str(speed)}}}
        told = self.made(tenant, f"/v1/jobs/{own}/replan", {"measured": measured})
        self.plans[told["id"]] = Job(tenant, 2 * value * speed)
        self.based.add(own)

    def measure(self) -> None:
        """Say that a worker is slow if its loss would be a new one, or that it is well again."""
        tenant = self.draw.choice([*MOST_RUNNING])
        own = f"/v1/jobs/{self.watched[tenant]}/drift"
        watch = self.ask(tenant, "GET", own).content
        if watch["state"] not in ("unmeasured", "kept", "drifted"):
            self.seen[f"drift {watch['state']}"] += 1
            return
        well = watch["state"] == "drifted"
        if not well:
            self.losses[tenant] += 1
        speed = PLANNED if well else SLOW[tenant]
        at = datetime.now(UTC).isoformat()
        measured = {"at": at, "measured": {"processors": {"W": {"speed": str(speed)}}}}
        path = f"{watch['links']['platform']}/measurements"
        status, told = self.ask(tenant, "POST", path, {"measurements": [measured]})
        assert (status, told["known"] + told["stored"]) == (200, 1), told

    def cancel(self) -> None:
        """Cancel a job or a sweep; others try to in vain."""
        if self.sweeps and self.draw.random() < 0.3:
            own = self.draw.choice([*self.sweeps][-3:])
            owner, path = self.sweeps[own].tenant, f"/v1/sweeps/{own}/cancel"
        else:
            own = self._any_single()
            owner, path = self.singles[own].tenant, f"/v1/jobs/{own}/cancel"
        for tenant in MOST_RUNNING.keys() - {owner}:
            assert self.ask(tenant, "POST", path).status == 404
        assert self.ask(owner, "POST", path).status < 300
        self.cancelled.add(own)

    def age(self) -> None:
        """Make a job that has ended an old one, which retention deletes."""
        own = self._any_single()
        if own in self.based:
            return
        with self.site.database.engine.begin() as connection:
            ended = update(jobs).where(jobs.c.id == own, jobs.c.finished_at.is_not(None))
            if connection.execute(ended.values(finished_at=current_time(-OLD_SECONDS))).rowcount:
                self.old.add(own)

    def delete(self) -> None:
        own = self._any_single()
        if own in self.based:
            return
        for tenant in MOST_RUNNING.keys() - {self.singles[own].tenant}:
            assert self.ask(tenant, "DELETE", f"/v1/jobs/{own}").status == 404
        status, told = self.ask(self.singles[own].tenant, "DELETE", f"/v1/jobs/{own}")
        # What was deleted by a request whose answer was lost is not there when it is repeated.
        if status == 409:
            assert told["code"] == "job_active", told
            return
        assert status in (204, 404), told
        self.deleted.add(own)

    def _any_single(self) -> str:
        gone = self.old | self.deleted | set(self.watched.values())
        recent = [own for own in [*self.singles][-200:] if own not in gone]
        return self.draw.choice(recent)

    def run(self, faults: list[Callable[[], None]], last: list[Callable[[], None]]) -> None:
        """Break something so many times, at last in this order, and wait until nothing is left to be done."""
        deeds = (self.cancel, self.age, self.delete, self.plan_anew, self.measure)
        begun = time.monotonic()
        for number in numbered(*FAULTS):
            for _ in range(self.draw.randint(2, 5)):
                self.submit()
            if self.draw.random() < 0.4:
                self.sweep()
            for _ in range(2):
                self.draw.choice(deeds)()
            time.sleep(self.draw.uniform(0, 0.3))
            fault = faults[number % len(faults)]
            self.seen[fault.__name__] += 1
            self.seen["faults"] += 1
            fault()
            self.look()
            if number % 25 == 24:
                print(number + 1, round(time.monotonic() - begun), self._left(), file=sys.stderr)
        for fault in last:
            fault()
        self.seen["seconds of faults"] = round(time.monotonic() - begun)
        self._wait(self._at_rest)
        self._wait(self._evaluated)
        self._wait(self._at_rest)
        self.seen["seconds in all"] = round(time.monotonic() - begun)
        self.age()
        # What begins looks at once for what is too old.
        SiteFaults(self.site, self.draw).stop_and_start()
        self._wait(self._tidied)
        self._wait(self._told)

    def _wait(self, what: Callable[[], bool]) -> None:
        end, told = time.monotonic() + REST, time.monotonic()
        while not what():
            assert time.monotonic() < end, f"{what.__name__}: {self._left()} after {REST} s"
            if time.monotonic() > told + 20:
                told = time.monotonic()
                print(what.__name__, self._left(), file=sys.stderr)
            time.sleep(0.5)

    def look(self) -> None:
        """See how many jobs run."""
        count_running(self.site.database, self.seen)

    def _left(self) -> dict[str, int]:
        pending = webhook_deliveries.c.state == DeliveryState.PENDING.value
        conditions = {
            "jobs": jobs.c.finished_at.is_(None),
            "sweeps": sweeps.c.finished_at.is_(None),
            "deliveries": pending,
            "unannounced": (jobs.c.announce == 1) & jobs.c.finished_at.is_not(None),
        }
        with self.site.database.looking() as connection:
            return {
                name: connection.execute(select(func.count()).where(condition)).scalar_one()
                for name, condition in conditions.items()
            }

    def _at_rest(self) -> bool:
        left = self._left()
        return left["jobs"] == left["sweeps"] == 0

    def _evaluated(self) -> bool:
        # What was evaluated by a process that was killed is taken over when its lease ends.
        with self.site.database.engine.begin() as connection:
            late = watches.c.lease_until > current_time(2 * LEASE)
            connection.execute(update(watches).where(late).values(lease_until=current_time()))
        states = {
            self.ask(tenant, "GET", f"/v1/jobs/{own}/drift").content["state"]
            for tenant, own in self.watched.items()
        }
        if states & {"waiting", "delayed"}:
            time.sleep(10)
        return not states & {"waiting", "delayed"}

    def _tidied(self) -> bool:
        with self.site.database.looking() as connection:
            old = select(func.count()).where(jobs.c.finished_at < current_time(-86_400))
            return not connection.execute(old).scalar_one()

    def _told(self) -> bool:
        with self.site.database.engine.begin() as connection:
            now = {"lease_until": current_time(), "due_at": current_time()}
            held = webhook_deliveries.c.lease_until > current_time(20)
            due = webhook_deliveries.c.due_at > current_time()
            connection.execute(update(webhook_deliveries).where(held | due).values(now))
        left = self._left()
        return left["deliveries"] == left["unannounced"] == 0

    def judge(self) -> None:
        """Nothing lost, nothing twice, nothing to the wrong tenant."""
        heard = self._heard()
        rows = self._judge_singles(heard) + self._judge_sweeps(heard) + self._judge_plans(heard)
        if self.site.settings.embedded:  # elsewhere two may claim at the same moment
            for tenant, most in MOST_RUNNING.items():
                assert most is None or self.seen[f"running {tenant}"] <= most
        assert_invariants(self.site.database, rows)
        told = {(tenant, subject) for tenant, _, subject in heard}
        known = self.singles.keys() | self.sweeps.keys() | self.plans.keys()
        assert {subject for _, subject in told} <= known
        self.seen |= Counter(jobs=rows, singles=len(self.singles), sweeps=len(self.sweeps))
        self.seen |= Counter(plans=len(self.plans), losses=self.losses.total())

    def _foreign(self, owner: str, path: str) -> None:
        for tenant in MOST_RUNNING.keys() - {owner}:
            assert self.ask(tenant, "GET", path).status == 404, (tenant, path)

    def _judge_singles(self, heard: set[tuple[str, str, str]]) -> int:
        here, purged = 0, set()
        for own, (owner, value) in self.singles.items():
            self._foreign(owner, f"/v1/jobs/{own}")
            status, job = self.ask(owner, "GET", f"/v1/jobs/{own}")
            messages = [one for one in heard if one[2] == own]
            assert len(messages) == 1, (own, messages)
            if status == 410 and own not in self.deleted:
                purged.add(own)
                continue
            if own in self.deleted:
                assert status in (404, 410), job
                continue
            here += 1
            expected = {"failed" if value is None else "succeeded"}
            if own in self.cancelled:
                expected.add("cancelled")
            assert job["state"] in expected, job
            self.seen[job["state"]] += 1
            if job["state"] == "succeeded":
                assert Fraction(job["objective"]["value"]) == value
            assert messages == [(owner, f"job.{job['state']}", own)]
        assert purged == self.old - self.deleted
        self.seen |= Counter(purged=len(purged), deleted=len(self.deleted))
        return here

    def _judge_sweeps(self, heard: set[tuple[str, str, str]]) -> int:
        here = 0
        for own, (owner, values) in self.sweeps.items():
            self._foreign(owner, f"/v1/sweeps/{own}")
            sweep = self.ask(owner, "GET", f"/v1/sweeps/{own}").content
            cancelled = sweep["state"] == "cancelled"
            assert cancelled or sweep["state"] == "succeeded", sweep
            assert own in self.cancelled or not cancelled
            items = self.ask(owner, "GET", f"/v1/sweeps/{own}/jobs?limit=100").content["items"]
            assert [one["sweep"]["index"] for one in items] == list(range(sweep["created"]))
            assert cancelled or len(items) == len(values)
            for job, value in zip(items, values, strict=not cancelled):
                assert cancelled or job["state"] == "succeeded", job
                if job["state"] == "succeeded":
                    assert Fraction(job["objective"]["value"]) == value
            assert (owner, "sweep.finished", own) in heard
            here += len(items)
            self.seen[f"sweep {sweep['state']}"] += 1
        self.seen["jobs of sweeps"] = here
        return here

    def _judge_plans(self, heard: set[tuple[str, str, str]]) -> int:
        """Judge the plans that were asked for, and those that losses have made: one for each."""
        for tenant, own in self.watched.items():
            mine = (replans.c.tenant == tenant) & (replans.c.of_job == own)
            with self.site.database.looking() as connection:
                made = connection.execute(select(replans.c.id).where(mine)).scalars().all()
            assert len(made) == self.losses[tenant], tenant
            for plan in made:
                self.plans[plan] = Job(tenant, 2 * PLANNED * SLOW[tenant])
                assert (tenant, "platform.drift", plan) in heard
        with self.site.database.looking() as connection:
            stored = connection.execute(select(func.count()).select_from(replans)).scalar_one()
        assert stored == len(self.plans)
        for own, (owner, value) in self.plans.items():
            self._foreign(owner, f"/v1/replans/{own}")
            plan = self.ask(owner, "GET", f"/v1/replans/{own}").content
            assert plan["state"] == "succeeded", plan
            assert Fraction(plan["optimum"]["value"]) == value
            assert (owner, "replan.finished", own) in heard
            assert (owner, "job.succeeded", plan["job"]) in heard
            heard.discard((owner, "job.succeeded", plan["job"]))
        return len(self.plans)

    def _heard(self) -> set[tuple[str, str, str]]:
        """Give what was heard, by tenant: each event has one message, however often it came."""
        ids: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for request in list(self.receiver.received):
            message = json.loads(request.body)
            path = request.line.split(" ")[1].removeprefix("/")
            data = message["data"]
            kind = message["type"].partition(".")[0]
            subject = data["replan" if kind in ("replan", "platform") else kind]
            assert message["id"] == request.fields["webhook-id"]
            ids[path, message["type"], subject].add(message["id"])
        assert {len(own) for own in ids.values()} == {1}
        owners = {own: one.tenant for own, one in (*self.singles.items(), *self.plans.items())}
        owners |= {own: one.tenant for own, one in self.sweeps.items()}
        for tenant, _, subject in ids:
            assert owners.get(subject, tenant) == tenant, (tenant, subject)
        messages = len(self.receiver.received)
        self.seen |= Counter(messages=messages, repeated=messages - len(ids))
        return set(ids)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving(answers("204 No Content")) as receiver:
        yield receiver


@pytest.fixture(params=["embedded", pytest.param("production", marks=pytest.mark.postgres)])
def site(request: pytest.FixtureRequest, tmp_path: Path, receiver: Receiver) -> Iterator[Site]:
    where: dict[str, Any] = {"data_dir": tmp_path / "data"}
    if request.param == "production":
        redis: Redis = request.getfixturevalue("redis")
        where |= {"database_url": request.getfixturevalue("postgres"), "redis_url": redis.url}
    settings = Settings(
        **QUICK
        | where
        | {
            "auth": "keys",
            "pipeline": "tests.workers.fake_pipeline",
            "embedded_workers": 2,
            "retention_days": 1,
            "max_failures": 1_000,
            "lease_seconds": LEASE,
            "heartbeat_seconds": LEASE / 5,
            "log_level": "ERROR",
            "webhook_http": True,
            "webhook_receivers": f"127.0.0.1:{receiver.port}=127.0.0.0/8",
        }
    )
    settings.data_dir.mkdir()
    site = Site(settings, tmp_path / "log", 2)
    upgrade(site.database)
    yield site
    site.close()


@pytest.mark.parametrize("seed", [0])
def test_no_fault_loses_anything_or_does_it_twice_or_tells_another_tenant(
    site: Site, receiver: Receiver, seed: int, request: pytest.FixtureRequest
) -> None:
    drill, happens = Drill(site, receiver, Random(seed)), SiteFaults(site, Random(seed))
    drill.begin()
    faults = [
        happens.kill_a_solver,
        happens.kill_a_worker,
        happens.put_a_worker_to_sleep,
        happens.kill_a_sender,
        happens.kill_everything,
        happens.kill_a_reader,
        happens.stop_and_start,
    ]
    last: list[Callable[[], None]] = []
    if not site.settings.embedded:
        redis: Redis = request.getfixturevalue("redis")
        faults += [happens.kill_a_sweeper, happens.drop_connections, happens.kill_the_api]
        last = [redis.kill, redis.start]
        faults += [happens.restart_the_api, *last]
    drill.run(faults, last)
    drill.judge()
    print(dict(sorted(drill.seen.items())))
