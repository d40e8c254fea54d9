"""What is true of every chain."""

from fractions import Fraction
from itertools import pairwise

import pytest

from steadygrid.domain.timeline import Event, Timeline
from steadygrid.kinds.divisible_chain.solver import choice
from tests.draws import draws
from tests.kinds.divisible_chain.random_chains import (
    plain_chain,
    random_chain,
    with_installments,
)
from tests.kinds.divisible_chain.solving import body, optimum, result_of
from tests.solved import solve

F = Fraction


@pytest.mark.parametrize("seed", range(12))
def test_more_installments_never_hurt(seed: int) -> None:
    chain = plain_chain(seed, 2 + seed % 3, 1 + seed % 3)
    values = [optimum(with_installments(chain, count)) for count in (1, 2, 3)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("seed", range(12))
def test_one_installment_is_within_the_guarantee_of_many(seed: int) -> None:
    length = 2 + seed % 4
    chain = plain_chain(100 + seed, length, 1 + seed % 2)
    single = result_of(with_installments(chain, 1))
    assert single.guarantee is not None
    assert single.guarantee.factor == length // 2 + 1
    assert single.makespan is not None
    assert single.guarantee.lower_bound == single.makespan / single.guarantee.factor
    for count in (2, 5):
        several = optimum(with_installments(chain, count))
        assert single.guarantee.lower_bound <= several <= single.makespan


def test_one_processor_takes_all_and_needs_the_sum() -> None:
    result = result_of(body([3], [], [(7, 6), (1, 3)], 2))
    assert result.makespan == 3
    assert all(event.kind == "compute" for event in result.timeline)
    assert result.idle[0].idle == 0


def test_one_load_without_links_to_help_stays_where_it_is() -> None:
    result = result_of(body([2, None], [1], [(1, 4)]))
    assert result.makespan == 2
    assert [share.processor for share in result.shares] == ["P1"]


@pytest.mark.parametrize("seed", range(8))
def test_all_processors_finish_a_single_load_together(seed: int) -> None:
    result = result_of(plain_chain(200 + seed, 2 + seed % 4, 1))
    last = {e.processor: e.end for e in result.timeline if e.kind == "compute"}
    assert len(last) == 2 + seed % 4
    assert set(last.values()) == {result.makespan}


@pytest.mark.parametrize("seed", range(8))
def test_a_single_load_is_divided_best_by_the_method_for_it(seed: int) -> None:
    chain = plain_chain(300 + seed, 2 + seed % 4, 1)
    method = result_of({"problem": chain["problem"] | {"method": "single_load"}})
    assert method.makespan == optimum(chain)


@pytest.mark.parametrize("seed", range(6))
def test_scaling_all_work_and_data_scales_the_makespan(seed: int) -> None:
    chain = plain_chain(400 + seed, 3, 2)
    loads = [
        load
        | {
            name: str(F(load[name]) * F(7, 3))
            for name in ("communication_volume", "computation_volume")
        }
        for load in chain["problem"]["loads"]
    ]
    scaled = {"problem": chain["problem"] | {"loads": loads}}
    assert optimum(scaled) == optimum(chain) * F(7, 3)


@pytest.mark.parametrize("seed", range(6))
def test_ports_that_send_and_receive_at_once_never_hurt(seed: int) -> None:
    chain = plain_chain(500 + seed, 4, 2)
    relaxed = {"problem": chain["problem"] | {"ports": "one_port"}}
    assert optimum(relaxed) <= optimum(chain)


@pytest.mark.parametrize("method", ["simple", "single_load", "multi_installment", "heuristic_b"])
@pytest.mark.parametrize("seed", range(6))
def test_no_method_beats_the_program_with_its_installments(seed: int, method: str) -> None:
    chain = plain_chain(600 + seed, 2 + seed % 3, 2)
    found = result_of({"problem": chain["problem"] | {"method": method, "max_installments": 6}})
    assert found.bound is not None
    assert found.makespan is not None
    assert found.bound.value <= found.makespan
    problem = chain["problem"]
    loads = [
        load | {"installments": done.installments}
        for load, done in zip(problem["loads"], found.loads, strict=True)
    ]
    best = optimum({"problem": problem | {"loads": loads}})
    assert found.bound.value <= best <= found.makespan


def overlapping(events: list[Event]) -> list[tuple[Event, Event]]:
    """Give the pairs of neighbouring events that run at the same time."""
    ordered = sorted(events, key=lambda event: (event.start, event.end))
    return [(a, b) for a, b in pairwise(ordered) if b.start < a.end]


@pytest.mark.parametrize("seed", range(draws(3, 60)))
def test_every_timeline_can_be_executed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay event by event: no processor does two things at once or sends what is not there."""
    monkeypatch.setattr(choice, "MOST_CASES", 10)
    document = random_chain(seed)
    answer = solve(document)
    timeline, result = answer.schedule, answer.result
    assert isinstance(timeline, Timeline)
    strict = document["problem"]["ports"] == "strict_one_port"
    for name in {p["id"] for p in document["problem"]["platform"]["processors"]}:
        events = timeline.events
        assert not overlapping([e for e in events if e.place == name])
        sends = [e for e in events if not isinstance(e.place, str) and e.place[0] == name]
        receives = [e for e in events if not isinstance(e.place, str) and e.place[1] == name]
        for group in [sends + receives] if strict else [sends, receives]:
            assert not overlapping([e for e in group if e.end > e.start])
        arrived = {(e.load, e.installment): e for e in receives}
        used: dict[tuple[str, int], Fraction] = {}
        for event in [e for e in events if e.place == name] + sends:
            key = event.load, event.installment
            used[key] = used.get(key, F(0)) + event.share
            if key in arrived:
                assert event.start >= arrived[key].end
        if receives:
            assert used == {key: event.share for key, event in arrived.items()}
    done: dict[str, Fraction] = {}
    for event in timeline.events:
        if isinstance(event.place, str):
            done[event.load] = done.get(event.load, F(0)) + event.share
    assert done == {load["id"]: 1 for load in document["problem"]["loads"]}
    ends = [e.end for e in timeline.events if isinstance(e.place, str)]
    assert timeline.makespan == max(ends)
    assert result.outcome == "optimal" or document["problem"]["objective"] != "makespan"


@pytest.mark.parametrize("seed", range(1000, 1000 + draws(3, 25)))
def test_without_time_the_answer_is_simple_with_an_honest_bound(seed: int) -> None:
    document = random_chain(seed, objective="makespan")
    best = optimum(document)
    result = solve(document, seconds=0).result
    assert result.objective is not None
    assert result.bound is not None
    assert result.bound.value <= best <= result.objective.value
    assert any("time limit" in note for note in result.notes)
