"""The line that names the bottleneck says what is true of a platform with twice of it."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate, SearchCertificate
from steadygrid.domain.job import Bound, Objective, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.report.bottleneck import bottleneck
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.limiter import Limiter, chief_limiter
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list
from steadygrid.submissions.submission import parse_submission
from tests.kinds.task_graph.test_single_port import ring
from tests.report.answers import figure_3, shared_link, star, submission

F = Fraction


def line(report: Report, width: int = 80) -> str | None:
    return bottleneck(report, width, UNICODE)


def solved(problem: dict[str, Any]) -> Report:
    asked = submission({"problem": problem})
    result, schedule = run(asked, Control(), Limits())
    assert isinstance(schedule, Schedule)
    return Report(asked, result, schedule)


def with_result(report: Report, **fields: Any) -> Report:
    return replace(report, result=report.result.model_copy(update=fields))


def test_the_highest_price_is_named_with_what_it_promises() -> None:
    assert line(figure_3()) == (
        "P4.compute, 100 % busy. The price says at most +48 % for twice its speed"
    )
    assert line(star([(1, 1), (1, 1)])) == (
        "M.send, 100 % busy. The price says at most +100 % for a second such port"
    )


def test_others_with_the_same_price_are_counted() -> None:
    prices = {f"P{i}.compute": F(1, 40) for i in (1, 2, 3)}
    report = with_result(figure_3(), certificate=DualityCertificate(prices=prices))
    assert str(line(report)).startswith("P1.compute (like 2 more), 100 % busy. The price says")


def test_lists_name_the_resource_on_which_most_hangs() -> None:
    report = figure_3()
    assert chief_limiter(report) == Limiter("processor:P4", "P4", 0)
    prices = {f"P{i}.compute": F(1, 40) for i in (1, 2, 3)}
    alike = with_result(report, certificate=DualityCertificate(prices=prices))
    assert chief_limiter(alike) == Limiter("processor:P1", "P1", 2)
    assert chief_limiter(with_result(report, objective=Objective.completion(F(1)))) is None


def test_lists_name_twins_as_the_table_of_resources_does() -> None:
    """Three equal workers limit. Where one of them does more, it is no twin of the others."""
    processors = [{"id": "M"}, *({"id": f"W{i}", "speed": 1} for i in range(1, 4))]
    links = [{"source": "M", "target": f"W{i}", "bandwidth": 99} for i in range(1, 4)]
    instance = {"kind": "master_worker", "platform": {"processors": processors, "links": links}}
    report = solved({**instance, "master": "M", "task": {"work": 1, "input_size": 1}})
    assert chief_limiter(report) == Limiter("processor:W1", "W1 … ×3", 0)
    assert resource_list(report).limiting[0].label == "W1 … ×3"
    busy = report.schedule
    assert busy is not None
    more = [
        one._replace(time=one.time * (2 if one.processor == "W2" else 1))
        for one in busy.computations
    ]
    apart = replace(report, found=replace(busy, computations=tuple(more)))
    assert chief_limiter(apart) == Limiter("processor:W1", "W1 … ×2", 0)
    assert [row.label for row in resource_list(apart).limiting] == ["W1 … ×2", "W2"]


def test_a_small_gain_is_rounded_up_too() -> None:
    prices = {"P1.compute": F(1, 1000)}
    report = with_result(figure_3(), certificate=DualityCertificate(prices=prices))
    small = with_result(report, objective=Objective.throughput(F(1, 999)))
    assert str(line(small)).endswith("at most +100 % for twice its speed")
    tiny = with_result(small, objective=Objective.throughput(F(1, 502)))
    assert str(line(tiny)).endswith("at most +0.4 % for twice its speed")


PLATFORM: dict[str, Any] = {
    "processors": [
        {"id": "store", "bandwidth_out": 6},
        {"id": "east", "speed": 1, "bandwidth_in": 4},
        {"id": "west", "speed": 3},
    ],
    "links": [
        {"source": "store", "target": "east", "bandwidth": 5, "media": ["hill_line"]},
        {"source": "east", "target": "west", "bandwidth": 2},
        {"source": "west", "target": "store", "bandwidth": 3, "duplex": "half"},
    ],
    "media": [{"id": "hill_line", "bandwidth": 4}],
}


def twice(path: tuple[Any, ...]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(PLATFORM))
    part: Any = document
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] *= 2
    return document


DOUBLED = {
    "east.compute": ("processors", 1, "speed"),
    "west.compute": ("processors", 2, "speed"),
    "store.out": ("processors", 0, "bandwidth_out"),
    "east.in": ("processors", 1, "bandwidth_in"),
    "hill_line.medium": ("media", 0, "bandwidth"),
    "store->east.link": ("links", 0, "bandwidth"),
    "east->store.link": ("links", 0, "bandwidth"),
    "east->west.link": ("links", 1, "bandwidth"),
    "west->east.link": ("links", 1, "bandwidth"),
    "store--west.half": ("links", 2, "bandwidth"),
}


@pytest.mark.parametrize("task", [{"work": 1, "input_size": 1}, {"work": 4, "input_size": 1},
                                  {"work": 1, "input_size": 2, "output_size": 3},
                                  {"work": 1, "input_size": 1, "output_size": 5}])  # fmt: skip
def test_no_resource_brings_more_than_its_price_says(task: dict[str, Any]) -> None:
    problem = {"kind": "master_worker", "platform": PLATFORM, "master": "store", "ports": "multiport",
               "task": task}  # fmt: skip
    report = solved(problem)
    prices = report.result.certificate.prices
    assert prices.keys() <= DOUBLED.keys()
    total = sum(prices.values(), F(0))
    for path in set(DOUBLED.values()):
        grown = solved(problem | {"platform": twice(path)}).result.objective
        assert grown is not None
        priced = [prices.get(r, F(0)) for r, place in DOUBLED.items() if place == path]
        assert grown.value <= total + sum(priced)
    first = min(prices, key=lambda r: (-prices[r], r))
    grown = solved(problem | {"platform": twice(DOUBLED[first])}).result.objective
    told = str(line(report))
    assert told.startswith(first.removesuffix(".medium"))
    promised = F(told.split("+")[1].split(" %")[0]) / 100
    assert grown is not None
    assert grown.value <= (1 + promised) * total


def test_both_directions_of_a_full_link_are_counted_and_one_of_a_simplex_one() -> None:
    prices = {"store->hub.link": F(1), "hub->store.link": F(1, 2)}
    report = with_result(shared_link(), certificate=DualityCertificate(prices=prices))
    assert str(line(report)).endswith("at most +100 % for twice its bandwidth")
    document = report.submission.document()
    document["problem"]["platform"]["links"][0]["duplex"] = "simplex"
    asked = parse_submission(document, Limits())
    simplex = replace(report, submission=asked, found=None)
    assert str(line(simplex)).endswith("at most +67 % for twice its bandwidth")


def test_a_second_link_between_switches_goes_in_both_directions_too() -> None:
    problem = {
        "kind": "master_worker",
        "platform": {
            "processors": [
                {"id": "A", "speed": 1},
                {"id": "s", "switch": True},
                {"id": "t", "switch": True},
                {"id": "B", "speed": 1},
            ],
            "links": [
                {"source": one, "target": other, "unit_time": 1}
                for one, other in ("As", "st", "tB")
            ],
        },
        "master": "A",
        "task": {"work": 1},
    }
    report = replace(figure_3(), submission=submission({"problem": problem}), found=None)
    prices = {"s->t.link": F(21, 80), "t->s.link": F(1, 8), "A.compute": F(11, 80)}
    report = with_result(report, certificate=DualityCertificate(prices=prices))
    assert line(report) == "s->t.link. The price says at most +74 % for a second such link"


def test_with_fixed_routes_a_faster_link_may_change_them() -> None:
    problem = dict(PROBLEMS["mono_allocation"].example["problem"])
    report = solved(problem)
    prices = {"camera->small.link": F(1, 6)}
    certificate = DualityCertificate(prices=prices)
    assert str(line(with_result(report, certificate=certificate))).endswith(
        "camera->small.link, 100 % busy. The price says at most +100 % for twice its bandwidth,"
        " if no route changes"
    )


def test_without_prices_what_is_always_busy_is_named() -> None:
    report = with_result(figure_3(), certificate=SearchCertificate())
    assert line(report) == "P1.compute, 100 % busy"
    problem = dict(PROBLEMS["mono_allocation"].example["problem"])
    report = with_result(solved(problem), certificate=SearchCertificate())
    assert line(report) == f"{report.result.bottleneck}, 100 % busy"  # type: ignore[attr-defined]
    assert line(replace(with_result(report, outcome=Outcome.BOUND_ONLY))) is None
    lossy = figure_3()
    assert lossy.schedule is not None
    slow = replace(lossy.schedule, period=lossy.schedule.period * 2)
    lossy = replace(with_result(lossy, certificate=SearchCertificate()), found=slow)
    assert line(lossy) is None


def test_a_bound_in_floating_point_promises_nothing() -> None:
    report = with_result(figure_3(), bound=Bound.from_value(F(21, 40), exact=False))
    assert line(report) == "P1.compute, 100 % busy"


def test_what_cannot_be_doubled_is_only_named() -> None:
    certificate = DualityCertificate(prices={"memory": F(1)})
    assert line(with_result(figure_3(), certificate=certificate)) == "memory"


def test_a_makespan_and_no_throughput_have_no_bottleneck() -> None:
    makespan = Objective(name="makespan", value=F(7, 2), approx=3.5)
    assert line(with_result(figure_3(), objective=makespan)) is None
    assert line(with_result(figure_3(), objective=None)) is None
    assert line(with_result(figure_3(), objective=Objective.throughput(F(0)))) is None


def test_an_odd_set_is_said_to_be_busy() -> None:
    """Three processors around a ring, of which one link at a time is in use."""
    report = solved(ring(3, "no_overlap")["problem"])
    assert report.occupation["P0--P1--P2.odd"] == 1
    assert report.occupation["P0.port"] == Fraction(2, 3)
    assert report.busy["P0.send"] == report.busy["P0.receive"] == Fraction(1, 3)
    assert line(report) == "P0--P1--P2.odd, 100 % busy"
