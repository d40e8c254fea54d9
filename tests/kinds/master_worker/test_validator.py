"""What the referee of master-worker answers asks, beyond a plain optimal schedule."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import (
    NO_TIME_FOR_SCHEDULE,
    Bound,
    Objective,
    Options,
    Outcome,
)
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import (
    MasterWorkerInstance,
    MasterWorkerResult,
    SentRate,
)
from steadygrid.kinds.master_worker.validator import steady_instance, validate
from tests.replay import assert_replays
from tests.verification.answers import RIGHT, Answer, answer, figure_3, links


def nothing(note: str = "no processor computes") -> Answer:
    """A router alone: the optimum is 0."""
    return Answer(
        MasterWorkerInstance.model_validate(
            {
                "kind": "master_worker",
                "platform": {
                    "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}],
                    "links": links("A M", duplex="simplex"),
                },
                "master": "M",
                "task": {"work": 1},
            }
        ),
        Options(),
        MasterWorkerResult(
            outcome=Outcome.OPTIMAL,
            method="lp",
            objective=Objective.throughput(Fraction(0)),
            bound=Bound.from_value(Fraction(0), exact=True),
            gap=Fraction(0),
            certificate=DualityCertificate(),
            computed={},
            sent=[],
            notes=[note] if note else [],
        ),
        None,
    )


def empty_schedule(**fields) -> Schedule:
    parts: dict[str, Any] = {
        "period": Fraction(1), "instances_per_period": Fraction(0), "throughput": Fraction(0),
        "optimal_throughput": Fraction(0), "loss": Fraction(0), "rounding_loss": None, "ports": "one_port",
        "prologue_periods": 0, "latency_periods": 1, "preempted": False,
        "files": (("begin", "task"),), "allocations": (), "computations": (), "slots": (),
    }  # fmt: skip
    return Schedule(**(parts | fields))


def rounded_figure_3(period: int = 24) -> Answer:
    """Figure 3 in a period that does not hold whole counts: P1 is left out."""
    exact = figure_3()
    rounded = answer(
        {
            "platform": exact.instance.platform.model_dump(),
            "master": "P1",
            "task": exact.instance.task.model_dump(),
        },
        period,
        [(0, ["P1"], []), (3, ["P1", "P2"], []), (3, ["P1", "P3"], []), (6, ["P1", "P3", "P4"], [])],
        [
            (6, [("P1", "P2", "in", 1, 3), ("P3", "P4", "in", 3, 3)]),
            (6, [("P1", "P3", "in", 2, 3), ("P3", "P4", "in", 3, 3)]),
            (12, [("P1", "P3", "in", 3, 6)]),
        ],
        {"P1.send": Fraction(1, 2)},
        3,
    )  # fmt: skip
    rates = [allocation.rate for allocation in exact.schedule.allocations]
    loss = 1 - rounded.schedule.throughput / Fraction(21, 40)
    return (
        rounded._replace(result=exact.result, options=Options(max_period=Fraction(period)))
        .change(
            "schedule/allocations",
            lambda allocations: tuple(
                a._replace(rate=rate) for a, rate in zip(allocations, rates, strict=True)
            ),
        )
        .change("schedule/optimal_throughput", Fraction(21, 40))
        .change("schedule/loss", loss)
        .change("schedule/rounding_loss", loss)
    )


def test_a_throughput_of_zero_is_optimal_with_a_note():
    assert nothing().faults() == []
    assert nothing(note="").codes() == {"no_note"}


def test_routed_rates_belong_to_fixed_routing_only():
    routed = [SentRate(source="M", target="A", file="input", rate=Fraction(1))]
    assert nothing().change("result/routed", routed).codes() == {"wrong_routed"}


def test_a_throughput_of_zero_may_have_an_empty_schedule():
    assert nothing()._replace(schedule=empty_schedule()).faults() == []
    late = empty_schedule(prologue_periods=1)
    assert nothing()._replace(schedule=late).codes() == {"wrong_prologue"}


def test_a_throughput_of_zero_needs_a_proof_too():
    answer = nothing().change("instance/master", "A")
    assert answer.codes() == {"cheap_allocation"}


def test_a_rounded_schedule_says_what_it_loses():
    answer = rounded_figure_3()
    assert answer.schedule.throughput == Fraction(1, 2)
    assert answer.schedule.loss == Fraction(1, 21)
    assert answer.faults() == []
    assert_replays(answer.instance, answer.schedule)


def test_a_schedule_may_be_rounded_without_being_asked_where_it_must():
    answer = rounded_figure_3()._replace(options=Options())
    assert answer.codes() == {"rounded_without_need"}
    narrow = ScheduleLimits(max_period_digits=1)
    validate(*answer, narrow)
    asked = answer._replace(options=Options(max_period=Fraction(40), whole_files=False))
    assert "rounded_without_need" in asked.codes()
    assert "rounded_without_need" not in rounded_figure_3().codes()


def test_a_schedule_rounded_unasked_says_so():
    answer = rounded_figure_3()._replace(options=Options()).change("schedule/rounding_loss", None)
    assert {"loses", "rate_misses_count"} <= answer.codes()


@pytest.mark.parametrize("other", [Fraction(1, 2), Fraction(1, 100), Fraction(1)])
def test_the_loss_of_rounding_down_is_what_it_is(other):
    answer = rounded_figure_3().change("schedule/rounding_loss", other)
    assert answer.codes() == {"wrong_rounding_loss"}


def test_nothing_is_done_only_where_nothing_can_be_listed():
    """Each input passes three hops: limits of two leave nothing to run, limits of three do."""
    right = RIGHT["switches"]()
    idle = empty_schedule(
        optimal_throughput=Fraction(1), loss=Fraction(1), rounding_loss=Fraction(1),
        allocations=tuple(
            allocation._replace(instances_per_period=Fraction(0))
            for allocation in right.schedule.allocations
        ),
    )  # fmt: skip
    answer = right._replace(schedule=idle).change("result/notes", ["there is no room"])
    assert answer.codes() == {"rounded_without_need", "does_nothing"}
    validate(*answer, ScheduleLimits(max_slot_transfers=2))
    with pytest.raises(InvalidScheduleError, match="one instance after the other could run"):
        validate(*answer, ScheduleLimits(max_slot_transfers=3))


def test_a_rate_of_nothing_is_not_rounded():
    answer = nothing()._replace(schedule=empty_schedule(rounding_loss=Fraction(0)))
    assert answer.codes() == {"rounded_without_need"}
    lossy = nothing()._replace(schedule=empty_schedule(rounding_loss=Fraction(1)))
    assert lossy.codes() == {"rounded_without_need", "wrong_rounding_loss"}


def test_a_bounded_period_may_hold_nothing_but_then_a_note_says_so():
    exact = figure_3()
    schedule = exact.schedule
    idle = empty_schedule(
        optimal_throughput=Fraction(21, 40), loss=Fraction(1), rounding_loss=Fraction(1), period=Fraction(3),
        allocations=tuple(
            allocation._replace(instances_per_period=Fraction(0)) for allocation in schedule.allocations
        ),
    )  # fmt: skip
    answer = exact._replace(schedule=idle, options=Options(max_period=Fraction(3)))
    assert answer.codes() == {"no_note"}
    assert answer.change("result/notes", ["the smallest useful period is 4"]).faults() == []


def test_what_a_schedule_loses_beyond_rounding_is_in_its_rounding_loss():
    """Rounding down to the 24 asked loses 1/21, a schedule of nothing loses all."""
    exact = figure_3()
    idle = empty_schedule(
        optimal_throughput=Fraction(21, 40), loss=Fraction(1), rounding_loss=Fraction(1),
        allocations=tuple(a._replace(instances_per_period=Fraction(0)) for a in exact.schedule.allocations),
    )  # fmt: skip
    answer = exact._replace(schedule=idle, options=Options(max_period=Fraction(24)))
    assert answer.codes() == {"no_note"}
    rounded = answer.change("schedule/rounding_loss", Fraction(1, 21))
    assert rounded.codes() == {"no_note", "wrong_rounding_loss"}


def test_whole_files_are_kept_where_they_were_asked_for():
    answer = rounded_figure_3()
    half = (
        answer.change("schedule/slots/0/transfers/1/count", Fraction(5, 2))
        .change("schedule/slots/2/transfers", lambda moves: (*moves, moves[0]))
        .change("schedule/slots/2/transfers/1/sender", "P3")
        .change("schedule/slots/2/transfers/1/receiver", "P4")
        .change("schedule/slots/2/transfers/1/count", Fraction(1, 2))
        .change("schedule/preempted", True)
    )
    assert half.faults() == []
    assert_replays(half.instance, half.schedule)
    assert half._replace(options=Options(max_period=Fraction(24), whole_files=True)).codes() == {
        "part_of_file"
    }


def feasible(value: Fraction) -> Answer:
    """The rounded rates of figure 3 as an answer whose optimality is not proved."""
    answer = rounded_figure_3()
    gap = (Fraction(21, 40) - value) / Fraction(21, 40)
    rates = [Fraction(0), Fraction(1, 8), Fraction(1, 8), Fraction(1, 4)]
    return (
        answer._replace(options=Options())
        .change("result/outcome", Outcome.FEASIBLE)
        .change("result/objective", Objective.throughput(value))
        .change("result/gap", gap)
        .change(
            "result/computed", {"P2": Fraction(1, 8), "P3": Fraction(1, 8), "P4": Fraction(1, 4)}
        )
        .change("schedule/optimal_throughput", value)
        .change("schedule/loss", Fraction(0))
        .change("schedule/rounding_loss", None)
        .change(
            "schedule/allocations",
            lambda allocations: tuple(
                a._replace(rate=rate) for a, rate in zip(allocations, rates, strict=True)
            ),
        )
    )


def test_a_feasible_answer_says_how_far_the_bound_is():
    assert feasible(Fraction(1, 2)).faults() == []
    assert "wrong_gap" in feasible(Fraction(1, 2)).change("result/gap", Fraction(0)).codes()


def test_a_feasible_answer_has_a_bound_that_is_proved():
    answer = feasible(Fraction(1, 2)).change("result/certificate", NoCertificate())
    (exact,) = answer.faults()
    (other,) = answer.change("result/bound/exact", False).faults()
    assert exact.code == other.code == "unproved_bound"
    assert "said to be exact" in exact.detail
    assert "rests on no search" in other.detail


def test_a_bound_alone_is_an_answer():
    answer = figure_3()._replace(schedule=None)
    alone = (
        answer.change("result/outcome", Outcome.BOUND_ONLY)
        .change("result/objective", None)
        .change("result/gap", None)
        .change("result/computed", {})
        .change("result/sent", [])
    )
    assert alone.faults() == []
    assert "wrong_outcome" in alone._replace(schedule=figure_3().schedule).codes()


def test_rates_without_a_schedule_are_feasible_at_most_and_say_why():
    answer = figure_3()._replace(schedule=None)
    assert answer.codes() == {"no_schedule"}
    late = answer.change("result/notes", ["another note", NO_TIME_FOR_SCHEDULE])
    assert late.codes() == {"no_schedule"}
    assert late.change("result/outcome", Outcome.FEASIBLE).faults() == []
    silent = answer.change("result/outcome", Outcome.FEASIBLE)
    faults = silent.change("result/notes", ["another note"]).codes()
    assert faults == {"no_schedule", "not_feasible_only"}


@pytest.mark.parametrize(
    ("value", "approx"),
    [
        (Fraction(10**400), None),
        (Fraction(1, 10**400), None),
        (Fraction(1, 3), 1 / 3),
        (Fraction(10**400, 10**399), 10.0),
    ],
)
def test_a_value_beyond_doubles_has_no_approximation(value, approx):
    alone = (
        figure_3()
        ._replace(schedule=None)
        .change("result/outcome", Outcome.BOUND_ONLY)
        .change("result/bound", Bound(value=value, approx=approx, exact=False))
    )
    assert "wrong_approx" not in alone.codes()
    assert "wrong_approx" in alone.change("result/bound/approx", 2.5).codes()


def test_a_file_of_size_zero_takes_a_period_but_no_slot():
    problem = {
        "platform": {
            "processors": [{"id": "M"}, {"id": "A", "unit_time": 2}],
            "links": links("M A"),
        },
        "master": "M",
        "task": {"work": 1, "input_size": 0},
    }
    right = answer(problem, 2, [(1, ["M", "A"], [])], [], {"A.compute": Fraction(1, 2)}, 2)
    assert right.faults() == []
    assert_replays(right.instance, right.schedule)
    wrong = answer(
        problem, 2, [(1, ["M", "A"], [])], [(1, [("M", "A", "in", 0, 1)])],
        {"A.compute": Fraction(1, 2)}, 2,
    )  # fmt: skip
    assert "unknown_move" in wrong.codes()


def test_a_master_alone_needs_no_slots():
    problem = {
        "platform": {"processors": [{"id": "M", "unit_time": 3}]},
        "master": "M",
        "task": {"times": {"M": 2}},
    }
    right = answer(problem, 2, [(1, ["M"], [])], [], {"M.compute": Fraction(1, 2)}, 1)
    assert right.faults() == []
    assert_replays(right.instance, right.schedule)


def test_a_worker_whose_results_cannot_return_needs_no_price():
    right = answer(
        {
            "platform": {
                "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "B", "unit_time": 1}],
                "links": links("M A") + links("M B", duplex="simplex"),
            },
            "master": "M", "task": {"work": 1, "output_size": 1},
        },
        1,
        [(1, ["M", "A"], ["A", "M"])],
        [(1, [("M", "A", "in", 0, 1), ("A", "M", "out", 0, 1)])],
        {"A.compute": Fraction(1)},
        3,
    )  # fmt: skip
    assert right.faults() == []


def test_times_by_processor_are_the_only_ones_that_count():
    instance = MasterWorkerInstance.model_validate(
        {
            "kind": "master_worker",
            "platform": {"processors": [{"id": "M", "unit_time": 3}, {"id": "A", "speed": 4}]},
            "master": "M",
            "task": {"times": {"A": 5}, "output_size": 1},
        }
    )
    assert steady_instance(instance).times == {"task": {"A": Fraction(5)}}
    assert set(steady_instance(instance).sizes) == {("begin", "task"), ("task", "end")}


def test_an_instance_without_work_has_no_worker():
    instance = nothing().instance
    instance = instance.model_copy(update={"task": instance.task.model_copy(update={"work": None})})
    assert steady_instance(instance).times == {"task": {}}


def test_the_registry_calls_this_referee():
    assert PROBLEMS["master_worker"].validate is validate
    with pytest.raises(InvalidScheduleError, match="The referee refused") as raised:
        validate(*figure_3().change("schedule/loss", Fraction(1)))
    assert raised.value.code == "invalid_schedule"
