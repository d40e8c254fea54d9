"""What LP and MPS files share: names, a heading as comments, and the text of all lines."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from steadygrid.domain.stated_program import StatedProgram
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.programs.names import short_names
from steadygrid.formats.programs.numbers import Numbers, heading, read_request


class NamedProgram(NamedTuple):
    """A program, and what its columns and rows are called in a file."""

    program: StatedProgram
    numbers: Numbers
    columns: Sequence[str]
    rows: Sequence[str]


def write_program(
    answer: Answer,
    parameters: Mapping[str, Sequence[str]],
    comment: str,
    lines: Callable[[NamedProgram], Iterator[str]],
) -> Exported:
    """Write a program: the heading, the long names, then the lines of the format.

    Parameters
    ----------
    answer
        With its program.
    parameters
        May have ``numbers``.
    comment
        What a line that is a comment begins with.
    lines
        Gives the lines of the format.
    """
    program, numbers = read_request(answer, parameters)
    columns, long_columns = short_names([column.name for column in program.columns])
    rows, long_rows = short_names([row.name for row in program.rows])
    title, *notes = heading(program, numbers)
    long_names = (f"{short} is {name}" for short, name in (long_columns | long_rows).items())
    said = (f"{comment} {sentence}" for sentence in (title, *notes, *long_names))
    text = "\n".join((*said, *lines(NamedProgram(program, numbers, columns, rows))))
    return Exported(f"{text}\n", tuple(notes))
