"""Constraint lists, the program over them, and its decomposition."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.errors import LimitError, OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine.allocations.infeasible import why_infeasible
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.kinds.task_graph.dependencies import constraint_lists
from steadygrid.kinds.task_graph.list_program import block_lists, program_size
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.constraint_lists.decomposition import Traversal, decompose
from steadygrid.kinds.task_graph.solver.constraint_lists.method import solve
from steadygrid.kinds.task_graph.solver.constraint_lists.model import build_program
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.task_graph.random_instances import SHAPES, grid, random_instance

FIGURE_12 = [(0, 1), (1, 2), (1, 5), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6)]
FIGURE_12_LISTS = {0: set(), 1: {1}, 2: {1, 2}, 3: {1, 2}, 4: {1, 2}, 5: set()}


def test_the_lists_of_figure_12_are_those_of_the_source() -> None:
    lists = constraint_lists(7, FIGURE_12)
    assert {task: lists.outgoing[task] for task in range(6)} == FIGURE_12_LISTS
    assert lists.end == set()
    assert lists.depth == 2


def test_the_blocks_of_figure_12_have_the_same_lists() -> None:
    blocks = block_lists(7, FIGURE_12)
    assert sorted(block.files for block in blocks) == [(0,), (1, 2, 3, 4, 5, 6), (7,)]
    for block in blocks:
        for task in set(block.order) - block.sinks:
            assert set(block.outgoing[task]) == FIGURE_12_LISTS[task]


def paths_from(task: int, edges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    yield (task,)
    for source, target in edges:
        if source == task:
            for rest in paths_from(target, edges):
                yield (task, *rest)


def lists_by_definition(number: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Two paths leave the task, share only their ends, and one of them uses the file."""
    makers = {source for source, _ in edges}
    edges = edges + [(task, number) for task in range(number) if task not in makers]
    found: list[set[int]] = [set() for _ in range(number)]
    for task in range(number):
        ways = [way for way in paths_from(task, edges) if len(way) > 1]
        for one in ways:
            for other in ways:
                apart = one[1] != other[1] and not set(one[1:-1]) & set(other[1:-1])
                if apart and one[-1] == other[-1]:
                    for maker in one[:-1]:
                        found[maker].add(task)
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_lists_by_post_dominators_are_those_of_the_definition(shape: str) -> None:
    for seed in range(30):
        number, edges = SHAPES[shape](Random(f"{shape} {seed}"))
        lists = constraint_lists(number, edges)
        assert lists.outgoing == lists_by_definition(number, edges)
        for task in range(number):
            assert lists.outgoing[task] <= lists.incoming[task] | {task}


@pytest.mark.parametrize("shape", ["in_tree", "out_tree"])
def test_trees_need_no_lists(shape: str) -> None:
    for seed in range(10):
        number, edges = SHAPES[shape](Random(seed))
        for block in block_lists(number, edges):
            assert not any(block.outgoing.values())
            assert block.end == ()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_size_that_limits_go_by_is_the_size_of_the_program(shape: str) -> None:
    for seed in range(8):
        instance = random_instance(shape, seed)
        size = program_size(instance)
        built = solve_certified(build_program(instance, Control()).model, Control()).statistics
        assert (built.variables, built.constraints, built.nonzeros) == size[1:]
        asked = instance.model_copy(update={"method": "constraint_lists"})
        sizes = PROBLEM.sizing(asked, Options()).sizes
        names = ("dependency_depth", "variables", "constraints", "coefficients")
        assert tuple(sizes[name] for name in names) == size


def test_speeds_and_allowed_places_are_counted_as_well() -> None:
    instance = TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": {
                "processors": [
                    {"id": "P", "speed": 1},
                    {"id": "Q", "unit_time": 2},
                    {"id": "R"},
                    {"id": "alone", "speed": 3},
                ],
                "links": [{"source": "P", "target": "Q", "unit_time": 1}],
            },
            "application": {
                "tasks": [
                    {"id": "a", "work": 0},
                    {"id": "b", "work": 2, "allowed": ["P", "R", "alone"]},
                    {"id": "c", "work": 1},
                ],
                "files": [
                    {"source": "a", "target": "b", "size": 1},
                    {"source": "a", "target": "c", "size": 0},
                    {"source": "b", "target": "c", "size": 1},
                ],
            },
        }
    )
    built = solve_certified(build_program(instance, Control()).model, Control()).statistics
    assert program_size(instance)[1:] == (built.variables, built.constraints, built.nonzeros)


