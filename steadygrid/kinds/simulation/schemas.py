"""What `simulation` asks and answers."""

from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, Strict

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Alike, Execution, Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier

EXECUTIONS: tuple[Execution, ...] = get_args(Execution)
"""In the order of rows."""
SIMPLEST: tuple[Execution, ...] = ("program", "on_demand", "dispatch", "order", "clock", "heft")
"""The simplest first: of what is as good as the best, that is recommended which needs least.

A program is exported, and runs as it is. Workers that ask need nothing of the schedule. A dispatcher needs the list of its allocations, and
with overtaking ports that choose; order needs the lists of all resources, the clock also their dates
and one time. HEFT plans anew.
"""
ALIKE = Fraction(1, 100)
"""Of the plan: executions that differ by more are not alike, even if they are measured no better."""
BOUND_IS_WRONG = (
    "without noise more is done than the bound of the given result: that bound is wrong"
)
"""A note of answers that say so."""
MOST_INSTANCES = 1_000_000
MOST_NOISES = 20
MOST_SEEDS = 100
PREDICTION_IS_WRONG = (
    "without noise the program does not take the time that the given result predicts"
)
"""A note of answers that say so."""
FEWER_ROWS = "there was no time left for all rows: the table has those that were simulated"
"""A note of answers with fewer rows than were asked for."""
SIMULATED = "all values are simulated, and prove nothing"
"""A note of every answer."""

Document = dict[str, Any]


class SimulationInstance(Frozen):
    """A schedule, and how it shall be carried out."""

    kind: Literal["simulation"] = Field(description="name of this kind of problem")
    job: Identifier | None = Field(
        None,
        description="id of a job that succeeded, in place of instance, result and schedule. Over HTTP",
    )
    instance: Document | None = Field(
        None, description="the body of the job whose schedule it is, or the problem of it alone"
    )
    result: Document | None = Field(None, description="its result")
    schedule: Document | None = Field(None, description="its schedule, whole")
    executions: Annotated[tuple[Execution, ...], Field(strict=False, min_length=1)] | None = Field(
        None,
        description="With clock nothing starts before its date. With order only the orders of the schedule"
        " are kept. With dispatch instances are handed out in the dispatch order, and ports serve"
        " transfers as they come. With on_demand (master_worker) a worker asks for tasks. With heft the"
        " schedule is not used. Instances are planned in batches, each task where it ends first. With program"
        " (collective) one operation runs as the exported program."
        " Null: all that the schedule allows, without heft",
    )
    window: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None,
        description="dispatch: most instances in progress at a time. null: as many as the schedule has,"
        " and a third of the instances at most",
    )
    overtake: Annotated[bool, Strict()] | None = Field(
        None,
        description="dispatch: whether a transfer that finds its ports free may start before those that"
        " wait for others. Null: both are simulated. Not under multiport, where transfers share links",
    )
    buffer: Annotated[int, Strict(), Field(ge=1, le=10_000)] = Field(
        4, description="on_demand: tasks that a worker has or is sent, without the one it computes"
    )
    batch: Annotated[int, Strict(), Field(ge=1, le=10_000)] = Field(
        100, description="heft: instances that are planned together"
    )
    bytes: Annotated[int, Strict(), Field(ge=1)] | None = Field(
        None,
        description="program: size of the operation, one of the predicted times of the result. Null: the"
        " largest",
    )
    noise: Annotated[
        tuple[Annotated[Rational, Field(lt=1)], ...],
        Field(strict=False, min_length=1, max_length=MOST_NOISES),
    ] = Field(
        (Fraction(0), Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)),
        description="each time is multiplied by a factor between 1 less and 1 plus this",
    )
    noise_of: Literal["operation", "resource", "drift"] = Field(
        "operation",
        description="With operation each time has its own factor. With resource all times of a processor,"
        " or of a direction of a link, have the same factor. With drift each hundredth time of a resource"
        " has its own factor, and factors in between are interpolated",
    )
    instances: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None,
        description="that are complete in each run, rounded up to whole periods. Of a timetable the number"
        " is exact. null: 1,000, or fewer where that takes more than 2,000,000 operations in all runs"
        " together. Not used where the schedule runs once",
    )
    seeds: Annotated[int, Strict(), Field(ge=1, le=MOST_SEEDS)] = Field(
        3, description="runs for each noise above 0: of this seed and of those after it"
    )
    seed: Annotated[int, Strict(), Field(ge=0, le=2**32 - 1)] = Field(
        0, description="where the random numbers begin"
    )
    method: Literal["replay"] = Field(
        "replay", description="replay: the schedule is simulated. The only method"
    )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SimulatedRow(_Part):
    """One execution at one noise, over all its runs."""

    execution: Execution = Field(description="how the schedule is carried out")
    overtake: Annotated[bool, Strict()] | None = Field(
        None, description="dispatch, but not under multiport. Else null"
    )
    noise: ExactRational = Field(description="every time is wrong by this part at most")
    runs: list[ExactRational] = Field(
        description="throughput of each seed (makespan, of a schedule that runs once), to 9 digits. Of"
        " the only run without noise, exact for clock and order"
    )
    throughput: ExactRational | None = Field(
        description="mean of the runs. Null where the schedule runs once"
    )
    makespan: ExactRational | None = Field(
        None, description="mean of the runs. Null where the schedule does not run once"
    )
    least: ExactRational = Field(description="least of the runs")
    greatest: ExactRational = Field(description="greatest of the runs")
    error: Annotated[ExactRational | None, NOT_JUDGED] = Field(
        None,
        description="by how much the throughput of an endless run may differ from the mean. Of a"
        " makespan, by how much its mean may. Null in documents older than this field: not said",
    )
    of_plan: ExactRational = Field(
        description="mean over what the schedule plans. Planned over mean makespan"
    )
    of_optimum: ExactRational | None = Field(
        description="mean over the bound of its result. Bound over mean makespan. Null where it has"
        " none"
    )
    late: Annotated[ExactRational | None, NOT_JUDGED] = Field(
        description="how much later than planned the latest operation ended, as a part of the period"
        " (of the planned makespan). Null without dates"
    )
    waiting: Annotated[Whole, NOT_JUDGED] = Field(
        description="most instances that waited at one processor with all they need"
    )


