"""What a given mapping does is what plain sums say, and its best move is the best of all."""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from steadygrid.documents import plain
from steadygrid.domain.job import Outcome
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationResult
from steadygrid.kinds.mono_allocation.solver.transfer_routes import carried
from steadygrid.reading import read_application, read_platform
from tests.data import shared_data
from tests.draws import draws
from tests.engine.slots import cycles
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.drawn_limits import chained, limited
from tests.kinds.mono_allocation.given.plainly import Plainly
from tests.kinds.mono_allocation.planted import planted_document
from tests.kinds.mono_allocation.single_ports import PORTS as SINGLE_PORT
from tests.kinds.mono_allocation.single_ports import around, triangle
from tests.kinds.mono_allocation.test_answers import answered, result_of
from tests.kinds.mono_allocation.test_carried import shortest
from tests.solved import solve
from tests.tree import ROOT

PORTS = ("multiport", "one_port", "send_or_receive", "no_overlap")
ROUTINGS = ("fixed", "free", "multipath")


def with_full_links(problem: dict[str, Any]) -> dict[str, Any]:
    """Leave no half-duplex link under one_port: there a schedule may take longer than its resources."""
    if problem["ports"] == "one_port":
        for link in problem["platform"]["links"]:
            link["duplex"] = "full"
    return problem


def with_mapping(random: Random, problem: dict[str, Any], most: int = 1) -> dict[str, Any]:
    """Map every task to one of the processors that can run it, or to up to `most` of them."""
    able = [p["id"] for p in problem["platform"]["processors"] if "speed" in p or "unit_time" in p]
    mapping = {}
    for task in problem["application"]["tasks"]:
        here = task.get("allowed", able)
        mapping[task["id"]] = random.sample(here, random.randint(1, min(most, len(here))))
    return problem | {"method": "given", "mapping": mapping}


def check(problem: dict[str, Any]) -> MonoAllocationResult:
    """Compare an answer, which the referee has accepted, with what plain sums say."""
    plainly = Plainly(problem)
    result = result_of(answered(problem))
    period, best = plainly.period(), plainly.best_move()
    assert result.objective is not None
    assert result.objective.value == (0 if period is None else 1 / period)
    assert result.period == period
    told = None if result.better is None else result.better.throughput
    assert told == (None if best is None else 1 / best)
    if result.better is not None:
        move = result.better.task, result.better.source, result.better.target
        assert dict(plainly.moves())[move] == best
    assert result.moves is not None
    assert result.moves.tried == result.moves.total
    return result


@pytest.mark.parametrize(("ports", "routing"), list(product(PORTS, ROUTINGS)))
def test_value_and_best_move_are_those_of_plain_sums(ports: str, routing: str) -> None:
    for seed in range(draws(3, 60)):
        random = Random(f"{ports} {routing} {seed}")
        problem = with_full_links(drawn(random, 4, 4, ports=ports, routing=routing))
        result = check(with_mapping(random, problem))
        assert result.objective is not None
        if result.bound is not None:
            assert result.distance == 1 - result.objective.value / result.bound.value
            optimal = result.bound.value == result.objective.value
            assert (result.outcome is Outcome.OPTIMAL) == optimal


@pytest.mark.parametrize("bound_method", ["relaxation", "allocations"])
def test_no_mapping_exceeds_the_bound(bound_method: str) -> None:
    for seed in range(draws(3, 30)):
        random = Random(seed)
        routing = random.choice(ROUTINGS[:2])
        problem = with_full_links(drawn(random, 3, 3, routing=routing, everywhere=True))
        problem = with_mapping(random, problem) | {"bound_method": bound_method}
        best = Plainly(problem).optimum()
        result = result_of(answered(problem))
        assert best is not None
        assert result.bound is not None
        assert result.bound.exact
        assert result.bound.value >= 1 / best


def test_without_a_bound_there_is_no_distance() -> None:
    problem = with_mapping(Random(1), drawn(Random(1), 4, 3, everywhere=True))
    result = check(problem | {"bound_method": "none"})
    assert (result.bound, result.gap, result.distance, result.bound_source) == (None,) * 4
    assert result.outcome is Outcome.FEASIBLE


def test_each_copy_gets_its_files_from_the_nearest_and_may_move_alone() -> None:
    copied = 0
    for seed in range(draws(6, 100)):
        random = Random(seed)
        routing = random.choice(ROUTINGS)
        problem = with_full_links(drawn(random, 4, 4, routing=routing, duplication="tasks"))
        result = check(with_mapping(random, problem, most=2))
        copied += result.better is not None and len(result.mapping[result.better.task]) > 1
    assert copied


