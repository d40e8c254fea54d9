"""What `cell` asks and answers."""

from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.application import File
from steadygrid.domain.certificate import DualityCertificate, NoCertificate, SearchCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.platform import Link, Platform, PortModel, Processor
from steadygrid.domain.rational import ExactRational, PositiveRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier, PlainText
from steadygrid.kinds.shared.collection import Indexed

MOST_CORES = 256
"""Of each core type."""
MOST_PEEK = 1_000_000

CoreType = Literal["ppe", "spe"]
Cores = Annotated[int, Field(ge=0, le=MOST_CORES)]
Calls = Annotated[int, Field(ge=0, le=1_000_000_000)]


class CellMachine(Frozen):
    """Cores on one bus, each behind an interface of its own; as built: one PPE, eight SPEs."""

    ppes: Cores = Field(1, description="general cores, with the main memory at hand")
    spes: Cores = Field(8, description="small cores, each with a local store")
    bandwidth: PositiveRational = Field(
        Fraction(25_000_000_000),
        description="of each core's interface, in each direction: data per time unit. Bytes per second",
    )
    local_store: Rational = Field(
        Fraction(262_144), description="of each SPE, for its buffers. Bytes"
    )
    dma_into_spe: Calls = Field(16, description="most files that an SPE fetches per period")
    dma_spe_to_ppe: Calls = Field(
        8, description="most files that a PPE fetches from the same SPE per period"
    )


class CellTask(Frozen):
    """A task. A core of a type for which it has no time cannot run it."""

    id: Identifier = Field(description="names the task, unique in the application")
    time_ppe: Rational | None = Field(None, description="time per instance on a PPE")
    time_spe: Rational | None = Field(None, description="time per instance on an SPE")
    read: Rational = Field(Fraction(0), description="data read from main memory per instance")
    write: Rational = Field(Fraction(0), description="data written to main memory per instance")
    peek: Annotated[int, Field(ge=0, le=MOST_PEEK)] = Field(
        0, description="following instances of its files that an instance needs, too"
    )

    def time_on(self, core_type: CoreType) -> Fraction | None:
        """Time on a core of a type. None where it cannot run."""
        return self.time_ppe if core_type == "ppe" else self.time_spe


class CellApplication(Frozen):
    """A directed acyclic graph of tasks and files, one instance of it per data set."""

    name: PlainText | None = Field(
        None, description="label for people. Without effect on the answer"
    )
    tasks: tuple[CellTask, ...] = Field(
        strict=False, min_length=1, description="tasks of one instance, at least one"
    )
    files: tuple[File, ...] = Field(
        (), strict=False, description="files among the tasks. Default: none"
    )


class CellInstance(Frozen, Indexed):
    """A stream of instances of one task graph, and the machine that shall run it."""

    kind: Literal["cell"] = Field(description="name of this kind of problem")
    machine: CellMachine = Field(
        CellMachine(),
        description="cores, bandwidth and local stores. Default: one PPE and eight SPEs",
    )
    application: CellApplication = Field(description="tasks and files of one instance")
    method: Literal["milp", "greedy", "ppe_only"] = Field(
        "milp", description="how the mapping is found. Default: milp"
    )

    @property
    def ports(self) -> PortModel:
        """Every core sends and receives any number of files at once, within its bandwidth."""
        return "multiport"

    @cached_property
    def ppes(self) -> tuple[str, ...]:
        """Names of the PPEs."""
        return tuple(f"PPE{i + 1}" for i in range(self.machine.ppes))

    @cached_property
    def spes(self) -> tuple[str, ...]:
        """Names of the SPEs."""
        return tuple(f"SPE{i + 1}" for i in range(self.machine.spes))

    @cached_property
    def platform(self) -> Platform:
        """The machine as a platform: the bus joins every core with every other."""
        width = self.machine.bandwidth
        cores = (*self.ppes, *self.spes)
        return Platform(
            processors=tuple(
                Processor(id=core, bandwidth_in=width, bandwidth_out=width) for core in cores
            ),
            links=tuple(
                Link(source=one, target=other, bandwidth=width)
                for i, one in enumerate(cores)
                for other in cores[i + 1 :]
            ),
        )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CellBuffer(_Part):
    """The room that one file needs on the core that makes it, and again where it is used."""

    file: tuple[str, str] = Field(description="the file, as [source, target]")
    instances: Whole = Field(description="kept at a time: periods between making and using one")
    data: ExactRational = Field(description="size of the buffer, in units of data")


class LocalStoreUse(_Part):
    """How much of its local store an SPE's buffers take."""

    core: str = Field(description="name of the SPE")
    used: ExactRational = Field(description="data that the buffers take, in units of data")
    of: ExactRational = Field(description="size of the local store, in units of data")


class CallsInUse(_Part):
    """Files that a core fetches per period, each by a DMA call."""

    core: str = Field(description="that fetches them")
    source: str | None = Field(description="for a PPE: the SPE from which. Null: from all cores")
    calls: Whole = Field(description="files fetched per period")
    of: Whole = Field(description="most files that may be fetched per period")


class CellOccupation(_Part):
    """How long one instance keeps a resource busy."""

    resource: str = Field(description="name of the resource")
    time: ExactRational = Field(description="busy time per instance, in time units")


class SpeedUp(_Part):
    """The reference's period over this one; null where the reference has no mapping."""

    ppe_only: ExactRational | None = Field(
        None, description="period with all tasks on PPEs over this one"
    )
    greedy: ExactRational | None = Field(
        None, description="period of the greedy mapping over this one"
    )


class CellStatistics(_Part):
    """How the answer was found. What the method does not have is null."""

    variables: Whole | None = Field(None, description="of the program that was solved")
    constraints: Whole | None = Field(None, description="of the program that was solved")
    nodes: Whole | None = Field(None, description="of the search tree")


class CellResult(Result):
    """One mapping for all instances, what it needs of the machine, and what binds."""

    kind: Literal["cell"] = Field("cell", description="name of this kind of problem")
    certificate: Annotated[
        DualityCertificate | SearchCertificate | NoCertificate, Field(discriminator="type")
    ] = Field(description="why the bound holds, or why nothing is feasible")
    period: ExactRational | None = Field(description="time per instance, 1 / throughput")
    mapping: dict[str, str] = Field(description="core that runs each task")
    first_periods: dict[str, Whole] = Field(
        description="period, counted from 1, in which each task runs first"
    )
    buffers: list[CellBuffer] = Field(description="room for each file that is kept between tasks")
    local_store: list[LocalStoreUse] = Field(description="data that buffers take on each SPE")
    dma: list[CallsInUse] = Field(description="calls per period, and how many are allowed")
    occupation: list[CellOccupation] = Field(
        description="compute, in and out of each core, longest first. Unused ones left out"
    )
    bottleneck: str | None = Field(
        description="the resource that one instance keeps busy for longest, the first of `occupation`."
        " Null without a mapping"
    )
    speed_up: SpeedUp = Field(description="the references compared with this answer")
    statistics: Annotated[CellStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
