"""Free MPS: fields between blanks, and a section that says the sense.

Source: IBM ILOG CPLEX, File formats reference manual, "MPS file format: industry standard".
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from steadygrid.domain.stated_program import StatedColumn
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.programs.numbers import written_rows
from steadygrid.formats.programs.writing import NamedProgram, write_program

_SORTS = {"<=": "L", ">=": "G", "=": "E"}


def write_mps(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write a program.

    Parameters
    ----------
    answer
        With its program.
    parameters
        May have ``numbers``.
    """
    return write_program(answer, parameters, "*", _lines)


def _lines(named: NamedProgram) -> Iterator[str]:
    program, numbers, columns, rows = named
    yield "NAME steadygrid"
    yield "OBJSENSE"
    yield "    MAX" if program.maximise else "    MIN"
    yield "ROWS"
    yield " N objective"
    yield from (
        f" {_SORTS[row.relation]} {name}" for name, row in zip(rows, program.rows, strict=True)
    )
    entries: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for column, cost in program.costs:
        entries[column].append(("objective", str(cost)))
    sides = []
    for name, (_, terms, side) in zip(rows, written_rows(program, numbers), strict=True):
        for column, number in terms:
            entries[column].append((name, number))
        if side != "0":
            sides.append(f" rhs {name} {side}")
    yield "COLUMNS"
    for index, name in enumerate(columns):
        for row_name, value in entries.get(index) or [("objective", "0")]:
            yield f" {name} {row_name} {value}"
    yield "RHS"
    yield from sides
    yield "BOUNDS"
    for name, bounded in zip(columns, program.columns, strict=True):
        yield from (f" {bound}" for bound in _bounds(name, bounded))
    yield "ENDATA"


def _bounds(name: str, column: StatedColumn) -> Iterator[str]:
    lower, upper = column.lower, column.upper
    if lower is None and upper is None:
        yield f"FR bounds {name}"
        return
    if lower is None:
        yield f"MI bounds {name}"
    elif lower != 0:
        yield f"LO bounds {name} {lower}"
    if upper is not None:
        yield f"UP bounds {name} {upper}"
