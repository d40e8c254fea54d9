"""What was measured of a platform: the request, and the changes of a body that it makes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import Field, ValidationError

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.domain.patch import Change, target_of
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import (
    MAX_DIGITS,
    PositiveOrExact,
    PositiveRational,
    Rational,
)
from steadygrid.domain.text import Frozen, Identifier
from steadygrid.domain.wording import described, shown
from steadygrid.studies.measured_names import MeasuredNames, slowness
from steadygrid.studies.parts import members
from steadygrid.studies.removals import Gone
from steadygrid.submissions.submission import MAX_FAULTS, Submission, validation_faults

_PLATFORM: Pointer = ("problem", "platform")
_NAMELESS: Mapping[Pointer, str] = {("task", "times"): "task", ("combine", "times"): "combine"}
"""What the only times of a problem are called, by their place in it."""


class MeasuredProcessor(Frozen):
    """What was measured of a processor. What is left out is as planned."""

    speed: Rational | None = Field(None, description="0: the processor is gone, with its links")
    unit_time: PositiveRational | None = Field(None, description="instead of speed")
    times: dict[Identifier, PositiveRational] = Field(
        default_factory=dict,
        description="by task, where the plan has times of this processor. Task or combine where"
        " tasks have no names",
    )


class MeasuredLink(Frozen):
    """What was measured of a link, in both directions if it has two."""

    source: Identifier
    target: Identifier
    bandwidth: Rational | None = Field(None, description="0: the link is gone")
    unit_time: PositiveRational | None = Field(None, description="instead of bandwidth")


class MeasuredMedium(Frozen):
    """What was measured of a medium."""

    bandwidth: Rational = Field(description="0: the medium is gone, with the links that use it")


class Measured(Frozen):
    """What is not as planned."""

    processors: dict[Identifier, MeasuredProcessor] = Field(default_factory=dict)
    links: Annotated[tuple[MeasuredLink, ...], Field(strict=False)] = ()
    media: dict[Identifier, MeasuredMedium] = Field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many values may be given in it."""
        times = sum(len(one.times) for one in self.processors.values())
        return len(self.processors) + len(self.links) + len(self.media) + times


class ReplanRequest(Frozen):
    """What was measured, and what a change of the schedule costs."""

    measured: Measured
    scale: bool = Field(
        default=False, description="the values are factors of what was planned. Of times, too"
    )
    solve: bool = Field(
        default=True, description="whether the best schedule for the measured platform is computed"
    )
    tolerance: Annotated[Rational, Field(le=1)] = Field(
        Fraction(1, 20), description="part of the optimum that is not worth a change"
    )
    cost: Rational | None = Field(
        None, description="time that a change takes, in which nothing is done. With horizon"
    )
    horizon: PositiveRational | None = Field(
        None, description="time that is left, of which a change takes some. Instead of tolerance"
    )
    max_period: PositiveOrExact | None = Field(
        None, description="of the new schedule, as in options. Null: as the job asked"
    )
    time_limit: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] | None = Field(
        None, description="seconds to find the new schedule. Null: as the job asked"
    )

    def adapt_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Give the options of the new solve: those of the job, and what is asked of the new schedule.

        With a horizon, it is for the time that is left after the change.

        Parameters
        ----------
        options
            Of the job, as JSON.
        """
        adapted = dict(options)
        for name in ("max_period", "time_limit"):
            if getattr(self, name) is not None:
                adapted[name] = self.model_dump(mode="json")[name]
        left = self.time_after_change
        if left is not None:
            adapted.pop("total_instances", None)
            adapted["run"] = {"horizon": str(left)} if left > 0 else None
        return adapted

    @property
    def time_after_change(self) -> Fraction | None:
        """What is left of the horizon after a change. None without a horizon."""
        if self.horizon is None or self.cost is None:
            return None
        return self.horizon - self.cost


def time_unit(submission: Submission) -> str | None:
    """Give the platform's own name of its unit of time, of a kind that runs on a platform."""
    units = submission.instance.platform.units
    return None if units is None else units.time


