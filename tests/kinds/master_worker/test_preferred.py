"""Of all optimal rates those of least traffic, against a second program and by hand."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.second_objective import (
    MORE_ALLOCATIONS,
    NO_PROOF,
    NO_TIME,
    TOO_LONG,
    time_for_second,
)
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult
from steadygrid.kinds.master_worker.solver import methods, preference, program
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.program import SolvedProgram
from steadygrid.reading import read_platform
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.data import shared_data
from tests.kinds.master_worker.solving import solve
from tests.kinds.master_worker.test_slots import RINGS, ring

F = Fraction
LEAST = {"prefer": "least_traffic"}
ANY = {"prefer": "any"}


def body(
    processors: dict[str, Any],
    links: list[tuple[str, str, Any]],
    *,
    work: Any = 1,
    output_size: Any = 0,
    options: Any = None,
    **problem: Any,
) -> dict[str, Any]:
    """A grid by unit times: of processors, and of links with their two ends."""
    platform = {
        "processors": [
            {"id": name} if time is None else {"id": name, "unit_time": time}
            for name, time in processors.items()
        ],
        "links": [{"source": a, "target": b, "unit_time": time} for a, b, time in links],
    }
    task = {"work": work, "input_size": 1, "output_size": output_size}
    asked = {"kind": "master_worker", "master": next(iter(processors)), "platform": platform}
    return {
        "problem": asked | {"task": task, "method": "lp", **problem},
        "options": LEAST if options is None else options,
    }


DETOUR = body(
    {"M": 4, "A": 2, "B": 2},
    [("M", "A", "1/10"), ("M", "B", "1/10"), ("A", "B", "1/100")],
)
"""By hand: 1/2 a time unit to A and to B, each for 1/10; the detour to B over A is 1/100 longer."""


def drawn(seed: int, **problem: Any) -> dict[str, Any]:
    """Draw a grid with more links than a tree has."""
    draw = random.Random(seed)
    names = [f"P{i}" for i in range(draw.randint(4, 7))]
    pairs = {(names[draw.randrange(i)], names[i]) for i in range(1, len(names))}
    while len(pairs) < len(names) + 2:
        a, b = sorted(draw.sample(range(len(names)), 2))
        pairs.add((names[a], names[b]))
    times = {name: draw.choice([None, *range(1, 9)]) for name in names} | {"P0": 5, "P1": 3}
    return body(times, [(a, b, draw.randint(1, 6)) for a, b in sorted(pairs)], **problem)


@pytest.mark.parametrize("output_size", [0, "1/2"])
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("seed", range(4))
def test_no_rates_of_the_same_throughput_have_less_traffic(
    seed: int, ports: str, output_size: Any
) -> None:
    asked = drawn(seed, ports=ports, output_size=output_size)
    found = solve(asked).result
    first = solve(asked | {"options": ANY}).result
    assert first.preferred is None
    assert (found.objective, found.bound) == (first.objective, first.bound)
    assert found.certificate == first.certificate
    told = found.preferred
    assert told.proof == "exact"
    assert told.value <= told.before == traffic(asked, first)
    assert told.value == traffic(asked, found)
    assert float(told.value) == pytest.approx(least(asked, found.objective.value), abs=1e-7)


def traffic(asked: dict[str, Any], result: MasterWorkerResult) -> Fraction:
    links = asked["problem"]["platform"]["links"]
    times = {frozenset((one["source"], one["target"])): F(one["unit_time"]) for one in links}
    size = {"input": F(1), "output": F(asked["problem"]["task"]["output_size"])}
    return sum(
        (
            one.rate * times[frozenset((one.source, one.target))] * size[one.file]
            for one in result.sent
        ),
        F(0),
    )


def least(asked: dict[str, Any], throughput: Fraction) -> float:
    """Minimise traffic in floating point: rows of ports or links, of nodes, and of all tasks."""
    problem = asked["problem"]
    nodes = [one["id"] for one in problem["platform"]["processors"]]
    able = {
        one["id"]: float(one["unit_time"])
        for one in problem["platform"]["processors"]
        if "unit_time" in one
    }
    ends = [
        (one["source"], one["target"], float(one["unit_time"]))
        for one in problem["platform"]["links"]
    ]
    arcs = [*ends, *((b, a, time) for a, b, time in ends)]
    back = float(F(problem["task"]["output_size"]))
    size = [1.0, back] if back else [1.0]
    master, workers, k = problem["master"], list(able), len(arcs)
    n = len(workers) + k * len(size)
    cost, upper, equal = np.zeros(n), [], []

    def column(file: int, arc: int) -> int:
        return len(workers) + k * file + arc

    for place, name in enumerate(workers):
        row = np.zeros(n)
        row[place] = able[name]
        upper.append(row)
    ports = (
        [lambda a, i=i: a[i] for i in (0, 1)]
        if problem["ports"] == "one_port"
        else [lambda a: a[:2]]
    )
    for port in ports:
        for end in {port(arc) for arc in arcs}:
            row = np.zeros(n)
            for place, arc in enumerate(arcs):
                for file, amount in enumerate(size):
                    row[column(file, place)] = arc[2] * amount * (port(arc) == end)
            upper.append(row)
    for file, amount in enumerate(size):
        for node in nodes:
            row = np.zeros(n)
            for place, (source, target, time) in enumerate(arcs):
                cost[column(file, place)] = time * amount
                row[column(file, place)] = (target == node) - (source == node)
            if node in workers:
                row[workers.index(node)] = -1 if file == 0 else 1
            if node != master:
                equal.append(row)
    total = np.array([1.0] * len(workers) + [0.0] * (n - len(workers)))
    forbidden = {
        column(file, a)
        for a, arc in enumerate(arcs)
        for file in range(len(size))
        if arc[1 - file] == master
    }
    found = linprog(
        cost,
        A_ub=np.array(upper),
        b_ub=np.ones(len(upper)),
        A_eq=np.array([*equal, total]),
        b_eq=np.array([0.0] * len(equal) + [float(throughput)]),
        bounds=[(0, 0) if j in forbidden else (0, None) for j in range(n)],
        method="highs",
    )
    assert found.status == 0
    return float(found.fun)


@pytest.mark.parametrize("ports", ["send_or_receive", "no_overlap"])
@pytest.mark.parametrize("seed", [0, 31])
def test_odd_sets_are_kept_where_a_processor_takes_part_in_one_transfer(
    seed: int, ports: str
) -> None:
    """Of seed 31 the first rates of least traffic are too much for a set that no row is for."""
    asked = drawn(seed, ports=ports)
    told = solve(asked).result.preferred
    assert told.proof == "exact"
    assert told.value <= told.before


def test_files_take_no_detour_where_one_would_cost_no_throughput() -> None:
    result = solve(DETOUR).result
    assert result.preferred.value == F(1, 10)
    assert {(one.source, one.target) for one in result.sent} == {("M", "A"), ("M", "B")}


def test_with_fixed_routes_files_take_the_routes_of_least_traffic() -> None:
    told = solve(DETOUR, routing="fixed").result.preferred
    assert (told.value, told.proof) == (F(1, 10), "exact")


def test_where_nothing_can_be_done_there_is_no_traffic() -> None:
    told = solve(body({"M": None, "A": None}, [("M", "A", 1)])).result.preferred
    assert (told.value, told.proof) == (0, "none")


def test_by_default_traffic_is_least_where_that_takes_no_more_allocations() -> None:
    told = solve(DETOUR | {"options": {}}).result.preferred
    assert (told.name, told.value, told.proof) == ("least_traffic", F(1, 10), "exact")
    kept = drawn(3, ports="multiport")
    first, plain, asked = (solve(kept | {"options": one}) for one in (ANY, {}, LEAST))
    assert plain.result.preferred is None
    assert plain.result.sent == first.result.sent
    assert plain.schedule.allocations == first.schedule.allocations
    counts = len(asked.schedule.allocations), len(first.schedule.allocations)
    assert counts[0] > counts[1]
    assert plain.result.notes == [MORE_ALLOCATIONS.format(*counts)]
    assert asked.result.preferred.value < asked.result.preferred.before


@pytest.mark.filterwarnings("ignore::steadygrid.reading.LossyFormatWarning")
def test_no_worker_of_the_masters_cabinet_is_fed_through_another_one() -> None:
    """Griffon has equal hosts in three cabinets; the exchange between them costs nothing at first."""
    master = "griffon-1.nancy.grid5000.fr"
    asked = {
        "problem": {
            "kind": "master_worker",
            "platform": read_platform(shared_data("simgrid-platforms/griffon.xml")).model_dump(),
            "master": master,
            "task": {"work": 2 * 10**6, "input_size": 25 * 10**6},
            "ports": "multiport",
            "routing": "fixed",
        }
    }

    def strangers(options: dict[str, Any]) -> set[str]:
        """What of other cabinets lies on ways to workers of the master's."""
        _, schedule = solve(asked | {"options": options})
        found = set()
        for allocation in schedule.allocations:
            passed = [name for one in allocation.transfers for name in one.path]
            if passed and "cabinet1" in passed[-2]:
                found |= {name for name in passed if "cabinet2" in name or "cabinet3" in name}
        return found

    assert strangers(ANY)
    assert not strangers(LEAST)


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (OutOfTime(), NO_TIME),
        (CertificationError("no basis"), NO_PROOF),
        (SolverError("it stopped"), NO_PROOF),
    ],
)
def test_where_the_second_program_fails_the_first_rates_stand(
    error: Exception, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise error

    first = solve(DETOUR | {"options": ANY}).result
    monkeypatch.setattr(SolvedProgram, "least_traffic", failing)
    result, schedule = solve(DETOUR)
    assert (result.computed, result.sent, result.outcome) == (first.computed, first.sent, "optimal")
    assert (result.preferred.proof, result.preferred.worth) == ("none", None)
    assert result.preferred.value == result.preferred.before == traffic(DETOUR, first)
    assert result.notes == [note]
    assert schedule is not None


def test_the_second_program_may_take_a_second_or_a_third_of_the_time_and_leaves_half() -> None:
    assert time_for_second(Control()) == 1
    late = Control(100)
    late._started -= 50
    assert time_for_second(late) == pytest.approx(15, abs=0.1)
    assert time_for_second(Control(1)) == pytest.approx(0.5, abs=0.1)


def test_no_time_for_the_second_program_is_no_end_of_the_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preference, "time_for_second", lambda control: 0.0)
    result = solve(DETOUR).result
    assert (result.outcome, result.notes) == ("optimal", [NO_TIME])


