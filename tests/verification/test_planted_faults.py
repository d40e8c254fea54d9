"""Each fault that can be planted in a right answer is refused, with the right sentence."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Proof
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.kinds.master_worker.schemas import SentRate
from tests.replay import assert_replays
from tests.verification.answers import INPUT, OUTPUT, RIGHT, figure_3, switches


def swap(first, second):
    def exchange(items):
        items = list(items)
        items[first], items[second] = items[second], items[first]
        return tuple(items)

    return exchange


def without(position):
    return lambda items: type(items)(x for i, x in enumerate(items) if i != position)


def added(*more):
    return lambda items: type(items)([*items, *more])


def again(position):
    return lambda items: (*items, items[position])


def late(slots):
    """Let the first slot start where the last one ends."""
    first, second, third = slots
    return (
        second._replace(start=Fraction(0)),
        third._replace(start=Fraction(10)),
        first._replace(start=Fraction(31)),
    )


COUNTS = {"allocations": 4, "computations": 4, "slots": 3, "transfers": 5}

# case, path, value, code of the rule, part of its sentence
PLANTED = [
    # the slots of a one-port schedule
    ("figure_3", "schedule/slots/0/transfers", added(SlotTransfer("P1", "P3", INPUT, 2, Fraction(1))),
     "two_sends", "Slot 0: P1.send serves two transfers at once, the second one from 'P1' to 'P3'"),
    ("figure_3_with_results", "schedule/slots/2/transfers",
     added(SlotTransfer("P3", "P1", OUTPUT, 2, Fraction(1))),
     "two_sends", "Slot 2: P3.send serves two transfers"),
    ("figure_3_with_results", "schedule/slots/0/transfers",
     added(SlotTransfer("P2", "P1", OUTPUT, 1, Fraction(1))),
     "two_receives", "Slot 0: P1.receive serves two transfers at once, the second one from 'P2'"),
    ("figure_3", "schedule/slots/1/start", Fraction(9), "slots_overlap", "Slot 1 starts before slot 0"),
    ("figure_3", "schedule/slots", late, "slot_past_period", "Slot 2 ends after the period"),
    ("figure_3", "schedule/slots/0/start", Fraction(-1), "slots_overlap", "Slot 0 starts before the period"),
    ("figure_3", "schedule/slots", added(Slot(Fraction(40), Fraction(0), ())), "empty_slot", "Slot 3 lasts 0"),
    ("figure_3", "schedule/slots", swap(0, 1), "slots_overlap", "Slot 1 starts before slot 0"),
    ("figure_3", "schedule/slots", without(1), "wrong_count",
     "the slots carry 0 of the input file from 'P1' to 'P3', but its instances need 5"),
    ("figure_3", "schedule/slots/0/duration", Fraction(9), "transfer_past_slot",
     "Slot 0: the transfer from 'P1' to 'P2' takes longer than the slot"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(6), "transfer_past_slot",
     "Slot 0: the transfer from 'P1' to 'P2'"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(4), "wrong_count",
     "Allocation 1: the slots carry 4 of the input file from 'P1' to 'P2'"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(6), "wrong_count",
     "Allocation 1: the slots carry 6 of the input file from 'P1' to 'P2'"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(0), "empty_transfer", "Slot 0 moves 0"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(-5), "empty_transfer", "Slot 0 moves -5"),
    ("figure_3", "schedule/slots/0/transfers/0/allocation", 3, "unknown_move",
     "which allocation 3 does not send in this direction"),
    ("figure_3", "schedule/slots/0/transfers/0/allocation", 9, "unknown_move", "allocation 9"),
    ("figure_3", "schedule/slots/0/transfers/0/receiver", "P4", "unknown_move", "to 'P4'"),
    ("figure_3", "schedule/slots/0/transfers/0/file", OUTPUT, "unknown_move",
     "Slot 0 moves the output file from 'P1' to 'P2'"),
    ("figure_3", "schedule/slots/0/transfers/0/count", Fraction(9, 2), "wrong_preempted",
     "no slot moves part of a file, but slot 0 does"),
    ("figure_3", "schedule/preempted", True, "wrong_preempted", "but none does"),
    ("preempted", "schedule/preempted", False, "wrong_preempted", "but slot 0 does"),
    ("preempted", "options", Options(whole_files=True), "part_of_file",
     "Slot 0 moves part of a file, but whole files were asked for"),
    ("preempted", "options", Options(), "part_of_file", "whole files"),
    # switches, half-duplex links
    ("switches", "schedule/slots/1/transfers",
     added(SlotTransfer("S", "T", INPUT, 1, Fraction(1))), "link_twice", "Slot 1: S->T.link serves two"),
    ("switches", "schedule/slots/0/transfers", added(SlotTransfer("M", "S", INPUT, 1, Fraction(1))),
     "two_sends", "M.send"),
    ("switches", "schedule/slots/0/transfers/1/count", Fraction(2), "transfer_past_slot", "'S' to 'T'"),
    ("half_duplex", "schedule/slots",
     lambda slots: (slots[0]._replace(transfers=slots[0].transfers + slots[1].transfers),),
     "link_twice", "Slot 0: A--M.half serves two transfers at once, the second one from 'A' to 'M'"),
    # multiport
    ("shared_medium", "schedule/slots/0/transfers/0/count", Fraction(6), "overloaded",
     "Slot 0: bus.medium is needed for 45/2 time units, and the slot lasts 20"),
    ("shared_medium", "instance/platform/media/0/bandwidth", Fraction(1, 3), "overloaded",
     "The rates keep bus.medium busy for 6/5 of the time"),
    ("narrow_ports", "instance/platform/processors/0/bandwidth_out", Fraction(1, 2), "overloaded", "M.out"),
    ("narrow_ports", "instance/platform/processors/1/bandwidth_in", Fraction(1, 4), "overloaded", "A.in"),
    ("narrow_ports", "instance/platform/processors/0/bandwidth_in", Fraction(1, 2), "overloaded", "M.in"),
    ("narrow_ports", "instance/platform/links/1/unit_time", Fraction(2), "overloaded", "B--M.half"),
    ("narrow_ports", "instance/platform/links/0/unit_time", Fraction(3), "overloaded", "M->A.link"),
    ("shared_medium", "schedule/slots",
     lambda slots: (slots[0]._replace(duration=Fraction(10)), Slot(Fraction(10), Fraction(10), ())),
     "not_one_slot", "one slot of 20 from 0 on"),
    ("shared_medium", "schedule/slots/0/duration", Fraction(19), "not_one_slot", "one slot"),
    # allocations
    ("figure_3", "schedule/allocations/1/index", 0, "repeated_index", "Allocation 0 is listed twice"),
    ("figure_3", "schedule/allocations/1/rate", Fraction(-1, 8), "negative_rate", "Allocation 1 has a neg"),
    ("figure_3", "schedule/allocations/1/instances_per_period", Fraction(11, 2), "partial_instances",
     "Allocation 1 runs 11/2 instances per period"),
    ("figure_3", "schedule/allocations/1/instances_per_period", Fraction(-5), "partial_instances", "-5"),
    ("figure_3", "schedule/allocations/1/tasks", {}, "missing_task", "does not place task 'task'"),
    ("figure_3", "schedule/allocations/1/tasks/extra", ("P2",), "unknown_task", "places 'extra'"),
    ("figure_3", "schedule/allocations/1/tasks/task", ("P9",), "task_not_allowed",
     "Allocation 1 runs task 'task' on 'P9', which cannot run it"),
    ("shared_medium", "schedule/allocations/1/tasks/task", ("R",), "task_not_allowed", "on 'R'"),
    ("figure_3", "schedule/allocations/1/transfers/0/file", ("task", "x"), "unknown_file",
     "Allocation 1 moves file 'task -> x', which is none"),
    ("figure_3", "schedule/allocations/1/transfers/0/share", Fraction(1, 2), "shares_miss_one",
     "the shares of the input file sum to 1/2"),
    ("figure_3", "schedule/allocations/1/transfers", again(0), "shares_miss_one", "sum to 2"),
    ("figure_3", "schedule/allocations/1/transfers/0/share", Fraction(0), "no_share", "not above 0"),
    ("figure_3", "schedule/allocations/1/transfers", (), "file_does_not_move",
     "the input file is made on 'P1' and used on 'P2', but does not move"),
    ("figure_3_with_results", "schedule/allocations/1/transfers", without(1), "file_does_not_move",
     "the output file is made on 'P2' and used on 'P1'"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", ("P1", "P4"), "missing_link",
     "Allocation 3: the path of the input file needs a link from 'P1' to 'P4'"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", ("P1", "P3"), "path_end",
     "ends on 'P3', but is used on 'P4'"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", ("P3", "P4"), "path_start",
     "begins on 'P3', but is made on 'P1'"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", ("P1", "P3", "P1", "P3", "P4"),
     "path_repeats", "passes a processor twice"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", ("P1",), "empty_path", "has no hop"),
    ("figure_3", "schedule/allocations/3/transfers/0/path", (), "empty_path", "has no hop"),
    ("figure_3", "schedule/allocations/1/rate", Fraction(1, 4), "rates_miss_throughput",
     "The rates of the allocations sum to 13/20, not to the certified throughput 21/40"),
    ("figure_3", "schedule/allocations/1/rate", Fraction(1, 4), "rate_misses_count",
     "Allocation 1: its rate times the period is 10, not 5 instances"),
    ("figure_3", "schedule/allocations/1/rate", Fraction(1, 4), "rates_disagree",
     "The rate computed on 'P2' is 1/8, but the allocations sum to 1/4"),
    ("figure_3", "result/sent/0/rate", Fraction(1, 9), "rates_disagree",
     "The rate of input files from 'P1' to 'P2' is 1/9, but the allocations sum to 1/8"),
    # computations
    ("figure_3", "schedule/computations", without(2), "instance_lost",
     "Allocation 2: task 'task' is never computed"),
    ("figure_3", "schedule/computations", again(2), "computed_twice", "is listed twice"),
    ("figure_3", "schedule/computations/1/allocation", 7, "unknown_computation", "to no allocation"),
    ("figure_3", "schedule/computations/1/task", "x", "unknown_computation", "Computation 1"),
    ("figure_3", "schedule/computations/1/processor", "P3", "computed_elsewhere",
     "Computation 1 (task 'task' of allocation 1 on 'P3') should be on 'P2'"),
    ("figure_3", "schedule/computations/1/processor", "P3", "computations_overlap",
     "Computation 2 (task 'task' of allocation 2 on 'P3') starts before the one before"),
    ("figure_3", "schedule/computations/1/processor", "R", "computed_elsewhere", "on 'R'"),
    ("figure_3", "schedule/computations/1/count", Fraction(4), "wrong_computation_count",
     "executes 4, but the allocation has 5"),
    ("figure_3", "schedule/computations/1/count", Fraction(6), "wrong_computation_count",
     "executes 6, but the allocation has 5"),
    ("figure_3", "schedule/computations/1/time", Fraction(41), "wrong_computation_time", "takes 40, not 41"),
    ("figure_3", "schedule/computations/1/time", Fraction(39), "wrong_computation_time", "takes 40, not 39"),
    ("figure_3", "schedule/computations/1/start", Fraction(1), "computation_past_period", "after the period"),
    ("figure_3", "schedule/computations/1/start", Fraction(-1), "computations_overlap", "starts before"),
    # header
    ("figure_3", "schedule/ports", "multiport", "wrong_ports", "for multiport, the instance for one"),
    ("figure_3", "schedule/files", (), "wrong_files", "not those of the application"),
    ("figure_3", "schedule/files", (INPUT, INPUT), "wrong_files", "not those of the application"),
    ("figure_3", "schedule/period", Fraction(0), "no_period", "The period is not above 0"),
    ("figure_3", "schedule/period", Fraction(39), "slot_past_period", "Slot 2 ends after the period"),
    ("figure_3", "options", Options(max_period=Fraction(39)), "period_too_long",
     "The period 40 is longer than the 39 asked"),
    ("figure_3", "schedule/instances_per_period", Fraction(22), "wrong_instances",
     "The allocations have 21 instances per period, the header says 22"),
    ("figure_3", "schedule/throughput", Fraction(1, 2), "wrong_throughput", "The throughput 1/2 is not"),
    ("figure_3", "schedule/throughput", Fraction(1), "too_good", "1 is above the optimum 21/40"),
    ("figure_3", "schedule/optimal_throughput", Fraction(1), "wrong_optimal_throughput", "certified are 21"),
    ("figure_3", "schedule/loss", Fraction(1, 21), "wrong_loss", "The loss is 0, the header says 1/21"),
    ("figure_3", "schedule/throughput", Fraction(1, 2), "loses", "not rounded, and yet 1/21"),
    ("figure_3", "schedule/rounding_loss", Fraction(-1), "wrong_rounding_loss", "would lose 0, the header says -1"),
    ("figure_3", "schedule/rounding_loss", Fraction(0), "rounded_without_need",
     "the exact one fits: its period is a multiple of 40 of at most 1,000 digits"),
    ("figure_3", "schedule/prologue_periods", 1, "wrong_prologue",
     "makes prologue_periods 2, the header says 1"),
    ("figure_3", "schedule/latency_periods", 2, "wrong_latency", "makes latency_periods 3, the header says 2"),
    ("figure_3_with_results", "schedule/prologue_periods", 3, "wrong_prologue", "prologue_periods 4"),
    ("shared_medium", "schedule/prologue_periods", 2, "wrong_prologue", "prologue_periods 1"),
    # certificate
    ("figure_3", "result/certificate/prices/P1.send", Fraction(1, 3), "prices_miss_bound",
     "The prices sum to 43/120, but the bound is 21/40"),
    ("figure_3", "result/certificate/prices", {"P1.send": Fraction(19, 40), "P1.compute": Fraction(2, 40)},
     "cheap_allocation", "a task on 'P2', with its files, costs 19/20, less than 1"),
    ("figure_3", "result/certificate/prices", {"P1.send": Fraction(21, 40)}, "cheap_allocation", "'P1'"),
    ("half_duplex", "result/certificate/prices", {"M.send": Fraction(1, 2)}, "cheap_allocation", "costs 1/2"),
    ("figure_3", "result/certificate/prices", {"P1.send": Fraction(3, 4), "P1.compute": Fraction(-9, 40)},
     "negative_price", "The price of 'P1.compute' is negative"),
    ("figure_3", "result/certificate/prices", {"P1.out": Fraction(1, 2), "P1.compute": Fraction(1, 40)},
     "ghost_resource", "The certificate prices 'P1.out', which is no limited resource"),
    ("shared_medium", "result/certificate/prices", {"R.compute": Fraction(2, 5)}, "ghost_resource", "R.com"),
    ("switches", "result/certificate/prices", {"S.send": Fraction(1)}, "ghost_resource", "'S.send'"),
    ("switches", "result/certificate/prices", {"M->S.link": Fraction(1)}, "ghost_resource", "'M->S.link'"),
    ("half_duplex", "result/certificate/prices", {"M--A.half": Fraction(1, 2)}, "ghost_resource", "M--A"),
    # envelope
    ("figure_3", "result/kind", "task_graph", "wrong_kind", "of kind 'task_graph', not master_worker"),
    ("figure_3", "result/objective/name", "makespan", "wrong_objective", "a makespan, but the throughput was"),
    ("figure_3", "result/objective", None, "wrong_outcome", "optimal, but the objective is missing"),
    ("figure_3", "result/bound", None, "wrong_outcome", "optimal, but the bound is missing"),
    ("figure_3", "result/gap", None, "wrong_outcome", "optimal, but the gap is missing"),
    ("figure_3", "result/outcome", Outcome.BOUND_ONLY, "wrong_outcome", "but the objective is there"),
    ("figure_3", "result/outcome", Outcome.UNKNOWN, "wrong_outcome", "unknown, but the bound is there"),
    ("figure_3", "result/outcome", Outcome.UNKNOWN, "no_note", "What was not found needs a note"),
    ("figure_3", "result/proof", Proof.SEARCH, "wrong_proof", "proof must be 'exact': the bound"),
    ("figure_3", "result/proof", Proof.NONE, "wrong_proof", "the bound is proved exactly"),
    ("figure_3", "result/outcome", Outcome.INFEASIBLE, "never_infeasible", "is not infeasible"),
    ("figure_3", "schedule", None, "no_schedule", "There is a value, but no schedule"),
    ("figure_3", "schedule/stated_counts", {"slots": 3}, "wrong_counts",
     "The counts say None allocations, the schedule lists 4"),
    ("figure_3", "schedule/stated_counts", {**COUNTS, "transfers": 7}, "wrong_counts",
     "The counts say 7 transfers, the schedule lists 5"),
    ("figure_3", "schedule/stated_counts", {**COUNTS, "trains": 1}, "wrong_counts", "1 trains"),
    ("figure_3", "result/method", "magic", "wrong_method",
     "'magic' is no method of master_worker: bandwidth_centric or lp"),
    ("figure_3", "result/method", "auto", "wrong_method", "'auto' is no method"),
    ("figure_3", "instance/method", "bandwidth_centric", "wrong_method",
     "an answer of 'lp', but bandwidth_centric was asked"),
    ("figure_3", "result/objective", Objective.throughput(Fraction(0)), "no_note", "A throughput of 0"),
    ("figure_3", "result/objective", Objective.throughput(Fraction(-1)), "negative_value", "negative"),
    ("figure_3", "result/objective/approx", 0.5, "wrong_approx", "21/40 is not approximately 0.5"),
    ("figure_3", "result/objective/approx", None, "wrong_approx", "21/40 is not approximately None"),
    ("figure_3", "result/bound/approx", 0.5, "wrong_approx", "The bound 21/40"),
    ("figure_3", "result/objective", Objective.throughput(Fraction(1)), "above_bound",
     "The value 1 is above the bound 21/40"),
    ("figure_3", "result/objective", Objective.throughput(Fraction(1)), "wrong_sum",
     "The computed rates sum to 21/40, but the value is 1"),
    ("figure_3", "result/gap", Fraction(1), "wrong_gap", "The gap is 0"),
    ("figure_3", "result/objective", Objective.throughput(Fraction(1, 2)), "not_optimal",
     "The value 1/2 is not proved optimal by the bound 21/40"),
    ("figure_3", "result/bound", Bound.from_value(Fraction(1), exact=True), "not_optimal", "by the bound 1"),
    ("figure_3", "result/certificate/type", "farkas", "wrong_certificate", "'farkas' certificate"),
    ("figure_3", "result/certificate/type", "none", "wrong_certificate", "Prices do not belong"),
    ("figure_3", "result/certificate", NoCertificate(), "unproved_bound", "no certificate"),
    ("figure_3", "result/bound/exact", False, "unproved_bound", "optimal, but the bound is not exact"),
    # rates
    ("figure_3", "result/computed/P2", Fraction(0), "rate_not_positive", "The rate of 'P2' is not above 0"),
    ("figure_3", "result/computed/P9", Fraction(1), "cannot_compute", "Processor 'P9' cannot run the task"),
    ("figure_3", "result/computed/P2", Fraction(1, 7), "compute_overload", "'P2' computes 1/7 tasks"),
    ("figure_3", "result/sent/0/rate", Fraction(0), "rate_not_positive", "input files from 'P1' to 'P2'"),
    ("figure_3", "result/sent/0/file", "output", "no_output", "There are no output files"),
    ("figure_3", "result/sent/0/target", "P4", "missing_link", "no link for input files from 'P1'"),
    ("figure_3", "result/sent", added(SentRate(source="P2", target="P1", file="input", rate=Fraction(1))),
     "through_master", "The master is no place for input files from 'P2' to 'P1'"),
    ("figure_3_with_results", "result/sent",
     added(SentRate(source="P1", target="P2", file="output", rate=Fraction(1))), "through_master", "output"),
    ("figure_3", "result/sent", lambda sent: [*sent, sent[0]], "sent_twice", "listed twice"),
    ("figure_3", "result/sent/0/rate", Fraction(1, 9), "not_conserved",
     "1/72 input files per time unit leave 'P2' or are computed there, and do not arrive"),
    ("figure_3", "result/sent/0/rate", Fraction(1, 7), "not_conserved", "1/56 input files per time unit arrive at 'P2' and are neither computed nor sent on."),
    ("figure_3_with_results", "result/sent", without(1), "not_conserved", "3/8 output files per time unit arrive at 'P2' or are made there, and are not sent"),
    ("figure_3", "result/sent/0/rate", Fraction(1, 7), "overloaded", "The rates keep P1.send busy for"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "path", "value", "code", "sentence"),
    PLANTED,
    ids=[f"{i}-{row[0]}-{row[3]}" for i, row in enumerate(PLANTED)],
)
def test_a_planted_fault_is_named(case, path, value, code, sentence):
    faults = RIGHT[case]().change(path, value).faults()
    assert any(fault.code == code and sentence in fault.detail for fault in faults), faults


def numbers(thing, path=()):
    """List the places of all numbers in an answer's result and schedule."""
    if isinstance(thing, bool):
        return
    if isinstance(thing, int | float | Fraction):
        yield "/".join(path)
    elif isinstance(thing, BaseModel):
        for name in type(thing).model_fields:
            yield from numbers(getattr(thing, name), (*path, name))
    elif hasattr(thing, "_fields"):
        for name in thing._fields:
            yield from numbers(getattr(thing, name), (*path, name))
    elif hasattr(thing, "__dataclass_fields__"):
        for name in thing.__dataclass_fields__:
            yield from numbers(getattr(thing, name), (*path, name))
    elif isinstance(thing, dict):
        for name, value in thing.items():
            yield from numbers(value, (*path, name))
    elif isinstance(thing, tuple | list):
        for i, value in enumerate(thing):
            yield from numbers(value, (*path, str(i)))


