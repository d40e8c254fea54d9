"""Whether the exact schedule surely fits, and what rounding down loses."""

from fractions import Fraction
from math import gcd
from random import Random

import pytest

from steadygrid.domain.schedule import ScheduleLimits
from steadygrid.kinds.master_worker.validator import steady_instance
from steadygrid.verification.fitting import Demand
from steadygrid.verification.start_ups import ungrouped
from steadygrid.verification.steady import views_of_one_application
from tests.verification.answers import RIGHT, Answer

ALL = ScheduleLimits()


def demand(answer: Answer, *, whole: bool = True) -> Demand:
    assert answer.schedule is not None
    return Demand(
        views_of_one_application(steady_instance(answer.instance)),
        answer.schedule,
        whole,
        ungrouped(answer.schedule),
    )


@pytest.mark.parametrize("name", ["figure_3", "figure_3_with_results", "switches", "shared_medium"])
def test_what_fits_is_known_to_fit(name: str) -> None:
    answer = RIGHT[name]()
    asked = demand(answer)
    assert asked.period == answer.schedule.period
    assert asked.surely_fits(ALL, None)
    assert asked.surely_fits(ALL, 10**40 * asked.period)
    assert not asked.surely_fits(ALL, asked.period * Fraction(99, 100))


def test_half_duplex_links_in_both_directions_are_not_decided_under_one_port() -> None:
    assert not demand(RIGHT["half_duplex"]()).surely_fits(ALL, None)
    assert demand(RIGHT["narrow_ports"]()).surely_fits(ALL, None)


@pytest.mark.parametrize(("name", "hops"), [("figure_3", 4), ("shared_medium", 3)])
def test_a_limit_below_the_hops_is_not_met(name: str, hops: int) -> None:
    asked = demand(RIGHT[name]())
    assert len(asked.shares) == hops
    assert not asked.surely_fits(ScheduleLimits(max_slot_transfers=hops - 1), None)


def test_one_slot_lists_every_hop_once_and_matchings_more() -> None:
    assert demand(RIGHT["shared_medium"]()).surely_fits(ScheduleLimits(max_slot_transfers=3), None)
    figure = demand(RIGHT["figure_3"]())
    # Four hops, the senders P1 and P3, three receivers: at most ten matchings of two.
    assert figure.surely_fits(ScheduleLimits(max_slot_transfers=20), None)
    assert not figure.surely_fits(ScheduleLimits(max_slot_transfers=19), None)


def test_a_switch_sends_over_all_its_links_at_once() -> None:
    asked = demand(RIGHT["switches"]())
    # Six hops; M and three links of switches send, one link from M, one between, A and B receive.
    assert asked.surely_fits(ScheduleLimits(max_slot_transfers=60), None)
    assert not asked.surely_fits(ScheduleLimits(max_slot_transfers=40), None)


def test_a_period_of_many_digits_is_not_met() -> None:
    asked = demand(RIGHT["figure_3"]())
    assert asked.surely_fits(ScheduleLimits(max_period_digits=5), None)
    assert not asked.surely_fits(ScheduleLimits(max_period_digits=2), None)


@pytest.mark.parametrize("name", ["figure_3", "narrow_ports"])
def test_whole_files_may_need_a_multiple_of_the_period(name: str) -> None:
    """A seventh of the files of one allocation takes another way."""
    answer = RIGHT[name]()
    index = len(answer.schedule.allocations) - 1
    transfer = answer.schedule.allocations[index].transfers[0]
    split = (
        transfer._replace(share=Fraction(1, 7)),
        transfer._replace(share=Fraction(6, 7), path=transfer.path[:2]),
        transfer._replace(share=Fraction(0)),
        transfer._replace(file=("no", "file")),
        transfer._replace(path=("P9", "P8")),
    )
    answer = answer.change(f"schedule/allocations/{index}/transfers", split)
    period = demand(answer).period
    for whole in (True, False):
        asked = demand(answer, whole=whole)
        assert asked.surely_fits(ALL, None)
        assert asked.surely_fits(ALL, period) is not whole or name == "narrow_ports"


def test_whole_files_may_need_too_many_digits() -> None:
    answer = RIGHT["shared_medium"]()
    transfer = answer.schedule.allocations[0].transfers[0]._replace(share=Fraction(1, 10**9))
    answer = answer.change("schedule/allocations/0/transfers", (transfer,))
    limits = ScheduleLimits(max_period_digits=9)
    assert not demand(answer).surely_fits(limits, None)
    assert demand(answer, whole=False).surely_fits(limits, None)


def test_times_that_cannot_be_printed_are_not_due() -> None:
    answer = RIGHT["figure_3"]().change("instance/task/input_size", Fraction(1, 10**4100))
    assert not demand(answer).surely_fits(ScheduleLimits(max_period_digits=10**5), None)


def test_rounding_down_keeps_files_whole_where_that_is_asked() -> None:
    answer = RIGHT["figure_3"]()
    assert demand(answer).throughput_rounded_down(Fraction(24)) == Fraction(12, 24)
    transfer = answer.schedule.allocations[3].transfers[0]
    halves = (transfer._replace(share=Fraction(1, 4)),)
    answer = answer.change("schedule/allocations/3/transfers", halves)
    assert demand(answer).throughput_rounded_down(Fraction(24)) == Fraction(10, 24)
    assert demand(answer, whole=False).throughput_rounded_down(Fraction(24)) == Fraction(12, 24)


def test_what_has_no_rate_need_not_run() -> None:
    answer = RIGHT["figure_3"]()
    none = ScheduleLimits(max_slot_transfers=0)
    assert demand(answer).can_run(none)  # the master's own tasks move nothing
    assert not demand(answer.change("schedule/allocations/0/rate", Fraction(0))).can_run(none)


def test_no_shorter_period_holds_whole_instances() -> None:
    for seed in range(200):
        random = Random(seed)
        answer = RIGHT["figure_3"]()
        for position in range(4):
            rate = Fraction(random.randint(0, 12), random.randint(1, 9))
            answer = answer.change(f"schedule/allocations/{position}/rate", rate)
        asked = demand(answer)
        if any(asked.rates):
            counts = [rate * asked.period for rate in asked.rates]
            assert {count.denominator for count in counts} == {1}
            assert gcd(*map(int, counts)) == 1
