from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from rich.cells import cell_len

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    FarkasCertificate,
    NoCertificate,
    SearchCertificate,
)
from steadygrid.domain.job import Bound, Objective, Outcome
from steadygrid.report.glyphs import ASCII, UNICODE, Glyphs
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.report.summary import subject
from tests.report.answers import figure_3, rounded_star, shared_link, star
from tests.report.test_gantt_of_a_period import task_graph_report

F = Fraction


def text(report: Report, width: int = 80, glyphs: Glyphs = UNICODE) -> str:
    lines = [line.plain.rstrip() for line in page(report, width, glyphs)]
    assert max(map(cell_len, lines)) <= width
    return "\n".join(lines)


def changed(report: Report, **fields: Any) -> Report:
    return replace(report, result=report.result.model_copy(update=fields))


def test_the_answer_to_figure_3_reads_from_top_to_bottom() -> None:
    assert text(figure_3()).split("One period")[0] == (
        """\
master_worker on RR-4870, figure 3 (4 processors, 4 links, one_port)
OPTIMAL: proved in exact arithmetic, checked by the referee

  21 tasks every 40 time units

method       lp
throughput   21/40 = 0.525 tasks per time unit
bound        21/40: reached, no schedule does better
bottleneck   P4.compute, 100 % busy. The price says at most +48 % for twice its
             speed
period       40 time units, 4 slots with 6 transfers, whole files
start-up     2 periods (80 time units) until every part works at full rate
latency      a task is done within 3 periods (120 time units)

"""
    )
    assert text(figure_3()).split("· idle\n")[-1] == (
        """\

Who computes how many tasks
  processor  per period  per time unit  of all
  P4                 10           0.25  47.6 %  ██████████████▎
  P2                  5          0.125  23.8 %  ███████▏
  P3                  5          0.125  23.8 %  ███████▏
  P1                  1          0.025   4.8 %  █▍

Allocations: the routes that tasks take
     per period  per time unit  route
  3          10            1/4  P1 → P3 → P4
  1           5            1/8  P1 → P2
  2           5            1/8  P1 → P3
  0           1           1/40  P1, nothing is sent

Busiest resources
  resource    in use                                  price
  P4.compute   100 %  ██████████████████████████████    1/4
  P2.compute   100 %  ██████████████████████████████    1/8
  P3.compute   100 %  ██████████████████████████████    1/8
  P1.compute   100 %  ██████████████████████████████   1/40
  P1.send      100 %  ██████████████████████████████      0
  P3.receive    75 %  ██████████████████████▌             0
  P3.send       50 %  ███████████████                     0
  P4.receive    50 %  ███████████████                     0
  P2.receive    25 %  ███████▌                            0

Why no schedule does more than 21/40 tasks per time unit: give every resource
its price below (0 if it is not listed). However a task is done, what it uses is
worth at least 1; all resources together are worth 21/40 per time unit. A price
also says how much the throughput can gain, at most, from one more of that
resource.
  resource    price         of all
  P4.compute  1/4 = 0.25    47.6 %  ██████████████▎
  P2.compute  1/8 = 0.125   23.8 %  ███████▏
  P3.compute  1/8 = 0.125   23.8 %  ███████▏
  P1.compute  1/40 = 0.025   4.8 %  █▍"""
    )


def test_units_of_the_user_replace_time_units() -> None:
    shown = text(star([(1, 2)], 5, {"time": "s"}))
    assert "7 tasks every 10 s" in shown
    assert "7/10 = 0.7 tasks per s" in shown


def test_a_platform_without_a_name_or_a_link_is_described_all_the_same() -> None:
    first, *_ = text(star([], 5)).splitlines()
    assert first == "master_worker (1 processor, 0 links, one_port)"
    assert "1 task every 5 time units" in text(star([], 5))
    assert "nothing is sent" in text(star([], 5))
    assert "start-up     none: every part works at full rate from the first period on" in text(
        star([], 5)
    )
    assert "1 task every time unit" in text(star([], 1))


