"""The first sentences of a job's page: what is shown, what is possible, and what for."""

from dataclasses import replace
from fractions import Fraction

from app.pages import words
from app.pages.answer import lay_out
from app.pages.quantities import Shown
from steadygrid.domain.job import Bound, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.pictures.gantt import picture
from steadygrid.pictures.picture import Wanted
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.kinds.replicated_workflow.test_order_of_files import FAR, asked
from tests.report.answers import figure_3, rounded_star
from tests.solved import solve


def read(sentence: words.Sentence) -> str:
    return "".join(part.exact if isinstance(part, Shown) else part for part in sentence)


def test_a_schedule_that_loses_stands_beside_the_optimum_by_another_name() -> None:
    report = rounded_star()
    assert read(words.answer(report)) == (
        "3 tasks every 5 s: 3/5 tasks per s by this schedule, 10 % less than the optimum, 2/3."
    )
    standing = words.standing(report)
    assert standing.startswith("The optimum: no schedule exceeds it; longer periods come as near")
    assert "does better" not in standing
    assert "3 tasks in each period, 10 % less than the optimum" in str(
        picture(report, Wanted()).vega
    )


def test_what_more_is_possible_counts_from_the_schedule() -> None:
    report = rounded_star()
    rates = {"outcome": Outcome.FEASIBLE, "bound": Bound.from_value(Fraction(3, 4), exact=True)}
    near = replace(report, result=report.result.model_copy(update=rates))
    assert "10 % less than the rates, 2/3." in read(words.answer(near))
    assert "at most 25 % more is possible" in words.standing(near)


def test_a_schedule_that_reaches_the_optimum_is_the_best() -> None:
    assert words.standing(figure_3()).startswith("No schedule does better: proved")


def test_an_optimum_for_an_order_of_files_names_it() -> None:
    body = asked(FAR, order="listed")
    report = Report(parse_submission(body, Limits()), *solve(body))
    assert words.standing(report) == (
        "No mapping with this order of files does better: checked by the referee, optimality"
        " rests on the search alone."
    )


def test_remarks_and_what_is_not_judged_stand_apart() -> None:
    report = figure_3()
    forged = report.result.model_copy(update={"notes": ["nothing is faster"]})
    page = lay_out(replace(report, result=forged))
    assert list(page.remarks) == [("note", "nothing is faster")]
    assert ("/notes", "") in page.not_judged
    assert ("/verified", "the referee's own mark") in page.not_judged
    before = lay_out(report)
    assert (page.sentence, page.standing, page.facts) == (
        before.sentence,
        before.standing,
        before.facts,
    )


def test_resources_that_limit_alike_are_counted() -> None:
    told = {"key": "processor:A", "label": "A", "alike": 1200}
    assert words.limited_by(told) == "A (like 1,200 more)"


def test_a_rate_in_a_period_of_one_is_told_once() -> None:
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": [{"id": "P", "speed": "1"}], "links": []},
            "master": "P",
            "task": {"work": "1", "input_size": "0"},
            "ports": "one_port",
        },
    }
    report = Report(parse_submission(body, Limits()), *solve(body))
    assert report.schedule is not None
    assert report.schedule.period == 1
    assert read(words.answer(report)) == "1 task per time unit."