def test_moves_keep_to_memory_and_intervals() -> None:
    tried = 0
    for seed in range(draws(20, 300)):
        random = Random(seed)
        draw = random.choice((limited, chained))
        problem = with_mapping(random, with_full_links(draw(random, 4, 3)))
        plainly = Plainly(problem)
        if plainly._all.kept(plainly.places):
            tried += 1
            check(problem)
    assert tried > 5


def test_one_of_each_class_of_idle_twins_is_enough() -> None:
    fewer = 0
    for seed in range(draws(6, 100)):
        random = Random(seed)
        problem = with_mapping(random, planted_document(random, 3))
        if problem["ports"] == "one_port":
            continue
        result = check(problem)
        assert result.moves is not None
        fewer += result.moves.total < sum(1 for _ in Plainly(problem).moves())
    assert fewer


@pytest.mark.parametrize(("ports", "routing"), list(product(PORTS, ROUTINGS)))
def test_what_a_method_has_found_is_worth_the_same_when_given(ports: str, routing: str) -> None:
    for seed in range(draws(1, 20)):
        random = Random(f"{ports} {routing} {seed}")
        duplication = random.choice(("none", "tasks")) if routing != "multipath" else "none"
        problem = drawn(random, 4, 4, ports=ports, routing=routing, duplication=duplication)
        problem = with_full_links(problem)
        found = result_of(answered(problem, time_limit=5))
        if found.objective is None:
            continue
        paths = [
            {
                "file": list(sent.file),
                "source": sent.path[0],
                "target": sent.path[-1],
                "path": sent.path,
                "share": str(sent.share),
            }
            for sent in found.transfers
        ]
        given = problem | {"method": "given", "mapping": found.mapping}
        if routing != "fixed":
            given["paths"] = paths
        result = check(given)
        assert result.objective == found.objective
        assert result.occupation == found.occupation


def test_slots_of_half_duplex_links_decide_the_value() -> None:
    for seed in range(draws(3, 20)):
        body = cycles.drawn(seed, "mono_allocation")
        assert result_of(solve(evaluating(body))).period == shortest(body)


def test_a_search_for_slots_that_was_cut_short_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried, "JUDGING_SHARE", 0)
    body = evaluating(cycles.five("mono_allocation"))
    assert result_of(solve(body)).period == Fraction(5, 2)


@pytest.mark.parametrize("ports", SINGLE_PORT)
def test_the_best_move_is_not_the_one_that_leaves_resources_least_busy(ports: str) -> None:
    """Odd sets of processors are busy for longer after that one."""
    for seed in (4, 7, *range(100, draws(50, 150))):
        random = Random(seed)
        check(with_mapping(random, around(seed, 5, 4, ports=ports, routing="fixed")))


def test_a_bound_knows_the_odd_sets_that_decide() -> None:
    problem = triangle("send_or_receive", method="given")
    mapping = {"a": ["A"], "b": ["B"], "c": ["C"], "d": ["A"]}
    problem["application"]["tasks"][2]["times"] = {"C": 1}
    result = check(problem | {"mapping": mapping, "bound_method": "allocations"})
    assert (result.period, result.outcome) == (6, Outcome.OPTIMAL)
    assert result.bottlenecks == ["A--B--C.odd"]


def test_slots_of_half_duplex_links_decide_the_best_move() -> None:
    body = evaluating(cycles.five("mono_allocation"))
    tasks = {task["id"]: task for task in body["problem"]["application"]["tasks"]}
    tasks["g0"]["times"] |= {"A": "1/100"}
    tasks["f3"]["times"] |= {"C": "1/100"}
    result = result_of(solve(body))
    assert result.period == Fraction(5, 2)
    assert result.bottlenecks == ["A.send", "C.receive", "D--E.half", "D.receive", "D.send"]
    assert result.better is not None
    assert (result.better.task, result.better.throughput) == ("g0", Fraction(1, 2))


def evaluating(body: dict[str, Any]) -> dict[str, Any]:
    """Ask what the pinned tasks of a body do."""
    tasks = body["problem"]["application"]["tasks"]
    mapping = {task["id"]: list(task["times"]) for task in tasks}
    return body | {"problem": body["problem"] | {"method": "given", "mapping": mapping}}