class SimulatedProgress(_Part):
    """How many instances were complete by when, in the first run of a row."""

    row: Whole = Field(description="from 0")
    points: list[tuple[ExactRational, Whole]] = Field(
        description="date, and instances complete by then (computations, where the schedule runs once)."
        " At most 1,000"
    )


class Recommended(_Part):
    """The execution to take: the simplest of those that keep most of the plan at the first noise above 0."""

    execution: Execution = Field(description="how the schedule is carried out")
    overtake: Annotated[bool, Strict()] | None = Field(
        None, description="dispatch: whether transfers overtake those that wait. Else null"
    )
    noise: ExactRational = Field(description="every time is wrong by this part at most")
    of_plan: ExactRational = Field(
        description="mean over what the schedule plans. Planned over mean makespan"
    )
    alike: list[Alike] | None = Field(
        None,
        description="other executions that are as good: they differ from the best by no more than their"
        " errors. Null in documents older than this field: not said",
    )


class SimulationResult(Result):
    """What is left of a schedule when times are not exact."""

    kind: Literal["simulation"] = Field("simulation", description="name of this kind of problem")
    certificate: NoCertificate = Field(
        description="why the bound holds, or why nothing is feasible"
    )
    simulated: str = Field(description="the kind of the problem whose schedule it is")
    plan: ExactRational = Field(description="throughput of the schedule, or its makespan")
    optimum: ExactRational | None = Field(
        description="bound of its result. Null where it has none, or of something else"
    )
    period: ExactRational | None = Field(description="of the schedule. Null where it runs once")
    recommended: Recommended | None = Field(description="null where no row was simulated")
    table: list[SimulatedRow] = Field(description="one row for each execution and noise")
    progress: Annotated[list[SimulatedProgress], NOT_JUDGED] = Field(
        description="complete instances over time"
    )
