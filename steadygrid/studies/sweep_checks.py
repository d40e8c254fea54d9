"""The places and the values of a sweep, checked against its template."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic_core import PydanticCustomError

from steadygrid.domain.document import canonical_json
from steadygrid.domain.errors import (
    Fault,
    InstanceError,
    LimitError,
    Pointer,
    SchedulingError,
    format_pointer,
)
from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import NOT_A_QUANTITY, apply_patch
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rational import parse_rational
from steadygrid.domain.text import Frozen
from steadygrid.studies.sweep_plan import Plan
from steadygrid.studies.sweep_request import SweepRequest
from steadygrid.submissions.common_parts import Reader
from steadygrid.submissions.submission import (
    MAX_FAULTS,
    Submission,
    parse_submission,
    size_submission,
)

MOST_PLACES = 500_000
"""Places that all targets together may stand for."""
MOST_CHECKED_BYTES = 16 * 2**20
"""Bytes of all bodies that are read in full while a sweep is checked, after the first: about four
seconds. Where the bodies of all values are longer, the least and the greatest value of each
parameter are checked, as many as fit."""
_BYTES_OF_A_CHECK = 512
"""What reading the smallest body takes, in bytes of a long one."""
_NOT_STORED = ("unknown_platform", "unknown_application")
_VARIED = ("problem", "options", "name")


@dataclass(frozen=True)
class SizedJob:
    """What one of the jobs will cost."""

    index: int
    sizing: Sizing

    def document(self) -> dict[str, Any]:
        """Give it JSON-ready."""
        return {
            "index": self.index,
            "method": self.sizing.method,
            "sizes": self.sizing.sizes_document(),
        }


@dataclass(frozen=True)
class SweepSizing:
    """How many jobs there are, and what those that were looked at will cost.

    Attributes
    ----------
    checked
        How many of them were read in full.
    least, greatest
        Of these, by coefficients, then by all sizes together.
    """

    kind: str
    jobs: int
    checked: int
    first: SizedJob
    least: SizedJob
    greatest: SizedJob
    warnings: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Give it JSON-ready."""
        return {
            "kind": self.kind,
            "jobs": self.jobs,
            "checked": self.checked,
            "method": self.first.sizing.method,
            "sizes": {
                "first": self.first.document(),
                "least": self.least.document(),
                "greatest": self.greatest.document(),
            },
            "warnings": list(self.warnings),
        }


