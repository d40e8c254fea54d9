"""What a workflow may be refused for, what it costs, and what it warns of."""

import copy
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from itertools import permutations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.kinds.replicated_workflow import matching
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import (
    Body,
    published_a,
    random_workflow,
    small,
    without_mapping,
    workflow,
)
from tests.solved import solve

SIZING = import_module("steadygrid.kinds.replicated_workflow.sizing")


def faults(body: Body) -> list[tuple[str, str, str]]:
    try:
        size_submission(parse_submission(body, Limits()), Limits())
    except (InstanceError, LimitError) as error:
        return [(format_pointer(f.pointer), f.code, f.detail) for f in error.faults]
    return []


def refused(body: Body) -> tuple[str, str, str]:
    (fault,) = faults(body)
    return fault


def mapped(change: Callable[[Any], Any], **problem: Any) -> Body:
    """Change the mapping of example A: S1 on P1, S2 on P2, P3, S3 on P4 to P6, S4 on P7."""
    body = published_a()
    change(body["problem"]["mapping"])
    body["problem"] |= problem
    return body


CROSSED = workflow(
    {name: {"P": 1, "Q": 1} for name in ("a1", "a2", "b1", "b2")},
    {"a1 b1": 1, "b2 a2": 1},
    {"P Q": 1, "Q P": 1},
    {"a1 a2": "P", "b1 b2": "Q"},
)
CHAIN = workflow(
    {name: {"P": 1, "Q": 1} for name in "abc"},
    {"a b": 1, "b c": 1},
    {"P Q": 1, "Q P": 1},
    {"a": "P", "b": "Q", "c": "P"},
)


@pytest.mark.parametrize(
    ("body", "pointer", "code", "detail"),
    [
        (
            mapped(lambda m: m.pop()),
            "#/problem/mapping",
            "task_not_mapped",
            "'S4' is in no stage: add it to a stage",
        ),
        (
            mapped(lambda m: m[2]["tasks"].append("S1")),
            "#/problem/mapping/2/tasks/1",
            "task_mapped_twice",
            "task 'S1' is in the stage of 'S1' already: keep it in one stage",
        ),
        (
            mapped(lambda m: m[2]["tasks"].append("S5")),
            "#/problem/mapping/2/tasks/1",
            "unknown_task",
            "there is no task 'S5'. There are 'S1', 'S2', 'S3', 'S4'",
        ),
        (
            without_mapping(published_a(), stages=[["S1", "S2"], ["S3"]]),
            "#/problem/stages",
            "task_not_mapped",
            "'S4' is in no stage: add it to a stage",
        ),
        (
            mapped(lambda m: m[3].update(processors=["P6"])),
            "#/problem/mapping/3/processors/0",
            "processor_in_two_stages",
            "'P6' serves the stage of 'S3' already, and a processor serves one stage only, so not"
            " that of 'S4', too: put the tasks S3, S4 into one stage, or name another processor",
        ),
        (
            CHAIN,
            "#/problem/mapping/2/processors/0",
            "processor_in_two_stages",
            "'P' serves the stage of 'a' already, and a processor serves one stage only, so not"
            " that of 'c', too: name another processor",
        ),
        (
            mapped(lambda m: m[1]["processors"].append("P2")),
            "#/problem/mapping/1/processors/2",
            "processor_twice",
            "'P2' is listed in this stage already: round robin visits each processor once per turn."
            " Weights are not part of this model",
        ),
        (
            CROSSED,
            "#/problem/mapping",
            "stage_cycle",
            "the stages of a1 -> b1 -> a1 wait for each other, by the files a1 -> b1, b2 -> a2:"
            " merge them into one stage",
        ),
        (
            mapped(lambda m: m[1].update(processors=["P2", "P9"])),
            "#/problem/mapping/1/processors/1",
            "unknown_processor",
            "there is no processor 'P9'. There are 'P1', 'P2', 'P3', 'P4', 'P5', 'P6' and 1 more",
        ),
        (
            mapped(lambda m: m[3].update(processors=["P1"])) | {},
            "#/problem/mapping/3/processors/0",
            "processor_in_two_stages",
            "'P1' serves the stage of 'S1' already, and a processor serves one stage only, so not"
            " that of 'S4', too: name another processor",
        ),
        (
            mapped(lambda m: (m[0].update(processors=["P7"]), m[3].update(processors=["P1"]))),
            "#/problem/mapping/0/processors/0",
            "task_not_allowed",
            "'P7' cannot run task 'S1': name a processor that can, such as 'P1'",
        ),
        (
            mapped(lambda m: None, max_replicas={"S3": 2}),
            "#/problem/mapping/2/processors",
            "too_many_copies",
            "3 processors, and max_replicas allows the stage of 'S3' 2: name fewer, or raise"
            " max_replicas",
        ),
        (
            mapped(lambda m: None, max_replicas={"S5": 2}),
            "#/problem/max_replicas/S5",
            "unknown_task",
            "there is no task 'S5'. There are 'S1', 'S2', 'S3', 'S4'",
        ),
        (
            mapped(lambda m: None, ports="multiport"),
            "#/problem/ports",
            "literal_error",
            None,
        ),
        (
            without_mapping(published_a(), method="evaluate"),
            "#/problem/method",
            "mapping_missing",
            "evaluate needs a mapping: give one, or leave out method to look for the best",
        ),
        (
            mapped(lambda m: None, method="greedy"),
            "#/problem/mapping",
            "mapping_given",
            "greedy looks for a mapping: leave it out, or ask evaluate",
        ),
        (
            mapped(lambda m: None, stages=[["S1"]]),
            "#/problem/stages",
            "mapping_given",
            "the mapping says what the stages are: leave stages out",
        ),
    ],
)
def test_a_refusal_names_the_place_and_the_remedy(
    body: Body, pointer: str, code: str, detail: str | None
) -> None:
    found = faults(body)
    first = next(fault for fault in found if fault[1] == code)
    assert first[0] == pointer
    assert detail is None or first[2] == detail


