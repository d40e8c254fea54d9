"""What is refused, where, and with which remedy."""

from typing import Any

import pytest

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission, size_submission
from tests.problems.collective.bodies import body, figure_2

FULL = {"duplex": "full"}


def faults(problem: dict[str, Any], **options: Any) -> list[Fault]:
    try:
        parse_submission({**problem, "options": options}, Limits())
    except InstanceError as error:
        return list(error.faults)
    return []


def everybody(**problem: Any) -> dict[str, Any]:
    return body("A>B 1, B>C 1", "all_to_all", **({"members": FULL} | problem))


def gather(**problem: Any) -> dict[str, Any]:
    return body("A>B 1, B>C 1", "gather", **({"target": "C", "sources": ["A"]} | problem))


def sizes(*pairs: str) -> list[dict[str, Any]]:
    return [{"source": pair[0], "target": pair[1], "size": 1} for pair in pairs]


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    (figure_2(source=None), "source", "missing_field", "a scatter needs source and targets"),
    (figure_2(targets=None), "targets", "missing_field", "a scatter needs source and targets"),
    (gather(target=None), "target", "missing_field", "a gather needs sources and target"),
    (gather(sources=None), "sources", "missing_field", "a gather needs sources and target"),
    (figure_2(target="a"), "target", "field_not_applicable", "a scatter has no target, it has source, targets, sizes: leave it out"),
    (figure_2(sources=["a"]), "sources", "field_not_applicable", "leave it out"),
    (figure_2(participants=["a"]), "participants", "field_not_applicable", "leave it out"),
    (figure_2(pair_sizes=[]), "pair_sizes", "field_not_applicable", "leave it out"),
    (everybody(source="A"), "source", "field_not_applicable", "an all_to_all has no source, it has participants, pair_sizes"),
    (everybody(sizes={"A": 1}), "sizes", "field_not_applicable", "leave it out"),
    (figure_2(source="x"), "source", "unknown_processor", "there is no processor 'x'"),
    (figure_2(targets=["P0", "P2"]), "targets/1", "unknown_processor", "there is no processor 'P2'"),
    (body("A>B 1, B>C 1", "scatter", switches="B", source="A", targets=["B"]), "targets/0", "switch_takes_part", "'B' is a switch, which only forwards: name the processor behind it"),
    (figure_2(targets=["P0", "P0"]), "targets/1", "duplicate_participant", "'P0' is named already: name it once"),
    (figure_2(targets=[]), "targets", "too_few_participants", "name at least one of the targets"),
    (gather(sources=[]), "sources", "too_few_participants", "name at least one of the sources"),
    (everybody(participants=["A"]), "participants", "too_few_participants", "name at least two participants"),
    (body("A>B 1", "all_to_all", switches="B"), "participants", "too_few_participants", "fewer than two processors that are no switches"),
    (figure_2(sizes={"a": 1}), "sizes/a", "not_a_participant", "no message is named 'a': leave its size out, or name it in targets"),
    (figure_2(sizes={"s": 1}), "sizes/s", "not_a_participant", "name it in targets"),
    (gather(sizes={"B": 1}), "sizes/B", "not_a_participant", "name it in sources"),
    (everybody(participants=["A", "B"], pair_sizes=sizes("AC")), "pair_sizes/0/target", "not_a_participant", "'C' takes no part: leave this out, or name it in participants"),
    (everybody(participants=["A", "B"], pair_sizes=sizes("CA")), "pair_sizes/0/source", "not_a_participant", "'C' takes no part"),
    (everybody(pair_sizes=sizes("AA")), "pair_sizes/0", "not_a_participant", "does not move"),
    (everybody(pair_sizes=sizes("AB", "AB")), "pair_sizes/1", "duplicate_participant", "name the pair once"),
    (figure_2(size=0), "", "unbounded_throughput", "give at least one message, to somebody else, a size above 0"),
    (figure_2(targets=["s"]), "", "unbounded_throughput", "to somebody else"),
    (body("A>B 1, B>C 1, C>A 1", "all_to_all", members={"duplex": "half"}), "platform/links/0/duplex", "half_duplex_in_cycle", 'use "ports": "multiport", or "duplex": "full"'),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "place", "code", "remedy"), REFUSED)
def test_it_is_refused_at_its_place_with_a_remedy(
    problem: dict[str, Any], place: str, code: str, remedy: str
) -> None:
    problem["problem"] = {k: v for k, v in problem["problem"].items() if v is not None}
    found = faults(problem)
    assert [("/".join(map(str, f.pointer[1:])), f.code) for f in found] == [(place, code)]
    assert remedy in found[0].detail


def test_too_many_messages_are_refused() -> None:
    crowd = {"processors": [{"id": f"P{i}"} for i in range(318)], "links": []}
    problem = {"problem": {"kind": "collective", "operation": "all_to_all", "platform": crowd}}
    assert [(f.pointer[-1], f.code) for f in faults(problem)] == [
        ("participants", "too_many_messages")
    ]


def test_the_platform_is_asked_too() -> None:
    shared = figure_2()
    shared["problem"]["platform"]["media"] = [{"id": "M", "bandwidth": 1}]
    shared["problem"]["platform"]["links"][0]["media"] = ["M"]
    assert [f.code for f in faults(shared)] == ["media_need_multiport"]
    carded = figure_2(ports="multiport")
    carded["problem"]["platform"]["processors"][0]["cards"] = 2
    assert [f.code for f in faults(carded)] == ["cards_not_applicable"]
    assert [f.code for f in faults(figure_2(), latencies="paid", max_period=7)] == [
        "options_disagree"
    ]


def test_half_duplex_links_of_another_part_with_a_tree_are_not_refused() -> None:
    cycle = body("A>B 1, B>C 1, C>A 1", "all_to_all", participants=["A", "B"], members=FULL)
    platform = cycle["problem"]["platform"]
    platform["processors"] += [{"id": "X"}, {"id": "Y"}]
    platform["links"].append({"source": "X", "target": "Y", "unit_time": 1, "duplex": "half"})
    assert faults(cycle) == []
    platform["links"].append({"source": "X", "target": "A", "unit_time": 1})
    assert [f.code for f in faults(cycle)] == ["half_duplex_in_cycle"]


def test_the_size_of_the_program_is_counted() -> None:
    submission = parse_submission(figure_2(), Limits())
    assert submission.requires == 2
    sizing = size_submission(submission, Limits())
    assert sizing.method == "flows"
    assert sizing.sizes == {
        "participants": 3,
        "messages": 2,
        "hops": 5,
        "variables": 6,
        "constraints": 11,
        "coefficients": 22,
    }
    gathered = size_submission(parse_submission(gather(sources=["A", "B"]), Limits()), Limits())
    assert gathered.sizes["variables"] == 3


def test_what_is_given_in_vain_is_named() -> None:
    routed = figure_2()
    routed["problem"]["platform"]["routes"] = [{"source": "s", "target": "P0", "via": ["a"]}]
    warnings = size_submission(parse_submission(routed, Limits()), Limits()).warnings
    assert warnings == (
        "routes are not used: messages take the ways that are best for all together",
    )
