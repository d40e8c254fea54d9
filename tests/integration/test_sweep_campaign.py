"""Fault after fault while sweeps are made, run, cancelled, tried again and deleted."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from sqlalchemy import func, select

from app.db.models import sweeps
from app.db.sweeps import NewSweep, SweepState
from steadygrid.domain.job import JobState
from tests.draws import faults as numbered
from tests.draws import rest_seconds
from tests.environment import bare
from tests.integration import sweep_hands
from tests.integration.drills import Redis, Service, until
from tests.integration.invariants import assert_invariants
from tests.integration.own_answer import body_of
from tests.integration.process_faults import LEASE, Faults

MakeService = Callable[..., Service]
FAULTS = (8, 400)
"""In each mode."""
MOST_JOBS = 18
WORK, SIZE = "/problem/task/work", "/problem/task/input_size"
REST = rest_seconds(300.0)


class Campaign:
    """A tenant with sweeps, and the faults that break things."""

    def __init__(self, service: Service, draw: Random) -> None:
        self.service = service
        self.draw = draw
        self.faults = Faults(service, draw)
        self.sweeps: dict[str, list[int | None]] = {}
        """The works of their jobs; None: a job that fails."""
        self.asked: dict[str, set[str]] = {deed: set() for deed in sweep_hands.DEEDS}
        self.seen: Counter[str] = Counter()
        self._work = 0
        self._waiting = 0
        self._hands: subprocess.Popen[str] | None = None

    def ask(self, deed: str, sweep: str) -> None:
        """Have something done with a sweep by a process that may be killed meanwhile."""
        if self._hands is None:
            url = self.service.settings.effective_database_url
            self._hands = subprocess.Popen(
                [sys.executable, "-m", "tests.integration.sweep_hands", url, self.service.tenant],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=bare(),
            )
        self.asked[deed].add(sweep)
        self._waiting += 1
        assert self._hands.stdin is not None
        self._hands.stdin.write(f"{deed} {sweep}\n")
        self._hands.stdin.flush()

    def make(self) -> None:
        """Store a sweep, as the request does that answers with its id, and begin with its jobs."""
        works: list[int | None] = []
        for _ in range(self.draw.randint(1, MOST_JOBS)):
            self._work += 1
            works.append(None if self.draw.random() < 0.15 else self._work)
        patches = [
            [{"at": place, "value": "never" if work is None else work} for place in (WORK, SIZE)]
            for work in works
        ]
        labels = self.draw.choice(({"do": "solve"}, {"do": "wait", "seconds": "0.05"}))
        plan = {"template": body_of(1, labels) | {"options": {}}, "patches": patches}
        sweep = NewSweep.create("master_worker", len(works), plan)
        with self.service.database.write(self.service.tenant) as unit:
            unit.sweeps.add(sweep, sweep_hands.LEASE)
        self.sweeps[sweep.id] = works
        self.ask("create", sweep.id)

    def meddle(self) -> None:
        """Cancel a young sweep, or try again or delete any."""
        young, old = [*self.sweeps][-2:], [*self.sweeps]
        deed, which = self.draw.choice((("cancel", young), ("retry", old), ("delete", old)))
        self.ask(deed, self.draw.choice(which))

    def kill_hands(self) -> None:
        """Kill them in the middle: after some of the pieces, of which each deed has one at least."""
        if self._hands is None:
            return
        assert self._hands.stdout is not None
        for _ in range(self.draw.randint(1, self._waiting)):
            self._hands.stdout.readline()
        self._hands.kill()
        with self._hands:
            self._hands = None
        self._waiting = 0

    def kill_everything(self) -> None:
        self.kill_hands()
        self.faults.kill_everything()

    def run(self, faults: list[Callable[[], None]]) -> None:
        """Break something so many times, and wait until nothing is left to be done."""
        for number in numbered(*FAULTS):
            self.make()
            for _ in range(self.draw.randint(1, 4)):
                self.meddle()
            time.sleep(self.draw.uniform(0, 0.5))
            fault = faults[number % len(faults)]
            self.seen[fault.__name__] += 1
            fault()
        self.kill_hands()
        until(self._at_rest, REST)
        for _ in range(2):
            for sweep in self.draw.sample([*self.sweeps], len(self.sweeps) // 2):
                self.ask(self.draw.choice(("retry", "delete")), sweep)
            self.kill_hands()
            until(self._at_rest, REST)

    def _at_rest(self) -> bool:
        open_or_doomed = sweeps.c.finished_at.is_(None) | sweeps.c.doom.is_not(None)
        with self.service.database.looking() as connection:
            return not connection.execute(select(func.count()).where(open_or_doomed)).scalar_one()

    def judge(self) -> None:
        """Nothing is lost, nothing is there twice, and only what was asked for is gone."""
        rows = 0
        for sweep, works in self.sweeps.items():
            with self.service.database.read(self.service.tenant) as unit:
                record = unit.sweeps.get(sweep)
                found = unit.sweeps.last_tries(sweep, 0, 10 * MOST_JOBS)
            if record is None:
                assert sweep in self.asked["delete"]
                assert found == []
                self.seen["deleted"] += 1
                continue
            assert record.state.final
            self.seen[f"sweep {record.state}"] += 1
            if record.state is SweepState.CANCELLED:
                assert sweep in self.asked["cancel"]
            else:
                assert record.created == record.jobs
            assert [job.sweep_index for job in found] == list(range(record.created))
            for job in found:
                rows += job.sweep_try
                work = works[job.sweep_index]
                self.seen[job.state] += 1
                self.seen["again"] += job.sweep_try - 1
                assert (job.sweep_try > 1) <= (sweep in self.asked["retry"])
                if job.state is JobState.SUCCEEDED:
                    assert job.objective is not None
                    assert job.objective["value"] == f"1/{2 * (work or 0)}"
                elif job.state is JobState.FAILED:
                    assert work is None
                    assert job.error is not None
                    assert job.error["code"] == "invalid_request"
                else:
                    assert record.state is SweepState.CANCELLED
        assert_invariants(self.service.database, rows)


@pytest.fixture
def campaign(either: MakeService, seed: int) -> Iterator[Campaign]:
    service = either(
        2,
        pipeline="tests.integration.own_answer",
        max_failures=1000,
        lease_seconds=LEASE,
        heartbeat_seconds=LEASE / 5,
        log_level="CRITICAL",
    )
    service.start()
    campaign = Campaign(service, Random(seed))
    yield campaign
    campaign.kill_hands()


@pytest.mark.parametrize("seed", [0])
def test_no_fault_loses_a_job_of_a_sweep_or_does_it_twice(
    campaign: Campaign, request: pytest.FixtureRequest
) -> None:
    faults = [
        campaign.kill_hands,
        campaign.faults.kill_a_worker,
        campaign.kill_everything,
        campaign.faults.kill_a_solver,
        campaign.faults.put_a_worker_to_sleep,
    ]
    if not campaign.service.settings.embedded:
        redis: Redis = request.getfixturevalue("redis")
        faults += [campaign.faults.kill_a_sweeper, redis.kill, redis.start]
    campaign.run(faults)
    campaign.judge()
    print(dict(sorted(campaign.seen.items())))
