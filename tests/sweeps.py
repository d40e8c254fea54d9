"""Sweeps in a database, made as the service makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.sweep_work import SweepJob
from app.db.sweeps import NewSweep
from steadygrid.kinds import SOLVES
from steadygrid.kinds.master_worker import PROBLEM

Change = dict[str, Any]


def template(**labels: str) -> dict[str, Any]:
    """A small body that misbehaves as its labels say, where the pipeline of tests is asked."""
    labels.setdefault("do", "solve")
    return dict(PROBLEM.example) | {"options": {}, "labels": labels}


def add_sweep(
    database: Database,
    patches: Sequence[Sequence[Change]],
    tenant: str = "local",
    time_limits: Sequence[float] = (),
    labels: Mapping[str, str] | None = None,
) -> str:
    """Store a sweep with a job for each patch, all of them made."""
    plan = {"template": template(**labels or {}), "patches": [list(patch) for patch in patches]}
    sweep = NewSweep.create("master_worker", len(patches), plan)
    made = []
    for index in range(len(patches)):
        limit = time_limits[index] if time_limits else 60.0
        job = NewJob.create("master_worker", {"options": {"time_limit": limit}}, labels)
        made.append(SweepJob(replace(job, packed=None, requires=SOLVES), index))
    with database.write(tenant) as unit:
        unit.sweeps.add(sweep, -1)
        if made:
            unmade = unit.sweep_work.take_unmade(30, sweep.id)
            assert unmade is not None
            assert unit.sweep_work.make_some(unmade, made, 30)
    return sweep.id


def put(at: str, value: Any) -> Change:
    return {"at": at, "value": value}
