"""Bodies to post, and functions that play the worker."""

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Claim, Found
from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Bound, Objective, Outcome
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.domain.trace import TracePoint, trace_document
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult, SentRate
from workers.registration import OUR_SKILLS

HALF = Fraction(1, 2)
INPUT = ("begin", "task")

BODY: dict[str, Any] = {
    "problem": {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, {"id": "W", "unit_time": 2}],
            "links": [{"source": "M", "target": "W", "unit_time": 1}],
        },
        "master": "M",
        "task": {"work": 1},
    }
}
"""A master and a worker; the throughput is 1/2."""

SWEEP: dict[str, Any] = {
    "template": BODY,
    "parameters": [
        {
            "name": "worker",
            "at": ["/problem/platform/processors/[id=W]/unit_time"],
            "values": [2, "5/2", 3],
        },
        {"name": "link", "scale": ["/problem/platform/links/*/unit_time"], "values": [1, "1/2"]},
    ],
}
"""`BODY` with six pairs of a worker and a link."""


def body(**changes: Any) -> dict[str, Any]:
    """Give the body with some members of `problem` changed; None leaves one out."""
    changed = copy.deepcopy(BODY)
    for name, value in changes.items():
        if value is None:
            del changed["problem"][name]
        else:
            changed["problem"][name] = value
    return changed


def schedule() -> Schedule:
    """The schedule of `BODY`: a period of 2, the first task is computed in the second one."""
    one = Fraction(1)
    return Schedule(
        period=Fraction(2),
        instances_per_period=one,
        throughput=HALF,
        optimal_throughput=HALF,
        loss=Fraction(0),
        rounding_loss=None,
        ports="one_port",
        prologue_periods=1,
        latency_periods=2,
        preempted=False,
        files=(INPUT,),
        allocations=(
            Allocation(0, HALF, one, {"task": ("W",)}, (Transfer(INPUT, ("M", "W"), one),)),
        ),
        computations=(Computation("W", "task", 0, one, Fraction(0), Fraction(2)),),
        slots=(Slot(Fraction(0), one, (SlotTransfer("M", "W", INPUT, 0, one),)),),
    )


def claim(database: Database) -> Claim:
    """Take the next job."""
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", OUR_SKILLS, lease_seconds=60)
    assert taken is not None
    return taken


def finish(
    database: Database,
    taken: Claim,
    found: AnySchedule | None = None,
    trace: Sequence[TracePoint] = (),
) -> None:
    """End a job with the answer of `BODY`."""
    packed = pack_schedule(schedule() if found is None else found)
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(HALF),
        bound=Bound.from_value(HALF, exact=True),
        gap=Fraction(0),
        certificate=DualityCertificate(prices={"W.compute": HALF}),
        verified=True,
        schedule=packed.id,
        computed={"W": HALF},
        sent=[SentRate(source="M", target="W", file="input", rate=HALF)],
    )
    told = pack(trace_document(trace)) if trace else None
    with database.write_all() as unit:
        document = result.model_dump(mode="json")
        members = (document[name] for name in ("objective", "bound", "gap"))
        unit.queue.succeed(
            taken, Found(Outcome.OPTIMAL, *members), pack(document), packed, None, told
        )
