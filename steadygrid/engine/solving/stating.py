"""From the exact form that is solved back to the program that was meant, in whole numbers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from steadygrid.domain.stated_program import (
    Name,
    Relation,
    StatedColumn,
    StatedProgram,
    StatedRow,
)
from steadygrid.engine.solving.program import Bound
from steadygrid.engine.solving.reading import ReadModel

Namer = Callable[[str, Any], tuple[str, ...]]
"""Gives what the index of a component stands for: ids, or numbers."""
Terms = Sequence[tuple[int, Fraction]]


def state(
    reading: ReadModel, title: str, namer: Namer, optimum: Fraction, notes: Iterable[str] = ()
) -> StatedProgram:
    r"""State a program with its own variables, each row in whole numbers.

    With the factors of `LinearProgram`, the coefficient that was meant is
    :math:`\bar a_{ij} = a_{ij} / (\rho_i \kappa_j)`. Each row is multiplied by the least common
    multiple of the denominators of its coefficients and its right-hand side, and divided by what they
    have in common. A row with two different bounds becomes two, a bound of a variable that is
    a fraction becomes a row. Linear in the length of the program.

    Parameters
    ----------
    reading
        The program that was solved.
    title
        What it is the program of.
    namer
        Takes the name of a component and an index of it. What it names alike is numbered.
    optimum
        The exact optimal value.
    notes
        What a reader has to know.

    Raises
    ------
    ValueError
        A row without variables cannot hold, or the objective has a constant.
    """
    if reading.offset:
        raise ValueError("the objective has a constant, which no file says")
    program = reading.program
    factors = [Fraction(factor) for factor in program.column_factors]
    names = _numbered(_names(reading.variables, namer))
    columns: list[StatedColumn] = []
    rows: list[StatedRow] = []
    for column, name in enumerate(names):
        bounds = [
            None if bound is None else bound * factors[column]
            for bound in (program.column_lower[column], program.column_upper[column])
        ]
        whole = [int(b) if b is not None and b.denominator == 1 else None for b in bounds]
        columns.append(StatedColumn(name, *whole))
        broken = (None if b is None or b.denominator == 1 else b for b in bounds)
        of_bound = Name("bound", (name.word, *name.parts))
        rows += _stated_rows(of_bound, [(column, Fraction(1))], *broken)
    for row, name in enumerate(_numbered(_names(reading.constraints, namer))):
        factor = Fraction(program.row_factors[row])
        terms = []
        for place in range(program.starts[row], program.starts[row + 1]):
            column = program.indices[place]
            terms.append((column, program.values[place] / (factor * factors[column])))
        lower, upper = (
            None if bound is None else bound / factor
            for bound in (program.row_lower[row], program.row_upper[row])
        )
        rows += _stated_rows(name, sorted(terms), lower, upper)
    costs, cost_factor = _whole_costs(program.costs, factors, Fraction(program.cost_factor))
    return StatedProgram(
        title, columns, rows, costs, cost_factor, program.cost_factor > 0, optimum, tuple(notes)
    )


def _names(components: Iterable[Any], namer: Namer) -> list[Name]:
    found = []
    for one in components:
        word, index = one.parent_component().local_name, one.index()
        found.append(Name(word, () if index is None else namer(word, index)))
    return found


def _numbered(names: Sequence[Name]) -> list[Name]:
    """Add a number to each of those that are alike."""
    counts = Counter(names)
    taken = set(names)
    seen: Counter[Name] = Counter()
    found = []
    for name in names:
        given = name
        while counts[name] > 1 and given in taken:
            seen[name] += 1
            given = name._replace(parts=(*name.parts, str(seen[name])))
        taken.add(given)
        found.append(given)
    return found


def _stated_rows(name: Name, terms: Terms, lower: Bound, upper: Bound) -> Iterator[StatedRow]:
    if not terms:
        if (lower or 0) > 0 or (upper or 0) < 0:
            raise ValueError(f"{name} has no variable and cannot hold")
    elif lower == upper and lower is not None:
        yield _whole_row(name, terms, "=", lower)
    else:
        if upper is not None:
            yield _whole_row(name, terms, "<=", upper)
        if lower is not None:
            word = name.word if upper is None else f"{name.word}_least"
            yield _whole_row(name._replace(word=word), terms, ">=", lower)


def _whole_row(name: Name, terms: Terms, relation: Relation, side: Fraction) -> StatedRow:
    numbers = [*(number for _, number in terms), side]
    multiple = lcm(*(number.denominator for number in numbers))
    divisor = gcd(*(int(number * multiple) for number in numbers))
    factor = Fraction(multiple, divisor)
    whole = [(column, int(number * factor)) for column, number in terms]
    return StatedRow(name, whole, relation, int(side * factor))


def _whole_costs(
    costs: Sequence[int], factors: Sequence[Fraction], cost_factor: Fraction
) -> tuple[list[tuple[int, int]], int]:
    """Give the objective in whole numbers, and what it is multiplied by."""
    meant = [
        (column, cost / (cost_factor * factors[column]))
        for column, cost in enumerate(costs)
        if cost
    ]
    factor = lcm(*(number.denominator for _, number in meant))
    return [(column, int(number * factor)) for column, number in meant], factor
