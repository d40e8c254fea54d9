r"""A relaxation of the program of the shortest period: as if each type of core were one core.

Let :math:`a_k` be the share of task k on PPEs (the rest is on SPEs). Let :math:`t_{kl}` and
:math:`u_{kl}` be the share of a file that goes to an SPE and to a PPE from a core of the other
type. There are :math:`n_p` PPEs and :math:`n_s` SPEs:

.. math::

   \min \mathcal{T} \quad\text{subject to}

   t_{kl} \ge a_k - a_l, \quad u_{kl} \ge a_l - a_k \tag{1}

   \sum_k a_k w_{PPE}(k) \le n_p \mathcal{T}, \quad
   \sum_k (1 - a_k) w_{SPE}(k) \le n_s \mathcal{T} \tag{2}

   \sum_k a_k \frac{read_k}{bw} + \sum_{kl} u_{kl} \frac{data_{kl}}{bw} \le n_p \mathcal{T},
   \quad
   \sum_k (1 - a_k) \frac{read_k}{bw} + \sum_{kl} t_{kl} \frac{data_{kl}}{bw}
   \le n_s \mathcal{T} \tag{3}

   \sum_k a_k \frac{write_k}{bw} + \sum_{kl} t_{kl} \frac{data_{kl}}{bw} \le n_p \mathcal{T},
   \quad
   \sum_k (1 - a_k) \frac{write_k}{bw} + \sum_{kl} u_{kl} \frac{data_{kl}}{bw}
   \le n_s \mathcal{T} \tag{4}

Any solution of program (7.1), summed over the cores of each type, is one of this program: no
period is shorter than its optimum. Its dual prices prove that, see `steadygrid/kinds/cell/validator.py`.
Local stores and calls are left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.cell.solver.tables import Tables

PPE, SPE = 0, 1


def build_model(tables: Tables, unit: Fraction) -> pyo.ConcreteModel:
    """Build program (1)-(4).

    ============== ===== ============ ==============================================
    component      kind  index        meaning, unit
    ============== ===== ============ ==============================================
    ``period``     Var   none         T, in `unit`
    ``on_ppes``    Var   task         a, share of the task
    ``crosses``    Var   file, type   t (type 1) and u (type 0), share of the file
    ``shortest``   Obj                T, minimised
    ``differ``     Con   file, type   (1), share of the file
    ``compute``    Con   type         (2), in `unit`
    ``bytes_in``   Con   type         (3), in `unit`
    ``bytes_out``  Con   type         (4), in `unit`
    ============== ===== ============ ==============================================

    Types: 0 PPEs, 1 SPEs, where there are some. Always feasible and bounded.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    unit
        Time, in units of the machine, that is 1 in the program.
    """
    model = pyo.ConcreteModel(name="cell_core_types")
    core_types = [PPE] * (tables.num_ppes > 0) + [SPE] * (tables.num_ppes < len(tables.cores))
    model.period = pyo.Var(domain=pyo.NonNegativeReals, doc="T")
    model.on_ppes = pyo.Var(
        range(len(tables.tasks)), bounds=lambda _, k: _shares(tables, k), doc="a_k"
    )
    model.crosses = pyo.Var(
        [(file, core_type) for file, _ in enumerate(tables.files) for core_type in core_types],
        domain=pyo.NonNegativeReals,
        doc="t_kl, u_kl",
    )
    model.shortest = pyo.Objective(expr=model.period, sense=pyo.minimize)
    scope = _Scope(model, tables, core_types, tables.unit / unit)
    _add_differ(scope)
    _add_compute(scope)
    _add_bytes_in(scope)
    _add_bytes_out(scope)
    return model


@dataclass(frozen=True)
class _Scope:
    """What all rules are about."""

    model: pyo.ConcreteModel
    tables: Tables
    core_types: Sequence[int]
    scale: Fraction
    """The tables' unit of time in that of the model."""


def _shares(tables: Tables, task: int) -> tuple[int, int]:
    """Bound a: both types, or the only one that can run the task."""
    able = tables.able[task]
    return int(able[-1] < tables.num_ppes), int(able[0] < tables.num_ppes)


def _add_differ(scope: _Scope) -> None:
    """(1): a file goes to the other type as far as its user is there more than its producer."""

    def rule(m: pyo.ConcreteModel, file: int, core_type: int) -> object:
        source, target = scope.tables.files[file]
        sign = 1 if core_type == PPE else -1
        moved = [(sign, m.on_ppes[source]), (-sign, m.on_ppes[target])]
        return linear([(1, m.crosses[file, core_type]), *moved]) >= 0

    scope.model.differ = pyo.Constraint(list(scope.model.crosses), rule=rule)


def _add_compute(scope: _Scope) -> None:
    """(2): the cores of a type compute for at most a period each."""
    compute = scope.tables.compute
    _add_capacity(scope, "compute", lambda k, core_type: compute[k][core_type] or 0, lambda _: None)


def _add_bytes_in(scope: _Scope) -> None:
    """(3): what they read, and receive from the other type."""
    _add_capacity(scope, "bytes_in", lambda k, _: scope.tables.read[k], lambda core_type: core_type)


def _add_bytes_out(scope: _Scope) -> None:
    """(4): what they write, and send to the other type."""
    _add_capacity(
        scope, "bytes_out", lambda k, _: scope.tables.write[k], lambda core_type: 1 - core_type
    )


def _add_capacity(
    scope: _Scope,
    name: str,
    each: Callable[[int, int], int],
    into: Callable[[int], int | None],
) -> None:
    """``sum_k share_k each(k, core_type) + what crosses <= cores * T``, for each type.

    Parameters
    ----------
    each
        What a task takes on a type, in the tables' unit.
    into
        The type into which those files cross that count for a type. None where none do.
    """
    tables, scale = scope.tables, scope.scale
    num_cores = (tables.num_ppes, len(tables.cores) - tables.num_ppes)

    def rule(m: pyo.ConcreteModel, core_type: int) -> object:
        times = {
            k: each(k, core_type) * scale for k in m.on_ppes if _could_be_on(tables, k, core_type)
        }
        sign = 1 if core_type == PPE else -1
        terms: Terms = [(-num_cores[core_type], m.period)]
        terms += [(sign * time, m.on_ppes[k]) for k, time in times.items()]
        if (crossed := into(core_type)) in scope.core_types:
            terms += [
                (move * scale, m.crosses[file, crossed]) for file, move in enumerate(tables.move)
            ]
        return linear(terms) <= (0 if core_type == PPE else -sum(times.values(), Fraction(0)))

    scope.model.add_component(name, pyo.Constraint(list(scope.core_types), rule=rule))


def _could_be_on(tables: Tables, task: int, core_type: int) -> bool:
    able = tables.able[task]
    return (able[0] < tables.num_ppes) if core_type == PPE else (able[-1] >= tables.num_ppes)
