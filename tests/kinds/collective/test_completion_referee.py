"""What the referee asks of a completion: a right answer, and one thing changed in it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective
from steadygrid.kinds.collective.execution import MOST_PIECES, CompletionCutCertificate
from tests.kinds.collective.bodies import F
from tests.kinds.collective.boxes import boxes, once, pair, ring
from tests.verification.answers import Answer, answered


@cache
def gathered() -> Answer:
    return answered(once(boxes(2, each=2), "allgather", size="1/1000"))


@cache
def reduced() -> Answer:
    return answered(once(ring(4), "allreduce", size=1))


@cache
def sent() -> Answer:
    return answered(once(pair(), "broadcast", source="A", size=6))


@cache
def series() -> Answer:
    problem = once(pair(), "broadcast", source="A", size=6)
    problem["problem"]["objective"] = "throughput"
    return answered(problem)


RIGHT = (gathered, reduced, sent, series)
PLAN = "result/plan"
CUT = "result/certificate"
FIRST = "result/allocations/0"


@pytest.mark.parametrize("answer", RIGHT)
def test_right_answers_are_accepted(answer: Callable[[], Answer]) -> None:
    assert answer().faults() == []


def bound(value: Any) -> Callable[[Any], Bound]:
    return lambda given: Bound.from_value(value(given.value), exact=True)


def without_second(listed: list[Any]) -> list[Any]:
    return [listed[0], *listed[2:]]


PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("wrong_completion", gathered, f"{PLAN}/pieces", lambda pieces: pieces + 1),
    ("wrong_completion", gathered, f"{PLAN}/instances", 3),
    ("wrong_completion", reduced, f"{PLAN}/pieces", lambda pieces: pieces + 1),
    ("wrong_completion", sent, "instance/execution", {"step_time": 1}),
    ("wrong_blocks", gathered, f"{PLAN}/blocks", 1),
    ("wrong_plan", gathered, f"{PLAN}/pieces", 0),
    ("wrong_plan", gathered, f"{PLAN}/instances", -1),
    ("wrong_plan", gathered, f"{PLAN}/chunk", F(0)),
    ("wrong_plan", gathered, PLAN, None),
    ("wrong_plan", series, PLAN, sent),
    ("no_whole_chunks", gathered, f"{PLAN}/chunk", F(1, 7)),
    ("no_whole_chunks", gathered, f"{FIRST}/rate", F(0)),
    ("unknown_message", gathered, f"{FIRST}/message", "nothing"),
    ("wrong_sum", gathered, f"{FIRST}/rate", lambda rate: 2 * rate),
    ("too_many_pieces", gathered, f"{PLAN}/pieces", MOST_PIECES),
    ("wrong_bandwidth", gathered, "result/algorithmic_bandwidth", F(1)),
    ("below_bound", sent, "result/objective", Objective.completion(F(0))),
    ("wrong_objective", gathered, "result/objective/name", "makespan"),
    ("wrong_objective", gathered, "result/objective/name", "throughput"),
    ("wide_cut", gathered, "result/bound", bound(lambda value: value * F(1001, 1000))),
    ("wide_cut", sent, "result/bound", bound(lambda value: value + F(1, 10**6))),
    ("below_bound", sent, "result/bound", bound(lambda value: value + F(1, 10**6))),
    ("unknown_processor", sent, f"{CUT}/processors", ["A", "C"]),
    ("unknown_processor", sent, f"{CUT}/sources", ["C"]),
    ("wrong_side", sent, f"{CUT}/processors", ["B"]),
    ("wrong_side", sent, f"{CUT}/receivers", ["A"]),
    ("proves_nothing", sent, f"{CUT}/receivers", []),
    ("proves_nothing", sent, f"{CUT}/sources", []),
    ("wrong_certificate", sent, CUT, DualityCertificate()),
    (
        "wrong_certificate",
        series,
        CUT,
        CompletionCutCertificate(processors=["A"], sources=["A"], receivers=["B"]),
    ),
    ("file_does_not_move", reduced, f"{FIRST}/transfers", without_second),
    ("not_optimal", gathered, "result/outcome", "optimal"),
    ("not_feasible_only", sent, "result/outcome", "feasible"),
    ("no_schedule", sent, "result/notes", []),
    ("schedule_of_once", sent, "schedule", lambda _: series().schedule),
]


@pytest.mark.parametrize(("code", "answer", "place", "value"), PLANTED)
def test_what_is_wrong_is_found(
    code: str, answer: Callable[[], Answer], place: str, value: Any
) -> None:
    if value is sent:
        value = sent().result.plan
    if place == "instance/execution":
        value = type(sent().instance.execution_settings).model_validate(value)
    if isinstance(value, str) and place == "result/outcome":
        value = type(answer().result.outcome)(value)
    assert code in answer().change(place, value).codes()


def test_no_time_but_that_of_the_replay_is_accepted() -> None:
    result = gathered().result
    value, bandwidth = 2 * result.objective.value, result.algorithmic_bandwidth / 2
    told = {
        "objective": Objective.completion(value),
        "gap": value / result.bound.value - 1,
        "algorithmic_bandwidth": bandwidth,
    }
    slower = gathered()._replace(result=result.model_copy(update=told))
    assert slower.codes() == {"wrong_completion"}


@pytest.mark.parametrize(
    ("member", "end"), [("bandwidth_out", 0), ("bandwidth_in", 1), ("bandwidth_in", 0)]
)
def test_a_bandwidth_of_a_processor_proves_as_much_as_a_link(member: str, end: int) -> None:
    platform = pair()
    platform["processors"][end][member] = 1
    told = answered(once(platform, "broadcast", source="A", size=4))
    limited = (member, end) != ("bandwidth_in", 0)
    assert told.result.bound.value == F(1, 4) + (4 if limited else 2)
    assert told.faults() == []
    more = told.change("result/bound", bound(lambda value: value + F(1, 10**6)))
    assert "wide_cut" in more.codes()


def test_paths_that_form_a_cycle_are_no_tree() -> None:
    def round_and_round(listed: list[Any]) -> list[Any]:
        last = listed[-1]
        return [*listed, last.model_copy(update={"path": last.path[::-1]})]

    told = gathered().change(f"{FIRST}/transfers", round_and_round)
    assert "not_one_tree" in told.codes()


def test_a_path_of_no_processors_is_no_tree() -> None:
    told = gathered().change(f"{FIRST}/transfers/0/path", [])
    assert "not_one_tree" in told.codes()


def test_only_participants_copy() -> None:
    # In a series B may copy; in a program it does not take part, and only forwards.
    platform = ring(3)
    problem = once(platform, "multicast", source="P0", targets=["P1"])
    right = answered(problem)
    detour = ["P0", "P2"], ["P2", "P1"]

    def over_the_third(listed: list[Any]) -> list[Any]:
        return [listed[0].model_copy(update={"path": list(path)}) for path in detour]

    assert right.change(f"{FIRST}/transfers", over_the_third).faults()
