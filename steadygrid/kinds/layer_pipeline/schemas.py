"""What `layer_pipeline` asks and answers."""

from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Strict, Tag

from steadygrid.domain.certificate import (
    Certificate,
    NoCertificate,
    Proves,
    SearchCertificate,
)
from steadygrid.domain.job import Result
from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, PositiveRational, Rational, Whole
from steadygrid.domain.text import Frozen, Identifier, PlainText

MOST_LAYERS = 1_000
MOST_SKIPS = 2_000
MOST_DEVICE_TYPES = 20
MOST_DEVICES = 1_024
"""Of all types together."""
MOST_UPDATE = 1_000_000

Count = Annotated[int, Strict(), Field(ge=1, le=MOST_DEVICES)]
PassTimes = Annotated[tuple[Rational, Rational], Field(strict=False)]
_REPLICAS_GIVEN_AS: dict[type, str] = {int: "number", dict: "layers"}
MostCopies = Annotated[
    Annotated[Count, Tag("number")] | Annotated[dict[Identifier, Count], Tag("layers")],
    Discriminator(
        lambda given: _REPLICAS_GIVEN_AS.get(type(given)),
        custom_error_type="replicas_type",
        custom_error_message="expected a whole number, or whole numbers by layer",
    ),
]


class PipelineLayer(Frozen):
    """A layer: its forward pass runs after that of the layer before, its backward pass before."""

    id: Identifier = Field(description="names the layer, unique in the problem")
    forward: Rational = Field(description="work of its forward pass, per data set")
    backward: Rational = Field(Fraction(0), description="work of its backward pass, per data set")
    memory: Rational = Field(Fraction(0), description="held by each copy of its stage at any time")
    in_flight: Rational = Field(
        Fraction(0),
        description="memory held per data set, from the start of the forward pass of its stage to the"
        " end of its backward pass",
    )
    weights: Rational = Field(
        Fraction(0), description="data that the copies of its stage reduce in each update"
    )
    output: Rational = Field(Fraction(0), description="data to the next layer, per data set")
    gradient: Rational | None = Field(
        None,
        description="data back from the next layer, per data set. Null: as `output` where some layer"
        " has a backward pass, else 0",
    )


class SkipConnection(Frozen):
    """Output of a layer that a later layer needs, too; stages between pass it on."""

    source: Identifier = Field(description="id of the layer that makes the output")
    target: Identifier = Field(description="id of the later layer that needs it")
    size: Rational = Field(
        description="data added to `output` (and to `gradient`, where there are backward passes) of"
        " every layer from the source to the one before the target"
    )


class DeviceType(Frozen):
    """Devices that are alike."""

    id: Identifier = Field(description="names the device type, unique in the problem")
    count: Count = Field(description="devices of this type, from 1")
    speed: PositiveRational = Field(Fraction(1), description="work per time unit")
    times: dict[Identifier, PassTimes] | None = Field(
        None, description="of every layer, forward and backward, in place of work over speed"
    )
    memory: Rational | None = Field(None, description="of each device. Null: no limit")
    reduce_bandwidth: PositiveRational | None = Field(
        None, description="data per time unit of a reduction of weights. Null: takes no time"
    )


class PairBandwidth(Frozen):
    """Bandwidth of links between devices of two types, in each direction; of one type where both are equal."""

    source: Identifier = Field(description="id of the first device type")
    target: Identifier = Field(description="id of the second device type")
    bandwidth: PositiveRational = Field(
        description="data per time unit, in each direction. Above 0"
    )


_BANDWIDTH_GIVEN_AS: dict[type, str] = {list: "pairs", tuple: "pairs"}
Bandwidth = Annotated[
    Annotated[PositiveRational, Tag("one")]
    | Annotated[tuple[PairBandwidth, ...], Field(strict=False), Tag("pairs")],
    Discriminator(lambda given: _BANDWIDTH_GIVEN_AS.get(type(given), "one")),
]


class GivenStage(Frozen):
    """Layers that follow each other, on devices of one type that take the data sets in turn."""

    layers: Annotated[tuple[Identifier, Identifier], Field(strict=False)] = Field(
        description="the first and the last"
    )
    device: Identifier = Field(description="id of a device type")
    replicas: Count = Field(1, description="devices that run the stage in turn. Default: 1")


