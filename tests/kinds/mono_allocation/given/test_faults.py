"""A mapping that cannot be is refused, and the place is named."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission

Problem = dict[str, Any]
PATH = {"file": ["make", "use"], "source": "A", "target": "C", "path": ["A", "B", "C"]}


def problem(**fields: Any) -> Problem:
    """Three processors in a row, all linked; B is a router without a speed, D runs nothing else."""
    return {
        "kind": "mono_allocation",
        "platform": {
            "processors": [
                {"id": "A", "speed": 1, "memory": 4},
                {"id": "B"},
                {"id": "C", "speed": 1, "memory": 4},
                {"id": "D", "speed": 1},
            ],
            "links": [
                {"source": "A", "target": "B", "bandwidth": 1},
                {"source": "B", "target": "C", "bandwidth": 1},
                {"source": "A", "target": "C", "bandwidth": 1},
                {"source": "C", "target": "D", "bandwidth": 1},
            ],
        },
        "application": {
            "tasks": [
                {"id": "make", "work": 1, "memory": 2},
                {"id": "use", "work": 1, "memory": 3, "allowed": ["A", "C"]},
            ],
            "files": [{"source": "make", "target": "use", "size": 1}],
        },
        "routing": "multipath",
        "method": "given",
        "mapping": {"make": ["A"], "use": ["C"]},
        **copy.deepcopy(fields),
    }


def refused(asked: Problem) -> set[tuple[str, str]]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission({"problem": asked}, Limits())
    return {
        (format_pointer(fault.pointer).removeprefix("#/problem/"), fault.code)
        for fault in refusal.value.faults
    }


def requires(asked: Problem) -> int:
    submission = parse_submission({"problem": asked}, Limits())
    return submission.problem.requires(submission.instance, submission.options)


@pytest.mark.parametrize(
    ("mapping", "place", "code"),
    [
        (None, "mapping", "mapping_missing"),
        ({"make": ["A"]}, "mapping", "task_not_mapped"),
        ({"make": ["A"], "use": []}, "mapping/use", "task_not_mapped"),
        ({"make": ["A"], "use": ["C"], "used": ["C"]}, "mapping/used", "unknown_task"),
        ({"make": ["A"], "use": ["E"]}, "mapping/use/0", "unknown_processor"),
        ({"make": ["A"], "use": ["D"]}, "mapping/use/0", "task_not_allowed"),
        ({"make": ["B"], "use": ["C"]}, "mapping/make/0", "task_not_allowed"),
        ({"make": ["A", "C"], "use": ["C"]}, "mapping/make", "duplicated_task"),
        ({"make": ["A"], "use": ["A"]}, "mapping", "too_little_memory"),
    ],
)
def test_a_mapping_is_refused_where_it_is_wrong(
    mapping: dict[str, list[str]] | None, place: str, code: str
) -> None:
    assert refused(problem(mapping=mapping)) == {(place, code)}


def test_a_copy_is_named_once() -> None:
    asked = problem(mapping={"make": ["A", "D", "A"], "use": ["C"]}, duplication="tasks")
    assert refused(asked) == {("mapping/make/2", "repeated_processor")}


def test_what_lies_between_is_not_left_out_of_an_interval() -> None:
    asked = problem(contiguous=True, mapping={"make": ["A"], "mend": ["C"], "use": ["A"]})
    asked["application"]["tasks"].insert(1, {"id": "mend", "work": 1})
    asked["application"]["files"] = [
        {"source": "make", "target": "mend", "size": 1},
        {"source": "mend", "target": "use", "size": 1},
    ]
    asked["platform"]["processors"][0]["memory"] = 9
    assert refused(asked) == {("mapping/use/0", "not_contiguous")}


def test_routers_that_copy_files_are_not_evaluated() -> None:
    asked = problem(duplication="tasks_and_files")
    assert refused(asked) == {("duplication", "method_not_applicable")}


@pytest.mark.parametrize(
    ("change", "place", "code"),
    [
        ({"file": ["use", "make"]}, "0/file", "unknown_file"),
        ({"source": "D"}, "0/source", "path_start"),
        ({"target": "D"}, "0/target", "path_end"),
        ({"path": ["B", "C"]}, "0/path/0", "path_start"),
        ({"path": ["A", "B"]}, "0/path/1", "path_end"),
        ({"path": ["A", "D", "C"]}, "0/path/1", "missing_link"),
        ({"path": ["A", "X", "C"]}, "0/path/1", "unknown_processor"),
        ({"path": ["A", "C", "B", "C"]}, "0/path/3", "path_repeats"),
        ({"share": "2/3"}, "0/share", "shares_miss_one"),
    ],
)
def test_a_path_is_refused_where_it_is_wrong(change: dict[str, Any], place: str, code: str) -> None:
    assert (f"paths/{place}", code) in refused(problem(paths=[PATH | change]))


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"routing": "fixed", "paths": [PATH]}, {("paths", "paths_not_applicable")}),
        (
            {
                "routing": "free",
                "paths": [PATH | {"share": "1/2"}, PATH | {"path": ["A", "C"], "share": "1/2"}],
            },
            {("paths/1", "split_file")},
        ),
        (
            {"paths": [PATH | {"share": "1/2"}] * 2},
            {("paths/1/path", "repeated_path")},
        ),
        (
            {
                "duplication": "tasks",
                "mapping": {"make": ["A", "D"], "use": ["C"]},
                "paths": [PATH, PATH | {"source": "D", "path": ["D", "C"]}],
            },
            {("paths/1/source", "sent_again")},
        ),
        (
            {
                "duplication": "tasks",
                "mapping": {"make": ["A", "C"], "use": ["C"]},
                "platform": problem()["platform"]
                | {
                    "processors": [{"id": n, "speed": 1} for n in "AC"] + [{"id": "B"}, {"id": "D"}]
                },
                "paths": [PATH],
            },
            {("paths/0/target", "file_stays")},
        ),
    ],
)
def test_paths_that_do_not_go_together_are_refused(
    fields: Problem, places: set[tuple[str, str]]
) -> None:
    assert refused(problem(**fields)) == places


def test_what_only_given_knows_is_not_used_by_others() -> None:
    asked = problem(method="milp", paths=[PATH], bound_method="none", routing="free")
    submission = parse_submission({"problem": asked}, Limits())
    warnings = size_submission(submission, Limits()).warnings
    for name in ("mapping", "paths", "bound_method"):
        assert any(name in warning and "milp" in warning for warning in warnings)


def test_only_workers_that_read_mappings_get_them() -> None:
    without: Callable[..., Problem] = lambda **fields: {
        name: value
        for name, value in problem(**{"method": "milp", "routing": "free"} | fields).items()
        if name != "mapping"
    }
    assert requires(problem()) == 8
    assert requires(problem(method="milp")) == 8
    assert requires(without(bound_method="none")) == 8
    assert requires(without()) == 6
