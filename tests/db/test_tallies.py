import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from app.db.engine import Database
from app.db.migrate import upgrade
from app.db.quotas import Use
from app.db.turns import Lane
from tests.databases import add_job
from tests.db.turmoil import TENANTS, counted, run
from tests.draws import draws

OPERATIONS = draws(200, 10_000)
KILLS = draws(1, 20)


def test_tallies_are_what_counting_gives_after_any_operations(database: Database) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda seed: run(database, seed, OPERATIONS // 4), range(4)))
    found, said = counted(database)
    assert said == found
    assert sum(found.values()) > OPERATIONS // 20
    with database.read_all() as unit:
        unmade = {tenant: unit.tenants.unmade(tenant) for tenant in TENANTS}
        used = {tenant: unit.tenants.use(tenant) for tenant in TENANTS}
    uses = {one: replace(use, sweep_jobs=use.sweep_jobs - unmade[one]) for one, use in used.items()}
    assert uses == {tenant: use_of(found, tenant) for tenant in TENANTS}


def use_of(found: Mapping[tuple[str, ...], int], tenant: str) -> Use:
    """Say what a tenant uses that has so many jobs of each kind and state."""
    of_states = Counter[str]()
    of_sweeps = 0
    for (whose, *where, state), number in found.items():
        if whose == tenant and state == "queued" and int(where[-1]) == Lane.SWEEP:
            of_sweeps += number
        elif whose == tenant:
            of_states[state] += number
    running = of_states["running"] + of_states["cancelling"]
    return Use(of_states["queued"], running, of_sweeps)


def test_tallies_are_what_counting_gives_after_kills(database_url: str) -> None:
    database = Database.open(database_url)
    upgrade(database)
    for seed in range(KILLS):
        command = [sys.executable, "-m", "tests.db.turmoil", database_url, str(seed)]
        process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        before = sum(counted(database)[0].values())
        while sum(counted(database)[0].values()) < before + 20:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.wait()
        found, said = counted(database)
        assert said == found
    database.close()


def test_the_queue_is_counted_without_looking_at_it(database: Database) -> None:
    add_job(database)
    with database.read("local") as unit:
        seen: list[str] = []
        connection = unit._connection
        execute = connection.execute
        connection.execute = lambda *a, **k: seen.append(str(a[0])) or execute(*a, **k)  # type: ignore[method-assign]
        assert unit.queue.pending() == 1
        assert len(unit.queue.counts()) == 1
    assert all("tallies" in statement and "FROM jobs" not in statement for statement in seen)