def test_a_file_without_a_route_leaves_no_throughput_and_a_move_mends_it() -> None:
    problem = {
        "platform": {
            "processors": [{"id": name, "speed": 1} for name in ("A", "B", "C")],
            "links": [{"source": "A", "target": "B", "bandwidth": 1}],
        },
        "application": {
            "tasks": [{"id": "make", "work": 1}, {"id": "use", "work": 2}],
            "files": [{"source": "make", "target": "use", "size": 3}],
        },
        "method": "given",
        "mapping": {"make": ["A"], "use": ["C"]},
    }
    solved = answered(problem)
    result = result_of(solved)
    assert solved.schedule is None
    assert (result.outcome, result.objective.value) == (Outcome.FEASIBLE, 0)
    assert (result.distance, result.period, result.bottlenecks) == (1, None, [])
    assert result.better is not None
    assert (result.better.task, result.better.throughput) == ("make", Fraction(1, 3))
    assert "no route" in result.notes[0]
    check(problem | {"ports": "multiport", "routing": "fixed"})


def linked(links: Mapping[str, Any], speeds: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Ask on processors in the order of their speeds; links have unit times, both ways alike."""
    return {
        "platform": {
            "processors": [
                {"id": name} | ({"speed": speed} if speed else {}) for name, speed in speeds.items()
            ],
            "links": [
                {"source": ends[0], "target": ends[1], "unit_time": time}
                for ends, time in links.items()
            ],
        },
        "ports": "multiport",
        "routing": "free",
        "method": "given",
        **fields,
    }


def test_a_resource_that_a_move_leaves_alone_may_be_the_busiest_after_it() -> None:
    tasks = [("first", 6), ("second", 4), ("third", 2)]
    problem = linked(
        {"PQ": 1, "PR": 1},
        {"P": 1, "Q": 1, "R": 1},
        application={
            "tasks": [{"id": name, "work": work} for name, work in tasks],
            "files": [{"source": "second", "target": "third", "size": 8}],
        },
        mapping={"first": ["P"], "second": ["P"], "third": ["Q"]},
    )
    result = check(problem)
    assert result.better is not None
    assert (result.better.task, result.better.throughput) == ("second", Fraction(1, 6))


def test_the_nearest_copy_is_so_by_time_not_by_hops() -> None:
    problem = linked(
        {"AC": 10, "BR": 1, "RC": 1},
        {"A": 1, "B": 1, "C": 1, "R": None},
        application={
            "tasks": [{"id": "make", "work": 1}, {"id": "use", "work": 1}],
            "files": [{"source": "make", "target": "use", "size": 3}],
        },
        duplication="tasks",
        mapping={"make": ["A", "B"], "use": ["C"]},
    )
    result = check(problem)
    assert [sent.path for sent in result.transfers] == [["B", "R", "C"]]
    assert result.period == 3


def test_with_copies_every_idle_twin_is_tried_as_its_name_may_decide_who_sends() -> None:
    """From X before M the file leaves S, whose link is full, alone; from Z it does not."""
    problem = linked(
        {"ZS": 1, "XS": 1, "MS": 1, "US": 1, "VS": 9},
        {"Z": 1, "X": 1, "M": 1, "U": 9, "V": "1/99", "S": None},
        application={
            "tasks": [
                {"id": "make", "work": 1},
                {"id": "use", "work": 1},
                {"id": "more", "work": 1},
            ],
            "files": [
                {"source": "make", "target": "use", "size": 4},
                {"source": "more", "target": "use", "size": 3},
            ],
        },
        duplication="tasks",
        mapping={"make": ["V", "M"], "use": ["U"], "more": ["M"]},
    )
    for tasks in problem["application"]["tasks"]:
        tasks["allowed"] = {"use": ["U"], "more": ["M"]}.get(tasks["id"], ["V", "M", "X", "Z"])
    problem["platform"]["links"][3]["unit_time"] = "1/9"
    problem["platform"]["processors"] = [
        one | ({"bandwidth_out": 1} if one["id"] == "M" else {})
        for one in problem["platform"]["processors"]
    ]
    result = check(problem)
    assert result.moves is not None
    assert result.moves.total == 4


def test_a_file_in_shares_takes_its_shares_of_both_paths() -> None:
    path = {"file": ["make", "use"], "source": "A", "target": "C"}
    problem = linked(
        {"AC": 1, "AB": 1, "BC": 1},
        {"A": 1, "B": 1, "C": 1},
        application={
            "tasks": [
                {"id": "make", "work": 2, "allowed": ["A"]},
                {"id": "use", "work": 3},
                {"id": "rest", "work": 6},
            ],
            "files": [{"source": "make", "target": "use", "size": 8}],
        },
        routing="multipath",
        mapping={"make": ["A"], "use": ["C"], "rest": ["A"]},
        paths=[
            path | {"path": ["A", "C"], "share": "1/4"},
            path | {"path": ["A", "B", "C"], "share": "3/4"},
        ],
    )
    result = check(problem)
    assert result.period == 8
    assert result.better is not None
    assert (result.better.task, result.better.throughput) == ("rest", Fraction(1, 6))


def test_what_does_not_fit_into_memory_beside_others_is_no_move() -> None:
    names = ("one", "two", "three")
    problem = linked(
        {"AB": 1},
        {"A": 1, "B": 9},
        application={"tasks": [{"id": name, "work": 1, "memory": 3} for name in names]},
        mapping={"one": ["A"], "two": ["A"], "three": ["B"]},
    )
    problem["platform"]["processors"][1]["memory"] = "11/2"
    assert check(problem).better is None
    problem["platform"]["processors"][1]["memory"] = 6
    assert check(problem).better is not None


def test_all_resources_that_are_full_are_bottlenecks() -> None:
    problem = {
        "platform": {
            "processors": [{"id": name, "speed": 1} for name in ("A", "B")],
            "links": [{"source": "A", "target": "B", "bandwidth": 1}],
        },
        "application": {
            "tasks": [{"id": "make", "work": 2}, {"id": "use", "work": 2}],
            "files": [{"source": "make", "target": "use", "size": 2}],
        },
        "method": "given",
        "mapping": {"make": ["A"], "use": ["B"]},
    }
    result = result_of(answered(problem))
    assert result.bottlenecks == ["A->B.link", "A.compute", "B.compute"]
    assert result.bottleneck == "A->B.link"
    assert (result.outcome, result.distance, result.better) == (Outcome.OPTIMAL, 0, None)


def test_no_time_leaves_the_value_and_a_note_about_the_moves() -> None:
    random = Random(3)
    problem = with_mapping(random, drawn(random, 8, 6, everywhere=True))
    body = {"problem": {"kind": "mono_allocation"} | problem}
    result = result_of(solve(body, seconds=0))
    assert result.objective is not None
    assert 1 / result.objective.value == Plainly(problem).period()
    assert result.moves is not None
    assert result.moves.tried < result.moves.total
    assert any("moves of one task" in note for note in result.notes)


def test_the_moves_that_are_named_lead_from_the_example_to_the_optimum() -> None:
    body = json.loads((ROOT / "examples" / "camera-as-it-runs.json").read_text(encoding="utf-8"))
    rates = []
    while True:
        result = result_of(solve(body))
        assert result.objective is not None
        rates.append(result.objective.value)
        if result.better is None:
            break
        body["problem"]["mapping"][result.better.task] = [result.better.target]
    assert rates == [Fraction(1, 18), Fraction(1, 10), Fraction(1, 6)]
    assert result.outcome is Outcome.OPTIMAL


@pytest.mark.parametrize("ports", PORTS)
def test_files_without_size_take_no_time(ports: str) -> None:
    random = Random(7)
    problem = with_full_links(drawn(random, 4, 3, density=1, everywhere=True, ports=ports))
    for file in problem["application"]["files"][::2]:
        file["size"] = 0
    check(with_mapping(random, problem))


@pytest.mark.filterwarnings("ignore::steadygrid.reading.LossyFormatWarning")
def test_a_workflow_on_a_cluster_is_evaluated_as_it_was_placed() -> None:
    problem = {
        "kind": "mono_allocation",
        "platform": read_platform(shared_data("simgrid-platforms/griffon.xml")),
        "application": read_application(
            shared_data("wfinstances/montage-chameleon-2mass-005d-001.json")
        ),
    }
    body = {"problem": plain(problem | {"method": "simple_greedy"})}
    found = result_of(solve(body))
    body["problem"] |= {"method": "given", "mapping": found.mapping, "bound_method": "none"}
    result = result_of(solve(body))
    assert (result.objective, result.transfers) == (found.objective, found.transfers)
    body["problem"]["mapping"] = {task: ["griffon-1.nancy.grid5000.fr"] for task in found.mapping}
    result = result_of(solve(body))
    assert result.better is not None
    assert result.moves is not None
    assert result.moves.total == len(found.mapping) * 3, "one idle host of each cabinet"
