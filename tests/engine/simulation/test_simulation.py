"""Executed instances: by hand, and any of them against a brute-force check."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import repeat
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references.clustering import clustering
from steadygrid.kinds.mono_allocation.solver.references.data_parallel import data_parallel
from steadygrid.kinds.mono_allocation.solver.references.heft import heft
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.executions import check_execution, instance, watched
from tests.kinds.task_graph.solving import solve as solve_task_graph

REFERENCES = (heft, data_parallel, clustering)


def tables_of(**document: Any) -> MonoTables:
    return MonoTables(instance(document))


def two_receivers(**sender: Any) -> MonoTables:
    """One task on A whose files go to B and to C, each over a link of its own."""
    return tables_of(
        platform={
            "processors": [{"id": "A", "speed": 1, **sender}, {"id": "B"}, {"id": "C"}],
            "links": [
                {"source": "A", "target": "B", "bandwidth": 10},
                {"source": "A", "target": "C", "bandwidth": 10},
            ],
        },
        application={
            "tasks": [
                {"id": "make", "work": 1, "allowed": ["A"]},
                {"id": "left", "times": {"B": 1}},
                {"id": "right", "times": {"C": 1}},
            ],
            "files": [
                {"source": "make", "target": "left", "size": 30},
                {"source": "make", "target": "right", "size": 30},
            ],
        },
    )


def test_files_share_a_port_that_is_wide_enough_for_both() -> None:
    tables = two_receivers(bandwidth_out=20)
    assert repeat(tables, [0, 1, 2], 1, Control()).makespan == 1 + 3 + 1


def test_a_file_waits_as_long_as_less_is_left_of_a_port_than_it_takes() -> None:
    tables = two_receivers(bandwidth_out=19)
    assert repeat(tables, [0, 1, 2], 1, Control()).makespan == 1 + 3 + 3 + 1


def test_a_file_flows_at_the_rate_of_the_slowest_resource_on_its_path() -> None:
    tables = two_receivers(bandwidth_out=5)
    assert repeat(tables, [0, 1, 2], 1, Control()).makespan == 1 + 6 + 6 + 1


def chain(ports: str, duplex: str = "full") -> MonoTables:
    """A task on A, and its user on C behind the router B."""
    return tables_of(
        ports=ports,
        platform={
            "processors": [{"id": "A", "speed": 1}, {"id": "B"}, {"id": "C", "speed": 1}],
            "links": [
                {"source": "A", "target": "B", "unit_time": 2, "duplex": duplex},
                {"source": "B", "target": "C", "unit_time": 3, "duplex": duplex},
            ],
        },
        application={
            "tasks": [
                {"id": "make", "work": 1, "allowed": ["A"]},
                {"id": "use", "work": 1, "allowed": ["C"]},
            ],
            "files": [{"source": "make", "target": "use", "size": 1}],
        },
    )


def test_a_file_flows_through_a_router_under_multiport() -> None:
    answer = repeat(chain("multiport"), [0, 2], 10, Control())
    assert answer.makespan == 1 + 10 * 3 + 1


def test_a_router_stores_and_forwards_under_one_port() -> None:
    answer = repeat(chain("one_port"), [0, 2], 10, Control())
    assert answer.makespan == 1 + 2 + 10 * 3 + 1


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize(("duplex", "makespan"), [("full", 1 + 2 + 1), ("half", 1 + 4 + 1)])
def test_a_half_duplex_link_carries_one_direction_at_a_time(
    ports: str, duplex: str, makespan: int
) -> None:
    tables = tables_of(
        ports=ports,
        platform={
            "processors": [{"id": "A"}, {"id": "B"}],
            "links": [{"source": "A", "target": "B", "unit_time": 2, "duplex": duplex}],
        },
        application={
            "tasks": [
                {"id": f"{what}-{place}", "times": {place: 1}}
                for what in ("make", "use")
                for place in "AB"
            ],
            "files": [
                {"source": "make-A", "target": "use-B", "size": 1},
                {"source": "make-B", "target": "use-A", "size": 1},
            ],
        },
    )
    assert repeat(tables, [0, 1, 0, 1], 1, Control()).makespan == makespan


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_what_takes_no_time_waits_for_nothing(ports: str) -> None:
    tables = tables_of(
        ports=ports,
        platform={
            "processors": [{"id": "A"}, {"id": "B"}],
            "links": [{"source": "A", "target": "B", "unit_time": 7}],
        },
        application={
            "tasks": [
                {"id": "slow", "times": {"A": 5}},
                {"id": "instant", "times": {"A": 0}},
                {"id": "empty", "times": {"B": 0}},
            ],
            "files": [
                {"source": "slow", "target": "empty", "size": 1},
                {"source": "instant", "target": "empty", "size": 0},
            ],
        },
    )
    answer = repeat(tables, [0, 0, 1], 3, Control())
    assert answer.makespan == 5 + 3 * 7
    assert answer.latency == Fraction(5 + 7 + 5 + 2 * 7 + 5 + 3 * 7 - 5 - 10, 3)


def test_latency_begins_with_the_first_operation_that_takes_time() -> None:
    tables = tables_of(
        platform={"processors": [{"id": "A"}]},
        application={
            "tasks": [{"id": "begin", "times": {"A": 0}}, {"id": "end", "times": {"A": 2}}],
            "files": [{"source": "begin", "target": "end", "size": 1}],
        },
    )
    assert repeat(tables, [0, 0], 5, Control()).latency == 2


def test_instances_that_take_no_time_have_no_latency() -> None:
    tables = tables_of(
        platform={"processors": [{"id": "A"}]},
        application={"tasks": [{"id": "T", "times": {"A": 0}}]},
    )
    answer = repeat(tables, [0], 5, Control())
    assert (answer.makespan, answer.latency) == (0, 0)


def test_a_mapping_without_a_path_is_refused() -> None:
    tables = tables_of(
        platform={"processors": [{"id": "A"}, {"id": "B"}]},
        application={
            "tasks": [{"id": "S", "times": {"A": 1}}, {"id": "T", "times": {"B": 1}}],
            "files": [{"source": "S", "target": "T", "size": 0}],
        },
    )
    with pytest.raises(NoMapping, match="no path from 'A' to 'B'"):
        repeat(tables, [0, 1], 1, Control())


@pytest.mark.parametrize("seed", range(15))
def test_a_repeated_mapping_is_valid_and_no_faster_than_its_period(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"mapping {seed}")
    tables = tables_of(**drawn(random, routing="fixed"))
    mapping = [random.choice(labels) for labels in tables.labels]
    try:
        period = tables.period(mapping)
    except NoMapping:
        return
    with watched(monkeypatch) as executions:
        answer = repeat(tables, mapping, 20, Control())
    assert executions[0].processors == [mapping] * 20
    check_execution(tables, executions[0], answer)
    assert answer.makespan >= 20 * period


@pytest.mark.parametrize(
    ("seed", "ports"),
    [*((seed, None) for seed in range(draws(10, 400))), *product(range(5), SINGLE_PORT)],
)
def test_references_are_valid_and_no_faster_than_any_schedule(
    seed: int, ports: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"references {seed}")
    asked: dict[str, Any] = {} if ports is None else {"ports": ports}
    document = drawn(
        random,
        tasks=random.randint(2, 6),
        processors=random.randint(2, 4),
        everywhere=seed % 2 == 0,
        **asked,
    )
    tables = tables_of(**document)
    answers = []
    for reference in REFERENCES:
        with watched(monkeypatch) as executions:
            try:
                answer = reference(tables, 12, Control())
            except NoMapping:
                continue
        check_execution(tables, executions[0], answer)
        answers.append(answer)
    assert answers or seed % 2
    most = solve_task_graph(
        TaskGraphInstance.model_validate({"kind": "task_graph", **document}), "column_generation"
    ).result.bound
    for answer in answers:
        assert most is not None
        assert answer.instances <= most.value * answer.makespan


@pytest.mark.parametrize("reference", REFERENCES)
def test_other_units_scale_the_answer(reference: Any) -> None:
    document = drawn(Random(3), everywhere=True, ports="multiport")
    usual = reference(tables_of(**document), 8, Control())
    for processor in document["platform"]["processors"]:
        processor["speed"] = str(Fraction(processor["speed"]) / 7)
        for port in ("bandwidth_in", "bandwidth_out"):
            if port in processor:
                processor[port] = str(Fraction(processor[port]) / 7)
    for shared in (*document["platform"]["links"], *document["platform"]["media"]):
        shared["bandwidth"] = str(Fraction(shared["bandwidth"]) / 7)
    slower = reference(tables_of(**document), 8, Control())
    assert slower.makespan == 7 * usual.makespan
    assert slower.latency == 7 * usual.latency


@pytest.mark.parametrize("reference", REFERENCES)
def test_dates_may_be_longer_than_machine_integers(
    reference: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = drawn(Random(5), everywhere=True, ports="multiport")
    for i, processor in enumerate(document["platform"]["processors"]):
        processor["speed"] = f"{10**40 + i}/{10**38 + 7}"
    for i, link in enumerate(document["platform"]["links"]):
        link["bandwidth"] = f"{10**30 + i}/{10**29 + 3}"
    tables = tables_of(**document)
    with watched(monkeypatch) as executions:
        answer = reference(tables, 5, Control())
    assert answer.makespan / executions[0].operations.step > 2**63
    check_execution(tables, executions[0], answer)


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_reference_stops_when_it_is_told_to(reference: Any) -> None:
    tables = tables_of(**drawn(Random(1), everywhere=True))
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        reference(tables, 10, control)
    with pytest.raises(OutOfTime):
        reference(tables, 10, Control(0))
