"""What would help most: one resource after the other so many times faster, or gone.

`what_if` lists the upgrades with what no schedule can exceed then (`steadygrid.studies.upgrades`), before
anything is solved; callers that solve some of them give the values to `Study.document`.

Twins, which nothing but their names tells apart, are one upgrade. Of *one* of them, since one machine, or
one cable, is what a user buys, and it does not matter which; or, where that is asked for, of all
of them together. What is bounded and what is solved is the same in either case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer, format_pointer
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.domain.patch import Change, target_of
from steadygrid.domain.platform import Route
from steadygrid.domain.rational import Rational
from steadygrid.domain.text import Frozen
from steadygrid.report.occupation import Resource, occupation_of
from steadygrid.report.report import Report
from steadygrid.studies.parts import Parts, Twins
from steadygrid.studies.removals import (
    Gone,
    fails_with,
    lost,
    nothing_is_done,
    remains,
    removal_changes,
)
from steadygrid.studies.routes import DefaultPaths
from steadygrid.studies.study import Changed, Study, Upgrade
from steadygrid.studies.upgrades import (
    Choice,
    Worth,
    choices,
    scaled,
    value_at,
    why_no_bound,
    worth_of,
)
from steadygrid.submissions.submission import Submission, parse_submission

MOST_SOLVED = 100
"""Upgrades that one study solves."""
MOST_NAMED = 1_000
"""Resources that one study may name."""
MOST_UNPRICED = 100
"""Of resources without prices as many are listed, the busiest."""


class WhatIfRequest(Frozen):
    """What could be faster, or fail."""

    factor: Rational = Field(
        Fraction(2), description="how many times faster, above 1. 0: what if it fails"
    )
    resources: Annotated[tuple[str, ...], Field(strict=False, max_length=MOST_NAMED)] | None = (
        Field(
            None,
            description="names as in certificates, such as P1.compute, A->B.link, M.medium. Null: all"
            " that have a price, or without prices the busiest",
        )
    )
    solve: Annotated[int, Strict(), Field(ge=0, le=MOST_SOLVED)] = Field(
        10, description="how many are solved exactly, the greatest bound first"
    )
    twins: Literal["one", "all"] = Field(
        "one",
        description="of those that are the same but for their names one is faster, or gone, and it"
        " does not matter which; all: all of them together",
    )
    options: dict[str, Any] = Field(
        default_factory=dict, description="of the jobs that solve. They go before those of the job"
    )


def what_if(
    submission: Submission,
    result: Result,
    request: WhatIfRequest,
    schedule: AnySchedule | None = None,
    limits: Limits | None = None,
) -> Study:
    """List what could be faster, or fail, with what no schedule can exceed then.

    Parameters
    ----------
    submission, result, schedule
        A job with a value, as the referee accepted it. The schedule tells how busy resources are; without
        it (also without its longest parts) those without prices are in the order of the platform.
    limits
        How large the body may become, if not as large as by default.

    Returns
    -------
    Study
        Its `to_solve` are to be solved, each by its patch of the template.

    Raises
    ------
    InstanceError
        With every fault found, pointers into the request; ``no_value`` where the job has none,
        ``no_prices`` where nothing can be said without solving and nothing is to be solved.
    LimitError
        If options ask for more than is accepted.
    """
    bounds = limits or Limits()
    if result.objective is None:
        raise _fault((), "no_value", "the job has no value that an upgrade could change")
    if 0 < request.factor <= 1:
        detail = (
            "a factor of 1 changes nothing"
            if request.factor == 1
            else "no price bounds what is lost where something is slower: give a factor above 1, or 0 for"
            " what if it fails"
        )
        raise _fault(("factor",), "factor_without_meaning", detail)
    asked = _with_options(submission, request.options, bounds)
    report = Report(asked, result, schedule)
    platform = report.platform
    body = asked.stored_document()
    if platform is None or "platform" not in body["problem"]:
        raise _fault((), "no_platform", f"{asked.kind} has no platform on which to change anything")
    asking = _Asking(asked, report, request, body, bounds)
    return asking.removals() if not request.factor else asking.upgrades()


def _fault(pointer: Pointer, code: str, detail: str) -> InstanceError:
    return InstanceError(detail, [Fault(pointer, code, detail)])


def _with_options(submission: Submission, options: Mapping[str, Any], limits: Limits) -> Submission:
    if not options:
        return submission
    body = submission.document()
    return parse_submission(body | {"options": body["options"] | dict(options)}, limits)


@dataclass(frozen=True)
class _Asking:
    """One question for a study."""

    submission: Submission
    report: Report
    request: WhatIfRequest
    body: dict[str, Any]
    limits: Limits

    def upgrades(self) -> Study:
        request, result = self.request, self.report.result
        why = why_no_bound(self.submission, result)
        notes: list[str] = []
        default_paths = DefaultPaths(self.submission, self.limits)
        parts = self._parts()
        worth = None if why else worth_of(self.submission, result, parts)
        found = choices(
            parts,
            self._twins(parts),
            self._named(parts),
            worth,
            self._busy(),
            request.factor,
            request.twins == "all",
        )
        if worth is None:
            self._refuse_silence(why)
            found = self._shortened(found, notes)
        upgrades = [self._upgrade(parts, one, default_paths) for one in found]
        upgrades.sort(key=lambda one: one.at_most is None)
        if any(change.at is not None for one in upgrades for change in one.patch):
            notes.append(
                "files keep to the routes that they take now, also where a faster link would change"
                " them: these routes are written into the bodies that are solved"
            )
        if worth is not None and any(one.at_most is None for one in upgrades):
            notes.append(
                "the job takes too many routes by default to write them down: where a link of a circle is"
                " faster, files may take others, so nothing is proved of it without solving"
            )
        return self._study(upgrades, notes, worth, why)

    def _upgrade(self, parts: Parts, choice: Choice, default_paths: DefaultPaths) -> Upgrade:
        factor = self.request.factor
        changed: list[Changed] = []
        patch: list[Change] = []
        for place in parts.places(choice.part):
            by = scaled(place, factor)
            before = value_at(parts.document, place)
            changed.append(
                Changed(
                    pointer=format_pointer(place.pointer)[1:],
                    before=before,
                    after=str(Fraction(before) * by),
                )
            )
            patch.append(Change(scale=target_of(*place.pointer), value=str(by)))
        at_most = choice.at_most
        kept: tuple[Route, ...] = ()
        try:
            kept = default_paths.changed_by(choice.part.links, factor)
        except LimitError:
            at_most = None
        if kept:
            routes = [*parts.platform.routes, *kept]
            listed = [route.model_dump(mode="json") for route in routes]
            patch.append(Change(at="/problem/platform/routes", value=listed))
        return Upgrade(
            resource=choice.resource,
            names=choice.names,
            change=tuple(changed),
            patch=tuple(patch),
            at_most=at_most,
            occupation=self._said(choice.occupation),
        )

    def removals(self) -> Study:
        parts = self._parts()
        notes: list[str] = []
        self._refuse_silence("nothing bounds what is lost")
        found = self._shortened(self._losses(parts), notes)
        upgrades: list[Upgrade] = []
        left = self.request.solve
        for resource, names, gone, occupation in found:
            if left > 0:
                patch, refused = remains(self.body, parts.platform, gone, self.limits)
            else:
                # What is not going to be solved is not read either: that takes as long as all else.
                patch, refused = removal_changes(self.body, parts.platform, gone), None
            left -= refused is None
            needed = refused is not None and nothing_is_done(refused)
            upgrades.append(
                Upgrade(
                    resource=resource,
                    names=names,
                    change=tuple(self._lost(parts, gone)),
                    patch=patch,
                    occupation=self._said(occupation),
                    sure=Outcome.INFEASIBLE if needed else None,
                    note=None if refused is None else _explain_refusal(refused, needed),
                )
            )
        return self._study(upgrades, notes, None, "nothing bounds what is lost")

    def _losses(self, parts: Parts) -> list[tuple[str, tuple[str, ...], Gone, Fraction]]:
        """List what can fail, the busiest first; of twins one, or all of them."""
        wanted, busy, twins = self._named(parts), self._busy(), self._twins(parts)
        together = self.request.twins == "all"
        alike: dict[Any, list[Resource]] = {}
        for one in parts.resources:
            alike.setdefault(twins.key(one), []).append(one)
        found: dict[Gone, tuple[str, tuple[str, ...], Gone, Fraction]] = {}
        for group in alike.values():
            names = [one.name for one in group if wanted is None or one.name in wanted]
            pieces = {one.name: fails_with(parts, one) for one in group}
            if not names or pieces[names[0]] == Gone():
                continue
            gone, key = pieces[names[0]], pieces[group[0].name]
            if together:
                for piece in pieces.values():
                    gone |= piece
                key = gone
            share = max(busy.get(name, Fraction(0)) for name in pieces)
            listed = tuple(dict.fromkeys((names[0], *pieces)))
            if key not in found or found[key][3] < share:
                found[key] = names[0], listed, gone, share
        return sorted(found.values(), key=lambda one: -one[3])

    def _lost(self, parts: Parts, gone: Gone) -> list[Changed]:
        changed = []
        for pointer in lost(parts.platform, gone):
            member: Any = self.body
            for step in pointer:
                member = member[step]
            changed.append(Changed(pointer=format_pointer(pointer)[1:], before=member, after=None))
        return changed

    def _parts(self) -> Parts:
        platform = self.report.platform
        if platform is None:
            raise AssertionError("a study of no platform")
        return Parts(self.body, platform, self.report.ports, tuple(self.report.prices))

    def _twins(self, parts: Parts) -> Twins:
        free = getattr(self.submission.instance, "routing", "fixed") == "free"
        return Twins(parts, free_routes=free)

    @cached_property
    def _occupation(self) -> Mapping[str, Fraction] | None:
        return occupation_of(self.report)

    def _busy(self) -> Mapping[str, Fraction]:
        return self._occupation or {}

    def _said(self, share: Fraction) -> Fraction | None:
        """Give a share of the time, or None where there is no schedule to tell it."""
        return None if self._occupation is None else share

    def _named(self, parts: Parts) -> Sequence[str] | None:
        """Check the names that were given."""
        wanted = self.request.resources
        if wanted is None:
            return None
        names = {one.name: one for one in parts.resources}
        known = Known(names)
        faults: list[Fault] = []
        for i, name in enumerate(wanted):
            at: Pointer = ("resources", i)
            if name not in names:
                detail = (
                    f"{name!r} is no resource of this platform under {parts.ports or 'its ports'}"
                    f"{known.hint(name)}"
                )
                faults.append(Fault(at, "unknown_resource", detail))
            elif self._is_nothing(parts, names[name]):
                detail = f"nothing in the instance says how fast {name!r} is"
                if not self.request.factor:
                    detail = f"{name!r} is no processor, link or medium that could fail"
                faults.append(Fault(at, "no_change", detail))
        if faults:
            raise InstanceError(faults=faults)
        return wanted

    def _is_nothing(self, parts: Parts, resource: Resource) -> bool:
        if not self.request.factor:
            return fails_with(parts, resource) == Gone()
        return not any(parts.places(parts.part_of(resource)))

    def _refuse_silence(self, why: str) -> None:
        if not self.request.solve:
            raise _fault(
                ("solve",),
                "no_prices",
                f"without solving nothing can be said: {why}. Ask to solve some",
            )

    def _shortened(self, found: list[Any], notes: list[str]) -> list[Any]:
        """Keep the busiest, unless all were named."""
        most = MOST_UNPRICED
        if self.request.resources is not None or len(found) <= most:
            return found
        notes.append(f"of {len(found):,} resources without prices the {most} busiest are listed")
        return found[:most]

    def _study(
        self,
        upgrades: Sequence[Upgrade],
        notes: Sequence[str],
        worth: Worth | None,
        why: str,
    ) -> Study:
        objective = self.report.result.objective
        if objective is None:
            raise AssertionError("a study of no value")
        return Study(
            factor=self.request.factor,
            twins=self.request.twins,
            objective=objective.name,
            minimised=objective.minimised,
            value=objective.value,
            optimum=None if worth is None else worth.optimum,
            unpriced=why or None,
            solve=self.request.solve,
            notes=tuple(notes),
            upgrades=tuple(upgrades),
            template=self.body,
        )


def _explain_refusal(refused: InstanceError, needed: bool) -> str:
    fault = refused.faults[0]
    if needed:
        return "nothing is done without it"
    return f"what remains cannot be asked: {format_pointer(fault.pointer)}: {fault.detail}"
