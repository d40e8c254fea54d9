"""Lanes of schedules: the time for which each resource is busy, and when."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from steadygrid.domain.timetable import Firing, Row, Timetable, occurrences
from steadygrid.report import lanes
from steadygrid.report.bars import cut_bars
from steadygrid.report.lanes import (
    Lanes,
    lanes_of,
)
from tests.pictures.reports import example
from tests.pictures.schedules import DRAWN

F = Fraction
ONCE = {name for name in DRAWN if name.startswith("divisible")}
PERIODIC = [
    one for one in DRAWN if one not in {*ONCE, "replicated-workflow", "dataflow-two-actors"}
]


def gathered(name: str) -> Lanes:
    found = lanes_of(example(name))
    assert found is not None
    return found


def busy(found: Lanes) -> dict[str, Fraction]:
    sums: dict[str, Fraction] = {}
    for lane in found.lanes:
        for bar in lane.bars:
            sums[lane.resource] = sums.get(lane.resource, F(0)) + bar.busy
    return sums


@pytest.mark.parametrize("name", PERIODIC)
def test_lanes_are_busy_as_long_as_the_allocations_say(name: str) -> None:
    report, drawn = example(name), gathered(name)
    schedule, platform = report.schedule, report.platform
    assert schedule is not None
    found = busy(drawn)
    if platform is None:
        assert set(found) == {f"{c.processor}.compute" for c in schedule.computations}
        return
    cards = {p.id: p.num_pooled for p in platform.processors}
    latency = schedule.grouping is not None
    for resource, time in found.items():
        owner, _, _ = resource.partition(".")
        share = report.occupation[resource] * schedule.period * cards.get(owner, 1)
        assert time >= share if latency else time == share, resource
    ports = (".compute", ".send", ".receive", ".port")
    expected = {one for one in report.occupation if one.endswith(ports)}
    if schedule.ports == "multiport":
        expected |= {one for one in report.occupation if one.endswith((".link", ".half"))}
    assert expected <= set(found)


def test_a_transfer_that_pays_its_latency_takes_that_much_longer() -> None:
    """Every link of the example takes 1 s to start."""
    report, found = (
        example("rr4870-figure-3-latencies"),
        busy(gathered("rr4870-figure-3-latencies")),
    )
    schedule = report.schedule
    assert schedule is not None
    hops = [hop for slot in schedule.slots for hop in slot.transfers]
    for resource, time in found.items():
        owner, _, port = resource.partition(".")
        started = sum(
            (port == "send" and hop.sender == owner)
            or (port == "receive" and hop.receiver == owner)
            for hop in hops
        )
        assert time == report.occupation[resource] * schedule.period + started, resource
    assert {"P1.send", "P4.receive"} <= set(found)


@pytest.mark.parametrize("name", DRAWN)
def test_bars_of_a_lane_follow_each_other_within_what_is_shown(name: str) -> None:
    drawn = gathered(name)
    assert len({(lane.resource, lane.track) for lane in drawn.lanes}) == len(drawn.lanes)
    for lane in drawn.lanes:
        assert all(one.end <= two.start for one, two in pairwise(lane.bars)), lane.resource
        for bar in lane.bars:
            assert bar.end > drawn.begin
            assert bar.start < drawn.end
            assert 0 < bar.busy <= bar.end - bar.start
            assert drawn.shares or bar.busy == bar.end - bar.start


@pytest.mark.parametrize("name", PERIODIC)
def test_of_a_window_all_lanes_are_known_and_no_slots_elsewhere_are_needed(name: str) -> None:
    report, whole = example(name), gathered(name)
    schedule = report.schedule
    assert schedule is not None
    for third in range(3):
        begin, end = third * schedule.period / 3, (third + 1) * schedule.period / 3
        slots = [s for s in schedule.slots if s.start < end and s.start + s.duration > begin]
        found = lanes_of(replace(report, found=replace(schedule, slots=tuple(slots))), begin, end)
        assert found is not None
        assert {lane.resource for lane in found.lanes} == {lane.resource for lane in whole.lanes}
        assert all(bar.start < end and bar.end > begin for x in found.lanes for bar in x.bars)
        cut = [
            one._replace(
                lanes=tuple(
                    replace(lane, bars=tuple(cut_bars(lane.bars, begin, end))) for lane in one.lanes
                )
            )
            for one in (found, whole)
        ]
        expected = {resource: time for resource, time in busy(cut[1]).items() if time}
        assert busy(cut[0]) == expected


def test_what_is_sent_is_received_at_the_same_time() -> None:
    lanes = {lane.resource: lane.bars for lane in gathered("rr4870-figure-3").lanes}
    assert list(lanes)[:4] == ["P1.compute", "P1.send", "P2.receive", "P2.compute"]
    for bar in lanes["P1.send"]:
        (other,) = bar.whom
        got = [one for one in lanes[f"{other}.receive"] if one.start == bar.start]
        assert [(one.end, one.count, one.whom) for one in got] == [(bar.end, bar.count, ("P1",))]
    assert sum((bar.count or 0 for bar in lanes["P1.compute"]), F(0)) == 1


def test_a_port_for_everything_is_one_lane() -> None:
    resources = [lane.resource for lane in gathered("triangle-no-overlap").lanes]
    assert resources == ["A.port", "B.port", "C.port"]
    halves = [lane.resource for lane in gathered("triangle-one-allocation").lanes]
    assert halves == ["A.port", "A.compute", "B.port", "B.compute"]


def test_cards_have_lanes_of_their_own() -> None:
    named = [
        (lane.owners[0], lane.word) for lane in gathered("file-server-two-cards").lanes
        if lane.owners[0] in ("store", "gateway")
    ]  # fmt: skip
    assert named == [
        ("store", "send 1"),
        ("store", "send 2"),
        ("gateway", "lan receive"),
        ("gateway", "wan send"),
    ]


def test_under_multiport_links_carry_shares() -> None:
    drawn = gathered("shared-wide-area-link")
    assert drawn.shares
    (wan,) = (lane for lane in drawn.lanes if lane.resource == "store->lab.link")
    (bar,) = wan.bars
    assert (bar.start, bar.end, bar.busy, bar.count) == (0, F(15, 2), F(92, 25), 46)


def test_a_timeline_is_whole() -> None:
    report = example("divisible-loads-on-a-chain")
    drawn, timeline = gathered("divisible-loads-on-a-chain"), report.timeline
    assert timeline is not None
    assert (drawn.begin, drawn.end) == (0, timeline.makespan)
    events = [e for e in timeline.events if e.end > e.start]
    computed = sum((e.end - e.start for e in events if isinstance(e.place, str)), F(0))
    sent = sum((e.end - e.start for e in events if not isinstance(e.place, str)), F(0))
    assert sum(busy(drawn).values()) == computed + 2 * sent


def test_results_that_come_back_are_called_so() -> None:
    drawn = gathered("divisible-load-on-a-tree-with-results")
    words = {bar.what for lane in drawn.lanes for bar in lane.bars if bar.doing != "compute"}
    assert any(word.startswith("result of ") for word in words)


@pytest.mark.parametrize("name", ["replicated-workflow", "dataflow-two-actors"])
def test_a_timetable_is_drawn_where_everything_has_begun(name: str) -> None:
    report, drawn = example(name), gathered(name)
    timetable = report.timetable
    assert timetable is not None
    assert drawn.begin >= max(row.start for row in timetable.rows)
    one_actor = [row for row in timetable.rows if row.time]
    expected = F(0)
    for one in occurrences(one_actor, drawn.begin, drawn.end):
        row = one_actor[one.row]
        expected += row.time if len(row.operation) == 2 else 2 * row.time
    assert sum(busy(drawn).values()) == expected


def test_the_first_data_sets_can_be_asked_for() -> None:
    found = lanes_of(example("replicated-workflow"), F(-3), F(100))
    assert found is not None
    assert (found.begin, found.end) == (0, 100)
    assert {bar.number for bar in found.lanes[0].bars} == {0}


def test_firings_at_the_same_time_have_lanes_side_by_side() -> None:
    rows = tuple(Row(Firing("a", 1), i, 3, F(i), F(3), F(3)) for i in range(3))
    found = lanes_of(replace(example("dataflow-two-actors"), found=Timetable(None, F(3), 3, rows)))
    assert found is not None
    assert [(lane.resource, lane.word) for lane in found.lanes] == [
        ("a", "1"),
        ("a", "2"),
        ("a", "3"),
    ]


def test_a_window_that_is_too_long_ends_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_STARTS", 60)
    rows = (Row(Firing("a", 1), 0, 1, F(0), F(1), F(1)),)
    report = replace(example("dataflow-two-actors"), found=Timetable(None, F(1), 1, rows))
    found = lanes_of(report, F(0), F(10**12))
    assert found is not None
    assert (found.end, found.complete) == (60, False)


@pytest.mark.parametrize("name", DRAWN)
def test_lanes_of_some_owners_are_the_same_as_among_all(name: str) -> None:
    whole = [lane for lane in gathered(name).lanes if lane.port != "link"]
    for owner in {lane.owners[0] for lane in whole}:
        found = lanes_of(example(name), owners={owner})
        assert found is not None
        assert list(found.lanes) == [lane for lane in whole if lane.owners == (owner,)]


def test_nothing_is_drawn_without_a_schedule() -> None:
    assert lanes_of(replace(example("rr4870-figure-3"), found=None)) is None
