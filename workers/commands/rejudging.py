"""Stored answers before today's referee: each is read by today's models and judged again."""

from collections.abc import Callable

from app.db.answered import (
    Answered,
    answers,
    job_exists,
    number_of_answers,
    read_answer,
    some_answers,
)
from app.db.engine import Database
from app.db.packing import unpack
from app.db.stored_answers import StoredAnswer
from steadygrid.cli.documents import referee_lines
from steadygrid.cli.json_files import fault_lines
from steadygrid.documents import read_result
from steadygrid.domain.errors import InstanceError, InvalidScheduleError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.report.glyphs import printable
from steadygrid.submissions.submission import restore_submission, schedule_limits

Told = Callable[[str], None]


class Rejudged:
    """What has been found of the answers of a database.

    Parameters
    ----------
    database
        Nothing of it is changed.
    limits
        The current ones, as far as they bound how schedules are written.
    """

    def __init__(self, database: Database, limits: Limits) -> None:
        self._database = database
        self._limits = limits
        self.judged = 0
        self.refused = 0

    def judge(self, sample: int | None, refuse: Callable[[list[str]], None], told: Told) -> None:
        """Judge all answers, or so many drawn at random.

        Parameters
        ----------
        refuse
            Takes the lines on each answer that is refused, as soon as it is.
        told
            Hears how far it is.
        """
        if sample is None:
            number, found = number_of_answers(self._database), answers(self._database)
        else:
            drawn = some_answers(self._database, sample)
            number, found = len(drawn), iter(drawn)
        for job in found:
            told(f"judging answer {self.judged + 1:,} of {number:,}")
            answer = read_answer(self._database, job)
            if answer is None:
                continue  # deleted since
            faults = faults_of(answer, self._limits)
            if faults and not job_exists(self._database, job):
                continue  # deleted while it was read
            self.judged += 1
            if faults:
                self.refused += 1
                refuse([_name(job), *faults])


def _name(job: Answered) -> str:
    return f"{job.job_id} ({job.kind}, tenant {job.tenant}): refused"


def faults_of(answer: StoredAnswer, limits: Limits) -> list[str]:
    """Judge one answer; give its faults, a line for each.

    Parameters
    ----------
    answer
        As it is stored.
    limits
        Within which an exact schedule is due.
    """
    try:
        submission = restore_submission(unpack(answer.instance))
        result = read_result(unpack(answer.result), submission)
        schedule = None if answer.schedule is None else answer.schedule.unpack()
        submission.problem.validate(
            submission.instance, submission.options, result, schedule, schedule_limits(limits)
        )
    except InvalidScheduleError as error:
        return referee_lines(error)
    except (InstanceError, LimitError) as error:
        return [
            f"  {line.strip()}" for line in fault_lines("not read by this version", error.faults)
        ]
    except Exception as error:  # noqa: BLE001 the other answers are judged, too
        return [f"  not read by this version: {printable(f'{type(error).__name__}: {error}')}"]
    return []
