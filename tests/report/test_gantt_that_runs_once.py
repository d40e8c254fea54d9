"""The picture of a schedule that runs once, and the words around it."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rich.cells import cell_len

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, Processor
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import ASCII, UNICODE, Glyphs
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission

F = Fraction


def example(**problem: Any) -> Report:
    """Solve the example of the kind whose schedules run once."""
    kind = next(p for p in PROBLEMS.values() if p.form is Timeline)
    body = {"problem": kind.example["problem"] | problem}
    submission = parse_submission(body, Limits())
    result, schedule = run(submission, Control(), Limits())
    assert isinstance(schedule, Timeline)
    return Report(submission, result, schedule)


def text(report: Report, width: int = 80, glyphs: Glyphs = UNICODE) -> str:
    lines = page(report, width, glyphs)
    assert all(cell_len(line.plain) <= width for line in lines)
    return "\n".join(line.plain for line in lines)


def test_a_schedule_that_runs_once_is_drawn_from_0_to_its_end() -> None:
    shown = text(example(), glyphs=ASCII)
    assert "OPTIMAL: proved in exact arithmetic" in shown
    assert "everything is done after 2343/2612 time units" in shown
    drawn = """\
From 0 to 2343/2612 time units
            0           0.2           0.4          0.6             0.897
            +------------+-------------+------------+------------------+
P1    port  [>P2 L1.1----------][>P2 L1.2----][>P2 L2.1-][>P2 L2-]......  89.6 %
      comp  # L1.1 ################## L2.1 #############################   100 %
P2    port  [<P1 L1.1----------][<P1 L1.2----][<P1 L2.1-][<P1 L2-]......  89.6 %
      comp  ....................# L1.1 ######## L1.2 ##### L2.1 ### L2 #  67.2 %
L.2 is installment 2 of load L, >P sends to P, <P receives, # computes, . idle
"""
    assert drawn in shown


def test_messages_are_numbered_only_where_a_processor_gets_several() -> None:
    once = Event(F(0), F(1), "P1", "L1", 1, F(1))
    report = replace(example(), found=Timeline("one_port", F(1), (once,)))
    shown = text(report)
    assert "installment 2" not in shown
    assert " L1 " in shown
    assert "L1.1" not in shown


def test_who_sends_and_receives_at_once_has_a_row_for_each_direction() -> None:
    report = example()
    back = Event(F(1), F(2), ("P2", "P1"), "L1", 1, F(1))
    timeline = Timeline(
        "one_port",
        F(2),
        (
            Event(F(0), F(1, 2), ("P1", "P2"), "L1", 1, F(1)),
            Event(F(1, 2), F(1), "P2", "L1", 1, F(1)),
            back,
        ),
    )
    instance = report.submission.instance.model_copy(update={"ports": "one_port"})
    asked = replace(report.submission, instance=instance)
    drawn = """\
P1    send  ├→P2 L1───────┤·············································    25 %
      recv  ······························├←P2 L1──────────────────────┤    50 %
P2    send  ······························├→P1 L1──────────────────────┤    50 %
      recv  ├←P1 L1───────┤·············································    25 %
      comp  ···············█ L1 ██████████······························    25 %
"""
    assert drawn in text(Report(asked, report.result, timeline))


def test_the_certificate_says_why_nothing_is_shorter() -> None:
    shown = text(example())
    assert "Why no schedule has a makespan below 2343/2612 time units" in shown
    assert "load1.whole" in shown


def explained(**problem: Any) -> str:
    return " ".join(text(example(**problem)).split())


def test_a_bound_without_prices_is_explained_too() -> None:
    volumes = {"communication_volume": 0, "computation_volume": 0}
    nothing = [{"id": "L"} | volumes]
    assert "nothing can be negative." in explained(loads=nothing)
    late = {"P1": 3, "P2": 3}
    waiting = "until then no processor is available that can do some part."
    assert waiting in explained(loads=nothing, availability=late)
    shown = explained(objective="mean_completion")
    assert "that holds in each of 3 cases of who computes what" in shown
    assert re.search(r"mean completion\w", shown) is None, "a long label keeps its distance"


def test_a_schedule_that_takes_no_time_has_no_picture() -> None:
    loads = [{"id": "L", "communication_volume": 0, "computation_volume": 0}]
    shown = text(example(loads=loads))
    assert "everything is done after 0" in shown
    assert "From 0 to" not in shown


def test_more_rows_than_fit_are_counted() -> None:
    report = example()
    ids = [f"Q{i}" for i in range(30)]
    platform = Platform(processors=tuple(Processor(id=id_, speed=F(1)) for id_ in ids))
    events = tuple(Event(F(0), F(1), id_, "L", 1, F(1, 30)) for id_ in ids)
    submission = replace(
        report.submission,
        instance=report.submission.instance.model_copy(update={"platform": platform}),
    )
    many = Report(submission, report.result, Timeline("one_port", F(1), events))
    assert "and 6 less busy processors, not drawn" in text(many)
