"""What pages say of a mapping that was given."""

import json
from typing import Any

import pytest

from app.pages import words
from steadygrid.domain.limits import Limits
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.solved import solve
from tests.tree import ROOT


@pytest.fixture
def body() -> dict[str, Any]:
    text = (ROOT / "examples" / "camera-as-it-runs.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def report_of(body: dict[str, Any]) -> Report:
    return Report(parse_submission(body, Limits()), *solve(body))


def test_a_given_mapping_is_not_called_the_best_found(body: dict[str, Any]) -> None:
    report = report_of(body)
    assert words.standing(report) == (
        "As it was given; at most 200 % more is possible; checked by the referee."
    )
    assert words.limits(report) == []


def test_one_that_cannot_be_better_is_told_like_any_optimum(body: dict[str, Any]) -> None:
    body["problem"]["mapping"] |= {"detect": ["large"], "track": ["large"]}
    report = report_of(body)
    assert words.standing(report).startswith("No schedule does better: proved in exact arithmetic")
    assert "hangs on that" in words.limits(report)[0]


def test_without_a_bound_how_much_more_is_possible_is_unknown(body: dict[str, Any]) -> None:
    body["problem"]["bound_method"] = "none"
    assert words.standing(report_of(body)) == (
        "As it was given; how much better is possible is not known; checked by the referee."
    )
