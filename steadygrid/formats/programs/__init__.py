"""Linear programs for other solvers: LP and MPS files.

All numbers are whole: each row is multiplied by what its fractions need. What a solver of floats finds
is the optimum up to its tolerances. A rational one finds it exactly.
"""

from steadygrid.formats.exporter import Exporter, Parameter
from steadygrid.formats.importer import later

_NUMBERS = {
    "numbers": Parameter(
        "exact (default), or rounded: rows with whole numbers above 10^15 have decimals of 17 digits"
    )
}

LP = Exporter(
    name="lp",
    kind=None,
    content_type="text/x-lp",
    title="the linear program in LP format",
    convert=later("steadygrid.formats.programs.lp:write_lp"),
    parameters=_NUMBERS,
    of_program=True,
)
MPS = Exporter(
    name="mps",
    kind=None,
    content_type="text/x-mps",
    title="the linear program in free MPS",
    convert=later("steadygrid.formats.programs.mps:write_mps"),
    parameters=_NUMBERS,
    of_program=True,
)
