"""The program of intervals of RR-4872: how much of each is made of which two where, and moves."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.kinds.collective.bracketings import combining_times

F = Fraction


def by_intervals(body: Mapping[str, Any]) -> Fraction:
    """Solve it under ``one_port``, or ``multiport`` where only links limit."""
    problem = body["problem"]
    platform, size = Platform.model_validate(problem["platform"]), F(problem.get("size", 1))
    times, index = combining_times(problem, platform), platform.index_by_id
    owners = [index[name] for name in problem["sources"]]
    target, number = index[problem["target"]], len(owners)
    intervals = [(k, m) for k in range(number) for m in range(k + 1, number + 1)]
    model = pyo.ConcreteModel()
    model.rho = pyo.Var(domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    model.moved = pyo.Var(intervals, [a.index for a in platform.arcs], domain=pyo.NonNegativeReals)
    joins = [(i, k, m, n) for k, n in intervals for m in range(k + 1, n) for i in times]
    model.made = pyo.Var(joins, domain=pyo.NonNegativeReals)
    left: dict[Any, Any] = defaultdict(lambda: 0 * model.rho)
    for k, m in intervals:
        for arc in platform.arcs:
            left[k, m, arc.target] += model.moved[k, m, arc.index]
            left[k, m, arc.source] -= model.moved[k, m, arc.index]
    for i, k, m, n in joins:
        left[k, n, i] += model.made[i, k, m, n]
        left[k, m, i] -= model.made[i, k, m, n]
        left[m, n, i] -= model.made[i, k, m, n]
    for k, owner in enumerate(owners):
        left[k, k + 1, owner] += model.rho
    left[0, number, target] -= model.rho
    busy: dict[Any, Any] = defaultdict(lambda: 0 * model.rho)
    for arc in platform.arcs:
        time = size * arc.unit_time * sum(model.moved[k, m, arc.index] for k, m in intervals)
        if problem["ports"] == "multiport":
            busy[arc.index] += time
            continue
        if not platform.processors[arc.source].switch:
            busy["out", arc.source] += time
        if not platform.processors[arc.target].switch:
            busy["in", arc.target] += time
    for i, k, m, n in joins:
        busy["computing", i] += size * times[i] * model.made[i, k, m, n]
    for kept in left.values():
        model.rows.add(kept == 0)
    for share in busy.values():
        model.rows.add(share <= 1)
    model.total = pyo.Objective(expr=model.rho, sense=pyo.maximize)
    return solve_certified(model, Control()).objective or F(0)
