"""Flows without cycles, and the paths they consist of."""

from fractions import Fraction
from typing import Any

from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.rates import (
    Rates,
    plans,
    rounded,
    sent_rates,
    straighten,
)


def ring(output_size: int = 0) -> MasterWorkerInstance:
    """m -> a -> b -> c -> a: arcs 0/1 m-a, 2/3 a-b, 4/5 b-c, 6/7 c-a."""
    links = [("m", "a"), ("a", "b"), ("b", "c"), ("c", "a")]
    body: dict[str, Any] = {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": i, "unit_time": 1} for i in "mabc"],
            "links": [{"source": a, "target": b, "unit_time": 1} for a, b in links],
        },
        "master": "m",
        "task": {"work": 1, "output_size": output_size},
    }
    return MasterWorkerInstance.model_validate(body)


def test_cycles_are_taken_out_and_the_rest_stays() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    rates = Rates({1: half}, {0: half, 2: third, 4: third, 6: third}, {})
    assert straighten(rates, Legs.from_instance(ring())).input_sent == {0: half}


def test_opposite_flows_cancel() -> None:
    rates = Rates({1: Fraction(1)}, {0: Fraction(1), 2: Fraction(3), 3: Fraction(3)}, {})
    assert straighten(rates, Legs.from_instance(ring())).input_sent == {0: Fraction(1)}


def test_two_cycles_through_one_processor_are_both_found() -> None:
    one, two = Fraction(1), Fraction(2)
    rates = Rates({2: one}, {0: one, 2: two + two, 3: two, 4: one, 6: one}, {})
    straight = straighten(rates, Legs.from_instance(ring()))
    assert straight.input_sent == {0: one, 2: one}


def test_allocations_join_input_paths_with_return_paths() -> None:
    instance = ring(output_size=1)
    third = Fraction(1, 3)
    rates = Rates(
        {2: 2 * third},  # b computes 2/3: half of it comes over c, and 1/6 more goes back over c
        {0: 2 * third, 2: third, 7: third, 5: third},
        {1: 2 * third, 3: Fraction(1, 6), 4: Fraction(1, 2), 6: Fraction(1, 2)},
    )
    found = plans(instance, Legs.from_instance(instance), rates)
    assert sum(plan.rate for plan in found) == 2 * third
    assert {plan.tasks["task"] for plan in found} == {("b",)}
    ways = {(plan.transfers[0].path, plan.transfers[1].path): plan.rate for plan in found}
    assert sum(r for (i, _), r in ways.items() if i == ("m", "a", "b")) == third
    assert sum(r for (i, _), r in ways.items() if i == ("m", "a", "c", "b")) == third
    assert sum(r for (_, o), r in ways.items() if o == ("b", "a", "m")) == Fraction(1, 6)
    assert len(found) == 3


def test_what_the_master_computes_travels_nowhere() -> None:
    (plan,) = plans(
        ring(output_size=1),
        Legs.from_instance(ring(output_size=1)),
        Rates({0: Fraction(1)}, {}, {}),
    )
    assert plan.transfers == ()


def test_rounding_keeps_conservation_and_only_lowers() -> None:
    instance = ring()
    rates = Rates({0: Fraction(2, 7), 1: Fraction(1, 3)}, {0: Fraction(1, 3)}, {})
    short = rounded(instance, Legs.from_instance(instance), rates, 4)
    assert short.computed == {0: Fraction(4, 16), 1: Fraction(5, 16)}
    assert short.input_sent == {0: Fraction(5, 16)}
    assert rounded(instance, Legs.from_instance(instance), rates, 1).computed == {}


def test_the_answer_lists_what_crosses_each_link() -> None:
    rates = Rates({1: Fraction(1)}, {0: Fraction(1)}, {1: Fraction(1)})
    listed = [
        entry.model_dump(mode="json")
        for entry in sent_rates(ring(1), Legs.from_instance(ring(1)), rates)
    ]
    assert listed == [
        {"source": "m", "target": "a", "file": "input", "rate": "1"},
        {"source": "a", "target": "m", "file": "output", "rate": "1"},
    ]
