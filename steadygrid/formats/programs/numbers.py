"""Numbers of rows, as the reader of a file takes them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, cast, get_args

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.nearest import Known
from steadygrid.domain.stated_program import StatedProgram, StatedRow
from steadygrid.formats.exporter import Answer

Numbers = Literal["exact", "rounded"]
"""Whole numbers however long they are, or decimals in rows that are too long for doubles."""
MOST_READ = 10**15
"""HiGHS refuses coefficients above it, and doubles hold all whole numbers up to nine times as much."""
ROUNDED_TO = 10**6
"""Largest coefficient of a row that is rounded."""


class WrittenRow(NamedTuple):
    """A row with its numbers as texts."""

    row: StatedRow
    terms: list[tuple[int, str]]
    side: str


def is_long(row: StatedRow) -> bool:
    """Whether a number of a row is too large for readers of doubles."""
    return max(abs(row.side), *(abs(number) for _, number in row.terms)) > MOST_READ


def written_rows(program: StatedProgram, numbers: Numbers) -> Iterator[WrittenRow]:
    """Give the rows with their numbers as texts.

    Parameters
    ----------
    program
        What is written.
    numbers
        ``rounded``: rows that are long have decimals of 17 digits.
    """
    for row in program.rows:
        if numbers == "rounded" and is_long(row):
            largest = max(abs(number) for _, number in row.terms)
            factor = Fraction(ROUNDED_TO, largest)
            terms = [(column, _decimal(number * factor)) for column, number in row.terms]
            yield WrittenRow(row, terms, _decimal(row.side * factor))
        else:
            yield WrittenRow(
                row, [(column, str(number)) for column, number in row.terms], str(row.side)
            )


def read_request(
    answer: Answer, parameters: Mapping[str, Sequence[str]]
) -> tuple[StatedProgram, Numbers]:
    """Give the program that is written, and how its numbers are wanted.

    Parameters
    ----------
    answer
        With its program.
    parameters
        May have ``numbers``.

    Raises
    ------
    InstanceError
        ``no_program``, where none is given; ``invalid_parameter``.
    """
    if answer.program is None:
        detail = "the program is built by a solver process: `steadygrid export FILE` starts one"
        raise InstanceError(detail, [Fault((), "no_program", detail)])
    (wanted,) = parameters.get("numbers", ("exact",))
    if wanted not in get_args(Numbers):
        detail = f"one of: {', '.join(get_args(Numbers))}{Known(get_args(Numbers)).hint(wanted)}"
        raise InstanceError(detail, [Fault(("numbers",), "invalid_parameter", detail)])
    return answer.program, cast(Numbers, wanted)


def heading(program: StatedProgram, numbers: Numbers) -> Iterator[str]:
    """Say what stands at the head of a file.

    Parameters
    ----------
    program
        What is written.
    numbers
        As `written_rows` takes it.
    """
    yield f"{program.title}. Written by steadygrid"
    yield f"exact optimum: {program.optimum}"
    if program.factor != 1:
        yield f"the objective is multiplied by {program.factor}: divide its value by that"
    yield from program.notes
    long = sum(map(is_long, program.rows))
    if long and numbers == "rounded":
        yield f"rows rounded to 17 digits: {long}. The program is not exact"
    elif long:
        yield (
            f"rows with whole numbers above 10^15: {long}. They are exact, and a solver of floats"
            " may refuse them: export with numbers=rounded for it"
        )


def _decimal(number: Fraction) -> str:
    return f"{float(number):.17g}"
