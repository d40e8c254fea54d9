"""How busy resources are, against what answers say of themselves."""

from fractions import Fraction
from functools import cache

import pytest

import steadygrid
from steadygrid.domain.platform import Platform
from steadygrid.pictures.house_style import BUSY_CLASSES
from steadygrid.pictures.occupation import busy_class
from steadygrid.report.occupation import occupation_of, prices_of, resources_of
from steadygrid.report.report import Report
from tests.report.answers import figure_3, shared_link
from tests.tree import ROOT

F = Fraction
PERIODIC = (
    "rr4870-figure-9",
    "rr4872-figure-2-scatter",
    "triangle-no-overlap",
    "file-server-two-cards",
    "bags-of-uniform-tasks",
    "shared-wide-area-link",
)


@cache
def answer(example: str) -> Report:
    found = steadygrid.solve(ROOT / "examples" / f"{example}.json", in_process=True)
    return Report(found.submission, found.result, found.schedule)


def shares(report: Report) -> dict[str, Fraction]:
    found = occupation_of(report)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (F(0), 0),
        (F(1, 10**40), 1),
        (F(1, 2) - F(1, 10**40), 1),
        (F(1, 2), 2),
        (F(9, 10), 2),
        (F(9, 10) + F(1, 10**40), 3),
        (1 - F(1, 10**40), 3),
        (F(1), 4),
    ],
)
def test_classes_are_told_apart_exactly(share: Fraction, expected: int) -> None:
    assert busy_class(share) == BUSY_CLASSES[expected]


def test_figure_3_computes_always_and_sends_as_figure_4_says() -> None:
    assert shares(figure_3()) == {
        **{f"P{i}.compute": F(1) for i in range(1, 5)},
        "P1.send": F(1),
        "P2.receive": F(1, 4),
        "P3.receive": F(3, 4),
        "P3.send": F(1, 2),
        "P4.receive": F(1, 2),
        "P1->P2.link": F(1, 4),
        "P1->P3.link": F(3, 4),
        "P3->P4.link": F(1, 2),
    }
    assert prices_of(figure_3()) == {
        "P1.compute": F(1, 40),
        "P2.compute": F(1, 8),
        "P3.compute": F(1, 8),
        "P4.compute": F(1, 4),
    }


def test_constant_rates_fill_links_in_both_directions_media_and_bandwidths() -> None:
    assert shares(shared_link()) == {
        "east.compute": F(1),
        "west.compute": F(1),
        "store->hub.link": F(9, 16),
        "hub->store.link": F(3, 16),
        "hub->east.link": F(3, 5),
        "east->hub.link": F(1, 5),
        "hub--west.half": F(2, 5),
        "store.out": F(9, 20),
        "wan.medium": F(1),
    }


@pytest.mark.parametrize("example", PERIODIC)
def test_what_limits_is_as_busy_as_the_summary_says(example: str) -> None:
    report = answer(example)
    found = shares(report)
    assert report.occupation
    assert {name: found[name] for name in report.occupation} == report.occupation


@pytest.mark.parametrize("example", [*PERIODIC[:3], "replicated-workflow"])
def test_a_port_is_busy_for_as_long_as_all_its_links_together(example: str) -> None:
    """Where no processor has several cards."""
    report = answer(example)
    found, platform = shares(report), report.platform
    assert platform is not None
    compared = 0
    for processor in platform.processors:
        for end, what in (("source", "send"), ("target", "receive")):
            total = F(0)
            for way in resources_of(platform, "one_port"):
                mine = dict(zip(("source", "target"), way.ends, strict=False))
                if way.what == "link" and mine[end] == processor.id:
                    total += found.get(way.name, F(0))
            if not any(link.duplex == "half" for link in platform.links):
                assert found.get(f"{processor.id}.{what}", F(0)) == total
                compared += bool(total)
    assert compared


def test_a_timetable_keeps_busy_for_what_a_data_set_takes() -> None:
    report = answer("replicated-workflow")
    assert report.timetable is not None
    found = shares(report)
    told = {
        name: time * report.timetable.throughput for name, time in report.view.occupation.items()
    }
    assert any(told.values())
    assert {name: found.get(name, 0) for name in told} == told


@pytest.mark.parametrize("example", ["divisible-loads-on-a-chain", "divisible-load-on-a-star"])
def test_a_schedule_that_runs_once_is_measured_until_all_is_done(example: str) -> None:
    report = answer(example)
    assert report.timeline is not None
    told = {
        f"{idle.processor}.compute": idle.computing / report.timeline.makespan
        for idle in report.result.idle  # type: ignore[attr-defined]
    }
    found = shares(report)
    assert any(told.values())
    assert {name: share for name, share in told.items() if share} == {
        name: share for name, share in found.items() if name.endswith(".compute")
    }
    assert max(found.values()) <= 1


@pytest.mark.parametrize(
    "example", [*PERIODIC, "replicated-workflow", "divisible-loads-on-a-chain"]
)
def test_all_that_is_busy_is_listed_once(example: str) -> None:
    report = answer(example)
    assert report.platform is not None
    found = shares(report)
    listed = [one.name for one in resources_of(report.platform, report.ports, found)]
    assert len(set(listed)) == len(listed)
    assert set(found) <= set(listed)


def test_nothing_is_known_without_a_schedule_or_a_platform() -> None:
    assert occupation_of(answer("bags-on-demand")) is None
    assert occupation_of(answer("dataflow-two-actors")) is None


def named_cards() -> Platform:
    body = {
        "processors": [{"id": "A", "cards": ["x", "y"]}, {"id": "B", "speed": 1}, {"id": "C"}],
        "links": [
            {"source": "A", "target": "B", "bandwidth": 1, "source_card": "x"},
            {"source": "A", "target": "C", "bandwidth": 1, "source_card": "y", "duplex": "simplex"},
        ],
    }
    return Platform.model_validate(body)


@pytest.mark.parametrize(
    ("ports", "own"),
    [
        ("one_port", ["A--x.send", "A--x.receive", "A--y.send", "A--y.receive", "B.compute"]),
        ("multiport", ["B.compute", "A->B.link", "B->A.link", "A->C.link"]),
    ],
)
def test_cards_are_ports_of_their_own(ports: str, own: list[str]) -> None:
    listed = [one.name for one in resources_of(named_cards(), ports)]
    assert listed[: len(own)] == own


def test_a_strict_port_is_busy_with_all_that_it_sends_and_receives() -> None:
    """In the example of results that come back, M is at work for all but the end of one worker."""
    report = answer("divisible-load-with-results")
    assert report.platform is not None
    busy = occupation_of(report) or {}
    ports = {
        one.ends[0] for one in resources_of(report.platform, report.ports) if one.what == "port"
    }
    assert ports == {"M", "P1", "P2", "P3"}
    for owner in ports:
        spent = busy.get(f"{owner}.send", 0) + busy.get(f"{owner}.receive", 0)
        assert busy[f"{owner}.port"] == spent > 0
    assert busy["M.port"] == sum(busy[f"{owner}.port"] for owner in ("P1", "P2", "P3")) < 1
