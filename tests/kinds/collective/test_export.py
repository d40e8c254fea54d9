"""Operations on any platform, solved, written as MSCCL XML and run."""

import json
import random
from fractions import Fraction
from math import lcm
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.msccl.moves import arrange
from steadygrid.formats.msccl.network import network_of
from steadygrid.formats.msccl.simulation import Settings, simulate
from steadygrid.kinds.collective.exported_trees import tree_of
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.kinds.collective.solver import efforts
from steadygrid.submissions.exports import EXPORTERS
from tests.data import shared_data
from tests.draws import draws
from tests.formats.msccl_machine import check
from tests.kinds.collective.bodies import body, figure_2
from tests.kinds.collective.test_chunks import DGX_1, on
from tests.solved import Solved, solve

RING = "a>b 1, b>c 1, c>a 1"
UNEVEN = "a>b 1/1000003, b>a 1/1000003, b>c 1/999983, c>b 1/999983, c>a 1/7, a>c 1/7"


def exported(solved: Solved, asked: Any = None, **parameters: list[str]) -> Exported:
    listed = solved.schedule.allocations
    instances = {one.index: one.instances_per_period for one in listed}
    instance = CollectiveInstance.model_validate(asked) if asked else None
    return EXPORTERS["msccl"].write(Answer(solved.result, instances, instance), parameters)


def codes(solved: Solved, **parameters: list[str]) -> list[tuple[Any, str]]:
    with pytest.raises((InstanceError, LimitError)) as caught:
        exported(solved, **parameters)
    return [(fault.pointer, fault.code) for fault in caught.value.faults]


def drawn(draw: random.Random, operation: str = "allgather") -> dict[str, Any]:
    """Draw a connected platform, switches among its processors, and an operation on it."""
    count = draw.randint(3, 6)
    names = [f"P{number}" for number in range(count)]
    switches = names[2 : 2 + draw.randint(0, count - 3)] if draw.random() < 0.6 else []
    pairs = [(draw.randrange(number), number) for number in range(1, count)]
    pairs += [pair for pair in ((0, count - 1), (1, count - 1)) if pair not in pairs]
    platform = {
        "processors": [{"id": n} | ({"switch": True} if n in switches else {}) for n in names],
        "links": [
            {"source": names[a], "target": names[b], "unit_time": f"{draw.randint(1, 5)}/2"}
            for a, b in pairs
        ],
    }
    problem: dict[str, Any] = {
        "kind": "collective",
        "platform": platform,
        "operation": operation,
        "ports": draw.choice(["one_port", "multiport"]),
    }
    able = [name for name in names if name not in switches]
    draw.shuffle(able)
    named: dict[str, dict[str, Any]] = {
        "scatter": {"source": able[0], "targets": able[1:]},
        "gather": {"target": able[0], "sources": able[1:]},
        "all_to_all": {"participants": able},
        "broadcast": {"source": able[0]},
        "reduce": {"target": able[0], "sources": able},
    }
    problem |= named.get(operation, {})
    if draw.random() < 0.4 and len(able) > 2 and operation in TO_MANY:
        problem |= {"participants": able[1:]}
        if operation != "all_to_all":
            problem |= {"copying": "participants"}
    return {"problem": problem}


TO_MANY = ("allgather", "reduce_scatter", "allreduce", "all_to_all")
OTHERS = (*TO_MANY[1:], "broadcast", "reduce", "scatter", "gather")


@pytest.mark.parametrize("operation", OTHERS)
def test_any_operation_that_is_solved_does_what_it_says(operation: str) -> None:
    draw = random.Random(23)
    dialect = "executor" if operation in ("scatter", "gather") else "msccl"
    for _ in range(draws(4, 200)):
        asked = drawn(draw, operation)
        solved = solve(asked)
        parameters = {
            "dialect": [dialect],
            "split": [draw.choice(["arc", "depth"])],
            "instances": [draw.choice(["1", "2"])],
        }
        if operation != "all_to_all":
            parameters["inplace"] = [draw.choice(["true", "false"])]
        if asked["problem"]["ports"] == "multiport":
            parameters["order"] = ["start"]
        written = exported(solved, asked["problem"], **parameters)
        algorithm = check(written.text, dialect)
        assert algorithm.name == f"steadygrid_{operation}"
        root = {"scatter", "gather", "broadcast", "reduce"} & {operation}
        assert any("rank 0 is the root" in note for note in written.notes) == bool(root)


