"""The referee of divisible_chain accepts right answers and finds every planted fault."""

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_chain import PROBLEM
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainResult
from steadygrid.kinds.divisible_chain.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.kinds.divisible_chain.solving import body, two_equal
from tests.solved import solve

F = Fraction
Change = tuple[str, Any]
"""A path through the answer, and what to put there; a function changes what is there."""


@cache
def _solved(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    document = DOCUMENTS[name]
    answer = solve(copy.deepcopy(document))
    assert answer.schedule is not None
    return document, answer.result.model_dump(mode="json"), answer.schedule.document


def with_loads(document: dict[str, Any], loads: list[dict[str, Any]]) -> dict[str, Any]:
    return {"problem": document["problem"] | {"loads": loads}}


DOCUMENTS = {
    "two": two_equal("3/4", 2),
    "three": body([1, 2, 5], [9, 2], [(1, 3), (4, 9)], 1),
    "relays": body([None, 1, None, 2], [1, 2, 3], [(1, 3), (1, 2)], 2, ports="one_port"),
    "mean": body([1, 2], [1], [(1, 3), (2, 2)], 2, objective="mean_completion", rounds=2),
    "flow": body([1, 2], [1], [(1, 3)], 2, objective="weighted_flow"),
    "simple": two_equal("3/4", None, method="simple"),
    "none": two_equal("1/2", None, method="simple"),
    "startup": body([1, 1, 1], [1, 2], [(4, 3), (0, 1)], startup="1/10", max_startup_ratio="3/2"),
    "timed": body([1, 1], [1], [(4, 3)], startup={"time": "1/10"}, max_startup_ratio="3/2"),
    "valued": body([1, 1], [1], [(4, 3)], startup={"data": "1/10"}),
    "late": body([1, 1, 1], [1, 1], [(1, 2)], availability={"P2": 100}),
    "needed": body([None, 1], [1], [(1, 0)], availability={"P2": 100}),
    "example": dict(PROBLEM.example),
    "partial": with_loads(
        body([1, None], [1], [(1, 6), (1, 12)], objective="mean_completion"),
        [
            {"id": "L1", "communication_volume": 1, "computation_volume": 6},
            {
                "id": "L2",
                "communication_volume": 1,
                "computation_volume": 12,
                "speeds": {"P2": "6/5"},
            },
        ],
    ),
    "alone": body([2], [], [(1, 1)], startup=1),
    # P2 is too late for the first load only: {P1, P2} compute the second, 37/10.
    "break": with_loads(
        body([1, None], [100], [(1, 1)], objective="mean_completion", availability={"P2": 6}),
        [
            {"id": "L1", "communication_volume": 1, "computation_volume": 1},
            {"id": "L2", "communication_volume": 1, "computation_volume": 9, "speeds": {"P2": 9}},
        ],
    ),
    "waiting": with_loads(
        body([1, 1], [1], [(1, 1)]),
        [
            {"id": "L1", "communication_volume": 1, "computation_volume": 4, "release_date": 3},
            {"id": "L2", "communication_volume": 1, "computation_volume": 4},
        ],
    ),
    # P3 computes none of L1, and many cases decide about single installments.
    "single": body([None, 1, None, 2], [1, 2, 3], [(1, 3), (1, 2)], 2, objective="mean_completion"),
    "empty": body([1], [], [(0, 0)]),
    "later": body([1], [], [(1, 1)], availability={"P1": 1}),
    "rounds": two_equal("3/4", 1, rounds=2),
    "reached": body([2], [], [(1, 1)], method="simple"),
    "weighted": with_loads(
        body([1, 2], [1], [(1, 1)], objective="weighted_flow"),
        [
            {
                "id": f"L{weight}",
                "communication_volume": 1,
                "computation_volume": 3,
                "weight": weight,
                "release_date": weight,
            }
            for weight in (1, 5)
        ],
    ),
}


def codes(name: str, *changes: Change, keep: bool = True) -> set[str]:
    """Judge an answer after some changes to it."""
    document, result, schedule = copy.deepcopy(_solved(name))
    whole = {"problem": document["problem"], "result": result, "schedule": schedule}
    for path, value in changes:
        *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
        part: Any = whole
        for step in way:
            part = part[step]
        part[last] = value(part[last]) if callable(value) else value
    submission = parse_submission({"problem": whole["problem"]}, Limits())
    timeline = Timeline.from_document(whole["schedule"]) if keep else None
    try:
        validate(
            submission.instance,
            submission.options,
            DivisibleChainResult.model_validate(whole["result"]),
            timeline,
        )
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_right_answers_are_accepted(name: str) -> None:
    assert codes(name) == set()
    without = codes(name, ("result/notes", ["stored elsewhere"]), keep=False)
    assert without == (set() if name == "empty" else {"no_schedule"})


def test_counts_that_are_not_those_of_the_events_are_refused() -> None:
    assert codes("two", ("schedule/counts/events", 1)) == {"wrong_counts"}


def test_an_answer_in_the_platform_s_other_order_is_refused() -> None:
    backwards = ("problem/platform/links/0", {"source": "P2", "target": "P1", "bandwidth": 1})
    assert codes("two", backwards) == {"wrong_chain"}
    simplex = backwards[1] | {"duplex": "simplex"}
    assert codes("two", ("problem/platform/links/0", simplex)) == {"wrong_chain"}
    both = [
        {"source": a, "target": b, "bandwidth": 1, "duplex": "simplex"}
        for a, b in (("P1", "P2"), ("P2", "P1"))
    ]
    assert codes("two", ("problem/platform/links", both)) == set()


def events(change: Callable[[list[Any]], list[Any]]) -> tuple[Change, Change]:
    """Change the events of result and schedule alike."""
    return ("result/timeline", change), ("schedule/events", change)


def event(place: int, **parts: Any) -> tuple[Change, Change]:
    return events(lambda listed: [e | parts if i == place else e for i, e in enumerate(listed)])


IDLE = {
    "start": "99",
    "end": "99",
    "kind": "transfer",
    "link": ["P2", "P1"],
    "load": "L1",
    "installment": 1,
    "share": "1",
}

PLANTED: list[tuple[str, tuple[Change, ...], str]] = [
    ("two", (("result/objective/value", "1/2"),), "below_bound"),
    ("two", (("result/objective/value", "9/10"),), "wrong_value"),
    ("two", (("result/objective/value", "1/2"),), "wrong_value"),
    ("two", (("result/objective", None),), "wrong_outcome"),
    ("two", (("result/objective/name", "mean_completion"),), "wrong_value"),
    ("two", (("result/makespan", "1/9"),), "wrong_makespan"),
    ("two", (("result/makespan", "9"),), "wrong_makespan"),
    ("two", (("result/chain", ["P2", "P1"]),), "wrong_chain"),
    ("two", (("result/chain", ["P1"]),), "wrong_chain"),
    ("three", (("result/chain", ["P1", "P3", "P2"]),), "wrong_chain"),
    ("three", (("problem/chain", ["P1", "P2"]),), "wrong_chain"),
    ("two", (("result/loads", list.__reversed__),), "wrong_loads"),
    ("two", (("result/loads/0/load", "L3"),), "wrong_loads"),
    ("two", (("result/loads/0/installments", 3),), "wrong_installments"),
    ("simple", (("result/loads/0/installments", 0),), "wrong_installments"),
    ("mean", (("result/loads/0/installments", 3),), "wrong_installments"),
    ("startup", (("result/loads/0/installments", 2),), "wrong_installments"),
    ("two", (("result/loads/0/completion", "1/9"),), "wrong_completion"),
    ("two", (("result/loads/0/completion", "9"),), "wrong_completion"),
    ("startup", (("result/loads/0/startup_ratio", "1/99"),), "wrong_ratio"),
    ("startup", (("result/loads/0/startup_ratio", "99"),), "wrong_ratio"),
    ("two", (("result/participants", ["P2", "P1"]),), "wrong_participants"),
    ("two", (("result/participants", ["P1", "P9"]),), "wrong_participants"),
    ("relays", (("result/participants", ["P1", "P2", "P4"]),), "wrong_participants"),
    ("two", (("result/shares/0/processor", "P9"),), "cannot_compute"),
    ("relays", (("result/shares/0/processor", "P3"),), "cannot_compute"),
    ("two", (("result/shares/0/installment", 7),), "cannot_compute"),
    ("two", (("result/shares/0/fraction", "0"),), "share_not_positive"),
    ("two", (("result/shares/0/fraction", "1/99"),), "load_not_whole"),
    ("two", (("result/shares/0/fraction", "1"),), "load_not_whole"),
    ("two", (("result/shares", lambda shares: [*shares, shares[0]]),), "share_twice"),
    ("two", (("result/shares", []),), "load_not_whole"),
    ("two", (("schedule/ports", "one_port"),), "wrong_ports"),
    ("relays", (("schedule/ports", "strict_one_port"),), "wrong_ports"),
    ("two", (("schedule/makespan", "1/9"),), "makespans_disagree"),
    ("two", (("schedule/makespan", "9"),), "makespans_disagree"),
    ("two", (("schedule/events/0/share", "1/99"),), "timelines_disagree"),
    ("two", (("schedule/events/0/share", "1"),), "timelines_disagree"),
    ("two", (("result/timeline/0/kind", "compute"),), "wrong_kind_of_event"),
    ("two", (("result/timeline/1/kind", "transfer"),), "wrong_kind_of_event"),
    ("two", (("result/timeline/1/processor", None),), "wrong_kind_of_event"),
    ("two", (("result/timeline/0/processor", "P1"),), "wrong_kind_of_event"),
    ("two", events(lambda listed: [listed[1], listed[0], *listed[2:][::-1]]), "events_unsorted"),
    ("two", events(lambda listed: listed[1:]), "missing_event"),
    ("two", events(lambda listed: [listed[0], *listed]), "event_twice"),
    ("two", event(0, load="L9"), "unknown_installment"),
    ("two", event(0, installment=9), "unknown_installment"),
    ("two", event(0, share="1/9"), "wrong_share"),
    ("two", event(3, start="0"), "too_early"),
    ("two", event(0, end="3"), "wrong_duration"),
    ("three", events(lambda listed: [*listed, listed[-1] | {"processor": "P2"}]), "event_twice"),
    ("mean", events(lambda listed: [*listed, IDLE]), "idle_event"),
    ("two", (("result/idle/0/idle", "1/9"),), "wrong_idle"),
    ("two", (("result/idle/0/computing", "1/99"),), "wrong_idle"),
    ("two", (("result/idle/0/computing", "99"),), "wrong_idle"),
    ("two", (("result/guarantee", None),), "wrong_guarantee"),
    ("two", (("result/guarantee/factor", 3),), "wrong_guarantee"),
    ("three", (("result/guarantee/lower_bound", "1"),), "wrong_guarantee"),
    ("relays", (("result/guarantee/factor", 3),), "wrong_guarantee"),
    ("mean", (("result/guarantee", {"factor": 2, "lower_bound": None}),), "wrong_guarantee"),
    ("startup", (("result/makespan_with_startup", "1/99"),), "wrong_startup"),
    ("startup", (("result/makespan_with_startup", "99"),), "wrong_startup"),
    ("two", (("result/makespan_with_startup", "1"),), "wrong_startup"),
    ("simple", (("result/outcome", "infeasible"),), "never_infeasible"),
    ("simple", (("result/outcome", "infeasible"),), "wrong_outcome"),
    ("simple", (("result/outcome", "unknown"),), "never_unknown"),
    ("simple", (("result/outcome", "unknown"),), "wrong_outcome"),
    ("late", (("result/participants", ["P1", "P2", "P3"]),), "wrong_participants"),
    ("late", (("problem/availability", {}),), "cheap_share"),
    ("needed", (("problem/availability", {}),), "prices_miss_bound"),
    ("needed", (("problem/availability", {"P2": 99}),), "prices_miss_bound"),
    ("break", (("result/cases", lambda cases: cases[1:]),), "cases_missing"),
    ("break", (("result/cases", lambda cases: cases[:1]),), "cases_missing"),
    ("break", (("result/cases", lambda cases: cases * 300),), "too_many_cases"),
    ("break", (("result/cases", []),), "prices_miss_bound"),
    ("break", (("result/cases/0/closing", ["L9"]),), "unknown_case"),
    ("break", (("result/cases/0/closing", ["L1"]),), "unknown_case"),
    ("break", (("result/cases/0/overtaking", ["L2"]),), "unknown_case"),
    ("break", (("result/cases/0/computes/0/processor", "P9"),), "unknown_case"),
    ("break", (("result/cases/0/computes/0/processor", "P1"),), "cases_missing"),
    ("break", (("result/cases/0/computes/0/load", "L1"),), "unknown_case"),
    ("break", (("result/cases/0/computes/0/load", "L9"),), "unknown_case"),
    ("break", (("result/cases/0/computes/0/installment", 2),), "unknown_case"),
    ("break", (("result/cases/0/computes", lambda groups: groups * 2),), "unknown_case"),
    ("break", (("result/cases/0/prices", {}),), "prices_miss_bound"),
    ("break", (("result/certificate/prices", {"load1.whole": "1"}),), "stray_cases"),
    ("break", (("result/bound_source", "resources"),), "stray_cases"),
    ("break", (("result/certificate", {"type": "none"}),), "stray_cases"),
    ("break", (("problem/availability", {}),), "prices_miss_bound"),
    ("break", (("problem/availability", {"P2": 1_000_000}),), "too_early"),
    ("break", (("problem/rounds", 2),), "wrong_installments"),
    ("simple", (("result/certificate/prices", {"P9.compute": "1"}),), "ghost_resource"),
    ("simple", (("result/certificate/prices", {"P1.compute": "2"}),), "dear_resources"),
    ("simple", (("result/certificate/prices", {"P1.compute": "1"}),), "prices_miss_bound"),
    ("two", (("result/certificate/prices", {}),), "prices_miss_bound"),
    ("two", (("result/certificate/prices", {"processor1.makespan": "2"}),), "dear_objective"),
    ("flow", (("result/certificate/prices", {"load1.processor1.installment2.completed": "2"}),), "dear_objective"),
    ("two", (("result/certificate/prices", {"link1.installment2.follows": "2"}),), "dear_start"),
    ("two", (("result/certificate/prices", {"load1.whole": "2"}),), "cheap_share"),
    ("two", (("result/certificate/prices", {"link1.installment1.released": "1"}),), "dear_start"),
    ("two", (("result/certificate/prices", {"load1.whole": F(-1)}),), "prices_miss_bound"),
    ("two", (("result/certificate/prices", {"load1.whole": F(-1)}),), "negative_price"),
    ("two", (("result/certificate/prices", {"processor1.makespan": F(-1)}),), "negative_price"),
    ("simple", (("result/certificate/prices", {"P1.compute": F(-1)}),), "negative_price"),
    ("two", (("result/bound/value", "1/2"),), "prices_miss_bound"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "code"), PLANTED)
def test_a_planted_fault_is_found(name: str, changes: tuple[Change, ...], code: str) -> None:
    assert code in codes(name, *changes)


@pytest.mark.parametrize(
    "ghost",
    [
        "processor9.makespan",
        "load1.processor1.installment1.completed",
        "alone.load1.processor1.installment1.completed",
        "alone.link1.installment1.released",
        "alone.processor1.makespan",
        "link2.installment1.released",
        "load9.whole",
        "link9.installment1.follows",
        "link1.installment9.follows",
        "link1.installment1.follows",
        "link1.installment1.arrives",
        "link1.installment1.forwarded",
        "link1.installment2.received",
        "processor1.installment1.received",
        "processor1.installment1.follows",
        "processor1.installment1.arrives",
        "processor9.installment1.available",
        "processor0.makespan",
        "P1.compute",
        "",
    ],
)
def test_a_constraint_that_the_program_has_not_is_named(ghost: str) -> None:
    assert "ghost_constraint" in codes(
        "two", ("result/certificate/prices", lambda prices: prices | {ghost: "1"})
    )


def test_no_answer_is_an_answer_of_one_method_only() -> None:
    document = two_equal("1/2", None, method="multi_installment")
    answer = solve(document)
    submission = parse_submission(document, Limits())
    result = answer.result.model_copy(update={"notes": []})
    for changed, ok in ((answer.result, True), (result, False)):
        try:
            validate(submission.instance, submission.options, changed, None)
            accepted = True
        except InvalidScheduleError:
            accepted = False
        assert accepted == ok


@pytest.mark.parametrize("part", ["shares", "timeline", "makespan"])
def test_no_answer_has_no_part_of_one(part: str) -> None:
    document = two_equal("1/2", None, method="multi_installment")
    asked, nothing = parse_submission(document, Limits()), solve(document).result
    _, whole, _ = _solved("two")
    told = nothing.model_dump(mode="json") | {part: whole[part]}
    with pytest.raises(InvalidScheduleError) as refused:
        validate(asked.instance, asked.options, DivisibleChainResult.model_validate(told), None)
    assert {fault.code for fault in refused.value.faults} == {"wrong_outcome"}


def test_a_bound_without_certificate_is_none() -> None:
    changes: tuple[Change, ...] = (
        ("result/outcome", "feasible"),
        ("result/certificate", {"type": "none"}),
        ("result/bound/exact", False),
        ("result/proof", "none"),
    )
    assert codes("two", *changes) == {"unproved_bound"}
    assert "unproved_bound" in codes("two", *changes[:2])


def test_a_bound_of_0_needs_no_prices_even_where_all_processors_are_late() -> None:
    changes: tuple[Change, ...] = (
        ("result/outcome", "feasible"),
        ("result/bound", {"value": "0", "approx": 0.0, "exact": True}),
        ("result/certificate/prices", {}),
    )
    assert codes("later", *changes) == {"wrong_guarantee"}
    unproved = ("result/guarantee/lower_bound", None)
    assert codes("later", *changes, unproved) == set()


def test_what_a_processor_cannot_compute_is_no_constraint() -> None:
    for ghost in ("processor3.makespan", "processor1.installment1.available"):
        assert "ghost_constraint" in codes(
            "relays", ("result/certificate/prices", lambda prices, g=ghost: prices | {g: "1"})
        )


@pytest.mark.parametrize(
    ("case", "ghost"),
    [
        (0, "load1.processor2.installment1.completed"),
        (0, "load3.processor1.installment1.completed"),
        (1, "load2.processor2.installment2.completed"),
        (1, "processor2.installment2.received"),
        (2, "load2.processor1.installment2.completed"),
        (0, "alone.load2.processor1.installment1.completed"),
        (0, "alone.processor2.installment2.available"),
        (0, "alone.processor1.installment2.follows"),
        (0, "alone.link1.installment2.follows"),
        (0, "processor1.makespan"),
    ],
)
def test_a_constraint_that_does_not_hold_in_a_case_is_named(case: int, ghost: str) -> None:
    path = f"result/cases/{case}/prices"
    found = codes("break", (path, lambda prices: prices | {ghost: "1"}))
    assert "ghost_constraint" in found


def test_the_answer_to_another_availability_is_refused() -> None:
    """With P2 late for ever, P1 computes all: 11/2. Available at once it is far better."""
    late = body([1, 9], [100], [(1, 1), (1, 9)], objective="mean_completion")
    submission = parse_submission(late, Limits())
    late["problem"]["availability"] = {"P2": 1_000_000}
    answer = solve(late)
    assert answer.result.objective is not None
    assert answer.result.objective.value == F(11, 2)
    assert isinstance(answer.schedule, Timeline)
    assert isinstance(answer.result, DivisibleChainResult)
    with pytest.raises(InvalidScheduleError):
        validate(submission.instance, submission.options, answer.result, answer.schedule)


def test_a_processor_has_to_take_part_for_the_price_of_its_availability() -> None:
    """A price that would prove 11/2: that L1 waits for P2, which computes nothing of it."""
    cheat = {
        "load1.processor2.installment1.completed": "1/2",
        "load2.processor2.installment2.completed": "1/2",
        "processor2.installment1.available": "1/2",
        "processor2.installment2.available": "1/2",
    }
    found = codes(
        "break",
        ("result/cases", []),
        ("result/certificate/prices", cheat),
        ("result/bound/value", "6"),
    )
    assert "ghost_constraint" in found


def test_prices_of_a_case_without_any_schedule_are_idle() -> None:
    document = body([None, 1], [1], [(1, 1), (1, 1)], objective="mean_completion")
    name = "forced"
    DOCUMENTS[name] = document
    both = {"processor": "P2", "load": "L2", "installment": 1}
    whole = codes_of_cases(name, [("computes", both, None), ("skips", both, {})])
    assert whole == set()
    idle = codes_of_cases(name, [("computes", both, None), ("skips", both, {"load1.whole": "0"})])
    assert idle == {"idle_prices"}


def codes_of_cases(
    name: str, cases: list[tuple[str, dict[str, Any], dict[str, str] | None]]
) -> set[str]:
    """Judge an answer whose certificate is told by cases; None stands for its own prices."""
    _, result, _ = _solved(name)
    own = result["certificate"]["prices"] or result["cases"][0]["prices"]
    empty: dict[str, Any] = {"computes": [], "skips": [], "closing": [], "overtaking": []}
    told = [
        empty | {side: [group], "prices": own if prices is None else prices}
        for side, group, prices in cases
    ]
    return codes(name, ("result/certificate/prices", {}), ("result/cases", told))
