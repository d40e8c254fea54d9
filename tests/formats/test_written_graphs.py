"""Platforms in GraphML: read back by our reader and by networkx, with use and prices of answers."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import steadygrid as sg
from tests.tree import ROOT

FIGURE_3 = ROOT / "examples" / "rr4870-figure-3.json"


@pytest.fixture(scope="module")
def answer() -> "sg.Answer[Any]":
    return sg.solve(FIGURE_3, in_process=True)


def own() -> sg.Platform:
    return (
        sg.Platform.build('a "b" <c>')
        .processor("M & N")
        .processor("A", unit_time="1/3")
        .switch("S")
        .link("M & N", "S", bandwidth=3, latency="1/7")
        .link("A", "S", bandwidth="1/3")
        .done()
    )


@pytest.mark.filterwarnings("ignore::steadygrid.LossyFormatWarning")
def test_a_platform_that_is_read_back_is_the_same(tmp_path: Path) -> None:
    text = own().export("graphml", tmp_path / "own.graphml")
    assert (tmp_path / "own.graphml").read_text() == text
    again = sg.read_platform(tmp_path / "own.graphml")
    assert again.name == own().name
    assert [one.id for one in again.processors] == [one.id for one in own().processors]
    assert [one.switch for one in again.processors] == [False, False, True]
    assert [one.time_per_work for one in again.processors] == [None, Fraction(1, 3), None]
    assert again.links == own().links


def test_a_second_reader_finds_the_same_graph() -> None:
    found = nx.parse_graphml(own().export("graphml"))
    assert not found.is_directed()
    assert dict(found.nodes(data=True)) == {
        "M & N": {},
        "A": {"speed": "3"},
        "S": {"switch": True},
    }
    assert found.edges["M & N", "S"] == {"bandwidth": "3", "latency": "1/7"}


def test_an_answer_says_how_busy_each_part_is_and_what_it_is_worth(
    answer: "sg.Answer[Any]",
) -> None:
    found = nx.parse_graphml(answer.export("graphml"))
    platform = answer.submission.instance.platform
    work = answer.submission.instance.task.work
    busy = {name: Fraction(told["use"]) for name, told in found.nodes(data=True) if "use" in told}
    speeds = {one.id: one.time_per_work for one in platform.processors}
    assert busy == {
        name: rate * work * speeds[name] for name, rate in answer.result.computed.items()
    }
    size = answer.submission.instance.task.input_size
    times = {
        (platform.processors[arc.source].id, platform.processors[arc.target].id): arc.unit_time
        for arc in platform.arcs
    }
    used = {(a, b): Fraction(told["use"]) for a, b, told in found.edges(data=True) if "use" in told}
    assert used == {
        (one.source, one.target): one.rate * size * times[one.source, one.target]
        for one in answer.result.sent
    }
    prices = {
        f"{name}.{'compute' if key == 'price' else key.removeprefix('price_')}": Fraction(value)
        for name, told in found.nodes(data=True)
        for key, value in told.items()
        if key.startswith("price")
    }
    assert prices == answer.prices


@pytest.mark.filterwarnings("ignore::steadygrid.LossyFormatWarning")
def test_the_platform_of_an_answer_is_the_one_that_was_asked(
    answer: "sg.Answer[Any]", tmp_path: Path
) -> None:
    answer.export("graphml", tmp_path / "answer.graphml")
    again = sg.read_platform(tmp_path / "answer.graphml")
    body = {**answer.instance["problem"], "platform": again}
    assert sg.solve(body, in_process=True).objective == answer.objective == Fraction(21, 40)


def test_what_it_cannot_say_is_refused() -> None:
    shared = sg.Platform.build().processor("A", memory=3).done()
    with pytest.raises(sg.InstanceError, match="memory of processor 'A'"):
        shared.export("graphml")
    with pytest.raises(sg.InstanceError, match="the format is one of") as caught:
        shared.export("graphlm")
    assert caught.value.faults[0].code == "unknown_format"
    cell = sg.solve(sg.problems()["cell"].example, in_process=True)
    with pytest.raises(sg.InstanceError) as caught:
        cell.export("graphml")
    assert caught.value.faults[0].code in ("not_in_format", "not_periodic")
