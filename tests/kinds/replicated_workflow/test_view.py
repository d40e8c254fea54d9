"""What people are told about an answer: what decides the period, and whose turn it is."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.view import Amount, Phrase
from steadygrid.kinds.replicated_workflow.view import view
from tests.kinds.replicated_workflow.bodies import (
    Body,
    published_a,
    published_b,
    skip_edge,
    small,
    without_mapping,
    workflow,
)
from tests.kinds.replicated_workflow.net import Net, answer, instance_of, read, result_of, solve


def told(phrase: Phrase) -> str:
    return "".join(str(part.value) if isinstance(part, Amount) else part for part in phrase)


def seen(body: Body, **members: Any):
    instance, document, schedule = answer(body)
    return view(instance, Options(), read(document | members), schedule)


def facts(body: Body, **members: Any) -> dict[str, str]:
    return {label: told(phrase) for label, phrase in seen(body, **members).facts}


def test_a_resource_that_is_always_busy_is_named() -> None:
    found = seen(published_a())
    assert told(found.headline) == "a data set every 189"
    assert found.bottleneck == "P1.send"
    assert facts(published_a())["critical"] == "P1 sends all the time: 189 per data set"
    assert found.proof is not None
    assert told(found.proof.text) == (
        "Why no schedule of this mapping is faster than one data set every 189: P1.send is busy for"
        " 189 per data set, in every schedule."
    )


def test_whatever_else_is_always_busy_is_named_too() -> None:
    body = workflow(
        {"a": {"P": 3}, "b": {"Q": 3}, "c": {"R": 1}}, {}, {}, {"a": "P", "b": "Q", "c": "R"}
    )
    assert facts(body)["critical"] == (
        "P computes all the time: 3 per data set; Q.compute is as busy"
    )
    (_, _, cycle) = seen(body).sections
    assert (
        told(cycle.text)
        == "It waits for itself: the one 1 data set later starts when this one ends."
    )


def test_a_cycle_is_told_where_no_resource_is_always_busy() -> None:
    found = seen(published_a("no_overlap"))
    assert found.bottleneck is None
    critical = facts(published_a("no_overlap"))["critical"]
    assert critical.startswith(
        "no resource is always busy, the busiest, P3.port, for 1295/6 of 692/3: "
    )
    assert "wait for each other in a cycle of" in critical
    assert critical.endswith("operations, which takes 1384 for 6 data sets")
    assert found.proof is not None
    assert told(found.proof.text).endswith(
        "the operations of the critical cycle wait for each other, and take 1384 for every 6 data"
        " sets."
    )
    mapping, occupation, cycle = found.sections
    assert mapping.table is not None
    assert mapping.table.rows[2] == ("S3", 3, "P4, P5, P6")
    assert occupation.table is not None
    assert occupation.table.rows[0][:2] == ("P3.port", Fraction(1295, 6))
    assert sum(occupation.table.rows[0][2:5]) == Fraction(1295, 6)
    assert cycle.table is not None
    assert told(cycle.text).startswith("Each operation waits for the one before")
    assert {row[0] for row in cycle.table.rows} <= {
        "S1",
        "S2",
        "S3",
        "S4",
        "S1 to S2",
        "S2 to S3",
        "S3 to S4",
    }


def test_the_places_of_a_short_cycle_are_all_named() -> None:
    assert facts(skip_edge())["critical"] == (
        "no resource is always busy, the busiest, A.compute, for 4 of 11/2: B, C and A wait for each"
        " other in a cycle of 4 operations, which takes 11 for 2 data sets"
    )


def test_latency_and_rows_are_told() -> None:
    found = facts(published_a())
    assert found["rows"] == "everything repeats after 6 data sets"
    assert found["latency"].startswith("a data set is done within ")
    assert found["latency"].endswith(" on average")
    single = workflow({"a": {"P": 3}}, {}, {}, {"a": "P"})
    assert facts(single)["latency"] == "a data set is done within 3 of its start"
    assert "latency" not in facts(single, latency=None)


def test_a_state_is_told_where_the_cycle_is_too_long() -> None:
    missing = {"critical_cycle": None, "length": None, "time": None}
    found = seen(published_a("no_overlap"), **missing)
    assert told(found.facts[0][1]).endswith("operations of several wait for each other")
    assert found.proof is not None
    assert "from the state that is given" in told(found.proof.text)
    assert len(found.sections) == 2


def test_an_answer_that_is_not_proved_names_no_cycle() -> None:
    missing = {"critical_cycle": None, "length": None, "time": None, "outcome": "feasible"}
    assert facts(published_a("no_overlap"), **missing)["critical"] == (
        "no cycle is known that takes so long; P3.port is busy for 1295/6"
    )
    proved = facts(published_b(), outcome="feasible")["critical"]
    assert proved.startswith("no resource is always busy")


def test_only_a_bound_says_little() -> None:
    instance, document, _ = answer(published_a())
    document |= {"outcome": "bound_only", "objective": None, "gap": None, "period": None}
    found = view(instance, Options(), read(document), None)
    assert found.headline == ()
    assert [label for label, _ in found.facts] == ["rows", "latency", "bound for"]
    body = without_mapping(published_a(), method="upper_bound")
    document |= {"mapping": None, "occupation": [], "rows": None, "latency": None, "length": None}
    document |= {"mct": None, "certificate": {"type": "search"}, "critical_cycle": None}
    found = view(instance_of(body), Options(), read(document), None)
    assert found.bound_asked
    assert found.facts == (("bound for", ("all mappings",)),)
    assert (found.sections, found.proof) == ((), None)


def test_methods_stand_side_by_side() -> None:
    rows = [
        {"method": "greedy", "throughput": "1/9", "ratio_to_bound": "1/3", "seconds": 0.5},
        {"method": "exact", "throughput": None, "ratio_to_bound": None, "seconds": 1.0}
        | {"note": "no time"},
        {"method": "local_search", "throughput": "1/6", "ratio_to_bound": "1/2", "seconds": 0.5},
    ]
    found = seen(small(), comparison=rows).comparison
    assert found is not None
    assert found.table is not None
    assert [row[0] for row in found.table.rows] == ["local_search", "greedy", "exact"]
    assert found.notes == (("exact", "no time"),)
    assert seen(small()).comparison is None


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
def test_long_turns_and_cycles_are_cut(ports: str) -> None:
    names = [f"P{i}" for i in range(12)]
    tasks = {"a": {"A": 1}, "b": dict.fromkeys(names, 7)}
    links = {f"A {name}": 5 + i % 3 for i, name in enumerate(names)}
    body = workflow(tasks, {"a b": 1}, links, {"a": "A", "b": " ".join(names)}, ports=ports)
    net = Net(body)
    solved = replace(solve(net), cycle=[("a", n) for n in range(3)])
    document = result_of(net, solved)
    document["critical_cycle"] = [
        {"operation": ["a", "b"], "place": ["A", name], "data_set": i, "time": "5"}
        for i, name in enumerate(names)
    ]
    document["critical_resource"] = None
    found = view(instance_of(body), Options(), read(document), None)
    mapping = found.sections[0].table
    assert mapping is not None
    assert mapping.rows[1][2] == "P0, P1, P2, P3, P4, P5, P6 and 5 more"
    assert "A, P0, P1 and 10 more wait for each other" in told(found.facts[0][1])
