"""Every member of every kind's result is judged, or listed as not judged: there is no third sort.

An answer is judged with one member after the other changed to what is not true.
"""

import copy
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel, ValidationError

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.judging import not_judged, not_judged_members
from steadygrid.kinds import PROBLEMS
from tests.kinds.answers_of_kinds import Solved, answers_of

Steps = tuple[str | int, ...]
KINDS = sorted(PROBLEMS)
FAR = 1_000_003
NEVER_GIVEN = {
    ("dataflow", "/certificate/circuit"),
    ("dataflow", "/certificate/prices"),
    ("dataflow", "/certificate/state"),
    ("layer_pipeline", "/certificate/prices"),
    ("simulation", "/certificate/prices"),
    ("simulation", "/gap"),
}
"""What the types allow and no method of the kind ever says; saying it is refused."""
CLAIMS_LESS = {("/missing/cheapest", True, False)}
"""What is true as well, and says less."""
PROOFS = {
    "/cases",
    "/certificate",
    "/classes",
    "/messages",
    "/weights",
}
"""What proves something: another proof of the same is no worse."""
ALSO_TRUE = {
    "/service/*/lag": "an operation that waits for nothing in its turn may have another lag",
    "/critical_circuit/*/token": "a firing may take several tokens that one firing has made",
    "/critical_cycle/*/data_set": "a cycle of one resource may begin with any data set",
    "/guarantee": "a theorem may guarantee something that was not said",
    "/guarantee/bound": "what is guaranteed may be said to be worse",
    "/proved_bound": "what is proved of all orders may be said to be worse",
    "/execution/predicted": "fewer sizes say less",
    "/execution/programs/*/order": "the same trees may take as long in another order",
    "/plan/order": "the same trees may take as long in another order",
    "/loads/*/installments": "empty installments count, and there may be more of them",
}
"""Values that may be others and are true all the same, and why."""


class Member:
    """A place in a result, with the type that is declared there."""

    def __init__(self, steps: Steps, path: str, declared: Any, value: Any) -> None:
        self.steps, self.path, self.declared, self.value = steps, path, declared, value


def members(declared: Any, value: Any, steps: Steps = (), path: str = "") -> Iterator[Member]:
    """Walk a result with its types: every object, list, number and name in it."""
    if steps:
        yield Member(steps, path, declared, value)
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            yield from members(
                field.annotation, getattr(value, name), (*steps, name), f"{path}/{name}"
            )
    elif isinstance(value, dict):
        within = _inner(declared, dict)
        for name, member in value.items():
            yield from members(within[-1], member, (*steps, name), f"{path}/*")
    elif isinstance(value, list):
        within = _inner(declared, list)
        for position, member in enumerate(value):
            yield from members(within[0], member, (*steps, position), f"{path}/*")


def alternatives(declared: Any) -> tuple[Any, ...]:
    """Give the types that a member may have."""
    if get_origin(declared) is Annotated:
        return alternatives(get_args(declared)[0])
    if get_origin(declared) in (Union, UnionType):
        return tuple(one for part in get_args(declared) for one in alternatives(part))
    return (declared,)


def _inner(declared: Any, container: type) -> tuple[Any, ...]:
    return next(get_args(one) for one in alternatives(declared) if get_origin(one) is container)


