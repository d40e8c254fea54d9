"""Mappings that a search has found, or not: what the referee believes of them."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.kinds.replicated_workflow import validator
from steadygrid.kinds.replicated_workflow.referee_search import mapping_exists
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import (
    published_a,
    small,
    without_mapping,
)
from tests.kinds.replicated_workflow.judged import Document, codes, searched
from tests.kinds.replicated_workflow.net import (
    instance_of,
)


def test_a_search_may_give_its_word() -> None:
    instance, document, schedule = searched(published_a())
    assert codes(instance, document, schedule) == set()
    row = {"method": "greedy", "throughput": "1/189", "ratio_to_bound": "1/2", "seconds": 0.5}
    nothing = {"method": "exact", "throughput": None, "ratio_to_bound": None, "seconds": 0.5}
    assert codes(instance, document | {"comparison": [row, nothing]}, schedule) == set()
    for wrong in ([nothing], [row, row], [row | {"throughput": "1/190"}]):
        assert codes(instance, document | {"comparison": wrong}, schedule) == {"wrong_comparison"}
    greedy = document | {"method": "greedy", "comparison": [row]}
    assert codes(instance, greedy, schedule) == {"wrong_comparison"}
    exact = document | {"certificate": {"type": "cycle_ratio"}}
    assert "wrong_certificate" in codes(instance, exact, schedule)
    bound = {"value": "1/189", "approx": 1 / 189, "exact": False}
    best = document | {"bound": bound, "gap": "0", "outcome": "optimal"}
    assert codes(instance, best, schedule) == {"bound_beaten"}


@pytest.mark.parametrize(
    ("change", "asked", "code"),
    [
        (lambda m: m[1]["processors"].append("P7"), {}, "processor_twice"),
        (lambda m: m[1]["processors"].append("P2"), {}, "processor_twice"),
        (lambda m: m[0].update(processors=[]), {}, "no_processor"),
        (lambda m: m.reverse(), {}, "wrong_stages"),
        (lambda m: None, {"max_replicas": 2}, "too_many_copies"),
        (lambda m: None, {"max_replicas": {"S3": 2}}, "too_many_copies"),
        (lambda m: None, {"max_rows": 5}, "too_many_rows"),
        (lambda m: m[0].update(processors=["P9"]), {}, "task_not_allowed"),
        (lambda m: m[3].update(processors=["P9"]), {}, "task_not_allowed"),
    ],
)
def test_each_fault_of_a_mapping_that_was_found_is_named(
    change: Callable[[Any], Any], asked: Document, code: str
) -> None:
    body = published_a()
    instance, document, schedule = searched(body)
    instance = instance.model_copy(update=asked)
    change(document["mapping"])
    assert code in codes(instance, document, schedule)


def test_a_mapping_without_a_link_is_named() -> None:
    body = published_a()
    _, document, schedule = searched(body)
    del body["problem"]["platform"]["links"][0]
    body["problem"].pop("mapping")
    assert codes(instance_of(body), document, schedule) == {"no_link"}


def test_max_replicas_of_other_tasks_say_nothing() -> None:
    instance, document, schedule = searched(published_a())
    asked = instance.model_copy(update={"max_replicas": {"S1": 1}, "stages": None})
    assert codes(asked, document, schedule) == set()


@pytest.mark.parametrize(
    ("ports", "bound", "right", "wrong"),
    [
        ("one_port", Fraction(1, 3), "P1.send", "P1.compute"),
        ("no_overlap", Fraction(1, 5), "P1.port", "P2.port"),
    ],
)
def test_prices_bound_all_mappings(ports: str, bound: Fraction, right: str, wrong: str) -> None:
    """All data sets pass P1, which reads for 2 and sends to one of two for 3 at least."""
    body = small(ports=ports)
    _, document, schedule = searched(body)
    instance = instance_of(without_mapping(body))
    document |= {
        "outcome": "feasible",
        "bound": {"value": str(bound), "approx": float(bound), "exact": True},
        "gap": str(1 - Fraction(document["objective"]["value"]) / bound),
        "certificate": {"type": "lp_duality", "prices": {right: str(bound)}},
        "proof": "exact",
    }
    assert codes(instance, document, schedule) == set()
    document["certificate"]["prices"] = {wrong: str(bound)}
    assert codes(instance, document, schedule) == {"cheap_allocation"}


def nothing_found(outcome: str, **members: Any) -> Document:
    """Write the answer of a search without a mapping."""
    return {
        "kind": "replicated_workflow",
        "outcome": outcome,
        "method": "portfolio",
        **dict.fromkeys(("objective", "bound", "gap", "period", "mapping", "copies", "rows")),
        **dict.fromkeys(("mct", "critical_resource", "critical_cycle", "length", "time")),
        "certificate": {"type": "none"},
        "occupation": [],
        "latency": None,
        "statistics": {},
        **members,
    }


def test_a_search_may_find_nothing_or_that_there_is_nothing() -> None:
    body = without_mapping(small())
    links = body["problem"]["platform"]["links"]
    unknown = nothing_found("unknown", notes=["no time"])
    assert codes(instance_of(body), unknown, None) == set()
    assert codes(instance_of(body), unknown | {"mct": "3"}, None) == {"wrong_outcome"}
    assert codes(instance_of(body), nothing_found("infeasible"), None) == {"not_infeasible"}
    body["problem"]["platform"]["links"] = [
        link | {"source": "P2", "target": "P1"} for link in links[:1]
    ]
    assert codes(instance_of(body), nothing_found("infeasible"), None) == set()
    body["problem"]["stages"] = [["read"], ["filter"]]
    assert codes(instance_of(body), nothing_found("infeasible"), None) == set()


def test_what_takes_too_long_to_prove_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    body = without_mapping(small())
    body["problem"]["platform"]["links"] = []
    monkeypatch.setattr(validator, "mapping_exists", lambda *_: None)
    assert codes(instance_of(body), nothing_found("infeasible"), None) == {"not_proved"}


@pytest.mark.parametrize("seed", range(draws(10, 400)))
def test_processors_for_all_stages_are_found_where_enumeration_finds_them(seed: int) -> None:
    random = Random(seed)
    stages, processors = random.randint(1, 4), random.randint(1, 5)
    domains = [random.randrange(1, 1 << processors) for _ in range(stages)]
    files = frozenset(
        (k, l) for k in range(stages) for l in range(stages) if k < l and random.random() < 0.6
    )
    arcs = {
        (p, q)
        for p in range(processors)
        for q in range(processors)
        if p != q and random.random() < 0.4
    }
    out = [sum(1 << q for q in range(processors) if (p, q) in arcs) for p in range(processors)]
    into = [sum(1 << q for q in range(processors) if (q, p) in arcs) for p in range(processors)]

    def placed(chosen: tuple[int, ...]) -> bool:
        k = len(chosen)
        if k == stages:
            return True
        return any(
            domains[k] >> p & 1
            and p not in chosen
            and all((chosen[j], p) in arcs for j in range(k) if (j, k) in files)
            and placed((*chosen, p))
            for p in range(processors)
        )

    assert mapping_exists(domains, files, out, into) is placed(())
    assert mapping_exists(domains, files, out, into, 0) is None
