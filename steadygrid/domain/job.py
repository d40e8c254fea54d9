"""What is asked and what is answered, shared by HTTP, the command line and the worker."""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints

from steadygrid.domain.certificate import Certificate, SearchCertificate
from steadygrid.domain.judging import NOT_JUDGED, NotJudged
from steadygrid.domain.rational import (
    ExactRational,
    PositiveOrExact,
    PositiveRational,
    Rational,
    approximate,
)
from steadygrid.domain.run import MOST_INSTANCES, RunGoal
from steadygrid.domain.showing import ShownResult
from steadygrid.domain.text import Frozen, PlainText


class JobState(StrEnum):
    """Where a job stands. The last three never change."""

    QUEUED = "queued"
    RUNNING = "running"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether the job has ended."""
        return self in (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)


class Outcome(StrEnum):
    """What a job that succeeded has found out."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    BOUND_ONLY = "bound_only"
    UNKNOWN = "unknown"
    """A heuristic has found nothing, and nothing is proved."""


NO_TIME_FOR_SCHEDULE = (
    "there was no time left to reconstruct the schedule: the rates and their certificate hold; ask"
    " for a longer time_limit, or for a max_period"
)
NO_SOLVER_FOR_SCHEDULE = (
    "the solver failed while the schedule was reconstructed: the rates and their certificate hold;"
    " ask for another max_period, or for whole_files: false"
)
WHY_NO_SCHEDULE = (NO_TIME_FOR_SCHEDULE, NO_SOLVER_FOR_SCHEDULE)
"""The notes of answers that are ``feasible`` for this reason, even if their values are proved."""


class Proof(StrEnum):
    """What the bound, or that there is no schedule, rests on."""

    EXACT = "exact"
    """The referee added it up."""
    SEARCH = "search"
    """The word of a solver that searched in floating point."""
    NONE = "none"


class Phase(StrEnum):
    """What a running job is doing."""

    BUILDING = "building"
    SOLVING = "solving"
    CERTIFYING = "certifying"
    RECONSTRUCTING = "reconstructing"
    VERIFYING = "verifying"


class Options(Frozen):
    """How to solve, for every kind."""

    time_limit: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = Field(
        60.0, description="seconds for all phases together. A hard stop comes 30 s later"
    )
    mip_gap: Rational = Field(Fraction(0), description="relative gap asked of integer programs")
    max_period: PositiveOrExact | None = Field(
        None,
        description="longest period of the schedule, in the platform's time units. Null: a shorter"
        " one where the exact one holds more than 1,000 instances or files; exact: never shorter"
        " than exact",
    )
    max_labelling_entries: Annotated[int, Field(ge=0)] | None = Field(
        None,
        description="task_graph: allocations are priced by integer programs, and the bound is"
        " not exact, where labelling tables would hold more entries together. Null: only where they"
        " take more than half of the memory or of the time that is left, which a warning says."
        " With replicated_workflow the speeds of the processors bound alone where they would. With"
        " collective trees are priced by heuristics where a table of trees would have more. No more"
        " than the limit of that name, if there is one, which null stands for",
    )
    whole_files: bool | None = Field(
        None, description="every slot moves whole files. Null: true unless max_period is a time"
    )

    latencies: Literal["ignored", "paid"] = Field(
        "ignored",
        description="paid: so many periods are made one that start-ups cost little, and the schedule"
        " pays the latencies of links and processors",
    )
    latency_loss: PositiveRational = Field(
        Fraction(1, 100),
        description="largest part of the period that paid latencies may take. The fewest periods"
        " are made one that keep to it",
    )
    run: RunGoal | None = Field(
        None,
        description="what the schedule is for: a number of instances, or a horizon. The period is"
        " chosen for it, and the header of the schedule says when the instances are complete, or how"
        " many by then",
    )
    total_instances: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None, description="an older name of run.instances"
    )
    prefer: Literal["any", "least_traffic"] | None = Field(
        None,
        description="which of all optimal rates, with the same throughput and proof (`master_worker`,"
        " and `collective` by flows): least_traffic, those for which links carry files for the least time,"
        " summed up over all links. Any, the first that are found. Null: least_traffic where it takes"
        " no more allocations, else any, which a note says",
    )

    simulate: Annotated[bool, Strict()] | None = Field(
        None,
        description="true: the schedule is simulated once at 5 % noise, and the result says how to carry"
        " it out, where a million operations are enough",
    )

    @property
    def wants_whole_files(self) -> bool:
        """`whole_files` with its default resolved."""
        return self.longest_period is None if self.whole_files is None else self.whole_files

    @property
    def asked_run(self) -> RunGoal | None:
        """`run`, or what its older name says."""
        if self.run is not None or self.total_instances is None:
            return self.run
        return RunGoal(instances=self.total_instances)

    @property
    def longest_period(self) -> Fraction | None:
        """`max_period`, where it is a time."""
        return self.max_period if isinstance(self.max_period, Fraction) else None


Label = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=63, pattern=r"^[A-Za-z0-9_.-]+$")
]
MOST_LABELS = 64
Labels = Annotated[dict[Label, PlainText], Field(max_length=MOST_LABELS)]
JobName = Annotated[PlainText, Field(min_length=1)]
MOST_PRIORITY = 9
Priority = Annotated[int, Strict(), Field(ge=0, le=MOST_PRIORITY)]


