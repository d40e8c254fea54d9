"""What is refused and warned of where memory and intervals are asked for, and what people are told."""

import copy
from random import Random
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS, SOLVES
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.submissions.submission import Submission, parse_submission, size_submission
from tests.kinds.mono_allocation.drawn_limits import pipeline
from tests.tree import ROOT


def chain(**fields: Any) -> dict[str, Any]:
    """Three tasks in a chain, two processors with memory, and a switch between."""
    return {
        "kind": "mono_allocation",
        "contiguous": True,
        "platform": {
            "processors": [
                {"id": "P", "speed": 1, "memory": 5},
                {"id": "Q", "speed": 1, "memory": 3},
                {"id": "S", "switch": True},
            ],
            "links": [{"source": name, "target": "S", "bandwidth": 1} for name in "PQ"],
        },
        "application": {
            "tasks": [{"id": name, "work": 1, "memory": 2} for name in "abc"],
            "files": [
                {"source": "a", "target": "b", "size": 1},
                {"source": "b", "target": "c", "size": 1},
            ],
        },
    } | fields


def submitted(problem: dict[str, Any]) -> Submission:
    return parse_submission({"problem": problem}, Limits())


def faults(problem: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(InstanceError) as refusal:
        submitted(problem)
    return [(format_pointer(f.pointer), f.code, f.detail) for f in refusal.value.faults]


def answered(submission: Submission) -> tuple[Any, Any]:
    """Answer as a worker does; the referee judges."""
    result, schedule = run(submission, Control(20), Limits())
    return result, schedule


def warnings(problem: dict[str, Any]) -> list[str]:
    return list(size_submission(submitted(problem), Limits()).warnings)


def test_a_chain_within_memory_has_no_fault_and_no_warning() -> None:
    assert warnings(chain()) == []


def files(*pairs: str) -> list[dict[str, Any]]:
    return [{"source": pair[0], "target": pair[1], "size": 1} for pair in pairs]


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        (("ab", "ac"), "'a' has files to 'b' and 'c'"),
        (("ac", "bc"), "'c' has files from 'a' and 'b'"),
        (("ab",), "nothing comes to 'a', and nothing to 'c'"),
        (("ab", "bc", "ac"), "'a' has files to 'b' and 'c'"),
    ],
)
def test_intervals_of_what_is_no_chain_are_refused(pairs: tuple[str, ...], why: str) -> None:
    asked = chain()
    asked["application"]["files"] = files(*pairs)
    assert faults(asked) == [
        (
            "#/problem/contiguous",
            "not_a_chain",
            "contiguous asks for a chain of tasks, each but the last with one file to the next."
            f" Here {why}. Leave contiguous out, or join tasks into one",
        )
    ]
    submitted(asked | {"contiguous": False})


def test_one_task_is_a_chain() -> None:
    asked = chain()
    asked["application"] = {"tasks": [{"id": "a", "work": 1}]}
    submitted(asked)


def test_intervals_and_copies_exclude_each_other() -> None:
    assert faults(chain(duplication="tasks")) == [
        (
            "#/problem/duplication",
            "contiguous_with_duplication",
            "contiguous gives each task one processor, and each processor one interval of the"
            ' chain: ask for "duplication": "none", or leave contiguous out',
        )
    ]


@pytest.mark.parametrize(
    ("method", "contiguous", "word"),
    [
        ("heft", True, "contiguous"),
        ("data_parallel", True, "contiguous"),
        ("heft", False, "memory"),
    ],
)
def test_references_that_know_no_limits_are_refused(
    method: str, contiguous: bool, word: str
) -> None:
    assert faults(chain(method=method, contiguous=contiguous)) == [
        (
            "#/problem/method",
            "method_not_applicable",
            f"{method} places every instance anew and knows nothing of {word}: ask for another"
            f" method, or leave {word} out",
        )
    ]


def test_data_parallel_keeps_to_memory() -> None:
    assert warnings(chain(method="data_parallel", contiguous=False)) == []


def test_tasks_that_no_memory_holds_are_refused() -> None:
    asked = chain()
    asked["application"]["tasks"][1]["memory"] = 6
    asked["application"]["tasks"][2] |= {"memory": 4, "allowed": ["Q"]}
    found = faults(asked)
    assert [fault[:2] for fault in found] == [
        ("#/problem/application/tasks/1/memory", "too_little_memory"),
        ("#/problem/application/tasks/2/memory", "too_little_memory"),
    ]
    assert found[1][2] == (
        "task 'c' needs memory 4, and of the processors that can run it 'Q' has the most, 3. Give"
        " one more memory, allow the task on a larger one, or split it"
    )


def test_tasks_that_need_more_than_there_is_together_are_refused() -> None:
    asked = chain()
    asked["application"]["tasks"][0]["memory"] = "9/2"
    assert faults(asked) == [
        (
            "#/problem/application/tasks",
            "too_little_memory",
            "all tasks need memory 17/2 together, and the processors that can run them have 8: add"
            " processors or memory",
        )
    ]
    del asked["platform"]["processors"][1]["memory"]
    submitted(asked)


