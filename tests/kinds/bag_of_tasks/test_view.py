"""What people are told of simulated policies."""

from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission


def shown(**problem: object) -> str:
    example = PROBLEMS["bag_of_tasks"].example["problem"]
    submission = parse_submission({"problem": example | problem}, Limits())
    result, schedule = run(submission, Control(), Limits())
    assert schedule is None
    lines = page(Report(submission, result, None), 80, UNICODE)
    return " ".join(" ".join(line.plain for line in lines).split())


def test_prices_of_a_bound_name_no_bottleneck_of_a_policy_that_is_far_from_it() -> None:
    text = shown(method="on_demand", stream={"count": 20})
    assert "by on_demand" in text
    assert "bound 2 (proved exactly)" in text
    assert "bottleneck" not in text
    assert "lp_samp" not in text


def test_a_sample_that_is_not_dealt_out_is_explained() -> None:
    text = shown(method="lp_samp", stream={"count": 20})
    assert "36 tasks in" in text
    assert "the first tasks are its sample: they are not dealt out, nor timed" in text
