"""Network cards, against the program over all slots there are."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from tests.draws import draws
from tests.engine.scheduling import cards
from tests.kinds.master_worker.test_single_port import by_all_slots, drawn
from tests.replay import most_at_once
from tests.solved import solve

F = Fraction


def carded(seed: int, *, pools: bool) -> dict[str, Any] | None:
    """Draw a small platform with cards; None where no processor computes."""
    body = drawn(seed, "one_port")
    problem = body["problem"]
    if not any("unit_time" in p for p in problem["platform"]["processors"]):
        return None
    choose = random.Random(seed)
    problem["platform"] = cards.with_cards(choose, problem["platform"], pools=pools)

    return body


@pytest.mark.parametrize("seed", range(draws(3, 1_000)))
def test_the_throughput_is_that_of_all_slots(seed: int) -> None:
    body = carded(seed, pools=True)
    if body is None or not named_cards_are_used(body):
        return
    solved = solve(body, whole_files=seed % 3 == 0, max_period="exact")
    assert solved.result.outcome is Outcome.OPTIMAL
    assert solved.result.objective.value == by_all_slots(body, cards.all_slots)
    assert solved.schedule.loss == 0


@pytest.mark.parametrize("seed", range(draws(3, 400)))
def test_half_duplex_links_meet_at_named_cards(seed: int) -> None:
    body = carded(seed, pools=False)
    if body is None or not named_cards_are_used(body):
        return
    solved = solve(body, whole_files=False, max_period="exact")
    assert solved.result.objective.value == by_all_slots(body, cards.all_slots)


def named_cards_are_used(body: dict[str, Any]) -> bool:
    platform = body["problem"]["platform"]
    used = {
        (e[end], e.get(f"{end}_card")) for e in platform["links"] for end in ("source", "target")
    }
    return all(
        (p["id"], name) in used
        for p in platform["processors"]
        if isinstance(p.get("cards"), list)
        for name in p["cards"]
    )


def star(given: Any, *fields: str | None) -> dict[str, Any]:
    """A master that feeds three workers, each as fast as its link."""
    links = [
        {"source": "M", "target": f"W{k}", "unit_time": 2}
        | ({"source_card": fields[k]} if fields else {})
        for k in range(3)
    ]
    workers = [{"id": f"W{k}", "unit_time": 2} for k in range(3)]
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": [{"id": "M", "cards": given}, *workers], "links": links},
            "master": "M",
            "task": {"work": 1},
        }
    }


@pytest.mark.parametrize(
    ("given", "fields", "best", "prices"),
    [
        (1, (), F(1, 2), {"M.send": F(1, 2)}),
        (2, (), F(1), {"M.send": F(1)}),
        (3, (), F(3, 2), None),
        (4, (), F(3, 2), None),
        (["a"], ("a", "a", "a"), F(1, 2), {"M--a.send": F(1, 2)}),
        (["a", "b"], ("a", "b", "b"), F(1), None),
        (["a", "b", "c"], ("a", "b", "c"), F(3, 2), None),
    ],
)
def test_a_master_feeds_as_many_workers_as_it_has_cards(
    given: Any, fields: tuple[str, ...], best: Fraction, prices: dict[str, Fraction] | None
) -> None:
    solved = solve(star(given, *fields))
    assert solved.result.objective.value == best
    assert sum(solved.result.certificate.prices.values()) == best
    if prices is not None:
        assert solved.result.certificate.prices == prices
    most = most_at_once(solved.schedule)
    assert most == min(3, len(given) if isinstance(given, list) else given)


def test_the_algorithm_for_trees_is_for_one_card() -> None:
    assert solve(star(1)).result.method == "bandwidth_centric"
    assert solve(star(2)).result.method == "lp"


@pytest.mark.parametrize("options", [{"max_period": 7}, {"max_period": 7, "whole_files": True}])
def test_a_bounded_period_has_room_for_all_cards(options: dict[str, Any]) -> None:
    """In 7 time units each of two cards sends 3 whole files, or 7 halves of one."""
    solved = solve(star(2), **options)
    assert solved.schedule.period <= 7
    counts = 7 if "whole_files" not in options else 6
    assert solved.schedule.throughput >= F(counts - 1, 7)
    assert most_at_once(solved.schedule) == 2


@pytest.mark.parametrize("given", [1, 2, 3, ["a", "b"]])
def test_start_up_costs_are_paid_by_each_card(given: Any) -> None:
    """In a slot messages start side by side; the referee works the period out again."""
    body = star(given, *(["a", "b", "b"] if isinstance(given, list) else []))
    for link in body["problem"]["platform"]["links"]:
        link["latency"] = "1/2"
    solved = solve(body, latencies="paid", latency_loss="1/50")
    assert solved.schedule.grouping.periods > 1
    assert 0 < solved.schedule.loss <= F(1, 50)


@pytest.mark.parametrize(("hub", "leaf", "best"), [(3, 1, 3), (2, 1, 2), (3, 2, 3), (1, 2, 1)])
def test_a_pool_of_workers_hangs_on_cards(hub: int, leaf: int, best: int) -> None:
    """Each of three twins takes a file per time unit by its link, and works a third of that time."""
    body = star(hub)
    platform = body["problem"]["platform"]
    for link in platform["links"]:
        link["unit_time"] = 1
    for worker in platform["processors"][1:]:
        worker |= {"unit_time": "1/3", "cards": leaf}
    solved = solve(body)
    assert solved.result.objective.value == best
    assert solved.result.bound.value == best