@pytest.mark.usefixtures("few_programs")
@pytest.mark.parametrize("operation", ["allgather", *OTHERS])
def test_no_program_runs_faster_than_the_optimum(operation: Any) -> None:
    draw = random.Random(41)
    compared = 0
    for _ in range(draws(3, 100)):
        asked = drawn(draw, operation)
        asked["problem"]["ports"] = "multiport"
        solved = solve(asked)
        platform = CollectiveInstance.model_validate(asked["problem"]).platform
        numbers = platform.index_by_id
        messages = {message.message: message for message in solved.result.messages}
        taking_part = {name for m in messages.values() for name in (*m.sources, *m.receivers)}
        taking_part |= {m.origin for m in messages.values() if m.origin is not None}
        ranks = {name: rank for rank, name in enumerate(sorted(taking_part))}
        unit = lcm(*(one.rate.denominator for one in solved.result.allocations))
        trees = [
            tree_of(one, messages[one.message], operation, int(one.rate * unit), numbers, ranks)
            for one in solved.result.allocations
        ]
        whole = solved.result.objective.value * unit
        if whole > 2**12:
            continue
        compared += 1
        program = arrange(trees, draw.choice(["arc", "depth"]), grain=int(whole))
        for loops in (1, 4):
            pace = Settings(1 / (whole * loops), loops)
            time = simulate(program, network_of(platform), pace).time
            assert time >= 1 / solved.result.bound.value
    assert compared > 0


def test_an_order_by_start_needs_the_instance_and_a_prediction() -> None:
    problem = body(RING, "allgather", ports="multiport")
    solved = solve(problem)
    assert codes(solved, order=["start"]) == [(("order",), "missing_instance")]
    assert check(exported(solved, problem["problem"], order=["start"]).text).ngpus == 3
    single = body(RING, "allgather")
    with pytest.raises(InstanceError, match="under one_port no run is predicted"):
        exported(solve(single), single["problem"], order=["start"])


def test_the_root_has_rank_0() -> None:
    solved = solve(body("a>b 1, b>c 1, c>a 1", "broadcast", source="b"))
    assert "'b'" in exported(solved).notes[1]
    assert codes(solved, rank=["a", "b", "c"]) == [(("rank",), "root_is_not_first")]
    assert check(exported(solved, rank=["b", "c", "a"]).text).coll == "broadcast"


def test_what_the_format_cannot_say_is_refused() -> None:
    place: tuple[str, ...] = ()
    scatter = solve(body(RING, "scatter", source="a", targets=["b", "c"]))
    with pytest.raises(InstanceError, match="the dialect executor can say it"):
        exported(scatter)
    assert check(exported(scatter, dialect=["executor"]).text, "executor").coll == "scatter"
    multicast = solve(body(RING, "multicast", source="a", targets=["b"]))
    with pytest.raises(
        InstanceError, match=r"has no multicast\. What can be exported is: allgather"
    ):
        exported(multicast)
    times = {"times": {"a": 1, "b": 1}}
    combining = solve(body(RING, "reduce", target="a", sources=["a", "b", "c"], combine=times))
    assert codes(combining) == [(place, "not_in_format")]
    without = solve(body(RING, "reduce", target="a", sources=["b", "c"]))
    assert codes(without) == [(place, "root_without_data")]
    different = solve(body(RING, "all_to_all", participants=["a", "b", "c"]))
    assert codes(different, inplace=["true"]) == [(("inplace",), "not_in_format")]


def test_whatever_is_solved_runs_and_gathers_everything() -> None:
    draw = random.Random(11)
    for _ in range(draws(4, 600)):
        solved = solve(drawn(draw))
        inplace = draw.choice(["true", "false"])
        algorithm = check(exported(solved, inplace=[inplace]).text)
        assert algorithm.ngpus == len(solved.result.messages)
        assert algorithm.inplace == (inplace == "true")
        if not solved.schedule.bounded:
            again = EXPORTERS["msccl"].write(Answer(solved.result), {"inplace": [inplace]})
            assert again.text == exported(solved, inplace=[inplace]).text


