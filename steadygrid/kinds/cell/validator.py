"""The exact referee of `cell`; shares no code with what solves it."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError, Pointer
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, Schedule, ScheduleLimits
from steadygrid.kinds.cell.referee_search import cheapest, filled_in_order, mapping_exists
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.referee_word import beaten_by
from steadygrid.kinds.cell.schemas import CellInstance, CellResult
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.prices import check_prices
from steadygrid.verification.promises import earliest_by_rate
from steadygrid.verification.steady import views_of_one_application

_REFERENCES = frozenset({"greedy", "ppe_only"})
_AT: Pointer = ("result",)


def validate(
    instance: CellInstance,
    options: Options,
    result: CellResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` and the options of schedules are read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    limits
        How long an exact schedule may become before its period is bounded.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ====================================================================== =====================
    1  outcome, value, bound, gap and certificate go together                 see `check_envelope`
    2  without a value there is no mapping, and nothing that follows from one `wrong_outcome`
    3  what is ``infeasible`` has no mapping: that is proved anew, by search  `not_infeasible`
    4  this search takes a sensible number of steps                           `not_proved`
    5  what is ``unknown`` has no mapping by its method                       `something_found`
    6  the prices are of resources, not negative, and sum to the bound        see `check_prices`
    7  at them an instance costs at least 1                                   `cheap_mapping`
    8  every task is mapped                                                   `missing_task`
    9  nothing else is                                                        `unknown_task`
    10 a task is on a core that there is                                      `unknown_core`
    11 the core has a time for it                                             `task_not_allowed`
    12 ``greedy`` puts tasks where Algorithm 7 does                           `not_greedy`
    13 ``ppe_only`` puts all tasks on the first PPE                           `not_on_ppe`
    14 no mapping of a reference, or that the referee finds, beats a bound    `bound_beaten`
       that rests on a search
    15 the buffers on an SPE fit into its local store, (7.1h)                 `no_room`
    16 `local_store` is what the mapping makes it                             `wrong_local_store`
    17 a core fetches no more files than it can, (7.1i) and (7.1j)            `too_many_calls`
    18 `dma` is what the mapping makes it                                     `wrong_dma`
    19 the period is the longest time that an instance takes of a resource,   `wrong_period`
       (7.1d) to (7.1g)
    20 the value is 1 over it                                                 `wrong_value`
    21 `occupation` lists these times, the longest first                      `wrong_occupation`
    22 the bottleneck is the first of them                                    `wrong_bottleneck`
    23 first periods are those of Theorem 7.1                                 `wrong_first_periods`
    24 `buffers` are those of section 7.2.2                                   `wrong_buffers`
    25 each speed-up is the period of the reference over that of the mapping  `wrong_speed_up`
    26 the schedule has one allocation                                        `not_one_mapping`
    27 that is the mapping                                                    `other_mapping`
    28 every file goes from its core straight to the other's                  `detour`
    29 a value has a schedule                                                 `no_schedule`
    30 the schedule is right                                                  see `verify_answer`
    == ====================================================================== =====================

    Rule 7: what takes T of every resource is worth T times their prices, so no period is shorter
    than 1 over the sum of these, see `cheapest`. Rule 14: see `beaten_by`. Rule 30: the latency is
    the last of the first periods; reads and writes fit at the same time as the transfers because a
    period is never shorter than rule 19 says.
    """
    findings = Findings()
    view = RefereeView(instance)
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        options.mip_gap,
        may_find_nothing=_REFERENCES,
    )
    if result.objective is None:
        _check_nothing(view, result, findings)
    if result.bound is not None and result.certificate.type == "lp_duality":
        _check_certificate(view, result.certificate.prices, result.bound.value, findings)
    sound = result.objective is not None and check_mapping(view, result, findings)
    if result.bound is not None and not result.bound.exact and result.bound.value > 0:
        _check_word(view, result.mapping if sound else {}, result.bound.value, findings)
    if sound and result.objective is not None:
        check_limits(view, result, findings)
        _check_period(view, result, result.objective.value, findings)
        _check_first_periods(view, result, findings)
        _check_speed_up(view, result, findings)
        if schedule is not None:
            check_agreement(view, result, schedule, findings)
    if schedule is None and result.objective is not None:
        findings.add(("schedule",), "no_schedule", "There is a mapping, but no schedule.")
    if schedule is not None and result.objective is not None:
        verify_answer(
            views_of_one_application(view.steady(schedule)),
            schedule,
            findings,
            result.objective.value,
            options,
            result.notes,
            limits,
            earliest=earliest_by_rate(result.bound),
        )
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_nothing(view: RefereeView, result: CellResult, findings: Findings) -> None:
    parts = (
        result.period,
        result.bottleneck,
        result.mapping,
        result.first_periods,
        result.buffers,
        result.local_store,
        result.dma,
        result.occupation,
        result.speed_up.ppe_only,
        result.speed_up.greedy,
    )
    if any(part is not None and part not in ([], {}) for part in parts):
        findings.add(_AT, "wrong_outcome", "There is no value, but parts of a mapping.")
    if result.outcome is Outcome.INFEASIBLE:
        exists = mapping_exists(view)
        if exists is not False:
            code, what = (
                ("not_infeasible", "The instance is not infeasible: there is a mapping.")
                if exists
                else ("not_proved", "Whether there is a mapping takes more steps than is sensible.")
            )
            findings.add((*_AT, "outcome"), code, what)
    if result.outcome is Outcome.UNKNOWN and result.method in _references(view):
        findings.add(
            (*_AT, "outcome"), "something_found", f"{result.method} does find a mapping here."
        )


