"""The facts of every kind are data with exact numbers, whichever program draws them."""

from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.certificate import FarkasCertificate, NoCertificate
from steadygrid.domain.job import Bound
from steadygrid.domain.run import RunPromise
from steadygrid.domain.schedule import Grouping
from steadygrid.domain.sentences import TOO_MANY_TO_IMAGINE, course, explain_bound
from steadygrid.domain.view import Amount, Measure, Phrase
from tests.report.answers import figure_3, rounded_star

F = Fraction


def numbers(told: Phrase) -> list[Amount]:
    return [part for part in told if isinstance(part, Amount)]


def test_period_start_up_and_latency_are_exact_numbers_with_their_measures() -> None:
    schedule = figure_3().schedule
    assert schedule is not None
    told = {label: numbers(phrase) for label, phrase in course(schedule, "task")}
    assert told == {
        "period": [(F(40), Measure.DURATION), (F(4), Measure.NUMBER), (F(6), Measure.NUMBER)],
        "start-up": [(F(2), Measure.NUMBER), (F(80), Measure.DURATION)],
        "latency": [(F(3), Measure.NUMBER), (F(120), Measure.DURATION)],
    }


def test_latencies_that_are_paid_are_told_with_what_they_take() -> None:
    schedule = figure_3().schedule
    assert schedule is not None
    told = dict(course(replace(schedule, grouping=Grouping(8, F(4))), "task"))
    assert numbers(told["latencies"]) == [
        (F(8), Measure.NUMBER),
        (F(9, 2), Measure.DURATION),
        (F(4), Measure.DURATION),
        (F(1, 10), Measure.SHARE),
    ]


def test_of_a_run_its_end_and_the_earliest_end_are_told() -> None:
    schedule = figure_3().schedule
    assert schedule is not None

    def run_of(run: RunPromise) -> list[Amount]:
        return numbers(dict(course(replace(schedule, run=run), "task"))["run"])

    assert "run" not in dict(course(schedule, "task"))
    counted = RunPromise(1_000, None, 9, F(90), F(80))
    ends = [(F(1_000), Measure.NUMBER), (F(90), Measure.DURATION)]
    least = [(F(80), Measure.DURATION), (F(1, 8), Measure.SHARE)]
    assert run_of(counted) == ends + least
    assert run_of(counted._replace(no_schedule_before=None)) == ends
    assert run_of(counted._replace(completion_time_at_most=None)) == ends[:1]
    timed = RunPromise(0, F(7), 2, instances_at_least=5, instances_at_most=6)
    done = [(F(5), Measure.NUMBER), (F(7), Measure.DURATION)]
    assert run_of(timed) == [*done, (F(6), Measure.NUMBER)]
    assert run_of(timed._replace(instances_at_most=None)) == done


def test_a_shorter_period_is_proposed_where_nothing_is_lost_yet() -> None:
    schedule = rounded_star().schedule
    assert schedule is not None
    many = replace(schedule, instances_per_period=F(TOO_MANY_TO_IMAGINE))
    assert "" not in dict(course(many, "task"))
    assert "max_period" in str(dict(course(replace(many, loss=F(0)), "task"))[""])
    assert "" not in dict(course(replace(many, loss=F(0), grouping=Grouping(1, F(0))), "task"))


def test_a_proof_names_its_bound_and_what_all_resources_are_worth() -> None:
    report = figure_3()
    bound = (F(21, 40), Measure.RATE)
    assert numbers(explain_bound(report.result, report.view)) == [bound, (F(21, 40), Measure.WORTH)]
    ray = FarkasCertificate(prices={"P1.send": F(1, 3)})
    result = report.result.model_copy(update={"certificate": ray})
    assert numbers(explain_bound(result, report.view)) == [
        bound,
        (F(40, 21), Measure.DURATION),
        (F(1, 3), Measure.WORTH),
    ]


def test_nothing_is_said_where_nothing_is_proved() -> None:
    report = figure_3()
    update = {"certificate": NoCertificate(), "bound": Bound.from_value(F(1), exact=False)}
    assert explain_bound(report.result.model_copy(update=update), report.view) == ()