def test_a_bounded_period_tells_both_losses() -> None:
    shown = " ".join(text(rounded_star()).split())
    assert "schedule 3/5 = 0.6 tasks per s, 10 % less than the optimum" in shown
    assert "(rounding each count down would lose 40 %)" in shown
    near = "no schedule exceeds it; longer periods come as near to it as you like"
    assert f"optimum 2/3 ≈ 0.666667 tasks per s: {near}" in shown
    assert "optimum per s" in shown


def test_a_schedule_that_loses_is_never_called_the_best() -> None:
    """What the schedule does and what is possible are two numbers with two names."""
    shown = " ".join(text(rounded_star()).split())
    assert "OPTIMAL RATES: proved in exact arithmetic" in shown
    assert "this schedule does 10 % less" in shown
    assert "does better" not in shown
    assert "throughput 2/3" not in shown
    near = changed(
        rounded_star(), outcome=Outcome.FEASIBLE, bound=Bound.from_value(F(3, 4), exact=True)
    )
    near = replace(near, result=near.result.model_copy(update={"gap": F(1, 9)}))
    shown = " ".join(text(near).split())
    assert "schedule 3/5 = 0.6 tasks per s, 10 % less than the rates" in shown
    assert "rates 2/3 ≈ 0.666667 tasks per s, in longer periods" in shown
    assert "bound 3/4 = 0.75 (proved exactly), gap 11 %" in shown


def test_the_same_loss_is_not_told_twice() -> None:
    report = rounded_star()
    assert report.schedule is not None
    schedule = replace(report.schedule, rounding_loss=report.schedule.loss)
    assert "merely" not in text(replace(report, found=schedule))


def test_files_in_parts_are_told() -> None:
    report = figure_3()
    assert report.schedule is not None
    shown = text(replace(report, found=replace(report.schedule, preempted=True)))
    assert "6 transfers, some files move in parts" in shown


def test_results_that_return_name_both_directions() -> None:
    shown = text(shared_link())
    assert "store → hub → east and back" in shown
    assert "8 transfers side by side at constant rates" in shown


def test_numbers_too_long_to_read_are_abbreviated() -> None:
    shown = text(star([(1 + i % 6, 200 + i) for i in range(200)], 7))
    assert max(map(len, shown.split())) < 70
    assert "(exactly: a fraction, " in shown
    assert "a shorter one costs little: set max_period in the options" in shown
    assert "more processors" in shown
    assert "more allocations" in shown
    assert "more resources in use" in shown
    assert "of all)" in shown


def test_a_throughput_of_zero_is_plain() -> None:
    report = star([], 5)
    assert report.schedule is not None
    nothing = replace(
        report.schedule,
        period=F(1),
        instances_per_period=F(0),
        throughput=F(0),
        optimal_throughput=F(0),
        allocations=(),
        computations=(),
        slots=(),
    )
    result = report.result.model_copy(
        update={
            "objective": Objective.throughput(F(0)),
            "bound": Bound.from_value(F(0), exact=True),
            "certificate": DualityCertificate(),
            "notes": ["no processor that can compute is within reach of the master"],
        }
    )
    shown = text(replace(report, result=result, found=nothing))
    assert "0 tasks, ever" in shown
    more = result.model_copy(update={"bound": Bound.from_value(F(1, 5), exact=True)})
    unproved = text(replace(report, result=more, found=nothing))
    assert "ever" not in unproved
    assert "no schedule was found that does a task" in unproved
    short = replace(nothing, optimal_throughput=F(1, 5))
    assert "no task fits into so short a period" in text(replace(report, found=short))
    assert "there is no way at all to do a task." in " ".join(shown.split())
    assert "note         no processor that can compute is within reach" in shown
    assert "One period" not in shown
    assert "Busiest" not in shown


def test_warnings_stand_at_the_end() -> None:
    shown = text(changed(figure_3(), warnings=["latencies are not used: " + "very " * 20 + "long"]))
    assert shown.splitlines()[-2].startswith("warning      latencies are not used: very")
    assert shown.splitlines()[-1].startswith("             very")


