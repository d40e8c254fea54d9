"""What a task_graph instance may be refused for, what it costs, and what it warns of."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.kinds.shared.elimination import MOST_NEIGHBOURS, eliminate
from steadygrid.kinds.task_graph import PROBLEM
from steadygrid.submissions.submission import Submission, parse_submission, size_submission


def body(**problem: Any) -> dict[str, Any]:
    """Give the example (the fork-join of figure 9) with some members replaced."""
    example = copy.deepcopy(dict(PROBLEM.example["problem"]))
    return {"problem": example | problem}


def parse(document: Mapping[str, Any], limits: Limits | None = None) -> Submission:
    return parse_submission(document, limits or Limits())


def faults(document: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    try:
        parse(document)
    except InstanceError as error:
        return [(format_pointer(f.pointer), f.code, f.detail) for f in error.faults]
    return []


def pair(one: dict[str, Any], other: dict[str, Any], size: Any = 1) -> dict[str, Any]:
    return {
        "tasks": [{"id": "a"} | one, {"id": "b"} | other],
        "files": [{"source": "a", "target": "b", "size": size}],
    }


TWO = {
    "processors": [{"id": "P", "speed": 2}, {"id": "Q"}, {"id": "S", "switch": True}],
    "links": [{"source": "P", "target": "S", "unit_time": 1}],
}


def test_the_example_is_the_oracle_and_has_no_fault():
    assert not faults(body())
    assert size_submission(parse(body()), Limits()).method == "column_generation"


def test_times_follow_speed_times_and_allowed():
    application = {
        "tasks": [
            {"id": "a", "work": 3},
            {"id": "b", "times": {"P": "1/3", "Q": 2}, "allowed": ["Q"]},
            {"id": "c", "work": 3, "allowed": ["P", "Q"]},
        ]
    }
    instance = parse(body(platform=TWO, application=application)).instance
    assert [[None if t is None else str(t) for t in row] for row in instance.times] == [
        ["3/2", None, None],
        [None, "2", None],
        ["3/2", None, None],
    ]
    assert instance.files == ()
    assert instance.file_sizes == {}


@pytest.mark.parametrize(
    ("application", "pointer", "code", "phrase"),
    [
        (pair({"times": {"X": 1}}, {"work": 1}), "0/times/X", "unknown_processor", "'X'"),
        (pair({"times": {"S": 1}}, {"work": 1}), "0/times/S", "switch_computes", "only forwards"),
        (
            pair({"work": 1}, {"work": 1, "allowed": ["P", "X"]}),
            "1/allowed/1",
            "unknown_processor",
            "'X'",
        ),
        (
            pair({"work": 1}, {"work": 1, "allowed": ["S"]}),
            "1/allowed/0",
            "switch_computes",
            "only forwards",
        ),
        (
            pair({"work": 1}, {"work": 1, "allowed": ["Q"]}),
            "1",
            "task_without_processor",
            "no processor can run task 'b'",
        ),
        (pair({"times": {}}, {"work": 1}), "0", "task_without_processor", "task 'a'"),
        (
            pair({"times": {"P": 1}, "allowed": ["Q"]}, {"work": 1}),
            "0",
            "task_without_processor",
            "task 'a'",
        ),
    ],
)
def test_every_task_needs_known_processors_that_can_run_it(application, pointer, code, phrase):
    ((at, found, detail),) = faults(body(platform=TWO, application=application))
    assert at == f"#/problem/application/tasks/{pointer}"
    assert found == code
    assert phrase in detail


def test_a_task_without_work_and_times_is_told_so():
    found = faults(body(platform=TWO, application={"tasks": [{"id": "a"}]}))
    assert [code for _, code, _ in found] == ["ambiguous_work", "task_without_processor"]


def test_a_cycle_is_named():
    application = {
        "tasks": [{"id": name, "work": 1} for name in "abc"],
        "files": [{"source": s, "target": t, "size": 1} for s, t in ("ab", "bc", "ca")],
    }
    ((at, code, detail),) = faults(body(platform=TWO, application=application))
    assert (at, code) == ("#/problem/application/files", "cycle")
    assert "a -> b -> c -> a" in detail


def test_faults_of_the_platform_are_found_too():
    platform = TWO | {"links": [{"source": "P", "target": "X", "unit_time": 1}]}
    found = faults(body(platform=platform, application={"tasks": [{"id": "a", "work": 0}]}))
    assert [code for _, code, _ in found] == ["unknown_processor"]


def test_media_need_multiport():
    platform = {
        "processors": [{"id": "P", "speed": 1}, {"id": "Q"}],
        "links": [{"source": "P", "target": "Q", "unit_time": 1, "media": ["M"]}],
        "media": [{"id": "M", "bandwidth": 1}],
    }
    application = {"tasks": [{"id": "a", "work": 1}]}
    ((at, code, _),) = faults(body(platform=platform, application=application))
    assert (at, code) == ("#/problem/platform/links/0/media", "media_need_multiport")
    assert not faults(body(platform=platform, application=application, ports="multiport"))


def test_constraint_lists_choose_their_paths_themselves():
    ((at, code, _),) = faults(body(method="constraint_lists", routing="fixed"))
    assert (at, code) == ("#/problem/method", "method_not_applicable")
    assert not faults(body(method="auto", routing="fixed"))


FREE = [
    ("no work", pair({"work": 0}, {"work": 0})),
    ("times of 0", pair({"times": {"P": 0, "Q": 1}}, {"times": {"P": 0}})),
    ("files of size 0", pair({"times": {"P": 0}}, {"times": {"Q": 0}}, 0)),
    ("allowed", pair({"work": 0, "allowed": ["P"]}, {"times": {"P": 0}, "allowed": ["P"]})),
]
BOUNDED = [
    ("work", pair({"work": 1}, {"work": 0})),
    ("times", pair({"times": {"P": 0}}, {"times": {"P": 1}})),
    ("a file that must travel", pair({"times": {"P": 0}}, {"times": {"Q": 0}})),
    ("no way", pair({"times": {"Q": 0}}, {"times": {"R": 0}}, 0)),
]


@pytest.mark.parametrize(
    ("application", "free"),
    [(a, True) for _, a in FREE] + [(a, False) for _, a in BOUNDED],
    ids=[name for name, _ in FREE + BOUNDED],
)
def test_what_needs_nothing_at_all_has_no_bound(application, free):
    platform = {
        "processors": [{"id": "P", "speed": 1}, {"id": "Q"}, {"id": "R"}],
        "links": [{"source": "P", "target": "Q", "unit_time": 1}],
    }
    found = faults(body(platform=platform, application=application))
    assert [(at, code) for at, code, _ in found] == [
        ("#/problem/application", "unbounded_throughput")
    ] * free


def chain(number: int, **task: Any) -> dict[str, Any]:
    ids = [f"T{i}" for i in range(number)]
    return {
        "tasks": [{"id": name, "work": 1} | task for name in ids],
        "files": [
            {"source": a, "target": b, "size": 1}
            for i, a in enumerate(ids)
            for b in ids[i + 1 : i + 3]
        ],
    }


def full(number: int) -> dict[str, Any]:
    return {
        "processors": [{"id": f"P{i}", "speed": 1} for i in range(number)],
        "links": [
            {"source": f"P{i}", "target": f"P{j}", "unit_time": 1}
            for i in range(number)
            for j in range(i)
        ],
    }


def test_sizes_are_known_before_anything_is_built():
    sizing = size_submission(parse(body(platform=full(4), application=chain(6))), Limits())
    assert sizing.method == "column_generation"
    assert {name: sizing.sizes[name] for name in (
        "tasks", "files", "processors", "links", "resources", "width", "labelling_entries",
    )} == {
        "tasks": 6, "files": 9, "processors": 4, "links": 6, "resources": 12, "width": 2,
        "labelling_entries": 4 * 4**2 + 4 + 1,
    }  # fmt: skip
    assert not sizing.warnings


def test_tasks_with_one_place_make_nothing_wider():
    application = chain(6)
    application["tasks"][2]["allowed"] = ["P0"]
    application["tasks"][3]["allowed"] = ["P1"]
    sizing = size_submission(parse(body(platform=full(4), application=application)), Limits())
    assert (sizing.sizes["width"], sizing.sizes["labelling_entries"]) == (1, 2 * (4 + 1) + 2)


def test_what_is_too_large_is_refused_with_what_to_ask_instead():
    document = body(platform=full(9), application=chain(40), method="constraint_lists")
    with pytest.raises(LimitError) as caught:
        size_submission(parse(document), Limits(max_coefficients=10_000))
    (fault,) = caught.value.faults
    assert (fault.pointer, fault.code) == (("problem",), "limit_exceeded")
    for phrase in ("coefficients", "width", '"method": "column_generation"', "10,000"):
        assert phrase in fault.detail
    document["problem"]["method"] = "auto"
    assert size_submission(parse(document), Limits()).method == "column_generation"


def clique(number: int) -> dict[str, Any]:
    ids = [f"T{i}" for i in range(number)]
    return {
        "tasks": [{"id": name, "work": 1} for name in ids],
        "files": [
            {"source": a, "target": b, "size": 1} for i, a in enumerate(ids) for b in ids[i + 1 :]
        ],
    }


@pytest.mark.parametrize(("number", "most"), [(30, None), (6, 10**6)])
def test_what_is_too_wide_is_counted_as_an_integer_program(number, most):
    submission = parse(
        body(platform=full(20), application=clique(number))
        | {"options": {"mip_gap": "1/9", "max_labelling_entries": most}}
    )
    sizing = size_submission(submission, Limits())
    assert sizing.sizes["width"] == number - 1
    assert sizing.sizes["labelling_entries"] == min(sum(20**k for k in range(number)), 10**18)
    assert not sizing.warnings
    files = number * (number - 1) // 2
    with pytest.raises(LimitError, match=f"width {number - 1}"):
        size_submission(submission, Limits(max_coefficients=3 * 20**2 * files))


def test_what_may_be_priced_by_tables_is_not_counted_as_an_integer_program():
    submission = parse(
        body(platform=full(20), application=clique(9)) | {"options": {"mip_gap": "1/9"}}
    )
    sizing = size_submission(submission, Limits(max_coefficients=3 * 20**2 * 36))
    assert sizing.sizes["labelling_entries"] > 10**10
    assert not sizing.warnings  # it may come to programs, which read mip_gap


def test_large_graphs_have_their_lists_counted_only_where_they_are_used():
    document = body(platform=full(2), application=chain(500))
    assert "dependency_depth" not in size_submission(parse(document), Limits()).sizes


def test_what_is_given_but_not_used_is_named():
    platform = {
        "processors": [{"id": "P", "speed": 1}, {"id": "Q", "bandwidth_in": 1, "latency": 1}],
        "links": [{"source": "P", "target": "Q", "unit_time": 1}],
        "media": [{"id": "M", "bandwidth": 1}],
        "routes": [{"source": "P", "target": "Q"}],
    }
    application = {
        "tasks": [
            {"id": "a", "times": {"P": 1, "Q": 1}},
            {"id": "b", "times": {"P": 1}, "allowed": ["P", "Q"]},
            {"id": "c", "times": {"P": 1}, "allowed": ["P", "Q"]},
        ]
    }
    document = body(platform=platform, application=application) | {"options": {"mip_gap": 1}}
    warnings = size_submission(parse(document), Limits()).warnings
    for phrase in (
        "latencies", "bandwidth_in and bandwidth_out are not used under one_port", "'M'",
        "routes are not used", "speeds are not used", "task 'b' is allowed on 'Q'", "mip_gap",
    ):  # fmt: skip
        assert sum(phrase in warning for warning in warnings) == 1, phrase
    assert len(warnings) == 7
    quiet = copy.deepcopy(document)
    quiet["problem"]["routing"] = "fixed"
    warnings = size_submission(parse(quiet), Limits()).warnings
    assert not any("routes" in warning for warning in warnings)


def test_bandwidths_of_switches_are_not_used():
    platform = {
        "processors": [{"id": "P", "speed": 1}, {"id": "S", "switch": True, "bandwidth_in": 1}],
        "links": [{"source": "P", "target": "S", "unit_time": 1}],
    }
    application = {"tasks": [{"id": "a", "work": 1}]}
    document = body(platform=platform, application=application, ports="multiport")
    (warning,) = size_submission(parse(document), Limits()).warnings
    assert "of switches" in warning


def test_tables_too_large_to_store_are_not_ordered():
    number = MOST_NEIGHBOURS + 6
    clique = [(a, b) for a in range(number) for b in range(a)]
    found = eliminate([2] * number + [1], [*clique, (number, 0)])
    assert sorted(found.order) == list(range(number + 1))
    assert (found.width, found.largest) == (number - 1, 10**18)


def test_the_narrower_of_two_orders_is_taken():
    rows = 6
    mesh = [(r * rows + c, r * rows + c + 1) for r in range(rows) for c in range(rows - 1)]
    mesh += [(r * rows + c, r * rows + c + rows) for r in range(rows - 1) for c in range(rows)]
    assert eliminate([3] * rows**2, mesh).width == rows