def declared_paths(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """List all paths that the types of a result allow, but for those below what is not judged."""
    unjudged = not_judged_members(model) if not path else ()
    for name, field in model.model_fields.items():
        for one in _paths(field.annotation, f"{path}/{name}"):
            if not any(one == place or one.startswith(f"{place}/") for place in unjudged):
                yield one


def _paths(declared: Any, path: str) -> Iterator[str]:
    yield path
    for one in alternatives(declared):
        if isinstance(one, type) and issubclass(one, BaseModel):
            yield from declared_paths(one, path)
        elif get_origin(one) is list:
            yield from _paths(get_args(one)[0], f"{path}/*")
        elif get_origin(one) is dict:
            yield from _paths(get_args(one)[1], f"{path}/*")


def untrue(member: Member, value: Any) -> Iterator[Any]:
    """Give other values of the same type, of which none can be true where the value is."""
    match value:
        case bool():
            if (member.path, value, not value) not in CLAIMS_LESS:
                yield not value
        case int():
            yield value + 1
            yield value + FAR
        case float():
            yield value + FAR
        case str() if _number(value) is not None:
            number = Fraction(value)
            yield str(number + FAR)
            if member.path in ALSO_TRUE:
                yield str(number / 2)
            if not _is_whole(member):
                yield str(number + Fraction(1, FAR))
        case str():
            yield f"{value}'"
            for other in _names(member):
                if other != value and (member.path, value, other) not in CLAIMS_LESS:
                    yield other
        case list() if value:
            yield value[:-1]
            yield [*value, value[-1]]
        case dict() if value and not isinstance(member.value, BaseModel):
            last = list(value)[-1]
            yield {name: one for name, one in value.items() if name != last}
            yield value | {f"{last}'": value[last]}


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except ValueError:
        return None


def _is_whole(member: Member) -> bool:
    return isinstance(member.value, int)


def _names(member: Member) -> Iterator[str]:
    """Give the names that a member may have, where they are declared."""
    for one in alternatives(member.declared):
        if get_origin(one) is Literal:
            yield from get_args(one)
        elif isinstance(one, type) and issubclass(one, Outcome):
            yield from one
    if member.path == "/method":
        yield from METHODS


METHODS = sorted({method for problem in PROBLEMS.values() for method in problem.methods})


def invented(declared: Any) -> Any:
    """Make up a value of a type, for a member that is null."""
    for one in alternatives(declared):
        if one is NoneType:
            continue
        if get_origin(one) is Literal:
            return get_args(one)[0]
        if get_origin(one) is list:
            return [invented(get_args(one)[0])]
        if get_origin(one) is dict:
            return {"x": invented(get_args(one)[1])}
        if get_origin(one) is tuple:
            return [invented(part) for part in get_args(one)]
        if isinstance(one, type) and issubclass(one, BaseModel):
            return {name: invented(field.annotation) for name, field in one.model_fields.items()}
        if one is float:
            return 0.5
        if one is bool:
            return True
        return "x" if one is str else 7 if one is int else "7"
    raise AssertionError(declared)


def accepted(solved: Solved, document: Any) -> bool:
    """Whether the referee takes a changed result, or it cannot even be read."""
    try:
        result = type(solved.result).model_validate(document)
    except ValidationError:
        return False
    if result == solved.result:
        return False
    try:
        solved.judge(result)
    except InvalidScheduleError:
        return False
    return True


def changes(solved: Solved) -> Iterator[tuple[Member, Any]]:
    """Give the answer with one member after the other untrue: the first ones of each sort."""
    document = solved.result.model_dump(mode="json")
    seen: defaultdict[str, int] = defaultdict(int)
    for member in members(type(solved.result), solved.result):
        seen[member.path] += 1
        if seen[member.path] > 2:
            continue
        value: Any = document
        for step in member.steps:
            value = value[step]
        others = [invented(member.declared)] if value is None else untrue(member, value)
        for other in others:
            changed = copy.deepcopy(document)
            part: Any = changed
            for step in member.steps[:-1]:
                part = part[step]
            part[member.steps[-1]] = other
            yield member, changed


def covers(places: tuple[str, ...], path: str) -> bool:
    """Whether a path is, or lies below, one of some places."""
    return any(path == place or path.startswith(f"{place}/") for place in places)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_have_every_member_that_is_judged(kind: str) -> None:
    """Else nothing would be known of it."""
    said = {
        member.path
        for solved in answers_of(kind).values()
        for member in members(type(solved.result), solved.result)
        if member.value not in (None, [], {})
    }
    told = {
        path for path in declared_paths(PROBLEMS[kind].result) if (kind, path) not in NEVER_GIVEN
    }
    assert {path for path in told - said if not _is_below_nothing(path, kind)} == set()


def _is_below_nothing(path: str, kind: str) -> bool:
    return any(path.startswith(f"{place}/") for of, place in NEVER_GIVEN if of == kind)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_true_is_refused_or_listed_as_not_judged(kind: str) -> None:
    third: set[tuple[str, str]] = set()
    refused: set[str] = set()
    for name, solved in answers_of(kind).items():
        listed = not_judged(solved.submission.instance, solved.result)
        for member, changed in changes(solved):
            if covers(listed, member.path):
                continue
            if not accepted(solved, changed):
                refused.add(member.path)
                continue
            result = type(solved.result).model_validate(changed)
            if claims_no_end_of_search(result):
                continue
            # What was null said nothing: then it is listed as soon as it says something.
            if not covers(not_judged(solved.submission.instance, result), member.path):
                third.add((name, member.path))
    assert {one for one in third if not may_differ(one[1])} == set()
    assert {path for _, path in third if not any(covers((path,), one) for one in refused)} == set()


def claims_no_end_of_search(result: Result) -> bool:
    """Whether a bound is a search's word, and the search is not said to have ended."""
    return (
        result.outcome is Outcome.FEASIBLE and result.bound is not None and not result.bound.exact
    )


def may_differ(path: str) -> bool:
    """Whether other values may be true, too."""
    return path in ALSO_TRUE or covers(tuple(PROOFS), path)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_listed_as_not_judged_is_taken_as_it_is_told(kind: str) -> None:
    """So that nothing is listed that the referee does judge."""
    taken: set[str] = set()
    listed: set[str] = set()
    for solved in answers_of(kind).values():
        here = not_judged(solved.submission.instance, solved.result)
        listed.update(here)
        for member, changed in (*changes(solved), *hanging_together(solved)):
            for place in {*here} - taken:
                if covers((place,), member.path) and accepted(solved, changed):
                    taken.add(place)
    assert listed - taken == set()
    assert listed <= {*not_judged_members(PROBLEMS[kind].result)}


def hanging_together(solved: Solved) -> Iterator[tuple[Member, Any]]:
    """Change the bound, or the value, with all that follows from it."""
    result = solved.result
    document = result.model_dump(mode="json")
    if result.bound is None:
        return
    value = Fraction(0) if result.objective is None else result.objective.value
    changed, bound = copy.deepcopy(document), result.bound.value * 2
    changed["bound"] |= {"value": str(bound), "approx": bound.numerator / bound.denominator}
    prices = result.certificate.prices.items()
    changed["certificate"]["prices"] = {name: str(2 * price) for name, price in prices}
    for row in changed.get("comparison") or ():
        if row.get("ratio_to_bound"):
            row["ratio_to_bound"] = str(Fraction(row["ratio_to_bound"]) / 2)
    if result.gap is not None:
        changed |= {"gap": str((bound - value) / bound), "outcome": "feasible"}
    yield Member(("bound",), "/bound", None, None), changed
    if getattr(result, "simulation", None) and isinstance(document["simulation"], dict):
        changed = copy.deepcopy(document)
        half = value / 2
        changed["objective"] |= {"value": str(half), "approx": half.numerator / half.denominator}
        changed["gap"] = str(abs(result.bound.value - half) / result.bound.value)
        changed["simulation"]["makespan"] = str(result.simulation.makespan * 2)
        yield Member(("objective",), "/objective", None, None), changed
