"""Reductions whose combining takes time, or keeps an order, against the program over all bracketings."""

import random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.job import Options
from steadygrid.engine.solving.persistent import PackingProgram
from steadygrid.kinds.collective.choice import tabulated
from steadygrid.kinds.collective.referee_reductions import MOST_SOURCES, MOST_SUMS
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.sizing import sizing
from steadygrid.kinds.collective.solver.best_combinations import Generation
from steadygrid.kinds.collective.solver.copying import BY_HEURISTICS, LATE
from steadygrid.verification.cheapest_combinations import pairs_of_any, pairs_of_neighbours
from tests.draws import draws
from tests.kinds.collective.bodies import F, body
from tests.kinds.collective.bracketings import by_all_bracketings, drawn_reduction
from tests.kinds.collective.by_intervals import by_intervals
from tests.kinds.collective.test_validator import answered
from tests.solved import solve

PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
ORDERS = ("any", "fixed")
FULL = {"duplex": "full"}
QUARTERS = {"times": {"a": "1/4", "b": "1/4"}}
THREE = body("a>b 1, b>a 1, c>b 1", "reduce", target="a", sources=["b", "a", "c"], combine=QUARTERS)


@pytest.mark.parametrize(("order", "expected"), [("fixed", F(2, 3)), ("any", F(1))])
def test_what_order_costs(order: str, expected: F) -> None:
    """In the order b, a, c the data of a has to meet that of b before that of c, or on its way."""
    problem = {"problem": THREE["problem"] | {"order": order}}
    solved = solve(problem)
    assert (solved.result.outcome, solved.result.objective.value) == ("optimal", expected)
    assert by_all_bracketings({"problem": problem["problem"] | {"ports": "one_port"}}) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_an_operand_leaves_its_owner_and_comes_back_combined(order: str) -> None:
    """a is slow: its data goes to b, and in no arborescence does it come back."""
    times = {"times": {"a": 50, "b": 1}}
    slow = body(
        "a>b 1, b>a 1", "reduce", target="a", sources=["a", "b"], combine=times, order=order
    )
    solved = solve(slow)
    assert solved.result.objective.value == 1
    (allocation,) = solved.result.allocations
    assert allocation.tasks == {"--0": "b"}
    (computation,) = solved.schedule.computations
    assert (computation.processor, computation.time) == ("b", computation.count)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(draws(3, 300)))
def test_the_optimum_is_that_of_all_bracketings(seed: int, ports: str, order: str) -> None:
    problem = drawn_reduction(seed, order, ports)
    if len(problem["problem"]["sources"]) == 1 and problem["problem"]["sources"] == [problem["problem"]["target"]]:  # fmt: skip
        return
    best = by_all_bracketings(problem)
    solved = solve(problem, whole_files=False, max_period="exact")
    result = solved.result
    if best is None:
        assert (result.outcome, result.certificate.type) == ("infeasible", "unreachable")
        return
    assert result.objective.value == best
    assert solved.schedule.loss == 0


def test_where_a_table_is_made_the_referee_makes_one() -> None:
    """Else a bound would be claimed that it cannot prove."""
    for number, places, order in [(12, 75, "any"), (12, 76, "any"), (13, 2, "any"), (3, 9, "any"), (60, 500, "fixed"), (60, 600, "fixed")]:  # fmt: skip
        names = [f"P{i}" for i in range(max(places, number))]
        instance = CollectiveInstance.model_validate(
            {
                "kind": "collective",
                "operation": "reduce",
                "platform": {"processors": [{"id": name} for name in names]},
                "target": "P0",
                "sources": names[:number],
                "order": order,
                "combine": {"times": dict.fromkeys(names[:places], 1)},
            }
        )
        pairs = pairs_of_any(number) if order == "any" else pairs_of_neighbours(number)
        possible = pairs * places <= MOST_SUMS and (order == "fixed" or number <= MOST_SOURCES)
        assert tabulated(instance, Options()) == possible
        assert not tabulated(instance, Options(max_labelling_entries=1)) or order == "fixed"


def drawn(seed: int, count: int, number: int, **problem: Any) -> dict[str, Any]:
    """Draw a connected platform of full-duplex links, times of combinations, and sources."""
    draw = random.Random(seed)
    names = [f"P{i}" for i in range(count)]
    pairs = [(i, j) for i in range(1, count) for j in draw.sample(range(i), min(i, 2))]
    listed = ", ".join(f"P{i}>P{j} {F(draw.randint(1, 9), draw.randint(1, 4))}" for i, j in pairs)
    times = {name: str(F(draw.randint(1, 9), draw.randint(1, 4))) for name in names if draw.random() < 0.6}  # fmt: skip
    times.setdefault("P0", "7")
    given = {"target": "P0", "sources": draw.sample(names, number), "combine": {"times": times}}
    return body(listed, "reduce", members=FULL, **(given | problem))


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_the_optimum_is_that_of_the_program_of_intervals(ports: str) -> None:
    for seed in range(draws(3, 60)):
        problem = drawn(seed, 6, 2 + seed % 4, order="fixed", ports=ports)
        assert solve(problem).result.objective.value == by_intervals(problem)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("order", ORDERS)
def test_when_the_time_is_over_what_is_found_is_judged(
    monkeypatch: pytest.MonkeyPatch, order: str, ports: str
) -> None:
    problem = drawn(5, 6, 5, order=order, ports=ports)
    best = solve(problem).result
    assert best.outcome == "optimal"
    assert solve(problem, seconds=0).result.bound.value >= best.objective.value
    price, left = Generation._price, []

    def late(generation: Generation, *given: Any) -> int:
        left.append(generation)
        if len(left) > 3:
            raise OutOfTime
        return price(generation, *given)

    monkeypatch.setattr(Generation, "_price", late)
    early = solve(problem).result
    assert early.outcome == "feasible"
    assert LATE in early.notes
    assert 0 < early.objective.value <= best.objective.value <= early.bound.value < 99


