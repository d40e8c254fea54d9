"""What people are told of the answers: what the bound holds for, and whole items."""

import re
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.kinds.divisible_star.bodies import star, tree, with_results
from tests.kinds.told import facts_of


def shown(body: dict[str, Any]) -> str:
    submission = parse_submission(body, Limits())
    result, schedule = run(submission, Control(), Limits())
    assert isinstance(schedule, Timeline)
    lines = page(Report(submission, result, schedule), 80, UNICODE)
    return " ".join(" ".join(line.plain for line in lines).split())


@pytest.mark.parametrize(
    ("body", "rivals"),
    [
        (star([1, 2, 3], [3, 2, 1]), "schedule with one message per processor"),
        (
            star([1, 2, 3], [3, 2, 1], order=["P3", "P2", "P1"]),
            "schedule with one message per processor in this order",
        ),
        (star([4], [4], rounds=2, order=["P1"]), "schedule in 2 rounds in this order"),
        (
            with_results([6, 7, 12], [8, 6, 5], [6, 7, 12], return_orders="lifo"),
            "schedule with one message per processor, results in reverse order,",
        ),
    ],
)
def test_nothing_is_claimed_of_schedules_that_the_bound_leaves_out(
    body: dict[str, Any], rivals: str
) -> None:
    text = shown(body)
    assert f"reached, no {rivals} does better" in text
    assert f"Why no {rivals} has a makespan below" in text


def test_what_passes_others_is_bounded_in_one_message() -> None:
    body = tree({"M": 1, "R": 2, "A": 3}, {("M", "R"): 1, ("R", "A"): 1})
    one_message = "its part, and that of those behind it, in one message"
    assert facts_of(body)["bound for"].endswith(one_message)
    back = with_results([6, 7], [8, 6], [6, 7], return_orders="lifo")
    told = facts_of(back)["bound for"]
    assert told.endswith("each receives results in the reverse order of its messages")
    assert "bound for" not in facts_of(star([4], [4], rounds=2))


def test_a_bound_for_all_schedules_says_so() -> None:
    text = shown(star([4, 5], [4, 4], rounds=2))
    assert "bound 4 (proved exactly), gap 16 %" in text
    assert "Why no schedule has a makespan below 4 time units" in text


def test_pictures_tell_results_from_data_and_count_rounds() -> None:
    back = with_results([6, 7], [8, 6], [9, 9], return_orders="lifo")
    assert re.search(r"M port ├→P1 load─*┤.*P1 port ├←M load─*┤·*├→M result─*┤", shown(back))
    assert "load.2 is" not in shown(back)
    assert "L.2 is round 2 of load L," in shown(star([4], [4], rounds=2, order=["P1"]))


def test_compared_methods_have_bars_as_full_as_they_are_near_to_the_bound() -> None:
    text = shown(star([1, 2, 3], [3, 2, 1], method="compare", max_rounds=20))
    assert "method makespan of the bound" in text
    bars = {name: len(bar) for name, bar in re.findall(r"(umr|lp) \S+ \S+ ?\S* % (█+)", text)}
    assert bars["umr"] > bars["lp"] > 0


def test_a_search_is_explained_and_whole_items_are_counted() -> None:
    body = star([1, 2, 3], [3, 2, 1])
    body["problem"]["load"]["items"] = 7
    text = shown(body)
    assert "below 15/7 time units: the referee has searched for one by itself" in text
    assert "processor items of the load computing idle P1 3 42.9 %" in text