def place(thing, path):
    for step in path.split("/"):
        if isinstance(thing, dict):
            thing = thing[step]
        else:
            thing = thing[int(step)] if step.isdigit() else getattr(thing, step)
    return thing


def places(answer):
    return [*numbers(answer.result, ("result",)), *numbers(answer.schedule, ("schedule",))]


FACTORS = st.fractions(Fraction(1, 1000), 1000, max_denominator=1000).filter(lambda f: f != 1)


@given(st.data())
def test_where_everything_is_tight_no_number_can_be_another(data):
    answer = figure_3()
    path = data.draw(st.sampled_from(places(answer)))
    factor = data.draw(FACTORS)
    shift = data.draw(st.integers(1, 5))

    def other(number):
        if isinstance(number, Fraction):
            return number * factor or Fraction(shift)
        return type(number)(number + shift)

    assert answer.change(path, other).faults()


@given(st.data())
def test_a_changed_answer_is_refused_or_does_no_harm(data):
    answer = RIGHT[data.draw(st.sampled_from(sorted(RIGHT)))]()
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(answer)))
        factor = data.draw(FACTORS)
        if isinstance(place(answer, path), Fraction):
            answer = answer.change(path, place(answer, path) * factor)
    if not answer.faults():
        assert_replays(answer.instance, answer.schedule)


