"""What is said of allocations of a task graph that were given."""

from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission


def told(allocations: list[dict[str, Any]], **fields: Any) -> str:
    """Two processors without a link, and two tasks without a file."""
    problem = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": "P"}, {"id": "Q"}]},
        "application": {
            "tasks": [
                {"id": "b", "times": {"P": 3, "Q": 4}},
                {"id": "c", "times": {"P": 1, "Q": 1}},
            ]
        },
        "method": "given",
        "allocations": allocations,
        **fields,
    }
    submission = parse_submission({"problem": problem}, Limits())
    result, schedule = run(submission, Control(60), Limits())
    lines = page(Report(submission, result, schedule), 80, UNICODE)
    return " ".join(" ".join(line.plain for line in lines).split())


ALONE = {"tasks": {"b": "P", "c": "P"}, "rate": 2}


def test_it_is_said_what_is_missing_and_why_rates_are_the_best() -> None:
    text = told([ALONE])
    assert "rates the allocation that was given runs; no rates of them do more" in text
    assert "distance 46.4 % below the bound" in text
    assert "missing an allocation that costs 0 at these prices, less than 1: see below" in text
    assert "Why these allocations do no more than 1/4 instances per time unit" in text
    assert "task processor b Q c Q" in text


def test_it_is_said_by_what_given_rates_were_multiplied() -> None:
    text = told([ALONE, {"tasks": {"b": "Q", "c": "Q"}, "rate": 0}], rates="given")
    assert "rates those given, all times 0.125, the largest factor that fits" in text
    assert "allocation rate given rate 0 2 1/4 1 0 0" in text
    assert "Why the bound: it is proved by prices of its own" in text


def test_it_is_said_that_nothing_is_missing() -> None:
    everything = [{"tasks": {"b": b, "c": c}} for b in "PQ" for c in "PQ"]
    text = told(everything)
    assert "missing nothing: no other allocation would do more" in text
    assert "OPTIMAL" in text
