"""A pipeline that first misbehaves as a job's labels say, and then knows the answer."""

from pathlib import Path

from steadygrid.domain.document import parse_json
from steadygrid.domain.forms import AnySchedule, schedule_from_document
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import Submission
from tests.workers.fake_pipeline import misbehave_first

STORED = Path(__file__).parents[1] / "stored" / "0.1.0" / "master_worker"


def run(submission: Submission, control: Control, limits: Limits) -> tuple[Result, AnySchedule]:
    """Give a stored answer: the drills ask what becomes of processes, not of programs."""
    misbehave_first(submission, control)
    result, schedule = (
        parse_json((STORED / f"{part}.json").read_bytes()) for part in ("result", "schedule")
    )
    return submission.problem.result.model_validate(result), schedule_from_document(schedule)
