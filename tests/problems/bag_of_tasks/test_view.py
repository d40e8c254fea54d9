"""What people are told about bags."""

from typing import Any

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.telling import why
from steadygrid.domain.view import Amount, Measure, View
from steadygrid.problems.bag_of_tasks.runs import POLICIES
from steadygrid.problems.bag_of_tasks.view import view
from steadygrid.problems.submission import parse_submission
from steadygrid.report.glyphs import glyphs_for
from steadygrid.report.report import Report
from steadygrid.report.tables import who_computes
from tests.problems.bag_of_tasks.bodies import F, bag, body, example_b, star
from tests.solved import solve


def test_prices_are_explained_by_what_a_task_costs_on_the_average() -> None:
    instance = parse_submission(example_b(), Limits()).instance
    told = solve(example_b())
    seen = view(instance, Options(), told.result, told.schedule)
    text = "".join(part for part in why(told.result, seen) if isinstance(part, str))
    assert "worth at least 1 on the average of all tasks" in text
    assert "Whichever way" not in text


def seen_of(problem: dict[str, Any]) -> View:
    told = solve(problem)
    instance = parse_submission(problem, Limits()).instance
    return view(instance, Options(), told.result, told.schedule)


def test_policies_are_ranked_and_every_run_is_a_row() -> None:
    seen = seen_of(example_b(method="compare", stream={"count": 20, "seeds": 2}))
    assert seen.comparison is not None
    assert seen.comparison.table is not None
    means = [row[1] for row in seen.comparison.table.rows]
    assert means == sorted(means, reverse=True)
    assert seen.comparison.table.rows[0][0] == "dispatch"
    (runs,) = seen.sections
    assert runs.table is not None
    assert [row[:3] for row in runs.table.rows] == [
        (policy, seed, 36 if policy == "lp_samp" else 40) for seed in (0, 1) for policy in POLICIES
    ]
    assert "the tasks of this run" in seen.cost


def test_one_run_is_told_in_a_sentence_and_not_compared() -> None:
    seen = seen_of(example_b(method="dispatch", stream={"order": ["T1", "T2"]}))
    assert seen.comparison is None
    done, *_, by = seen.headline
    assert done == Amount(F(2), Measure.INSTANCES)
    assert by == " by dispatch"
    assert [label for label, _ in seen.facts] == ["bound of", "long run"]


def test_tasks_that_take_no_time_are_counted_among_those_computed() -> None:
    """A master without a speed, and a class without work: nine tasks of ten are of it."""
    problem = body(star({"speed": 1}), bag("b", (1, 0, "9/10"), (1, 5, "1/10")))
    told = solve(problem)
    report = Report(parse_submission(problem, Limits()), told.result, told.schedule, None)
    lines = [line.plain for line in who_computes(report, 80, glyphs_for("utf-8"))]
    assert lines[0] == "Who computes how many tasks"
    assert any(line.split()[:2] == ["P1", "10"] for line in lines)
