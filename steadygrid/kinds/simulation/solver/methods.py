"""All rows of a simulation, as far as there is time."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import product

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Alike, Objective, Options, Outcome, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rational import approximate
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.executions.measured import mean_error
from steadygrid.engine.executions.ordered import Noise
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.simulation.schemas import (
    ALIKE,
    BOUND_IS_WRONG,
    FEWER_ROWS,
    PREDICTION_IS_WRONG,
    SIMPLEST,
    SIMULATED,
    Recommended,
    SimulatedProgress,
    SimulatedRow,
    SimulationInstance,
    SimulationResult,
)
from steadygrid.kinds.simulation.sizing import Variant, variants_of
from steadygrid.kinds.simulation.solver.executing import Executed, Executing
from steadygrid.kinds.simulation.subject import Subject, subject_of

LARGEST_DENOMINATOR = 10**18
"""Of an exact throughput without dates or orders. Others are rounded down to 9 digits."""
_ROUNDING = Fraction(1, 10**12)
"""By which a throughput in doubles may be too large, as a part of it."""


def solve(
    instance: SimulationInstance, _options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Carry out every execution at every noise. Where time is over, keep the rows that are complete.

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
    rows: list[tuple[SimulatedRow, Executed]] = []
    late = False
    try:
        executing = Executing(instance, subject, int(sizing.sizes["instances"]), control)
        control.phase(Phase.SOLVING)
        for variant, noise in product(variants_of(instance, subject), instance.noise):
            rows += [_row(instance, subject, executing, variant, noise)]
    except OutOfTime:
        late = True
    return _solution(instance, subject, rows, late=late)


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
    return _solution(instance, subject_of(instance), [], late=True)


def _row(
    instance: SimulationInstance,
    subject: Subject,
    executing: Executing,
    variant: Variant,
    noise: Fraction,
) -> tuple[SimulatedRow, Executed]:
    seeds = range(instance.seed, instance.seed + instance.seeds) if noise else range(1)
    noises = [Noise(float(noise), instance.noise_of, seed) if noise else None for seed in seeds]
    done = [executing.run(variant, one) for one in noises]
    exact = not noise
    runs = [
        _stated_value(subject, variant, one.value) if exact else rounded(one.value) for one in done
    ]
    mean = sum(runs, Fraction(0)) / len(runs)
    once = subject.runs_once
    late = [one.late for one in done if one.late is not None]
    row = SimulatedRow(
        execution=variant.execution,
        overtake=variant.overtake,
        noise=noise,
        runs=runs,
        throughput=None if once else mean,
        makespan=mean if once else None,
        least=min(runs),
        greatest=max(runs),
        error=_error(subject, variant, runs, [one.error for one in done], exact=exact),
        of_plan=subject.plan / mean if once else mean / subject.plan,
        of_optimum=_part(mean, subject.optimum, once=once),
        late=(max(late) if exact else rounded(max(late))) if late else None,
        waiting=max(one.waiting for one in done),
    )
    return row, done[0]


def _part(mean: Fraction, optimum: Fraction | None, *, once: bool) -> Fraction | None:
    if optimum is None or not optimum:
        return None
    return optimum / mean if once else mean / optimum


def _stated_value(subject: Subject, variant: Variant, value: Fraction) -> Fraction:
    """Round what was measured without noise down to 9 digits, unless it is short or has dates or orders.

    A schedule has long numbers itself, and the clock does exactly what it plans.
    """
    if variant.execution in ("clock", "order", "program"):
        return value
    if variant.execution == "heft" or subject.periodic.ports != "multiport":
        return value if value.denominator <= LARGEST_DENOMINATOR else _floor(value)
    near = Context(prec=12).create_decimal_from_float(float(value))
    stated, optimum = _floor(Fraction(near)), subject.optimum
    if optimum is not None and stated > optimum >= value * (1 - _ROUNDING):
        return _floor(optimum)
    return stated


def _floor(value: Fraction) -> Fraction:
    """Round down to 9 digits."""
    context = Context(prec=9, rounding=ROUND_FLOOR)
    return Fraction(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _error(
    subject: Subject,
    variant: Variant,
    runs: Sequence[Fraction],
    errors: Sequence[Fraction],
    *,
    exact: bool,
) -> Fraction:
    """Give the error of the mean of the runs.

    A makespan, or one run of a program, has none of its own: it is that of so few random numbers. Without noise no throughput is
    above the optimum of the problem, unless all is planned anew.
    """
    if subject.runs_once or variant.execution == "program":
        return rounded(Fraction(mean_error([float(run) for run in runs])))
    error = sum(errors, Fraction(0)) / len(errors)
    if error.denominator > LARGEST_DENOMINATOR:
        error = rounded(error)
    optimum = subject.optimum
    if not exact or optimum is None or variant.execution == "heft":
        return error
    most = max(Fraction(0), optimum - runs[0])
    return min(error, most if most.denominator <= LARGEST_DENOMINATOR else _floor(most))


def rounded(number: Fraction) -> Fraction:
    """Round a number of a simulation in doubles to 9 digits.

    Parameters
    ----------
    number
        Of a double.
    """
    return Fraction(f"{float(number):.9g}")


def recommended(rows: Sequence[SimulatedRow]) -> tuple[SimulatedRow | None, list[SimulatedRow]]:
    """Give the row to take at the first noise above 0, and the others that are as good.

    Parameters
    ----------
    rows
        In the order of the table.

    Returns
    -------
    tuple
        The simplest of those that keep as much of the plan as the best, up to what both may be wrong
        by, and no less than `ALIKE` of the plan. None without rows.
    """
    noises = sorted({row.noise for row in rows})
    first = next((noise for noise in noises if noise), noises[0] if noises else None)
    there = [row for row in rows if row.noise == first]
    if not there:
        return None, []
    best = max(there, key=lambda row: row.of_plan)
    alike = [
        row for row in there if best.of_plan - row.of_plan <= min(ALIKE, _share(row) + _share(best))
    ]
    taken = min(alike, key=lambda row: (SIMPLEST.index(row.execution), row.overtake is True))
    return taken, [row for row in alike if row is not taken]


def _share(row: SimulatedRow) -> Fraction:
    """Give the error as a part of the plan."""
    mean = row.makespan if row.throughput is None else row.throughput
    assert mean is not None
    assert row.error is not None
    return row.error / mean * row.of_plan


def _solution(
    instance: SimulationInstance,
    subject: Subject,
    rows: Sequence[tuple[SimulatedRow, Executed]],
    *,
    late: bool,
) -> Solution:
    table = [row for row, _ in rows]
    best, alike = recommended(table)
    result = SimulationResult(
        outcome=Outcome.UNKNOWN if best is None else Outcome.FEASIBLE,
        method="replay",
        objective=_objective(best),
        bound=None,
        gap=None,
        certificate=NoCertificate(),
        notes=[SIMULATED, *_notes(instance, subject, table), *([FEWER_ROWS] if late else [])],
        simulated=subject.problem.kind,
        plan=subject.plan,
        optimum=subject.optimum,
        period=None if isinstance(subject.schedule, Timeline) else subject.schedule.period,
        recommended=None
        if best is None
        else Recommended(
            execution=best.execution,
            overtake=best.overtake,
            noise=best.noise,
            of_plan=best.of_plan,
            alike=[Alike(execution=row.execution, overtake=row.overtake) for row in alike],
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


def _notes(
    instance: SimulationInstance, subject: Subject, table: Sequence[SimulatedRow]
) -> list[str]:
    """Say what is wrong with the result that was given, if runs without noise show it."""
    notes = [BOUND_IS_WRONG] if _is_beaten(subject, table) else []
    for row in table:
        if row.execution == "program" and not row.noise:
            program = subject.program_of(instance.bytes)
            if row.throughput != program.amount / program.predicted:
                notes.append(PREDICTION_IS_WRONG)
    return notes


def _is_beaten(subject: Subject, table: Sequence[SimulatedRow]) -> bool:
    """Whether a run without noise does more than the bound."""
    optimum = subject.optimum
    if optimum is None:
        return False
    done = [
        row.makespan if row.throughput is None else row.throughput
        for row in table
        if not row.noise and row.execution != "heft"
    ]
    return any(one < optimum if subject.runs_once else one > optimum for one in done if one)


def _objective(best: SimulatedRow | None) -> Objective | None:
    if best is None:
        return None
    if best.throughput is not None:
        return Objective.throughput(best.throughput)
    assert best.makespan is not None
    mean = best.makespan
    return Objective(name="makespan", value=mean, approx=approximate(mean))


def _date(row: SimulatedRow, date: Fraction) -> Fraction:
    exact = not row.noise and row.execution in ("clock", "order", "program")
    return date if exact else rounded(date)