def test_a_switch_serves_no_stage() -> None:
    body = published_a()
    body["problem"]["platform"]["processors"].append({"id": "X", "switch": True})
    body["problem"]["mapping"][0]["processors"] = ["X"]
    assert refused(body)[:2] == ("#/problem/mapping/0/processors/0", "switch_computes")


def test_a_missing_link_is_named_with_the_first_data_set() -> None:
    body = published_a()
    links = body["problem"]["platform"]["links"]
    links[:] = [link for link in links if (link["source"], link["target"]) != ("P3", "P4")]
    assert refused(body) == (
        "#/problem/mapping/2/processors/0",
        "no_link",
        "P3 sends S2 -> S3 to P4 in every data set n = 3 mod 6, but there is no link P3 -> P4. Add"
        " one, or change the copies or their order. Routes and switches are not followed",
    )


def test_links_of_pairs_that_never_meet_are_not_needed() -> None:
    """Of two and four copies, even data sets meet even ones only."""
    body = workflow(
        {"a": {"A": 1, "B": 1}, "b": dict.fromkeys("CDEF", 1)},
        {"a b": 1},
        {"A C": 1, "A E": 1, "B D": 1, "B F": 1},
        {"a": "A B", "b": "C D E F"},
    )
    assert faults(body) == []


def test_media_are_no_part_of_the_model() -> None:
    body = published_a()
    platform = body["problem"]["platform"]
    platform["media"] = [{"id": "bus", "bandwidth": 1}]
    platform["links"][0]["media"] = ["bus"]
    assert refused(body)[:2] == ("#/problem/platform/media", "media_not_applicable")


def rings(*copies: int) -> Body:
    """Write stages without files, of so many processors each."""
    tasks = {f"t{k}": {f"P{k}x{j}": 1 for j in range(n)} for k, n in enumerate(copies)}
    return workflow(tasks, {}, {}, {task: " ".join(times) for task, times in tasks.items()})


def test_too_many_rows_name_the_stage_that_multiplies_them_most() -> None:
    body = rings(4, 6, 7)
    body["problem"]["max_rows"] = 50
    with pytest.raises(LimitError) as caught:
        size_submission(parse_submission(body, Limits()), Limits())
    (fault,) = caught.value.faults
    assert (format_pointer(fault.pointer), fault.code) == ("#/problem/mapping", "too_many_rows")
    assert fault.detail == (
        "the mapping repeats after 84 data sets, the least common multiple of the numbers of"
        " processors, and max_rows is 50: the 7 processors of the stage of 't2' multiply it by 7, 6"
        " would not. Name as many, or raise max_rows"
    )


def test_huge_numbers_of_rows_are_told_by_their_length() -> None:
    primes = [p for p in range(2, 90) if all(p % q for q in range(2, p))]
    (_, code, detail) = refused(rings(*primes))
    assert code == "too_many_rows"
    assert "repeats after about 10^3" in detail
    assert "the 89 processors" in detail


def test_too_many_places_are_refused_unless_they_can_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SIZING, "MOST_CYCLE_NODES", 10)
    pointer, code, detail = refused(published_a())
    assert (pointer, code) == ("#/problem/mapping", "limit_exceeded")
    assert detail.startswith("the operations have 18 places to run, and at most 10 are accepted")
    assert faults(published_a("no_overlap")) == []
    monkeypatch.setattr(SIZING, "MOST_TURN_OPERATIONS", 10)
    assert refused(published_a("no_overlap"))[1] == "limit_exceeded"


