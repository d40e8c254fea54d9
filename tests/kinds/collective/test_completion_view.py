"""What people are told of a completion, and what is exported of it."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.sentences import explain_bound
from steadygrid.domain.view import Amount, Phrase, View
from steadygrid.formats.exporter import Answer as Exportable
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission
from tests.formats.msccl_machine import check
from tests.kinds.collective.boxes import boxes, once, pair, ring
from tests.solved import solve
from tests.verification.answers import Answer, answered


def said(phrase: Phrase) -> str:
    return "".join(str(p.value) if isinstance(p, Amount) else p for p in phrase)


def view(answer: Answer) -> View:
    return PROBLEMS["collective"].view(*answer)


def test_the_headline_is_when_one_operation_is_complete() -> None:
    told = view(answered(once(pair(), "broadcast", source="A", size=4)))
    assert said(told.headline) == "one broadcast is complete after 9/4"
    facts = {label: said(phrase) for label, phrase in told.facts}
    assert facts == {
        "messages": "1 in each broadcast; together 16/9 of data per time unit",
        "program": "1 chunk of 4, each in 1 piece",
        "ranks": "hops by depth, a channel for each pair of ranks; 1 of 32 blocks on the busiest rank",
        "limit": "B needs 4 from A, and links carry at most 2 per time unit across",
    }
    assert told.rivals == "program"
    assert told.cut == {"B"} or told.cut == {"A"}


def test_the_bound_is_explained_by_the_cut() -> None:
    answer = answered(once(pair(), "broadcast", source="A", size=4))
    text = said(explain_bound(answer.result, view(answer)))
    assert text.startswith("Why no program ends before 9/4: 4 of data has to cross 1 link.")


def test_instances_are_told_where_there_are_several() -> None:
    problem = once(ring(5), "broadcast", source="P0", size="1/1000")
    answer = answered(problem)
    several = answer.change("result/plan/instances", 4)
    facts = {label: said(phrase) for label, phrase in view(several).facts}
    assert facts["program"].endswith("by each of 4 instances")


def test_what_cannot_arrive_has_no_headline() -> None:
    platform = pair()
    platform["links"][0]["duplex"] = "simplex"
    told = view(answered(once(platform, "allgather")))
    assert told.headline == ()
    assert told.cut == frozenset()
    assert told.proof is not None
    assert [label for label, _ in told.facts] == ["messages"]


def test_the_page_says_the_time_and_the_proof() -> None:
    body = once(boxes(2, each=2), "allgather", size="1/1000")
    body["problem"]["platform"]["units"] = {"time": "s", "data": "GB"}
    submission = parse_submission(body, Limits())
    solved = solve(body)
    report = Report(submission, solved.result, solved.schedule)
    text = "\n".join(line.plain for line in page(report, 100, UNICODE))
    assert "one allgather is complete after" in text
    assert "completion" in text
    assert "Why no program ends before" in text
    assert "Trees: " in text


@pytest.mark.parametrize(
    ("operation", "ends"),
    [("allgather", {}), ("allreduce", {}), ("reduce_scatter", {}), ("broadcast", {"source": "P0"})],
)
def test_what_is_exported_runs_with_the_plan(operation: str, ends: dict[str, Any]) -> None:
    body = once(ring(4, latency="1/100"), operation, size=4, **ends)
    solved = solve(body)
    plan = solved.result.plan
    instance = parse_submission(body, Limits()).instance
    written = EXPORTERS["msccl"].write(Exportable(solved.result, None, instance), {})
    algorithm = check(written.text)
    assert algorithm.ngpus == 4
    assert any(f"in {plan.pieces} pieces" in note for note in written.notes)
    again = EXPORTERS["msccl"].write(
        Exportable(solved.result, None, instance),
        {"split": [plan.split], "order": [plan.order], "instances": [str(plan.instances)]},
    )
    assert again.text == written.text


def test_the_time_of_more_data_grows() -> None:
    sizes = [Fraction(1, 1000), Fraction(1), Fraction(1000)]
    times = [
        solve(once(ring(3), "allgather", size=str(size))).result.objective.value for size in sizes
    ]
    assert times == sorted(times)