def _references(view: RefereeView) -> dict[str, dict[str, str]]:
    """Give the mappings of the references that have one, by method."""
    found = {}
    if _runs_on_one_ppe(view):
        found["ppe_only"] = dict.fromkeys(view.tasks, "PPE1")
    filled = filled_in_order(view)
    if filled is not None:
        found["greedy"] = filled
    return found


def _runs_on_one_ppe(view: RefereeView) -> bool:
    return bool(view.ppes) and all(task.time_ppe is not None for task in view.tasks.values())


def _check_certificate(
    view: RefereeView, listed: Mapping[str, Fraction], bound: Fraction, findings: Findings
) -> None:
    at = (*_AT, "certificate", "prices")
    network = view.steady(None).network
    if check_prices(network, set(view.cores), listed, bound, findings, at) is None:
        return
    cost = cheapest(view, listed)
    if cost < 1:
        findings.add(
            at,
            "cheap_mapping",
            f"At these prices an instance may cost {show(cost)}, less than 1: they do not prove"
            " the bound.",
        )


def _check_word(
    view: RefereeView, mapped: Mapping[str, str], bound: Fraction, findings: Findings
) -> None:
    for name, mapping in _references(view).items():
        period = max(view.occupation(mapping).values(), default=Fraction(0))
        if period * bound < 1:
            _refuse_word(bound, name, period, findings)
            return
    found = beaten_by(view, mapped, 1 / bound)
    if found is not None:
        _refuse_word(bound, "another one", found, findings)


def _refuse_word(bound: Fraction, name: str, period: Fraction, findings: Findings) -> None:
    findings.add(
        (*_AT, "bound"),
        "bound_beaten",
        f"The search says that no mapping does more than {show(bound)}, but {name} has the"
        f" period {show(period)}.",
    )


def check_mapping(view: RefereeView, result: CellResult, findings: Findings) -> bool:
    """Check rules 8 to 13 of `validate`.

    Parameters
    ----------
    view
        Of the instance.
    result
        The answer.
    findings
        Collects the faults that are found.

    Returns
    -------
    bool
        Whether every task has a core that can run it.
    """
    at = (*_AT, "mapping")
    sound = True

    def refuse(code: str, sentence: str) -> None:
        nonlocal sound
        sound = False
        findings.add(at, code, sentence)

    for task in sorted(view.tasks.keys() ^ result.mapping.keys()):
        if task in view.tasks:
            refuse("missing_task", f"Task {task!r} is on no core.")
        else:
            refuse("unknown_task", f"There is no task {task!r}.")
    for task in view.tasks.keys() & result.mapping.keys():
        core = result.mapping[task]
        if core not in view.cores:
            refuse("unknown_core", f"Task {task!r} is on {core!r}, which does not exist.")
        elif view.time(task, core) is None:
            refuse("task_not_allowed", f"Task {task!r} is on {core!r}, which cannot run it.")
    if not sound:
        return False
    if view.instance.method == "greedy" and result.mapping != filled_in_order(view):
        findings.add(at, "not_greedy", "This is not where Algorithm 7 puts the tasks.")
    if view.instance.method == "ppe_only" and set(result.mapping.values()) != {"PPE1"}:
        findings.add(at, "not_on_ppe", "A task is not on the first PPE.")
    return True


