"""What ``import steadygrid`` offers: solving, checking, what would help and re-planning, exactly."""

import os
from collections.abc import Generator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from steadygrid import solving
from steadygrid.answer import Answer
from steadygrid.documents import (
    SCHEDULE_FACTOR,
    AnyPath,
    naming,
    plain,
    read_file,
    read_result,
    read_schedule,
    read_submission,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.studies.measuring import read_request
from steadygrid.studies.replan import replan as replanned
from steadygrid.studies.replanned import ReplanOut
from steadygrid.studies.solved import solve_upgrades
from steadygrid.studies.sweep_run import Counted, read_plan, run_sweep, run_sweep_here
from steadygrid.studies.sweep_table import SweepRow
from steadygrid.studies.what_if import WhatIfRequest
from steadygrid.studies.what_if import what_if as studied
from steadygrid.submissions.question import Question, R_co
from steadygrid.submissions.submission import Submission, parse_model
from steadygrid.submissions.verdict import Verdict, judge

if TYPE_CHECKING:
    from steadygrid.studies.shown_study import ShownStudy


@overload
def solve(
    problem: Question[R_co],
    *,
    memory: int = ...,
    cores: int | None = ...,
    on_progress: solving.Told | None = ...,
    limits: Limits | None = ...,
    in_process: bool = ...,
    **options: Any,
) -> Answer[R_co]: ...
@overload
def solve(
    problem: Mapping[str, Any] | AnyPath | Submission,
    *,
    memory: int = ...,
    cores: int | None = ...,
    on_progress: solving.Told | None = ...,
    limits: Limits | None = ...,
    in_process: bool = ...,
    **options: Any,
) -> Answer[Any]: ...
def solve(
    problem: Mapping[str, Any] | AnyPath | Submission,
    *,
    memory: int = solving.MEMORY,
    cores: int | None = None,
    on_progress: solving.Told | None = None,
    limits: Limits | None = None,
    in_process: bool = False,
    **options: Any,
) -> Answer[Any]:
    """Solve a problem, and have the answer refereed.

    The solver runs in a process of its own, which ends with this one, after Ctrl-C, or 30 s after
    the time limit.

    Parameters
    ----------
    problem
        The body of ``POST /v1/jobs``, the problem alone, or the path of a JSON file that holds
        either. Numbers may be integers, fractions, decimals, floats (read as they are written) and
        strings such as ``"21/40"``. A platform or an application may be the object that
        `read_platform` or `read_application` gave.
    memory
        The most address space that the solver may take, in bytes.
    cores
        How many the solve computes on, where its search has two halves. None: 2 where the machine
        has them.
    on_progress
        Is called now and then with how far the solve is: ``phase``, ``elapsed``, and
        ``iterations``, ``value``, ``bound`` if there are any, with ``exact``: whether they are
        exact, or the shortest decimals of a solver's floats. What it raises ends the solve.
    limits
        How large a problem may be, if not as large as by default.
    in_process
        Whether to solve in this process instead: solver and modelling language are loaded into it,
        and neither `memory` nor the hard stop applies.
    **options
        How to solve, such as ``time_limit`` (seconds, 60 by default) or ``max_period``. They go
        before the ``options`` of the body.

    Returns
    -------
    Answer
        Also where the problem is infeasible, or where the time left nothing but a bound.

    Raises
    ------
    InstanceError
        If the problem breaks a rule. Every fault is listed with its place.
    LimitError
        If it is too large.
    TimeLimitError
        If there was no time for any answer.
    SolverError, CertificationError, InvalidScheduleError, InternalError
        If the solver gave up or died. See there.
    MemoryError
        If the solver needed more memory.
    OSError
        If a file cannot be read, or the system gives no process.

    Examples
    --------
    >>> from steadygrid import solve
    >>> star = {
    ...     "processors": [{"id": "M"}, {"id": "A", "unit_time": 2}, {"id": "B", "unit_time": 3}],
    ...     "links": [
    ...         {"source": "M", "target": "A", "unit_time": 1},
    ...         {"source": "M", "target": "B", "unit_time": 1},
    ...     ],
    ... }
    >>> answer = solve(
    ...     {"kind": "master_worker", "platform": star, "master": "M", "task": {"work": 1}}
    ... )
    >>> answer.outcome.value, answer.objective, answer.bound
    ('optimal', Fraction(5, 6), Fraction(5, 6))
    >>> answer.prices
    {'A.compute': Fraction(1, 2), 'B.compute': Fraction(1, 3)}
    >>> answer.schedule.period
    Fraction(6, 1)
    """
    _check_memory(memory)
    bounds = limits or Limits()
    submission = _submission(problem, bounds, options)
    return _answer(submission, bounds, memory, cores, on_progress, in_process=in_process)


def sweep(
    body: Mapping[str, Any] | AnyPath,
    *,
    workers: int = 1,
    memory: int = solving.MEMORY,
    on_ended: Counted | None = None,
    limits: Limits | None = None,
    in_process: bool = False,
    **options: Any,
) -> Generator[SweepRow, None, None]:
    """Solve a problem for all combinations of some values in it.

    The body is read, and all its values are checked, when this is called. Its jobs are solved as
    their rows are asked for, each answer refereed.

    Parameters
    ----------
    body
        The body of ``POST /v1/sweeps``, or the path of a JSON file that holds it: a ``template`` as
        `solve` takes it, and ``parameters``.
    workers
        Processes that solve side by side, each with one thread. Each solves one job after the
        other.
    memory
        The most address space that each of them may take, in bytes.
    on_ended
        Is called with how many jobs have ended, and how many of these have failed.
    limits
        How large the problems may be, and how many jobs there may be, if not as by default.
    in_process
        Whether to solve in this process instead, one after the other; neither `workers`, `memory`
        and `on_ended` nor the hard stop apply.
    **options
        How to solve, such as ``time_limit``. They go before the ``options`` of the template.

    Returns
    -------
    generator of SweepRow
        One for each job, in order. A job that fails is a row, too, with its ``error``. Its `close` ends
        the processes; after the last row, one of them is kept as `solve` keeps it.

    Raises
    ------
    InstanceError, LimitError
        With the faults of the body. What only a combination of values breaks is a row that failed.
    OSError
        If a file cannot be read, or the system gives no process.

    Examples
    --------
    >>> from steadygrid import problems, sweep
    >>> speeds = {
    ...     "name": "slower",
    ...     "scale": ["/problem/platform/links/*/unit_time"],
    ...     "values": [1, "3/2", 2],
    ... }
    >>> body = {"template": problems()["master_worker"].example, "parameters": [speeds]}
    >>> for row in sweep(body, in_process=True):
    ...     print(row.parameters["slower"], row.value, row.period)
    1 21/40 40
    3/2 43/120 120
    2 11/40 40
    """
    _check_memory(memory)
    if not isinstance(workers, int) or workers <= 0:
        raise ValueError(f"workers is a number of processes above 0, not {workers!r}")
    bounds = limits or Limits()
    with naming(body, "the sweep"):
        plan = read_plan(_loaded(body, bounds.max_body_bytes), bounds, options).plan
    if in_process:
        return run_sweep_here(plan, bounds, import_module(solving.MODULE).answer)
    return run_sweep(plan, bounds, workers=workers, memory=memory, on_ended=on_ended)


def check(
    instance: Mapping[str, Any] | AnyPath | Submission,
    result: Mapping[str, Any] | AnyPath | Result,
    schedule: Mapping[str, Any] | AnyPath | AnySchedule | None = None,
    *,
    limits: Limits | None = None,
) -> Verdict:
    """Let the referee alone judge an answer, in exact arithmetic. It trusts no stated result.

    Parameters
    ----------
    instance
        The body that was asked, with the options that it was asked with.
    result, schedule
        The answer, as objects, as documents, or as the paths of JSON files. No schedule where the
        answer has none.
    limits
        Those within which it was solved, if not the default.

    Returns
    -------
    Verdict
        What ``holds``, in a clause, and what is ``not_judged``: JSON pointers into the result, with
        ``*`` for every member of a list.

    Raises
    ------
    InvalidScheduleError
        If the referee refuses the answer; everything it found is listed.
    InstanceError, LimitError
        If a document is not what it should be.

    Examples
    --------
    >>> from steadygrid import check, problems, solve
    >>> answer = solve(problems()["master_worker"].example)
    >>> verdict = check(answer.instance, answer.result, answer.schedule)
    >>> verdict.holds
    'every rule holds, in exact arithmetic'
    >>> verdict.not_judged
    ('/method', '/verified', '/preferred/before')
    >>> better = answer.result.model_dump(mode="json")
    >>> better["objective"] = {"name": "throughput", "value": "22/40", "approx": 0.55}
    >>> check(answer.instance, better, answer.schedule)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    steadygrid.domain.errors.InvalidScheduleError: the answer: ...
    """
    bounds = limits or Limits()
    submission = _submission(instance, bounds, {})
    with naming(result, "the result"):
        answer = read_result(_loaded(result, bounds.max_body_bytes), submission)
    found = None
    if schedule is not None:
        most = SCHEDULE_FACTOR * bounds.max_body_bytes
        with naming(schedule, "the schedule"):
            found = read_schedule(_loaded(schedule, most), submission.problem.form)
    with naming(None, "the answer"):
        return judge(submission, answer, found, bounds)


def what_if(
    answer: Answer[Any],
    factor: Any = 2,
    *,
    resources: Sequence[str] | None = None,
    solve: int = 10,
    twins: Literal["one", "all"] = "one",
    memory: int = solving.MEMORY,
    cores: int | None = None,
    on_progress: solving.Told | None = None,
    limits: Limits | None = None,
    in_process: bool = False,
    **options: Any,
) -> "ShownStudy":
    """Find out what would help most: one resource after the other faster, or gone.

    Parameters
    ----------
    answer
        Of `solve`, with a value.
    factor
        How many times faster, above 1; 0: what if it fails.
    resources
        Names as in certificates, such as ``P1.compute``, ``A->B.link``. None: all that have a price, or
        without prices the busiest.
    solve
        How many are solved exactly, those of the greatest bounds first.
    twins
        Of processors, links and media that differ in nothing but their names: ``"one"`` of them is faster,
        or gone, or ``"all"`` are.
    memory, cores, on_progress, limits, in_process, **options
        As for `solve`, for each of them.

    Returns
    -------
    ShownStudy
        Prints as the table of ``steadygrid what-if``. Its ``upgrades`` are in the order of what they
        may bring *at most*. What a price promises may be nothing, so only ``exact`` says what they
        bring.

    Raises
    ------
    InstanceError
        If something is asked that has no meaning. Every fault is listed with its place.

    Examples
    --------
    >>> from steadygrid import problems, solve, what_if
    >>> study = what_if(solve(problems()["master_worker"].example), solve=1)
    >>> [(one.resource, str(one.at_most), str(one.exact)) for one in study.upgrades]
    [('P1.send', '41/40', '21/40'), ('P1.compute', '11/20', 'None')]
    >>> study.best, study.proved_best, study.next_bound
    ('P1.send', False, Fraction(11, 20))
    """
    bounds = limits or Limits()
    asked = plain(
        {
            "factor": factor,
            "resources": resources,
            "solve": solve,
            "twins": twins,
            "options": options,
        }
    )
    with naming(None, "the question"):
        study = studied(
            answer.submission,
            answer.result,
            parse_model(WhatIfRequest, asked),
            answer.schedule,
            bounds,
        )
    used = _checked_cores(cores)
    if in_process:
        module = import_module(solving.MODULE)
        solved = solve_upgrades(
            study, bounds, lambda one: module.answer(one, bounds, on_progress, used)
        )
    else:
        with solving.Solver(bounds, memory=memory, cores=used) as solver:
            solved = solve_upgrades(study, bounds, lambda one: solver.solve(one, on_progress))
    from steadygrid.studies.shown_study import ShownStudy  # loads what draws

    return ShownStudy.model_construct(**dict(study.document(solved)))


class Replanned(NamedTuple):
    """What is kept of a schedule, and the current answer."""

    told: ReplanOut
    answer: Answer[Any] | None
    """On the platform as it was measured. None where nothing was solved, or nothing can be done."""

    def __repr__(self) -> str:
        # What draws is loaded when something is drawn.
        from steadygrid.report.layout import printed
        from steadygrid.studies.shown_replan import replan_lines

        return printed(lambda width, glyphs: replan_lines(self.told, width, glyphs))


def replan(
    answer: Answer[Any],
    measured: Mapping[str, Any],
    *,
    scale: bool = False,
    solve: bool = True,
    tolerance: Any = "1/20",
    cost: Any = None,
    horizon: Any = None,
    memory: int = solving.MEMORY,
    cores: int | None = None,
    on_progress: solving.Told | None = None,
    limits: Limits | None = None,
    in_process: bool = False,
    **options: Any,
) -> Replanned:
    """Find out what a schedule still does on the platform as it was measured, and whether to change it.

    Parameters
    ----------
    answer
        Of `solve`, with a schedule that repeats.
    measured
        ``{"processors": {ID: {"speed": V}}, "links": [{"source": ID, "target": ID, "bandwidth": V}],
        "media": {ID: {"bandwidth": V}}}``, as `Forecasts.measured` gives it: what is left out is as
        planned, what is 0 is gone. ``unit_time`` may stand for speed or bandwidth, and ``times`` by task
        where the problem gives times.
    scale
        Whether the values are factors of what was planned.
    solve
        Whether to solve what is best now, and compare.
    tolerance
        Part of the new optimum that is not worth a change.
    cost, horizon
        Time that a change takes, and time that is left: they decide instead of the tolerance.
    memory, cores, on_progress, limits, in_process, **options
        As for `solve`.

    Raises
    ------
    InstanceError
        If the schedule does not repeat (``not_periodic``), or measurements fit nothing that was planned.
        Every fault is listed with its place.

    Examples
    --------
    >>> from steadygrid import problems, replan, solve
    >>> plan = solve(problems()["master_worker"].example)
    >>> told, now = replan(plan, {"processors": {"P2": {"speed": "1/2"}}}, scale=True)
    >>> str(told.before.value), str(told.kept.same_slots.value), str(told.optimum.value)
    ('21/40', '21/80', '37/80')
    >>> told.advice.same_slots, now.objective
    ('change', Fraction(37, 80))
    """
    bounds = limits or Limits()
    asked = plain(
        {
            "measured": measured,
            "scale": scale,
            "solve": solve,
            "tolerance": tolerance,
            "cost": cost,
            "horizon": horizon,
        }
    )
    with naming(None, "the request"):
        request = read_request(asked, bounds)
        study = replanned(answer.submission, answer.result, answer.schedule, request, bounds)
    if study.body is None or not request.solve:
        return Replanned(study.document(), None)
    submission = _submission(study.body, bounds, options)
    again = _answer(submission, bounds, memory, cores, on_progress, in_process=in_process)
    return Replanned(study.judged(again.result, again.schedule), again)


def _answer(
    submission: Submission,
    limits: Limits,
    memory: int,
    cores: int | None,
    on_progress: solving.Told | None,
    *,
    in_process: bool,
) -> Answer[Any]:
    used = _checked_cores(cores)
    if in_process:
        found = import_module(solving.MODULE).answer(submission, limits, on_progress, used)
    else:
        found = solving.solve_apart(
            submission, limits, memory=memory, cores=used, on_progress=on_progress
        )
    return Answer(submission, found.result, found.schedule, found.trace)


def _check_memory(memory: int) -> None:
    if not isinstance(memory, int) or memory <= 0:
        raise ValueError(f"memory is a number of bytes above 0, not {memory!r}")


def _checked_cores(cores: int | None) -> int:
    if cores is None:
        return solving.cores_here()
    if not isinstance(cores, int) or cores <= 0:
        raise ValueError(f"cores is a number of cores above 0, not {cores!r}")
    return cores


def _submission(problem: Any, limits: Limits, options: Mapping[str, Any]) -> Submission:
    if isinstance(problem, Submission):
        if not options:
            return problem
        problem = problem.document()
    with naming(problem, "the problem"):
        return read_submission(_loaded(problem, limits.max_body_bytes), limits, options)


def _loaded(document: Any, most: int) -> Any:
    return read_file(document, most) if isinstance(document, str | os.PathLike) else document
