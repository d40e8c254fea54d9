"""The program that is told with an answer: it runs as is predicted, and nothing simple is faster."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.formats.exporter import Answer as Exportable
from steadygrid.formats.msccl.moves import arrange
from steadygrid.formats.msccl.network import network_of
from steadygrid.formats.msccl.simulation import Settings, simulate
from steadygrid.kinds.collective.execution import ExecutionOut
from steadygrid.kinds.collective.solver import predicting
from steadygrid.kinds.collective.solver.completion_trees import Operation, first_packing
from steadygrid.submissions.exports import EXPORTERS
from tests.formats.msccl_clock import Clock
from tests.formats.msccl_machine import check
from tests.kinds.collective.test_chunks import DGX_1, on
from tests.verification.answers import Answer, answered

F = Fraction
GIGABYTE = 10**9
TWO_BOXES = [
    *((f"{box}{gpu}", f"S{box}", 12) for box in "ab" for gpu in "0123"),
    *((f"{box}{gpu}", "T", 1) for box in "ab" for gpu in "0123"),
]
"""Two boxes of four, each around a switch, and a switch between all."""
EVERY = ("allgather", "reduce_scatter", "allreduce", "broadcast", "reduce")


def boxes(operation: str, **problem: Any) -> dict[str, Any]:
    names = dict.fromkeys(name for one, other, _ in TWO_BOXES for name in (one, other))
    given = {
        "kind": "collective",
        "operation": operation,
        "ports": "multiport",
        "platform": {
            "processors": [{"id": n} | ({"switch": True} if n[0] in "ST" else {}) for n in names],
            "links": [
                {"source": one, "target": other, "bandwidth": bandwidth}
                for one, other, bandwidth in TWO_BOXES
            ],
        },
    }
    named = {"broadcast": {"source": "a0"}, "reduce": {"target": "a0"}}.get(operation, {})
    return {"problem": given | named | problem}


@cache
def of_boxes(operation: str) -> Answer:
    return answered(boxes(operation))


@pytest.mark.parametrize("operation", EVERY)
def test_the_exported_program_takes_the_time_that_is_predicted(operation: str) -> None:
    answer = of_boxes(operation)
    told = answer.result.execution
    text = EXPORTERS["msccl"].write(Exportable(answer.result, None, answer.instance)).text
    algorithm = check(text)  # it runs, with values
    row = told.predicted[-1]
    program = told.programs[row.program]
    platform, names = answer.instance.platform, answer.instance.taking_part
    rank_of = {name: rank for rank, name in enumerate(names)}
    index = platform.index_by_id
    routes: dict[tuple[int, int], tuple[int, ...]] = {}
    for tree in program.trees:
        for route in (*tree.combined, *tree.spread):
            ends = rank_of[route[0]], rank_of[route[-1]]
            numbers = tuple(index[name] for name in route)
            assert routes.setdefault(ends, numbers) == numbers
    network = network_of(platform)
    clock = Clock(
        algorithm, routes, network.uses, dict(enumerate(network.bandwidths)), network.latencies
    )
    data = sum(message.size for message in answer.instance.messages)
    piece = program.chunk / data / row.loops
    assert clock.run(piece, row.loops) == row.time


@pytest.mark.parametrize("operation", EVERY)
def test_it_is_near_the_bound_never_past_it_and_never_slower_than_shortest_routes(
    operation: str,
) -> None:
    answer = of_boxes(operation)
    told = answer.result.execution
    assert [row.bytes for row in told.predicted] == [1_000, 32_000, 1_000_000, 32_000_000, GIGABYTE]
    assert all(row.of_bound <= 1 for row in told.predicted)
    assert told.predicted[-1].of_bound >= F(9, 10)
    assert all(one.time < other.time for one, other in pairwise(told.predicted))
    shortest = arrange(
        [one.tree for one in first_packing(Operation.from_instance(answer.instance)).trees]
    )
    chunk = first_packing(Operation.from_instance(answer.instance)).chunk
    data = sum(message.size for message in answer.instance.messages)
    loops = max(1, -(-int(chunk / data * GIGABYTE) // 2_097_152))
    run = simulate(
        shortest, network_of(answer.instance.platform), Settings(chunk / data / loops, loops)
    )
    assert told.predicted[-1].time <= run.time


def test_no_program_is_sought_for_no_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a program is sought")

    value = of_boxes("allgather").result.objective
    monkeypatch.setattr(predicting, "_Search", refuse)
    answer = answered(boxes("allgather", execution={"sizes": []}))
    assert answer.result.execution is None
    assert answer.result.objective == value
    one_port = answered(boxes("allgather", execution={"sizes": []}, ports="one_port"))
    assert one_port.result.outcome == "optimal"


def test_bandwidths_are_those_of_nccl_tests() -> None:
    for operation, factor in (("allgather", F(7, 8)), ("allreduce", F(7, 4)), ("broadcast", F(1))):
        for row in of_boxes(operation).result.execution.predicted:
            assert row.algbw == F(row.bytes, GIGABYTE) / row.time
            assert row.busbw == factor * row.algbw


def test_a_rank_keeps_to_its_blocks_where_some_program_does() -> None:
    asked = boxes("allgather", execution={"blocks": 8, "sizes": [GIGABYTE]})
    told = answered(asked).result.execution
    assert [program.blocks for program in told.programs] == [8]


def test_a_ring_takes_two_blocks_of_each_rank() -> None:
    asked = boxes("allgather", execution={"blocks": 2, "sizes": [GIGABYTE]})
    (program,) = answered(asked).result.execution.programs
    assert (program.blocks, program.depth) == (2, 7)
    ends = [[route[0], route[-1]] for route in program.trees[0].spread]
    assert ends == [
        list(pair) for pair in pairwise(["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"])
    ]


def test_blocks_that_no_program_keeps_to_are_told() -> None:
    asked = boxes("allgather", execution={"blocks": 1, "sizes": [GIGABYTE]})
    result = answered(asked).result
    assert result.execution.programs[0].blocks > 1
    assert any("execution.blocks" in note for note in result.notes)


def test_whole_chunks_stay_as_many_in_the_program() -> None:
    told = answered(on(DGX_1, 8, "allgather", chunks=2)).result.execution
    for program in told.programs:
        assert sum(tree.chunks for tree in program.trees) == 2 * 8
        assert program.chunk == F(1, 2)


@pytest.mark.parametrize(
    "problem",
    [
        boxes("allgather", ports="one_port"),
        boxes("all_to_all"),
        boxes("allgather", objective="completion"),
    ],
)
def test_nothing_is_predicted_where_no_program_runs_again_and_again(
    problem: dict[str, Any],
) -> None:
    assert answered(problem).result.execution is None


def test_latencies_and_steps_make_small_operations_slow() -> None:
    asked = boxes("allgather", execution={"step_time": "1/1000", "sizes": [1_000, GIGABYTE]})
    small, large = answered(asked).result.execution.predicted
    assert small.time > F(1, 1000)
    assert small.of_bound < F(1, 100) < large.of_bound


def test_an_operation_of_too_many_pieces_has_no_times() -> None:
    asked = boxes("allgather", execution={"piece": 1, "sizes": [GIGABYTE]})
    result = answered(asked).result
    assert result.execution is None
    assert any("no time is predicted" in note for note in result.notes)


def told(**changed: Any) -> Callable[[ExecutionOut], ExecutionOut]:
    return lambda execution: execution.model_copy(update=changed)


def program(**changed: Any) -> Callable[[ExecutionOut], ExecutionOut]:
    return lambda e: e.model_copy(
        update={"programs": [e.programs[0].model_copy(update=changed), *e.programs[1:]]}
    )


def tree(**changed: Any) -> Callable[[ExecutionOut], ExecutionOut]:
    def change(execution: ExecutionOut) -> ExecutionOut:
        first, *others = execution.programs[0].trees
        return program(trees=[first.model_copy(update=changed), *others])(execution)

    return change


def row(**changed: Any) -> Callable[[ExecutionOut], ExecutionOut]:
    return lambda e: e.model_copy(
        update={"predicted": [*e.predicted[:-1], e.predicted[-1].model_copy(update=changed)]}
    )


def detour(execution: ExecutionOut) -> ExecutionOut:
    """Let the first route of a tree be the last one, too."""
    routes = execution.programs[0].trees[0].spread
    return tree(spread=[*routes[:-1], routes[0]])(execution)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (program(instances=0), "wrong_program"),
        (program(chunk=F(0)), "wrong_program"),
        (program(trees=[]), "wrong_program"),
        (tree(chunks=10**9), "wrong_program"),
        (program(chunk=F(1, 2)), "wrong_chunks"),
        (program(blocks=1), "wrong_blocks"),
        (program(depth=1), "wrong_depth"),
        (program(split="depth"), "wrong_blocks"),
        (program(instances=2), "wrong_blocks"),
        (tree(message="a9"), "unknown_message"),
        (tree(chunks=0), "unknown_message"),
        (tree(chunks=2), "wrong_chunks"),
        (tree(root="b3"), "wrong_root"),
        (tree(spread=[["a0", "b0"]]), "no_link"),
        (tree(spread=[["a0"]]), "no_link"),
        (tree(spread=[]), "not_one_tree"),
        (tree(combined=[["a1", "Sa", "a0"]]), "not_one_tree"),
        (detour, "not_one_tree"),
        (row(bytes=7), "wrong_row"),
        (row(program=9), "wrong_row"),
        (row(loops=1), "wrong_loops"),
        (row(time=F(1)), "wrong_prediction"),
        (row(algbw=F(99)), "wrong_prediction"),
        (row(busbw=F(99)), "wrong_prediction"),
        (row(of_bound=F(1)), "wrong_prediction"),
        (row(of_bound=None), "wrong_prediction"),
    ],
)
def test_the_referee_judges_programs_and_times(
    change: Callable[[ExecutionOut], ExecutionOut], code: str
) -> None:
    answer = of_boxes("allgather")
    changed = answer.result.model_copy(update={"execution": change(answer.result.execution)})
    assert code in answer._replace(result=changed).codes()


def test_a_prediction_belongs_to_a_series_under_multiport() -> None:
    execution = of_boxes("allgather").result.execution
    other = answered(boxes("allgather", ports="one_port"))
    changed = other.result.model_copy(update={"execution": execution})
    assert "no_program" in other._replace(result=changed).codes()


def test_sizes_are_told_once_and_in_order() -> None:
    answer = of_boxes("allgather")
    rows = answer.result.execution.predicted
    changed = answer.result.execution.model_copy(update={"predicted": [*rows, rows[0]]})
    result = answer.result.model_copy(update={"execution": changed})
    assert answer._replace(result=result).codes() == {"wrong_row"}


def test_a_program_of_no_size_is_no_part_of_an_answer() -> None:
    answer = of_boxes("allgather")
    told = answer.result.execution
    more = told.model_copy(update={"programs": [*told.programs, told.programs[0]]})
    changed = answer.result.model_copy(update={"execution": more})
    assert answer._replace(result=changed).codes() == {"unused_program"}


def test_bytes_are_those_of_the_units_that_the_platform_names() -> None:
    asked = boxes("allgather")
    in_gigabytes = answered(asked).result.execution.predicted
    for link in asked["problem"]["platform"]["links"]:
        link["bandwidth"] *= 1000
    asked["problem"]["platform"]["units"] = {"data": "MB", "time": "s"}
    asked["problem"]["size"] = 1000
    in_megabytes = answered(asked).result.execution.predicted
    assert [row.time for row in in_megabytes] == [row.time for row in in_gigabytes]
    assert [row.algbw for row in in_megabytes] == [1000 * row.algbw for row in in_gigabytes]


def test_what_more_blocks_would_bring_is_told() -> None:
    asked = boxes("allgather", execution={"blocks": 3, "sizes": [GIGABYTE]})
    result = answered(asked).result
    assert result.execution.programs[0].blocks <= 3
    assert any("blocks of each rank a program runs" in note for note in result.notes)


def test_links_that_differ_too_much_have_no_prediction() -> None:
    problem = boxes("allgather")
    for link in problem["problem"]["platform"]["links"]:
        if link["source"] == "a0":
            link["bandwidth"] = "1/1000000000"
    result = answered(problem).result
    assert result.execution is None
    assert any("nothing is predicted" in note for note in result.notes)
