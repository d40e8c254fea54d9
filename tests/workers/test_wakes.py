"""Messages are few, wake an idle worker, and may all be lost: played with real tables.

Queues and workers are plain lists here, and each step of each worker is one of the test's. What
may happen between two of them is drawn.
"""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.new_jobs import NewJob
from app.db.queue import Claim
from app.db.skills import Skills
from app.settings import Settings, solve_queue
from tests.databases import ON_SQLITE
from tests.draws import draws
from workers.registration import OUR_SKILLS
from workers.sweeper import Sweeper
from workers.wakes import Wakes

KINDS = OUR_SKILLS.kinds
TENANTS = "abc"
MOST = 1
"""Messages in a queue, in the place of `app.publisher.MOST_MESSAGES`."""


class Queues:
    """Plays the broker."""

    def __init__(self) -> None:
        self.messages: dict[str, int] = {}
        self.sent = 0

    def publish(self, queue: str, most: int = MOST) -> None:
        if self.messages.get(queue, 0) < most:
            self.messages[queue] = self.messages.get(queue, 0) + 1
            self.sent += 1
        assert max(self.messages.values()) <= MOST

    def take(self, queues: list[str], draw: random.Random) -> str | None:
        filled = [queue for queue in queues if self.messages.get(queue)]
        if not filled:
            return None
        queue = draw.choice(filled)
        self.messages[queue] -= 1
        return queue


class Worker:
    """One process of a worker; what `workers.tasks` does, in steps.

    Parameters
    ----------
    level
        What its version solves.
    sends
        Whether its version knows of `Wakes`: one from before spends a message and sends none.
    """

    def __init__(
        self, database: Database, queues: Queues, name: str, level: int, *, sends: bool = True
    ) -> None:
        self._database = database
        self._queues = queues
        self.name = name
        self.skills = Skills(KINDS, level)
        self.wakes = Wakes(database, queues.publish, None, self.skills) if sends else None
        self.listens = [solve_queue(one) for one in range(level + 1)]
        self.woken: str | None = None
        self.claim: Claim | None = None
        self.sends: Callable[[], None] | None = None
        """What it is about to do for the others."""

    @property
    def idle(self) -> bool:
        return not (self.woken or self.claim or self.sends)

    @property
    def works(self) -> bool:
        """Whether it has nothing to do but its job."""
        return self.claim is not None and self.sends is None

    def hear(self, draw: random.Random) -> bool:
        """Take a message, if there is one."""
        self.woken = self._queues.take(self.listens, draw)
        return not self.idle

    def look(self) -> None:
        """Do what a message says."""
        with self._database.write_all() as unit:
            self.claim = unit.queue.claim(self.name, self.skills, 1000)
        if self.claim is not None and self.wakes is not None:
            assert self.woken is not None
            self.sends = partial(self.wakes.wake_others, self.woken)
        self.woken = None

    def end(self) -> None:
        """Come to the end of the job."""
        assert self.claim is not None
        with self._database.write_all() as unit:
            unit.queue.fail(self.claim, {})
        self.claim = None
        if self.wakes is not None:
            self.sends = self.wakes.peers

    def send(self) -> None:
        """Send what is to be sent."""
        assert self.sends is not None
        self.sends()
        self.sends = None


class Site:
    """Workers, their queues, and what happens to them."""

    def __init__(self, database: Database, draw: random.Random, levels: list[int]) -> None:
        self.draw = draw
        self.queues = Queues()
        self.database = database
        self._number = 0
        self._gone: list[str] = []
        self.levels = levels
        self.workers: list[Worker] = []
        self.sweeper = Sweeper(database, Settings(), self.queues.publish)
        with database.write_all() as unit:
            for tenant in TENANTS:
                unit.tenants.create(tenant)
                unit.tenants.change(tenant, {"running_jobs": draw.choice([None, 1, 2])})

    def hire(self, level: int, *, sends: bool = True) -> None:
        self._number += 1
        self.workers.append(
            Worker(self.database, self.queues, f"w{self._number}", level, sends=sends)
        )

    def post(self) -> None:
        requires = self.draw.choice(self.levels)
        job = NewJob.create(self.draw.choice(KINDS), {}, requires=requires)
        with self.database.write(self.draw.choice(TENANTS)) as unit:
            unit.jobs.add(job)
        self.queues.publish(solve_queue(requires))

    def settle(self, *, ends: bool) -> None:
        """Let workers take messages and look, in any order; `ends`: and end what they work on."""
        while True:
            able = [one for one in self.workers if not one.idle and (ends or not one.works)]
            able += [one for one in self.workers if one.idle and one.hear(self.draw)]
            if not able:
                return
            self.step(self.draw.choice(able))

    def step(self, worker: Worker) -> None:
        if worker.idle:
            worker.hear(self.draw)
        elif worker.woken:
            worker.look()
        elif worker.sends:
            worker.send()
        else:
            worker.end()

    def kill(self) -> None:
        """Let a worker die with its message and its job, and another one start in its place."""
        worker = self.workers.pop(self.draw.randrange(len(self.workers)))
        self._gone.append(worker.name)
        self.hire(worker.skills.level, sends=worker.wakes is not None)

    def lose(self) -> None:
        """Let the broker forget."""
        for queue in list(self.queues.messages):
            if self.draw.random() < 0.7:
                self.queues.messages[queue] = 0

    def sweep(self) -> None:
        while self._gone:
            self.sweeper.reclaim_orphans(self._gone.pop())
        self.sweeper.wake()

    def pending(self) -> int:
        with self.database.read_all() as unit:
            return unit.queue.pending()

    def running(self) -> int:
        return sum(one.claim is not None for one in self.workers)


