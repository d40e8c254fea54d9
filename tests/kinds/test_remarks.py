"""What people read first comes from what is judged: a forged remark changes nothing but itself."""

import ast
import copy
import re
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.html import summary_html
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.report.summary import REMARKS, facts
from tests.kinds.answers_of_kinds import Solved, answers_of
from tests.solved import solve
from tests.tree import modules, name_of, syntax_of

KINDS = sorted(PROBLEMS)
FORGED = "OPTIMAL in every order: nothing does better"
CLAIM = re.compile(
    r"no (other )?(schedule|allocation|mapping|order|policy)s? (is|are|has|have|does|do) (faster|better|a shorter)"
    r"|none has a|nothing (better|faster|is better|is faster)|none (is|that) (better|improves)"
    r"|(^|: )optimal\b|optimal among|is optimal|was given: optimal"
    r"|a valid bound|bound (holds|is one) for|\bis proved\b|proved exactly|proves (it|that)"
    r"|(all|every) .{0,40} (was|were) searched|search (has|had) (ended|closed)|no allocation has a period",
    re.IGNORECASE,
)
"""Words that claim more than a remark may: what only views say, from members that are judged."""


def shown(solved: Solved, result: Any) -> tuple[str, str]:
    """Give what the console shows, before the remarks and after."""
    report = Report(solved.submission, result, solved.schedule)
    text = "\n".join(line.plain for line in page(report, 80, UNICODE))
    before, _, after = text.partition(f"{REMARKS}:")
    return before, after


def forge(result: Any) -> Any:
    """Change every member that is never judged, but for what other methods are said to have found."""
    certificate = {
        name: FORGED if name == "solver" else 10**6
        for name in ("solver", "nodes")
        if name in type(result.certificate).model_fields
    }
    changed: dict[str, Any] = {
        "notes": [FORGED],
        "warnings": [FORGED],
        "schedule": FORGED,
        "certificate": result.certificate.model_copy(update=certificate),
    }
    if "statistics" in type(result).model_fields:
        counts = dict.fromkeys(type(result.statistics).model_fields, 10**6)
        changed["statistics"] = result.statistics.model_copy(update=counts)
    return result.model_copy(update=changed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_remark_is_shown_as_a_remark_only(kind: str) -> None:
    for name, solved in answers_of(kind).items():
        honest, forged = solved.result, forge(solved.result)
        before, after = shown(solved, forged)
        assert before.rstrip() == shown(solved, honest)[0].rstrip(), name
        assert FORGED not in before
        assert " ".join(after.split()).count(FORGED) == 3
        reports = [Report(solved.submission, one, solved.schedule) for one in (honest, forged)]
        assert len({tuple(facts(report, 1_000, UNICODE)) for report in reports}) == 1
        rows = re.findall(r"<th[^>]*>([^<]*)</th><td[^>]*>([^<]*)", summary_html(reports[1]))
        assert {label for label, text in rows if FORGED in text} == {
            f"{label} (not judged by the referee)" for label in ("note", "warning", "search")
        }


@pytest.mark.parametrize("kind", KINDS)
def test_no_note_of_a_solver_claims_anything(kind: str) -> None:
    notes = {note for solved in answers_of(kind).values() for note in solved.result.notes}
    assert {note for note in notes if CLAIM.search(note)} == set()


def test_no_text_of_the_solvers_claims_anything() -> None:
    """Texts of solvers become notes; documentation and what the console says are no such texts."""
    found = []
    for path in modules("workers"):
        if name_of(path).startswith(("steadygrid/cli/", "steadygrid/cli/command.py")):
            continue
        tree = syntax_of(path)
        documented = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        found += [
            f"{name_of(path)}:{node.lineno}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and id(node) not in documented
            and CLAIM.search(node.value)
        ]
    assert found == []


@pytest.mark.parametrize(
    "claim",
    [
        "all mappings and orders were searched: none has a shorter period",
        "the bound holds for schedules in which every processor receives its part",
        "optimal among schedules that combine each piece at one processor",
        "no schedule is faster than the one found, but the circuit that proves it has 9 firings",
        "the time limit was reached: this is the best schedule found so far, and a valid bound",
        "the relaxed program: no allocation has a period below 6 (proved exactly)",
        "the mapping was given: optimal says that its period is exact",
    ],
)
def test_claims_are_known_by_their_words(claim: str) -> None:
    assert CLAIM.search(claim)


def without_speeds(kind: str, *names: str) -> dict[str, Any]:
    body: dict[str, Any] = copy.deepcopy(dict(PROBLEMS[kind].example))
    for processor in body["problem"]["platform"]["processors"]:
        if processor["id"] in names or not names:
            processor.pop("speed", None)
            processor.pop("unit_time", None)
    return body


@pytest.mark.parametrize("method", ["lp", "on_demand"])
def test_a_worker_of_bags_that_has_no_speed_is_named(method: str) -> None:
    body = without_speeds("bag_of_tasks", "P1")
    body["problem"]["method"] = method
    if method == "on_demand":
        body["problem"]["stream"] = {"count": 20}
    said = "'P1' has no speed and computes nothing: give `speed` or `unit_time`"
    assert said in solve(body).result.notes
    body["problem"]["platform"]["processors"][1]["speed"] = "1"
    assert said not in solve(body).result.notes


def test_where_no_processor_has_a_speed_the_note_says_what_to_give() -> None:
    (note, *_) = solve(without_speeds("master_worker")).result.notes
    assert "give `speed` or `unit_time` to those that compute, or `times` to the task" in note
