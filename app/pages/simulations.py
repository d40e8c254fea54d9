"""What a job's page says of simulations: of its schedule, or of the schedule that it simulates."""

from typing import NamedTuple

from pydantic import ValidationError

from app.db.jobs import JobRecord
from app.db.packing import unpack
from app.db.unit import Unit
from app.pages.answer import LONGEST_BODY
from steadygrid.domain.job import Robustness
from steadygrid.report.summary import how_to_run


class Simulations(NamedTuple):
    """Jobs that the page of a job links to.

    Attributes
    ----------
    of
        The job whose schedule it simulates. None if there is none any more.
    by
        The newest job that has simulated its schedule. None: there is none.
    how
        How to carry the schedule out, by that simulation; empty where it does not say.
    """

    of: str | None
    by: str | None
    how: str


NONE_SIMULATED = Simulations(None, None, "")


def simulations(unit: Unit, record: JobRecord) -> Simulations:
    """Find what has been simulated.

    Parameters
    ----------
    unit
        In which it is read.
    record
        Of the job whose page it is.
    """
    subject = record.simulation_of
    if subject is not None and unit.jobs.get(subject) is None:
        subject = None
    newest = None if record.schedule_id is None else unit.jobs.newest_simulation(record.id)
    how = "" if newest is None else _recommendation(unit, newest)
    return Simulations(subject, newest, how)


def _recommendation(unit: Unit, job_id: str) -> str:
    packed = unit.jobs.packed(job_id)
    if packed is None or packed[1] is None or len(packed[1]) > LONGEST_BODY:
        return ""
    try:
        return how_to_run(Robustness.model_validate(unpack(packed[1]).get("recommended")))
    except ValidationError:
        return ""