class LayerPipelineInstance(Frozen):
    """A chain of layers, and devices counted by type that shall run it."""

    kind: Literal["layer_pipeline"] = Field(description="name of this kind of problem")
    name: PlainText | None = Field(
        None, description="label for people. Without effect on the answer"
    )
    layers: Annotated[
        tuple[PipelineLayer, ...], Field(strict=False, min_length=1, max_length=MOST_LAYERS)
    ] = Field(description="in the order of the chain")
    skips: Annotated[tuple[SkipConnection, ...], Field(strict=False, max_length=MOST_SKIPS)] = (
        Field((), description="outputs that later layers need, too. Default: none")
    )
    devices: Annotated[
        tuple[DeviceType, ...], Field(strict=False, min_length=1, max_length=MOST_DEVICE_TYPES)
    ] = Field(description="device types, from 1 to 20")
    bandwidth: Bandwidth | None = Field(
        None,
        description="of the link between two neighbouring stages, in each direction: one for all pairs of"
        " types, or a list of pairs. Null: transfers take no time",
    )
    update_every: Annotated[int, Strict(), Field(ge=1, le=MOST_UPDATE)] = Field(
        1, description="data sets between two updates of the weights"
    )
    max_replicas: MostCopies | None = Field(
        None,
        description="most copies of a stage: of any, or by layer (a stage has the least of its"
        " layers). Null: any number",
    )
    schedule: Literal["one_forward_one_backward", "forward"] | None = Field(
        None,
        description="null: forward where no layer has a backward pass, else one_forward_one_backward",
    )
    stages: Annotated[tuple[GivenStage, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="of the plan that evaluate judges"
    )
    method: Literal["exact", "evaluate"] = Field(
        "exact",
        description="exact: find the best plan. evaluate: judge the plan that is given. Default:"
        " exact",
    )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PlannedStage(_Part):
    """Layers that follow each other, on devices of one type that take the data sets in turn."""

    layers: tuple[str, str] = Field(description="the first and the last")
    device: str = Field(description="id of a device type")
    replicas: Whole = Field(description="devices that run the stage in turn")
    in_flight: Whole = Field(
        description="most data sets that a copy holds, from the start of its forward to the end of its"
        " backward pass. 1 without backward passes"
    )
    memory: ExactRational = Field(description="that a copy needs")
    load: ExactRational = Field(
        description="time of a copy per data set that it takes, both passes"
    )
    reduce_time: ExactRational = Field(description="of the weights of its copies, per update")


class LayerIntervalsCertificate(Certificate):
    """That no plan has a shorter period was searched for, and the referee searches again."""

    proves: ClassVar[Proves] = Proves.BOUND

    type: Literal["intervals"] = Field("intervals", description="names this type of certificate")


class LayerPipelineStatistics(_Part):
    """How the answer was found."""

    tests: Whole | None = Field(None, description="whether some plan keeps a period")
    states: Whole | None = Field(None, description="kept in all tests")


class LayerPipelineResult(Result):
    """Which layers run where, how often, and what keeps them from running more often."""

    kind: Literal["layer_pipeline"] = Field(
        "layer_pipeline", description="name of this kind of problem"
    )
    method: str = Field(description="the method that answered")
    """Judged: it is the one that was asked for."""
    certificate: Annotated[
        LayerIntervalsCertificate | SearchCertificate | NoCertificate,
        Field(discriminator="type"),
    ] = Field(description="why the bound holds, or why nothing is feasible")
    period: ExactRational | None = Field(description="time per data set: 1 / throughput")
    stages: list[PlannedStage] = Field(description="stages in the order of the layers")
    latency: ExactRational | None = Field(
        description="from the start of the first forward pass of a data set to the end of its last"
        " pass"
    )
    limiting: list[str] = Field(
        description="what fails at any shorter period of this plan: `stage i compute`, `boundary i`"
        " (behind stage i) and `reduce i`, each busy all the time. Where none is, `memory i`"
    )
    batch_time: ExactRational | None = Field(
        description="of `update_every` data sets that begin with no other in flight, until all weights"
        " are reduced. Evaluated, not optimised"
    )
    statistics: Annotated[LayerPipelineStatistics, NOT_JUDGED] = Field(
        description="how the answer was found"
    )
