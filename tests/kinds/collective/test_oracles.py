"""Published examples and small ones whose optimum can be seen, and schedules of bounded periods."""

import itertools
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rational import MAX_ANSWER_DIGITS
from steadygrid.domain.rounding import num_digits
from steadygrid.engine.exact.safe_rounding import ROUNDED
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.schemas import CollectiveInstance
from tests.kinds.collective.bodies import FIGURE_2, F, body, figure_2, turned_round
from tests.solved import solve

FULL = {"duplex": "full"}


def value(body: dict[str, Any], **options: Any) -> Fraction:
    result = solve(body, **options).result
    assert result.outcome == "optimal"
    return result.objective.value


def test_the_scatter_of_figure_2_of_rr_4872() -> None:
    solved = solve(figure_2())
    assert solved.result.objective.value == F(1, 2)
    assert solved.result.certificate.prices == {"s.send": F(1, 2)}
    assert solved.result.algorithmic_bandwidth == 1


def test_the_same_turned_round_gathers_as_fast() -> None:
    gather = body(turned_round(FIGURE_2), "gather", target="s", sources=["P0", "P1"])
    assert value(gather) == F(1, 2)


@pytest.mark.parametrize(
    ("ports", "expected"),
    [("one_port", F(1, 4)), ("multiport", F(1, 2)), ("send_or_receive", F(1, 8))],
)
def test_all_to_all_on_a_path(ports: str, expected: Fraction) -> None:
    """On A - B - C, both links carry two messages each way, and B sends four of these eight."""
    assert value(body("A>B 1, B>C 1", "all_to_all", ports=ports, members=FULL)) == expected


def test_a_triangle_of_one_port_processors_is_limited_by_its_odd_set() -> None:
    triangle = body("A>B 1, B>C 1, C>A 1", "all_to_all", ports="send_or_receive", members=FULL)
    solved = solve(triangle)
    assert solved.result.objective.value == F(1, 6)
    assert solved.result.certificate.prices == {"A--B--C.odd": F(1, 6)}


def test_cards_let_a_processor_send_two_messages_at_a_time() -> None:
    star = body("M>A 1, M>B 1", "scatter", source="M", targets=["A", "B"])
    assert value(star) == F(1, 2)
    star["problem"]["platform"]["processors"][0]["cards"] = 2
    assert value(star) == 1


def test_a_half_duplex_link_carries_both_directions_in_turn() -> None:
    pair = body("A>B 1", "all_to_all", members={"duplex": "half"})
    assert value(pair) == F(1, 2)


def test_messages_without_size_take_a_path_but_no_time() -> None:
    solved = solve(figure_2(sizes={"P1": 0}))
    assert solved.result.objective.value == 1
    assert {a.message for a in solved.result.allocations} == {"P0", "P1"}


def test_who_cannot_be_reached_is_named_with_all_that_is() -> None:
    for size in (1, 0):
        solved = solve(figure_2(targets=["P0", "P1", "s"], source="a", sizes={"P1": size}))
        assert solved.result.outcome == "infeasible"
        assert solved.result.certificate.type == "unreachable"
        assert solved.result.certificate.message in ("P1", "s")
        assert solved.result.certificate.processors == ["a", "P0"]


def test_what_cannot_come_home_is_told_from_where_it_begins() -> None:
    solved = solve(body("A>M 1, M>B 1", "gather", target="M", sources=["A", "B"]))
    assert solved.result.certificate.message == "B"
    assert solved.result.certificate.processors == ["B"]


def test_what_the_source_sends_to_itself_stays() -> None:
    solved = solve(figure_2(targets=["P0", "s", "P1"], sizes={"s": 7}))
    assert solved.result.objective.value == F(1, 2)
    assert [m.message for m in solved.result.messages] == ["P0", "P1"]
    assert (
        "what 's' sends to itself stays there: no message of the answer" in solved.result.warnings
    )


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive", "no_overlap"])
@pytest.mark.parametrize("whole", [True, False])
def test_every_message_has_as_many_instances_in_a_bounded_period(ports: str, whole: bool) -> None:
    uneven = figure_2(ports=ports, sizes={"P0": "7/5", "P1": "5/3"})
    best = value(uneven)
    for period in (5, 17, 100):
        schedule = solve(uneven, max_period=period, whole_files=whole).schedule
        counts = {"P0": F(0), "P1": F(0)}
        for allocation in schedule.allocations:
            counts[allocation.message] += allocation.instances_per_period
        assert set(counts.values()) == {schedule.instances_per_period}
        assert schedule.period <= period
        assert 1 - schedule.throughput / best <= F(1, period) / best


