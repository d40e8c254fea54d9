"""Pipelines that are computed by hand, and two that other programs have solved."""

import copy
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from tests.kinds.layer_pipeline import bodies
from tests.kinds.layer_pipeline.bodies import alike, body, layers
from tests.kinds.layer_pipeline.solving import least_of, least_of_all, period
from tests.solved import solve

F = Fraction


@pytest.mark.parametrize(
    ("document", "due"),
    [
        (bodies.A, 3),
        (bodies.B, 6),
        (bodies.C, 8),
        (bodies.D, F(11, 3)),
        (bodies.E, F(5, 3)),
        (bodies.F, 3),
        (bodies.G, F(17, 2)),
        (bodies.H, F(5, 2)),
    ],
)
def test_the_period_is_the_one_computed_by_hand(document: Any, due: Fraction) -> None:
    assert period(document) == due
    assert least_of_all(document) == due


def test_one_layer_alone_takes_its_two_passes() -> None:
    result, schedule = solve(body(alike(1), {"count": 1}))
    assert (result.period, result.latency, result.batch_time) == (3, 3, 3)
    assert result.limiting == ["stage 1 compute"]
    assert [row.start for row in schedule.rows] == [0, 1]


def test_stages_alike_keep_one_more_data_set_each_towards_the_front() -> None:
    result, _ = solve(_given(bodies.A, [("a", "a", 1), ("b", "b", 1), ("c", "c", 1)]))
    assert result.period == 3
    assert [stage.in_flight for stage in result.stages] == [3, 2, 1]


def test_with_transfers_stages_keep_more_than_one_more() -> None:
    """Three stages on one copy each, transfers as long as a period: 7, 4 and 1."""
    document = body(alike(3, output=3), {"count": 3, "memory": 8}, bandwidth=1)
    result, _ = solve(_given(document, [("a", "a", 1), ("b", "b", 1), ("c", "c", 1)]))
    assert result.period == 3
    assert [stage.in_flight for stage in result.stages] == [7, 4, 1]


def test_a_round_trip_that_is_a_multiple_of_the_turn_does_not_wait() -> None:
    """The second stage takes the two periods that the first one's passes leave between them."""
    document = body(
        layers(
            {"forward": 1, "backward": 2, "in_flight": 1, "memory": 0},
            {"forward": 2, "backward": 1},
        ),
        {"count": 2, "memory": 2},
    )
    result, _ = solve(_given(document, [("a", "a", 1), ("b", "b", 1)]))
    assert (result.period, result.latency) == (3, 6)
    assert result.stages[0].in_flight == 2


def test_a_reduction_is_once_per_update_and_over_copies_of_a_ring() -> None:
    document = body(
        alike(1, weights=12), {"count": 3, "reduce_bandwidth": 1}, update_every=2, method="evaluate"
    )
    document["problem"]["stages"] = [{"layers": ["a", "a"], "device": "gpu", "replicas": 3}]
    result, _ = solve(document)
    assert result.stages[0].reduce_time == 2 * F(2, 3) * 12
    assert result.period == 8
    assert result.limiting == ["reduce 1"]
    # The second data set begins after 8, takes 3, and the reduction 16.
    assert result.batch_time == 8 + 3 + 16


def test_boundaries_are_as_fast_as_the_fewer_copies() -> None:
    document = body(alike(2, output=6), {"count": 4}, bandwidth=1)
    for copies, due in (((1, 3), 6), ((2, 2), 3), ((3, 1), 6)):
        given = [("a", "a", copies[0]), ("b", "b", copies[1])]
        result, _ = solve(_given(document, given))
        assert result.period == due
        assert result.limiting == ["boundary 1"]


def test_skips_are_passed_on_by_every_boundary_before_their_target() -> None:
    document = body(
        layers(*({"forward": 1} for _ in range(4))),
        {"count": 4},
        bandwidth=1,
        skips=[{"source": "a", "target": "c", "size": 5}],
    )
    given = [("a", "a", 1), ("b", "b", 1), ("c", "c", 1), ("d", "d", 1)]
    result, schedule = solve(_given(document, given))
    assert result.period == 5
    assert result.limiting == ["boundary 1", "boundary 2"]
    assert [row.time for row in schedule.rows] == [1, 5, 1, 5, 1, 1]


def test_times_of_a_device_type_stand_for_its_speed() -> None:
    device_types = [
        {"id": "x", "count": 1, "times": {"a": [1, 2], "b": [9, 9]}},
        {"id": "y", "count": 1, "times": {"a": [9, 9], "b": [2, 1]}},
    ]
    result, _ = solve(body(alike(2), device_types))
    assert result.period == 3
    assert [stage.device for stage in result.stages] == ["x", "y"]


def test_of_plans_with_this_period_few_devices_are_taken() -> None:
    result, _ = solve(body(layers({"forward": 4}, {"forward": 1}), {"count": 5}, max_replicas=1))
    assert [(stage.layers, stage.replicas) for stage in result.stages] == [
        (("a", "a"), 1),
        (("b", "b"), 1),
    ]
    result, _ = solve(body(layers({"forward": 4}), {"count": 5}, max_replicas={"a": 3}))
    assert [(stage.layers, stage.replicas) for stage in result.stages] == [(("a", "a"), 3)]


def test_a_plan_that_was_given_may_not_fit() -> None:
    document = _given(bodies.A, [("a", "c", 1)])
    document["problem"]["devices"][0]["memory"] = 3
    result, schedule = solve(document)
    assert result.outcome is Outcome.INFEASIBLE
    assert schedule is None


@pytest.mark.parametrize(
    ("number", "devices", "device_types", "due"),
    [
        (24, 8, 8, F(34, 7)),
        (48, 8, 2, F(214, 13)),
        (96, 16, 4, F(25, 2)),
        (48, 16, 16, F(141, 49)),
        (128, 64, 2, F(59, 10)),
    ],
)
def test_chains_without_copies_have_the_periods_of_intervals(
    number: int, devices: int, device_types: int, due: Fraction
) -> None:
    """As a program for intervals has found, over the processors of each device type that are in use."""
    document = bodies.intervals(number, devices, device_types)
    result, _ = solve(document)
    assert result.outcome is Outcome.OPTIMAL
    assert result.period == due


def _given(document: Any, stages: list[tuple[str, str, int]]) -> Any:
    listed = [
        {"layers": [first, last], "device": "gpu", "replicas": copies}
        for first, last, copies in stages
    ]
    return {
        "problem": copy.deepcopy(document["problem"]) | {"stages": listed, "method": "evaluate"}
    }


def test_evaluate_finds_the_least_period_of_a_plan() -> None:
    for stages in (
        [("a", "a", 1), ("b", "c", 1)],
        [("a", "b", 2), ("c", "c", 1)],
        [("a", "b", 1), ("c", "c", 2)],
        [("a", "a", 1), ("b", "b", 1), ("c", "c", 1)],
    ):
        document = _given(bodies.D, stages)
        solved = solve(document)
        assert solved.result.period == least_of(document, solved)