class Checker:
    """Checks a request against its template."""

    def __init__(self, request: SweepRequest, limits: Limits, template: Any) -> None:
        self._request = request
        self._limits = limits
        self._above: dict[Pointer, tuple[int, int]] = {}
        self._reader = Reader()
        submission = self._complete(template)
        if submission.transient:
            detail = "jobs of sweeps are kept: leave it out"
            raise InstanceError(faults=[Fault(("template", "transient"), "not_transient", detail)])
        self.plan = Plan(submission.document(), request.parameters, request.mode)
        self._owners = self._found(self.plan.template)
        self._refuse_what_is_no_quantity(submission)

    def _complete(self, template: Any) -> Submission:
        """Read the template; with the first values where it is nothing without them."""
        try:
            return parse_submission(template, self._limits)
        except LimitError as error:
            raise _below(error, ("template",)) from None
        except InstanceError as error:
            alone = _below(error, ("template",))
        self._owners = {}
        body = template
        for i, parameter in enumerate(self._request.parameters):
            for k, target in enumerate(parameter.targets if parameter.at else ()):
                try:
                    places = parameter.places(body, target)
                except InstanceError:
                    raise alone from None
                self._owners |= dict.fromkeys(places, (i, k))
            if parameter.at:
                body = apply_patch(body, parameter.changes(0))
        try:
            return parse_submission(body, self._limits)
        except (InstanceError, LimitError) as error:
            choice = (0,) * len(self._request.parameters)
            raise type(error)(faults=self._blamed(error, 0, choice)) from None

    def _found(self, template: Any) -> dict[Pointer, tuple[int, int]]:
        """Find the places of all targets, and who changes them."""
        owners: dict[Pointer, tuple[int, int]] = {}
        above = self._above
        faults: list[Fault] = []
        for i, parameter in enumerate(self._request.parameters):
            for k, target in enumerate(parameter.targets):
                pointer = ("parameters", i, parameter.target_member, k)
                try:
                    found = parameter.places(template, target)
                except InstanceError as error:
                    faults += (fault.moved(pointer) for fault in error.faults)
                    continue
                if len(owners) + len(found) > MOST_PLACES:
                    detail = f"the targets lead to more than {MOST_PLACES:,} places"
                    raise LimitError(faults=[Fault(pointer, "limit_exceeded", detail)])
                fault = _first_conflict(pointer, found, owners, above)
                if fault is not None:
                    faults.append(fault)
                    continue
                for place in found:
                    owners[place] = (i, k)
                    for depth in range(len(place)):
                        above.setdefault(place[:depth], (i, k))
        if faults:
            raise InstanceError(faults=faults[:MAX_FAULTS])
        return owners

    def _refuse_what_is_no_quantity(self, submission: Submission) -> None:
        faults: dict[Pointer, Fault] = {}
        for place, (i, k) in self._owners.items():
            parameter = self._request.parameters[i]
            if parameter.target_member == "scale" and not isinstance(
                _read(submission, place), Fraction
            ):
                pointer = ("parameters", i, "scale", k)
                detail = (
                    f"{format_pointer(place)} is no quantity that can be multiplied: give its values"
                    " with 'at'"
                )
                faults.setdefault(pointer, Fault(pointer, NOT_A_QUANTITY, detail))
        if faults:
            raise InstanceError(faults=faults.values())

    def sizing(self) -> SweepSizing:
        """Read and size the first job, and those in which one value is another."""
        plan = self.plan
        submission, first = self._job(0)
        meanings = self._meanings(submission)
        self._refuse_equal(meanings)
        checked, warnings = self._chosen(meanings)
        least = greatest = first
        faults: dict[tuple[Pointer, str], Fault] = {}
        refusal: type[InstanceError | LimitError] = InstanceError
        for index in checked:
            try:
                _, job = self._job(index)
            except (InstanceError, LimitError) as error:
                refusal = refusal if faults else type(error)
                for fault in error.faults:
                    faults.setdefault(fault[:2], fault)
                if len(faults) >= MAX_FAULTS:
                    break
                continue
            least, greatest = min(least, job, key=_size), max(greatest, job, key=_size)
        if faults:
            raise refusal(faults=list(faults.values())[:MAX_FAULTS])
        told = dict.fromkeys((*warnings, *first.sizing.warnings))
        return SweepSizing(
            plan.template["problem"]["kind"],
            plan.jobs,
            1 + len(checked),
            first,
            least,
            greatest,
            tuple(told),
        )

    def _job(self, index: int) -> tuple[Submission, SizedJob]:
        try:
            body = apply_patch(self.plan.template, self.plan.patch(index))
            submission = self._reader.read(body, self._limits)
            return submission, SizedJob(index, size_submission(submission, self._limits))
        except (InstanceError, LimitError) as error:
            faults = self._blamed(error, index, self.plan.choice(index))
            raise type(error)(faults=faults) from None

    def _blamed(self, error: SchedulingError, index: int, choice: tuple[int, ...]) -> list[Fault]:
        """Let the faults of a job's body walk the sweep's."""
        blamed: dict[tuple[Pointer, str], Fault] = {}
        for fault in error.faults:
            broken = isinstance(error, InstanceError)
            told = self._blame(fault, index, choice, self._above if broken else {})
            blamed.setdefault(told[:2], told)
        return list(blamed.values())

    def _blame(
        self,
        fault: Fault,
        index: int,
        choice: tuple[int, ...],
        above: Mapping[Pointer, tuple[int, int]],
    ) -> Fault:
        walk = fault.pointer
        for depth in range(len(walk), 0, -1):
            if walk[:depth] in self._owners:
                i, _ = self._owners[walk[:depth]]
                rest = walk[depth:] if self._request.parameters[i].at else ()
                pointer = ("parameters", i, "values", choice[i], *rest)
                return self._not_stored(fault, depth).moved(pointer)
        if walk in above and (index == 0 or self._request.mode == "zip"):
            i, _ = above[walk]
            return fault.moved(("parameters", i, "values", choice[i]))
        if index == 0:
            return fault._replace(pointer=("template", *walk))
        i = next(i for i, number in enumerate(choice) if number)
        return fault.moved(("parameters", i, "values", choice[i]))

    @staticmethod
    def _not_stored(fault: Fault, depth: int) -> Fault:
        if fault.code in _NOT_STORED and depth == len(fault.pointer):
            detail = (
                f"a value cannot be the id of a stored {fault.pointer[1]}: give the object itself"
            )
            return fault._replace(detail=detail, code="not_storable")
        return fault

    def _meanings(self, submission: Submission) -> list[list[Any]]:
        """Give what the values of each parameter mean: equal where they mean the same."""
        quantities = {
            i for place, (i, _) in self._owners.items() if _is_quantity(_read(submission, place))
        }
        return [
            [_meaning(value, quantity=i in quantities) for value in parameter.values]
            for i, parameter in enumerate(self._request.parameters)
        ]

    def _refuse_equal(self, meanings: list[list[Any]]) -> None:
        if self._request.mode == "zip":
            columns: list[tuple[int, list[Any]]] = [(0, list(zip(*meanings, strict=True)))]
        else:
            columns = list(enumerate(meanings))
        faults: list[Fault] = []
        for i, column in columns:
            seen: dict[Any, int] = {}
            for j, meaning in enumerate(column):
                first = seen.setdefault(meaning, j)
                if first != j:
                    what = "combination" if self._request.mode == "zip" else "value"
                    detail = f"the same as {what} {first}. Each combination is solved once"
                    faults.append(Fault(("parameters", i, "values", j), "equal_values", detail))
        if faults:
            raise InstanceError(faults=faults[:MAX_FAULTS])

    def _chosen(self, meanings: list[list[Any]]) -> tuple[list[int], list[str]]:
        """Choose the jobs that are read in full, besides the first; say so if not all values are."""
        values = [value for parameter in self._request.parameters for value in parameter.values]
        longest = max(len(canonical_json(value)) for value in values)
        length = len(canonical_json(self.plan.template)) + longest + _BYTES_OF_A_CHECK
        most = MOST_CHECKED_BYTES // length
        numbers = [range(1, len(column)) for column in meanings]
        if self._request.mode == "zip":
            every = list(numbers[0])
        else:
            every = [
                number * stride
                for column, stride in zip(numbers, self._strides(), strict=True)
                for number in column
            ]
        if len(every) <= most:
            return every, []
        extremes = [
            number * stride
            for column, stride in zip(meanings, self._strides(), strict=True)
            for number in _extremes(column)
        ]
        chosen = list(dict.fromkeys(index for index in extremes if index))[:most]
        warning = (
            f"{1 + len(chosen):,} of {1 + len(every):,} combinations were checked, those of the"
            " first, least and greatest values, since to check all would take too long. A fault in"
            " another value ends the jobs that have it as failed"
        )
        return chosen, [warning]

    def _strides(self) -> list[int]:
        """Give by how much the number of a job rises from one value to the next."""
        strides = [1]
        if self._request.mode == "zip":
            return strides * len(self._request.parameters)
        for parameter in reversed(self._request.parameters[1:]):
            strides.append(strides[-1] * len(parameter.values))
        return strides[::-1]