def test_a_short_period_is_as_good_as_the_exact_one_where_it_holds_an_instance() -> None:
    schedule = solve(figure_2(), max_period=3).schedule
    assert (schedule.period, schedule.instances_per_period) == (2, 1)
    assert schedule.loss == 0


def test_a_period_that_holds_nothing_says_how_long_one_instance_takes() -> None:
    solved = solve(figure_2(), max_period=1)
    assert solved.schedule.throughput == 0
    assert "no instance fits a period of 1: one of these allocations needs 2" in solved.result.notes
    assert solve(figure_2(), max_period=1, whole_files=True).schedule.throughput == 0
    assert solve(figure_2(ports="multiport"), max_period=1).schedule.throughput == 0


PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def mesh(ports: str = "one_port") -> dict[str, Any]:
    """An all-to-all over 12 links of prime times: 14 routes, and periods of many digits."""
    pairs = itertools.permutations("ABCD", 2)
    listed = ", ".join(f"{a}>{b} {p}" for (a, b), p in zip(pairs, PRIMES, strict=True))
    return body(listed, "all_to_all", ports=ports)


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive", "no_overlap"])
@pytest.mark.parametrize("whole", [True, False])
def test_long_periods_are_bounded_by_themselves_and_lose_little(ports: str, whole: bool) -> None:
    limits = Limits(max_period_digits=2)
    schedule = solve(mesh(ports), limits=limits, whole_files=whole).schedule
    assert schedule.bounded == "automatic"
    assert 0 < schedule.loss <= F(1, 50)


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive"])
@pytest.mark.parametrize(
    "options",
    [{}, {"max_period": 1000}, {"max_period": 1000, "whole_files": True}, {"whole_files": False}],
)
@pytest.mark.parametrize("most", [12, 17])
def test_no_more_transfers_are_listed_than_may_be(
    ports: str, options: dict[str, Any], most: int
) -> None:
    """Where what is sent is told as runs of links, each cargo is one."""
    solved = solve(mesh(ports), limits=Limits(max_slot_transfers=most), **options)
    counted = solved.schedule.counts
    assert ("cargo" in counted) >= (ports == "one_port")
    assert counted.get("cargo", counted["transfers"]) <= most
    if solved.schedule.throughput:
        assert most > 12
        counts: dict[str, Fraction] = {}
        for one in solved.schedule.allocations:
            counts[one.message] = counts.get(one.message, F(0)) + one.instances_per_period
        assert set(counts.values()) == {solved.schedule.instances_per_period}
    else:
        assert f"no schedule lists as few as {most} transfers" in solved.result.notes[-1]


