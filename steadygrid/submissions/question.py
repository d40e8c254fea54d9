"""A problem to be solved that knows what kind of answer it has."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, TypeVar

from steadygrid.domain.job import Result
from steadygrid.domain.showing import shown_line

R_co = TypeVar("R_co", bound=Result, covariant=True)
Quantity = int | float | str | Fraction | Decimal
"""A number; floats are read as they are written."""
_SHORT = 40


class Question(Mapping[str, Any], Generic[R_co]):
    """The problem of a body, as `master_worker` and the others make it. It cannot be changed.

    Parameters
    ----------
    kind
        Of the problem.
    members
        Of the problem. What is None is left out.
    """

    __slots__ = ("_members",)

    def __init__(self, kind: str, members: Mapping[str, Any]) -> None:
        given = {name: value for name, value in members.items() if value is not None}
        self._members = {"kind": kind, **given}

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def replace(self, **members: Any) -> "Question[R_co]":
        """Give the question with other members.

        Parameters
        ----------
        **members
            As in the body. What is None is left out.
        """
        return Question(self["kind"], {**self._members, **members})

    def __repr__(self) -> str:
        told = (f"{name}={_shown(value)}" for name, value in self.items() if name != "kind")
        return shown_line("Question", repr(self["kind"]), *told)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."