def test_chunks_are_the_instances_of_the_smallest_period() -> None:
    solved = solve(body("a>b 1/2, b>a 1/3, a>c 1, c>b 1, b>c 1", "allgather", ports="multiport"))
    rates = [allocation.rate for allocation in solved.result.allocations]
    unit = max(
        Fraction(1, denominator)
        for denominator in range(1, 100)
        if all((rate * denominator).denominator == 1 for rate in rates)
    )
    schedule = exported(solved, trees=["schedule"])
    algorithm = check(schedule.text)
    own = algorithm.nchunksperloop // algorithm.ngpus
    whole = solved.result.objective.value / unit
    assert whole % own == 0
    assert schedule.notes == (f"ranks: 3, chunks of each: {own}, trees: {len(rates)}",)


def test_the_order_of_ranks_is_that_of_the_problem_or_the_one_that_is_asked() -> None:
    solved = solve(body(RING, "allgather", participants=["c", "a", "b"]))
    assert exported(solved) == exported(solved, rank=["c", "a", "b"])
    assert {(gpu.id, block.send) for gpu in check(exported(solved).text).children
            for block in gpu.children if block.send >= 0} == {(0, 1), (1, 2), (2, 0)}  # fmt: skip
    turned = check(exported(solved, rank=["b", "a", "c"]).text)
    assert {(gpu.id, block.send) for gpu in turned.children for block in gpu.children
            if block.send >= 0} == {(0, 2), (2, 1), (1, 0)}  # fmt: skip


def test_wrong_orders_are_refused() -> None:
    solved = solve(body(RING, "allgather"))
    rank = ("rank",)
    assert codes(solved, rank=["a", "b"]) == [(rank, "missing_participant")]
    assert codes(solved, rank=["a", "b", "b", "d"]) == [
        (rank, "duplicate_participant"),
        (rank, "not_a_participant"),
    ]
    assert codes(solved, rnk=["a"]) == [(("rnk",), "unknown_parameter")]
    assert codes(solved, name=["x", "y"]) == [(("name",), "given_twice")]


def test_rates_that_need_too_many_chunks_are_bounded_by_a_period() -> None:
    problem = body(UNEVEN, "allgather", ports="multiport")
    with pytest.raises(LimitError, match="max_period"):
        EXPORTERS["msccl"].write(Answer(solve(problem).result))
    bounded = solve(problem, max_period="1/1000")
    counts = [one.instances_per_period for one in bounded.schedule.allocations]
    assert 0 in counts
    algorithm = check(exported(bounded).text)
    assert algorithm.nchunksperloop == len([count for count in counts if count])


def test_only_allgathers_of_one_size_that_were_found_can_be_written() -> None:
    place: tuple[str, ...] = ()
    sizes = {"a": 1, "b": 2}
    assert codes(solve(body(RING, "allgather", sizes=sizes))) == [(place, "unequal_sizes")]
    assert codes(solve(figure_2())) == [(place, "not_in_format")]
    nothing = solve(body("a>b 1, b>c 1", "allgather")).result
    with pytest.raises(InstanceError, match="the outcome is infeasible"):
        EXPORTERS["msccl"].write(Answer(nothing))


def test_a_processor_without_a_rank_may_forward_but_not_copy() -> None:
    star = "a>h 1, b>h 1, c>h 1, h>a 1, h>b 1, h>c 1"
    alike: dict[str, Any] = {"participants": ["a", "b", "c"], "ports": "multiport"}
    assert check(exported(solve(body(star, "allgather", copying="participants", **alike))).text)
    copied = solve(body(star, "allgather", switches="h", copying="all", **alike))
    assert codes(copied, trees=["schedule"]) == [((), "copies_outside_ranks")]
    assert check(exported(copied).text)  # in its program ranks alone copy


