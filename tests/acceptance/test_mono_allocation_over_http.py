"""Single allocations over HTTP, judged by a stranger and by enumeration."""

import json
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.acceptance.client import Service, Solved
from tests.acceptance.mono_checking import Moved, case_of, check, fixed_path, occupation
from tests.acceptance.runs import carried, side_by_side
from tests.cli.commands import Command
from tests.cli.conftest import command

__all__ = ["command"]

HEURISTICS = (
    "simple_greedy",
    "refined_greedy",
    "rlp_max",
    "rlp_rand",
    "delegate",
    "neighborhood",
)
REFERENCES = ("heft", "data_parallel", "clustering")


def body(
    processors: list[dict[str, Any]],
    links: list[tuple[Any, ...]],
    tasks: dict[str, dict[str, Any]],
    files: dict[tuple[str, str], Any],
    *,
    options: dict[str, Any] | None = None,
    **problem: Any,
) -> dict[str, Any]:
    """Write a body; links are (source, target, unit time, more fields)."""
    return {
        "problem": {
            "kind": "mono_allocation",
            "platform": {
                "processors": processors,
                "links": [
                    {"source": s, "target": t, "unit_time": c, **(more[0] if more else {})}
                    for s, t, c, *more in links
                ],
            },
            "application": {
                "tasks": [{"id": name, **fields} for name, fields in tasks.items()],
                "files": [{"source": s, "target": t, "size": n} for (s, t), n in files.items()],
            },
            **problem,
        },
        "options": {"time_limit": 30, **(options or {})},
    }


def judged(service: Service, asked: dict[str, Any]) -> Solved:
    solved = service.solve(asked)
    check(asked, solved.result, solved.schedule)
    return solved


def small(seed: int, /, **problem: Any) -> dict[str, Any]:
    """A drawn instance with pinned tasks, a switch, a half-duplex link and a diamond of files."""
    random = Random(seed)
    names = ["p0", "p1", "p2", "s"]
    processors: list[dict[str, Any]] = [
        {"id": name, "speed": random.choice([1, 2, "1/2", 0.7])} for name in names[:3]
    ]
    processors.append({"id": "s", "switch": True})
    links = [
        ("p0", "s", random.randint(1, 4)),
        ("s", "p1", f"1/{random.randint(1, 3)}"),
        ("p1", "p2", random.randint(1, 3), {"duplex": "half"}),
        ("p0", "p2", random.randint(2, 5), {"duplex": "simplex"}),
    ]
    tasks: dict[str, dict[str, Any]] = {
        name: {"work": random.randint(1, 6)} for name in ("a", "b", "c", "d")
    }
    tasks["a"]["allowed"] = ["p0", "p1"]
    tasks["d"] = {"times": {"p1": 3, "p2": random.randint(1, 4)}}
    files = {
        pair: random.choice([1, 2, "3/2", 0.3])
        for pair in (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
    }
    return body(processors, links, tasks, files, **problem)


def best_fixed_period(problem: dict[str, Any]) -> Fraction:
    """Try every mapping."""
    case = case_of(problem)
    periods = []
    for choice in product(*case.times.values()):
        mapping = {task: [name] for task, name in zip(case.times, choice, strict=True)}
        transfers = []
        for file in case.sizes:
            (start,), (end,) = mapping[file[0]], mapping[file[1]]
            path = fixed_path(case, start, end)
            if path is None:
                break
            if start != end:
                transfers.append(Moved(file, path, Fraction(1)))
        else:
            periods.append(max(occupation(case, mapping, transfers).values()))
    return min(periods)


@pytest.mark.parametrize("ports", ["multiport", "one_port"])
@pytest.mark.parametrize("seed", range(4))
def test_the_exact_methods_agree_with_enumeration(service: Service, seed: int, ports: str) -> None:
    best = best_fixed_period(small(seed, ports=ports)["problem"])
    for method in ("portfolio", "milp"):
        result = judged(service, small(seed, ports=ports, method=method)).result
        # The half-duplex link lies on a cycle: one port may not reach what the rows allow.
        if ports == "multiport" or result["outcome"] == "optimal":
            assert result["outcome"] == "optimal"
            assert Fraction(result["period"]) == best
        assert 1 / Fraction(result["bound"]["value"]) <= best


@pytest.mark.parametrize(
    ("ports", "period", "bottleneck", "place"),
    [("send_or_receive", "5", "B.compute", "B"), ("no_overlap", "6", "A--B--C.odd", "C")],
)
def test_of_three_processors_two_are_busy_with_each_other(
    service: Service, ports: str, period: str, bottleneck: str, place: str
) -> None:
    """On C the third task takes all three links, one after the other; on B it is slow."""
    asked = body(
        [{"id": name} for name in "ABC"],
        [("A", "B", 2), ("B", "C", 2), ("C", "A", 2)],
        {
            "a": {"times": {"A": "1/2"}},
            "b": {"times": {"B": 1}},
            "c": {"times": {"C": 1, "B": 4}},
            "d": {"times": {"A": "1/2"}},
        },
        {("a", "b"): 1, ("b", "c"): 1, ("c", "d"): 1},
        ports=ports,
        options={"whole_files": False},
    )
    solved = service.solve(asked)
    result, schedule = solved.result, solved.schedule
    assert result["verified"]
    assert (result["outcome"], result["period"]) == ("optimal", period)
    assert (result["bottleneck"], result["mapping"]["c"]) == (bottleneck, [place])
    assert schedule is not None
    assert (schedule["period"], schedule["ports"]) == (period, ports)
    held: dict[str, list[tuple[Fraction, Fraction]]] = {name: [] for name in "ABC"}
    for one in carried(schedule) if "runs" in schedule else side_by_side(schedule):
        end = one.start + 2 * one.count
        assert end <= one.end <= Fraction(period)
        for name in one.arc:
            held[name].append((one.start, end))
    assert sum(end - start for times in held.values() for start, end in times) == (
        2 * 2 * (3 if place == "C" else 2)
    )
    for item in schedule["computations"] if ports == "no_overlap" else ():
        start = Fraction(item["start"])
        held[item["processor"]].append((start, start + Fraction(item["time"])))
    for times in held.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(times)))
    compared = service.solve(body_with(asked, method="compare", instances=20)).result
    rows = {row["method"]: row["throughput"] for row in compared["comparison"]}
    assert rows["milp"] == rows["portfolio"] == result["objective"]["value"]
    assert all(Fraction(rows[reference]) > 0 for reference in REFERENCES)


