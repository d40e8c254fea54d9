"""Re-planning: what a periodic schedule still does on a platform as it was measured, and what is best now.

`replan` writes what was measured into the body of the job, tells what is kept of its schedule (see
`steadygrid.verification.retained_throughput`), and gives the body of which the solution is the new optimum;
`Replan.judged` compares the two. Files keep the routes that they take (`steadygrid.studies.routes`).

Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters: why and how?,
section 5.5: "A first solution is to recompute the solution of the linear program periodically, based
upon the information acquired during the current period."
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import apply_patch
from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import compute_resource, link_resource, medium_resource
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.studies.measuring import ReplanRequest, measurement
from steadygrid.studies.optimum import optimum_alone
from steadygrid.studies.removals import Gone, remains
from steadygrid.studies.replanned import (
    Decision,
    GoneResource,
    InstancesDone,
    KeptParts,
    KeptRate,
    KeptRates,
    ReplanAdvice,
    ReplanOut,
    ReplanRate,
    change_of,
)
from steadygrid.studies.routes import pinned
from steadygrid.submissions.submission import Submission, parse_submission
from steadygrid.verification import retained_throughput
from steadygrid.verification.retained_throughput import RetainedThroughput
from steadygrid.verification.steady import Views

NOT_PERIODIC = "not_periodic"
"""Code of faults: there is no schedule that repeats."""
_ROUTES_FREE = "there are too many routes to keep them: files take the shortest routes of now"
_BOUND = "same_shares is a bound: how long a new order takes is known when it is made"
_NO_PROLOGUE = "the new schedule was not made: its prologue is not among what a change costs"


def replan(
    submission: Submission,
    result: Result,
    schedule: AnySchedule | None,
    request: ReplanRequest,
    limits: Limits | None = None,
) -> "Replan":
    """Tell what is kept of a schedule on a platform that is not as planned any more.

    Parameters
    ----------
    submission, result, schedule
        A job and its answer, which the referee has accepted.
    request
        What was measured.

    Raises
    ------
    InstanceError
        ``not_periodic``, or with every fault of what was measured, with pointers into the request.
    """
    problem, limits = submission.problem, limits or Limits()
    require_periodic(submission)
    if problem.views is None or not isinstance(schedule, Schedule):
        raise _not_periodic(
            "the answer has no schedule of which something could be kept"
            if schedule is None
            else "the schedule does not repeat, so there is no rate that could be kept"
        )
    notes: list[str] = []
    try:
        submission, routed = pinned(submission, limits)
        notes += routed
    except LimitError:
        notes.append(_ROUTES_FREE)
    patch, gone = measurement(submission, request)
    platform: Platform = submission.instance.platform
    body = apply_patch(submission.document(), patch)
    if gone != Gone():
        body = apply_patch(body, remains(body, platform, gone, limits).patch)
        notes += _rerouted(platform, body)
    body = {**body, "options": request.adapt_options(body["options"])}
    now, why = _read_present_body(submission, result, schedule, body, gone, limits)
    if now is None:
        lost = RetainedThroughput(Fraction(0), True, tuple(_names(platform, gone)))
        notes.append(f"nothing can be done any more: {why}")
        return Replan(request, schedule, None, lost, lost, tuple(notes))
    views = problem.views(now.instance, result)
    alone = optimum_alone(now, asked=False)
    if alone.instance is not now.instance:
        body = {**body, "problem": alone.stored_document()["problem"]}
    slots, shares = (
        retained_throughput.same_slots(views, schedule),
        retained_throughput.same_shares(views, schedule),
    )
    if not shares.exact:
        notes.append(_BOUND)
    if gone.processors and _all_take_part(submission):
        notes.append(
            "some who took part are gone: the operation of now is among those who are left"
        )
    surviving = None
    if retained_throughput.gone(views, schedule):
        surviving = _surviving(now, views, schedule, limits)
    return Replan(request, schedule, body, slots, shares, tuple(notes), surviving)


def require_periodic(submission: Submission) -> None:
    """Refuse, before anything is solved, a kind whose schedules do not repeat on a platform.

    Raises
    ------
    InstanceError
        ``not_periodic``.
    """
    if submission.problem.views is None:
        raise _not_periodic(
            "only schedules that repeat on a platform are re-planned, and answers of"
            f" {submission.kind!r} have none"
        )


@dataclass(frozen=True)
class Replan:
    """What is kept of a schedule, and what has to be solved to know what would be best.

    Attributes
    ----------
    schedule
        Of before.
    body
        The job on the current platform, to be solved as any other. None where nothing can be done
        without what is gone.
    same_slots, same_shares
        What the schedule of before does now, as it stands and in a new order.
    surviving_body
        A job of method ``given`` whose answer is the best mix of those allocations that need nothing
        that is gone. None where nothing they need is gone, nothing is left, or the kind has no such method.
    """

    request: ReplanRequest
    schedule: Schedule
    body: Mapping[str, Any] | None
    same_slots: RetainedThroughput
    same_shares: RetainedThroughput
    notes: tuple[str, ...] = ()
    surviving_body: Mapping[str, Any] | None = None

    @property
    def planned_throughput(self) -> Fraction:
        """The throughput of the schedule on the platform for which it was made, with its loss."""
        return self.schedule.throughput

    @property
    def kept_rates(self) -> KeptRates:
        """What is kept, as documents say it."""
        return KeptRates(
            same_slots=KeptRate.from_retained(self.same_slots),
            same_shares=KeptRate.from_retained(self.same_shares),
        )

    @property
    def _needed_and_gone(self) -> list[GoneResource]:
        return GoneResource.from_schedule(self.schedule, self.same_slots.limited_by)

    def document(self) -> ReplanOut:
        """Tell what is known before anything is solved."""
        nothing = ReplanRate.from_value(Fraction(0)) if self.body is None else None
        return ReplanOut(
            before=ReplanRate.from_value(self.planned_throughput),
            kept=self.kept_rates,
            gone=[] if self.same_slots.throughput else self._needed_and_gone,
            tolerance=self.request.tolerance,
            cost=self.request.cost,
            horizon=self.request.horizon,
            optimum=nothing,
            notes=list(self.notes),
        )

    def judged(self, result: Result, schedule: AnySchedule | None) -> ReplanOut:
        """Compare what is kept with the answer to `body`.

        Parameters
        ----------
        result, schedule
            That answer, which the referee has accepted.
        """
        new = schedule if isinstance(schedule, Schedule) else None
        optimum = None if result.objective is None else result.objective.value
        if result.outcome is Outcome.INFEASIBLE:
            optimum = Fraction(0)
        cost = None if self.request.cost is None else self._whole_cost(new)
        done = None if optimum is None else self._instances_done(optimum, new)
        notes = list(self.notes)
        if cost is not None and new is None and optimum is not None and optimum > 0:
            notes.append(_NO_PROLOGUE)
        known = self.document()
        return known.model_copy(
            update={
                "outcome": result.outcome,
                "optimum": None if optimum is None else ReplanRate.from_value(optimum),
                "bound": result.bound,
                "after": None if new is None else ReplanRate.from_value(new.throughput),
                "of_optimum": self._parts_of_optimum(optimum),
                "whole_cost": cost,
                "instances_done": done,
                "advice": self._advice(optimum, done),
                "change": None if new is None else change_of(self.schedule, new),
                "notes": notes,
            }
        )

    def _parts_of_optimum(self, optimum: Fraction | None) -> KeptParts | None:
        if optimum is None or optimum == 0:
            return None
        return KeptParts(
            same_slots=self.same_slots.throughput / optimum,
            same_shares=self.same_shares.throughput / optimum,
        )

    def _whole_cost(self, new: Schedule | None) -> Fraction:
        cost = Fraction(0) if self.request.cost is None else self.request.cost
        return cost if new is None else cost + new.prologue_periods * new.period

    def _instances_done(self, optimum: Fraction, new: Schedule | None) -> InstancesDone | None:
        """Count what is complete until the horizon, with a change and without. None without one.

        Where the new schedule was not made, it counts as one of no start-up.
        """
        horizon, left = self.request.horizon, self.request.time_after_change
        if horizon is None or left is None:
            return None
        left = max(left, Fraction(0))
        if new is None:
            after = floor(left * optimum)
        elif new.run is not None and new.run.horizon == left:
            after = new.run.instances_at_least
        else:
            full = max(0, floor(left / new.period) - new.prologue_periods)
            after = floor(full * new.instances_per_period)
        return InstancesDone(
            same_slots=floor(self.same_slots.throughput * horizon),
            same_shares=floor(self.same_shares.throughput * horizon),
            after_change=after,
        )

    def _advice(self, optimum: Fraction | None, done: InstancesDone | None) -> ReplanAdvice | None:
        if optimum is None or optimum == 0:
            return None
        if done is not None:
            slots = _decision(done.after_change > done.same_slots)
            shares: Decision | None = _decision(done.after_change > done.same_shares)
        else:
            least = (1 - self.request.tolerance) * optimum
            slots = _decision(self.same_slots.throughput < least)
            shares = _decision(self.same_shares.throughput < least)
        if shares == "keep" and not self.same_shares.exact:
            shares = None
        return ReplanAdvice(same_slots=slots, same_shares=shares)


def _decision(change: bool) -> Decision:
    return "change" if change else "keep"


def _not_periodic(why: str) -> InstanceError:
    remedy = "write what was measured into the platform, and solve that"
    return InstanceError(faults=[Fault((), NOT_PERIODIC, f"{why}: {remedy}")])


def _read_present_body(
    submission: Submission,
    result: Result,
    schedule: Schedule,
    body: Mapping[str, Any],
    gone: Gone,
    limits: Limits,
) -> tuple[Submission | None, str]:
    """Read the current body. None, and why, where what is gone leaves nothing to ask."""
    platform: Platform = submission.instance.platform
    if gone.processors:
        view = submission.problem.view(submission.instance, submission.options, result, schedule)
        for i in sorted(gone.processors):
            name = platform.processors[i].id
            if name in view.roles:
                return None, f"{name!r}, a {view.roles[name]}, is gone"
    try:
        return parse_submission(body, limits), ""
    except InstanceError as error:
        if gone == Gone():
            raise
        return None, error.faults[0].detail


def _all_take_part(submission: Submission) -> bool:
    """Whether an operation is one of all processors, because none is named."""
    instance = submission.instance
    named = [getattr(instance, name, None) for name in ("participants", "targets", "sources")]
    return hasattr(instance, "operation") and named == [None] * 3


def _names(platform: Platform, gone: Gone) -> Iterable[str]:
    yield from (compute_resource(platform.processors[i].id) for i in sorted(gone.processors))
    for i in sorted(gone.links):
        yield link_resource(platform.links[i].source, platform.links[i].target)
    yield from (medium_resource(platform.media[i].id) for i in sorted(gone.media))


def _rerouted(platform: Platform, body: Mapping[str, Any]) -> Iterable[str]:
    left = len(body["problem"]["platform"].get("routes", ()))
    if dropped := len(platform.routes) - left:
        many = "1 route leads" if dropped == 1 else f"{dropped:,} routes lead"
        yield f"{many} over what is gone: files take the shortest paths that are left instead"


def _surviving(
    now: Submission, views: Views, schedule: Schedule, limits: Limits
) -> dict[str, Any] | None:
    """Ask for the best mix of the allocations that need nothing that is gone."""
    if "given" not in now.problem.methods or "allocations" not in type(now.instance).model_fields:
        return None
    left: dict[str, dict[str, Any]] = {}
    for allocation in schedule.allocations:
        if not retained_throughput.needs_gone(views, allocation):
            told = _given(allocation)
            left.setdefault(repr(told), told)
    document = now.document()
    whole = {"classes", "rates", "bound_method"}
    problem = {name: value for name, value in document["problem"].items() if name not in whole}
    body = document | {"problem": problem | {"method": "given", "allocations": list(left.values())}}
    try:
        return parse_submission(body, limits).document() if left else None
    except InstanceError:
        return None


def _given(allocation: Allocation) -> dict[str, Any]:
    """Write an allocation as it is given."""
    return {
        "tasks": {task: processors[0] for task, processors in allocation.tasks.items()},
        "transfers": [
            {"file": list(sent.file), "path": list(sent.path), "share": str(sent.share)}
            for sent in allocation.transfers
        ],
    }
