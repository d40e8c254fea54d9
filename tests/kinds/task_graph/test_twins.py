"""Pools of interchangeable processors: the optimum of the whole platform, and an answer that stands."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.pools import Pools
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver import column_generation
from steadygrid.submissions.submission import parse_submission, size_submission
from tests import solved
from tests.draws import draws
from tests.kinds.task_graph.random_instances import SHAPES
from tests.solved import Solved
from tests.twins import planted
from tests.verification.answers import Answer


def drawn(seed: int, *choices: str) -> TaskGraphInstance | None:
    """Draw an application for a platform with twins; None if there is a fault in it."""
    random = Random(seed)
    ports = random.choice(choices)
    platform = planted(random, ports)
    number, pairs = SHAPES[random.choice(list(SHAPES))](random)
    hosts = [p["id"] for p in platform["processors"] if not p.get("switch")]
    tasks: list[dict[str, Any]] = [
        {"id": f"T{k}", "work": random.choice([0, 1, 2, "1/2"])} for k in range(number)
    ]
    for task in random.sample(tasks, number // 3 if hosts else 0):
        task["allowed"] = random.sample(hosts, random.randint(1, len(hosts)))
    files = [
        {"source": f"T{a}", "target": f"T{b}", "size": random.choice([0, 1, 1, 2, "1/2"])}
        for a, b in pairs
    ]
    instance = TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": platform,
            "ports": ports,
            "routing": random.choice(["free", "free", "fixed"]),
            "application": {"tasks": tasks, "files": files},
            "method": "column_generation",
        },
        strict=False,
    )
    return None if list(PROBLEM.faults(instance, Options(), ())) else instance


def solve(instance: TaskGraphInstance, **options: Any) -> Solved:
    return solved.solve({"problem": instance.model_dump(mode="json", exclude_none=True)}, **options)


def over_all_hosts(instance: TaskGraphInstance, **_: Any) -> Pools:
    return Pools(instance.platform, instance.ports, ())


@pytest.mark.parametrize("choices", [("one_port", "multiport"), SINGLE_PORT])
def test_pools_have_the_optimum_of_all_hosts(
    choices: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_classes = 0
    for seed in range(draws(25, 3_000)):
        instance = drawn(seed, *choices)
        if instance is None:
            continue
        options: dict[str, Any] = {"whole_files": False} if seed % 3 == 0 else {}
        if seed % 2:
            options["max_period"] = Random(seed).choice([3, 10, "7/2", 40])
        pools = solve(instance, **options)
        if not pools.result.classes:
            continue
        with_classes += 1
        with monkeypatch.context() as patched:
            patched.setattr(column_generation, "pools_of", over_all_hosts)
            hosts = solve(instance, **options)
        assert pools.result.bound == hosts.result.bound, seed
        if instance.ports != "one_port":
            assert pools.result.objective == hosts.result.objective, seed
            assert pools.result.outcome is hosts.result.outcome, seed
    assert with_classes > 10


def grid(clusters: int, hosts: int, **more: Any) -> dict[str, Any]:
    """Clusters of equal hosts behind a switch each, in a ring; five tasks in a diamond with a tail."""
    names = [[f"c{c}h{k}" for k in range(hosts)] for c in range(clusters)]
    processors: list[dict[str, Any]] = [{"id": f"s{c}", "switch": True} for c in range(clusters)]
    links: list[dict[str, Any]] = [
        {"source": f"s{c}", "target": f"s{(c + 1) % clusters}", "unit_time": "1/8"}
        for c in range(clusters if clusters > 2 else clusters - 1)
    ]
    for c, row in enumerate(names):
        for name in row:
            processors.append({"id": name, "unit_time": c + 1})
            links.append({"source": name, "target": f"s{c}", "unit_time": 1})
    ends = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")]
    return {
        "kind": "task_graph",
        "platform": {"processors": processors, "links": links},
        "application": {
            "tasks": [{"id": n, "work": 1 + k} for k, n in enumerate("abcde")],
            "files": [{"source": s, "target": t, "size": 1} for s, t in ends],
        },
        **more,
    }


def test_what_is_admitted_is_counted_by_pools() -> None:
    """The tables over 2,000 hosts would hold 8e6 entries."""
    body = {"problem": grid(20, 100)}
    sizes = size_submission(parse_submission(body, Limits()), Limits()).sizes
    assert sizes["classes"] == 20
    assert sizes["processors"] == 2_020
    assert sizes["labelling_entries"] == 2 * 20**2 + 2 * 20 + 1
    assert sizes["variables"] <= 20 * 4 + 40


@pytest.mark.parametrize("ports", ["one_port", "multiport", *SINGLE_PORT])
@pytest.mark.parametrize("options", [{}, {"max_period": 200}, {"max_period": 15}])
def test_whole_instances_are_dealt_to_members(ports: str, options: dict[str, Any]) -> None:
    """An instance is 15 work: few fit a period of 15, and in one of 200 they fill all hosts."""
    result, schedule = solve(
        TaskGraphInstance.model_validate(grid(3, 7, ports=ports), strict=False), **options
    )
    assert result.outcome is Outcome.OPTIMAL
    assert result.objective.value == Fraction(7, 15) * (1 + Fraction(1, 2) + Fraction(1, 3))
    assert [len(names) for names in result.classes] == [7, 7, 7]
    assert len(result.allocations) <= 21
    running = {
        c.processor for c in schedule.computations if c.count and not c.processor.startswith("s")
    }
    alone = ports == "no_overlap" and options.get("max_period") == 15
    assert len(running) >= (7 if alone else 14)
    assert schedule.loss <= (Fraction(1, 7) if options.get("max_period") != 15 else Fraction(1, 2))


@pytest.mark.parametrize("ports", ["one_port", "multiport", "no_overlap"])
def test_schedules_that_list_too_much_are_dealt(ports: str) -> None:
    """The even spread lists one transfer too many; what is dealt instead loses little.

    Where what is sent is told as runs of links, each cargo is one.
    """
    listed = "cargo" if ports == "one_port" else "transfers"
    problem = grid(2, 12, ports=ports)
    problem["application"]["tasks"][0]["allowed"] = [f"c0h{k}" for k in range(12)]
    problem["application"]["tasks"][4]["allowed"] = [f"c1h{k}" for k in range(12)]
    exact = solved.solve({"problem": problem})
    assert exact.schedule.rounding_loss is None
    most = exact.schedule.counts[listed] - 1
    limits = Limits(max_slot_transfers=most)
    result, schedule = solved.solve({"problem": problem}, limits=limits)
    assert result.objective == exact.result.objective
    assert schedule.counts[listed] <= most
    assert 0 < schedule.loss < Fraction(1, 4)


def small() -> Answer:
    """Two hosts with equal links to the same switch, and a third one behind it."""
    problem = grid(1, 2)
    problem["platform"]["processors"].append({"id": "x", "unit_time": 1})
    problem["platform"]["links"].append(
        {"source": "x", "target": "s0", "unit_time": 2, "duplex": "half"}
    )
    instance = TaskGraphInstance.model_validate(problem, strict=False)
    result, schedule = solve(instance)
    assert result.classes == [["c0h0", "c0h1"]]
    return Answer(instance, Options(), result, schedule)


def changed_link(field: str, value: Any) -> Callable[[Answer], Answer]:
    """Change the link of the second host; what is known of the platform is read anew."""

    def change(answer: Answer) -> Answer:
        body = answer.instance.model_dump(mode="json", exclude_none=True)
        link = next(e for e in body["platform"]["links"] if e["source"] == "c0h1")
        link.pop("unit_time" if field == "bandwidth" else field, None)
        link[field] = value
        instance = TaskGraphInstance.model_validate(body, strict=False)
        return Answer(instance, answer.options, answer.result, answer.schedule)

    return change


def changed_host(field: str, value: Any) -> Callable[[Answer], Answer]:
    def change(answer: Answer) -> Answer:
        body = answer.instance.model_dump(mode="json", exclude_none=True)
        host = next(p for p in body["platform"]["processors"] if p["id"] == "c0h1")
        host.pop(field, None)
        host[field] = value
        instance = TaskGraphInstance.model_validate(body, strict=False)
        return Answer(instance, answer.options, answer.result, answer.schedule)

    return change


def with_classes(*classes: list[str]) -> Callable[[Answer], Answer]:
    return lambda answer: answer.change("result/classes", list(classes))


PLANTED: list[tuple[Callable[[Answer], Answer], str]] = [
    (with_classes(["c0h0"]), "lonely_twin"),
    (with_classes(["c0h0", "c0h9"]), "unknown_twin"),
    (with_classes(["c0h0", "c0h1"], ["x", "s0"]), "twin_switch"),
    (with_classes(["c0h0", "c0h1"], ["c0h1", "x"]), "repeated_twin"),
    (with_classes(["c0h0", "c0h1", "x"]), "other_links"),
    (changed_link("unit_time", 2), "other_links"),
    (changed_link("duplex", "half"), "other_links"),
    (changed_link("target", "c0h0"), "joined_twins"),
    (changed_host("unit_time", 3), "other_times"),
    (changed_host("cards", 2), "other_links"),
    (with_classes(["c0h1", "c0h0"]), "not_the_first"),
    (with_classes(), "overloaded"),
    (lambda a: a.change("result/allocations/0/tasks/a", "c0h1"), "not_the_first"),
    (lambda a: a.change("result/allocations/0/rate", Fraction(1)), "overloaded"),
    (lambda a: a.change("schedule/allocations", lambda them: them[1:]), "allocations_disagree"),
    (
        lambda a: a.change("schedule/allocations/0/rate", Fraction(1, 99)),
        "allocations_disagree",
    ),
    (lambda a: a.change("result/allocations", lambda them: them[1:]), "allocations_disagree"),
]


@pytest.mark.parametrize(("plant", "code"), PLANTED)
def test_a_planted_fault_is_found(plant: Callable[[Answer], Answer], code: str) -> None:
    assert code in plant(small()).codes()


def test_right_answers_are_accepted() -> None:
    assert small().faults() == []


def test_prices_that_differ_on_members_are_judged_on_all() -> None:
    """Moved from one member to the other, they leave it for nothing."""
    right = small()
    prices = dict(right.result.certificate.prices)
    moved = prices.pop("c0h1.compute")
    prices["c0h0.compute"] += moved
    wrong = right.change("result/certificate/prices", prices)
    assert wrong.codes() == {"cheap_allocation"}


def test_fixed_routes_need_members_with_one_neighbour() -> None:
    """Two ways over two equal hosts: fixed routes take the first by name."""
    ends = [("A", "C0"), ("A", "C1"), ("C0", "B"), ("C1", "B")]
    problem = {
        "kind": "task_graph",
        "platform": {
            "processors": [{"id": name} for name in ("A", "C0", "C1", "B")],
            "links": [{"source": s, "target": t, "unit_time": 1} for s, t in ends],
        },
        "application": {
            "tasks": [{"id": "a", "times": {"A": 0}}, {"id": "b", "times": {"B": 0}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
        "ports": "multiport",
    }
    free = TaskGraphInstance.model_validate(problem, strict=False)
    fixed = TaskGraphInstance.model_validate(problem | {"routing": "fixed"}, strict=False)
    assert solve(free).result.objective.value == 2
    assert solve(free).result.classes == [["C0", "C1"]]
    answer = solve(fixed)
    assert answer.result.objective.value == 1
    assert answer.result.classes == []
    wrong = Answer(fixed, Options(), answer.result, answer.schedule)
    assert "routed_twin" in wrong.change("result/classes", [["C0", "C1"]]).codes()


@pytest.mark.parametrize("ends", [("c0h1", "x"), ("x", "c0h1")])
def test_given_routes_tell_members_apart(ends: tuple[str, str]) -> None:
    right = small().change("instance/routing", "fixed")
    assert right.codes() == set()
    body = right.instance.model_dump(mode="json", exclude_none=True)
    source, target = ends
    body["platform"]["routes"] = [{"source": source, "target": target, "via": ["s0"]}]
    instance = TaskGraphInstance.model_validate(body, strict=False)
    wrong = Answer(instance, right.options, right.result, right.schedule)
    assert "other_routes" in wrong.codes()


@pytest.mark.parametrize("ports", SINGLE_PORT)
def test_odd_sets_may_tell_members_apart_that_have_two_neighbours(ports: str) -> None:
    links = [("A", "C0"), ("A", "C1"), ("C0", "B"), ("C1", "B"), ("A", "B")]
    problem = {
        "kind": "task_graph",
        "platform": {
            "processors": [{"id": name, "unit_time": 1} for name in ("A", "C0", "C1", "B")],
            "links": [{"source": s, "target": t, "unit_time": 1} for s, t in links],
        },
        "application": {"tasks": [{"id": "a", "work": 1}], "files": []},
        "ports": ports,
    }
    instance = TaskGraphInstance.model_validate(problem, strict=False)
    result, schedule = solve(instance)
    assert result.classes == []
    wrong = Answer(instance, Options(), result, schedule)
    assert wrong.faults() == []
    assert "twin_in_odd_sets" in wrong.change("result/classes", [["C0", "C1"]]).codes()


def test_a_port_without_links_is_shared() -> None:
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": name, "unit_time": 3} for name in "AB"], "links": []},
        "application": {"tasks": [{"id": "a", "work": 1}], "files": []},
        "ports": "no_overlap",
    }
    result, _ = solve(TaskGraphInstance.model_validate(problem, strict=False))
    assert result.classes == [["A", "B"]]
    assert result.objective.value == Fraction(2, 3)
    assert result.certificate.prices == {"A.port": Fraction(1, 3), "B.port": Fraction(1, 3)}


def ring_with_leaves(ports: str, leaves: int) -> TaskGraphInstance:
    """Three processors that hand files around; the last of them has leaves that work on the files."""
    ring = ["A", "B", "C"]
    names = [f"w{k}" for k in range(leaves)]
    ends = [*(("C", name) for name in names), ("A", "B"), ("B", "C"), ("C", "A")]
    tasks: list[dict[str, Any]] = [
        {"id": f"t{k}", "times": {name: 0}} for k, name in enumerate([*ring, "A"])
    ]
    tasks.append({"id": "work", "times": dict.fromkeys(names, 6)})
    files = [("t0", "t1", 1), ("t1", "t2", 1), ("t2", "t3", 1), ("t2", "work", "1/4")]
    problem = {
        "kind": "task_graph",
        "platform": {
            "processors": [{"id": name} for name in (*names, *ring)],
            "links": [{"source": s, "target": t, "unit_time": 1} for s, t in ends],
        },
        "application": {
            "tasks": tasks,
            "files": [{"source": s, "target": t, "size": size} for s, t, size in files],
        },
        "ports": ports,
    }
    return TaskGraphInstance.model_validate(problem, strict=False)


@pytest.mark.parametrize("ports", SINGLE_PORT)
@pytest.mark.parametrize("options", [{}, {"max_period": 40}, {"max_period": 1000}])
def test_odd_sets_limit_what_pools_are_sent(ports: str, options: dict[str, Any]) -> None:
    """The ports have room for 4/9 per time unit, the leaves for 2/3, the ring for 1/3."""
    result, schedule = solve(ring_with_leaves(ports, 4), **options)
    assert result.classes == [["w0", "w1", "w2", "w3"]]
    assert result.objective.value == Fraction(1, 3)
    assert "A--B--C.odd" in result.certificate.prices
    assert schedule.loss <= Fraction(1, 10)
    assert {c.processor for c in schedule.computations if c.time} == {"w0", "w1", "w2", "w3"}


def test_the_ring_is_too_full_for_rates_that_ports_have_room_for() -> None:
    instance = ring_with_leaves("send_or_receive", 4)
    result, schedule = solve(instance, max_period=11)
    assert schedule.rounding_loss is not None
    wrong = Answer(instance, Options(max_period=Fraction(11)), result, schedule)
    assert wrong.faults() == []
    assert (
        "odd_set_overload"
        in wrong.change("result/allocations/0/rate", lambda rate: rate + Fraction(1, 100)).codes()
    )


def test_prices_on_odd_sets_with_members_are_judged_on_all() -> None:
    """What is sent to one leaf would pay, and to the other nothing."""
    problem = {
        "kind": "task_graph",
        "platform": {
            "processors": [{"id": name} for name in ("m", "w0", "w1", "x")],
            "links": [{"source": "m", "target": t, "unit_time": 1} for t in ("w0", "w1", "x")],
        },
        "application": {
            "tasks": [{"id": "a", "times": {"m": 0}}, {"id": "b", "times": {"w0": 0, "w1": 0}}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
        "ports": "send_or_receive",
    }
    instance = TaskGraphInstance.model_validate(problem, strict=False)
    result, schedule = solve(instance)
    assert result.classes == [["w0", "w1"]]
    right = Answer(instance, Options(), result, schedule)
    assert right.faults() == []
    prices = {"m--w0--x.odd": Fraction(1)}
    assert right.change("result/certificate/prices", prices).codes() == {"cheap_allocation"}
