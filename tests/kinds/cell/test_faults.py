"""What is refused, where, and in which words."""

from fractions import Fraction
from typing import Any

import pytest

from app.problem_kinds.service import problem_kind
from steadygrid.domain.limits import Limits
from steadygrid.kinds.cell.sizing import written
from steadygrid.kinds.cell.solver.model import build_model
from steadygrid.kinds.cell.solver.tables import Tables
from steadygrid.submissions.submission import parse_submission, size_submission, stored_parts
from tests.kinds.cell.bodies import body, both, chain, faults
from tests.solved import solve

TASKS = "problem/application/tasks"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (chain(ppes=0, spes=0), [("no_core", "problem/machine", "neither a PPE nor an SPE")]),
        (
            body({"a": {}, "b": both()}, {}),
            [("task_without_core", f"{TASKS}/0", "give time_ppe, time_spe or both")],
        ),
        (
            body({"a": {"time_spe": 1}}, {}, spes=0),
            [("task_without_core", f"{TASKS}/0", "the machine has PPEs only. Give time_ppe")],
        ),
        (
            body({"a": {"time_ppe": 1}}, {}, ppes=0),
            [("task_without_core", f"{TASKS}/0", "the machine has SPEs only. Give time_spe")],
        ),
        (
            body({"a": both()}, {"a b": 1}),
            [("unknown_task", "problem/application/files/0/target", "no task 'b'")],
        ),
        (
            body({"a": both(), "b": both()}, {"a b": 1, "b a": 1}),
            [("cycle", "problem/application/files", "a -> b -> a")],
        ),
        (
            body({"a": both()}, {}, "ppe_only", ppes=0),
            [("method_not_applicable", "problem/method", 'use "milp" or "greedy"')],
        ),
        (
            body({"a": both(0), "b": both(0)}, {"a b": 5}),
            [("unbounded_throughput", "problem/application", "give a task some time")],
        ),
        (
            body({"a": {"time_ppe": 0}, "b": {"time_spe": 0}}, {"a b": 0}),
            [("unbounded_throughput", "problem/application", "no bound")],
        ),
        (
            body(
                {f"p{i}": {"time_ppe": 1} for i in range(3)} | {"z": {"time_spe": 1}},
                {f"p{i} z": 1 for i in range(3)},
                dma_into_spe=2,
            ),
            [("too_many_calls", f"{TASKS}/3", "uses 3 files of tasks that run on PPEs only")],
        ),
        (
            body(
                {f"s{i}": {"time_spe": 1} for i in range(5)} | {"z": {"time_ppe": 1}},
                {f"s{i} z": 1 for i in range(5)},
                spes=2,
                dma_spe_to_ppe=2,
            ),
            [("too_many_calls", f"{TASKS}/5", "A PPE can fetch 2 from each of 2 SPEs per period")],
        ),
    ],
)
def test_each_fault_has_its_place_and_a_sentence(
    asked: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    found = faults(asked)
    assert [(code, pointer) for code, pointer, _ in found] == [e[:2] for e in expected]
    for (_, _, detail), (_, _, phrase) in zip(found, expected, strict=True):
        assert phrase in detail


def test_a_task_that_fits_on_no_spe_is_refused_with_the_room_it_needs() -> None:
    tasks = {f"t{i}": both() for i in range(7)} | {"t7": {"time_spe": 1, "peek": 4}}
    asked = body(tasks, {"t0 t7": 45056}, bandwidth="25e9")
    assert asked["problem"]["machine"] == {"bandwidth": "25e9"}
    assert faults(asked) == [
        (
            "no_room",
            f"{TASKS}/7",
            "task 't7' fits on no SPE: its buffers need 270,336 of 262,144 bytes, and it has no"
            " PPE time",
        )
    ]


def test_without_a_ppe_the_sentence_says_so() -> None:
    tasks = {"a": both(), "b": both(peek=9)}
    found = faults(body(tasks, {"a b": "5/3"}, ppes=0, local_store=10))
    assert [f[:2] for f in found][:2] == [("no_room", f"{TASKS}/0"), ("no_room", f"{TASKS}/1")]
    assert "its buffers need 55/3 of 10 bytes, and the machine has no PPE" in found[0][2]


def test_tasks_that_only_fit_one_by_one_are_refused_together() -> None:
    tasks = {n: {"time_spe": 1} for n in "abcd"}
    ((code, pointer, detail),) = faults(body(tasks, {"a b": 2, "c d": 2}, spes=3, local_store=5))
    assert (code, pointer) == ("no_room", TASKS)
    assert "the 4 tasks that only SPEs can run do not fit: their buffers need 16 bytes" in detail
    assert "3 local stores have 15" in detail


def test_times_with_endless_denominators_are_refused() -> None:
    tasks = {f"t{i}": both(f"1/{10**63 + 2 * i + 1}") for i in range(40)}
    ((code, pointer, detail),) = faults(body(tasks, {}))
    assert code == "too_many_digits"
    assert pointer.startswith(TASKS)
    assert "round the times" in detail


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ppes": -1}, "problem/machine/ppes"),
        ({"spes": 1.5}, "problem/machine/spes"),
        ({"spes": 10**6}, "problem/machine/spes"),
        ({"bandwidth": 0}, "problem/machine/bandwidth"),
        ({"local_store": -1}, "problem/machine/local_store"),
        ({"dma_into_spe": -1}, "problem/machine/dma_into_spe"),
        ({"cores": 3}, "problem/machine/cores"),
    ],
)
def test_a_machine_that_cannot_be_is_refused(change: dict[str, Any], pointer: str) -> None:
    assert [found[1] for found in faults(chain(**change))] == [pointer]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"peek": -1}, "peek"),
        ({"peek": 10**7}, "peek"),
        ({"read": "x"}, "read"),
        ({"time_ppe": "1/0"}, "time_ppe"),
        ({"work": 1}, "work"),
    ],
)
def test_a_task_that_cannot_be_is_refused(change: dict[str, Any], pointer: str) -> None:
    found = faults(body({"a": both() | change}, {}))
    assert [f[1] for f in found] == [f"{TASKS}/0/{pointer}"]


