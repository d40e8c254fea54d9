"""The referee of mono_allocation accepts right answers and finds every planted fault."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.kinds.mono_allocation.schemas import (
    Buffer,
    ComparedMethod,
    MonoAllocationInstance,
    MovedFile,
)
from steadygrid.verification import placement
from tests.kinds.mono_allocation.answers import (
    APART,
    FORK,
    Answer,
    bound_only,
    camera,
    copied_file,
    copied_task,
    empty,
    mapped,
    relay,
    simulated,
    split_file,
)

HALF = Fraction(1, 2)


def alone() -> Answer:
    """One task on one processor: no file moves, and nothing is kept."""
    return mapped(
        {
            "platform": {"processors": [{"id": "A"}]},
            "application": {"tasks": [{"id": "a", "times": {"A": 2}}], "files": []},
        },
        {"a": "A"},
        [],
        occupation={"A.compute": 2},
        first_periods={"a A": 1},
        buffers={},
        prices={"A.compute": HALF},
    )


RIGHT = [camera, relay, copied_task, copied_file, split_file, simulated, alone]


@pytest.mark.parametrize("right", RIGHT, ids=lambda right: right.__name__)
def test_right_answers_are_accepted(right: Callable[[], Answer]) -> None:
    assert right().faults() == []


def moved(file: str, path: str, share: Any = 1) -> MovedFile:
    source, target = file.split("-")
    return MovedFile(file=(source, target), path=path.split(), share=Fraction(share))


PLANTED: list[tuple[str, Any, str, str]] = [
    ("result/kind", "task_graph", "wrong_kind", "not mono_allocation"),
    ("result/gap", None, "wrong_outcome", "but the gap is missing"),
    ("result/bound_source", None, "wrong_bound_source", "A bound, and only a bound"),
    ("result/bound", None, "wrong_bound_source", "A bound, and only a bound"),
    ("result/bound_source", "search", "wrong_bound_source", "no certificate of type 'lp_duality'"),
    ("result/certificate/prices", {}, "prices_miss_bound", "sum to 0"),
    ("result/certificate/prices", {"small.send": 1}, "ghost_resource", "'small.send'"),
    (
        "result/certificate/prices",
        {"small.compute": Fraction(1, 9), "large.compute": Fraction(1, 18)},
        "cheap_allocation",
        "costs 1/2",
    ),
    ("result/period", None, "wrong_fields", "needs period"),
    ("result/mapping", {}, "wrong_fields", "needs mapping"),
    ("result/occupation", [], "wrong_fields", "needs occupation"),
    ("result/simulation", simulated().result.simulation, "wrong_fields", "cannot have simulation"),
    ("result/comparison", [], "wrong_fields", "portfolio cannot have comparison"),
    ("result/method", "heft", "wrong_fields", "heft cannot have mapping"),
    ("result/method", "delegate", "wrong_method", "but portfolio was asked"),
    ("result/mapping/align", [], "no_processor", "Property 3: "),
    ("result/mapping/align", ["camera"], "task_not_allowed", "Property 1: "),
    ("result/mapping/align", ["small", "small"], "repeated_processor", "Property 1: "),
    ("result/mapping/align", ["small", "large"], "duplicated_task", "Property 7: "),
    ("result/mapping", {"capture": ["camera"]}, "missing_task", "does not place task 'align'"),
    ("result/mapping/sleep", ["small"], "unknown_task", "'sleep'"),
    ("result/transfers", [], "file_does_not_move", "Property 4: "),
    ("result/transfers/0/share", HALF, "shares_miss_one", "sum to 1/2"),
    ("result/transfers/0/share", Fraction(0), "no_share", "Property 2: "),
    ("result/transfers/0/file", ("align", "capture"), "unknown_file", "Property 2: "),
    ("result/transfers/0/path", [], "empty_path", "no hop"),
    ("result/transfers/1/path", ["small"], "empty_path", "Property 4: "),
    ("result/transfers/1/path", ["large", "small"], "path_start", "Property 6: "),
    ("result/transfers/1/path", ["small", "camera"], "path_end", "ends on 'camera'"),
    ("result/transfers/2/path", ["camera", "large"], "off_route", "Property 4: "),
    ("result/transfers/1/path", ["small", "camera", "large"], "off_route", "not the fixed route"),
    ("result/occupation/0/time", Fraction(5), "wrong_occupation", "camera->small.link"),
    ("result/occupation", lambda listed: listed[:4], "wrong_occupation", "busy for 3"),
    ("result/occupation", lambda listed: listed[::-1], "wrong_occupation", "the order"),
    ("result/bottleneck", "small.compute", "wrong_bottleneck", "not 'small.compute'"),
    ("result/period", Fraction(5), "wrong_period", "Property 5: the longest occupation is 6"),
    ("result/period", Fraction(7), "wrong_period", "the period 7"),
    ("result/objective", Objective.throughput(Fraction(1, 7)), "wrong_throughput", "not 1/7"),
    ("result/first_periods/3/period", 4, "wrong_first_period", "'track' on 'large' is 5"),
    ("result/first_periods", lambda listed: listed[:3], "wrong_first_period", "'track'"),
    ("result/first_periods", lambda listed: [*listed, listed[0]], "wrong_first_period", "once"),
    ("result/latency_periods", 4, "wrong_latency", "5 periods, not 4"),
    ("result/buffers/0/data", Fraction(11), "wrong_buffer", "'camera' holds up to 12"),
    ("result/buffers", lambda listed: listed[:2], "wrong_buffer", "'large' holds up to 14"),
    ("result/buffers", lambda listed: [*listed, listed[2]], "wrong_buffer", "'camera'"),
    ("schedule/allocations", (), "allocations_disagree", "only that"),
    ("schedule/allocations", lambda listed: listed * 2, "allocations_disagree", "only that"),
    ("schedule/allocations/0/rate", HALF, "allocations_disagree", "the result's allocation"),
    ("schedule/allocations/0/rate", Fraction(1, 7), "allocations_disagree", "the result's"),
    ("schedule/allocations/0/index", 1, "allocations_disagree", "the result's allocation"),
    ("schedule/allocations/0/tasks/align", ("large",), "allocations_disagree", "the result's"),
    ("schedule/allocations/0/transfers", (), "allocations_disagree", "the result's allocation"),
    ("schedule/allocations/0/transfers", lambda listed: listed[1:], "allocations_disagree", "only"),
    ("schedule/period", Fraction(5), "rate_misses_count", "5/6"),
    ("schedule/latency_periods", 4, "wrong_latency", "latency_periods 5"),
    ("schedule/allocations/0/first_periods", {}, "wrong_first_periods", "not one of each copy"),
    (
        "schedule/allocations/0/first_periods",
        lambda given: given | {("track", "large"): 4},
        "runs_before_its_input",
        "there for period 5",
    ),
    (
        "schedule/computations",
        lambda listed: [
            *listed[:2],
            listed[2]._replace(start=Fraction(2)),
            listed[3]._replace(start=Fraction(0)),
        ],
        "runs_before_its_input",
        "there for period 6",
    ),
    ("schedule", None, "no_schedule", "no schedule"),
    ("options", Options(max_period=Fraction(1)), "period_too_long", "longer than the 1 asked"),
]


@pytest.mark.parametrize(("path", "value", "code", "phrase"), PLANTED)
def test_one_planted_fault_is_found(path: str, value: Any, code: str, phrase: str) -> None:
    faults = camera().change(path, value).faults()
    assert any(f.code == code and phrase in f.detail for f in faults), faults


@pytest.mark.parametrize(
    ("ports", "period", "data", "by_itself"),
    [("no_overlap", 2, 2, True), ("no_overlap", 1, 1, False), ("multiport", 1, 1, True)],
)
def test_successive_tasks_share_a_period_where_a_processor_runs_one_behind_the_other(
    ports: str, period: int, data: int, by_itself: bool
) -> None:
    """With ``no_overlap`` the schedule alone says in which order they run between the transfers."""
    answer = mapped(
        {
            "ports": ports,
            "platform": {"processors": [{"id": "A"}]},
            "application": {
                "tasks": [{"id": "a", "times": {"A": 2}}, {"id": "b", "times": {"A": 2}}],
                "files": [{"source": "a", "target": "b", "size": 1}],
            },
        },
        {"a": "A", "b": "A"},
        [],
        occupation={"A.compute" if ports == "multiport" else "A.port": 4},
        first_periods={"a A": 1, "b A": period},
        buffers={"A": data},
        prices={"A.compute" if ports == "multiport" else "A.port": Fraction(1, 4)},
    )
    assert answer.codes() == set()
    without = answer.change("schedule", None)
    assert ("wrong_first_period" not in without.codes()) is by_itself
    if ports == "no_overlap":
        late = answer.change("schedule/allocations/0/first_periods", None)
        assert ("wrong_first_period" not in late.codes()) is by_itself


def test_weights_stand_only_where_they_are_the_proof() -> None:
    weighed = camera().change("result/weights", {"align": Fraction(1)})
    for answer in (weighed, weighed.change("result/certificate/prices", {})):
        assert ("result", "weights") in {f.pointer for f in answer.faults()}
        assert "wrong_fields" in answer.codes()


def test_faults_of_the_mapping_are_found_at_its_place() -> None:
    (fault,) = [
        fault
        for fault in camera().change("result/mapping/align", ["camera"]).faults()
        if fault.code == "task_not_allowed"
    ]
    assert fault.pointer == ("result", "mapping", "align")


def test_prices_that_prove_too_little_are_refused_by_the_least_bit() -> None:
    tiny = Fraction(1, 10**50)
    less = camera().change("result/certificate/prices/small.compute", Fraction(1, 18) - tiny)
    less = less.change("result/bound", Bound.from_value(Fraction(1, 6) - tiny, exact=True))
    assert {"cheap_allocation", "above_bound"} <= less.codes()


# Properties, with each routing


def test_only_multipath_splits_a_file() -> None:
    for routing in ("fixed", "free"):
        assert "split_file" in split_file().change("instance/routing", routing).codes()
    whole = split_file().change("result/transfers", lambda listed: listed[:1])
    assert "shares_miss_one" in whole.codes()


def test_a_file_is_sent_once_over_one_path_even_in_parts() -> None:
    halves = [moved("align-detect", "small large", HALF)] * 2
    twice = camera().change("result/transfers", lambda listed: [listed[0], *halves, listed[2]])
    faults = [fault for fault in twice.faults() if fault.code == "split_file"]
    assert [fault.pointer for fault in faults] == [("result", "transfers", 2)]
    assert faults[0].detail.startswith("Property 2: ")


def test_an_answer_whose_tasks_all_wait_for_the_next_period_is_right() -> None:
    """Such answers were stored before successive tasks of a processor ran in one period."""
    older = camera().change("result/first_periods/3/period", 6).change("result/latency_periods", 6)
    older = older.change(
        "result/buffers",
        lambda listed: [*listed[:2], listed[2].model_copy(update={"data": Fraction(17)})],
    )
    older = older.change("schedule/allocations/0/first_periods", None)
    older = older.change("schedule/latency_periods", 6).change("schedule/prologue_periods", 5)
    assert older.faults() == []
    assert older.change("result/latency_periods", 5).codes() == {"wrong_latency"}


def test_free_paths_need_not_be_the_routes() -> None:
    detour = camera(routing="free").change("result/transfers/2/path", ["camera", "large"])
    assert "off_route" not in detour.codes()
    assert "wrong_occupation" in detour.codes()


# Properties, with duplication


def test_copies_are_refused_where_tasks_run_once() -> None:
    once = copied_task().change("instance/duplication", "none")
    details = [fault.detail for fault in once.faults() if fault.code == "duplicated_task"]
    assert any(detail.startswith("Property 7: ") for detail in details)


def test_every_copy_needs_its_files() -> None:
    starving = copied_task().change("result/transfers", lambda listed: listed[:1])
    (fault,) = [f for f in starving.faults() if f.code == "file_does_not_move"]
    assert "used on 'C'" in fault.detail


def test_a_copied_file_begins_where_it_is_or_comes_by() -> None:
    for start in ("B", "A"):
        there = copied_task().change("result/transfers/1/path", [start, "B", "C"][-3:])
        assert "path_start" in there.codes()
    nowhere = copied_file().change("result/transfers", lambda listed: listed[1:])
    assert "from_nowhere" in nowhere.codes()


def test_two_routers_cannot_make_a_file_for_each_other() -> None:
    """Only the links between B and C would be busy, for one time unit."""
    cycle = [moved("k-l", "B C"), moved("k-l", "C B")]
    assert "from_nowhere" in relay().change("result/transfers", cycle).codes()


def test_copies_over_fixed_routes_drop_off_along_the_route() -> None:
    routes = [{"source": "S", "target": "C", "via": ["A", "B"]}]
    platform = FORK["platform"] | {"routes": routes}
    assert copied_file(platform=platform, routing="fixed").faults() == []
    assert "off_route" not in copied_file(routing="fixed").codes()
    other = [
        {"source": "B", "target": "C", "via": ["A", "S"]},
        {"source": "A", "target": "C", "via": ["S"]},
        {"source": "S", "target": "C"},
    ]
    around = copied_file(platform=FORK["platform"] | {"routes": other}, routing="fixed")
    assert "off_route" in around.codes()
    one = copied_file(platform=FORK["platform"] | {"routes": other[:2] + routes}, routing="fixed")
    assert one.faults() == []


# Infeasible


def infeasible(problem: dict[str, Any], **fields: Any) -> Answer:
    instance = MonoAllocationInstance.model_validate({"kind": "mono_allocation", **problem})
    return Answer(instance, Options(), empty(instance, **fields), None)


def line(*ways: str, **times: str) -> dict[str, Any]:
    """Give a chain of tasks, each with the processors that run it, and simplex links."""
    tasks = list(times)
    return {
        "platform": {
            "processors": [{"id": name} for name in sorted(set("".join(times.values())))],
            "links": [
                {"source": way[0], "target": way[1], "unit_time": 1, "duplex": "simplex"}
                for way in ways
            ],
        },
        "application": {
            "tasks": [
                {"id": task, "times": dict.fromkeys(names, 1)} for task, names in times.items()
            ],
            "files": [
                {"source": one, "target": other, "size": 1} for one, other in pairwise(tasks)
            ],
        },
    }


@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_an_infeasible_outcome_is_proved_anew(duplication: str) -> None:
    """Both files have ways, but not from one processor of b."""
    wanted = {"duplication": duplication}
    apart = infeasible(line("AB", "CD", a="A", b="BC", c="D") | wanted)
    assert apart.faults() == []
    joined = infeasible(line("AB", "BC", "CD", a="A", b="BC", c="D") | wanted)
    assert joined.codes() == {"not_infeasible"}


def test_two_copies_do_what_one_cannot() -> None:
    application = {
        "tasks": [
            {"id": "s", "times": {"A": 1, "C": 1}},
            {"id": "a", "times": {"A": 1}},
            {"id": "c", "times": {"C": 1}},
        ],
        "files": APART["application"]["files"],
    }
    unlinked = {"platform": {"processors": [{"id": "A"}, {"id": "C"}]}, "application": application}
    assert infeasible(unlinked).faults() == []
    assert infeasible(unlinked | {"duplication": "tasks"}).codes() == {"not_infeasible"}


def test_a_heuristic_may_find_nothing_and_say_why() -> None:
    joined = line("AB", a="A", b="AB") | {"method": "simple_greedy"}
    assert infeasible(joined).codes() == {"not_infeasible"}
    why = ["'B' has no way back"]
    assert infeasible(joined, notes=why).codes() == {"not_infeasible"}
    assert infeasible(joined, notes=why, outcome=Outcome.UNKNOWN).faults() == []
    assert infeasible(joined, outcome=Outcome.UNKNOWN).codes() == {"no_note"}
    bound = joined | {"method": "upper_bound"}
    assert infeasible(bound, notes=why, outcome=Outcome.UNKNOWN).codes() == {"never_unknown"}


def test_what_takes_too_much_room_is_not_taken_on_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "placement_exists", lambda *_: None)
    assert infeasible(line("AB", a="A", b="B")).codes() == {"not_proved"}


@pytest.mark.parametrize("method", ["portfolio", "heft", "compare"])
def test_an_infeasible_outcome_has_nothing_else(method: str) -> None:
    apart = line(a="A", b="B") | {"method": method}
    assert infeasible(apart).faults() == []
    for part, value in (
        ("mapping", {"a": ["A"]}),
        ("transfers", [moved("a-b", "A B")]),
        ("buffers", [Buffer(processor="A", data=Fraction(1))]),
        ("simulation", simulated().result.simulation),
    ):
        assert infeasible(apart, **{part: value}).codes() == {"wrong_fields"}


# Half-duplex links under one port


def half_duplex(duplex: str, **fields: Any) -> Answer:
    platform = {
        "processors": [{"id": "A"}, {"id": "B"}],
        "links": [{"source": "A", "target": "B", "unit_time": 1, "duplex": duplex}],
    }
    application = {
        "tasks": [{"id": "a", "times": {"A": 1}}, {"id": "b", "times": {"B": 1}}],
        "files": [{"source": "a", "target": "b", "size": 2}],
    }
    half = {"A--B.half": 2} if duplex == "half" else {}
    return mapped(
        {"platform": platform, "application": application, "ports": "one_port"},
        {"a": "A", "b": "B"},
        ["a-b: A B"],
        occupation=half | {"A.send": 2, "B.receive": 2, "A.compute": 1, "B.compute": 1},
        first_periods={"a A": 1, "b B": 3},
        buffers={"A": 4, "B": 4},
        prices={"A.send": HALF},
        period=Fraction(3),
        **fields,
    )


def test_half_duplex_links_may_be_idle_under_one_port_with_a_note() -> None:
    assert half_duplex("half", notes=["the slots take longer"]).faults() == []
    assert half_duplex("half").codes() == {"wrong_period"}
    assert half_duplex("full", notes=["the slots take longer"]).codes() == {"wrong_period"}


# References and comparisons


SIMULATED: list[tuple[str, Any, str, str]] = [
    ("result/gap", Fraction(1, 999), "wrong_gap", "The gap is"),
    ("result/gap", Fraction(999), "wrong_gap", "The gap is"),
    ("result/simulation", None, "wrong_fields", "heft needs simulation"),
    ("result/bound_source", "search", "wrong_bound_source", "for single allocations only"),
    ("result/simulation/instances", 9, "wrong_instances", "10 were asked"),
    ("result/simulation/instances", 11, "wrong_instances", "10 were asked"),
    ("result/simulation/makespan", Fraction(74), "wrong_makespan", "no throughput of 2/15"),
    ("result/simulation/makespan", Fraction(76), "wrong_makespan", "no throughput of 2/15"),
    ("result/simulation/latency", Fraction(76), "wrong_latency", "not between 0"),
    ("result/simulation/latency", Fraction(-1), "wrong_latency", "-1"),
    ("result/notes", [], "no_schedule", "no schedule"),
    ("result/period", Fraction(15, 2), "wrong_fields", "heft cannot have period"),
]


@pytest.mark.parametrize(("path", "value", "code", "phrase"), SIMULATED)
def test_one_planted_fault_in_a_simulation_is_found(
    path: str, value: Any, code: str, phrase: str
) -> None:
    faults = simulated().change(path, value).faults()
    assert any(f.code == code and phrase in f.detail for f in faults), faults


@pytest.mark.parametrize("latency", [0, 75])
def test_a_latency_lies_between_nothing_and_the_makespan(latency: int) -> None:
    assert simulated().change("result/simulation/latency", Fraction(latency)).faults() == []


def row(method: str, throughput: Any, **fields: Any) -> ComparedMethod:
    value = None if throughput is None else Fraction(throughput)
    ratio = None if value is None else value * 6
    asked = {"throughput": value, "ratio_to_bound": ratio, "latency": None, "seconds": 0.5}
    return ComparedMethod.model_validate({"method": method} | asked | fields)


def compared(*rows: ComparedMethod) -> Answer:
    answer = camera(method="compare")
    return answer.change("result/method", "compare").change("result/comparison", list(rows))


def test_a_comparison_may_hold_methods_without_an_answer() -> None:
    rows = (
        row("delegate", "1/6", latency=36),
        row("simple_greedy", "1/7", seconds=0, latency=0),
        row("heft", "1/5"),  # as versions before told it
        row("clustering", "1/5", ratio_to_bound=None),
        row("upper_bound", "1/5"),
        row("data_parallel", None, note="no processor can run every task"),
    )
    assert compared(*rows).faults() == []


@pytest.mark.parametrize(
    ("listed", "place", "phrase"),
    [
        (row("compare", "1/6"), "0/method", "'compare' is no method to compare"),
        (row("guess", "1/6"), "0/method", "'guess'"),
        (
            row("delegate", "1/5"),
            "0/throughput",
            "faster than the answer, which keeps a resource busy for 6",
        ),
        (row("delegate", "1/7", ratio_to_bound=1), "0/ratio_to_bound", "is 6/7 as a part"),
        (row("delegate", None, ratio_to_bound=1), "0/ratio_to_bound", "is not known as a part"),
        (row("delegate", "1/7", seconds=-1), "0/seconds", "cannot take a time below 0"),
    ],
)
def test_one_planted_fault_in_a_comparison_is_found(
    listed: ComparedMethod, place: str, phrase: str
) -> None:
    (fault,) = compared(listed).faults()
    steps = [int(step) if step.isdigit() else step for step in place.split("/")]
    assert fault.pointer == ("result", "comparison", *steps)
    assert phrase in fault.detail


def test_a_method_is_compared_once() -> None:
    (fault,) = compared(row("delegate", "1/6"), row("delegate", "1/6")).faults()
    assert "compared twice" in fault.detail
    negative = row("heft", "1/6").model_copy(update={"latency": Fraction(-1)})
    assert compared(negative).codes() == {"wrong_comparison"}


def test_a_comparison_without_any_allocation_has_no_faster_one() -> None:
    problem = APART | {"method": "compare"}
    computing = {"A.compute": HALF, "C.compute": HALF}
    rows = [row("heft", "1/6", ratio_to_bound=Fraction(1, 6))]
    assert bound_only(problem, computing, comparison=rows).faults() == []
    rows = [row("delegate", "1/6", ratio_to_bound=Fraction(1, 6))]
    assert bound_only(problem, computing, comparison=rows).codes() == {"wrong_comparison"}
    rows = [row("delegate", "1/6", ratio_to_bound=None)]
    apart = infeasible(line(a="A", b="B") | {"method": "compare"}, comparison=rows)
    assert apart.codes() == {"wrong_comparison"}
