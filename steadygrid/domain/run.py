"""A run of a periodic schedule: so many instances, or as many as a horizon allows."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import Field, Strict, model_validator
from pydantic_core import PydanticCustomError

from steadygrid.domain.rational import PositiveRational, parse_exact, parse_whole
from steadygrid.domain.text import Frozen

MOST_INSTANCES = 10**18


class RunGoal(Frozen):
    """What a schedule is run for: exactly one of its members is given."""

    instances: Annotated[int, Strict(), Field(ge=1, le=MOST_INSTANCES)] | None = Field(
        None, description="how many instances there are"
    )
    horizon: PositiveRational | None = Field(
        None, description="how long it runs, in the platform's time units"
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "RunGoal":
        if (self.instances is None) == (self.horizon is None):
            raise PydanticCustomError(
                "invalid_request", "give either instances or horizon: a run has one of them"
            )
        return self

    def instances_at(self, rate: Fraction) -> Fraction:
        """Give how many instances there are, or what a rate would do until the horizon."""
        if self.horizon is not None:
            return rate * self.horizon
        assert self.instances is not None
        return Fraction(self.instances)


class RunPromise(NamedTuple):
    """What a schedule does in a run, and what no schedule exceeds.

    Of a number of instances: when all are complete, and the earliest time that any schedule needs.
    Of a horizon: how many instances are complete by then, and the most of any schedule.
    """

    instances: int
    """0 where a horizon was asked for."""
    horizon: Fraction | None
    periods: int
    """From the start until the last of the instances is complete; full ones within the horizon."""
    completion_time_at_most: Fraction | None = None
    """None where the schedule does nothing."""
    no_schedule_before: Fraction | None = None
    """None where no bound on the throughput is proved."""
    instances_at_least: int = 0
    instances_at_most: int | None = None
    """None where no bound on the throughput is proved."""

    @property
    def ratio(self) -> Fraction | None:
        """The time that the schedule needs over the least that any needs."""
        end, earliest = self.completion_time_at_most, self.no_schedule_before
        return None if end is None or earliest is None or earliest == 0 else end / earliest

    @property
    def document(self) -> dict[str, Any]:
        """The member `run` of the schedule's header."""
        if self.horizon is not None:
            told: dict[str, Any] = {
                "horizon": self.horizon,
                "instances_at_least": self.instances_at_least,
                "instances_at_most": self.instances_at_most,
            }
        else:
            told = {
                "instances": self.instances,
                "completion_time_at_most": self.completion_time_at_most,
                "no_schedule_before": self.no_schedule_before,
                "ratio": self.ratio,
            }
        written = {name: None if one is None else str(one) for name, one in told.items()}
        return {**written, "periods": self.periods}


def read_promise(document: Mapping[str, Any] | None) -> RunPromise | None:
    """Read the member `run` of a header. None if there is none.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it does not have the form of one.
    """
    if document is None:
        return None
    if not isinstance(document, Mapping):
        raise TypeError("run is an object")
    promise = _read_members(document)
    if promise.document.keys() != document.keys():
        raise ValueError(f"run has the members {', '.join(promise.document)}, and no others")
    ratio = document.get("ratio")
    if (None if ratio is None else parse_exact(ratio)) != promise.ratio:
        raise ValueError("the ratio of run is not that of its two times")
    return promise


def _read_members(document: Mapping[str, Any]) -> RunPromise:
    periods = parse_whole(document["periods"])
    if "horizon" in document:
        most = document["instances_at_most"]
        return RunPromise(
            0,
            parse_exact(document["horizon"]),
            periods,
            instances_at_least=_whole(document["instances_at_least"]),
            instances_at_most=None if most is None else _whole(most),
        )
    return RunPromise(
        _whole(document["instances"]),
        None,
        periods,
        completion_time_at_most=_exact(document["completion_time_at_most"]),
        no_schedule_before=_exact(document["no_schedule_before"]),
    )


def _exact(value: Any) -> Fraction | None:
    return None if value is None else parse_exact(value)


def _whole(value: Any) -> int:
    number = parse_exact(value)
    if number.denominator != 1:
        raise ValueError(f"expected a whole number, not {str(value)[:40]!r}")
    return number.numerator
