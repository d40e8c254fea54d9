"""Solves jobs for real, in this process, in place of a worker."""

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from tests.http.bodies import claim
from tests.solved import solve


def solve_next(database: Database) -> str:
    """Solve the job whose turn it is, whatever it is, and give its id."""
    taken = claim(database)
    with database.read(taken.tenant) as unit:
        body = unit.jobs.instance(taken.job_id)
    result, schedule = solve(body)
    packed = None if schedule is None else pack_schedule(schedule)
    document = result.model_dump(mode="json") | {"schedule": None if packed is None else packed.id}
    members = (document[name] for name in ("objective", "bound", "gap"))
    with database.write_all() as unit:
        unit.queue.succeed(taken, Found(result.outcome, *members), pack(document), packed)
    return taken.job_id
