"""What people are told of pipelines of layers."""

import copy
from typing import Any

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.layer_pipeline.view import view
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.kinds.layer_pipeline.bodies import A, C, D, E, H, alike, body, instance
from tests.kinds.told import facts_of
from tests.solved import solve


def shown(document: Any) -> str:
    """Give what the console shows, in one line."""
    result, schedule = solve(document)
    report = Report(parse_submission(document, Limits()), result, schedule)
    return " ".join(" ".join(line.plain.split()) for line in page(report, 100, UNICODE))


def sections(document: Any) -> dict[str, Any]:
    result, schedule = solve(document)
    made = view(instance(document), Options(), result, schedule)
    return {section.title: section.table for section in made.sections}


def test_memory_that_limits_is_told() -> None:
    assert facts_of(D)["limit"] == (
        "memory: at any shorter period stage 1 would need room for more data sets in flight"
    )
    assert facts_of(H)["limit"].endswith("compute: busy all the time")


def test_first_lines_say_what_the_optimum_is_over() -> None:
    told = facts_of(D)
    assert told["bound for"].startswith("all plans with one course for all data sets, one type")
    assert "batch" not in told
    assert told["latency"] == "11 time units"
    assert facts_of(E)["batch"].startswith("4 data sets from an empty pipeline")
    text = shown(D)
    assert "OPTIMAL for this order of layers, one type per stage and one course" in text
    assert "a data set is done every 11/3 time units" in text
    assert "no plan does better" in text
    assert "(3 layers, 3 devices)" in text


def test_stages_boundaries_and_reductions_have_tables() -> None:
    tables = sections(E)
    assert set(tables) == {"Stages", "Transfers per data set", "Reductions of weights, per update"}
    assert [row[1:4] for row in tables["Stages"].rows] == [("a", "gpu", 2), ("b", "gpu", 2)]
    assert set(sections(A)) == {"Stages"}


def test_devices_without_a_limit_have_no_room_to_tell() -> None:
    (row,) = sections(body(alike(1), {"count": 1}))["Stages"].rows
    assert row[-2:] == (None, 0)
    (row,) = sections(body(alike(1, memory=0, in_flight=0), {"count": 1, "memory": 0}))[
        "Stages"
    ].rows
    assert row[-2:] == (0, 0)


def test_a_plan_that_was_given_is_told_as_such() -> None:
    document: Any = copy.deepcopy(C)
    document["problem"] |= {
        "method": "evaluate",
        "stages": [{"layers": [name, name], "device": "gpu"} for name in "abc"],
    }
    assert facts_of(document)["bound for"] == "the stages that were given"
    text = shown(document)
    assert "for the stages that were given" in text
    assert "The referee computes that anew" in text


def test_that_nothing_fits_is_told() -> None:
    document: Any = body(alike(3), {"count": 2, "memory": 2})
    assert facts_of(document)["no room"].startswith("however the layers are cut into stages")
    document["problem"] |= {
        "method": "evaluate",
        "stages": [{"layers": ["a", "c"], "device": "gpu"}],
    }
    assert facts_of(document)["no room"].startswith("some stage that was given does not fit")


def test_the_course_is_drawn_device_by_device() -> None:
    text = shown(D)
    for word in ("gpu#1 send", "gpu#3", "backward 2", "n: for data set n", "computes"):
        assert word in text
    assert "fires" not in text
