"""What `task_graph` asks and answers."""

from fractions import Fraction
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.domain.application import Application, Task
from app.domain.job import Result
from app.domain.platform import Platform, PortModel, Processor
from app.domain.rational import ExactRational
from app.domain.schedule import FileName
from app.domain.text import Frozen


class TaskGraphInstance(Frozen):
    """A collection of identical task graphs, and the platform on which they run."""

    kind: Literal["task_graph"]
    platform: Platform
    application: Application
    ports: PortModel = "one_port"
    routing: Literal["free", "fixed"] = Field(
        "free", description="fixed: each file takes the platform's route; column_generation only"
    )
    method: Literal["auto", "column_generation", "constraint_lists"] = "auto"

    @cached_property
    def times(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """Time of each task on each processor, None where it cannot run; in the given order."""
        return tuple(
            tuple(_time(task, processor) for processor in self.platform.processors)
            for task in self.application.tasks
        )

    @cached_property
    def task_index(self) -> dict[str, int]:
        """Position of each task in the application."""
        return {task.id: i for i, task in enumerate(self.application.tasks)}

    @cached_property
    def files(self) -> tuple[tuple[int, int, Fraction], ...]:
        """Source and target by their positions, and the size, of each file in order."""
        tasks = self.task_index
        return tuple((tasks[f.source], tasks[f.target], f.size) for f in self.application.files)

    @cached_property
    def file_sizes(self) -> dict[FileName, Fraction]:
        """Size of each file by its name."""
        return {(file.source, file.target): file.size for file in self.application.files}


def _time(task: Task, processor: Processor) -> Fraction | None:
    if processor.switch or (task.allowed is not None and processor.id not in task.allowed):
        return None
    if task.times is not None:
        return task.times.get(processor.id)
    if task.work is None or processor.time_per_work is None:
        return None
    return task.work * processor.time_per_work


class RatedTransfer(BaseModel):
    """The path that a share of one file of an allocation takes."""

    model_config = ConfigDict(extra="forbid")

    file: tuple[str, str]
    path: list[str]
    share: ExactRational


class RatedAllocation(BaseModel):
    """Where each task of an instance runs and which way its files take, and how often."""

    model_config = ConfigDict(extra="forbid")

    index: int
    rate: ExactRational = Field(description="instances per time unit")
    tasks: dict[str, str]
    transfers: list[RatedTransfer]


class TaskGraphStatistics(BaseModel):
    """How the answer was found; what the method does not have is null."""

    model_config = ConfigDict(extra="forbid")

    iterations: int | None = None
    columns: int | None = Field(None, description="allocations that the master program knew")
    width: int | None = Field(None, description="of the elimination order that priced them")
    dependency_depth: int | None = Field(None, description="tasks in the longest constraint list")
    variables: int | None = None
    constraints: int | None = None


class TaskGraphResult(Result):
    """The certified allocations."""

    kind: Literal["task_graph"] = "task_graph"
    allocations: list[RatedAllocation]
    statistics: TaskGraphStatistics
