"""Re-planning: what is kept, what would be best, and whether to change."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.job import Bound, Objective
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds import PROBLEMS
from steadygrid.studies.measuring import read_request
from steadygrid.studies.replan import Replan, replan
from steadygrid.studies.replanned import change_of
from steadygrid.studies.sentences import changes, lost
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.solved import Solved, solve

F = Fraction
EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text())
    return body


FIGURE_3 = example("rr4870-figure-3")
HALF = {"measured": {"processors": {"P2": {"speed": "1/4"}}}}


def link(source: str, target: str, **more: Any) -> dict[str, Any]:
    return {"source": source, "target": target, **more}


def planned(body: dict[str, Any], request: dict[str, Any]) -> tuple[Replan, Solved]:
    before = solve(body)
    asked = parse_submission(body, Limits())
    return replan(asked, *before, read_request(request)), before


def both(study: Replan) -> tuple[Fraction, Fraction]:
    return study.same_slots.throughput, study.same_shares.throughput


@pytest.mark.parametrize(
    ("request_", "kept"),
    [
        (HALF, F(21, 80)),
        ({"measured": {"processors": {"P2": {"unit_time": 4}}}}, F(21, 80)),
        ({"measured": {"processors": {"P2": {"speed": "1/2"}}}, "scale": True}, F(21, 80)),
        ({"measured": {"processors": {"P2": {"unit_time": 2}}}, "scale": True}, F(21, 80)),
        ({"measured": {"links": [link("P1", "P2", bandwidth="2/3")]}}, F(21, 55)),
        ({"measured": {"links": [link("P2", "P1", unit_time="3/2")]}}, F(21, 55)),
        ({"measured": {"links": [link("P1", "P2", bandwidth="2/3")]}, "scale": True}, F(21, 55)),
    ],
)
def test_what_is_kept_of_figure_3(request_: dict[str, Any], kept: Fraction) -> None:
    study, _ = planned(FIGURE_3, request_)
    assert study.planned_throughput == F(21, 40)
    assert both(study) == (kept, kept)
    told = study.document()
    assert told.kept.same_slots.value == kept
    assert told.optimum is told.advice is told.change is None


def test_the_new_optimum_is_compared_with_what_is_kept() -> None:
    study, _ = planned(FIGURE_3, HALF)
    assert study.body is not None
    told = study.judged(*solve(dict(study.body)))
    assert told.optimum is not None
    assert told.bound is not None
    assert told.optimum.value == told.bound.value == F(37, 80)
    assert told.of_optimum is not None
    assert told.of_optimum.same_slots == F(21, 37)
    assert told.advice is not None
    assert (told.advice.same_slots, told.advice.same_shares) == ("change", "change")
    assert told.model_validate_json(told.model_dump_json()) == told


def test_the_new_optimum_of_a_collective_is_sought_without_programs() -> None:
    body = dict(PROBLEMS["collective"].example)
    problem = body["problem"] | {"operation": "multicast", "ports": "multiport"}
    measured = {"measured": {"links": [link("a", "P0", unit_time=1)]}}
    study, before = planned(body | {"problem": problem}, measured)
    assert study.body is not None
    assert before.result.execution is not None
    now = solve(study.body)
    assert now.result.execution is None
    assert study.judged(*now).optimum is not None


def test_what_is_as_planned_is_kept_whole_and_nothing_changes() -> None:
    study, before = planned(FIGURE_3, {"measured": {"processors": {"P2": {"speed": "1/2"}}}})
    assert both(study) == (F(21, 40),) * 2
    told = study.judged(*before)
    assert told.advice is not None
    assert told.advice.same_slots == told.advice.same_shares == "keep"
    assert told.change is not None
    assert told.change.allocations.share_kept == 1
    assert told.change.tasks == told.change.appear == told.change.vanish == []
    one = told.change.allocations.model_copy(update={"kept": 1, "dropped": 0, "new": 1})
    said = changes(told.change.model_copy(update={"allocations": one}))
    assert "has 1 of the 1 allocation of before, for 100 % of its work, and 1 new one." in said


def judged(study: Replan, before: Solved, optimum: Fraction, prologue: int, period: int) -> Any:
    """Judge an answer of this value, whose schedule has this prologue and period."""
    schedule = replace(before.schedule, prologue_periods=prologue, period=F(period))
    update = {
        "objective": Objective.throughput(optimum),
        "bound": Bound.from_value(optimum, exact=True),
    }
    return study.judged(before.result.model_copy(update=update), schedule)


def test_a_change_is_worth_exactly_what_it_brings() -> None:
    kept = F(21, 80)
    tolerant = HALF | {"tolerance": "1/8"}
    study, before = planned(FIGURE_3, tolerant)
    for optimum, decision in ((F(3, 10), "keep"), (F(3, 10) + F(1, 10**9), "change")):
        assert kept == F(7, 8) * F(3, 10)
        told = judged(study, before, optimum, 0, 1)
        assert (told.advice.same_slots, told.advice.same_shares) == (decision, decision)
    told = planned(FIGURE_3, HALF | {"cost": 10, "horizon": 1})[0].judged(before.result, None)
    assert told.whole_cost == 10
    assert told.change is told.after is None
    assert "prologue" in told.notes[-1]


def test_with_a_horizon_the_schedule_that_completes_more_is_advised() -> None:
    """The new schedule is made for the time that is left, and what it completes is in its header."""
    decisions = []
    for horizon in (9, 40, 100, 160, 170, 400, 10_000):
        study, _ = planned(FIGURE_3, HALF | {"cost": 10, "horizon": horizon})
        assert study.body is not None
        result, schedule = solve(dict(study.body))
        told = study.judged(result, schedule)
        kept = floor(F(21, 80) * horizon)
        after = 0 if schedule.run is None else schedule.run.instances_at_least
        assert (horizon <= 10) == (schedule.run is None)
        assert told.instances_done.same_slots == told.instances_done.same_shares == kept
        assert told.instances_done.after_change == after
        assert told.advice.same_slots == ("change" if after > kept else "keep")
        decisions.append(told.advice.same_slots)
    assert decisions == sorted(decisions, key=["keep", "change"].index)
    assert set(decisions) == {"keep", "change"}


def test_advice_does_not_hang_on_the_digits_of_measurements() -> None:
    """Exact periods take seconds or years, and what is complete within two hours hardly differs."""
    draw = random.Random(11)
    for cost in (60, 1200):
        for _ in range(draws(3, 12)):
            told = []
            speeds = [draw.randint(400, 1200) for _ in range(4)]
            for more in (0, F(draw.randint(1, 10**9), 10**12)):
                links = [
                    link(f"P{a}", f"P{b}", bandwidth=str(F(speed, 1000) + more))
                    for (a, b), speed in zip(((1, 2), (1, 3), (2, 4), (3, 4)), speeds, strict=True)
                ]
                for bounded in ({}, {"max_period": 100}):
                    request = {"measured": {"links": links}, "cost": cost, "horizon": 7200}
                    study, _ = planned(FIGURE_3, request | bounded)
                    told.append(study.judged(*solve(dict(study.body))).advice)
            assert len({one.same_slots for one in told}) == 1


def test_a_bound_never_says_keep() -> None:
    body = json.loads(json.dumps(FIGURE_3))
    body["problem"]["task"]["output_size"] = 1
    for link in body["problem"]["platform"]["links"]:
        link["duplex"] = "half"
    study, before = planned(body, {"measured": {"processors": {"P4": {"speed": "9/10"}}}})
    assert not study.same_shares.exact
    advice = judged(study, before, study.same_shares.throughput, 0, 1).advice
    assert advice.same_shares is None
    advice = judged(study, before, 2 * study.same_shares.throughput, 0, 1).advice
    assert advice.same_shares == "change"


def test_a_dead_link_is_replanned_without_it() -> None:
    request = {"measured": {"links": [{"source": "P1", "target": "P2", "bandwidth": 0}]}}
    study, _ = planned(FIGURE_3, request)
    assert both(study) == (0, 0)
    assert study.same_slots.limited_by == ("P1->P2.link",)
    assert study.body is not None
    assert len(study.body["problem"]["platform"]["links"]) == 3
    told = study.judged(*solve(dict(study.body)))
    assert told.optimum is not None
    assert told.optimum.value > 0
    assert told.change is not None
    assert [(one.resource, one.share) for one in told.gone] == [("P1->P2.link", F(5, 7))]
    assert told.kept.same_slots.limited_by == told.kept.same_shares.limited_by == []
    assert lost(told.gone) == (
        "Nothing of the schedule can be kept as it is: P1->P2, which 71.4 % of the instances need, is"
        " gone."
    )
    assert ("P1", "P2") in {(one.sender, one.receiver) for one in told.change.vanish}
    assert told.change.transfers_vanish == len(told.change.vanish)
    # All still get their tasks: P2 by way of P4.
    assert told.optimum.value == F(21, 40)
    assert told.change.tasks == []
    assert ("P4", "P2") in {(one.sender, one.receiver) for one in told.change.appear}


def test_a_processor_that_is_gone_limits_nothing_and_takes_its_links_along() -> None:
    study, _ = planned(FIGURE_3, {"measured": {"processors": {"P4": {"speed": 0}}}})
    told = study.document()
    gone = {one.resource: one.share for one in told.gone}
    assert gone == dict.fromkeys(("P4.compute", "P2->P4.link"), F(10, 21))
    assert lost(told.gone).endswith(": P4, which 47.6 % of the instances need, is gone.")
    assert told.kept.same_slots.limited_by == []
    kept, _ = planned(FIGURE_3, {"measured": {"processors": {"P4": {"speed": "1/2"}}}})
    assert kept.document().gone == []


def test_without_the_master_nothing_can_be_done() -> None:
    study, _ = planned(FIGURE_3, {"measured": {"processors": {"P1": {"speed": 0}}}})
    assert study.body is None
    assert both(study) == (0, 0)
    told = study.document()
    assert told.optimum is not None
    assert told.optimum.value == 0
    assert told.advice is None
    assert "'P1', a master, is gone" in told.notes[-1]


def test_a_participant_that_is_gone_is_missed_where_it_was_named() -> None:
    body = example("two-boxes-allgather")
    request = {"measured": {"processors": {"A0": {"speed": 0}}}}
    assert "participants" not in body["problem"]
    study, _ = planned(body, request)
    assert study.body is not None
    assert both(study) == (0, 0)
    assert "those who are left" in study.notes[0]
    named = [one["id"] for one in body["problem"]["platform"]["processors"] if "switch" not in one]
    body["problem"]["participants"] = named
    study, _ = planned(body, request)
    assert study.body is None
    assert "participant" in study.notes[0]


TASKS = {
    "kind": "task_graph",
    "platform": {
        "processors": [
            {"id": "A", "speed": 1},
            {"id": "B", "speed": 1},
            {"id": "C", "speed": 1},
            {"id": "S", "switch": True},
        ],
        "links": [
            {"source": "A", "target": "B", "bandwidth": 4},
            {"source": "B", "target": "C", "bandwidth": 4},
            {"source": "A", "target": "S", "bandwidth": 1},
            {"source": "S", "target": "C", "bandwidth": 1},
        ],
    },
    "application": {
        "tasks": [
            {"id": "a", "times": {"A": "1/2"}},
            {"id": "b", "work": 2, "allowed": ["B", "C"]},
        ],
        "files": [{"source": "a", "target": "b", "size": 1}],
    },
}


def test_the_allocations_that_survive_are_mixed_anew() -> None:
    body = json.loads(json.dumps({"problem": TASKS}))
    body["problem"]["platform"]["links"][1]["bandwidth"] = "1/8"
    study, before = planned(body, {"measured": {"processors": {"B": {"speed": 0}}}})
    assert both(study) == (0, 0)
    assert before.result.objective.value == 1
    assert study.surviving_body is not None
    survives = solve(dict(study.surviving_body)).result
    assert study.body is not None
    assert study.body["problem"]["application"]["tasks"][1]["allowed"] == ["C"]
    best = solve(dict(study.body)).result.objective.value
    listed = {tuple(one.tasks.values()) for one in before.result.allocations}
    assert listed == {("A", "B"), ("A", "C")}
    given = study.surviving_body["problem"]["allocations"]
    assert all(one["tasks"]["b"] == "C" for one in given)
    assert survives.objective.value <= best == F(1, 2)
    gone = {"measured": {"processors": {name: {"speed": 0} for name in "BC"}}}
    study, before = planned(body, gone)
    assert study.body is study.surviving_body is None


def test_times_that_are_given_are_measured_by_task() -> None:
    body = {"problem": TASKS}
    study, _ = planned(body, {"measured": {"processors": {"A": {"times": {"a": 3}}}}})
    assert both(study) == (F(1, 3), F(1, 3))
    assert study.same_shares.limited_by == ("A.compute",)
    request = {"measured": {"processors": {"A": {"speed": "1/4"}}}, "scale": True}
    assert both(planned(body, request)[0]) == (F(1, 2), F(1, 2))
    request["measured"]["processors"]["A"]["times"] = {"a": 8}  # type: ignore[index]
    assert both(planned(body, request)[0]) == (F(1, 4), F(1, 4))


def test_files_keep_their_routes_while_these_are_there() -> None:
    body = {"problem": TASKS | {"routing": "fixed"}}
    slow = [{"source": "B", "target": "C", "bandwidth": "1/8"}]
    study, _ = planned(body, {"measured": {"links": slow}})
    assert study.body is not None
    routes = study.body["problem"]["platform"]["routes"]
    assert {"source": "A", "target": "C", "via": ["B"]} in routes
    assert "stay as they are" in study.notes[0]
    assert both(study)[1] < study.planned_throughput
    study, _ = planned(body, {"measured": {"links": [slow[0] | {"bandwidth": 0}]}})
    assert study.body is not None
    assert {"source": "A", "target": "C", "via": ["B"]} not in study.body["problem"]["platform"][
        "routes"
    ]
    assert any("over what is gone" in note for note in study.notes)


def test_only_schedules_that_repeat_on_a_platform_are_replanned() -> None:
    request = read_request({"measured": {}})
    for problem in PROBLEMS.values():
        asked = parse_submission(problem.example, Limits())
        answer = solve(problem.example, seconds=20)
        if problem.views is not None and isinstance(answer.schedule, Schedule):
            kept = replan(asked, *answer, request)
            assert kept.same_slots.throughput == kept.planned_throughput
            continue
        with pytest.raises(InstanceError) as refused:
            replan(asked, *answer, request)
        assert [fault.code for fault in refused.value.faults] == ["not_periodic"]
        assert "solve that" in refused.value.faults[0].detail


def faults(request: dict[str, Any], body: Any = FIGURE_3) -> set[tuple[str, str]]:
    asked = parse_submission(body, Limits())
    with pytest.raises(InstanceError) as refused:
        replan(asked, *solve(body), read_request(request))
    return {("/".join(map(str, fault.pointer)), fault.code) for fault in refused.value.faults}


def test_all_faults_have_their_place() -> None:
    measured = {
        "processors": {
            "p2": {"speed": 1},
            "P2": {"speed": 1, "unit_time": 1},
            "P3": {},
            "P4": {"times": {"task": 1}},
            "P1": {"speed": "1e30"},
        },
        "links": [
            {"source": "P1", "target": "P4", "bandwidth": 1},
            {"source": "P1", "target": "X", "bandwidth": 1},
            {"source": "P1", "target": "P2"},
            {"source": "P1", "target": "P3", "bandwidth": 1},
            {"source": "P3", "target": "P1", "bandwidth": 1},
        ],
        "media": {"M": {"bandwidth": 1}},
    }
    assert faults({"measured": measured}) == {
        ("measured/processors/p2", "unknown_processor"),
        ("measured/processors/P2", "ambiguous_speed"),
        ("measured/processors/P3", "nothing_measured"),
        ("measured/processors/P4/times/task", "unknown_task"),
        ("measured/links/0", "unknown_link"),
        ("measured/links/1/target", "unknown_processor"),
        ("measured/links/2", "ambiguous_speed"),
        ("measured/links/4", "measured_twice"),
        ("measured/media/M", "unknown_medium"),
    }
    tasks = {
        "A": {"times": {"b": 1, "c": 1}},
        "B": {"times": {"a": 1}},
        "S": {"speed": 2},
    }
    assert faults({"measured": {"processors": tasks}}, {"problem": TASKS}) == {
        ("measured/processors/A/times/b", "unknown_task"),
        ("measured/processors/A/times/c", "unknown_task"),
        ("measured/processors/B/times/a", "cannot_run"),
        ("measured/processors/S/speed", "no_speed"),
    }


@pytest.mark.parametrize(
    ("request_", "places"),
    [
        ({}, {"measured"}),
        ({"measured": {}, "tolerance": "3/2"}, {"tolerance"}),
        ({"measured": {}, "cost": 1}, {"horizon"}),
        ({"measured": {}, "horizon": 1}, {"cost"}),
        ({"measured": {}, "cost": -1, "horizon": 0}, {"cost", "horizon"}),
        (
            {"measured": {"processors": {"P": {"speed": "fast", "unit_time": 0}}, "nodes": []}},
            {"measured/processors/P/speed", "measured/processors/P/unit_time", "measured/nodes"},
        ),
        ({"measured": {"links": [{"source": "A", "bandwidth": 1}]}}, {"measured/links/0/target"}),
    ],
)
def test_requests_of_a_wrong_form_are_refused(request_: Any, places: set[str]) -> None:
    with pytest.raises(InstanceError) as refused:
        read_request(request_)
    assert {"/".join(map(str, fault.pointer)) for fault in refused.value.faults} == places


def test_a_measured_value_with_a_unit_is_refused_with_the_number_alone() -> None:
    with pytest.raises(InstanceError) as refused:
        read_request({"measured": {"media": {"wan": {"bandwidth": "30 MB/s"}}}})
    # Units of the platform would not help, since a replan does not read them.
    (fault,) = refused.value.faults
    assert "30 MB/s is 30000000 in B/s" in fault.detail
    assert "units to the platform" not in fault.detail


def test_only_so_many_values_are_taken() -> None:
    request = {"measured": {"processors": {"P": {"speed": 1, "times": {"a": 1}}}, "media": {}}}
    assert read_request(request, Limits(max_measurements=2)).measured.count == 2
    with pytest.raises(LimitError, match="at most 1"):
        read_request(request, Limits(max_measurements=1))


@pytest.mark.parametrize("seed", range(draws(3, 400)))
def test_what_is_kept_never_exceeds_the_new_bound(seed: int) -> None:
    """On figure 3 with results, under every port model, with whatever is slower, faster or gone."""
    draw = random.Random(seed)
    body = json.loads(json.dumps(FIGURE_3))
    problem = body["problem"]
    problem["ports"] = draw.choice(["one_port", "multiport", "send_or_receive", "no_overlap"])
    problem["task"]["output_size"] = draw.choice([0, 1])
    for link in problem["platform"]["links"]:
        link["duplex"] = draw.choice(["full", "half"])
    processors = {name: {"speed": draw.choice(["1/2", "3/2", 1])} for name in ("P1", "P2", "P4")}
    links = [
        {
            "source": link["source"],
            "target": link["target"],
            "bandwidth": draw.choice([1, "1/3", 2]),
        }
        for link in problem["platform"]["links"]
    ]
    links[draw.randrange(4)]["bandwidth"] = draw.choice([0, 1])
    request = {"measured": {"processors": processors, "links": links}, "scale": True}
    study, _ = planned(body, request)
    assert study.body is not None
    told = study.judged(*solve(dict(study.body)))
    assert told.bound is not None
    assert study.same_slots.throughput <= study.same_shares.throughput <= told.bound.value
    assert told.advice is not None


def test_schedules_of_the_same_shares_are_the_same_whatever_their_periods() -> None:
    one = solve(FIGURE_3).schedule
    short = solve(FIGURE_3, max_period=8).schedule
    same = change_of(one, one)
    assert (same.allocations.new, same.allocations.dropped, same.tasks_moved) == (0, 0, 0)
    other = change_of(one, short)
    assert other.allocations.kept + other.allocations.dropped == len(one.allocations)
    assert 0 < other.allocations.share_kept < 1
    assert other.tasks[0].moved == 1 - other.allocations.share_kept


def test_where_nothing_can_travel_any_more_the_optimum_is_nothing() -> None:
    body = json.loads(json.dumps({"problem": TASKS}))
    body["problem"]["application"]["tasks"][1]["allowed"] = ["C"]
    dead = [link("B", "C", bandwidth=0), link("C", "S", bandwidth=0)]
    study, _ = planned(body, {"measured": {"links": dead}})
    assert study.body is not None
    told = study.judged(*solve(dict(study.body)))
    assert told.optimum is not None
    assert told.optimum.value == 0
    assert told.advice is told.of_optimum is told.after is None


def test_values_are_written_as_the_plan_has_them() -> None:
    speeds = {"B": {"speed": "1/4"}, "C": {"unit_time": 8}}
    study, _ = planned({"problem": TASKS}, {"measured": {"processors": speeds}})
    assert study.body is not None
    processors = study.body["problem"]["platform"]["processors"]
    assert [one.get("speed") for one in processors] == ["1", "1/4", "1/8", None]
    links = [link("A", "B", unit_time="1/3"), link("C", "B", bandwidth=9)]
    study, _ = planned({"problem": TASKS}, {"measured": {"links": links}, "scale": True})
    assert study.body is not None
    bandwidths = [one["bandwidth"] for one in study.body["problem"]["platform"]["links"]]
    assert bandwidths == ["12", "36", "1", "1"]


def test_workers_behind_a_dead_link_are_left_out() -> None:
    body = example("bags-of-two-kinds")
    dead = body["problem"]["platform"]["links"][0]
    request = {"measured": {"links": [link(dead["source"], dead["target"], bandwidth=0)]}}
    study, _ = planned(body, request)
    assert study.body is not None
    left = [one["id"] for one in study.body["problem"]["platform"]["processors"]]
    assert dead["target"] not in left
    assert len(left) == len(body["problem"]["platform"]["processors"]) - 1
    assert both(study) == (0, 0)
