"""All rows of a simulation, as far as there is time."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Objective, Options, Outcome, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.executions.measured import Measured
from steadygrid.engine.executions.ordered import Noise
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.simulation.schemas import (
    FEWER_ROWS,
    SIMULATED,
    Recommended,
    SimulatedProgress,
    SimulatedRow,
    SimulationInstance,
    SimulationResult,
)
from steadygrid.kinds.simulation.sizing import Variant, variants_of
from steadygrid.kinds.simulation.solver.executing import Executing
from steadygrid.kinds.simulation.subject import Subject, subject_of


def solve(
    instance: SimulationInstance, _options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Carry out every execution at every noise; where time is over, keep the rows that are complete.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    sizing
        Of this instance; says how many instances each run completes.
    control
        Deadline, cancellation and progress.
    """
    control.phase(Phase.BUILDING)
    subject = subject_of(instance)
    rows: list[tuple[SimulatedRow, Measured]] = []
    late = False
    try:
        executing = Executing(instance, subject, int(sizing.sizes["instances"]), control)
        control.phase(Phase.SOLVING)
        for variant, noise in product(variants_of(instance, subject), instance.noise):
            rows += [_row(instance, subject, executing, variant, noise)]
    except OutOfTime:
        late = True
    return _solution(subject, rows, late=late)


def best_without_solver(
    instance: SimulationInstance,
    _options: Options,
    _sizing: Sizing,
    _control: Control,
    _interruption: OutOfTime,
) -> Solution:
    """Answer when there was no time for any row.

    Parameters
    ----------
    instance
        Without faults.
    _options, _sizing, _control, _interruption
        Not read.
    """
    return _solution(subject_of(instance), [], late=True)


def _row(
    instance: SimulationInstance,
    subject: Subject,
    executing: Executing,
    variant: Variant,
    noise: Fraction,
) -> tuple[SimulatedRow, Measured]:
    seeds = range(instance.seed, instance.seed + instance.seeds) if noise else range(1)
    noises = [Noise(float(noise), instance.noise_of, seed) if noise else None for seed in seeds]
    done = [executing.run(variant, one) for one in noises]
    exact = not noise and variant.execution in ("clock", "order")
    runs = [one.throughput if exact else rounded(one.throughput) for one in done]
    mean = sum(runs, Fraction(0)) / len(runs)
    plan, bound = subject.schedule.throughput, subject.result.bound
    late = [one.late for one in done if one.late is not None]
    row = SimulatedRow(
        execution=variant.execution,
        overtake=variant.overtake,
        noise=noise,
        runs=runs,
        throughput=mean,
        least=min(runs),
        greatest=max(runs),
        of_plan=mean / plan,
        of_optimum=None if bound is None or not bound.value else mean / bound.value,
        late=(max(late) if exact else rounded(max(late))) if late else None,
        waiting=max(one.waiting for one in done),
    )
    return row, done[0]


def rounded(number: Fraction) -> Fraction:
    """Round a number of a simulation in doubles to 9 digits.

    Parameters
    ----------
    number
        Of a double.
    """
    return Fraction(f"{float(number):.9g}")


def recommended(rows: Sequence[SimulatedRow]) -> SimulatedRow | None:
    """Give the row with the largest mean at the first noise above 0; None without rows.

    Parameters
    ----------
    rows
        In the order of the table.
    """
    if not rows:
        return None
    noises = sorted({row.noise for row in rows})
    first = next((noise for noise in noises if noise), noises[0])
    return min(
        (row for row in rows if row.noise == first),
        key=lambda row: (
            -row.throughput,
            row.late is None,
            Fraction(0) if row.late is None else row.late,
        ),
    )


def _solution(
    subject: Subject, rows: Sequence[tuple[SimulatedRow, Measured]], *, late: bool
) -> Solution:
    table = [row for row, _ in rows]
    best = recommended(table)
    bound = subject.result.bound
    result = SimulationResult(
        outcome=Outcome.UNKNOWN if best is None else Outcome.FEASIBLE,
        method="replay",
        objective=None if best is None else Objective.throughput(best.throughput),
        bound=None,
        gap=None,
        certificate=NoCertificate(),
        notes=[SIMULATED, *([FEWER_ROWS] if late else [])],
        simulated=subject.problem.kind,
        plan=subject.schedule.throughput,
        optimum=None if bound is None else bound.value,
        period=subject.schedule.period,
        recommended=None
        if best is None
        else Recommended(
            execution=best.execution,
            overtake=best.overtake,
            noise=best.noise,
            of_plan=best.of_plan,
        ),
        table=table,
        progress=[
            SimulatedProgress(
                row=i, points=[(_date(row, date), count) for date, count in did.progress]
            )
            for i, (row, did) in enumerate(rows)
        ],
    )
    return Solution(result)


def _date(row: SimulatedRow, date: Fraction) -> Fraction:
    exact = not row.noise and row.execution in ("clock", "order")
    return date if exact else rounded(date)
