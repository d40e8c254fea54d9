"""What the thesis lists in section 2.5, each with a value that can be checked by hand."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.timeline import Timeline
from tests.kinds.divisible_chain.solving import body, optimum, result_of, two_equal
from tests.kinds.told import facts_of
from tests.solved import solve

F = Fraction


def with_loads(document: dict[str, Any], *changes: dict[str, Any]) -> dict[str, Any]:
    loads = [
        load | change for load, change in zip(document["problem"]["loads"], changes, strict=True)
    ]
    return {"problem": document["problem"] | {"loads": loads}}


def test_a_load_may_have_its_own_speeds() -> None:
    document = with_loads(body([1], [], [(1, 4), (1, 4)]), {"speeds": {"P1": 2}}, {})
    assert optimum(document) == 2 + 4


def test_a_router_computes_the_loads_that_give_it_a_speed() -> None:
    document = with_loads(body([1, None], [1], [(1, 6), (1, 12)]), {}, {"speeds": {"P2": "6/5"}})
    result = result_of(document)
    assert {s.processor for s in result.shares if s.load == "L1"} == {"P1"}
    assert {s.processor for s in result.shares if s.load == "L2"} == {"P1", "P2"}
    assert result.participants == ["P1", "P2"]


def test_a_processor_computes_from_its_availability_on_but_forwards_before() -> None:
    document = body([None, 1, 1], [1, 1], [(1, 2)], availability={"P2": 3})
    result = result_of(document)
    # P3 alone would be done at 1 + 1 + 2; P2 helps from 3 on: 2 + 2 b = 3 + 2 (1 - b) or so.
    assert result.participants == ["P2", "P3"]
    assert result.makespan is not None
    assert result.makespan < 4
    computed = {e.processor: e for e in result.timeline if e.kind == "compute"}
    assert computed["P2"].start == 3
    assert computed["P2"].end == computed["P3"].end == result.makespan


def test_who_is_available_too_late_only_forwards() -> None:
    document = body([1, 1, 1], [1, 1], [(1, 2)], availability={"P2": 100})
    result = result_of(document)
    assert result.participants == ["P1", "P3"]
    assert result.makespan is not None
    assert result.makespan < 2
    assert facts_of(document)["not used"].startswith("P2: available too late")
    assert {entry.processor for entry in result.idle} == {"P1", "P3"}


def test_who_is_needed_is_waited_for() -> None:
    document = body([None, 1], [1], [(1, 2)], availability={"P2": 100})
    assert optimum(document) == 102


@pytest.mark.parametrize("objective", ["mean_completion", "weighted_flow"])
def test_a_late_processor_does_not_spoil_the_completions(objective: str) -> None:
    document = body([1, 1], [10], [(1, 2), (1, 2)], objective=objective)
    alone = body([1, None], [10], [(1, 2), (1, 2)], objective=objective)
    late = {"problem": document["problem"] | {"availability": {"P2": 50}}}
    assert optimum(late) == optimum(alone)
    assert optimum(document) < optimum(alone)


def test_nothing_of_a_load_happens_before_its_release() -> None:
    document = with_loads(body([1, 1], [1], [(1, 2), (1, 2)]), {}, {"release_date": 5})
    result = result_of(document)
    assert min(e.start for e in result.timeline if e.load == "L2") == 5
    assert result.guarantee is None
    assert result.makespan == 5 + optimum(body([1, 1], [1], [(1, 2)]))


def test_mean_completion_and_makespan_differ() -> None:
    loads = [(1, 9), (1, 1)]
    document = body([1, 1], [1], loads, 1, objective="mean_completion")
    result = result_of(document)
    assert result.objective is not None
    assert result.objective.name == "mean_completion"
    mean = sum((load.completion for load in result.loads), F(0)) / 2
    assert result.objective.value == mean
    assert "computes nothing of it does not delay it" in facts_of(document)["complete"]
    assert optimum(body([1, 1], [1], loads, 1)) <= (result.makespan or 0)


def test_weighted_flow_counts_from_the_release() -> None:
    document = with_loads(
        body([2], [], [(1, 4), (1, 2)], objective="weighted_flow"),
        {"weight": 3},
        {"release_date": 1, "weight": "1/2"},
    )
    assert optimum(document) == 3 * 2 + F(1, 2) * (3 - 1)


def test_rounds_share_every_load_out_and_never_hurt() -> None:
    once = two_equal(1, 1)
    values = [optimum({"problem": once["problem"] | {"rounds": rounds}}) for rounds in (1, 2, 3)]
    assert values == sorted(values, reverse=True)
    assert values[1] < values[0]
    result = result_of({"problem": once["problem"] | {"rounds": 2}})
    assert [load.installments for load in result.loads] == [2, 2]
    sent = [e for e in result.timeline if e.kind == "transfer"]
    assert [(e.load, e.installment) for e in sent] == [
        ("L1", 1),
        ("L2", 1),
        ("L1", 2),
        ("L2", 2),
    ]


def test_startup_costs_are_paid_in_a_makespan_of_their_own() -> None:
    document = body([None, 1], [2], [(4, 3)], 1, startup="1/2")
    result = result_of(document)
    assert result.makespan == 2 + 3
    assert result.makespan_with_startup == F(1, 4) + 2 + 3
    assert result.loads[0].startup_ratio == 1 + F(1, 2) / 4
    timed = result_of(body([None, 1], [2], [(4, 3)], 1, startup={"time": "1/2"}))
    assert timed.makespan_with_startup == F(1, 2) + 2 + 3
    assert timed.loads[0].startup_ratio == 1 + F(1) / 4
    assert result_of(body([1], [], [(4, 3)])).makespan_with_startup is None


@pytest.mark.parametrize(
    ("startup", "ratio", "rounds", "installments"),
    [
        ("1/10", "3/2", 1, 10),  # (3/2 - 1) 4 / (2 1/10)
        ({"data": "1/10"}, "3/2", 2, 10),
        ({"time": "1/10"}, "3/2", 1, 6),  # 1/10 (1 + 2) data in place of both messages
        ("1/10", 1, 1, 1),
        (5, "3/2", 1, 1),
    ],
)
def test_the_ratio_chooses_the_installments(
    startup: Any, ratio: Any, rounds: int, installments: int
) -> None:
    document = body(
        [1, 1, 1], [1, 2], [(4, 3)], startup=startup, max_startup_ratio=ratio, rounds=rounds
    )
    result = result_of(document)
    assert result.loads[0].installments == installments
    exceeded = any("more than the ratio" in note for note in result.notes)
    assert exceeded == (result.loads[0].startup_ratio > F(ratio))
    assert exceeded == (startup == 5 or ratio == 1)


def test_installments_that_are_given_stay_and_loads_without_data_are_named() -> None:
    document = with_loads(
        body([1, 1], [1], [(4, 3), (0, 3)], startup=1, max_startup_ratio="5/4"),
        {"installments": 3},
        {},
    )
    result = result_of(document)
    assert [load.installments for load in result.loads] == [3, 1]
    assert any("its installments, 3" in note for note in result.notes)
    assert any("'L2' has no data" in note for note in result.notes)


def test_nothing_to_do_takes_no_time() -> None:
    result = result_of(body([1, 1], [1], [(0, 0)]))
    assert result.makespan == 0
    assert result.notes == ["nothing takes any time"]


def test_loads_without_work_stay_where_they_are() -> None:
    for method in ("lp", "simple", "single_load", "multi_installment", "heuristic_b"):
        result = result_of(body([1, 1], [1], [(3, 0), (2, 0)], method=method))
        assert result.makespan == 0


def test_the_chain_may_be_part_of_the_platform_in_either_direction() -> None:
    document = body([4, 2, 1], [1, 1], [(1, 4)])
    assert optimum({"problem": document["problem"] | {"chain": ["P2"]}}) == 2
    back = result_of({"problem": document["problem"] | {"chain": ["P3", "P2", "P1"]}})
    assert back.chain == ["P3", "P2", "P1"]
    assert back.timeline[0].start == 0


def test_the_schedule_is_the_timeline_of_the_result() -> None:
    answer = solve(two_equal("3/4", 2))
    assert isinstance(answer.schedule, Timeline)
    document = answer.schedule.document
    assert document["period"] is None
    listed = [
        {name: part for name, part in event.items() if part is not None}
        for event in answer.result.model_dump(mode="json")["timeline"]
    ]
    assert document["events"] == listed


@pytest.mark.parametrize(
    ("method", "makespan"),
    [("simple", F(11, 8)), ("single_load", F(21, 20)), ("heuristic_b", F(393, 400))],
)
def test_the_other_methods_do_what_they_say_at_three_quarters(
    method: str, makespan: Fraction
) -> None:
    result = result_of(two_equal("3/4", None, method=method))
    assert result.makespan == makespan
    assert result.outcome == "feasible"
    assert result.bound_source == "resources"


def test_the_multi_installment_method_sends_a_late_load_in_one() -> None:
    document = with_loads(
        two_equal("1/2", None, method="multi_installment"), {}, {"release_date": 9}
    )
    result = result_of(document)
    assert [load.installments for load in result.loads] == [1, 1]
