"""SimGrid replays schedules: every date holds there, for schedules of all port models."""

import warnings
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import steadygrid as sg
from benchmarks.reality.cases import boxes, example
from steadygrid.domain.schedule import Schedule
from tests.data import shared_data
from tests.draws import draws
from tests.formats.simgrid_agreement import read
from tests.formats.simgrid_stored import FOLDER
from tests.outside.plans import Foreign, Replay, python_with_simgrid, replayed
from tests.tree import ROOT

pytestmark = pytest.mark.skipif(
    python_with_simgrid() is None,
    reason="no Python here has SimGrid's module (apt-get install python3-simgrid)",
)

FIGURE_3 = dict(example("rr4870-figure-3"))
PERIODS = 3
WORKS = {"in": "2e15", "a": "6e15", "b": "9e15", "out": "1e15"}
"""Of tasks on imported platforms, in flop: transfers are whole numbers of bytes in SimGrid."""
FILES = (("in", "a", "3e13"), ("in", "b", "2e13"), ("a", "out", "1e13"), ("b", "out", "1e13"))


def answered(problem: Mapping[str, Any], **options: Any) -> sg.Answer[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sg.solve(problem, in_process=True, **options)


def drawn(seed: int, ports: str) -> dict[str, Any]:
    """Draw a platform of four with small numbers, and tasks or a task graph."""
    draw = Random(f"{ports} {seed}")
    names = "MABC"
    pairs = {(draw.randrange(i), i) for i in range(1, 4)}
    while len(pairs) < 4:
        first, second = sorted(draw.sample(range(4), 2))
        pairs.add((first, second))
    duplexes = ("full", "half") if ports in ("one_port", "multiport") else ("full",)
    links = [
        {
            "source": names[one],
            "target": names[other],
            "unit_time": draw.randint(1, 3),
            "duplex": draw.choice(duplexes),
        }
        for one, other in sorted(pairs)
    ]
    processors = [{"id": name, "unit_time": draw.randint(2, 6)} for name in names]
    problem = {"ports": ports, "platform": {"processors": processors, "links": links}}
    if seed % 2:
        task = {"work": 1, "input_size": 1, "output_size": draw.choice(("0", "1/2"))}
        return {"kind": "master_worker", "master": "M", "task": task, **problem}
    application = {
        "tasks": [
            {"id": "read", "work": "1/2", "allowed": ["M"]},
            *({"id": name, "work": draw.randint(1, 3)} for name in ("left", "right")),
            {"id": "join", "work": 1},
        ],
        "files": [
            {"source": source, "target": target, "size": draw.choice(("1/2", "1"))}
            for source, target in (
                *(("read", "left"), ("read", "right")),
                *(("left", "join"), ("right", "join")),
            )
        ],
    }
    return {"kind": "task_graph", "application": application, **problem}


def imported(path: Path) -> tuple[dict[str, Any], Foreign]:
    """Give a task graph on a platform of SimGrid's, whose data are read on its first host."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        platform = sg.read_platform(path)
    hosts = [one.id for one in platform.processors if one.speed]
    ends = {"in": hosts[:1], "out": hosts[-1:]}
    tasks = [
        {"id": name, "work": work} | ({"allowed": ends[name]} if name in ends else {})
        for name, work in WORKS.items()
    ]
    files = [{"source": source, "target": target, "size": size} for source, target, size in FILES]
    problem = {
        "kind": "task_graph",
        "platform": platform,
        "application": {"tasks": tasks, "files": files},
        "ports": "multiport",
        "routing": "fixed",
    }
    works = {name: Fraction(work) for name, work in WORKS.items()}
    return problem, Foreign(path, read(path.read_bytes()).names, works)


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        pytest.param(FIGURE_3, {}, id="one port"),
        pytest.param(FIGURE_3 | {"ports": "send_or_receive"}, {}, id="send or receive"),
        pytest.param(FIGURE_3 | {"ports": "no_overlap"}, {}, id="no overlap"),
        pytest.param(FIGURE_3 | {"ports": "multiport"}, {}, id="multiport"),
        pytest.param(FIGURE_3, {"max_period": "30"}, id="a bounded period"),
        pytest.param(example("rr4870-figure-3-latencies"), {"latencies": "paid"}, id="latencies"),
        pytest.param(example("triangle-no-overlap"), {}, id="half duplex"),
        pytest.param(example("file-server-two-cards"), {}, id="cards"),
        pytest.param(example("shared-wide-area-link"), {}, id="a medium"),
        pytest.param(example("rr4870-figure-9"), {}, id="a task graph"),
        pytest.param(example("rr4872-figure-2-scatter"), {}, id="a scatter"),
        pytest.param(example("three-sites-broadcast"), {}, id="a broadcast"),
        pytest.param(boxes(), {}, id="an allgather"),
    ],
)
def test_a_schedule_holds_in_simgrid(problem: Mapping[str, Any], options: dict[str, Any]) -> None:
    answer = answered(problem, **options)
    replay = Replay(answer, PERIODS)
    assert replay.disagreements(replayed(replay.document())) == []


def test_the_schedules_above_are_what_they_are_called() -> None:
    latencies = answered(example("rr4870-figure-3-latencies"), latencies="paid").schedule
    bounded = answered(FIGURE_3, max_period="30").schedule
    assert isinstance(latencies, Schedule)
    assert isinstance(bounded, Schedule)
    assert latencies.grouping is not None
    assert (bounded.bounded, bounded.period < 40) == ("asked", True)
    cards = Replay(answered(example("file-server-two-cards")), PERIODS)
    assert 2 in cards.ports.values()


@pytest.mark.parametrize("ports", ["one_port", "send_or_receive", "no_overlap", "multiport"])
@pytest.mark.parametrize("seed", range(draws(2, 50)))
def test_schedules_of_drawn_platforms_hold_in_simgrid(seed: int, ports: str) -> None:
    replay = Replay(answered(drawn(seed, ports), max_period="24"), PERIODS)
    assert replay.disagreements(replayed(replay.document())) == []


@pytest.mark.parametrize("name", ["fat_trees", "nested_gateways", "torus", "three_sites"])
def test_imported_platforms_mean_in_simgrid_what_they_mean_here(name: str) -> None:
    path = FOLDER / f"{name}.xml"
    problem, foreign = imported(path if path.exists() else ROOT / "examples" / f"{name}.xml")
    answer = answered(problem)
    assert isinstance(answer.schedule, Schedule)
    assert len(answer.schedule.allocations) > 2
    replay = Replay(answer, PERIODS, foreign)
    assert replay.disagreements(replayed(replay.document())) == []


def test_a_hundred_allocations_on_a_cluster_hold_in_simgrid() -> None:
    problem, foreign = imported(shared_data("simgrid-platforms/cluster_backbone.xml"))
    answer = answered(problem)
    assert isinstance(answer.schedule, Schedule)
    assert len(answer.schedule.allocations) > 90
    replay = Replay(answer, PERIODS, foreign)
    assert replay.disagreements(replayed(replay.document())) == []


def test_what_does_not_hold_is_told() -> None:
    replay = Replay(answered(FIGURE_3), PERIODS)
    plan = replay.document()
    slow = plan | {"links": {name: 0.999 * each for name, each in plan["links"].items()}}
    assert "planned" in replay.disagreements(replayed(slow))[0]
    plan["actors"][0][3]["at"] += 1e-3
    assert any("planned" in line for line in replay.disagreements(replayed(plan)))


def test_two_at_once_share_a_link_in_simgrid() -> None:
    replay = Replay(answered(FIGURE_3), PERIODS)
    plan = replay.document()
    one = next(one for actor in plan["actors"] for one in actor if "send" in one)
    send = {"at": 0, "send": one["send"], "rate": None, "ports": []}
    alone = {**plan, "actors": [[{"number": 0, **send}]]}
    both = {**plan, "actors": [[{"number": 0, **send}], [{"number": 1, **send}]]}
    ((_, end),) = replayed(alone)
    ends = [end for _, end in replayed(both)]
    assert ends == pytest.approx([2 * end, 2 * end], rel=1e-9)