@pytest.fixture
def sites(database: Database) -> Callable[..., Site]:
    return lambda draw, levels=(0,): Site(database, draw, list(levels))


@ON_SQLITE
def test_idle_workers_are_woken_at_once_while_nothing_is_lost(sites: Callable[..., Site]) -> None:
    """No sweep is needed in any order of workers and clients."""
    most = 0
    for seed in range(draws(6, 60)):
        draw = random.Random(seed)
        site = sites(draw)
        for _ in range(4):
            site.hire(OUR_SKILLS.level)
        for _ in range(30):
            if draw.random() < 0.4:
                site.post()
            else:
                site.step(draw.choice(site.workers))
            if draw.random() < 0.2:
                site.settle(ends=False)
                with site.database.read_all() as unit:
                    assert site.running() == 4 or not unit.queue.waits(OUR_SKILLS)
                most = max(most, site.running())
        site.settle(ends=True)
        assert site.pending() == 0
    assert most == 4


@ON_SQLITE
@pytest.mark.parametrize("older", [False, True], ids=["one version", "three versions"])
def test_no_job_is_stuck_after_any_loss(sites: Callable[..., Site], older: bool) -> None:
    """One sweep makes good for all messages that were lost, and all workers that died."""
    ours = OUR_SKILLS.level
    waited = 0
    for seed in range(draws(6, 60)):
        draw = random.Random(seed)
        site = sites(draw, (0, ours - 1, ours) if older else (0,))
        for _ in range(2):
            site.hire(ours)
        if older:
            site.hire(ours - 1)
            site.hire(0, sends=False)
        for _ in range(30):
            happens = draw.random()
            if happens < 0.4:
                site.post()
            elif happens < 0.8:
                site.step(draw.choice(site.workers))
            elif happens < 0.9:
                site.lose()
            else:
                site.kill()
        site.settle(ends=True)
        waited += site.pending()
        site.sweep()
        site.settle(ends=True)
        assert site.pending() == 0
    assert waited > 0, "nothing was lost that mattered"


@ON_SQLITE
def test_a_long_queue_is_worked_off_by_one_message(sites: Callable[..., Site]) -> None:
    site = sites(random.Random(0))
    for _ in range(40):
        site.post()
    site.queues.messages = {solve_queue(0): 1}
    site.queues.sent = 0
    for _ in range(3):
        site.hire(OUR_SKILLS.level)
    site.settle(ends=False)
    assert site.running() == 3
    site.settle(ends=True)
    assert site.pending() == 0
    assert site.queues.sent <= 2 * 40


@ON_SQLITE
def test_a_sweeper_alone_sends_one_message(sites: Callable[..., Site]) -> None:
    site = sites(random.Random(0))
    for _ in range(40):
        site.post()
    for _ in range(60):
        site.sweep()
    assert site.queues.messages == {solve_queue(0): MOST, solve_queue(OUR_SKILLS.level): 1}


@ON_SQLITE
def test_what_goes_wrong_is_left_to_the_sweeper(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise ConnectionError

    def away(*_: Any) -> None:
        raise DatabaseUnavailableError

    wakes = Wakes(database, refuse)
    with database.write("local") as unit:
        unit.jobs.add(NewJob.create(KINDS[0], {}))
    with capture_logs():
        wakes.wake_others(solve_queue(0))
        wakes.peers()
        wakes.put_back(solve_queue(0))
        monkeypatch.setattr("app.db.queue.QueueRepository.waits", away)
        Wakes(database, Queues().publish).peers()
