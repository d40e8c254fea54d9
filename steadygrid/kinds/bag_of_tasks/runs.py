"""What is asked and answered of streams of tasks: how they are dealt out, and what became of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Whole
from steadygrid.domain.text import Frozen, Identifier

PolicyName = Literal["on_demand", "round_robin", "dispatch", "lp_samp"]
POLICIES: tuple[PolicyName, ...] = ("on_demand", "round_robin", "dispatch", "lp_samp")
"""How tasks of a stream are dealt out."""
SIMULATED = frozenset({*POLICIES, "compare"})
"""Methods that simulate streams."""
FEWER_SEEDS = "there was no time left for all seeds: the runs listed are those that were simulated"
"""A note of answers with fewer runs than were asked for."""
MOST_EVENTS = 1_000
"""Of a run that are listed."""

Count = Annotated[int, Strict(), Field(ge=1, le=10**9)]
Buckets = Annotated[int, Strict(), Field(ge=1, le=100)]


class TaskStream(Frozen):
    """Finitely many tasks, drawn from the bags."""

    count: Count | None = Field(
        None, description="tasks per unit of priority, in an order that is drawn"
    )
    order: Annotated[tuple[Identifier, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="in place of count: the bags of the tasks, in their order"
    )
    seed: Annotated[int, Strict(), Field(ge=0, le=2**32 - 1)] = Field(
        0, description="where the random numbers begin"
    )
    seeds: Annotated[int, Strict(), Field(ge=1, le=100)] = Field(
        1, description="runs: of this seed and of those after it"
    )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SampledClass(_Part):
    """Tasks of a sample in the same buckets, as if all had their mean size and work."""

    name: str = Field(description="of its tasks in the plan")
    bag: str = Field(description="id of the bag")
    size_bucket: Whole = Field(description="from 0")
    work_bucket: Whole = Field(description="from 0")
    count: Whole = Field(description="tasks of the sample")
    input_size: ExactRational = Field(description="mean")
    work: ExactRational = Field(description="mean")


class PlannedRate(_Part):
    """How often tasks of a class go to a processor, in proportion to the other rates."""

    name: str = Field(description="of the class")
    processor: str = Field(description="id of the processor that gets the tasks")
    rate: ExactRational = Field(description="tasks per time unit, or in proportion to that")


class TaskPlan(_Part):
    """The rates that counters follow, and prices that bound all such rates."""

    rates: list[PlannedRate] = Field(description="zero rates are left out")
    prices: dict[str, ExactRational] = Field(
        description="of resources. Prove that no rates are higher"
    )
    classes: list[SampledClass] = Field(description="of the sample. None where the bags' are meant")


class RunEvent(_Part):
    """A transfer of a task's input, or its computation."""

    task: Whole = Field(description="in the stream, from 0")
    name: str = Field(description="of its class")
    event: Literal["transfer", "compute"] = Field(
        description="whether the event is a transfer or a computation"
    )
    processor: str = Field(description="that receives or computes it")
    start: ExactRational = Field(description="time units from the start of the stream")
    end: ExactRational = Field(description="time units from the start of the stream")


class PolicyRun(_Part):
    """What one policy did with the stream of one seed."""

    policy: PolicyName = Field(description="the policy that dealt out the tasks")
    seed: Whole = Field(description="with which the stream was drawn")
    tasks: Whole = Field(description="dealt out, lp_samp leaves out its sample")
    makespan: ExactRational = Field(description="end of the last computation")
    throughput: ExactRational = Field(description="tasks over makespan")
    empirical_bound: ExactRational = Field(
        description="no policy does more of these tasks per time unit, even if it knows all"
    )
    prices: dict[str, ExactRational] = Field(description="prove the bound on these tasks")
    plan: TaskPlan | None = Field(description="of dispatch and lp_samp")
    events: list[RunEvent] = Field(
        description=f"the first {MOST_EVENTS:,} by start, of the first seed only"
    )


class ComparedPolicy(_Part):
    """All runs of one policy."""

    policy: PolicyName = Field(description="the policy that dealt out the tasks")
    runs: Whole = Field(description="one for each seed")
    mean: ExactRational = Field(description="tasks of all runs over the sum of their makespans")
    least: ExactRational = Field(description="throughput of a run")
    greatest: ExactRational = Field(description="likewise")
    least_ratio: ExactRational = Field(description="throughput of a run over its bound")
    seconds: Annotated[float, NOT_JUDGED] = Field(
        description="that the policy took to simulate and bound"
    )
