"""What a referee takes as it is: said once, where a member of a result is declared.

A member is judged unless it is marked::

    notes: Annotated[list[str], NOT_JUDGED] = Field(default_factory=list)

What a result lists as not judged, and what a kind declares so, are both read from these marks.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import reduce
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

EACH = "*"
"""In a path: every member of a list, or every value of an object."""


@dataclass(frozen=True)
class NotJudged:
    """Marks a member of a result whose value, and all in it, the referee does not judge.

    Attributes
    ----------
    member, values
        It is so only where a member of the result (``bound.exact``), or of what was asked
        (``asked.method``), has one of some values; without a member, in every answer.
    """

    member: str = ""
    values: Collection[Any] = ()

    def applies(self, asked: Any, result: BaseModel) -> bool:
        """Tell whether it is so in an answer.

        Parameters
        ----------
        asked
            What was asked, with its options.
        result
            The answer.
        """
        if not self.member:
            return True
        *outer, last = self.member.split(".")
        start = asked if outer[:1] == ["asked"] else result
        place = reduce(getattr, outer[1:] if start is asked else outer, start)
        return place is not None and getattr(place, last) in self.values


NOT_JUDGED = NotJudged()


def not_judged(asked: Any, result: BaseModel) -> tuple[str, ...]:
    """List what an answer says and the referee does not judge.

    Parameters
    ----------
    asked
        The instance.

    Returns
    -------
    tuple of str
        JSON pointers into the result, in its order, with `EACH` for every member of a list. What
        says nothing (null, empty) is left out.
    """
    return tuple(dict.fromkeys(_said(asked, result, result, "")))


def _said(asked: Any, result: BaseModel, value: Any, at: str) -> Iterator[str]:
    match value:
        case BaseModel():
            for name, declared in type(value).model_fields.items():
                member, here = getattr(value, name), f"{at}/{name}"
                mark = _mark_of(declared)
                if mark is None or not mark.applies(asked, result):
                    yield from _said(asked, result, member, here)
                elif _says_something(member):
                    yield here
        case list() | tuple():
            for member in value:
                yield from _said(asked, result, member, f"{at}/{EACH}")
        case dict():
            for member in value.values():
                yield from _said(asked, result, member, f"{at}/{EACH}")


def _says_something(value: Any) -> bool:
    if isinstance(value, BaseModel):
        return any(_says_something(member) for _, member in value)
    return not (value is None or value in ([], {}))


def not_judged_members(model: type[BaseModel]) -> tuple[str, ...]:
    """List what results of a model may say and the referee does not judge, in some answers or all.

    Returns
    -------
    tuple of str
        JSON pointers as `not_judged` gives them.
    """
    return tuple(dict.fromkeys(_declared(model, "")))


def _declared(annotation: Any, at: str) -> Iterator[str]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, declared in annotation.model_fields.items():
            if _mark_of(declared) is None:
                yield from _declared(declared.annotation, f"{at}/{name}")
            else:
                yield f"{at}/{name}"
    elif origin is Annotated:
        yield from _declared(parts[0], at)
    elif origin in (Union, UnionType):
        for part in parts:
            yield from _declared(part, at)
    elif origin in (list, tuple, dict):
        for part in parts:
            yield from _declared(part, f"{at}/{EACH}")


def _mark_of(declared: FieldInfo) -> NotJudged | None:
    return next((mark for mark in declared.metadata if isinstance(mark, NotJudged)), None)