@given(st.data())
def test_exchanged_names_are_refused_or_do_no_harm(data):
    case = data.draw(st.sampled_from(sorted(RIGHT)))
    answer = RIGHT[case]()
    slot = data.draw(st.integers(0, len(answer.schedule.slots) - 1))
    transfer = data.draw(st.integers(0, len(answer.schedule.slots[slot].transfers) - 1))
    end = data.draw(st.sampled_from(["sender", "receiver"]))
    name = data.draw(st.sampled_from([p.id for p in answer.instance.platform.processors]))
    before = answer.schedule
    answer = answer.change(f"schedule/slots/{slot}/transfers/{transfer}/{end}", name)
    assert answer.schedule == before or answer.faults()


def test_a_switch_has_no_port_limit():
    answer = switches()
    crowded = answer.schedule.slots[1].transfers
    assert sum(transfer.sender == "T" for transfer in crowded) == 2
    assert not answer.faults()


def test_all_faults_are_reported_at_once():
    answer = (
        figure_3()
        .change("schedule/loss", Fraction(1))
        .change("schedule/slots/0/start", Fraction(-1))
        .change("result/computed/P2", Fraction(1))
        .change("result/certificate/prices/P1.send", Fraction(1))
    )
    assert answer.codes() >= {
        "wrong_loss",
        "slots_overlap",
        "compute_overload",
        "prices_miss_bound",
    }


def test_a_schedule_that_is_wrong_everywhere_is_refused_in_few_words():
    answer = figure_3()
    wrong = SlotTransfer("P1", "P4", INPUT, 2, Fraction(1))
    faults = answer.change("schedule/slots/0/transfers", (wrong,) * 1000).faults()
    assert len(faults) < 300
    assert faults[-1].code == "more_faults"
    assert "more faults" in faults[-1].detail