def body_with(asked: dict[str, Any], **problem: Any) -> dict[str, Any]:
    return asked | {"problem": asked["problem"] | problem}


@pytest.mark.parametrize("method", [*HEURISTICS, *REFERENCES, "upper_bound"])
def test_no_method_beats_what_was_proved(service: Service, method: str) -> None:
    best = 1 / best_fixed_period(small(1)["problem"])
    result = judged(service, small(1, method=method, instances=20)).result
    if method == "upper_bound":
        assert result["outcome"] == "bound_only"
    elif method not in REFERENCES:
        assert Fraction(result["objective"]["value"]) <= best
    assert Fraction(result["bound"]["value"]) >= best


def test_more_freedom_is_never_worse(service: Service) -> None:
    def rate(**problem: Any) -> Fraction:
        result = judged(service, small(2, **problem)).result
        assert result["outcome"] == "optimal"
        return Fraction(result["objective"]["value"])

    fixed, free, multipath = (rate(routing=r) for r in ("fixed", "free", "multipath"))
    assert fixed <= free <= multipath
    copied = [rate(duplication=d) for d in ("none", "tasks", "tasks_and_files")]
    assert copied == sorted(copied)


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_routers_that_copy_do_not_make_files(
    service: Service, routing: str, duplication: str
) -> None:
    """A file from A to C costs 100; B and C could otherwise have it from each other."""
    result = judged(
        service,
        body(
            [{"id": name} for name in "ABC"],
            [("A", "C", 100), ("A", "B", 100), ("B", "C", 1)],
            {"k": {"times": {"A": 1}}, "l": {"times": {"C": 1}}},
            {("k", "l"): 1},
            routing=routing,
            duplication=duplication,
        ),
    ).result
    splits = routing == "multipath" and duplication != "tasks_and_files"
    assert result["period"] == ("50" if splits else "100")
    if (routing, duplication) == ("multipath", "tasks"):
        # Parts of files from several copies may sum to anything: the search has the last word.
        assert result["outcome"] == "feasible"
        assert 0 < Fraction(result["gap"]) < Fraction(1, 10**7)
    else:
        assert result["outcome"] == "optimal"


def test_a_given_route_is_taken_though_it_is_longer(service: Service) -> None:
    asked = body(
        [{"id": name} for name in "ABC"],
        [("A", "B", 1), ("B", "C", 2), ("A", "C", 1)],
        {"k": {"times": {"A": 1}}, "l": {"times": {"C": 1}}},
        {("k", "l"): 3},
    )
    assert judged(service, asked).result["period"] == "3"
    asked["problem"]["platform"]["routes"] = [{"source": "A", "target": "C", "via": ["B"]}]
    result = judged(service, asked).result
    assert (result["period"], result["bottleneck"]) == ("6", "B->C.link")
    asked["problem"]["routing"] = "free"
    result = judged(service, asked).result
    assert result["period"] == "3"
    assert any("route" in warning for warning in result["warnings"])