def test_trees_are_those_of_the_program_or_of_the_schedule() -> None:
    solved = solve(body("a>b 1/2, b>a 1/3, a>c 1, c>b 1, b>c 1", "allgather", ports="multiport"))
    told = solved.result.execution
    usual = exported(solved)
    assert usual.text == exported(solved, trees=["program"]).text
    assert usual.notes[1].startswith("predicted for 1 GB: algbw ")
    assert usual.notes[-1] == "the schedule is not read: trees=schedule takes its trees"
    small = exported(solved, bytes=["500"])
    assert small.notes[1].startswith("predicted for 1 kB: algbw ")
    assert exported(solved, bytes=[f"{2 * 10**9}"]).notes == usual.notes
    assert len(told.predicted) == 5
    assert codes(solved, trees=["both"]) == [(("trees",), "unknown_trees")]
    assert codes(solved, bytes=["0"]) == [(("bytes",), "invalid_size")]


def test_a_program_that_is_not_predicted_is_refused() -> None:
    solved = solve(body(RING, "allgather"))
    assert codes(solved, trees=["program"]) == [(("trees",), "no_program")]
    assert codes(solved, bytes=["1000"]) == [(("bytes",), "no_program")]
    assert check(exported(solved, trees=["schedule"]).text)


def test_an_order_by_start_needs_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few numbers of chunks, a program by start is the fastest."""
    few = efforts.USUAL._replace(numbers=3, enough=Fraction(97, 100))
    monkeypatch.setattr(efforts, "USUAL", few)
    asked = on(DGX_1, 8, "allgather")
    solved = solve(asked)
    assert solved.result.execution.programs[0].order == "start"
    assert codes(solved) == [(("order",), "missing_instance")]
    by_depth = exported(solved, order=["depth"])
    assert any("none is predicted for it" in note for note in by_depth.notes)
    assert check(by_depth.text)
    by_plan = exported(solved, asked["problem"])
    assert any(note.startswith("predicted for 1 GB") for note in by_plan.notes)
    assert check(by_plan.text) != check(by_depth.text)


def ring_document() -> dict[str, Any]:
    document: dict[str, Any] = solve(body(RING, "allgather")).result.model_dump(mode="json")
    return document


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("allocations/0/root", "x", "not_a_tree"),
        ("allocations/0/root", "b", "not_a_tree"),
        ("allocations/0/transfers/0/path", [], "not_a_tree"),
        ("allocations/0/transfers/0/path", ["b", "a"], "not_a_tree"),
        ("allocations/0/transfers", [], "not_a_tree"),
        ("allocations/0/rate", "1/7", "unequal_rates"),
        ("allocations/0/message", "b", "not_a_tree"),
        ("allocations/0/index", 9, None),
        ("messages", [], "nothing_to_export"),
    ],
)
def test_results_that_no_referee_has_seen_are_refused_not_written(
    path: str, value: Any, code: str | None
) -> None:
    document: Any = ring_document()
    *steps, last = path.split("/")
    part = document
    for step in steps:
        part = part[int(step)] if step.isdigit() else part[step]
    part[last] = value
    result = CollectiveResult.model_validate(json.loads(json.dumps(document)))
    if code is None:
        assert EXPORTERS["msccl"].write(Answer(result))
        instances = {index: Fraction(1) for index in range(3)}
        with pytest.raises(InstanceError, match="not that of this result"):
            EXPORTERS["msccl"].write(Answer(result, instances))
        return
    with pytest.raises(InstanceError) as caught:
        EXPORTERS["msccl"].write(Answer(result))
    assert [fault.code for fault in caught.value.faults] == [code]


def given(name: str) -> Any:
    path = shared_data("collectives") / f"allgather_{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.timeout(600)
def test_boxes_of_graphics_processors_run_near_the_bound() -> None:
    body = given("a100_4")
    solved = solve(body)
    algorithm = check(exported(solved, body["problem"]).text)
    assert algorithm.ngpus == len(solved.result.messages)
    rows = solved.result.execution.predicted
    assert rows[-1].of_bound > Fraction(3, 4), "a busy machine searches less"
    assert check(exported(solved, trees=["schedule"]).text).nchannels == 1


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("few_programs")
def test_boxes_of_different_links_gather_everything() -> None:
    body = given("mi250_2")
    solved = solve(body)
    algorithm = check(exported(solved, body["problem"]).text)
    assert algorithm.ngpus == len(solved.result.messages)
