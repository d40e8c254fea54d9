"""A linear program as other programs read it: named, and with whole numbers only."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

Relation = Literal["<=", ">=", "="]


class Name(NamedTuple):
    """What a column or a row stands for."""

    word: str
    """Of all that are alike, such as ``computed``."""
    parts: tuple[str, ...] = ()
    """Which of them: ids, or numbers."""


class StatedRow(NamedTuple):
    r"""One row, such as :math:`\sum_j a_j x_j \le b`, in whole numbers without a common divisor."""

    name: Name
    terms: Sequence[tuple[int, int]]
    """Column and coefficient, by column; at least one."""
    relation: Relation
    side: int


class StatedColumn(NamedTuple):
    """One variable."""

    name: Name
    lower: int | None
    upper: int | None
    """Bounds. None if there is none."""


@dataclass(frozen=True)
class StatedProgram:
    """A linear program, and what is proved of it.

    Attributes
    ----------
    title
        What it is the program of, in a few words.
    columns, rows
        No two of either have one name.
    costs
        Column and coefficient of the objective, `factor` times what is meant.
    factor
        Positive: the exact value is that of the objective over it.
    maximise
        The sense.
    optimum
        The exact optimal value.
    notes
        What a reader has to know, one sentence each.
    """

    title: str
    columns: Sequence[StatedColumn]
    rows: Sequence[StatedRow]
    costs: Sequence[tuple[int, int]]
    factor: int
    maximise: bool
    optimum: Fraction
    notes: tuple[str, ...] = ()
