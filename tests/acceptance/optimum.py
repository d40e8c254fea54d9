"""A second opinion on the optimum: the program of the models, by another solver, in floats."""

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from tests.acceptance.checking import OUTPUT, grid_of, resources_of


def best_throughput(body: dict[str, Any]) -> float:
    """Solve equations (1) to (8) of section 1 of the models, row by row as they stand there."""
    grid = grid_of(body["problem"])
    kinds = list(grid.sizes)
    workers = [name for name in grid.times if name not in grid.switches]
    flows = [
        (file, arc) for file in kinds for arc in grid.arcs if grid.master != arc[file != OUTPUT]
    ]
    if not workers:
        return 0.0
    columns = {key: i for i, key in enumerate([*workers, *flows])}
    resources: dict[str, dict[int, Fraction]] = {}
    for name in workers:
        resources[f"{name}.compute"] = {columns[name]: grid.times[name]}
    for file, arc in flows:
        for resource, each in resources_of(grid, arc).items():
            resources.setdefault(resource, {})[columns[file, arc]] = each * grid.sizes[file]
    names = {name for arc in grid.arcs for name in arc} | set(workers)
    balances = []
    for file in kinds:
        for name in names - {grid.master}:
            row = {columns[name]: -1} if name in columns else {}
            for arc in grid.arcs:
                if (file, arc) in columns and name in arc:
                    into = 1 if arc[1] == name else -1
                    row[columns[file, arc]] = into if file != OUTPUT else -into
            balances.append(row)

    def matrix(rows: list[Any]) -> Any:
        dense = np.zeros((len(rows), len(columns)))
        for i, row in enumerate(rows):
            for column, value in row.items():
                dense[i, column] = float(value)
        return dense

    gain = np.zeros(len(columns))
    gain[: len(workers)] = -1
    above = matrix(list(resources.values()))
    equal = matrix(balances)
    answer = linprog(
        gain,
        A_ub=above if len(above) else None,
        b_ub=np.ones(len(above)) if len(above) else None,
        A_eq=equal if len(equal) else None,
        b_eq=np.zeros(len(equal)) if len(equal) else None,
    )
    assert answer.status == 0, answer.message
    return float(-answer.fun)
