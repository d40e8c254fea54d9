"""A right answer, and copies of it with one thing changed."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from steadygrid.domain.errors import Fault, InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds.cell.schemas import CellInstance, CellResult
from steadygrid.kinds.cell.validator import validate
from tests.kinds.cell.bodies import body
from tests.solved import solve
from tests.verification.answers import changed


@dataclass(frozen=True)
class Answer:
    """An instance with its answer, all as JSON documents."""

    instance: dict[str, Any]
    options: dict[str, Any]
    result: dict[str, Any]
    schedule: dict[str, Any] | None

    def change(self, path: str, value: Any) -> "Answer":
        """Replace what is at ``part/member/0/...``; a function gets the old value."""
        given: Answer = changed(self, path.split("/"), value)
        return given

    def faults(self) -> list[Fault]:
        """Ask the referee."""
        schedule = None if self.schedule is None else Schedule.from_document(self.schedule)
        try:
            validate(
                CellInstance.model_validate(self.instance),
                Options.model_validate(self.options),
                CellResult.model_validate(self.result),
                schedule,
            )
        except InvalidScheduleError as error:
            return list(error.faults)
        return []

    def codes(self) -> set[str]:
        """Name the rules that are broken."""
        return {fault.code for fault in self.faults()}


@cache
def answer(method: str = "milp") -> Answer:
    """Four tasks on a PPE and an SPE, with a peek, memory, and files between the cores."""
    tasks = {
        "a": {"time_ppe": 2, "time_spe": 4, "read": 1},
        "b": {"time_ppe": 6, "time_spe": 3, "peek": 1},
        "c": {"time_ppe": 6, "time_spe": 3},
        "d": {"time_ppe": 2, "write": 1},
    }
    files = {"a b": 1, "a c": 1, "b d": "1/2", "c d": "1/2"}
    asked = body(tasks, files, method, spes=1, local_store=12, dma_into_spe=2, dma_spe_to_ppe=2)
    result, schedule = solve(asked)
    assert isinstance(schedule, Schedule)
    return Answer(asked["problem"], {}, result.model_dump(mode="json"), schedule.document)
