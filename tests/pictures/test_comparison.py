"""The picture of methods that were compared: every ratio is the result's, exactly."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.view import Method, View
from steadygrid.pictures import comparison
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.house_style import FAINT, SERIES
from steadygrid.pictures.picture import Picture, Wanted
from steadygrid.report.report import Report
from tests.pictures.reports import example, reported
from tests.tree import ROOT

BLUE, GREEN, PURPLE = (SERIES["light"][i] for i in (0, 2, 3))


def problem(name: str, **changes: Any) -> dict[str, Any]:
    body = parse_json((ROOT / "examples" / f"{name}.json").read_bytes())
    return body["problem"] | changes


def labels(drawn: Picture, *names: str) -> list[str]:
    rows = [row for name in names or ("labels", "strong") for row in drawn.datasets[name]]
    return [row["label"] for row in sorted(rows, key=lambda row: row["y"])]


def with_methods(*methods: Method) -> Report:
    """Give an answer whose view compares these."""
    report = example("star")
    changed = Report(report.submission, report.result, report.found)
    view: View = replace(report.view, methods=methods)
    changed.__dict__["view"] = view
    return changed


def test_methods_of_a_mapping_are_ranked_by_what_they_reach() -> None:
    report = example("microscope")
    drawn = picture_of(report, "comparison", Wanted())
    assert report.result.bound is not None
    told = {
        row.method: row.throughput and row.throughput / report.result.bound.value
        for row in report.result.comparison  # type: ignore[attr-defined]
    }
    assert {row[0]: row[3] for row in drawn.table.rows} == told
    ratios = [ratio for _, _, _, ratio, _, _ in drawn.table.rows if isinstance(ratio, Fraction)]
    assert ratios == sorted(ratios, reverse=True)
    assert labels(drawn) == [row[0] for row in drawn.table.rows]


def test_the_answer_is_told_by_more_than_its_colour() -> None:
    report = example("microscope")
    drawn = picture_of(report, "comparison", Wanted())
    assert report.result.objective is not None
    best = [
        method.name
        for method in report.view.methods
        if method.value == report.result.objective.value and method.name != "upper_bound"
    ]
    assert labels(drawn, "strong") == best
    assert "upper_bound" in labels(drawn, "labels")
    # Several reach it, and the answer does not say which of them it is from.
    assert len(best) > 1
    keys = {key["label"]: key["colour"] for key in drawn.datasets["keys"]}
    assert keys == {
        "as good as the answer": GREEN,
        "another method": BLUE,
        "mixes placements": PURPLE,
        "a bound, and no schedule": FAINT["light"],
    }
    said = {row[0]: row[4] for row in drawn.table.rows}
    assert said["heft"] == "mixes placements"
    assert said["upper_bound"] == "a bound, and no schedule"
    assert said[best[0]] == "as good as the answer"


def test_policies_are_shown_with_all_their_runs() -> None:
    report = example("bags-on-demand")
    drawn = picture_of(report, "comparison", Wanted())
    runs = report.result.simulation  # type: ignore[attr-defined]
    ratios = sorted((run.policy, run.throughput / run.empirical_bound) for run in runs)
    assert sorted((row[0], row[3]) for row in drawn.table.rows) == ratios
    assert len(drawn.datasets["dots"]) == len(runs) == 32
    least = {row.policy: row.least_ratio for row in report.result.comparison}  # type: ignore[attr-defined]
    bars = {bar["told0"]: Fraction(bar["told2"].split()[0]) for bar in drawn.datasets["bars"]}
    assert bars == least
    assert labels(drawn, "strong") == ["dispatch"]
    assert drawn.description == (
        "4 methods were compared; dispatch reached at least 99.9 % of the bound."
    )


def test_of_makespans_less_is_better() -> None:
    report = reported(problem("divisible-load-on-a-star", method="compare"))
    drawn = picture_of(report, "comparison", Wanted())
    told = {row.method: row.ratio_to_bound for row in report.result.comparison}  # type: ignore[attr-defined]
    assert {row[0]: row[3] for row in drawn.table.rows} == told
    assert drawn.spec is not None
    assert drawn.spec["title"]["subtitle"] == ["The makespan as part of the bound: less is better"]
    answers = [row.method for row in report.result.comparison if row.is_answer]  # type: ignore[attr-defined]
    assert labels(drawn, "strong") == answers
    assert [row[0] for row in drawn.table.rows if row[4] == "the answer"] == answers
    assert drawn.table.columns[2] == "makespan"


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("rr4872-figure-2-scatter", {"operation": "multicast", "method": "compare"}),
        ("replicated-workflow", {"method": "portfolio", "mapping": None}),
    ],
)
def test_other_kinds_compare_alike(name: str, changes: dict[str, Any]) -> None:
    report = reported(problem(name, **changes))
    drawn = picture_of(report, "comparison", Wanted())
    told = {row.method: row.ratio_to_bound for row in report.result.comparison}  # type: ignore[attr-defined]
    assert {row[0]: row[3] for row in drawn.table.rows} == told
    assert len(labels(drawn, "strong")) >= 1


def test_a_method_without_an_answer_is_listed_all_the_same() -> None:
    half = Fraction(1, 2)
    drawn = comparison.picture(
        with_methods(
            Method("good", half, (half,), answers=True),
            Method("bad", None, (), answers=False, note="it ran out of time"),
        ),
        Wanted(),
    )
    assert labels(drawn) == ["good", "bad"]
    assert [row["label"] for row in drawn.datasets["said"]] == ["50 %", "no answer"]
    assert len(drawn.datasets["bars"]) == 1
    row = ("bad", None, None, None, "another method", "it ran out of time")
    assert drawn.table.rows[1] == row


def test_the_line_of_the_bound_is_where_a_whole_bar_ends() -> None:
    for ratios in (("1", "1/2"), ("3/2", "1"), ("1/3", "1/9")):
        values = [Fraction(ratio) for ratio in ratios]
        methods = [Method(f"m{v}", v, (v,), answers=False) for v in values]
        drawn = comparison.picture(with_methods(*methods), Wanted())
        (line,) = drawn.datasets["mark"]
        bars = drawn.datasets["bars"]
        begin = bars[0]["x"]
        for bar, value in zip(bars, values, strict=True):
            assert abs((bar["x2"] - begin) - (line["x"] - begin) * float(value)) < 0.02


def test_where_nothing_was_compared_there_is_no_picture() -> None:
    for report in (example("star"), with_methods(Method("none", None, (), answers=False))):
        assert "comparison" not in {entry.name for entry in entries_of(report)}
