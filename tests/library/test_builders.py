"""Platforms, applications and questions that are put together in Python, and how they are shown."""

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

import steadygrid as sg
from steadygrid.kinds import PROBLEMS
from tests.library import question_writer

HALF = Fraction(1, 2)


def lab() -> sg.Platform:
    return (
        sg.Platform.build("lab")
        .processor("M")
        .processor("A", speed=HALF)
        .switch("S")
        .link("M", "S", bandwidth=3, latency="1/7")
        .link("S", "A", unit_time=2.5)
        .done()
    )


def diamond() -> sg.Application:
    return (
        sg.Application.build("pair")
        .task("a", work=1)
        .task("b", work="3/2")
        .file("a", "b", 2)
        .done()
    )


def test_a_platform_is_built_of_its_parts() -> None:
    built = (
        sg.Platform.build("lab")
        .units(time="s")
        .processor("M", speed=1)
        .processor("A")
        .processor("B")
        .link("M", "A", bandwidth=3, media=["bus"])
        .link("A", "B", unit_time=Fraction(1, 3))
        .medium("bus", 4)
        .route("M", "B", via=["A"])
        .done()
    )
    again = sg.Platform.model_validate_json(built.to_json())
    assert again == built
    assert built.units.time == "s"
    assert [one.id for one in built.processors] == ["M", "A", "B"]
    assert built.links[0].media == ("bus",)
    assert built.links[1].unit_time == Fraction(1, 3)
    assert built.media[0].bandwidth == 4
    assert built.routes[0].path == ("M", "A", "B")


def test_a_step_of_a_builder_leaves_the_one_before_as_it_was() -> None:
    begun = sg.Platform.build().processor("A")
    begun.processor("B")
    assert [one.id for one in begun.done().processors] == ["A"]


def test_a_wrong_part_is_told_with_its_place() -> None:
    begun = sg.Platform.build().processor("A").link("A", "B", bandwidth=1)
    with pytest.raises(sg.InstanceError) as caught:
        begun.done()
    assert caught.value.faults[0].pointer == ("links", 0, "target")
    with pytest.raises(sg.InstanceError) as caught:
        sg.Platform.build().processor("A", sped=1).done()
    assert caught.value.faults[0].pointer == ("processors", 0, "sped")


@pytest.mark.filterwarnings("ignore::steadygrid.LossyFormatWarning")
@pytest.mark.parametrize("simplex", [False, True])
def test_a_platform_of_a_graph_is_the_one_that_was_written(simplex: bool) -> None:
    platform = lab()
    if simplex:
        one = platform.links[0].model_copy(update={"duplex": "simplex"})
        platform = platform.model_copy(update={"links": (one, *platform.links[1:])})
    graph = platform.to_networkx()
    assert isinstance(graph, nx.DiGraph) is simplex
    again = sg.Platform.from_networkx(graph)
    assert again.name == platform.name
    assert again.processors == platform.processors

    def directions(one: sg.Platform) -> set[tuple[str, str, Fraction, Fraction]]:
        named = [processor.id for processor in one.processors]
        return {
            (named[a.source], named[a.target], a.unit_time, one.links[a.link].latency)
            for a in one.arcs
        }

    assert directions(again) == directions(platform)


def test_an_application_of_a_graph_is_the_one_that_was_written() -> None:
    assert sg.Application.from_networkx(diamond().to_networkx()) == diamond()


@pytest.mark.parametrize(
    ("update", "told"),
    [
        ({"duplex": "half"}, "half duplex of the link from 'M' to 'S'"),
        ({"media": ("bus",)}, "media of the link from 'M' to 'S'"),
    ],
)
def test_what_a_graph_cannot_say_is_refused(update: dict[str, Any], told: str) -> None:
    platform = lab()
    one = platform.links[0].model_copy(update=update)
    with pytest.raises(sg.InstanceError, match=told) as caught:
        platform.model_copy(update={"links": (one,)}).to_networkx()
    assert caught.value.faults[0].code == "not_in_format"


def test_objects_are_shown_in_a_line() -> None:
    many = sg.Platform.build("x" * 200)
    for number in range(12):
        many = many.processor(f"<b>{number}")
    platform = many.done()
    assert repr(lab()) == "Platform('lab': 3 processors, 2 links)"
    assert repr(diamond()) == "Application('pair': 2 tasks, 1 file)"
    assert len(repr(platform)) <= 200
    shown = platform._repr_html_()
    assert shown.count("<tr>") == 11
    assert "<b>" not in shown
    assert "2 more" in shown
    asked = sg.master_worker(platform, master="M", work=1)
    assert len(repr(asked)) <= 200
    assert "\n" not in repr(asked)


def test_results_and_submissions_are_shown_in_a_line() -> None:
    answer = sg.solve(
        sg.master_worker(lab(), master="M", work=1, ports="multiport"), in_process=True
    )
    assert str(answer.result) == "MasterWorkerResult(optimal, throughput 2/5, verified)"
    assert repr(answer.submission) == "Submission('master_worker')"


def test_every_kind_has_a_function_as_its_script_writes_it() -> None:
    assert question_writer.PATH.read_text(encoding="utf-8") == question_writer.written()


@pytest.mark.parametrize("kind", question_writer.BUILT_IN)
def test_a_question_is_the_body_that_its_function_was_told(kind: str) -> None:
    problem = PROBLEMS[kind]
    members = {k: v for k, v in problem.example["problem"].items() if k != "kind"}
    spread = members.pop(question_writer.SPREAD.get(kind, ""), {})
    first = next(name for name in problem.instance.model_fields if name != "kind")
    given = {**members, **spread}
    question = getattr(sg, kind)(given.pop(first, None), **given)
    assert dict(question) == problem.example["problem"]
    assert question.replace(method="lp")["method"] == "lp"
    assert "method" not in question.replace(method=None)
