"""What only some kinds have to tell, and what fits into a narrow terminal."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Outcome, Proof
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Allocation
from steadygrid.domain.view import Amount, Measure, Phrase, View
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import ASCII, UNICODE, Glyphs
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.report.tables import allocations, who_computes
from steadygrid.submissions.submission import parse_submission
from tests.report.answers import figure_3

F = Fraction


def solved(body: dict[str, Any]) -> Report:
    asked = parse_submission(body, Limits())
    result, schedule = run(asked, Control(30), Limits())
    return Report(asked, result, schedule)


@cache
def example(kind: str) -> Report:
    return solved(dict(PROBLEMS[kind].example))


def with_result(report: Report, **fields: Any) -> Report:
    return replace(report, result=report.result.model_copy(update=fields))


def text(report: Report, width: int = 80) -> str:
    return "\n".join(line.plain for line in page(report, width, UNICODE))


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("width", [40, 47, 60, 80, 120])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_kind_fits(kind: str, width: int, glyphs: Glyphs) -> None:
    lines = [line.plain for line in page(example(kind), width, glyphs)]
    assert max(map(cell_len, lines)) <= width
    assert glyphs is UNICODE or "\n".join(lines).isascii()


def test_an_import_with_long_names_fits_and_tells_processors_apart() -> None:
    hosts = [f"griffon-{i}.nancy.grid5000.fr" for i in range(1, 8)]
    platform = {
        "processors": [{"id": "gateway-of-nancy.grid5000.fr", "switch": True}]
        + [{"id": host, "speed": 1} for host in hosts],
        "links": [
            {"source": host, "target": "gateway-of-nancy.grid5000.fr", "bandwidth": 10}
            for host in hosts
        ],
    }
    task = {"work": 1, "input_size": 1}
    problem = {"kind": "master_worker", "platform": platform, "master": hosts[0], "task": task}
    report = solved({"problem": problem | {"ports": "multiport"}})
    for width in (40, 80):
        shown = text(report, width)
        assert max(map(cell_len, shown.splitlines())) <= width
        table = shown.split("Who computes")[1].split("\n\n")[0].splitlines()[2:]
        names = [row.split()[0] for row in table if row.startswith("  ") and "%" in row]
        assert len(names) == len(set(names)) == 7
    assert "  griffon-3  " in text(report)
    told = text(report).replace("gateway-of-nancy", "")
    assert "names        shown without the ending .nancy.grid5000.fr, which input needs" in told
    assert told.count("nancy.grid5000") == 1


def test_names_that_are_numbered_are_explained() -> None:
    names = ["p" + "b" * i + "X" + "b" * (40 - i) + "q" for i in range(12, 30)]
    platform = {"processors": [{"id": name, "speed": 1} for name in names]}
    platform["links"] = [{"source": names[0], "target": name, "bandwidth": 1} for name in names[1:]]
    task = {"work": 1, "input_size": 1}
    problem = {"kind": "master_worker", "platform": platform, "master": names[0], "task": task}
    report = solved({"problem": problem | {"ports": "multiport"}})
    assert "…#2" in text(report)
    assert "#5: the fifth of its sort in the order given." in text(report)
    assert "#5:" not in text(figure_3())


def test_a_cell_tells_speed_ups_local_stores_and_calls() -> None:
    shown = text(example("cell"))
    assert "\nSpeed-ups\n  over       faster\n  ppe_only      7 ×" in shown
    assert "\nLocal stores\n  core  buffers     room  in use\n  SPE1   40,960  262,144" in shown
    assert "\nDMA calls per period\n  core  fetches from  files  at most" in shown


def test_stores_without_room_and_a_method_beside_itself_are_no_division_by_zero() -> None:
    report = example("cell")
    stores = [report.result.local_store[0].model_copy(update={"of": F(0)})]  # type: ignore[attr-defined]
    shown = text(with_result(report, local_store=stores, dma=[], method="ppe_only"))
    assert "ppe_only  " not in shown.split("Speed-ups")[1].split("Local")[0]
    assert "DMA" not in shown
    none = report.result.speed_up.model_copy(update={"ppe_only": None, "greedy": None})  # type: ignore[attr-defined]
    assert "Speed-ups" not in text(with_result(report, speed_up=none))


def test_a_chain_tells_its_loads_and_what_start_ups_cost() -> None:
    assert "\nLoads\n  load  done after  messages\n" in text(example("divisible_chain"))
    assert "Start-ups" not in text(example("divisible_chain"))
    body = json.loads(json.dumps(PROBLEMS["divisible_chain"].example))
    body["problem"]["startup"] = "1/10"
    report = solved(body)
    shown = text(report)
    assert "messages  sent, over its data" in shown
    unknown = [load.model_copy(update={"startup_ratio": None}) for load in report.result.loads[1:]]  # type: ignore[attr-defined]
    bare = with_result(report, loads=[report.result.loads[0], *unknown])  # type: ignore[attr-defined]
    (loads,) = (one for one in bare.view.sections if one.title == "Loads")
    assert [row[-1] is None for row in loads.table.rows] == [False] + [True] * len(unknown)
    assert "\nStart-ups\nIf every message pays its start-up cost, the same shares are" in shown
    makespan = report.result.makespan  # type: ignore[attr-defined]
    paid = report.result.makespan_with_startup  # type: ignore[attr-defined]
    assert paid > makespan
    assert " later." in " ".join(shown.split())
    free = with_result(report, makespan_with_startup=makespan)
    assert " later." not in " ".join(text(free).split())
    assert with_result(report, loads=[], makespan=None).view.sections == ()


def test_tasks_of_no_work_are_not_counted_as_work() -> None:
    body = json.loads(json.dumps(PROBLEMS["task_graph"].example))
    body["problem"]["platform"] = PROBLEMS["mono_allocation"].example["problem"]["platform"]
    body["problem"]["application"] = {
        "tasks": [{"id": "begin", "work": 0}, {"id": "T", "work": 1}],
        "files": [{"source": "begin", "target": "T", "size": 1}],
    }
    report = solved(body)
    assert report.schedule is not None
    counts = {c.processor for c in report.schedule.computations if c.task == "T"}
    shown = "\n".join(line.plain for line in who_computes(report, 80, UNICODE))
    total = sum(c.count for c in report.schedule.computations if c.task == "T")
    assert total == report.schedule.instances_per_period
    assert {row.split()[0] for row in shown.splitlines()[2:]} == counts
    idle = replace(
        report.schedule,
        computations=tuple(c for c in report.schedule.computations if not c.time),
    )
    assert who_computes(replace(report, found=idle), 80, UNICODE) == []


def test_one_allocation_is_told_by_processor() -> None:
    shown = text(example("mono_allocation"))
    assert (
        "Where the tasks run\n  camera  capture\n  small   align\n  large   detect, track" in shown
    )
    assert "Allocations" not in shown


def test_of_several_allocations_only_the_differences_are_repeated() -> None:
    """Of two equal hosts `constraint_lists` makes no pool."""
    body = PROBLEMS["task_graph"].example
    shown = text(solved({"problem": body["problem"] | {"method": "constraint_lists"}}))
    assert "  T4 on P4\n" in shown
    assert "  T4 on P5\n" in shown
    assert "  in all  T1 on P1, T2 on P2, T3 on P3\n" in shown


def test_allocations_that_differ_in_their_paths_alone_tell_the_paths() -> None:
    report = example("task_graph")
    assert report.schedule is not None
    first, second = report.schedule.allocations
    same = second._replace(tasks=first.tasks)
    schedule = replace(report.schedule, allocations=(first, same))
    shown = [line.plain for line in allocations(replace(report, found=schedule), 80, UNICODE)]
    assert all(" → " in row for row in shown[-3:-1])
    here = [Allocation(i, F(1), F(1), {"a": ("P1",), "b": ("P1",)}, ()) for i in (0, 1)]
    schedule = replace(report.schedule, allocations=tuple(here))
    shown = [line.plain for line in allocations(replace(report, found=schedule), 80, UNICODE)]
    assert shown[2].endswith("P1, nothing is sent")


def test_paths_of_different_tasks_tell_whose_they_are() -> None:
    shown = text(example("bag_of_tasks"))
    assert "T1--0: P0 → P2" in shown
    assert "T2--0: P0 → P1" in shown


def test_a_long_path_keeps_its_ends() -> None:
    report = figure_3()
    shown = [line.plain for line in allocations(report, 30, UNICODE)]
    assert shown[-4].endswith("P1 → … → P4")


@pytest.mark.parametrize(
    ("outcome", "proof", "verdict"),
    [
        (
            Outcome.OPTIMAL,
            Proof.SEARCH,
            "OPTIMAL: checked by the referee, optimality rests on the search alone",
        ),
        (Outcome.OPTIMAL, None, "OPTIMAL: checked by the referee"),
        (Outcome.FEASIBLE, Proof.SEARCH, "FEASIBLE: checked by the referee"),
        (
            Outcome.INFEASIBLE,
            Proof.SEARCH,
            "INFEASIBLE: no schedule exists, by the search's word, checked by the referee",
        ),
        (
            Outcome.INFEASIBLE,
            Proof.EXACT,
            "INFEASIBLE: no schedule exists, proved in exact arithmetic, checked by the referee",
        ),
        (Outcome.UNKNOWN, Proof.NONE, "NOTHING FOUND: another method may find a schedule"),
    ],
)
def test_the_verdict_says_what_it_rests_on(
    outcome: Outcome, proof: Proof | None, verdict: str
) -> None:
    bound = figure_3().result.bound
    assert bound is not None
    fields = {"outcome": outcome, "proof": proof, "verified": True}
    lines = text(with_result(figure_3(), bound=bound.model_copy(update={"exact": False}), **fields))
    told = " ".join(lines.split("\n\n")[0].splitlines()[1:])
    assert told == verdict


def viewed(report: Report, view: View) -> Report:
    """Let another view be told of the same answer."""
    asked = report.submission
    problem = replace(asked.problem, view=lambda *_: view)
    return replace(report, submission=replace(asked, problem=problem))


def test_a_kind_without_a_platform_is_told_without_one() -> None:
    rooms: Phrase = ("two, each for ", Amount(F(3, 2), Measure.DURATION))
    view = View(headline=("on and on",), facts=(("rooms", rooms),), occupation={"a--b": F(1)})
    periodic = viewed(example("cell"), view)
    lines = text(periodic).splitlines()
    assert lines[0] == "cell"
    assert "  on and on" in lines
    assert "rooms        two, each for 1.5 time units" in lines
    assert "Busiest resources" in lines
    assert any(line.startswith("  a--b ") for line in lines)
    assert "One period" not in lines
    assert "From 0 to" in text(example("divisible_chain"))
    assert "From 0 to" not in text(viewed(example("divisible_chain"), view))


def test_prices_of_a_kind_without_a_platform_name_the_bottleneck() -> None:
    view = View(doubled={"link": "a second such link"})
    bound = figure_3().result.bound
    certificate = DualityCertificate(prices={"a->b.link": F(21, 40)})
    priced = with_result(figure_3(), certificate=certificate, bound=bound)
    told = " ".join(text(viewed(priced, view)).split())
    assert "bottleneck a->b.link. The price says at most +100 % for a second such link" in told


def test_the_sentence_of_a_section_stands_above_its_table() -> None:
    lines = text(example("replicated_workflow")).splitlines()
    at = lines.index("The critical cycle")
    assert lines[at + 1].startswith(("Each operation waits for the one before", "It waits for"))
    assert "operation" in "".join(lines[at + 2 : at + 4])


def test_firings_have_phases_where_any_actor_has() -> None:
    """A narrow page leaves out no number that matters, and an SDF graph has no phases to tell."""
    one = text(solved(SDF))
    assert "n: firing n of the actor" in one
    assert ".1" not in "".join(line for line in one.splitlines() if "█" in line)
    phased = json.loads(json.dumps(SDF))
    phased["problem"]["graph"]["actors"][0]["times"] = [2, 3]
    two = text(solved(phased))
    assert "n.1: phase 1 of cycle n of the actor" in two
    assert ".2" in "".join(line for line in two.splitlines() if line.startswith("src "))


def test_of_a_narrow_critical_circuit_the_times_remain() -> None:
    lines = text(solved(SDF), 40).splitlines()
    at = lines.index("Critical circuit")
    assert lines[at + 1].split() == ["actor", "firing", "waits", "for", "time"]


def test_a_graph_is_the_subject_where_there_is_no_platform() -> None:
    assert text(solved(SDF)).startswith("dataflow of a ring (4 actors, 4 channels, sequential)\n")


SDF: dict[str, Any] = {
    "problem": {
        "kind": "dataflow",
        "graph": {
            "name": "a ring",
            "actors": [
                {"id": name, "times": time}
                for name, time in {"src": 10, "fft": 20, "det": 5, "out": 7}.items()
            ],
            "channels": [
                {"source": a, "target": b, "production": 1, "consumption": 1, "tokens": tokens}
                for a, b, tokens in (
                    ("src", "fft", 0),
                    ("fft", "det", 0),
                    ("det", "out", 0),
                    ("out", "src", 3),
                )
            ],
        },
    }
}
