"""Allocations that are given: their best rates, how far they are from the optimum, what is missing."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import InstanceError, OutOfTime
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver import column_generation
from steadygrid.kinds.task_graph.solver import given as module
from steadygrid.kinds.task_graph.solver.judging import Judgement, judge
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.occupation import occupation
from tests import solved
from tests.draws import draws
from tests.engine.slots.every_slot import every_slot
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.test_half_duplex import choices, instance_of
from tests.solved import Solved

Documents = Sequence[Mapping[str, Any]]


def given(
    instance: TaskGraphInstance,
    allocations: Documents,
    seconds: float | None = None,
    **members: Any,
) -> Solved:
    problem = instance.model_dump(mode="json", exclude_none=True)
    problem |= {"method": "given", "allocations": list(allocations)} | members
    return solved.solve({"problem": problem}, seconds)


def free(instance: TaskGraphInstance) -> Solved:
    return solved.solve({"problem": instance.model_dump(mode="json", exclude_none=True)})


def listed(answer: Solved) -> list[dict[str, Any]]:
    return [one.model_dump(mode="json") for one in answer.result.allocations]


def value(answer: Solved) -> Fraction:
    return answer.result.objective.value


def uses(instance: TaskGraphInstance, document: Mapping[str, Any]) -> dict[str, Fraction]:
    """What one instance of an allocation takes of each resource, by the referee's sums."""
    allocation = Allocation(
        0,
        Fraction(0),
        Fraction(0),
        {task: (name,) for task, name in document["tasks"].items()},
        tuple(
            Transfer(tuple(t["file"]), tuple(t["path"]), Fraction(t["share"]))
            for t in document["transfers"]
        ),
    )
    return occupation(steady_instance(instance), allocation)


def best_of_vertices(columns: Sequence[Mapping[str, Fraction]]) -> Fraction:
    """Maximise the sum of rates over all bases: rows that are tight, columns that run."""
    rows = sorted({name for column in columns for name, time in column.items() if time})
    best = Fraction(0)
    for number in range(1, min(len(rows), len(columns)) + 1):
        for running in combinations(columns, number):
            for tight in combinations(rows, number):
                rates = solution([[c.get(row, Fraction(0)) for c in running] for row in tight])
                if rates is None or min(rates) < 0:
                    continue
                pairs = list(zip(rates, running, strict=True))
                loads = (sum(rate * c.get(row, 0) for rate, c in pairs) for row in rows)
                if all(load <= 1 for load in loads):
                    best = max(best, sum(rates, Fraction(0)))
    return best


