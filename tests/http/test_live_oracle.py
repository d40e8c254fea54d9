"""A client that lists jobs and follows the changes holds what lists have: random lives of jobs."""

import random

import pytest
from fastapi.testclient import TestClient

from app.db import news as looks
from app.db.engine import Database
from app.db.jobs import JobRecord
from app.db.news import Snapshot
from app.db.queue import Claim
from app.jobs import news
from tests.databases import add_job
from tests.draws import draws
from tests.http.bodies import finish
from workers.registration import OUR_SKILLS

POISON = {"code": "poison", "detail": "again and again"}


class Follower:
    """Lists once, then believes what it is told."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._before: Snapshot | None = None
        self.held: dict[str, JobRecord] = {}

    def begin(self) -> None:
        self._before = news.look(self._database, "local", None, False).snapshot
        self.held = listed(self._database)

    def look(self) -> None:
        found = news.look(self._database, "local", self._before, False)
        self._before = found.snapshot
        self.held |= {change.record.id: change.record for change in found.changes}
        for job in found.deleted:
            self.held.pop(job, None)


def listed(database: Database) -> dict[str, JobRecord]:
    with database.read("local") as unit:
        return {record.id: record for record in unit.jobs.page(10_000).items}


class World:
    """Clients and workers, who do many things between two looks."""

    def __init__(self, database: Database, draw: random.Random) -> None:
        self._database = database
        self._draw = draw
        self._claims: list[Claim] = []

    def turn(self) -> None:
        for _ in range(self._draw.choice((0, 1, 5, 20))):
            self._draw.choice((self.submit, self.claim, self.work, self.cancel))()
        if self._draw.random() < 0.3:
            self.delete()

    def submit(self) -> None:
        for _ in range(self._draw.choice((1, 1, 1, 12))):
            add_job(self._database)

    def claim(self) -> None:
        with self._database.write_all() as unit:
            taken = unit.queue.claim("tests", OUR_SKILLS, lease_seconds=60)
        if taken is not None:
            self._claims.append(taken)
            if self._draw.random() < 0.5:
                self.work()

    def work(self) -> None:
        if not self._claims:
            return
        taken = self._claims.pop(self._draw.randrange(len(self._claims)))
        with self._database.read_all() as unit:
            cancelling = unit.queue.state(taken).value == "cancelling"
        step = self._draw.choice(("progress", "end", "fail", "back", "crash"))
        if step == "end" and not cancelling:
            finish(self._database, taken)
            return
        with self._database.write_all() as unit:
            if step == "progress":
                unit.queue.heartbeat(taken, 60, {"phase": f"step {self._draw.random()}"})
                self._claims.append(taken)
            elif step == "fail" and not cancelling:
                unit.queue.fail(taken, POISON)
            elif step == "crash":
                unit.queue.crashed(taken, 3, POISON)
            else:
                unit.queue.give_back(taken)

    def cancel(self) -> None:
        known = list(listed(self._database))
        if known:
            with self._database.write("local") as unit:
                unit.jobs.cancel(self._draw.choice(known))

    def delete(self) -> None:
        known = list(listed(self._database))
        for job in self._draw.sample(known, min(len(known), 5)):
            with self._database.write("local") as unit:
                unit.jobs.delete(job)


@pytest.mark.parametrize("seed", range(draws(2, 40)))
def test_a_follower_holds_what_lists_have(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 3)
    draw = random.Random(seed)
    world, follower = World(database, draw), Follower(database)
    if seed % 2:
        world.turn()
    follower.begin()
    for _ in range(12):
        world.turn()
        follower.look()
        assert follower.held == listed(database)


def test_all_of_a_crowd_of_new_jobs_are_told(client: TestClient, database: Database) -> None:
    del client
    follower = Follower(database)
    follower.begin()
    for size in (130, 130):
        for _ in range(size):
            add_job(database)
        follower.look()
        assert follower.held == listed(database)


def test_a_job_that_was_claimed_and_given_back_between_two_looks_is_told(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 1)
    monkeypatch.setattr(looks, "LATE_SECONDS", 0.0)
    old = [add_job(database) for _ in range(3)]
    add_job(database)
    before = news.look(database, "local", None, False).snapshot
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", OUR_SKILLS, lease_seconds=60)
        assert taken is not None
        unit.queue.give_back(taken)
    changes = news.look(database, "local", before, False).changes
    assert [(one.record.id, one.record.attempt) for one in changes] == [(old[0], 1)]


def test_a_job_that_only_moves_up_in_the_queue_is_not_told(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    del client
    monkeypatch.setattr(looks, "NEWEST", 1)
    monkeypatch.setattr(looks, "LATE_SECONDS", 0.0)
    monkeypatch.setattr(looks, "WAITING", 1)
    old = [add_job(database) for _ in range(3)]
    add_job(database)
    before = news.look(database, "local", None, False).snapshot
    with database.write("local") as unit:
        unit.jobs.cancel(old[0])
    changes = news.look(database, "local", before, False).changes
    assert [one.record.id for one in changes] == [old[0]]
