"""A pipeline that first misbehaves as a job's labels say, and then gives the answer of this job.

Every job of `body_of` has another one, so that the answer of any other would be refused.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Bound, Objective, Outcome, Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.runs import Cargo, Run
from steadygrid.domain.schedule import Computation
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult, SentRate
from steadygrid.submissions.submission import Submission
from tests.http import bodies
from tests.workers.fake_pipeline import misbehave_first


def body_of(work: int, labels: dict[str, str]) -> dict[str, Any]:
    """Give a body whose tasks take so much longer than those of `bodies.BODY`."""
    return bodies.body(task={"work": work, "input_size": work}) | {"labels": labels}


def run(submission: Submission, control: Control, limits: Limits) -> tuple[Result, AnySchedule]:
    """Misbehave, then answer."""
    misbehave_first(submission, control)
    instance: Any = submission.instance
    work = Fraction(instance.task.work)
    rate, short = 1 / (2 * work), bodies.schedule()
    (allocation,) = short.allocations
    (sent,) = allocation.transfers
    sender, receiver = sent.path
    schedule = replace(
        short,
        period=2 * work,
        throughput=rate,
        optimal_throughput=rate,
        allocations=(allocation._replace(rate=rate),),
        computations=(Computation("W", "task", 0, Fraction(1), Fraction(0), 2 * work),),
        runs=(Run(Fraction(0), work, sender, receiver, (Cargo(sent.file, 0, Fraction(1), work),)),),
    )
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(rate),
        bound=Bound.from_value(rate, exact=True),
        gap=Fraction(0),
        certificate=DualityCertificate(prices={"W.compute": rate}),
        verified=True,
        schedule=None,
        computed={"W": rate},
        sent=[SentRate(source="M", target="W", file="input", rate=rate)],
    )
    return result, schedule