def test_memory_that_limits_nothing_is_warned_of() -> None:
    asked = chain()
    for task in asked["application"]["tasks"]:
        del task["memory"]
    assert warnings(asked) == ["memory of processors is not used: no task needs any"]
    asked = chain(method="heft", contiguous=False)
    for processor in asked["platform"]["processors"]:
        processor.pop("memory", None)
    assert warnings(asked) == ["memory of tasks is not used: no processor has a limit"]
    asked = chain()
    asked["platform"]["processors"][2]["memory"] = 1
    assert warnings(asked) == ["memory of 'S' is not used: it runs no task"]


ON_PLATFORMS = [kind for kind, one in PROBLEMS.items() if "platform" in one.example["problem"]]


@pytest.mark.parametrize("kind", [kind for kind in ON_PLATFORMS if kind != "mono_allocation"])
def test_other_kinds_say_that_memory_is_not_used(kind: str) -> None:
    example = copy.deepcopy(dict(PROBLEMS[kind].example))
    before = parse_submission(example, Limits())
    for processor in example["problem"]["platform"]["processors"]:
        processor["memory"] = 1
    after = parse_submission(example, Limits())
    told = "memory of processors is not used: only mono_allocation places tasks within it"
    assert told in size_submission(after, Limits()).warnings
    assert told not in size_submission(before, Limits()).warnings
    assert before.requires < after.requires


def test_task_graphs_say_that_memory_of_tasks_is_not_used() -> None:
    example = copy.deepcopy(dict(PROBLEMS["task_graph"].example))
    example["problem"]["application"]["tasks"][0]["memory"] = 1
    asked = parse_submission(example, Limits())
    told = "memory of tasks is not used: only mono_allocation places tasks within memory"
    assert told in size_submission(asked, Limits()).warnings
    assert asked.requires == 6


def test_older_workers_leave_memory_and_intervals_to_newer_ones() -> None:
    plain = copy.deepcopy(dict(PROBLEM.example["problem"]))
    assert submitted(plain).requires == 0
    assert "contiguous" not in submitted(plain | {"contiguous": False}).document()["problem"]
    asked = chain()
    assert submitted(asked).requires == 6 <= SOLVES
    for part in (*asked["platform"]["processors"], *asked["application"]["tasks"]):
        part.pop("memory", None)
    assert submitted(asked).requires == 6
    assert submitted(asked | {"contiguous": False}).requires == 0
    assert submitted(asked).document()["problem"]["contiguous"] is True


def zero(memory: int, contiguous: bool = False) -> dict[str, Any]:
    """Two tasks that take no time on P, which may not have room for both."""
    asked = chain(contiguous=contiguous)
    asked["platform"]["processors"][0]["memory"] = memory
    asked["application"] = {
        "tasks": [{"id": name, "times": {"P": 0, "Q": 1}, "memory": 2} for name in "ab"],
        "files": [{"source": "a", "target": "b", "size": 1}],
    }
    return asked


@pytest.mark.parametrize("contiguous", [True, False])
def test_only_what_fits_is_done_in_no_time(contiguous: bool) -> None:
    assert [code for _, code, _ in faults(zero(4, contiguous))] == ["unbounded_throughput"]
    result, _ = answered(submitted(zero(3, contiguous)))
    assert result.period == 1


def test_the_example_is_as_the_documentation_says() -> None:
    """Twelve layers on four GPUs: 1/70 at best, 1/75 in intervals, 1/80 within memory as well."""
    text = (ROOT / "examples" / "pipeline-twelve-layers.json").read_text(encoding="utf-8")
    periods = {}
    for memory in (True, False):
        for contiguous in (True, False):
            body: Any = parse_json(text)
            body["problem"]["contiguous"] = contiguous
            for processor in body["problem"]["platform"]["processors"]:
                if not memory:
                    processor.pop("memory", None)
            submission = parse_submission(body, Limits())
            result, _ = answered(submission)
            assert result.bound.exact
            periods[memory, contiguous] = result.period
    assert periods == {(True, True): 80, (True, False): 70, (False, True): 75, (False, False): 70}


def test_people_are_told_what_fills_the_memory_and_why_nothing_is_shorter() -> None:
    submission = submitted({"kind": "mono_allocation", **pipeline(Random(4), 6, 3)})
    result, schedule = answered(submission)
    view = PROBLEM.view(submission.instance, submission.options, result, schedule)
    (memory,) = view.sections
    assert memory.title == "Memory"
    assert memory.table is not None
    rows: Any = memory.table.rows
    assert sum(row[1] for row in rows) == sum(submission.instance.needs)
    assert all(row[1] <= row[2] and row[3] == row[1] / row[2] for row in rows)
    assert view.proof is not None
    assert "however the chain is cut into intervals" in "".join(map(str, view.proof.text))