def read_request(document: Any, limits: Limits | None = None) -> ReplanRequest:
    """Read a request.

    Parameters
    ----------
    document
        As JSON has it.
    limits
        How many measurements are accepted, if not as many as by default.

    Raises
    ------
    LimitError
        If there are more than `Limits.max_measurements`.
    InstanceError
        With every fault of its form; pointers walk `document`.
    """
    if not isinstance(document, Mapping):
        detail = f"expected a JSON object, not {described(document)}"
        raise InstanceError(faults=[Fault((), "invalid_type", detail)])
    try:
        request = ReplanRequest.model_validate(document)
    except ValidationError as error:
        raise InstanceError(faults=validation_faults(ReplanRequest, error, document)) from None
    most = (limits or Limits()).max_measurements
    if request.measured.count > most:
        detail = f"{request.measured.count:,} measurements, and at most {most:,} are accepted"
        raise LimitError(detail, [Fault(("measured",), "limit_exceeded", detail)])
    if request.cost is not None and request.horizon is None:
        raise InstanceError(
            faults=[Fault(("horizon",), "missing", "with a cost, say how much time is left")]
        )
    if request.horizon is not None and request.cost is None:
        raise InstanceError(
            faults=[
                Fault(("cost",), "missing", "with a horizon, say what a change costs. 0 may do")
            ]
        )
    return request


class Measurement(NamedTuple):
    """What measured values make of a body: changes of quantities, and what is taken away."""

    patch: tuple[Change, ...]
    gone: Gone


def measurement(submission: Submission, request: ReplanRequest) -> Measurement:
    """Turn measured values into changes of a body.

    A value is written as the body has it: a speed as a unit time where the body gives that. With factors,
    a speed or unit time of a processor goes for the times that are given for it, too, except those with
    factors of their own.

    Parameters
    ----------
    submission
        The plan: what the schedule was made for.
    request
        What was measured.

    Raises
    ------
    InstanceError
        With every fault (at most `MAX_FAULTS`): processors, links and media that the plan does not
        have, values that it has no place for, values given twice; pointers walk the request.
    """
    reader = _Reader(submission, request)
    reader.read()
    if reader.names.faults:
        raise InstanceError(faults=reader.names.faults[:MAX_FAULTS])
    gone = Gone(frozenset(reader.processors), frozenset(reader.links), frozenset(reader.media))
    return Measurement(tuple(reader.patch), gone)


class _Times(NamedTuple):
    """Given times of one task or of several."""

    name: str
    at: Pointer
    listed: Mapping[str, Any]