def solution(matrix: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve a square system with ones on the right; None where it is singular."""
    rows = [[*row, Fraction(1)] for row in matrix]
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [entry / rows[k][k] for entry in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("shape", SHAPES)
def test_allocations_of_an_answer_have_its_value_again(shape: str) -> None:
    for seed in range(draws(3, 40)):
        instance = random_instance(shape, seed)
        optimum = free(instance)
        if optimum.result.outcome is not Outcome.OPTIMAL:
            continue
        again = given(instance, listed(optimum), classes=optimum.result.classes or None)
        assert value(again) == value(optimum)
        assert again.result.outcome is Outcome.OPTIMAL
        assert again.result.missing is None
        assert again.result.distance == 0
        assert sum(again.result.given_rates) == value(optimum)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_missing_leads_to_the_optimum(shape: str) -> None:
    """One allocation of the optimum, then whatever is missing, again and again, by hand."""
    for seed in range(draws(2, 12)):
        instance = random_instance(shape, seed)
        instance = instance.model_copy(update={"ports": "multiport"})
        optimum = free(instance)
        if optimum.result.outcome is not Outcome.OPTIMAL:
            continue
        columns = listed(optimum)[:1]
        before = Fraction(0)
        while True:
            answer = given(instance, columns)
            assert before <= value(answer) <= value(optimum)
            if len(columns) <= 3:
                assert value(answer) == best_of_vertices([uses(instance, c) for c in columns])
            before, missing = value(answer), answer.result.missing
            assert (missing is None) == (answer.result.outcome is Outcome.OPTIMAL)
            if missing is None:
                break
            assert answer.result.distance == 1 - value(answer) / value(optimum)
            columns.append(missing.model_dump(mode="json", include={"tasks", "transfers"}))
        assert before == value(optimum)


@pytest.mark.parametrize("shape", SHAPES)
def test_given_rates_are_multiplied_by_the_largest_factor(shape: str) -> None:
    for seed in range(draws(3, 20)):
        instance = random_instance(shape, seed)
        instance = instance.model_copy(update={"ports": "multiport"})
        optimum = free(instance)
        if not optimum.result.allocations:
            continue
        columns = [one | {"rate": f"{k + 2}/7"} for k, one in enumerate(listed(optimum))]
        members = {"rates": "given", "classes": optimum.result.classes or None}
        answer = given(instance, columns, **members)
        if not optimum.result.classes:
            loads: dict[str, Fraction] = {}
            for column in columns:
                for name, time in uses(instance, column).items():
                    loads[name] = loads.get(name, Fraction(0)) + time * Fraction(column["rate"])
            most = max(loads.values())
            assert answer.result.factor == 1 / most
            full = sorted(name for name, load in loads.items() if load == most)
            assert answer.result.bottlenecks == full
        rates = [Fraction(column["rate"]) for column in columns]
        assert answer.result.given_rates == [answer.result.factor * rate for rate in rates]
        assert value(answer) == sum(rates) * answer.result.factor <= value(optimum)


def star(**changed: Any) -> dict[str, Any]:
    """A makes a file for b, which runs on any of three workers."""
    return {
        "kind": "task_graph",
        "platform": {
            "processors": [{"id": "A"}, {"id": "D"}, *({"id": name, "speed": 1} for name in "PQR")],
            "links": [{"source": "A", "target": name, "unit_time": "1/2"} for name in "PQR"],
        },
        "application": {
            "tasks": [
                {"id": "a", "times": {"A": "1/4"}},
                {"id": "b", "times": {"P": 3, "Q": 3, "R": 3}},
            ],
            "files": [{"source": "a", "target": "b", "size": "1/3"}],
        },
        "method": "given",
        **changed,
    }


def on(*workers: str, **members: Any) -> list[dict[str, Any]]:
    return [
        {
            "tasks": {"a": "A", "b": name},
            "transfers": [{"file": ["a", "b"], "path": ["A", name]}],
            **members,
        }
        for name in workers
    ]


def solve(problem: Mapping[str, Any], seconds: float | None = None, **options: Any) -> Solved:
    return solved.solve({"problem": problem}, seconds, **options)


def test_members_of_classes_take_turns() -> None:
    """One for all of a class is as good as all of them one by one, on a changed platform, too."""
    problem = star(allocations=on("P"), classes=[["P", "Q", "R"]])
    assert value(solve(problem)) == value(solve(star(allocations=on("P", "Q", "R")))) == 1
    assert solve(problem).result.classes == [["P", "Q", "R"]]
    problem["application"]["tasks"][1]["times"]["Q"] = 6
    answer = solve(problem)
    assert value(answer) == Fraction(5, 6)
    assert answer.result.classes == [["P", "R"]]
    assert answer.result.outcome is Outcome.OPTIMAL
    rated = solve(problem | {"rates": "given", "allocations": on("P", rate=3)})
    assert rated.result.factor == Fraction(1, 6)
    assert rated.result.bottlenecks == ["Q.compute"]


def test_what_is_not_named_stays_a_pool() -> None:
    answer = solve(star(allocations=on("Q")))
    assert value(answer) == Fraction(1, 3)
    assert answer.result.certificate.classes == [["P", "R"]]
    assert answer.result.missing.tasks == {"a": "A", "b": "P"}
    assert answer.result.missing.cost == 0
    assert answer.result.distance == Fraction(2, 3)
    unasked = solve(star(allocations=on("Q"), bound_method="none"))
    assert unasked.result.distance is None
    assert unasked.result.bound.value >= 1
    assert unasked.result.missing == answer.result.missing


def test_without_paths_the_routes_are_taken() -> None:
    bare = [{"tasks": {"a": "A", "b": name}} for name in "PQ"]
    answer = solve(star(allocations=bare, routing="fixed"))
    explicit = solve(star(allocations=on("P", "Q"), routing="fixed"))
    assert answer.result.allocations == explicit.result.allocations
    assert value(answer) == Fraction(2, 3)


@pytest.mark.parametrize("ports", ["send_or_receive", "no_overlap"])
def test_odd_sets_of_processors_limit_given_allocations(ports: str) -> None:
    """Three files around a triangle: no two of them at a time."""
    names = ["A", "B", "C"]
    problem = {
        "kind": "task_graph",
        "ports": ports,
        "platform": {
            "processors": [{"id": name} for name in names],
            "links": [
                {"source": a, "target": b, "unit_time": 1} for a, b in combinations(names, 2)
            ],
        },
        "application": {
            "tasks": [{"id": t.lower(), "times": {t: 0}} for t in names],
            "files": [
                {"source": a.lower(), "target": b.lower(), "size": 1}
                for a, b in combinations(names, 2)
            ],
        },
        "method": "given",
        "allocations": [
            {
                "rate": 1,
                "tasks": {"a": "A", "b": "B", "c": "C"},
                "transfers": [
                    {"file": ["a", "b"], "path": ["A", "B"]},
                    {"file": ["a", "c"], "path": ["A", "B", "C"]},
                    {"file": ["b", "c"], "path": ["B", "C"], "share": "1/2"},
                    {"file": ["b", "c"], "path": ["B", "A", "C"], "share": "1/2"},
                ],
            }
        ],
    }
    best, rated = solve(problem), solve(problem | {"rates": "given"})
    assert value(best) == value(rated) == rated.result.factor
    assert best.result.bottlenecks == rated.result.bottlenecks
    assert best.result.bound.value == Fraction(1, 3)


def test_half_duplex_links_limit_given_allocations_by_slots() -> None:
    """Around a triangle of half-duplex links: what slots carry, not what ports would."""
    names = ["A", "B", "C"]
    links = [
        {"source": a, "target": b, "unit_time": 1, "duplex": "half"}
        for a, b in combinations(names, 2)
    ]
    ring = [("A", "B"), ("B", "C"), ("C", "A")]
    tasks = [{"id": f"{p}{k}", "times": {p: 0}} for p in names for k in "xy"]
    files = [{"source": f"{a}x", "target": f"{b}y", "size": 1} for a, b in ring]
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": name} for name in names], "links": links},
        "application": {"tasks": tasks, "files": files},
        "method": "given",
        "allocations": [
            {
                "rate": 5,
                "tasks": {f"{p}{k}": p for p in names for k in "xy"},
                "transfers": [{"file": [f"{a}x", f"{b}y"], "path": [a, b]} for a, b in ring],
            }
        ],
    }
    best, rated = solve(problem), solve(problem | {"rates": "given"})
    assert value(best) == value(rated) == 5 * rated.result.factor
    assert value(best) <= value(solve({**problem, "method": "auto"}))


FAULTS: list[tuple[dict[str, Any], tuple[str | int, ...], str]] = [
    ({}, ("allocations",), "no_allocations"),
    ({"allocations": []}, ("allocations",), "no_allocations"),
    ({"allocations": on("P", "X")}, ("allocations", 1, "tasks", "b"), "unknown_processor"),
    ({"allocations": on("A")}, ("allocations", 0, "tasks", "b"), "task_not_allowed"),
    ({"allocations": [{"tasks": {"a": "A"}}]}, ("allocations", 0, "tasks"), "missing_task"),
    (
        {"allocations": [{"tasks": {"a": "A", "b": "P", "c": "P"}}]},
        ("allocations", 0, "tasks", "c"),
        "unknown_task",
    ),
    ({"allocations": on("P", "Q", "P")}, ("allocations", 2), "duplicate_allocation"),
    (
        {"allocations": [{"tasks": {"a": "A", "b": "P"}}]},
        ("allocations", 0, "transfers"),
        "file_does_not_move",
    ),
    (
        {"allocations": [{"tasks": {"a": "A", "b": "P"}, "transfers": []}], "routing": "fixed"},
        ("allocations", 0, "transfers"),
        "file_does_not_move",
    ),
    ({"allocations": on("P"), "rates": "given"}, ("allocations", 0), "no_rate"),
    ({"allocations": on("P", rate=0), "rates": "given"}, ("allocations",), "no_rate"),
    (
        {
            "allocations": [
                *on("P", rate="1/" + "3" * 700),
                *on("Q", rate="1/1" + "0" * 700),
            ],
            "rates": "given",
        },
        ("allocations", 1, "rate"),
        "rates_too_long",
    ),
    (
        {"allocations": on("Q"), "classes": [["P", "Q"]]},
        ("allocations", 0, "tasks", "b"),
        "not_the_first",
    ),
    (
        {"allocations": on("P"), "classes": [["P", "D"]]},
        ("allocations", 0, "tasks", "b"),
        "task_not_allowed",
    ),
    (
        {"allocations": on("P"), "classes": [["P", "Q"], ["Q", "R"]]},
        ("classes", 1, 0),
        "repeated_member",
    ),
    ({"allocations": on("P"), "classes": [["P", "Z"]]}, ("classes", 0, 1), "unknown_processor"),
]


@pytest.mark.parametrize(("members", "pointer", "code"), FAULTS)
def test_a_fault_is_refused_where_it_is(
    members: dict[str, Any], pointer: tuple[str | int, ...], code: str
) -> None:
    with pytest.raises(InstanceError) as refused:
        parse_submission({"problem": star(**members)}, Limits())
    assert (("problem", *pointer), code) in [(f.pointer, f.code) for f in refused.value.faults]


@pytest.mark.parametrize(
    ("path", "share", "place", "code"),
    [
        (["A", "X"], 1, ("path", 1), "unknown_processor"),
        (["A", "Q"], 1, ("path",), "path_ends"),
        (["A", "Q", "P"], "1/3", (), "shares_miss_one"),
        (["A", "Q", "R", "P"], 1, ("path", 1), "missing_link"),
        (["A", "Q", "A", "P"], 1, ("path",), "path_repeats"),
        (["A", "Q", "P"], 0, ("share",), "no_share"),
    ],
)
def test_a_path_is_refused_where_it_is_wrong(
    path: list[str], share: Any, place: tuple[str | int, ...], code: str
) -> None:
    problem = star(allocations=on("P"))
    problem["platform"]["links"].append({"source": "Q", "target": "P", "unit_time": 1})
    problem["allocations"][0]["transfers"][0] |= {"path": path, "share": share}
    with pytest.raises(InstanceError) as refused:
        parse_submission({"problem": problem}, Limits())
    at = ("problem", "allocations", 0, "transfers", *([0, *place] if place else []))
    assert (at, code) in [(f.pointer, f.code) for f in refused.value.faults]


def test_under_fixed_routing_other_paths_are_refused() -> None:
    problem = star(allocations=on("P"), routing="fixed")
    problem["platform"]["links"].append({"source": "Q", "target": "P", "unit_time": 1})
    assert value(solve(problem)) == Fraction(1, 3)
    problem["allocations"][0]["transfers"][0]["path"] = ["A", "Q", "P"]
    with pytest.raises(InstanceError, match="route"):
        parse_submission({"problem": problem}, Limits())


@pytest.mark.parametrize("rates", [None, "given"])
def test_the_judgement_is_never_lost_to_the_time(rates: str | None) -> None:
    columns = on("P", "Q", rate=2)
    timely = solve(star(allocations=columns, rates=rates))
    late = solve(star(allocations=columns, rates=rates), 1e-9)
    assert late.result.given_rates == timely.result.given_rates
    assert late.result.objective == timely.result.objective
    assert late.result.bound.value >= timely.result.bound.value
    assert any("time limit" in note for note in late.result.notes)


def test_members_that_others_do_not_use_are_told() -> None:
    problem = star(allocations=on("P"), method="auto", classes=[["P", "Q"]], rates="given")
    warnings = solve(problem | {"bound_method": "none"}).result.warnings
    for name in ("allocations", "classes", "rates", "bound_method"):
        assert f"{name} is not used by column_generation" in warnings
    asked = parse_submission({"problem": problem}, Limits())
    assert asked.requires == PROBLEM.requires(asked.instance, Options()) == 8


def test_first_members_alone_are_asked_for_their_classes() -> None:
    asked = "the allocations name 'P', but none of the 2 processors that are interchangeable"
    for members, warned in (
        ({}, True),
        ({"classes": []}, False),
        ({"classes": [["P", "Q"]]}, False),
    ):
        warnings = solve(star(allocations=on("P"), **members)).result.warnings
        assert any(warning.startswith(asked) for warning in warnings) == warned
    others = solve(star(allocations=on("Q", "R"))).result.warnings
    assert not any("interchangeable" in warning for warning in others)


def best_in_slots(
    instance: TaskGraphInstance, columns: Documents, rates: Sequence[Fraction] | None = None
) -> Fraction:
    """Find the best rates of allocations over all slots, or the best factor of given rates."""
    model = pyo.ConcreteModel()
    platform, slots = instance.platform, every_slot(instance.platform)
    index = platform.index_by_id
    model.rate = pyo.Var(range(1 if rates else len(columns)), domain=pyo.NonNegativeReals)
    model.slot = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    model.rows.add(sum(model.slot.values()) <= 1)
    computing: dict[str, list[Any]] = defaultdict(list)
    sending: dict[int, list[Any]] = defaultdict(list)
    for number, column in enumerate(columns):
        rate = model.rate[0] * rates[number] if rates else model.rate[number]
        for task, name in column["tasks"].items():
            time = instance.times[instance.task_index[task]][index[name]]
            computing[name].append(time * rate)
        for transfer in column["transfers"]:
            size = instance.file_sizes[tuple(transfer["file"])] * Fraction(transfer["share"])
            for ends in pairwise(transfer["path"]):
                arc = platform.arc_by_ends[index[ends[0]], index[ends[1]]]
                sending[arc.index].append(size * arc.unit_time * rate)
    for taken in computing.values():
        model.rows.add(sum(taken) <= 1)
    for arc_index, taken in sending.items():
        carried = [model.slot[k] for k, one in enumerate(slots) if arc_index in one]
        model.rows.add(sum(taken) <= sum(carried))
    model.best = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    found = solve_certified(model, Control()).objective
    assert found is not None
    return found


def test_given_allocations_do_what_slots_carry() -> None:
    """Around cycles of half-duplex links: all slots enumerated, for free rates and for given ones."""
    for seed in range(draws(5, 60)):
        instance = instance_of(choices(seed))
        columns = listed(free(instance))
        while len(columns) < 6:
            missing = given(instance, columns[-2:], bound_method="none").result.missing
            if missing is None:
                break
            columns.append(missing.model_dump(mode="json", include={"tasks", "transfers"}))
        columns = list({str(one["tasks"]) + str(one["transfers"]): one for one in columns}.values())
        answer = given(instance, columns, bound_method="none")
        assert value(answer) == best_in_slots(instance, columns)
        rates = [Fraction(k + 1, 3) for k in range(len(columns))]
        rated = [one | {"rate": str(rate)} for one, rate in zip(columns, rates, strict=True)]
        factor = given(instance, rated, rates="given", bound_method="none").result.factor
        assert factor == best_in_slots(instance, columns, rates)


def test_classes_of_their_own_stay_apart() -> None:
    """Four equal workers in two classes: what runs on two of them never moves onto one."""
    links = [{"source": "A", "target": name, "unit_time": 1} for name in "PQRS"]
    links += [{"source": name, "target": "A", "unit_time": 1} for name in "PQRS"]
    problem = {
        "kind": "task_graph",
        "ports": "multiport",
        "platform": {
            "processors": [{"id": "A"}, *({"id": name} for name in "PQRS")],
            "links": [link | {"duplex": "simplex"} for link in links],
        },
        "application": {
            "tasks": [{"id": t, "times": dict.fromkeys("PQRS", 1)} for t in "bc"],
            "files": [{"source": "b", "target": "c", "size": 1}],
        },
        "method": "given",
    }

    def pair(one: str, other: str) -> dict[str, Any]:
        path = [one, "A", other]
        return {
            "tasks": {"b": one, "c": other},
            "transfers": [{"file": ["b", "c"], "path": path}],
        }

    answer = solve(problem | {"allocations": [pair("P", "R")], "classes": [["P", "Q"], ["R", "S"]]})
    assert answer.result.classes == [["P", "Q"], ["R", "S"]]
    explicit = [pair("P", "R"), pair("Q", "S")]
    assert value(answer) == value(solve(problem | {"allocations": explicit})) == 2


def test_prices_at_hand_prove_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """One on P costs 3/4 and 1/4 of it, one on Q 4/5 and 1/5; the cheapest mixed one 19/20."""
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": "P"}, {"id": "Q"}]},
        "application": {
            "tasks": [
                {"id": "b", "times": {"P": 3, "Q": 4}},
                {"id": "c", "times": {"P": 1, "Q": 1}},
            ]
        },
        "method": "given",
        "allocations": [{"tasks": {"b": name, "c": name}} for name in "PQ"],
    }
    answer = solve(problem | {"bound_method": "none"})
    assert value(answer) == Fraction(9, 20)
    assert answer.result.missing.cost == Fraction(19, 20)
    assert answer.result.bound.value == Fraction(9, 20) / Fraction(19, 20)
    pools = star(allocations=on("P"), classes=[["P", "Q", "R"]], bound_method="none")
    assert solve(pools).result.outcome is Outcome.OPTIMAL

    def interrupted(*_: Any, **__: Any) -> None:
        raise OutOfTime

    judged: list[TaskGraphInstance] = []

    def counted(instance: TaskGraphInstance, control: Control) -> Judgement:
        judged.append(instance)
        return judge(instance, control)

    monkeypatch.setattr(column_generation, "solve", interrupted)
    monkeypatch.setattr(module, "judge", counted)
    late = solve(problem)
    assert len(judged) == 1
    assert late.result.missing == answer.result.missing
    assert late.result.bound.value <= answer.result.bound.value
    alone = {"tasks": {"b": "P", "c": "P"}, "rate": 1}
    pressed = problem | {"allocations": [alone], "rates": "given"}
    monkeypatch.setattr(column_generation, "best_so_far", interrupted)
    lost = solve(pressed).result
    assert (lost.outcome, lost.bound, lost.gap, lost.distance) == (Outcome.FEASIBLE, *[None] * 3)
    assert lost.objective.value == lost.factor == Fraction(1, 4)
    assert module.NO_BOUND in lost.notes
