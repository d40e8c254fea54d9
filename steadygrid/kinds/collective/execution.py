"""How a program runs that sends chunks along trees, and what one operation takes."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.certificate import Certificate, Proves
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, PositiveRational, Rational, Whole
from steadygrid.domain.text import Frozen

MOST_SIZES = 20
"""Of a table of predicted times."""
MOST_BLOCKS = 216
"""Of a rank; more do not run at the same time on any device."""
MOST_HOPS = 25_000
"""Of all chunks of one operation, where these are as few as sizes allow."""
MOST_PIECES = 100_000
"""Of one operation: hops of all chunks times loops times instances."""

MOST_UNASKED = 16_000
"""Of one run, where nothing is asked of programs."""

BYTES_OF_UNITS = {
    "B": 1,
    "kB": 10**3,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "TB": 10**12,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
"""Bytes of the units of data that platforms may name."""
USUAL_BYTES = 10**9
"""Bytes of a unit of data where nothing names it: bandwidths of graphics processors are in GB/s."""

TimeGoal = Literal["throughput", "completion"]
MoveOrder = Literal["depth", "start"]
ChannelSplit = Literal["arc", "halves", "thirds", "depth"]


class Execution(Frozen):
    """How the ranks run a program."""

    step_time: Rational = Field(
        Fraction(0),
        description="time for which a block is busy before the data of a piece flows, in time units"
        " of the platform",
    )
    piece: Annotated[int, Field(ge=1, le=10**12)] = Field(
        2_097_152, description="bytes of a chunk that a block moves in one loop, at most"
    )
    bytes_per_unit: PositiveRational | None = Field(
        None,
        description="bytes of one unit of data. Null: those of units.data of the platform (B, kB, MB,"
        " GB, TB, KiB, MiB, GiB, TiB), 10^9 where that says none of them",
    )
    blocks: Annotated[int, Field(ge=1, le=MOST_BLOCKS)] = Field(
        32, description="blocks that a rank has: one for each channel that it sends or receives by"
    )
    sizes: Annotated[
        tuple[Annotated[int, Field(ge=1, le=10**15)], ...],
        Field(strict=False, max_length=MOST_SIZES),
    ] = Field(
        (1_000, 32_000, 1_000_000, 32_000_000, 1_000_000_000),
        description="bytes of operations whose times are predicted, increasing. None: no program is"
        " sought",
    )


class CompletionPlan(BaseModel):
    """How the trees of one operation are run, so that it takes the time that is reported."""

    model_config = ConfigDict(extra="forbid")

    order: MoveOrder = Field(
        description="of all hops: by depth, or by when they start in a run in which each sender takes"
        " what is there"
    )
    split: ChannelSplit = Field(
        description="arc: all that a rank sends to another goes by one channel; halves, thirds: by"
        " one for each half or third of the depths of hops; depth: by one for each depth"
    )
    instances: Whole = Field(
        description="parallel copies of everything, with equal parts of each chunk"
    )
    pieces: Whole = Field(description="into which each instance cuts its part of a chunk: loops")
    chunk: ExactRational = Field(description="data of a chunk. All are equal")
    blocks: Whole = Field(description="that the busiest rank needs")


class ProgramTree(BaseModel):
    """Routes of some chunks of a message between ranks."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(description="name of the message")
    root: str = Field(description="id of the processor at the root")
    chunks: Whole = Field(description="chunks that take this tree")
    combined: list[list[str]] = Field(
        description="routes that bring operands towards the root, in reductions and an allreduce"
    )
    spread: list[list[str]] = Field(description="routes that lead from the root on")


class ProgramOut(BaseModel):
    """Trees, and how the ranks run them."""

    model_config = ConfigDict(extra="forbid")

    order: MoveOrder = Field(description="order of all hops: by depth, or by their start in a run")
    split: ChannelSplit = Field(
        description="how what a rank sends to another is split among channels"
    )
    instances: Whole = Field(description="parallel copies of the program")
    chunk: ExactRational = Field(
        description="data of a chunk where messages have the sizes of the instance. All are equal"
    )
    blocks: Whole = Field(description="that the busiest rank needs")
    depth: Whole = Field(description="hops between ranks of the longest chain that a chunk takes")
    trees: list[ProgramTree] = Field(description="trees on which the chunks travel")


class PredictedTime(BaseModel):
    """What one operation of some bytes takes, in the run of a program."""

    model_config = ConfigDict(extra="forbid")

    bytes: Whole = Field(
        description="as nccl-tests count them: of an allgather or reduce_scatter the data of all ranks"
        " together, else the buffer of one rank"
    )
    program: Whole = Field(description="index of the program")
    loops: Whole = Field(description="in which it moves all pieces of its chunks")
    time: ExactRational = Field(description="from the start to the last receipt, in time units")
    algbw: ExactRational = Field(description="bytes over time, in units of data per time unit")
    busbw: ExactRational = Field(
        description="algbw times what a rank has to move of it, as nccl-tests count it"
    )
    of_bound: ExactRational | None = Field(
        description="share of what the bound of the throughput allows. Null without a bound"
    )


class ExecutionOut(BaseModel):
    """How the operation runs as a program, by an event-by-event simulation: predicted, not proved."""

    model_config = ConfigDict(extra="forbid")

    programs: list[ProgramOut] = Field(description="the best that were simulated, by size")
    predicted: list[PredictedTime] = Field(description="by size. The sizes of the instance")
    candidates: Annotated[Whole, NOT_JUDGED] = Field(description="programs that were simulated")


class CompletionCutCertificate(Certificate):
    """A set of processors whose links let out too little, too late.

    A link out of the set carries what some of the sources in it have for some of the receivers
    outside. It does so only from the least latency to it on, and only until the least latency from
    it is left.
    So no operation is shorter than the time in which all these links together carry all that these
    receivers need from these sources.
    """

    proves = Proves.BOUND

    type: Literal["completion_cut"] = Field(
        "completion_cut", description="names this type of certificate"
    )
    processors: list[str] = Field(description="the set")
    sources: list[str] = Field(description="in the set, that have data which has to leave it")
    receivers: list[str] = Field(description="outside, that need it")
