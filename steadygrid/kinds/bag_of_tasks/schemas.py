"""What `bag_of_tasks` asks and answers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, Strict

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import ExactRational, PositiveRational, Rational, Whole
from steadygrid.domain.resources import class_name
from steadygrid.domain.slots import FileName
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.kinds.bag_of_tasks.runs import (
    POLICIES,
    Buckets,
    ComparedPolicy,
    PolicyName,
    PolicyRun,
    TaskStream,
)

ONE = Fraction(1)


class TaskClass(Frozen):
    """Tasks of a bag that are all alike."""

    input_size: Rational = Field(description="data from the master, per task")
    work: Rational = Field(description="work per task")
    probability: PositiveRational = Field(
        description="that a task of the bag is of this class. Those of a bag sum to 1"
    )


class ListedTasks(Frozen):
    """Some tasks of a bag that are all alike, counted."""

    input_size: Rational = Field(description="data from the master, per task")
    work: Rational = Field(description="work per task")
    count: Annotated[int, Field(ge=1, le=10**15)] = Field(1, description="how many there are")


Interval = Annotated[tuple[Rational, Rational], Field(strict=False)]
"""The least and the greatest of some values."""


class UniformTasks(Frozen):
    """Tasks of all sizes within an interval, and all works within another one.

    With a and b drawn uniformly between 0 and 1, independent of each other, the size is
    ``m + a (M - m)`` and the work ``n + (phi a + (1 - phi) b) (N - n)``, where the intervals are
    [m, M] and [n, N]. The correlation is phi. This is uniform on a parallelogram (Gallet 2009,
    section 5.4.1).
    """

    input_size: Interval = Field(description="least and greatest data from the master, per task")
    work: Interval = Field(description="least and greatest work per task")
    correlation: Rational = Field(
        Fraction(0), description="0: size and work are independent. 1: work grows with size"
    )


class Bag(Frozen):
    """Independent tasks of several sizes, any number of them."""

    id: Identifier = Field(description="names its tasks in schedules and streams")
    priority: PositiveRational = Field(ONE, description="rates of bags are in proportion to it")
    classes: Annotated[tuple[TaskClass, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="of tasks that are alike. Give exactly one of classes, tasks and uniform"
    )
    tasks: Annotated[tuple[ListedTasks, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="in place of classes: each is as probable as its count says"
    )
    uniform: UniformTasks | None = Field(None, description="in place of classes")

    @property
    def distribution(self) -> Iterator[TaskClass]:
        """The classes with their probabilities, given or counted. None where tasks are uniform."""
        yield from self.classes or ()
        total = sum(listed.count for listed in self.tasks or ())
        for listed in self.tasks or ():
            yield TaskClass(
                input_size=listed.input_size,
                work=listed.work,
                probability=Fraction(listed.count, total),
            )


class BagClass(NamedTuple):
    """A class of a bag among those of all bags."""

    name: str
    """The bag and the number of the class: ``b--0``."""
    bag: str
    number: int
    probability: Fraction
    """Of the class in its bag."""
    share: Fraction
    """Of the tasks of this class among those of all bags. All shares sum to 1."""
    input_size: Fraction
    work: Fraction

    @property
    def file(self) -> FileName:
        """The input of a task."""
        return ("begin", self.name)


class BagOfTasksInstance(Frozen):
    """Bags of independent tasks on a master, and the star on which they are computed."""

    kind: Literal["bag_of_tasks"] = Field(description="name of this kind of problem")
    platform: Platform = Field(description="a star of links around the master")
    master: Identifier = Field(description="the processor that holds all bags")
    bags: Annotated[tuple[Bag, ...], Field(strict=False, min_length=1)] = Field(
        description="whose tasks never run out"
    )
    ports: Literal["multiport", "one_port"] = Field(
        "multiport",
        description="whether the master sends to all workers at a time, within its bandwidth, or to"
        " one task after the other",
    )
    method: Literal[
        "auto",
        "lp",
        "means",
        "approximation",
        "on_demand",
        "round_robin",
        "dispatch",
        "lp_samp",
        "compare",
    ] = Field(
        "auto",
        description="how the rates are found, or which policy deals out the stream; auto: lp where it can",
    )
    stream: TaskStream | None = Field(None, description="of tasks that policies deal out")
    buffer: Annotated[int, Strict(), Field(ge=1, le=10**6)] = Field(
        2, description="on_demand: a worker asks for more while fewer tasks wait there"
    )
    sample: PositiveRational = Field(
        Fraction(1, 10), description="lp_samp: part of the stream from which it learns"
    )
    split: Literal["arithmetic", "geometric"] = Field(
        "arithmetic", description="lp_samp: bounds of buckets have equal distances, or ratios"
    )
    buckets: Buckets = Field(1, description="lp_samp: into which sizes are put")
    work_buckets: Buckets = Field(1, description="lp_samp: into which works are put")
    epsilon: Annotated[PositiveRational, Field(le=10)] = Field(
        Fraction(1, 20), description="ratio of neighbouring bounds of cells, less 1"
    )

    @cached_property
    def classes(self) -> tuple[BagClass, ...]:
        """All classes, bag by bag."""
        total = sum((bag.priority for bag in self.bags), Fraction(0))
        return tuple(
            BagClass(
                class_name(bag.id, number),
                bag.id,
                number,
                one.probability,
                one.probability * bag.priority / total,
                one.input_size,
                one.work,
            )
            for bag in self.bags
            for number, one in enumerate(bag.distribution)
        )

    @property
    def has_uniform_bags(self) -> bool:
        """Whether some bag has no classes."""
        return any(bag.uniform is not None for bag in self.bags)

    def policies(self, method: str) -> list[PolicyName]:
        """List the policies that a method simulates: all that apply, where they are compared."""
        if method != "compare":
            return [name for name in POLICIES if name == method]
        return [name for name in POLICIES if name != "dispatch" or not self.has_uniform_bags]

    @property
    def stream_names(self) -> list[str]:
        """Name the tasks of streams: by their class or, where they are uniform, by their bag."""
        return [
            name
            for bag in self.bags
            for name in (
                [bag.id]
                if bag.uniform is not None
                else [class_name(bag.id, number) for number, _ in enumerate(bag.distribution)]
            )
        ]

    @cached_property
    def file_sizes(self) -> Mapping[FileName, Fraction]:
        """Data of the input of a task of each class."""
        return {one.file: one.input_size for one in self.classes}


class CellOut(BaseModel):
    """The tasks that a class stands for: from the first bound on to below the second, or only these."""

    model_config = ConfigDict(extra="forbid")

    input_size: tuple[ExactRational, ExactRational] = Field(description="bounds")
    work: tuple[ExactRational, ExactRational] = Field(description="bounds")


class ClassOut(BaseModel):
    """A class of a bag, or a cell of its sizes and works."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="of its tasks in schedules")
    bag: str = Field(description="id of the bag")
    number: Whole = Field(description="in the bag, from 0")
    probability: ExactRational = Field(description="that a task of the bag is of this class")
    input_size: ExactRational = Field(description="of a cell: their mean, or the greatest")
    work: ExactRational = Field(description="likewise")
    cell: CellOut | None = Field(None, description="null for a class of tasks that are all alike")


