"""What the referee refuses of schedules that pay latencies."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Schedule, Transfer
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification import start_ups
from steadygrid.verification.network import read_network
from steadygrid.verification.start_ups import longest_path_latency
from steadygrid.verification.steady import SteadyInstance, views_of_one_application
from tests.engine.scheduling.test_periods_for_people import LONG
from tests.engine.scheduling.test_start_ups import LINKS, by_hand, figure_3, star
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction


def answer(body: dict[str, Any], **options: Any) -> Answer:
    options = {"latencies": "paid"} | options
    result, schedule = solve(body, **options)
    submission = parse_submission({**body, "options": options}, Limits())
    return Answer(submission.instance, submission.options, result, schedule)


def grouping(**change: Any) -> Callable[[Schedule], Schedule]:
    def changed(schedule: Schedule) -> Schedule:
        assert schedule.grouping is not None
        return replace(schedule, grouping=schedule.grouping._replace(**change))

    return changed


def longer(time: Fraction) -> Callable[[Schedule], Schedule]:
    """Let the period, and the latencies in it, take more time; the throughput agrees."""

    def changed(schedule: Schedule) -> Schedule:
        assert schedule.grouping is not None
        period = schedule.period + time
        throughput = schedule.instances_per_period / period
        return replace(
            schedule,
            period=period,
            throughput=throughput,
            loss=1 - throughput / schedule.optimal_throughput,
            grouping=schedule.grouping._replace(latency_time=schedule.grouping.latency_time + time),
        )

    return changed


def last_slot_longer(schedule: Schedule) -> Schedule:
    last = schedule.slots[-1]
    stretched = last._replace(duration=last.duration + 1)
    return replace(longer(F(1))(schedule), slots=(*schedule.slots[:-1], stretched))


def with_latencies(body: dict[str, Any]) -> dict[str, Any]:
    platform = body["problem"]["platform"]
    parts = {
        part: [listed | {"latency": place} for place, listed in enumerate(platform[part], 1)]
        for part in ("processors", "links")
    }
    return {"problem": body["problem"] | {"platform": platform | parts}}


def in_run(**members: Any) -> Callable[[Schedule], Schedule]:
    return lambda schedule: replace(schedule, run=schedule.run._replace(**members))


def before_runs(schedule: Schedule) -> Schedule:
    """Tell the dates as versions did that knew no runs: all allocations waited for the deepest."""
    full = ceil(F(1_000) / schedule.instances_per_period)
    dates = (
        (schedule.prologue_periods + full) * schedule.period,
        1_000 / schedule.optimal_throughput,
    )
    return replace(
        grouping(completion_time_at_most=dates[0], no_schedule_before=dates[1])(schedule), run=None
    )


RIGHT: dict[str, Callable[[], Answer]] = {
    "figure_3": lambda: answer(figure_3()),
    "counted": lambda: answer(figure_3(), total_instances=1_000),
    "timed": lambda: answer(figure_3(), run={"horizon": 2_000}),
    "older": lambda: answer(figure_3(), total_instances=1_000).change("schedule", before_runs),
    "multiport": lambda: answer(figure_3(ports="multiport")),
    "no_overlap": lambda: answer(figure_3(ports="no_overlap"), latency_loss="1/10"),
    "parts": lambda: answer(figure_3("1/3", ports="no_overlap"), whole_files=False),
    "busy": lambda: answer(star(0, latency=3)),
    "rounded": lambda: answer(with_latencies(LONG), latency_loss="1/1000"),
    "nothing": lambda: answer(star(1, unit_time=None)),
}

# case, path, value, code of the rule, part of its sentence
PLANTED = [
    ("figure_3", "schedule/grouping", None, "not_paid", "does not say how it pays"),
    ("figure_3", "options/latencies", "ignored", "paid_unasked", "which the options do not ask for"),
    ("figure_3", "schedule", grouping(periods=0), "no_periods", "groups 0 periods"),
    ("figure_3", "schedule", grouping(latency_time=F(323)), "wrong_latency_time", "take 323 of"),
    ("figure_3", "schedule", grouping(latency_time=F(-1)), "wrong_latency_time", "take -1 of"),
    ("figure_3", "schedule", grouping(latency_time=F(11)), "rate_misses_count", "its rate times the period is"),
    ("figure_3", "schedule", grouping(periods=5, latency_time=F(123)), "partial_group",
     "Each of the 5 periods that are one has 8/5 instances of allocation 0"),
    ("figure_3", "schedule", grouping(periods=4), "wrong_grouped_periods",
     "All counts are multiples of 8: the schedule groups so many periods, not 4"),
    ("figure_3", "schedule/slots/1/transfers/0/count", F(41), "partial_group", "has 41/8 files in slot 1"),
    ("figure_3", "schedule/computations/0/count", F(9), "partial_group", "9/8 executions of 'task'"),
    ("figure_3", "schedule", grouping(latency_time=F(43)), "steady_period_too_short",
     "Without latencies, the slots take 40 of a steady period of 35"),
    ("figure_3", "schedule", grouping(latency_time=F(43)), "steady_period_too_short",
     "the computations of 'P2' take 40"),
    ("figure_3", "schedule", last_slot_longer, "wrong_duration", "Slot 2 lasts 82, its slowest message 81"),
    ("figure_3", "schedule", longer(F(1)), "wrong_grouped_period",
     "8 periods of 40 and their latencies take 323, not 324"),
    ("figure_3", "options/latency_loss", F(1, 110), "loses_more_on_latencies",
     "take 3/323 of the period, and at most 1/110"),
    ("figure_3", "options/latency_loss", F(3, 283), "more_periods_than_needed", "Of 7 periods"),
    ("figure_3", "instance/platform/links/0/latency", F(2), "transfer_past_slot", "'P1' to 'P2'"),
    ("figure_3", "instance/platform/links/0/latency", F(0), "wrong_duration", "its slowest message"),
    ("figure_3", "schedule/slots/0/transfers/0/receiver", "P4", "unknown_move", "to 'P4'"),
    ("figure_3", "schedule/throughput", F(1), "too_good", "The throughput 1 is above"),
    ("counted", "schedule", in_run(completion_time_at_most=F(10**4)), "later_than_needed",
     "all instances before 10000 would be complete"),
    ("timed", "schedule", in_run(instances_at_least=1), "later_than_needed",
     "instances would be complete"),
    ("counted", "schedule/run", None, "wrong_no_schedule_before", "but that is 40000/21"),
    ("counted", "schedule", grouping(completion_time_at_most=None), "wrong_completion_time_at_most",
     "says completion_time_at_most nothing, but that is 2150"),
    ("counted", "schedule", grouping(no_schedule_before=F(1)), "wrong_no_schedule_before",
     "but that is 40120/21"),
    ("older", "options/total_instances", None, "wrong_no_schedule_before", "but that is nothing"),
    ("older", "schedule", grouping(no_schedule_before=F(1)), "wrong_no_schedule_before",
     "but that is 40000/21"),
    ("older", "schedule", grouping(completion_time_at_most=F(1)), "wrong_completion_time_at_most",
     "but that is 2150"),
    ("multiport", "schedule/slots/0/start", F(0), "not_one_slot", "one slot of 200 from 2 on"),
    ("multiport", "schedule", longer(F(1)), "wrong_grouped_period", "latencies take"),
    ("multiport", "instance/platform/links/0/latency", F(9), "wrong_grouped_period", "latencies take"),
    ("no_overlap", "schedule", longer(F(1)), "wrong_grouped_period", "latencies take"),
    ("no_overlap", "instance/platform/links/0/latency", F(9), "computes_and_transfers", "sends or"),
    ("busy", "instance/platform/processors/1/latency", F(2), "wrong_computation_time",
     "not "),
    ("busy", "schedule", longer(F(1)), "wrong_grouped_period", "latencies take"),
    ("rounded", "schedule", grouping(latency_time=F(0)), "wrong_rounding_loss", "would lose"),
]  # fmt: skip


@pytest.fixture(scope="module", name="right")
def right_answers() -> dict[str, Answer]:
    return {name: make() for name, make in RIGHT.items()}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_accepted(name: str, right: dict[str, Answer]) -> None:
    found = right[name]
    assert found.schedule is not None
    assert found.schedule.grouping is not None
    rounded = found.schedule.bounded is not None
    assert (found.schedule.rounding_loss is not None) == rounded
    assert rounded == (name == "rounded")
    assert found.faults() == []


@pytest.mark.parametrize(
    ("case", "path", "value", "code", "sentence"),
    PLANTED,
    ids=[f"{i}-{row[0]}-{row[3]}" for i, row in enumerate(PLANTED)],
)
def test_a_planted_fault_is_named(case, path, value, code, sentence, right) -> None:
    faults = right[case].change(path, value).faults()
    assert any(fault.code == code and sentence in fault.detail for fault in faults), faults


def test_of_many_messages_the_nearest_numbers_of_periods_are_tried(
    right: dict[str, Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start_ups, "MOST_EVALUATED", 0)
    assert right["counted"].faults() == []
    later = right["counted"].change("schedule", in_run(completion_time_at_most=F(10**4)))
    assert "later_than_needed" in later.codes()


@pytest.mark.parametrize(
    ("ways", "places", "latency"),
    [
        ([("M", "R", "A"), ("M", "A"), ("A", "B")], ("A", "B"), 6),
        ([("A", "B"), ("M", "A")], ("A", "B"), 4),
        ([("A", "B"), ("M", "R", "A"), ("M", "A")], ("A", "B"), 6),
        ([("R", "A")], ("A",), 0),
        ([("M", "B")], ("B",), 0),
        ([], ("M",), 0),
    ],
)
def test_latencies_add_up_from_where_a_file_is_made(
    ways: list[tuple[str, ...]], places: tuple[str, ...], latency: int
) -> None:
    """A path that the file never gets to or takes, and links that are missing, count for nothing."""
    file = ("begin", "task")
    links = [
        {"source": a, "target": b, "unit_time": 1, "latency": late, "duplex": "simplex"}
        for (a, b), late in LINKS.items()
    ]
    platform = Platform.model_validate({"processors": [{"id": n} for n in "MRAB"], "links": links})
    network = read_network(platform, "multiport")
    views = views_of_one_application(
        SteadyInstance(network, {"task": {}}, {file: F(1)}, {"begin": ("M",)})
    )
    unused = Transfer(file, ("M", "R", "A", "B"), F(0))
    schedule = by_hand([unused, *(Transfer(file, way, F(1)) for way in ways)], places)
    assert longest_path_latency(views, schedule) == latency
    idle = [a._replace(instances_per_period=F(0)) for a in schedule.allocations]
    assert longest_path_latency(views, replace(schedule, allocations=tuple(idle))) == 0
