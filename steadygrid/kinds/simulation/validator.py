"""The referee of `simulation`: what follows from the schedule, and from each other."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.rational import parse_exact
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.kinds.simulation.schemas import (
    BOUND_IS_WRONG,
    FEWER_ROWS,
    PREDICTION_IS_WRONG,
    SIMULATED,
    SimulatedRow,
    SimulationInstance,
    SimulationResult,
)
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

_ORDER = ("clock", "order", "dispatch", "on_demand", "heft", "program")
_UNASKED = ("heft",)
_UNROLLED = "cell"
"""The kind of periodic schedules that are followed instance by instance."""
_DATED = ("clock", "order")
_EXACT = ("clock", "program")
_SIMPLEST = ("program", "on_demand", "dispatch", "order", "clock", "heft")
_MOST_APART = Fraction(1, 100)
Key = tuple[str, bool | None, Fraction]


def validate(
    instance: SimulationInstance,
    _options: Options,
    result: SimulationResult,
    schedule: Any,
    _limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a table against the schedule that was simulated. Nothing is simulated again.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    result
        The answer.
    schedule
        Of the answer: there is none.
    _limits
        Not read.

    Raises
    ------
    InvalidScheduleError
        With every fault found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== =======================
    1  outcome, value and certificate go together                            see `check_envelope`
    2  that nothing is proved is noted                                       `no_note`
    3  the kind, the plan, the optimum and the period are those of the       `wrong_subject`
       documents that were simulated
    4  rows are those that were asked for; some may lack where time was over `wrong_rows`
    5  each has a run for every seed, one without noise                      `wrong_runs`
    6  a run completes something                                             `no_throughput`
    7  mean, least and greatest are those of the runs                        `wrong_summary`
    8  ratios are over plan and optimum                                      `wrong_ratio`
    9  without noise, what the clock does is the plan, with nothing late     `not_the_plan`
    10 without noise, orders without dates are no slower than the plan       `slower_than_plan`
    11 without noise, a program takes the time that is predicted, unless a   `not_as_predicted`
       note says that the prediction is wrong
    12 all rows have an error or none has one; that of the clock, or of a    `wrong_error`
       program, without noise is 0
    13 without noise nothing but HEFT does more than the optimum, unless a   `above_optimum`
       note says that the optimum is wrong
    14 the recommended row is the simplest of those that are alike at the    `wrong_recommendation`
       first noise above 0, the others are listed, and the value is its mean
    15 without a row, nothing is recommended                                 `wrong_recommendation`
    == ===================================================================== =======================

    Rule 9: the simulator is exact without noise. Rule 10: dates only ever hold operations up. Rule 13:
    operations without noise take what a certificate counts. Rule 14: rows are alike that differ from
    the best by no more than both errors, and by a hundredth of the plan at most. Where all noise is 0,
    at noise 0. Answers without errors are older: they recommend the largest mean, of equal ones the
    least late, then the first.
    """
    findings = Findings()
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        scheduled=False,
        optimised=_measured(instance),
        may_lack_bound=True,
        may_find_nothing=("replay",),
    )
    if SIMULATED not in result.notes:
        findings.add(("result", "notes"), "no_note", "What is simulated must be said to be so.")
    _check_subject(instance, result, findings)
    _check_rows(instance, result, findings)
    for i, row in enumerate(result.table):
        _check_row(i, row, instance, result, findings)
    _check_errors(result, findings)
    _check_recommended(result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _given(document: Any, *path: str) -> Any:
    for step in path:
        document = document.get(step) if isinstance(document, dict) else None
    return document


def _measured(instance: SimulationInstance) -> str:
    """Name what is measured: the makespan of a schedule that runs once, else the throughput."""
    return "makespan" if _given(instance.schedule, "form") == "once" else "throughput"


def _check_subject(
    instance: SimulationInstance, result: SimulationResult, findings: Findings
) -> None:
    problem = _given(instance.instance, "problem") or instance.instance
    name, bound = _measured(instance), _given(instance.result, "bound", "value")
    if _given(instance.result, "objective", "name") != name:
        bound = None
    period = _given(instance.schedule, "period")
    due = {
        "simulated": _given(problem, "kind"),
        "plan": parse_exact(_given(instance.schedule, name)),
        "optimum": None if bound is None else parse_exact(bound),
        "period": None if period is None else parse_exact(period),
    }
    for member, value in due.items():
        if getattr(result, member) != value:
            findings.add(
                ("result", member), "wrong_subject", f"It is {value}, as the documents given say."
            )


def _keys(instance: SimulationInstance) -> list[Key]:
    """List the rows that may be, in their order. A schedule may have fewer executions."""
    ports, problem = _given(instance.schedule, "ports"), _given(instance.instance, "problem")
    kind = _given(problem or instance.instance, "kind")
    form = _given(instance.schedule, "form")
    messages = (
        form in ("once", "timetable")
        or kind == _UNROLLED
        or any(
            _given(one, "message") is not None
            for one in _given(instance.schedule, "allocations") or ()
        )
    )
    keys: list[Key] = []
    for execution in _ORDER:
        if execution not in (instance.executions or _ORDER) or (
            instance.executions is None and execution in _UNASKED
        ):
            continue
        if execution == "program" and _given(instance.result, "execution") is None:
            continue
        if execution not in (*_DATED, "program") and messages:
            continue
        if execution == "on_demand" and kind != "master_worker":
            continue
        both: tuple[bool | None, ...] = (None,)
        if execution == "dispatch" and ports != "multiport":
            both = (False, True) if instance.overtake is None else (instance.overtake,)
        keys += ((execution, overtake, noise) for overtake in both for noise in instance.noise)
    return keys


def _check_rows(instance: SimulationInstance, result: SimulationResult, findings: Findings) -> None:
    due = _keys(instance)
    rows: list[Key] = [(row.execution, row.overtake, row.noise) for row in result.table]
    fewer = FEWER_ROWS in result.notes
    if (rows if not fewer else sorted(set(rows), key=rows.index)) != [
        key for key in due if not fewer or key in rows
    ]:
        findings.add(
            ("result", "table"), "wrong_rows", f"There must be {len(due)} rows, as they were asked."
        )


def _check_row(
    i: int,
    row: SimulatedRow,
    instance: SimulationInstance,
    result: SimulationResult,
    findings: Findings,
) -> None:
    at = ("result", "table", i)
    due = instance.seeds if row.noise else 1
    if len(row.runs) != due:
        findings.add((*at, "runs"), "wrong_runs", f"Row {i} has {len(row.runs)} runs, not {due}.")
        return
    if min(row.runs) <= 0:
        findings.add((*at, "runs"), "no_throughput", f"A run of row {i} completes nothing.")
    mean, measured = sum(row.runs, Fraction(0)) / due, _measured(instance)
    sums = {
        "throughput": mean if measured == "throughput" else None,
        "makespan": mean if measured == "makespan" else None,
        "least": min(row.runs),
        "greatest": max(row.runs),
    }
    for name, value in sums.items():
        if getattr(row, name) != value:
            findings.add(
                (*at, name),
                "wrong_summary",
                f"Of the runs of row {i} it is {'null' if value is None else show(value)}.",
            )
    ratios = {"of_plan": result.plan, "of_optimum": result.optimum}
    for name, planned in ratios.items():
        ratio = None
        if planned and mean:
            ratio = mean / planned if measured == "throughput" else planned / mean
        if getattr(row, name) != ratio:
            findings.add((*at, name), "wrong_ratio", f"The ratio of row {i} is {ratio}.")
    if row.execution == "program" and not row.noise and PREDICTION_IS_WRONG not in result.notes:
        predicted = _predicted(instance)
        if predicted is not None and mean != predicted:
            findings.add(
                at, "not_as_predicted", f"Without noise the program does {show(predicted)}."
            )
    if row.noise or row.execution not in _DATED:
        return
    if row.execution == "clock" and (mean != result.plan or row.late != 0):
        findings.add(
            at, "not_the_plan", f"By the clock and without noise, {show(result.plan)} is done."
        )
    if (mean < result.plan) if measured == "throughput" else (mean > result.plan):
        findings.add(
            at, "slower_than_plan", f"Without dates, {show(result.plan)} is done, or more."
        )


def _predicted(instance: SimulationInstance) -> Fraction | None:
    """Read how many operations of the size of the instance a program does in a time unit."""
    rows = _given(instance.result, "execution", "predicted")
    if not rows:
        return None
    sizes = {int(row["bytes"]): row for row in rows}
    row = sizes[max(sizes) if instance.bytes is None else instance.bytes]
    messages = _given(instance.result, "messages")
    data = sum((parse_exact(one["size"]) for one in messages), Fraction(0))
    return parse_exact(row["algbw"]) / data


def _mean(row: SimulatedRow) -> Fraction | None:
    return row.makespan if row.throughput is None else row.throughput


def _check_errors(result: SimulationResult, findings: Findings) -> None:
    old = all(row.error is None for row in result.table)
    for i, row in enumerate(result.table):
        at = ("result", "table", i)
        if (row.error is None) != old:
            findings.add((*at, "error"), "wrong_error", f"Row {i} has no error, and others have.")
        elif row.error not in (None, 0) and not row.noise and row.execution in _EXACT:
            sentence = f"Without noise {row.execution} has no error."
            findings.add((*at, "error"), "wrong_error", sentence)
        mean = _mean(row)
        if old or row.noise or row.execution == "heft" or result.optimum is None or mean is None:
            continue
        beaten = mean > result.optimum if row.makespan is None else mean < result.optimum
        if beaten and BOUND_IS_WRONG not in result.notes:
            findings.add(at, "above_optimum", f"Nothing does more than {show(result.optimum)}.")


def _alike(rows: list[SimulatedRow]) -> list[SimulatedRow]:
    """Give the rows that are as good as the best, the simplest first."""

    def share(row: SimulatedRow) -> Fraction:
        mean = _mean(row)
        if row.error is None or mean is None or mean == 0:
            return Fraction(0)
        return row.of_plan * row.error / mean

    best = max(rows, key=lambda row: row.of_plan)
    near = [
        row
        for row in rows
        if best.of_plan - row.of_plan <= min(_MOST_APART, share(row) + share(best))
    ]
    first = min(near, key=lambda row: (_SIMPLEST.index(row.execution), bool(row.overtake)))
    return [first, *(row for row in near if row is not first)]


def _rank(row: SimulatedRow) -> tuple[Fraction, bool, Fraction]:
    late = Fraction(0) if row.late is None else row.late
    return -row.of_plan, row.late is None, late


def _check_recommended(result: SimulationResult, findings: Findings) -> None:
    at = ("result", "recommended")
    stated, value = result.recommended, result.objective
    noises = sorted({row.noise for row in result.table})
    if stated is None or not noises:
        if stated is not None or noises or value is not None:
            findings.add(
                at, "wrong_recommendation", "There is a recommendation where there are rows."
            )
        return
    noise = next((one for one in noises if one), noises[0])
    rows = [row for row in result.table if row.noise == noise]
    alike: list[tuple[str, bool | None]] | None = None
    if any(row.error is not None for row in result.table):
        best, *others = _alike(rows)
        alike = [(row.execution, row.overtake) for row in others]
    else:
        best = min(rows, key=_rank)
    listed: list[tuple[str, bool | None]] | None = None
    if stated.alike is not None:
        listed = [(one.execution, one.overtake) for one in stated.alike]
    if listed != alike:
        findings.add(
            (*at, "alike"), "wrong_recommendation", "These are not the rows that are alike."
        )
    same = (best.execution, best.overtake, best.noise, best.of_plan)
    if (stated.execution, stated.overtake, stated.noise, stated.of_plan) != same:
        findings.add(
            at, "wrong_recommendation", f"At noise {noise}, {best.execution} is to be recommended."
        )
    done = _mean(best)
    if value is None or value.value != done:
        findings.add(
            ("result", "objective"),
            "wrong_recommendation",
            f"The value is what is recommended does: {'nothing' if done is None else show(done)}.",
        )
