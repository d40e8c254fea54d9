"""Linear programs for other solvers: LP and MPS files, exact as far as a file of decimals is.

All numbers are whole: each row is multiplied by what its fractions need. What a solver of floats finds
is the optimum up to its tolerances; a rational one finds it exactly.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from steadygrid.domain.stated_program import StatedProgram
from steadygrid.formats.programs.numbers import Numbers


class ProgramFormat(NamedTuple):
    """A format that programs are written in."""

    name: str
    content_type: str
    title: str
    write: Callable[[StatedProgram, Numbers], Iterator[str]]
    """Gives the lines."""


def _write_lp(program: StatedProgram, numbers: Numbers) -> Iterator[str]:
    from steadygrid.formats.programs.lp import lp_lines

    return lp_lines(program, numbers)


def _write_mps(program: StatedProgram, numbers: Numbers) -> Iterator[str]:
    from steadygrid.formats.programs.mps import mps_lines

    return mps_lines(program, numbers)


PROGRAM_FORMATS: Mapping[str, ProgramFormat] = {
    one.name: one
    for one in (
        ProgramFormat("lp", "text/x-lp", "the linear program in LP format", _write_lp),
        ProgramFormat("mps", "text/x-mps", "the linear program in free MPS", _write_mps),
    )
}
"""One line per format, by its name."""