def test_rates_that_need_slots_of_their_own_are_those_of_the_search_for_slots() -> None:
    result = solve(ring(RINGS[0]) | {"options": LEAST}).result
    assert result.preferred.proof == "none"
    assert result.preferred.value == result.preferred.before
    assert any("half-duplex" in note and "least_traffic" in note for note in result.notes)


def test_proofs_that_are_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "too_long", lambda numbers: F(1, 10) in numbers)
    result = solve(DETOUR).result
    assert result.preferred is not None
    assert result.notes == [TOO_LONG]
    assert (result.preferred.value, result.preferred.proof) == (F(1, 10), "none")


def test_auto_takes_the_program_where_something_is_preferred() -> None:
    star = body({"M": 1, "A": 1}, [("M", "A", 1)], method="auto")
    assert solve(star).result.method == "lp"
    assert solve(star | {"options": ANY}).result.method == "bandwidth_centric"
    asked = parse_submission(
        star | {"problem": star["problem"] | {"method": "bandwidth_centric"}}, Limits()
    )
    assert any("prefer is not used" in one for one in size_submission(asked, Limits()).warnings)
    by_tree = solve(star, method="bandwidth_centric").result
    assert by_tree.preferred is None


def test_a_row_that_the_first_program_does_not_have_has_no_price() -> None:
    asked = parse_submission(drawn(0, ports="send_or_receive"), Limits()).instance
    legs = Legs.from_instance(asked)
    solved = program.solve_rates(asked, legs, Control())
    assert solved._price("odd", "no such set") == 0
    prices = {index: solved._price("port", index) for index in solved.model.port}
    assert {index: price for index, price in prices.items() if price} == {
        index: price for index, price in solved.prices.items() if index in prices
    }


def test_results_of_older_versions_say_nothing_of_it() -> None:
    document = solve(DETOUR | {"options": ANY}).result.model_dump(mode="json")
    del document["preferred"]
    assert MasterWorkerResult.model_validate(document).preferred is None
    assert PROBLEMS["master_worker"].result is MasterWorkerResult