@pytest.mark.parametrize("name", ["platform", "application"])
def test_neither_platform_nor_application_is_given_by_id(name: str) -> None:
    asked = chain()
    asked["problem"][name] = "app_" + "0" * 32
    ((code, pointer, detail),) = faults(asked)
    assert pointer == f"problem/{name}"
    if name == "platform":
        assert code == "extra_forbidden"
    else:
        assert (code, detail) == (
            "not_storable",
            "the application of this kind cannot be stored: give the object itself",
        )


def test_what_is_given_but_not_used_is_named() -> None:
    tasks = {"a": both(peek=2), "b": both(peek=1)}
    submission = parse_submission(body(tasks, {"a b": 1}, spes=0), Limits())
    assert size_submission(submission, Limits()).warnings == (
        "the peek of task 'a' is not used: it uses no file",
        "time_spe is not used: the machine has no SPE",
    )


def test_the_size_of_the_program_is_known_before_it_is_built() -> None:
    submission = parse_submission(chain(ppes=2, spes=3), Limits())
    sizes = size_submission(submission, Limits()).sizes
    model = build_model(Tables(submission.instance), Fraction(1))
    assert sizes["variables"] >= model.nvariables() > sizes["variables"] / 2
    assert sizes["constraints"] >= model.nconstraints() > sizes["constraints"] / 2


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Fraction(270_336), "270,336"),
        (Fraction(7, 3), "7/3"),
        (Fraction(10**7 + 1, 10**7), "about 1"),
    ],
)
def test_amounts_of_data_are_written_for_people(amount: Fraction, text: str) -> None:
    assert written(amount) == text


def test_only_what_can_be_stored_may_be_an_id_in_the_schema() -> None:
    application = problem_kind("cell")["instance_schema"]["properties"]["application"]
    assert application["$ref"] == "#/$defs/CellApplication"
    assert "anyOf" in problem_kind("task_graph")["instance_schema"]["properties"]["application"]
    assert stored_parts("cell") == frozenset()
    assert stored_parts("master_worker") == {"platform"}
    assert stored_parts("no_such_kind") == frozenset()


def test_tasks_that_do_not_fit_on_one_core_together_have_a_bound() -> None:
    """Their file crosses then, which takes a time unit; each needs 2 for its buffers."""
    idle = {name: {"time_spe": 0} for name in "ab"}
    apart = body(idle, {"a b": 1}, ppes=0, spes=2, local_store=3)
    assert solve(apart).result.period == 1
    together = body(idle, {"a b": 1}, ppes=0, spes=2, local_store=4)
    assert [code for code, _, _ in faults(together)] == ["unbounded_throughput"]
