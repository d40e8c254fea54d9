"""When a running schedule has lost so much that a new plan is worth making.

The rate still kept is compared with a reference: at first what was planned. A loss above the threshold
is one crossing. The rate kept then is the new reference, so the same loss makes no second plan, and a
further loss does. When what is kept has come back, the reference is what was planned again.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from steadygrid.domain.rational import PositiveOrExact, PositiveRational, Rational
from steadygrid.domain.text import Frozen
from steadygrid.studies.forecast import forecast
from steadygrid.studies.measuring import ReplanRequest
from steadygrid.submissions.submission import parse_model

FEWEST_SAMPLES = 2
_MOST_SAMPLES = 1_000


class DriftRequest(Frozen):
    """How a schedule is watched."""

    platform: Annotated[str, Field(strict=True, max_length=63)] | None = Field(
        None,
        description="the stored platform whose measurements count; null: the one that the job named",
    )
    loss: Annotated[PositiveRational, Field(lt=1)] = Field(
        Fraction(1, 20),
        description="part of the planned throughput; a new plan is made when more is lost",
    )
    forecast: Literal["last", "mean", "median", "harmonic", "best"] = Field(
        "last", description="what is expected of a resource, from its last measurements"
    )
    samples: Annotated[int, Field(ge=FEWEST_SAMPLES, le=_MOST_SAMPLES)] = Field(
        20, description="how many of its last measurements a forecast knows"
    )
    solve: bool = Field(
        default=True, description="whether a new plan is made; false: the loss is told only"
    )
    cost: Rational | None = Field(
        None, description="time that a change takes, in which nothing is done; with horizon"
    )
    horizon: PositiveRational | None = Field(
        None, description="time for which a new plan is used, counted from its making; with cost"
    )
    max_period: PositiveOrExact | None = Field(
        None, description="of the new schedule, as in options; null: as the job asked"
    )
    time_limit: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = Field(
        None, description="seconds to find the new schedule; null: as the job asked"
    )

    @model_validator(mode="after")
    def _both_or_neither(self) -> "DriftRequest":
        if (self.cost is None) != (self.horizon is None):
            raise PydanticCustomError(
                "cost_and_horizon", "give cost and horizon, or neither of them"
            )
        return self

    def replan_request(self, measured: dict[str, Any]) -> ReplanRequest:
        """Ask for a new plan.

        Parameters
        ----------
        measured
            What is not as planned. See `steadygrid.studies.measurements.measured_document`.
        """
        own = self.model_dump(mode="json", include={"solve", "cost", "horizon"}) | self.model_dump(
            mode="json", include={"max_period", "time_limit"}
        )
        return ReplanRequest.model_validate(
            {"measured": measured, "tolerance": str(self.loss), **own}
        )


def read_drift(document: Any) -> DriftRequest:
    """Read how a schedule is to be watched.

    Parameters
    ----------
    document
        As JSON has it.

    Raises
    ------
    InstanceError
        With every fault; pointers walk `document`.
    """
    return parse_model(DriftRequest, document)


def expected(values: Sequence[Fraction], method: str) -> Fraction:
    """Give what is expected of a resource, from its last measurements in the order of time.

    What was measured before it was gone, and came back, does not count.

    Parameters
    ----------
    values
        At least one; 0: it was gone.
    method
        As in `steadygrid.studies.forecast.forecast`.
    """
    last = values[-1]
    since = len(values)
    while since and values[since - 1]:
        since -= 1
    known = values[since:]
    if method == "last" or len(known) < FEWEST_SAMPLES:
        return last
    series = [{"at": i, "speed": value} for i, value in enumerate(known)]
    return forecast({"it": series}, method).forecasts[0].value


class Step(NamedTuple):
    """What a rate still kept means."""

    crossing: bool
    """Whether more was lost than the threshold allows, since the reference."""
    reference: Fraction
    """What the next rate is compared with."""


def step(planned: Fraction, reference: Fraction, kept: Fraction, loss: Fraction) -> Step:
    """Compare the rate still kept with the reference.

    Parameters
    ----------
    planned
        The rate of the schedule as it was made.
    reference
        The rate kept at the last crossing; at first, and when all has come back, `planned`.
    kept
        The rate that the schedule still has.
    loss
        The threshold: a part of `planned`.

    Examples
    --------
    >>> one, tenth = Fraction(1), Fraction(1, 10)
    >>> step(one, one, Fraction(89, 100), tenth)
    Step(crossing=True, reference=Fraction(89, 100))
    >>> step(one, Fraction(89, 100), Fraction(85, 100), tenth).crossing
    False
    >>> step(one, Fraction(89, 100), Fraction(96, 100), tenth)
    Step(crossing=False, reference=Fraction(1, 1))
    """
    if reference - kept > loss * planned:
        return Step(True, kept)
    if planned - kept <= loss * planned / 2:
        return Step(False, planned)
    return Step(False, reference)