def _first_conflict(
    pointer: Pointer,
    found: list[Pointer],
    owners: Mapping[Pointer, tuple[int, int]],
    above: Mapping[Pointer, tuple[int, int]],
) -> Fault | None:
    """Say why a target may not be, if it leads where none may lead, or where another does."""
    for place in found:
        if place[0] not in _VARIED or place in (("problem",), ("problem", "kind")):
            detail = (
                f"{format_pointer(place)} is the same for all jobs: parameters change members of"
                " 'problem' other than 'kind', 'options' and 'name'"
            )
            return Fault(pointer, "not_a_target", detail)
        other = above.get(place)
        for depth in range(len(place), 0, -1):
            other = other or owners.get(place[:depth])
        if other is not None:
            detail = f"{format_pointer(place)} is changed by target {other[1]} of parameter {other[0]}, too"
            return Fault(pointer, "overlapping_targets", detail)
    return None


def _below(error: SchedulingError, pointer: Pointer) -> SchedulingError:
    faults = (fault._replace(pointer=(*pointer, *fault.pointer)) for fault in error.faults)
    return type(error)(faults=faults)


def _read(submission: Submission, place: Pointer) -> Any:
    """Give what stands at a place of a body that was read. None where nothing does."""
    part: Any = {
        "problem": submission.instance,
        "options": submission.options,
        "name": submission.name,
    }
    for step in place:
        if isinstance(part, Mapping):
            part = part.get(step)
        elif isinstance(part, tuple | list) and isinstance(step, int):
            part = part[step] if step < len(part) else None
        else:
            part = getattr(part, str(step), None) if isinstance(part, Frozen) else None
    return part


def _is_quantity(value: Any) -> bool:
    return isinstance(value, Fraction)


def _meaning(value: Any, *, quantity: bool) -> Any:
    if isinstance(value, bool) or value is None:
        return repr(value)
    if quantity or isinstance(value, int | float):
        try:
            return parse_rational(value)
        except PydanticCustomError:
            return repr(value)
    return canonical_json(value)


def _extremes(column: list[Any]) -> list[int]:
    """Find the least and the greatest of values; of others, the shortest and the longest text."""
    if all(isinstance(meaning, Fraction) for meaning in column):
        keys = column
    else:
        keys = [len(str(meaning)) for meaning in column]
    numbers = range(len(keys))
    return [min(numbers, key=keys.__getitem__), max(numbers, key=keys.__getitem__)]


def _size(job: SizedJob) -> tuple[int, int]:
    sizes = job.sizing.sizes
    return sizes.get("coefficients", 0), sum(sizes.values())