def test_a_program_above_the_limit_is_refused_with_what_to_ask_instead() -> None:
    number, pairs = grid(4, 4)
    ids = [f"P{i}" for i in range(8)]
    body = {
        "problem": {
            "kind": "task_graph",
            "method": "constraint_lists",
            "platform": {
                "processors": [{"id": name, "speed": 1} for name in ids],
                "links": [
                    {"source": a, "target": b, "unit_time": 1}
                    for i, a in enumerate(ids)
                    for b in ids[:i]
                ],
            },
            "application": {
                "tasks": [{"id": f"T{k}", "work": 1} for k in range(number)],
                "files": [{"source": f"T{a}", "target": f"T{b}", "size": 1} for a, b in pairs],
            },
        }
    }
    limits = Limits()
    with pytest.raises(LimitError, match="column_generation"):
        size_submission(parse_submission(body, limits), limits)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_more_allocations_than_resources_are_used(shape: str) -> None:
    for seed in range(6):
        instance = random_instance(shape, seed)
        answer = solve(instance, Control())
        resources = build_program(instance, Control()).model.capacity
        assert len(answer.plans) <= len(resources)
        names = {str(sorted(plan.tasks.items())) + str(plan.transfers) for plan in answer.plans}
        assert len(names) == len(answer.plans)


def test_flows_that_go_round_in_circles_are_taken_out() -> None:
    """P>R>Q and P>R>S>Q carry the file; half of it goes round by R>Q>S>R besides."""
    pairs = ["S>R", "P>R", "R>Q", "Q>S", "R>S", "S>Q"]
    program = build_program(graph({"a": "P", "b": "Q"}, ["a>b"], pairs, "RS"), Control())
    rates: dict[int, dict[tuple[int, ...], Fraction]] = {
        task: {(place,): Fraction(1)} for task, place in enumerate((0, 1))
    }
    traversal = Traversal(program, program.blocks[0], rates, Control())
    flow = ["1/2", "1", "7/6", "1/2", "1/3", "1/3"]
    traversal.sent[0, ()] = {arc: Fraction(rate) for arc, rate in enumerate(flow)}
    schemes = traversal.schemes()
    assert {scheme.paths[0]: scheme.rate for scheme in schemes} == {
        (1, 2): Fraction(2, 3),
        (1, 4, 5): Fraction(1, 3),
    }


def test_without_end_two_sinks_would_disagree() -> None:
    """The lists of the source alone claim an instance per time unit where there is none."""
    instance = graph(
        {"a": "A A2", "b": "B B2", "c": "C C2", "d": "D D2"},
        ["a>c", "a>d", "b>c", "b>d"],
        ["A>C", "A2>C2", "B>C", "B2>C2", "A>D", "A2>D2", "B>D2", "B2>D"],
    )
    model = build_program(instance, Control()).model
    assert solve_certified(model, Control()).objective == 0
    model.del_component("finished")
    assert solve_certified(model, Control()).objective == 1


def test_building_and_decomposing_end_when_time_is_over() -> None:
    instance = graph({"a": "P", "b": "P", "c": "P"}, ["a>b", "a>c", "b>c"], [])
    with pytest.raises(OutOfTime):
        build_program(instance, Control(time_limit=0))
    program = build_program(instance, Control())
    solved = solve_certified(program.model, Control())
    with pytest.raises(OutOfTime):
        decompose(program, solved, Control(time_limit=0))


def graph(
    tasks: dict[str, str], files: list[str], links: list[str], routers: str = ""
) -> TaskGraphInstance:
    """Tasks by name with their processors, files and links as pairs; all times and sizes 1."""
    ids = sorted({p for able in tasks.values() for p in able.split()})
    return TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": {
                "processors": [{"id": p} for p in (*ids, *routers)],
                "links": [
                    {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
                    for a, b in (pair.split(">") for pair in links)
                ],
            },
            "application": {
                "tasks": [
                    {"id": task, "times": dict.fromkeys(able.split(), 1)}
                    for task, able in tasks.items()
                ],
                "files": [
                    {"source": a, "target": b, "size": 1}
                    for a, b in (pair.split(">") for pair in files)
                ],
            },
        }
    )


def infeasible(tasks: dict[str, str], files: list[str], links: list[str]) -> str:
    """Why nothing works."""
    instance = graph(tasks, files, links)
    answer = solve(instance, Control())
    assert answer.plans == []
    assert answer.infeasible is not None
    assert answer.infeasible == why_infeasible(instance)
    return answer.infeasible


def test_a_file_without_any_route_is_named() -> None:
    reason = infeasible({"a": "P Q", "b": "R"}, ["a>b"], ["P>Q", "R>P"])
    assert "the file from 'a' to 'b' cannot travel" in reason
    assert "('P', 'Q')" in reason
    assert "('R')" in reason


def test_a_file_that_others_leave_no_route_is_named() -> None:
    reason = infeasible(
        {"a": "P", "b": "Q R", "c": "S", "d": "T"}, ["a>b", "b>c"], ["P>Q", "R>S", "Q>T"]
    )
    assert "the file from 'b' to 'c' cannot travel" in reason
    assert "if all other files are to travel" in reason


def test_joins_that_exclude_each_other_are_named() -> None:
    reason = infeasible(
        {"a": "A D", "b": "B B2", "c": "E E2", "d": "C F"},
        ["a>b", "a>c", "b>d", "c>d"],
        ["A>B", "A>E", "D>B2", "D>E2", "B>C", "E2>C", "B2>F", "E>F"],
    )
    assert "no choice of processors lets all files of one instance travel" in reason