class ComputedRate(BaseModel):
    """Tasks of one class that a processor computes per time unit."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="of the class")
    processor: str = Field(description="id of the processor that computes them")
    rate: ExactRational = Field(description="tasks per time unit")


class BagOfTasksResult(Result):
    """The certified rates of all classes on all processors."""

    kind: Literal["bag_of_tasks"] = Field(
        "bag_of_tasks", description="name of this kind of problem"
    )
    method: str = Field(description="the method that answered")
    """Judged: no two methods tell the same classes."""
    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")] = Field(
        description="why the bound holds, or why nothing is feasible"
    )
    rate_per_priority: ExactRational | None = Field(
        description="rate of a bag over its priority, the same for all. Null without a value, and"
        " for the tasks of a stream"
    )
    throughput_by_bag: dict[str, ExactRational] = Field(description="tasks per time unit")
    classes: list[ClassOut] = Field(description="of all bags, in their order")
    computed: list[ComputedRate] = Field(description="zero rates are left out")
    distribution_bound: ExactRational | None = Field(
        None, description="policies: no policy does more in the long run"
    )
    distribution_prices: dict[str, ExactRational] = Field(
        default_factory=dict, description="prove the bound on the tasks of the bags"
    )
    simulation: list[PolicyRun] = Field(
        default_factory=list, description="policies: what became of each stream"
    )
    comparison: list[ComparedPolicy] | None = Field(
        None, description="policies: each over all its runs"
    )