def test_a_task_is_copied_where_its_file_is_dear(service: Service) -> None:
    """One source for two users: run twice, its files need not travel."""
    asked = body(
        [{"id": "A"}, {"id": "B"}],
        [("A", "B", 10)],
        {"k": {"times": {"A": 1, "B": 1}}, "l": {"times": {"A": 2}}, "m": {"times": {"B": 2}}},
        {("k", "l"): 1, ("k", "m"): 1},
    )
    assert judged(service, asked).result["period"] == "10"
    asked["problem"]["duplication"] = "tasks"
    result = judged(service, asked).result
    assert (result["period"], result["transfers"]) == ("3", [])
    assert sorted(result["mapping"]["k"]) == ["A", "B"]


def test_numbers_of_any_size_are_answered_by_every_method(service: Service) -> None:
    asked = body(
        [{"id": "A", "speed": "1e30"}, {"id": "B", "speed": "1e-30"}],
        [("A", "B", "1e30")],
        {"t": {"work": "1e-30"}, "u": {"work": "1e30"}, "v": {"work": 1}},
        {("t", "u"): "1e-30", ("u", "v"): "1e30"},
    )
    for method in ("portfolio", "compare", "milp", *HEURISTICS):
        asked["problem"].update(method=method, instances=3)
        result = judged(service, asked).result
        if method.startswith("rlp") and result["outcome"] == "unknown":
            assert "double precision" in result["notes"][0]
        else:
            assert Fraction(result["objective"]["value"]) == Fraction(10**30, 10**30 + 1)


def no_common_place() -> dict[str, Any]:
    """Every file can travel alone, but no choice of processors fits all of them."""
    arcs = ("AB", "AE", "DG", "DH", "BC", "HC", "GF", "EF")
    return body(
        [{"id": name} for name in "ABCDEFGH"],
        [(a, b, 1, {"duplex": "simplex"}) for a, b in arcs],
        {
            "1": {"times": {"A": 1, "D": 1}},
            "2": {"times": {"B": 1, "G": 1}},
            "3": {"times": {"E": 1, "H": 1}},
            "4": {"times": {"C": 1, "F": 1}},
        },
        {("1", "2"): 1, ("1", "3"): 1, ("2", "4"): 1, ("3", "4"): 1},
    )


@pytest.mark.parametrize("limit", [30, 0.001])
def test_a_join_that_cannot_happen_is_infeasible_in_any_time(
    service: Service, limit: float
) -> None:
    asked = no_common_place()
    asked["options"]["time_limit"] = limit
    for method in ("portfolio", "milp", "delegate", "upper_bound", "heft"):
        asked["problem"]["method"] = method
        result = judged(service, asked).result
        assert result["outcome"] == "infeasible", method
        assert result["notes"]


def test_people_are_told_what_does_not_exist(command: Command, tmp_path: Path) -> None:
    asked = no_common_place()
    path = tmp_path / "body.json"
    for method in ("milp", "simple_greedy"):
        asked["problem"]["method"] = method
        path.write_text(json.dumps(asked))
        shown = command("solve", path)
        assert shown.code == 3
        assert "no schedule exists" in shown.out


def test_people_are_told_what_a_method_missed(command: Command, tmp_path: Path) -> None:
    asked = body(
        [{"id": "A"}, {"id": "B"}, {"id": "C"}],
        [("B", "C", 1)],
        {"k": {"times": {"A": 1, "B": 2}}, "l": {"times": {"C": 1}}},
        {("k", "l"): 1},
        method="simple_greedy",
    )
    path = tmp_path / "body.json"
    path.write_text(json.dumps(asked))
    shown = command("solve", path)
    assert shown.code == 4
    assert "another method may" in shown.out


