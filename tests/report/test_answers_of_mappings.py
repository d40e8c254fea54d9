"""What is said of single allocations: proofs by weights, comparisons, methods that find nothing."""

import re
from typing import Any

from steadygrid.domain.document import parse_json
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.pictures import comparison
from steadygrid.pictures.picture import Wanted
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.tree import ROOT


def report_of(document: dict[str, Any]) -> Report:
    submission = parse_submission(document, Limits())
    return Report(submission, *run(submission, Control(60), Limits()))


def solved(document: dict[str, Any], width: int = 80) -> str:
    lines = page(report_of(document), width, UNICODE)
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
    table = text.split("All methods, the best first")[1]
    assert table.index("  heft") < table.index("  simple_greedy")


def test_the_value_of_a_reference_is_its_own_word() -> None:
    text = " ".join(solved(three_tasks(method="heft", instances=3)).split())
    assert "checked by the referee, but the value is the method's own word" in text
    assert "own word" not in solved(three_tasks())


def test_what_mixes_placements_says_so_where_it_beats_the_optimum() -> None:
    asked = three_tasks(method="compare", instances=30)
    text = " ".join(solved(asked).split())
    assert "OPTIMAL: proved in exact arithmetic" in text
    assert re.search(r"heft \S+ yes", text)
    assert re.search(r"simple_greedy \S+ 100 % (█+ )?no", text)
    assert "Answer and bound are of one allocation for all instances." in text
    assert "heft, data_parallel and clustering do more than the optimum of one allocation" in text
    report = report_of(asked)
    drawn = comparison.picture(report, Wanted())
    assert "a bound of one allocation: what mixes placements may pass it" in drawn.description
    sorts = {row[0]: row[4] for row in drawn.table.rows}
    assert sorts["heft"] == "mixes placements"
    assert sorts["portfolio"] == "as good as the answer"


def test_what_a_compared_method_has_to_say_is_folded_not_cut() -> None:
    text = solved(three_tasks(method="compare", instances=3), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert "upper_bound: no allocation does more, proved exactly" in " ".join(text.split())


def test_a_given_mapping_is_told_with_what_it_lacks_and_the_move_that_helps_most() -> None:
    given = {"x": ["A"], "y": ["A"], "z": ["A"]}
    text = solved(three_tasks(method="given", mapping=given))
    assert "bottleneck   A.compute, 100 % busy\n" in text
    assert "distance     50 % below the bound" in text
    assert "better       x from A to B: 1/10 instances per time unit, 50 % more" in text
    text = solved(three_tasks(method="given", mapping=given | {"x": ["B"]}))
    assert "better       no move of one task does more" in text


def test_resources_as_busy_as_the_bottleneck_are_named() -> None:
    asked = three_tasks(method="given", mapping={"x": ["A"], "y": ["B"], "z": ["B"]})
    asked["problem"]["application"]["tasks"][0]["work"] = 10
    asked["problem"]["platform"]["processors"].append({"id": "C", "speed": 1})
    text = solved(asked)
    assert "bottleneck   A.compute, 100 % busy\n" in text
    assert "just as busy B.compute\n" in text


def test_a_mapping_that_does_nothing_says_so_and_names_the_move_that_mends_it() -> None:
    asked = three_tasks(method="given", mapping={"x": ["A"], "y": ["C"], "z": ["A"]})
    asked["problem"]["platform"]["processors"].append({"id": "C", "speed": 1})
    asked["problem"]["application"]["files"] = [{"source": "x", "target": "y", "size": 1}]
    text = " ".join(solved(asked).split())
    assert "throughput 0 instances per time unit" in text
    assert "distance 100 % below the bound" in text
    assert "better x from A to C: 1/10 instances per time unit" in text
    assert "no route to where it is needed" in text


def test_what_a_heuristic_did_not_find_is_not_called_infeasible() -> None:
    body = parse_json((ROOT / "examples" / "cell-filter-bank.json").read_bytes())
    body["problem"]["method"] = "ppe_only"
    for task in body["problem"]["application"]["tasks"]:
        task.pop("time_ppe", None)
    text = solved(body)
    assert "NOTHING FOUND: another method may find a schedule" in text