@pytest.mark.parametrize(
    ("bound", "gap", "phrase"),
    [
        (Bound.from_value(F(1), exact=True), F(19, 40), "1 (proved exactly), gap 48 %"),
        (
            Bound.from_value(F(1), exact=False),
            F(19, 40),
            "1 (by the solver, in floating point), gap 48 %",
        ),
        (
            Bound.from_value(F(21, 40), exact=False),
            F(0),
            "21/40 = 0.525 (by the solver, in floating",
        ),
    ],
)
def test_a_bound_that_is_not_reached_says_how_far_it_is(bound: Bound, gap: F, phrase: str) -> None:
    shown = text(changed(figure_3(), outcome=Outcome.FEASIBLE, bound=bound, gap=gap))
    assert shown.splitlines()[1].startswith("FEASIBLE: checked by the referee")
    assert phrase in shown


def test_only_a_bound_leaves_no_schedule_to_show() -> None:
    report = changed(
        figure_3(), outcome=Outcome.BOUND_ONLY, objective=None, gap=None, verified=False
    )
    shown = text(replace(report, found=None))
    assert "ONLY A BOUND\n" in shown
    assert "bound        21/40 = 0.525 (proved exactly)" in shown
    assert "Why no schedule does more than 21/40 tasks" in shown
    assert "One period" not in shown


def infeasible(certificate: Certificate) -> Report:
    nothing = {"outcome": Outcome.INFEASIBLE, "objective": None, "bound": None, "gap": None}
    result = figure_3().result.model_copy(
        update={
            **nothing,
            "certificate": certificate,
            "computed": {},
            "sent": [],
            "verified": False,
        }
    )
    return Report(figure_3().submission, result, None)


def test_infeasible_is_proved_by_a_contradiction() -> None:
    ray = FarkasCertificate(prices={"P1.compute": F(1), "P1.send": F(1, 3)})
    shown = text(infeasible(ray))
    assert "INFEASIBLE: no schedule exists, proved in exact arithmetic\n" in shown
    assert "Why no schedule exists: add up the constraints" in shown
    assert "  P1.send     1/3 ≈ 0.333333" in shown


def test_without_a_certificate_nothing_is_claimed() -> None:
    shown = text(infeasible(NoCertificate()))
    assert "INFEASIBLE: no schedule exists\n" in shown
    assert "Why" not in shown


def test_a_search_admits_that_it_is_no_exact_proof() -> None:
    shown = text(changed(figure_3(), certificate=SearchCertificate(nodes=1234)))
    assert "Why: a search was closed, by its own word. Its bound is" in shown
    assert "search       1,234 nodes of a tree" in shown.split("not judged by the referee:")[1]
    shown = text(changed(figure_3(), certificate=SearchCertificate(solver="HiGHS")))
    assert "search       HiGHS" in shown.split("not judged by the referee:")[1]
    assert "price" not in shown


def test_an_objective_that_is_a_time_has_the_unit_of_time() -> None:
    makespan = Objective(name="makespan", value=F(7, 2), approx=3.5)
    assert "makespan     7/2 = 3.5\n" in text(changed(figure_3(), objective=makespan))


def test_instances_of_several_tasks_are_counted_as_instances() -> None:
    shown = text(task_graph_report())
    assert "1 instance every 2 time units" in shown
    assert "Where the tasks run\n  A  first\n  B  second\n" in shown


@pytest.mark.parametrize("width", [40, 60, 72, 100, 160])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_every_width_and_alphabet_is_kept_to(width: int, glyphs: Glyphs) -> None:
    for report in (
        figure_3(),
        shared_link(),
        rounded_star(),
        star([(1, 40 + i) for i in range(9)]),
    ):
        lines = [line.plain for line in page(report, width, glyphs)]
        assert max(map(cell_len, lines)) <= width
        if glyphs is ASCII:
            assert "\n".join(lines).isascii()


def test_switches_are_no_processors() -> None:
    assert subject(shared_link())[2] == "3 processors, 1 switch, 3 links, multiport"
