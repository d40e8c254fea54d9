"""The method `constraint_lists`: one exact linear program, and the allocations it consists of."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.job import Phase
from steadygrid.engine.allocations.columns import Column, make_column
from steadygrid.engine.allocations.infeasible import why_infeasible
from steadygrid.engine.allocations.model import build_master
from steadygrid.engine.allocations.network import Network
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.list_program import program_size
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from steadygrid.kinds.task_graph.solver.answer import Answer
from steadygrid.kinds.task_graph.solver.constraint_lists.decomposition import Scheme, decompose
from steadygrid.kinds.task_graph.solver.constraint_lists.model import build_program


def solve(instance: TaskGraphInstance, control: Control) -> Answer:
    """Solve the program over constraint lists exactly, and decompose its flows.

    Parameters
    ----------
    instance
        Without faults.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime, CertificationError, SolverError
        See `solve_certified`.
    """
    control.phase(Phase.BUILDING)
    program = build_program(instance, control)
    solved = solve_certified(program.model, control)
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"task_graph is feasible and bounded, yet {solved.status}")
    statistics = TaskGraphStatistics(
        dependency_depth=program_size(instance).depth,
        variables=solved.statistics.variables,
        constraints=solved.statistics.constraints,
    )
    if solved.objective == 0:
        return Answer([], None, True, {}, statistics, infeasible=why_infeasible(instance))
    schemes = decompose(program, solved, control)
    plans = _basic_plans(instance, schemes, solved.objective, control)
    prices = solved.prices_of(program.model.capacity)
    return Answer(plans, solved.objective, True, prices, statistics)


def _basic_plans(
    instance: TaskGraphInstance, schemes: Sequence[Scheme], throughput: Fraction, control: Control
) -> list[Plan]:
    """Give new rates to as few of the allocations as a basic solution needs.

    No more than there are resources, even if the decomposition found more.
    """
    network = Network(instance.platform, instance.ports, "free", (), ())
    columns: dict[Column, None] = {}
    for scheme in schemes:
        places = [scheme.places[k] for k in range(len(instance.times))]
        paths = [scheme.paths[f] for f in range(len(instance.files))]
        columns[make_column(instance, network, places, paths)] = None
    master = build_master(network.resources, [column.uses for column in columns])
    solved = solve_certified(master, control)
    if solved.objective != throughput:
        raise AssertionError("the allocations do not reach the throughput that they make up")
    rates = solved.values_of(master.rate)
    return [
        column.plan(instance, rates[number])
        for number, column in enumerate(columns)
        if number in rates
    ]