@pytest.mark.parametrize("failing", [0, 2])
def test_where_floats_fail_trees_come_by_exact_prices(
    monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    problem = drawn(7, 6, 5)
    best = solve(problem).result
    program, calls = PackingProgram.solve, []

    def broken(given: PackingProgram) -> None:
        calls.append(given)
        if len(calls) > failing:
            raise SolverError("no optimum")
        program(given)

    monkeypatch.setattr(PackingProgram, "solve", broken)
    result = solve(problem).result
    assert (result.outcome, result.objective.value) == ("optimal", best.objective.value)


def many(number: int, **problem: Any) -> dict[str, Any]:
    """A hub with others around it, all of whose data is combined."""
    names = [f"P{i}" for i in range(number)]
    listed = ", ".join(f"H>{name} 1/{number}" for name in names)
    given = {"target": "H", "sources": names, "combine": {"times": {"H": 1}}, "members": FULL}
    return body(listed, "reduce", **(given | problem))


def test_more_sources_than_a_table_has_are_bounded_by_computing_or_by_cuts() -> None:
    combined = solve(many(14)).result
    assert (combined.outcome, combined.objective.value) == ("optimal", F(1, 13))
    assert combined.certificate.prices == {"H.compute": F(1, 13)}
    received = solve(many(14, combine={"times": {"H": 0}})).result
    assert (received.outcome, received.objective.value) == ("optimal", 1)
    assert received.certificate.type == "cuts"
    some = drawn(4, 9, 8)
    best = solve(some).result.objective.value
    sought = solve(some, max_labelling_entries=100).result
    assert sought.outcome == "feasible"
    assert BY_HEURISTICS in sought.notes
    assert best * F(9, 10) <= sought.objective.value <= best <= sought.bound.value
    assert solve(many(14), seconds=0).result.bound.value == F(1, 13)


@pytest.mark.parametrize("ports", PORTS)
def test_periods_are_bounded_and_latencies_paid(ports: str) -> None:
    problem = drawn(11, 5, 4, ports=ports)
    for link in problem["problem"]["platform"]["links"]:
        link["latency"] = "1/7"
    best = solve(problem, max_period="exact", whole_files=False).schedule
    assert best.loss == 0
    assert {c.task for c in best.computations} <= {"--0", "--1", "--2"}
    short = solve(problem, max_period=str(best.period * F(3, 2))).schedule
    assert 0 < short.throughput <= best.throughput
    assert solve(problem, latencies="paid").schedule.loss < F(1, 50)


def test_who_combines_must_get_everything() -> None:
    """b combines, and a reaches the target past it."""
    aside = body("a>t 1, b>t 1", "reduce", target="t", sources=["a", "b"], combine={"times": {"b": 1}})  # fmt: skip
    answer = answered(aside)
    assert (answer.result.outcome, answer.faults()) == ("infeasible", [])
    assert answer.result.certificate.processors == ["a", "t", "b"]
    places = "result/certificate/processors"
    assert answer.change(places, ["a", "t"]).codes() == {"not_closed"}
    assert answer.change("instance/combine/times", {"t": F(1)}).codes() == {"proves_nothing"}
    assert answer.change("instance/combine", None).codes() == {"proves_nothing"}


def test_planted_faults_are_found() -> None:
    free, kept = ({"problem": THREE["problem"] | {"order": order}} for order in ORDERS)
    loose, fixed = answered(free), answered(kept)
    assert (loose.faults(), fixed.faults()) == ([], [])
    assert loose.change("instance/order", "fixed").codes() >= {"out_of_order"}
    assert fixed.change("instance/order", None).codes() == {"cheap_operation"}
    assert fixed.change("result/certificate/prices", {"c.send": F(2, 3)}).codes() == {"cheap_operation"}  # fmt: skip
    assert fixed.change("result/certificate/prices", {"c.compute": F(2, 3)}).codes() >= {"ghost_resource"}  # fmt: skip
    slower = fixed.change("instance/combine/times", {"a": F(9), "b": F(9)})
    assert {"overloaded", "wrong_computation_time"} <= slower.codes()
    nowhere = fixed.change("instance/combine/times", {"c": F(0)})
    assert {"task_not_allowed"} <= nowhere.codes()
    assert {"may_not_combine"} <= fixed.change("result/allocations/0/combinations/0/processor", "d").codes()  # fmt: skip
    assert {"unknown_task"} <= fixed.change("instance/combine", None).codes()
    doubled = {"b.receive": F(1, 2), "b.send": F(1, 6)}
    assert fixed.change("result/certificate/prices", doubled).codes() == {"cheap_operation"}


def test_what_is_counted_before_anything_is_solved() -> None:
    for order, listed in [
        ("any", {"sources": 3, "combiners": 2, "table_entries": 12}),
        ("fixed", {"sources": 3, "combiners": 2, "table_entries": 8, "coefficients": 26}),
    ]:
        problem = THREE["problem"] | {"order": order, "copying": "all"}
        sized = sizing(CollectiveInstance.model_validate(problem), Options())
        assert sized.sizes.items() >= listed.items()
        assert "copying is not used: combine says who combines" in sized.warnings


def test_who_combines_for_others_is_no_dead_end() -> None:
    """Only c combines, and nothing is beyond it."""
    aside = body("a>t 1, t>c 1", "reduce", target="t", sources=["a", "t"], combine={"times": {"c": 1}}, members=FULL)  # fmt: skip
    assert solve(aside).result.objective.value == F(1, 2)
