"""LP and MPS files, read by HiGHS, and MPS files exactly by a reader that shares nothing with the writer."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import highspy
import pyomo.core as pyo

from steadygrid.engine.exact import CertifiedSolution, solve_certified
from steadygrid.engine.solving.control import Control


class FloatProgram(NamedTuple):
    """What HiGHS read, and its optimum."""

    columns: list[str]
    rows: list[str]
    lower: list[float]
    upper: list[float]
    objective: float


def read_by_highs(text: str, path: Path) -> FloatProgram:
    """Write a file, and have it read and solved; its name says the format."""
    path.write_text(text, encoding="utf-8")
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    program = solver.getLp()
    assert solver.run() == highspy.HighsStatus.kOk
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    names = list(program.col_names_), list(program.row_names_)
    bounds = list(program.col_lower_), list(program.col_upper_)
    return FloatProgram(*names, *bounds, solver.getInfo().objective_function_value)


def solve_exactly(text: str) -> CertifiedSolution:
    """Read free MPS in fractions, and solve it with a proof."""
    section, maximise = "", False
    sorts: dict[str, str] = {}
    terms: dict[str, list[tuple[Fraction, str]]] = defaultdict(list)
    sides: dict[str, Fraction] = {}
    columns: dict[str, None] = {}
    bounds: dict[str, list[Any]] = defaultdict(lambda: [Fraction(0), None])
    for line in text.splitlines():
        fields = line.split()
        if line.startswith("*"):
            continue
        if not line.startswith(" "):
            section = fields[0]
        elif section == "OBJSENSE":
            maximise = fields == ["MAX"]
        elif section == "ROWS":
            sorts[fields[1]] = fields[0]
        elif section == "COLUMNS":
            columns[fields[0]] = None
            terms[fields[1]].append((Fraction(fields[2]), fields[0]))
        elif section == "RHS":
            sides[fields[1]] = Fraction(fields[2])
        elif section == "BOUNDS":
            sort, _, name, *value = fields
            if sort in ("FR", "MI"):
                bounds[name][0] = None
            else:
                bounds[name][sort == "UP"] = Fraction(value[0])
    model = pyo.ConcreteModel()
    model.x = pyo.Var(list(columns))
    for name in columns:
        model.x[name].setlb(bounds[name][0])
        model.x[name].setub(bounds[name][1])

    def row(_: Any, name: str) -> Any:
        total = sum(number * model.x[column] for number, column in terms[name])
        side = sides.get(name, Fraction(0))
        return {"L": total <= side, "G": total >= side, "E": total == side}[sorts[name]]

    model.rows = pyo.Constraint([name for name, sort in sorts.items() if sort != "N"], rule=row)
    cost = sum(number * model.x[column] for number, column in terms["objective"])
    model.cost = pyo.Objective(expr=cost, sense=pyo.maximize if maximise else pyo.minimize)
    return solve_certified(model, Control())
