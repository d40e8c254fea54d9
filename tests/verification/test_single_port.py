"""What the referee refuses where a processor takes part in one transfer at a time."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import USUAL_LIMITS, Computation, Schedule
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.odd_sets import fullest_set
from tests.kinds.task_graph.test_single_port import ring
from tests.solved import solve

F = Fraction


def working_ring(ports: str) -> dict[str, Any]:
    """Three processors that hand files around, and compute for a time unit each."""
    body = ring(3, ports)
    for task in body["problem"]["application"]["tasks"][1:]:
        task["work"] = 1
    return body


def found(body: dict[str, Any], result: Any, schedule: Schedule | None) -> set[str]:
    submission = parse_submission(body, Limits())
    try:
        submission.problem.validate(
            submission.instance, submission.options, result, schedule, USUAL_LIMITS
        )
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def working(schedule: Schedule) -> int:
    """Give the position of a computation that takes time."""
    return next(i for i, c in enumerate(schedule.computations) if c.time)


def exchanged(schedule: Schedule, place: int, *instead: Computation) -> Schedule:
    listed = list(schedule.computations)
    listed[place : place + 1] = instead
    return replace(schedule, computations=tuple(listed))


def cut_in_two(schedule: Schedule, first: Fraction) -> Schedule:
    """Run a computation in two parts, one right after the other."""
    place = working(schedule)
    whole = schedule.computations[place]
    time = whole.time * first / whole.count
    left = whole._replace(count=first, time=time)
    right = whole._replace(
        count=whole.count - first, time=whole.time - time, start=whole.start + time
    )
    return exchanged(schedule, place, left, right)


def into_a_transfer(schedule: Schedule) -> Schedule:
    """Let a processor compute in a slot in which it sends or receives."""
    place = working(schedule)
    computation = schedule.computations[place]
    slot = next(
        slot
        for slot in schedule.slots
        if any(computation.processor in transfer[:2] for transfer in slot.transfers)
    )
    return exchanged(schedule, place, computation._replace(start=slot.start))


def without_half(schedule: Schedule) -> Schedule:
    return exchanged(replace(cut_in_two(schedule, F(1, 2)), preempted=True), working(schedule))


def in_one_slot(schedule: Schedule) -> Schedule:
    """Let two transfers that meet at a processor run side by side."""
    one, two, *rest = schedule.slots
    return replace(
        schedule, slots=(one._replace(transfers=(*one.transfers, *two.transfers)), *rest)
    )


@pytest.mark.parametrize(
    ("plant", "codes"),
    [
        (lambda s: s, set()),
        (into_a_transfer, {"computes_and_transfers", "computations_overlap"}),
        (in_one_slot, {"two_transfers", "computes_and_transfers"}),
        (lambda s: cut_in_two(s, F(1, 2)), {"wrong_preempted", "part_of_file"}),
        (lambda s: replace(cut_in_two(s, F(1, 2)), preempted=True), {"part_of_file"}),
        (lambda s: cut_in_two(s, F(0)), {"empty_computation"}),
        (without_half, {"part_of_file", "wrong_computation_count"}),
    ],
)
def test_planted_faults_are_found(plant: Callable[[Schedule], Schedule], codes: set[str]) -> None:
    body = working_ring("no_overlap")
    solved = solve(body)
    assert found(body, solved.result, plant(solved.schedule)) == codes


def test_parts_of_executions_are_right_where_whole_files_were_not_asked() -> None:
    body = working_ring("no_overlap") | {"options": {"whole_files": False}}
    solved = solve(body)
    two = replace(cut_in_two(solved.schedule, F(1, 3)), preempted=True)
    assert found(body, solved.result, two) == set()


def test_computations_beside_transfers_are_right_if_only_sending_and_receiving_meet() -> None:
    body = working_ring("send_or_receive")
    solved = solve(body)
    beside = into_a_transfer(solved.schedule)
    assert "computes_and_transfers" not in found(body, solved.result, beside)
    assert found(body, solved.result, cut_in_two(solved.schedule, F(1, 2))) >= {"computed_twice"}


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("P0--P1--P2.odd", set()),
        ("P1--P0--P2.odd", {"ghost_resource", "cheap_allocation"}),
        ("P0--P1--P1.odd", {"ghost_resource", "cheap_allocation"}),
        ("P0--P1.odd", {"ghost_resource", "cheap_allocation"}),
        ("P0--P1--P9.odd", {"ghost_resource", "cheap_allocation"}),
    ],
)
def test_a_price_is_of_an_odd_number_of_processors_in_order(name: str, codes: set[str]) -> None:
    body = working_ring("send_or_receive")
    solved = solve(body)
    certificate = solved.result.certificate.model_copy(update={"prices": {name: F(1, 3)}})
    result = solved.result.model_copy(update={"certificate": certificate})
    assert found(body, result, solved.schedule) == codes


def test_rates_that_no_slots_show_keep_to_odd_sets() -> None:
    body = working_ring("send_or_receive") | {"options": {"max_period": 2}}
    solved = solve(body)
    assert solved.schedule.throughput == 0
    (allocation,) = solved.result.allocations
    faster = [allocation.model_copy(update={"rate": F(1, 2)})]
    assert "odd_set_overload" in found(
        body, solved.result.model_copy(update={"allocations": faster}), solved.schedule
    )


def master_of_a_ring() -> dict[str, Any]:
    """A master and two workers around a triangle, of which only one link is busy at a time."""
    links = [("P0", "P1"), ("P1", "P2"), ("P2", "P0")]
    problem = {
        "kind": "master_worker",
        "platform": {
            "processors": [
                {"id": "P0"},
                *({"id": p, "unit_time": 2} for p in ("P1", "P2")),
                {"id": "S", "switch": True},
            ],
            "links": [{"source": s, "target": t, "unit_time": 1} for s, t in (*links, ("P0", "S"))],
        },
        "master": "P0",
        "task": {"work": 1, "input_size": 1, "output_size": "1/2"},
        "ports": "send_or_receive",
    }
    return {"problem": problem, "options": {"max_period": 1}}


def test_a_masters_rates_that_no_slots_show_keep_to_odd_sets() -> None:
    body = master_of_a_ring()
    solved = solve(body)
    assert solved.schedule.throughput == 0
    assert found(body, solved.result, solved.schedule) == set()
    sent = [
        {"source": source, "target": target, "file": "input", "rate": F(1, 2)}
        for source, target in [*pairwise(("P0", "P1", "P2", "P0", "S")), ("P9", "P0")]
    ]
    faster = type(solved.result).model_validate(
        solved.result.model_dump() | {"sent": sent}, strict=False
    )
    assert {"odd_set_overload", "missing_link"} <= found(body, faster, solved.schedule)


def test_transfers_over_no_link_meet_no_computation() -> None:
    body = working_ring("no_overlap")
    solved = solve(body)
    first, *rest = solved.schedule.slots
    one, *others = first.transfers
    ghost = first._replace(transfers=(one._replace(receiver="P9"), *others))
    codes = found(body, solved.result, replace(solved.schedule, slots=(ghost, *rest)))
    assert "computes_and_transfers" not in codes
    assert codes


TURNED = {
    ("a", "b"): F(5, 12),
    ("a", "c"): F(1, 3),
    ("a", "d"): F(1, 6),
    ("b", "d"): F(1, 2),
    ("c", "d"): F(1, 4),
}

APART = {
    ("a", "b"): F(1, 4),
    ("a", "c"): F(1, 3),
    ("a", "d"): F(1, 3),
    ("b", "c"): F(1, 2),
    ("b", "d"): F(1, 6),
}


@pytest.mark.parametrize(
    ("shares", "members"),
    [
        ({}, None),
        ({("a", "b"): F(1), ("b", "c"): F(1, 2)}, None),
        (TURNED, frozenset("abd")),
        (APART, frozenset("abc")),
    ],
    ids=["idle", "a port has too much", "turned", "apart"],
)
def test_the_fullest_of_chosen_sets(
    shares: dict[tuple[str, str], Fraction], members: frozenset[str] | None
) -> None:
    assert fullest_set(shares) == members


@given(
    st.dictionaries(
        st.sampled_from(list(combinations("abcdef", 2))),
        st.fractions(0, F(1, 2), max_denominator=4),
    )
)
def test_the_fullest_set_is_that_of_an_enumeration(shares: dict[tuple[str, str], Fraction]) -> None:
    shares = {pair: share for pair, share in shares.items() if share}
    busiest = max((sum(s for p, s in shares.items() if v in p) for v in "abcdef"), default=0)
    shares = {pair: share / max(1, busiest) for pair, share in shares.items()}

    def excess(members: tuple[str, ...]) -> Fraction:
        inside = sum((s for pair, s in shares.items() if set(pair) <= set(members)), F(0))
        return 2 * inside - (len(members) - 1)

    vertices = sorted({v for pair in shares for v in pair})
    odd = [b for size in range(3, len(vertices) + 1, 2) for b in combinations(vertices, size)]
    worst = max(map(excess, odd), default=F(0))
    members = fullest_set(shares)
    if worst > 0:
        assert excess(tuple(sorted(members))) == worst
    else:
        assert members is None