def test_a_reference_tells_how_long_its_instances_took(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_text(json.dumps(small(3, method="heft", instances=5)))
    shown = command("solve", path)
    assert shown.code == 0
    assert "5 instances in" in shown.out
    assert "instances per time unit" in shown.out


@pytest.mark.parametrize("routing", ["fixed", "multipath"])
@pytest.mark.parametrize("limit", [0.01, 1])
def test_a_time_limit_leaves_an_allocation_and_a_bound(
    service: Service, routing: str, limit: float
) -> None:
    random = Random(7)
    names = [f"p{i}" for i in range(20)]
    processors = [{"id": name, "speed": random.randint(1, 9)} for name in names]
    links = [(s, t, f"1/{random.randint(1, 20)}") for s, t in pairwise(names)]
    links += [(s, t, f"1/{random.randint(1, 20)}") for s, t in zip(names, names[2:], strict=False)]
    tasks = {f"t{i}": {"work": random.randint(1, 50)} for i in range(20)}
    files = {(f"t{random.randrange(i)}", f"t{i}"): random.randint(1, 30) for i in range(1, 20)}
    asked = body(processors, links, tasks, files, routing=routing, options={"time_limit": limit})
    result = judged(service, asked).result
    assert result["outcome"] in ("optimal", "feasible")
    assert 0 <= Fraction(result["gap"]) < 1


@pytest.mark.parametrize(
    "options",
    [
        {"max_period": 1},
        {"max_period": 40},
        {"max_period": "37/3", "whole_files": True},
        {"whole_files": False},
        {"mip_gap": "1/3"},
    ],
)
@pytest.mark.parametrize("ports", ["multiport", "one_port"])
def test_options_shape_the_schedule_and_not_the_allocation(
    service: Service, options: dict[str, Any], ports: str
) -> None:
    asked = small(3, ports=ports, routing="multipath", method="rlp_max", options=options)
    plain = small(3, ports=ports, routing="multipath", method="rlp_max")
    one, other = (judged(service, asked).result for asked in (asked, plain))
    assert one["mapping"] == other["mapping"]
    assert one["objective"] == other["objective"]


def test_compare_lists_every_method_once_and_answers_with_the_best(service: Service) -> None:
    result = judged(service, small(0, method="compare", instances=10)).result
    methods = [row["method"] for row in result["comparison"]]
    assert sorted(methods) == sorted([*HEURISTICS, *REFERENCES, "upper_bound", "portfolio", "milp"])
    rates = {row["method"]: row["throughput"] for row in result["comparison"]}
    best = max(Fraction(rates[name] or 0) for name in (*HEURISTICS, "portfolio", "milp"))
    assert Fraction(result["objective"]["value"]) == best


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"method": "auto"}, "#/problem/method"),
        ({"routing": "fix"}, "#/problem/routing"),
        ({"duplication": "files"}, "#/problem/duplication"),
        ({"method": "delegate", "source": "nobody"}, "#/problem/source"),
        ({"method": "delegate", "source": "p2"}, "#/problem/source"),
        ({"depth": 6}, "#/problem/depth"),
        ({"seed": 2**32}, "#/problem/seed"),
        ({"instances": 0}, "#/problem/instances"),
        ({"method": "heft", "duplication": "tasks"}, "#/problem/method"),
        ({"surprise": 1}, "#/problem/surprise"),
    ],
)
def test_a_wrong_field_is_refused_with_its_place(
    service: Service, fields: dict[str, Any], pointer: str
) -> None:
    problem = service.post("/v1/jobs", small(0, **fields)).problem(422, "invalid_request")
    assert any(error["pointer"] == pointer for error in problem["errors"]), problem


def test_a_file_without_a_route_makes_it_infeasible_and_is_named(service: Service) -> None:
    asked = body(
        [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}],
        [("B", "A", 1, {"duplex": "simplex"})],
        {"t": {"work": 1, "allowed": ["A"]}, "u": {"work": 1, "allowed": ["B"]}},
        {("t", "u"): 1},
    )
    result = judged(service, asked).result
    assert result["outcome"] == "infeasible"
    (reason,) = result["notes"]
    assert all(name in reason for name in ("'t'", "'u'")), reason


def test_the_published_plan_of_heft_takes_80(service: Service) -> None:
    times = [
        (14, 16, 9), (13, 19, 18), (11, 13, 19), (13, 8, 17), (12, 13, 10),
        (13, 16, 9), (7, 15, 11), (5, 11, 14), (18, 12, 20), (21, 7, 16),
    ]  # fmt: skip
    files = {
        (1, 2): 18, (1, 3): 12, (1, 4): 9, (1, 5): 11, (1, 6): 14, (2, 8): 19, (2, 9): 16,
        (3, 7): 23, (4, 8): 27, (4, 9): 23, (5, 9): 13, (6, 8): 15, (7, 10): 17, (8, 10): 11,
        (9, 10): 13,
    }  # fmt: skip
    names = ("P1", "P2", "P3")
    asked = body(
        [{"id": name} for name in names],
        [("P1", "P2", 1), ("P1", "P3", 1), ("P2", "P3", 1)],
        {str(i): {"times": dict(zip(names, w, strict=True))} for i, w in enumerate(times, 1)},
        {(str(k), str(end)): size for (k, end), size in files.items()},
        method="heft",
        instances=1,
    )
    told = judged(service, asked).result["simulation"]
    assert told["planned_makespan"] == "80"
    assert Fraction(told["makespan"]) >= 80
