"""What is said of single allocations: proofs by weights, comparisons, methods that find nothing."""

from typing import Any

from steadygrid.domain.document import parse_json
from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from tests.tree import ROOT
from workers.pipeline import run
from workers.solving.control import Control


def solved(document: dict[str, Any], width: int = 80) -> str:
    submission = parse_submission(document, Limits())
    result, schedule = run(submission, Control(60), Limits())
    lines = page(Report(submission, result, schedule), width, UNICODE)
    return "\n".join(line.plain for line in lines)


def three_tasks(**fields: Any) -> dict[str, Any]:
    return {
        "problem": {
            "kind": "mono_allocation",
            "platform": {
                "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}],
                "links": [{"source": "A", "target": "B", "bandwidth": 1}],
            },
            "application": {"tasks": [{"id": name, "work": 5} for name in "xyz"]},
            **fields,
        }
    }


def test_weights_of_tasks_are_explained() -> None:
    text = solved(three_tasks())
    assert "1/10: reached, no allocation does better" in text
    assert "Why no allocation does more than 1/10 instances per time unit" in text
    assert "weigh less together than all tasks do" in " ".join(text.split())
    assert "x     0.333333" in text


def test_compared_methods_stand_in_a_table_the_best_first() -> None:
    text = solved(three_tasks(method="compare", instances=3))
    assert "All methods, the best first" in text
    assert text.index("heft") < text.index("simple_greedy")


def test_what_a_compared_method_has_to_say_is_folded_not_cut() -> None:
    text = solved(three_tasks(method="compare", instances=3), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert "upper_bound: no allocation is better (forbidden assignments)" in " ".join(text.split())


def test_what_a_heuristic_did_not_find_is_not_called_infeasible() -> None:
    body = parse_json((ROOT / "examples" / "cell-filter-bank.json").read_bytes())
    body["problem"]["method"] = "ppe_only"
    for task in body["problem"]["application"]["tasks"]:
        task.pop("time_ppe", None)
    text = solved(body)
    assert "NOTHING FOUND: another method may find a schedule" in text