@pytest.mark.parametrize("given", ["cards", "half-duplex links"])
@pytest.mark.parametrize("most", [14, 17, 20, 30])
def test_no_more_transfers_are_listed_where_links_have_to_be_interrupted(
    most: int, given: str
) -> None:
    asked = mesh()
    platform = asked["problem"]["platform"]
    if given == "cards":
        for processor in platform["processors"][:2]:
            processor["cards"] = 2
    else:
        ends = [("A", "B"), ("B", "C"), ("C", "A"), ("C", "D")]
        times = zip(ends, PRIMES, strict=False)
        platform["links"] = [
            {"source": a, "target": b, "unit_time": time, "duplex": "half"}
            for (a, b), time in times
        ]
    schedule = solve(asked, limits=Limits(max_slot_transfers=most)).schedule
    assert schedule.counts["cargo"] <= most


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive"])
def test_latencies_are_paid_by_grouping_periods(ports: str) -> None:
    slow = figure_2(ports=ports)
    for link in slow["problem"]["platform"]["links"]:
        link["latency"] = "1/10"
    schedule = solve(slow, latencies="paid").schedule
    assert schedule.grouping.periods > 1
    assert 0 < schedule.loss <= F(1, 100)


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive", "no_overlap"])
@pytest.mark.parametrize("operation", ["scatter", "gather", "all_to_all"])
def test_when_the_time_is_over_prices_still_prove_a_bound(ports: str, operation: str) -> None:
    listed = "s>a 1, s>b 1, a>P0 2/3, b>P0 4/3, b>P1 4/3"
    given: dict[str, dict[str, Any]] = {
        "scatter": {"source": "s", "targets": ["P0", "P1"]},
        "gather": {"target": "s", "sources": ["P0", "P1"]},
        "all_to_all": {"participants": ["s", "P0", "P1"]},
    }
    problem = body(listed, operation, ports=ports, members=FULL, **given[operation])
    best = value(problem)
    instance = CollectiveInstance.model_validate(problem["problem"])
    late = OutOfTime()
    late.duals = {("capacity", "s.send"): 0.5, ("kept", (0, 1)): 1.0}
    solution = solver_for("collective").best_without_solver(
        instance, Options(), Sizing("flows", {}), Control(30), late
    )
    result = solution.result
    assert result.objective is not None
    assert result.bound is not None
    assert 0 < result.objective.value <= best <= result.bound.value


def test_time_is_up_before_the_program_is_solved() -> None:
    solved = solve(figure_2(), seconds=0)
    assert solved.result.outcome in ("feasible", "optimal")
    assert solved.result.bound.exact
    assert solve(figure_2(source="a"), seconds=0).result.outcome == "infeasible"


def test_rates_of_more_digits_than_programs_read_are_rounded_to_the_safe_side() -> None:
    """The throughput is one over a sum of 90 times without a common denominator."""
    many = range(10**63, 10**63 + 90)
    star = ", ".join(f"s>T{i} {n + 1}/{n}" for i, n in enumerate(many))
    wide = body(
        f"{star}, s>a 1, s>b 1, a>U 60, a>T 40, b>T 100",
        "scatter",
        source="s",
        targets=["T", "U", *(f"T{i}" for i in range(90))],
    )
    result = solve(wide).result
    assert result.outcome == "feasible"
    assert ROUNDED in result.notes
    exact = 1 / (2 + sum(F(n + 1, n) for n in many))
    assert exact - F(1, 2**1000) < result.objective.value < exact < result.bound.value
    assert [a.message for a in result.allocations].count("T") == 2
    assert all(2**1024 % a.rate.denominator == 0 for a in result.allocations)


@pytest.mark.parametrize(("receivers", "told"), [(60, True), (80, False)])
def test_a_bandwidth_that_no_program_reads_is_left_out(receivers: int, told: bool) -> None:
    """It is a sum of sizes without a common denominator."""
    sizes = {f"T{i}": f"{10**63 + i + 1}/{10**63 + i}" for i in range(receivers)}
    star = ", ".join(f"s>{name} 1" for name in sizes)
    asked = body(star, "scatter", source="s", targets=[*sizes], sizes=sizes, ports="multiport")
    result = solve(asked).result
    data = result.objective.value * sum(map(F, sizes.values()))
    assert result.algorithmic_bandwidth == (data if told else None)
    assert (num_digits(data) > MAX_ANSWER_DIGITS) is not told


@pytest.mark.parametrize("ports", ["multiport", "one_port"])
def test_a_period_that_is_asked_to_the_last_digit_is_kept(ports: str) -> None:
    """Only the exact time of an instance fits; what is rounded up to a few digits does not."""
    third, half = (f"{n * (10**60 + 1)}/{10**60}" for n in (6, 3))
    diamond = f"s>a 1, s>b 1, a>t {third}, b>t {half}"
    both = body(diamond, "scatter", source="s", targets=["t", "a"], ports=ports)
    schedule = solve(both, max_period=half, whole_files=False).schedule
    assert (schedule.period, schedule.instances_per_period) == (F(half), 1)
