"""What `simulation` asks and answers."""

from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, Strict

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier

Execution = Literal["clock", "order", "dispatch", "on_demand"]
EXECUTIONS: tuple[Execution, ...] = get_args(Execution)
"""In the order of rows, and of preference where two are alike."""
MOST_INSTANCES = 1_000_000
MOST_NOISES = 20
MOST_SEEDS = 100
FEWER_ROWS = "there was no time left for all rows: the table has those that were simulated"
"""A note of answers with fewer rows than were asked for."""
SIMULATED = "all values are simulated, and prove nothing"
"""A note of every answer."""

Document = dict[str, Any]


class SimulationInstance(Frozen):
    """A schedule, and how it shall be carried out."""

    kind: Literal["simulation"]
    job: Identifier | None = Field(
        None,
        description="id of a job that succeeded, in place of instance, result and schedule; over HTTP",
    )
    instance: Document | None = Field(
        None, description="the body of the job whose schedule it is, or the problem of it alone"
    )
    result: Document | None = Field(None, description="its result")
    schedule: Document | None = Field(None, description="its schedule, whole")
    executions: Annotated[tuple[Execution, ...], Field(strict=False, min_length=1)] | None = Field(
        None,
        description="clock: nothing starts before its date; order: only the orders of the schedule are"
        " kept; dispatch: instances are handed out in the dispatch order, and ports serve who comes"
        " first; on_demand (master_worker): a worker asks for tasks; null: all that there are for the"
        " schedule",
    )
    window: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None,
        description="dispatch: instances under way at most; null: as many as the schedule itself"
        " has, or a third of the instances where that is less",
    )
    overtake: Annotated[bool, Strict()] | None = Field(
        None,
        description="dispatch: whether a transfer that finds its ports free may start before those that"
        " wait for others; null: both are simulated; not under multiport, where transfers share links",
    )
    buffer: Annotated[int, Strict(), Field(ge=1, le=10_000)] = Field(
        4, description="on_demand: tasks that a worker has or is sent, beside the one it computes"
    )
    noise: Annotated[
        tuple[Annotated[Rational, Field(lt=1)], ...],
        Field(strict=False, min_length=1, max_length=MOST_NOISES),
    ] = Field(
        (Fraction(0), Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)),
        description="each time is multiplied by a factor between 1 less and 1 plus this",
    )
    noise_of: Literal["operation", "resource"] = Field(
        "operation",
        description="operation: each has a factor of its own; resource: all of a processor, or of a"
        " direction of a link, have one",
    )
    instances: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None,
        description="that are complete in each run, rounded up to whole periods; null: 1,000, or fewer"
        " where that takes more than 2,000,000 operations in all runs together",
    )
    seeds: Annotated[int, Strict(), Field(ge=1, le=MOST_SEEDS)] = Field(
        3, description="runs for each noise above 0: of this seed and of those after it"
    )
    seed: Annotated[int, Strict(), Field(ge=0, le=2**32 - 1)] = Field(
        0, description="where the random numbers begin"
    )
    method: Literal["replay"] = "replay"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SimulatedRow(_Part):
    """One execution at one noise, over all its runs."""

    execution: Execution
    overtake: Annotated[bool, Strict()] | None = Field(
        None, description="dispatch, but not under multiport; else null"
    )
    noise: ExactRational
    runs: list[ExactRational] = Field(
        description="throughput of each seed, to 9 digits; of the only run without noise, exact for"
        " clock and order"
    )
    throughput: ExactRational = Field(description="mean of the runs")
    least: ExactRational
    greatest: ExactRational
    of_plan: ExactRational = Field(description="mean over what the schedule plans")
    of_optimum: ExactRational | None = Field(
        description="mean over the bound of its result; null where it has none"
    )
    late: Annotated[ExactRational | None, NOT_JUDGED] = Field(
        description="how much later than planned the latest operation ended, as a part of the period;"
        " null without dates"
    )
    waiting: Annotated[Whole, NOT_JUDGED] = Field(
        description="most instances that waited at one processor with all they need"
    )


class SimulatedProgress(_Part):
    """How many instances were complete by when, in the first run of a row."""

    row: Whole = Field(description="from 0")
    points: list[tuple[ExactRational, Whole]] = Field(
        description="date, and instances complete by then; at most 1,000"
    )


class Recommended(_Part):
    """The execution with the largest throughput at the first noise above 0."""

    execution: Execution
    overtake: Annotated[bool, Strict()] | None = None
    noise: ExactRational
    of_plan: ExactRational


class SimulationResult(Result):
    """What is left of a schedule when times are not exact."""

    kind: Literal["simulation"] = "simulation"
    certificate: NoCertificate
    simulated: str = Field(description="the kind of the problem whose schedule it is")
    plan: ExactRational = Field(description="throughput of the schedule")
    optimum: ExactRational | None = Field(description="bound of its result; null where it has none")
    period: ExactRational = Field(description="of the schedule")
    recommended: Recommended | None = Field(description="null where no row was simulated")
    table: list[SimulatedRow]
    progress: Annotated[list[SimulatedProgress], NOT_JUDGED]