class Objective(BaseModel):
    """The value that was optimised."""

    model_config = ConfigDict(extra="forbid")

    name: Literal[
        "throughput", "makespan", "mean_completion", "weighted_flow", "completion", "places"
    ] = Field(description="what was optimised. A throughput is maximised, all others are minimised")
    value: ExactRational = Field(
        description="exact. A throughput is per time unit, places are a weighted count, others are"
        " times"
    )
    approx: float | None = Field(
        description="the double nearest to the value. Null where that is infinite, or 0 for a value that is not"
    )

    @property
    def minimised(self) -> bool:
        """Whether less is better. A bound is then what no schedule gets below."""
        return self.name != "throughput"

    @property
    def is_time(self) -> bool:
        """Whether it is measured in time units."""
        return self.name not in ("throughput", "places")

    @classmethod
    def throughput(cls, value: Fraction) -> "Objective":
        """Wrap a throughput in instances per time unit."""
        return cls(name="throughput", value=value, approx=approximate(value))

    @classmethod
    def completion(cls, value: Fraction) -> "Objective":
        """Wrap the time of one operation."""
        return cls(name="completion", value=value, approx=approximate(value))

    @classmethod
    def places(cls, value: Fraction) -> "Objective":
        """Wrap how many places the channels have."""
        return cls(name="places", value=value, approx=approximate(value))


class Bound(BaseModel):
    """What no schedule can beat; `exact` if proved in exact arithmetic."""

    model_config = ConfigDict(extra="forbid")

    value: ExactRational = Field(description="exact, in the unit of the objective")
    approx: float | None = Field(
        description="the double nearest to the value. Null where that is infinite, or 0 for a value that is not"
    )
    exact: Annotated[bool, Strict()] = Field(
        description="whether the bound is proved in exact arithmetic"
    )

    @classmethod
    def from_value(cls, value: Fraction, *, exact: bool) -> "Bound":
        """Wrap a bound.

        Parameters
        ----------
        value
            In the unit of the objective.
        exact
            Whether it is proved in exact arithmetic.
        """
        return cls(value=value, approx=approximate(value), exact=exact)


Execution = Literal["clock", "order", "dispatch", "on_demand", "heft", "program"]
"""How a schedule is carried out."""


class Alike(BaseModel):
    """An execution that keeps as much of the plan as the one that is recommended."""

    model_config = ConfigDict(extra="forbid")

    execution: Execution = Field(description="how the schedule is carried out")
    overtake: Annotated[bool, Strict()] | None = Field(
        None, description="dispatch: whether transfers overtake those that wait. Else null"
    )


class Robustness(BaseModel):
    """How to carry a schedule out, and what is left of it when times are not exact: simulated."""

    model_config = ConfigDict(extra="forbid")

    execution: Execution = Field(
        description="that keeps most of the plan, or as much as the best and is simpler. As of the"
        " kind simulation"
    )
    overtake: Annotated[bool, Strict()] | None = Field(
        None, description="dispatch: whether transfers overtake those that wait"
    )
    noise: ExactRational = Field(description="every time is wrong by this part at most")
    of_plan: ExactRational = Field(description="throughput over that of the schedule")
    alike: list[Alike] | None = Field(
        None, description="executions that keep as much, up to the error of what was measured"
    )


class Result(ShownResult):
    """The envelope of every kind's answer. A kind adds its own fields."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    outcome: Outcome = Field(description="what the job found out")
    method: Annotated[str, NotJudged("asked.method", ("auto",))] = Field(
        description="the method that answered"
    )
    objective: Objective | None = Field(
        description="the value that was reached. Null where there is no schedule"
    )
    bound: Annotated[Bound | None, NotJudged("bound.exact", (False,))] = Field(
        description="what no schedule can beat. Null where none is known"
    )
    gap: ExactRational | None = Field(
        description="abs(bound - value) / bound, from 0. Null without a value or a bound"
    )
    certificate: Certificate
    proof: Proof | None = Field(
        None,
        description="what the bound, or `infeasible`, rests on: `exact`, the referee added it up."
        " `search`, a solver's word. `none`. Null in documents older than this field: not said",
    )
    verified: Annotated[bool, Strict(), NOT_JUDGED] = Field(
        False, description="set only by the referee"
    )
    schedule: Annotated[str | None, NOT_JUDGED] = Field(
        None, description="id of the stored schedule"
    )
    warnings: Annotated[list[str], NOT_JUDGED] = Field(
        default_factory=list, description="what was asked and is not used"
    )
    notes: Annotated[list[str], NOT_JUDGED] = Field(
        default_factory=list, description="remarks of the solver. No claims about the answer"
    )
    robustness: Annotated[Robustness | None, NOT_JUDGED] = Field(
        None, description="simulated, where options.simulate asks for it. Else null"
    )


def proof_of(result: Result) -> Proof:
    """Say what a result rests on; `infeasible` is only accepted when it is proved."""
    searched = isinstance(result.certificate, SearchCertificate)
    proved = (
        result.bound.exact
        if result.bound is not None
        else result.outcome is Outcome.INFEASIBLE and not searched
    )
    if proved:
        return Proof.EXACT
    return Proof.SEARCH if searched else Proof.NONE


def relative_gap(value: Fraction, bound: Fraction) -> Fraction:
    """Give ``|bound - value| / bound``, 0 where both are 0.

    Parameters
    ----------
    value
        Of the answer.
    bound
        On any answer; 0 only where the value is 0.
    """
    return abs(bound - value) / bound if bound else Fraction(0)
