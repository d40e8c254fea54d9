"""Sweeps and single jobs beside each other, as a worker claims them."""

from collections import Counter
from itertools import pairwise

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.queue import Claim
from app.db.turns import Lane
from tests.databases import add_job
from tests.sweeps import add_sweep
from workers.lanes import Lanes
from workers.registration import OUR_SKILLS

JOBS = 300


class Worker:
    """Claims jobs and ends them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lanes = Lanes()

    def work(self) -> Claim:
        with self._database.write_all() as unit:
            claim = unit.queue.claim("w", OUR_SKILLS, 30, None, self._lanes.first)
            assert claim is not None
            self._lanes.claimed()
            unit.queue.fail(claim, {})
        return claim


def test_of_four_claims_one_is_for_sweeps_first() -> None:
    lanes = Lanes()
    places = []
    for _ in range(100):
        block = []
        for _ in range(4):
            block.append(lanes.first)
            assert lanes.first is block[-1], "only a claim that found something counts"
            lanes.claimed()
        assert block.count(Lane.SWEEP) == 1
        places.append(block.index(Lane.SWEEP))
    assert set(places) == set(range(4))


def test_single_jobs_pass_a_long_sweep_and_it_goes_on(database: Database) -> None:
    sweep = add_sweep(database, [[]] * JOBS)
    worker = Worker(database)
    waited = []
    for number in range(40):
        if number % 10 == 0:
            single, since = add_job(database), number
        claim = worker.work()
        if claim.job_id == single:
            waited.append(number - since)
        else:
            assert claim.sweep_id == sweep
    assert len(waited) == 4
    assert max(waited) <= 2, "two rounds of four may meet with their claims for sweeps"


def test_a_stream_of_single_jobs_starves_no_sweep_of_any_tenant(database: Database) -> None:
    """Both tenants take turns, so that each fourth claim would always be the same one's."""
    sweeps = {add_sweep(database, [[]] * JOBS, tenant): tenant for tenant in ("local", "other")}
    for tenant in sweeps.values():
        for _ in range(JOBS // 2):
            with database.write(tenant) as unit:
                unit.jobs.add(NewJob.create("master_worker", {}))
    worker = Worker(database)
    served = Counter(
        (claim.tenant, claim.sweep_id is not None) for claim in (worker.work() for _ in range(120))
    )
    assert served["local", True] + served["other", True] == 30
    assert min(served["local", True], served["other", True]) > 0


def test_sweeps_of_one_tenant_share_its_turns(database: Database) -> None:
    first = add_sweep(database, [[]] * 40)
    worker = Worker(database)
    early = [worker.work().sweep_id for _ in range(10)]
    second = add_sweep(database, [[]] * 40)
    late = [worker.work().sweep_id for _ in range(40)]
    assert early == [first] * 10
    assert late[:10] == [second] * 10, "until it has had as many turns as the other one"
    assert Counter(late[10:]) == {first: 15, second: 15}
    assert all(a != b for a, b in list(pairwise(late[10:]))[::2])
