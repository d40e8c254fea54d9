"""Paid latencies: what is refused, what is in vain, and which workers know them."""

import copy
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import (
    Submission,
    parse_submission,
    restore_submission,
    size_submission,
)
from tests.solved import solve

KINDS = ("master_worker", "task_graph", "mono_allocation")
PAID = {"latencies": "paid"}


def body(kind: str, options: dict[str, Any], **platform: Any) -> dict[str, Any]:
    """Give the example of a kind, with latencies of links and processors."""
    problem = copy.deepcopy(dict(PROBLEMS[kind].example["problem"]))
    for part, latency in platform.items():
        for place, listed in enumerate(problem["platform"][part]):
            listed["latency"] = (
                latency[place % len(latency)] if isinstance(latency, list) else latency
            )
    return {"problem": problem, "options": dict(options)}


def faults(asked: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission(asked, Limits())
    return [(format_pointer(f.pointer), f.code, f.detail) for f in refusal.value.faults]


def warnings(asked: dict[str, Any]) -> list[str]:
    return [*size_submission(parse_submission(asked, Limits()), Limits()).warnings]


@pytest.mark.parametrize("kind", KINDS)
def test_a_longest_period_and_paid_latencies_disagree(kind: str) -> None:
    ((pointer, code, detail),) = faults(body(kind, PAID | {"max_period": 50}))
    assert (pointer, code) == ("#/options/max_period", "options_disagree")
    assert "leave out max_period, or ask latency_loss" in detail
    assert parse_submission(body(kind, PAID | {"max_period": "exact"}), Limits())
    assert parse_submission(body(kind, {"max_period": 50}), Limits())


@pytest.mark.parametrize("kind", KINDS[:2])
def test_no_processor_has_a_latency_where_computations_are_cut(kind: str) -> None:
    asked = body(kind, PAID, processors=[0, 1])
    assert parse_submission(asked, Limits())
    asked["problem"]["ports"] = "no_overlap"
    ((pointer, code, detail),) = faults(asked)
    assert pointer == "#/problem/platform/processors/1/latency"
    assert code == "latency_not_applicable"
    assert "add it to the times" in detail
    del asked["options"]["latencies"]
    assert parse_submission(asked, Limits())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", ["processors", "links"])
def test_latencies_without_a_common_unit_are_refused(kind: str, part: str) -> None:
    primes = [f"1/{10**60 + k}" for k in (7, 9, 13, 15, 19, 21)]
    asked = body(kind, PAID)
    listed = asked["problem"]["platform"]["processors"]
    extra = [{"id": f"X{k}"} for k in range(7)]
    listed += extra
    links = asked["problem"]["platform"]["links"]
    first = len(links)
    links += [
        {"source": f"X{k}", "target": f"X{k + 1}", "unit_time": 1} for k in range(len(primes))
    ]
    offset = len(listed) - len(extra) if part == "processors" else first
    for k, latency in enumerate(primes):
        asked["problem"]["platform"][part][offset + k]["latency"] = latency
    ((pointer, code, detail),) = faults(asked)
    place = pointer.removeprefix(f"#/problem/platform/{part}/").removesuffix("/latency")
    assert offset + 4 <= int(place) <= offset + 5
    assert code == "no_common_unit"
    assert "round them" in detail


@pytest.mark.parametrize("kind", KINDS)
def test_a_warning_says_what_of_latencies_changes_nothing(kind: str) -> None:
    assert not _vain(body(kind, PAID, links=1))
    assert not _vain(body(kind, PAID | {"latency_loss": "1/2"}, links=1))
    older = "total_instances is an older name of run.instances, which is used instead"
    assert _vain(body(kind, PAID | {"total_instances": 9}, processors=1)) == [older]
    assert not _vain(body(kind, PAID | {"run": {"instances": 9}}, processors=1))
    assert _vain(body(kind, {}, links=1)) == [
        'latencies are not used: the steady state does not depend on them; "latencies": "paid" in'
        " the options, or --latencies paid, pays them"
    ]
    assert _vain(body(kind, {"latency_loss": "1/2"})) == [
        'without "latencies": "paid", latency_loss is not used'
    ]
    both = PAID | {"latency_loss": "1/2", "run": {"instances": 9}}
    assert _vain(body(kind, both, links=1)) == ["with a run, latency_loss is not used"]
    assert _vain(body(kind, PAID)) == [
        "no link and no processor has a latency: there is nothing to pay"
    ]


def _vain(asked: dict[str, Any]) -> list[str]:
    words = ("latenc", "latency_loss", "total_instances")
    return [text for text in warnings(asked) if any(word in text for word in words)]


def test_a_comparison_says_that_it_pays_nothing() -> None:
    asked = body("mono_allocation", PAID, links=1)
    asked["problem"]["method"] = "compare"
    assert _vain(asked) == ["the comparison ignores latencies, only the schedule pays them"]
    assert not _vain(body("mono_allocation", PAID, links=1))
    asked["problem"]["platform"]["links"] = [
        link | {"latency": 0} for link in asked["problem"]["platform"]["links"]
    ]
    assert "comparison" not in str(_vain(asked))


@pytest.mark.parametrize("options", [{}, PAID])
def test_a_switch_has_nothing_to_start(options: dict[str, Any]) -> None:
    asked = body("master_worker", options)
    asked["problem"]["platform"]["processors"].append({"id": "S", "switch": True, "latency": 2})
    texts = _vain(asked)
    assert (
        "latencies of switches are not used: they run no tasks, and messages pay on links" in texts
    )
    paid = ["no link and no processor has a latency: there is nothing to pay"] if options else []
    assert [text for text in texts if "switches" not in text] == paid


@pytest.mark.parametrize("method", ["heft", "upper_bound"])
def test_methods_without_a_schedule_pay_nothing(method: str) -> None:
    asked = body("mono_allocation", PAID, links=1)
    asked["problem"]["method"] = method
    assert any("latencies are not used" in text for text in warnings(asked))


@pytest.mark.parametrize("kind", KINDS)
def test_only_newer_workers_are_asked_to_pay(kind: str) -> None:
    assert parse_submission(body(kind, PAID), Limits()).requires == 2
    assert parse_submission(body(kind, {"latency_loss": "1/2"}), Limits()).requires == 0


@pytest.mark.parametrize("kind", PROBLEMS)
def test_older_workers_can_read_what_asks_nothing_new(kind: str) -> None:
    """They refuse options that they do not know, even those at their defaults."""
    new = {"latencies", "latency_loss", "total_instances", "prefer"}
    plain = dict(PROBLEMS[kind].example)
    assert not new & parse_submission(plain, Limits()).document()["options"].keys()
    assert "time_limit" in parse_submission(plain, Limits()).document()["options"]
    options = {"latencies": "paid", "total_instances": 5, "prefer": "least_traffic"}
    asked = parse_submission(plain | {"options": options}, Limits())
    assert new & asked.document()["options"].keys() == options.keys()
    restored: Submission = restore_submission(asked.document())
    assert restored.options == asked.options
    assert asked.requires == max(11, parse_submission(plain, Limits()).requires)


@pytest.mark.parametrize("value", [0, -1, "0/5", "ignored"])
def test_a_loss_is_above_nothing(value: Any) -> None:
    ((pointer, *_),) = faults(body("master_worker", PAID | {"latency_loss": value}))
    assert pointer == "#/options/latency_loss"


@pytest.mark.parametrize("value", [0, "5", 1.5, 10**18 + 1])
def test_instances_are_counted_in_whole_numbers(value: Any) -> None:
    ((pointer, *_),) = faults(body("master_worker", PAID | {"total_instances": value}))
    assert pointer == "#/options/total_instances"


@pytest.mark.parametrize("kind", ["cell", "divisible_chain"])
def test_other_kinds_say_that_they_do_not_use_them(kind: str) -> None:
    answer = solve(dict(PROBLEMS[kind].example), latencies="paid")
    assert any(text.startswith("latencies and latency_loss") for text in answer.result.warnings)
    assert "grouped_periods" not in answer.schedule.header


@pytest.mark.parametrize("kind", KINDS)
def test_a_schedule_that_pays_is_read_back_as_it_was_written(kind: str) -> None:
    schedule = solve(body(kind, PAID | {"total_instances": 99}, links=1)).schedule
    assert Schedule.from_document(schedule.document) == schedule
    assert schedule.header["grouped_periods"] == schedule.grouping.periods
    for name in ("grouped_periods", "latency_time"):
        broken = {k: v for k, v in schedule.document.items() if k != name}
        with pytest.raises(ValueError, match="both grouped_periods and latency_time"):
            Schedule.from_document(broken)