def check_limits(view: RefereeView, result: CellResult, findings: Findings) -> None:
    """Check rules 15 to 18 of `validate`.

    Parameters
    ----------
    view
        Of the instance.
    result
        The answer.
    findings
        Collects the faults that are found.
    """
    store = view.instance.machine.local_store
    used = {
        spe: sum(
            (view.needs[task] for task, core in result.mapping.items() if core == spe), Fraction(0)
        )
        for spe in view.spes
    }
    for spe, room in used.items():
        if room > store:
            findings.add(
                (*_AT, "local_store"),
                "no_room",
                f"The buffers on {spe} need {show(room)} of {show(store)}.",
            )
    listed = [(use.core, use.used, use.of) for use in result.local_store]
    _check_list("local_store", listed, [(spe, room, store) for spe, room in used.items()], findings)
    calls = view.calls(result.mapping)
    for (core, source), number in calls.items():
        if number > view.most_calls(core):
            findings.add(
                (*_AT, "dma"),
                "too_many_calls",
                f"{core} fetches {number} files"
                f"{'' if source is None else f' from {source}'} and can {view.most_calls(core)}.",
            )
    _check_list(
        "dma",
        [(use.core, use.source, use.calls, use.of) for use in result.dma],
        [(core, source, n, view.most_calls(core)) for (core, source), n in calls.items()],
        findings,
    )


def _check_list(
    name: str, listed: Iterable[object], right: Iterable[object], findings: Findings
) -> None:
    """Compare a list of the result with what it must hold, in any order."""
    if sorted(map(repr, listed)) != sorted(map(repr, right)):
        findings.add((*_AT, name), f"wrong_{name}", f"{name} is not what the mapping makes it.")


def _check_period(
    view: RefereeView, result: CellResult, value: Fraction, findings: Findings
) -> None:
    times = view.occupation(result.mapping)
    period = max(times.values(), default=Fraction(0))
    if result.period != period:
        findings.add(
            (*_AT, "period"), "wrong_period", f"An instance takes {show(period)} of some resource."
        )
    if value * period != 1:
        findings.add(
            (*_AT, "objective"),
            "wrong_value",
            f"The value is not 1 over the period {show(period)}.",
        )
    ranked = sorted(times.items(), key=lambda entry: (-entry[1], entry[0]))
    if [(use.resource, use.time) for use in result.occupation] != ranked:
        findings.add(
            (*_AT, "occupation"), "wrong_occupation", "occupation is not what the mapping makes it."
        )
    if result.bottleneck != (ranked[0][0] if ranked else None):
        findings.add(
            (*_AT, "bottleneck"), "wrong_bottleneck", "The bottleneck is another resource."
        )


def _check_first_periods(view: RefereeView, result: CellResult, findings: Findings) -> None:
    if result.first_periods != view.first:
        findings.add(
            (*_AT, "first_periods"), "wrong_first_periods", "first_periods break Theorem 7.1."
        )
    right = [
        (file, view.first[file[1]] - view.first[file[0]], room)
        for file, room in view.buffers.items()
    ]
    listed = [(buffer.file, buffer.instances, buffer.data) for buffer in result.buffers]
    _check_list("buffers", listed, right, findings)


def _check_speed_up(view: RefereeView, result: CellResult, findings: Findings) -> None:
    found = _references(view)
    for name in sorted(_REFERENCES):
        claimed, mapping = getattr(result.speed_up, name), found.get(name)
        reference = (
            None if mapping is None else max(view.occupation(mapping).values(), default=Fraction(0))
        )
        right = (
            reference is None
            if claimed is None
            else result.period is not None and claimed * result.period == reference
        )
        if not right:
            findings.add(
                (*_AT, "speed_up", name),
                "wrong_speed_up",
                f"{name} has no mapping."
                if reference is None
                else f"{name} has the period {show(reference)}.",
            )


def check_agreement(
    view: RefereeView, result: CellResult, schedule: Schedule, findings: Findings
) -> None:
    """Check rules 26 to 28 of `validate`.

    Parameters
    ----------
    view
        Of the instance.
    result
        The answer.
    schedule
        Of the answer.
    findings
        Collects the faults that are found.
    """
    at: Pointer = ("schedule", "allocations")
    if len(schedule.allocations) != 1:
        findings.add(at, "not_one_mapping", "The schedule must have one allocation, the mapping.")
        return
    (allocation,) = schedule.allocations
    if {task: (core,) for task, core in result.mapping.items()} != dict(allocation.tasks):
        findings.add(at, "other_mapping", "The schedule's allocation is not the mapping.")
    for transfer in allocation.transfers:
        if len(transfer.path) > 2:
            findings.add(
                at,
                "detour",
                f"File {transfer.file!r} takes {list(transfer.path)}, and the bus joins all cores.",
            )
