"""The LP format, as CPLEX, Gurobi, SCIP, GLPK and HiGHS read it.

Source: IBM ILOG CPLEX, File formats reference manual, "LP file format: algebraic representation".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from steadygrid.domain.stated_program import StatedColumn
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.programs.numbers import written_rows
from steadygrid.formats.programs.writing import NamedProgram, write_program

WIDTH = 100
"""Characters of a line, unless one term has more; readers take 560."""


def write_lp(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write a program.

    Parameters
    ----------
    answer
        With its program.
    parameters
        May have ``numbers``.
    """
    return write_program(answer, parameters, "\\", _lines)


def _lines(named: NamedProgram) -> Iterator[str]:
    program, numbers, columns, rows = named
    yield "Maximize" if program.maximise else "Minimize"
    costs = [(column, str(number)) for column, number in program.costs] or [(0, "0")]
    yield from _wrapped_lines(" objective:", _terms(costs, columns))
    yield "Subject To"
    used = {column for column, _ in costs}
    for name, (row, terms, side) in zip(rows, written_rows(program, numbers), strict=True):
        used.update(column for column, _ in terms)
        yield from _wrapped_lines(f" {name}:", (*_terms(terms, columns), f"{row.relation} {side}"))
    yield "Bounds"
    for number, (name, column) in enumerate(zip(columns, program.columns, strict=True)):
        if column[1:] != (0, None) or number not in used:
            yield f" {_bounds(name, column)}"
    yield "End"


def _terms(terms: Iterable[tuple[int, str]], columns: Sequence[str]) -> Iterator[str]:
    for column, number in terms:
        sign, size = ("-", number[1:]) if number.startswith("-") else ("+", number)
        yield f"{sign} {columns[column]}" if size == "1" else f"{sign} {size} {columns[column]}"


def _bounds(name: str, column: StatedColumn) -> str:
    lower, upper = column.lower, column.upper
    if lower is None and upper is None:
        return f"{name} free"
    if lower is None:
        return f"-inf <= {name} <= {upper}"
    return f"{name} >= {lower}" if upper is None else f"{lower} <= {name} <= {upper}"


def _wrapped_lines(opening: str, words: Iterable[str]) -> Iterator[str]:
    line = opening
    for word in words:
        if len(line) + len(word) >= WIDTH:
            yield line
            line = "  "
        line += f" {word}"
    yield line
