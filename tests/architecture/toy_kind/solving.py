"""One worker for one source: the solving half of a toy kind."""

from fractions import Fraction

from steadygrid.kinds.one_worker.schemas import FILE, OneWorkerInstance, OneWorkerResult
from steadygrid.kinds.one_worker.solver.model import build_model

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.scheduling import Plan, Workload
from steadygrid.engine.solver import Reconstructible, Solution, Solver
from steadygrid.engine.solving.control import Control


def solve(
    instance: OneWorkerInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Solve the program, and send every file over the link."""
    model = build_model(instance)
    solved = solve_certified(model, control)
    rate = solved.values_of(model.rate)[None]
    prices = {name: price for name, price in solved.prices_of(model.busy).items() if price}
    result = OneWorkerResult(
        outcome=Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(rate),
        bound=Bound.from_value(rate, exact=True),
        gap=Fraction(0),
        certificate=DualityCertificate(prices=prices),
        rate=rate,
    )
    times = {one.id: one.time_per_work or Fraction(0) for one in instance.platform.processors}
    workload = Workload(
        instance.platform, instance.ports, lambda _, place: times[place], instance.file_sizes
    )
    way = Transfer(FILE, (instance.source, instance.worker), Fraction(1))
    plan = Plan(rate, {"task": (instance.worker,)}, (way,))
    return Solution(result, Reconstructible(workload, [plan], rate))


def best_without_solver(
    instance: OneWorkerInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Solve it all the same: it is small."""
    return solve(instance, options, sizing, control)


SOLVER = Solver(solve, best_without_solver)