@dataclass
class _Reader:
    submission: Submission
    request: ReplanRequest
    patch: list[Change] = field(default_factory=list)
    processors: set[int] = field(default_factory=set)
    links: set[int] = field(default_factory=set)
    media: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.platform: Platform = self.submission.instance.platform
        self.names = MeasuredNames(self.platform)
        self.times = {one.name: one for one in self._times()}

    def read(self) -> None:
        measured = self.request.measured
        for name, processor in measured.processors.items():
            at: Pointer = ("measured", "processors", name)
            index = self.names.processor(name, at)
            if index is not None:
                self._processor(index, processor, at)
        for link, of_link, at in self.names.links(measured.links, ("measured", "links")):
            self._link(link, of_link, at)
        for name, medium in measured.media.items():
            at = ("measured", "media", name)
            index = self.names.medium(name, at)
            if index is None:
                continue
            if not medium.bandwidth:
                self.media.add(index)
            else:
                planned = self.platform.media[index].bandwidth
                value = self._value(planned, medium.bandwidth)
                self._set(("media", index, "bandwidth"), value, (*at, "bandwidth"))

    def _times(self) -> Iterator[_Times]:
        problem = self.submission.instance.model_dump(mode="json", exclude={"platform"})
        tasks = (problem.get("application") or {}).get("tasks", ())
        for pointer, listed in members(problem, ("times",)):
            name = _NAMELESS.get(pointer)
            if name is None and pointer[:2] == ("application", "tasks"):
                name = str(tasks[pointer[2]]["id"])
            if name is not None:
                yield _Times(name, pointer, listed)

    def _processor(self, index: int, measured: MeasuredProcessor, at: Pointer) -> None:
        if measured.speed is not None and measured.unit_time is not None:
            self._fault(at, "ambiguous_speed", "give speed or unit_time, not both")
            return
        if measured.speed is None and measured.unit_time is None and not measured.times:
            self._fault(at, "nothing_measured", "give its speed, its unit_time or its times")
            return
        if measured.speed == 0:
            self.processors.add(index)
            return
        name = self.platform.processors[index].id
        unknown = Known(self.times)
        for task, time in measured.times.items():
            here = (*at, "times", task)
            one = self.times.get(task)
            if one is None:
                detail = (
                    f"the plan gives no times of a task {shown(task)}{unknown.suggestion(task)}"
                )
                self._fault(here, "unknown_task", detail)
            elif name not in one.listed:
                detail = f"{shown(task)} does not run on {shown(name)} in the plan"
                self._fault(here, "cannot_run", detail)
            else:
                self._time(one, name, time, here)
        if measured.speed is not None or measured.unit_time is not None:
            self._speed(index, measured, at)

    def _speed(self, index: int, measured: MeasuredProcessor, at: Pointer) -> None:
        processor = self.platform.processors[index]
        given = "speed" if measured.unit_time is None else "unit_time"
        slower = slowness(measured.speed, measured.unit_time)
        planned = processor.time_per_work
        own = [one for one in self.times.values() if processor.id in one.listed]
        if planned is None and not (self.request.scale and own):
            remedy = (
                "measure its times" if own else "only 0, which says that it is gone, makes sense"
            )
            self._fault(
                (*at, given),
                "no_speed",
                f"{shown(processor.id)} has no speed in the plan: {remedy}",
            )
            return
        if planned is not None:
            time = self._value(planned, slower)
            by_time = processor.unit_time is not None
            member, value = ("unit_time", time) if by_time else ("speed", 1 / time)
            self._set(("processors", index, member), value, (*at, given))
        if self.request.scale:
            for one in own:
                if one.name not in measured.times:
                    self._time(one, processor.id, slower, (*at, given))

    def _time(self, one: _Times, processor: str, measured: Fraction, at: Pointer) -> None:
        value = self._value(Fraction(one.listed[processor]), measured)
        self._add_change(("problem", *one.at, processor), value, at)

    def _link(self, index: int, measured: MeasuredLink, at: Pointer) -> None:
        if measured.bandwidth == 0:
            self.links.add(index)
            return
        given = "bandwidth" if measured.unit_time is None else "unit_time"
        link = self.platform.links[index]
        by_time = link.unit_time is not None
        planned = slowness(link.bandwidth, link.unit_time)
        time = self._value(planned, slowness(measured.bandwidth, measured.unit_time))
        member, value = ("unit_time", time) if by_time else ("bandwidth", 1 / time)
        self._set(("links", index, member), value, (*at, given))

    def _value(self, planned: Fraction, measured: Fraction) -> Fraction:
        return planned * measured if self.request.scale else measured

    def _set(self, place: Pointer, value: Fraction, at: Pointer) -> None:
        self._add_change((*_PLATFORM, *place), value, at)

    def _add_change(self, place: Pointer, value: Fraction, at: Pointer) -> None:
        if max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
            detail = f"times what was planned, it has more than {MAX_DIGITS} digits in its numerator or denominator"
            self._fault(at, "rational_too_long", detail)
            return
        self.patch.append(Change(at=target_of(*place), value=str(value)))

    def _fault(self, at: Pointer, code: str, detail: str) -> None:
        self.names.faults.append(Fault(at, code, detail))