@pytest.mark.parametrize("given", [True, False])
def test_something_takes_time(given: bool) -> None:
    body = workflow({"a": {"A": 0}, "b": {"B": 0}}, {"a b": 0}, {"A B": 1}, {"a": "A", "b": "B"})
    if not given:
        body = without_mapping(body)
    assert refused(body)[:2] == ("#/problem/application", "no_throughput_limit")
    body["problem"]["application"]["files"][0]["size"] = 1
    assert faults(body) == []


@pytest.mark.parametrize(
    ("tasks", "links", "expected"),
    [
        ({"a": {"A": 0}, "b": {"B": 0}}, {}, ("infeasible", None)),
        ({"a": {"A": 0, "C": 2}, "b": {"B": 0, "D": 3}}, {"C D": 1}, ("optimal", Fraction(3))),
        ({"a": {"A": 0, "C": 2}, "b": {"B": 0, "D": 3}}, {"C B": 1}, ("optimal", Fraction(2))),
    ],
)
def test_what_takes_no_time_needs_links_too(
    tasks: dict[str, Any], links: dict[str, int], expected: tuple[str, Fraction | None]
) -> None:
    """Where there are none between those who need no time, others work, or there is no mapping."""
    body = without_mapping(workflow(tasks, {"a b": 0}, links, {"a": "A", "b": "B"}))
    result = solve(body).result
    assert (result.outcome, result.period) == expected


def test_tasks_with_work_take_time_on_processors_with_speed() -> None:
    body = workflow({"a": {"A": 1}}, {}, {}, {"a": "A"})
    body["problem"]["application"]["tasks"] = [{"id": "a", "work": 1}]
    assert refused(body)[1] == "task_without_processor"
    body["problem"]["platform"]["processors"][0]["unit_time"] = "1/3"
    assert faults(body) == []
    assert faults(without_mapping(body)) == []


@pytest.mark.parametrize("given", [True, False])
def test_long_denominators_are_refused(given: bool) -> None:
    primes = [p for p in range(2, 2000) if all(p % q for q in range(2, int(p**0.5) + 1))]
    times = {f"A{p}": f"1/{p}" for p in primes}
    body = workflow({"a": times, "b": {"B": 1}}, {}, {}, {"a": " ".join(times), "b": "B"})
    if not given:
        body = without_mapping(body)
    assert refused(body)[:2] == ("#/problem/application", "too_many_digits")


def test_stages_need_processors_of_their_own() -> None:
    body = without_mapping(workflow({name: {"P": 1, "Q": 1} for name in "abc"}, {}, {}, None))
    assert refused(body) == (
        "#/problem/application",
        "too_few_processors",
        "the 3 stages of 'a', 'b', 'c' run on 'P', 'Q' only, and a processor serves one stage: allow"
        " more processors, or put tasks into one stage",
    )
    body["problem"]["stages"] = [["a", "b"], ["c"]]
    assert faults(body) == []
    body = workflow({"a": {"P": 1}, "b": {"Q": 1}}, {}, {}, None, stages=[["a", "b"]])
    pointer, code, detail = refused(body)
    assert (pointer, code) == ("#/problem/stages/0", "stage_without_processor")
    assert detail.startswith("no processor can run all of 'a', 'b'")


def test_exact_looks_at_few_mappings_only() -> None:
    tasks = {name: {f"P{i}": 1 for i in range(12)} for name in "abc"}
    body = workflow(tasks, {}, {}, None, method="exact")
    assert refused(body)[:2] == ("#/problem/method", "method_not_applicable")
    body["problem"]["max_replicas"] = 2
    assert faults(body) == []
    tasks = {name: {f"P{i}": 1 for i in range(40)} for name in "abc"}
    body = workflow(tasks, {}, {}, None, method="exact")
    assert "more than 10^15 mappings" in refused(body)[2]


@pytest.mark.parametrize("seed", range(draws(8, 400)))
def test_stages_without_room_are_those_that_hall_counts(seed: int) -> None:
    random = Random(seed)
    number = random.randint(1, 5)
    able = [
        {p for p in range(5) if random.random() < 0.4} or {0} for _ in range(random.randint(1, 5))
    ]
    named = [{str(p) for p in places} for places in able]
    number = len(able)
    fits = any(
        all(p in places for p, places in zip(chosen, able, strict=True))
        for chosen in permutations(range(5), number)
    )
    tight = matching.without_room(named)
    assert fits is (not tight)
    if tight:
        assert len(set().union(*(named[k] for k in tight))) < len(tight)


