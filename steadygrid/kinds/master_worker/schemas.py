"""What `master_worker` asks and answers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.rational import ExactRational, Rational
from steadygrid.domain.slots import FileName
from steadygrid.domain.text import Frozen, Identifier

TASK = "task"
INPUT_FILE: FileName = ("begin", TASK)
OUTPUT_FILE: FileName = (TASK, "end")


class WorkerTask(Frozen):
    """One of the many independent, identical tasks that the master holds."""

    work: Rational | None = Field(None, description="work per task")
    times: dict[Identifier, Rational] | None = Field(
        None, description="time by processor. A processor that is not named cannot compute"
    )
    input_size: Rational = Field(Fraction(1), description="data from the master, per task")
    output_size: Rational = Field(
        Fraction(0), description="data back to the master, per task. 0: results stay"
    )


class MasterWorkerInstance(Frozen):
    """A master, the task, and the platform on which its copies are computed."""

    kind: Literal["master_worker"] = Field(description="name of this kind of problem")
    platform: Platform = Field(description="the master, the workers and the links among them")
    master: Identifier = Field(description="the processor that holds all tasks")
    task: WorkerTask = Field(description="the task that is repeated")
    ports: PortModel = Field(
        "one_port",
        description="port model: which transfers a processor takes part in at a time. Default:"
        " one_port",
    )
    routing: Literal["free", "fixed"] = Field(
        "free",
        description="fixed: files take the platform's routes, and only processors that compute"
        " send on what has arrived; free: every processor forwards to any neighbour",
    )
    method: Literal["auto", "lp", "bandwidth_centric"] = Field(
        "auto", description="how the rates are found. auto: chosen by the problem. Default: auto"
    )

    @cached_property
    def compute_times(self) -> tuple[Fraction | None, ...]:
        """Time of one task on each processor, None where it cannot run; platform order."""
        return tuple(self._compute_times())

    def _compute_times(self) -> Iterator[Fraction | None]:
        for processor in self.platform.processors:
            if self.task.times is not None:
                yield self.task.times.get(processor.id)
            elif self.task.work is None or processor.time_per_work is None:
                yield None
            else:
                yield self.task.work * processor.time_per_work

    @cached_property
    def file_sizes(self) -> dict[FileName, Fraction]:
        """Size of the input file and, if results return, of the output file."""
        sizes = {INPUT_FILE: self.task.input_size}
        if self.task.output_size:
            sizes[OUTPUT_FILE] = self.task.output_size
        return sizes


class SentRate(BaseModel):
    """Files of one kind that go from one processor to another per time unit."""

    model_config = ConfigDict(extra="forbid")

    source: str = Field(description="id of the processor that sends")
    target: str = Field(description="id of the processor that receives")
    file: Literal["input", "output"] = Field(
        description="whether it is the input or the output of tasks"
    )
    rate: ExactRational = Field(description="files per time unit")


class MasterWorkerResult(Result):
    """The certified rates."""

    kind: Literal["master_worker"] = Field(
        "master_worker", description="name of this kind of problem"
    )
    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")] = Field(
        description="why the bound holds, or why nothing is feasible"
    )
    computed: Annotated[
        dict[str, ExactRational],
        Field(description="tasks per time unit by processor. Zero rates are left out"),
    ]
    sent: Annotated[list[SentRate], Field(description="over each link")]
    routed: Annotated[
        list[SentRate] | None,
        Field(description="whole files over each route. Null unless the routing is fixed"),
    ] = None
    preferred: Annotated[
        Preferred | None,
        Field(description="which of all optimal rates these are. Null: the first that were found"),
    ] = None