def test_where_very_many_pairs_matter_nothing_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MOST_PAIRS", 0)
    assert matching.without_room([{"P"}, {"P"}]) == []


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_mappings_are_counted_as_they_can_be_listed(stages: int) -> None:
    """All processors can run everything: used ones in any order, cut into the stages."""

    def count(left: frozenset[int], open_: int) -> int:
        if not open_:
            return 1
        return sum(
            count(left - set(chosen), open_ - 1)
            for r in range(1, min(2, len(left)) + 1)
            for chosen in permutations(left, r)
        )

    assert matching.num_mappings([4] * stages, [2] * stages, 4) == count(
        frozenset(range(4)), stages
    )
    assert matching.num_mappings([99] * 99, [None] * 99, 99) == matching.MANY
    assert matching.num_mappings([2] * stages, [None] * stages, 2 * stages) == 4**stages


def test_sizes_are_counted_before_anything_is_built() -> None:
    sized = size_submission(parse_submission(published_a(), Limits()), Limits())
    assert sized.method == "evaluate"
    assert parse_submission(published_a(), Limits()).requires == SIZING.SINCE
    # Nodes: 1 + 2 + 3 + 1 places to compute, 2 + 6 + 3 links.
    assert sized.sizes == {"stages": 4, "processors": 7, "operations": 7, "rows": 6, "nodes": 18}
    body = without_mapping(published_a())
    sized = size_submission(parse_submission(body, Limits()), Limits())
    assert sized.method == "portfolio"
    assert {"stages", "processors", "operations", "coefficients"} == sized.sizes.keys()
    body["problem"]["method"] = "exact"
    sized = size_submission(parse_submission(body, Limits()), Limits())
    assert sized.sizes["leaves"] == 1 * 4 * 15 * 1


def warnings(body: Body) -> tuple[str, ...]:
    return size_submission(parse_submission(body, Limits()), Limits()).warnings


def test_what_is_not_used_is_named() -> None:
    assert warnings(published_a()) == ()
    body = published_a()
    body["problem"]["mapping"] = [
        {"tasks": ["S1", "S2", "S3"], "processors": ["P1"]},
        {"tasks": ["S4"], "processors": ["P7"]},
    ]
    for task in body["problem"]["application"]["tasks"]:
        task["times"]["P1"] = 1
    platform = body["problem"]["platform"]
    platform["processors"][0] |= {"bandwidth_in": 1, "cards": 2, "speed": 1}
    platform["links"].append({"source": "P1", "target": "P7", "unit_time": 1, "latency": 3})
    platform["media"] = [{"id": "bus", "bandwidth": 1}]
    platform["routes"] = [{"source": "P1", "target": "P4", "via": ["P2"]}]
    body["options"] = {"max_period": 7, "whole_files": True, "latencies": "paid"}
    body["problem"]["seed"] = 3
    assert warnings(body) == (
        "latencies are not used: a file takes the time of its link, and nothing before",
        "bandwidth_in and bandwidth_out are not used under one_port",
        "media are not used under one_port",
        "routes are not used: every file goes over the link between its two processors",
        "cards are not used: every processor is taken to have one",
        "the processors' speeds are not used: every task gives its times",
        "2 files stay inside their stages and take no time: such as S1 -> S2",
        "5 processors take no part, such as P2",
        "max_period is not used: the timetable repeats row by row, never unrolled",
        "whole_files is not used: files always move whole",
        "latencies and latency_loss and total_instances are not used: a file takes the time of its"
        " link, and nothing before",
        "seed is not used by evaluate",
    )
    one = copy.deepcopy(small())
    one["problem"]["platform"]["processors"].append({"id": "P4"})
    assert warnings(one) == ("1 processor takes no part: P4",)


@pytest.mark.parametrize("seed", range(draws(5, 300)))
def test_what_can_be_asked_is_not_refused(seed: int) -> None:
    body = random_workflow(Random(seed))
    assert faults(body) == []
    stages = [stage["tasks"] for stage in body["problem"]["mapping"]]
    open_ = faults(without_mapping(body, stages=stages, max_replicas=2))
    assert {code for _, code, _ in open_} <= {"no_throughput_limit"}


def test_long_lists_are_cut_in_sentences() -> None:
    names = [f"t{i}" for i in range(9)]
    body = workflow({name: {"P": 1} for name in names}, {}, {}, {"t0": "P"})
    assert refused(body)[2].startswith("'t1', 't2', 't3', 't4', 't5' and 3 more are in no stage")
    names = [f"{part}{i}" for i in range(20) for part in "ab"]
    body = workflow(
        {name: {"P": 1} for name in names},
        {f"b{i} a{(i + 1) % 20}": 1 for i in range(20)},
        {},
        None,
        stages=[[f"a{i}", f"b{i}"] for i in range(20)],
    )
    _, code, detail = faults(body)[0]
    assert code == "stage_cycle"
    assert "a10 -> a11 -> ... wait" in detail
