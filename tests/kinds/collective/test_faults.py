"""What is refused, where, and with which remedy."""

from typing import Any

import pytest

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.collective import referee_bounds
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.sizing import (
    CHEAPER,
    MOST_ENTRIES,
    sizing,
    steiner_entries,
    table_fits,
)
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.collective.bodies import body, figure_2, turned_round

FULL = {"duplex": "full"}


def faults(problem: dict[str, Any], **options: Any) -> list[Fault]:
    try:
        parse_submission({**problem, "options": options}, Limits())
    except InstanceError as error:
        return list(error.faults)
    return []


def all_to_all(**problem: Any) -> dict[str, Any]:
    return body("A>B 1, B>C 1", "all_to_all", **({"members": FULL} | problem))


def gather(**problem: Any) -> dict[str, Any]:
    return body("A>B 1, B>C 1", "gather", **({"target": "C", "sources": ["A"]} | problem))


def cast(operation: str, **problem: Any) -> dict[str, Any]:
    """Let A send to the others; what operations of participants do not have is left out."""
    return body("A>B 1, B>C 1, B>D 1", operation, **({"members": FULL, "source": "A"} | problem))


def together(operation: str, **problem: Any) -> dict[str, Any]:
    return body("A>B 1, B>C 1, B>D 1", operation, **({"members": FULL} | problem))


def reduction(switches: str = "", **combine: Any) -> dict[str, Any]:
    return together("reduce", target="A", switches=switches, combine=combine)


def wide(operation: str, **problem: Any) -> dict[str, Any]:
    """A switch S with 3 in and 4 out; turned round for reductions."""
    rays = "A>S 1/3, B>A 1, C>A 1, S>B 1/2, S>C 1/2"
    if operation in ("reduce", "reduce_scatter"):
        rays = turned_round(rays)
    problem.setdefault("ports", "multiport")
    return body(rays, operation, switches="S", **problem)


def limited(place: str, value: Any, problem: dict[str, Any]) -> dict[str, Any]:
    part, i, member = place.split("/")
    problem["problem"]["platform"][part][int(i)][member] = value
    return problem


def sharing(problem: dict[str, Any]) -> dict[str, Any]:
    problem["problem"]["platform"]["media"] = [{"id": "M", "bandwidth": 1}]
    return limited("links/0/media", ["M"], problem)


def sizes(*pairs: str) -> list[dict[str, Any]]:
    return [{"source": pair[0], "target": pair[1], "size": 1} for pair in pairs]


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    (figure_2(source=None), "source", "missing_field", "a scatter needs source and targets"),
    (figure_2(targets=None), "targets", "missing_field", "a scatter needs source and targets"),
    (gather(target=None), "target", "missing_field", "a gather needs sources and target"),
    (gather(sources=None), "sources", "missing_field", "a gather needs sources and target"),
    (figure_2(target="a"), "target", "field_not_applicable", "leave out `target`: a scatter takes source, targets, sizes"),
    (figure_2(sources=["a"]), "sources", "field_not_applicable", "leave out `"),
    (figure_2(participants=["a"]), "participants", "field_not_applicable", "leave out `"),
    (figure_2(pair_sizes=[]), "pair_sizes", "field_not_applicable", "leave out `"),
    (all_to_all(source="A"), "source", "field_not_applicable", "leave out `source`: an all_to_all takes participants, pair_sizes"),
    (all_to_all(sizes={"A": 1}), "sizes", "field_not_applicable", "leave out `"),
    (figure_2(source="x"), "source", "unknown_processor", "there is no processor 'x'"),
    (figure_2(targets=["P0", "P2"]), "targets/1", "unknown_processor", "there is no processor 'P2'"),
    (body("A>B 1, B>C 1", "scatter", switches="B", source="A", targets=["B"]), "targets/0", "switch_takes_part", "'B' is a switch, which only forwards: name the processor behind it"),
    (figure_2(targets=["P0", "P0"]), "targets/1", "duplicate_participant", "'P0' is named already: name it once"),
    (figure_2(targets=[]), "targets", "too_few_participants", "name at least one of the targets"),
    (gather(sources=[]), "sources", "too_few_participants", "name at least one of the sources"),
    (all_to_all(participants=["A"]), "participants", "too_few_participants", "name at least two participants"),
    (body("A>B 1", "all_to_all", switches="B"), "participants", "too_few_participants", "fewer than two processors that are no switches"),
    (figure_2(sizes={"a": 1}), "sizes/a", "not_a_participant", "no message is named 'a': leave its size out, or name it in targets"),
    (figure_2(sizes={"s": 1}), "sizes/s", "not_a_participant", "name it in targets"),
    (gather(sizes={"B": 1}), "sizes/B", "not_a_participant", "name it in sources"),
    (all_to_all(participants=["A", "B"], pair_sizes=sizes("AC")), "pair_sizes/0/target", "not_a_participant", "'C' takes no part: leave this out, or name it in participants"),
    (all_to_all(participants=["A", "B"], pair_sizes=sizes("CA")), "pair_sizes/0/source", "not_a_participant", "'C' takes no part"),
    (all_to_all(pair_sizes=sizes("AA")), "pair_sizes/0", "not_a_participant", "does not move"),
    (all_to_all(pair_sizes=sizes("AB", "AB")), "pair_sizes/1", "duplicate_participant", "name the pair once"),
    (figure_2(size=0), "", "unbounded_throughput", "give at least one message, to another processor, a size above 0"),
    (figure_2(targets=["s"]), "", "unbounded_throughput", "to another processor"),
    (cast("broadcast", source=None), "source", "missing_field", "a broadcast needs source"),
    (cast("multicast"), "targets", "missing_field", "a multicast needs source and targets"),
    (together("reduce"), "target", "missing_field", "a reduce needs target"),
    (cast("broadcast", targets=["B"]), "targets", "field_not_applicable", "leave out `targets`: a broadcast takes source, size"),
    (cast("broadcast", sizes={"B": 1}), "sizes", "field_not_applicable", "leave out `sizes`: a broadcast takes source, size"),
    (cast("multicast", targets=["B"], sizes={"B": 1}), "sizes", "field_not_applicable", " takes source, targets, size"),
    (cast("allgather"), "source", "field_not_applicable", "leave out `source`: an allgather takes participants, sizes"),
    (together("reduce_scatter", target="A"), "target", "field_not_applicable", " takes participants, sizes"),
    (together("reduce", target="A", participants=["A", "B"]), "participants", "field_not_applicable", "a reduce takes sources, target, size"),
    (together("allgather", pair_sizes=[]), "pair_sizes", "field_not_applicable", "leave out `"),
    (cast("multicast", targets=["B", "X"]), "targets/1", "unknown_processor", "there is no processor 'X'"),
    (cast("multicast", targets=["B"], switches="B"), "targets/0", "switch_takes_part", "name the processor behind it"),
    (cast("broadcast", switches="A"), "source", "switch_takes_part", "name the processor behind it"),
    (together("reduce", target="A", sources=["C", "C"]), "sources/1", "duplicate_participant", "name it once"),
    (cast("multicast", targets=[]), "targets", "too_few_participants", "name at least one of the targets"),
    (together("reduce", target="A", sources=[]), "sources", "too_few_participants", "name at least one of the sources"),
    (together("allgather", participants=["A"]), "participants", "too_few_participants", "name at least two participants"),
    (together("reduce_scatter", switches="ABC"), "participants", "too_few_participants", "fewer than two processors that are no switches"),
    (together("allgather", participants=["A", "B"], sizes={"C": 1}), "sizes/C", "not_a_participant", "no message is named 'C': leave its size out, or name it in participants"),
    (cast("broadcast", switches="BCD"), "", "unbounded_throughput", "to another processor"),
    (cast("multicast", targets=["A"]), "", "unbounded_throughput", "to another processor"),
    (figure_2(order="any"), "order", "field_not_applicable", "leave out `order`: a scatter takes"),
    (together("reduce_scatter", combine={"work": 1}), "combine", "field_not_applicable", "leave out `combine`: a reduce_scatter takes participants, sizes"),
    (reduction(times={"A": 1, "E": 1}), "combine/times/E", "unknown_processor", "there is no processor 'E'"),
    (reduction(switches="B", times={"A": 1, "B": 1}), "combine/times/B", "switch_takes_part", "name the processor behind it"),
    (reduction(), "combine", "ambiguous_time", "give exactly one of work and times"),
    (reduction(work=1, times={"A": 1}), "combine", "ambiguous_time", "give exactly one"),
    (reduction(times={}), "combine", "nobody_combines", "4 sources have data to combine, and no processor can"),
    (reduction(work=1), "combine", "nobody_combines", "give one a speed, or leave combine out"),
    (together("reduce", target="A", method="intervals"), "method", "method_not_applicable", "intervals is for operands whose order is fixed: use method cutting_planes"),
    (together("reduce", target="A", order="fixed", method="trees"), "method", "method_not_applicable", "the order of the operands is fixed: use method intervals"),
    (together("reduce", target="A", order="fixed", method="cutting_planes"), "method", "method_not_applicable", "use method intervals"),
    (together("reduce", target="A", combine={"times": {"A": 1}}, method="cutting_planes"), "method", "method_not_applicable", "combining takes time: use method trees"),
    (together("reduce", target="A", combine={"times": {"A": 1}}, method="least_cut", ports="multiport"), "method", "method_not_applicable", "combining takes time: use method trees"),
    (together("reduce", target="A", sources=["A"]), "", "unbounded_throughput", "to another processor"),
    (together("reduce", target="A", size=0), "", "unbounded_throughput", "a size above 0"),
    (together("allgather", participants=["A", "B"], sizes={"A": 0, "B": 0}), "", "unbounded_throughput", "a size above 0"),
    (cast("broadcast", method="flows"), "method", "method_not_applicable", "flows is for messages that differ, and those of a broadcast are copied: use method cutting_planes"),
    (together("allreduce", target="A"), "target", "field_not_applicable", "leave out `target`: an allreduce takes participants, size"),
    (together("allreduce", sizes={"A": 1}), "sizes", "field_not_applicable", " takes participants, size"),
    (together("allreduce", participants=["A"]), "participants", "too_few_participants", "name at least two participants"),
    (together("allreduce", size=0), "", "unbounded_throughput", "a size above 0"),
    (together("allreduce", method="flows"), "method", "method_not_applicable", "those of an allreduce are combined and copied: use method cutting_planes"),
    (wide("allreduce", method="least_cut"), "method", "method_not_applicable", "an allreduce chooses where all is combined: use method cutting_planes"),
    (together("allreduce", participants=["A", "C"], method="cutting_planes"), "method", "method_not_applicable", "'B' takes no part, but may combine: use method trees"),
    (together("reduce_scatter", method="flows", ports="multiport"), "method", "method_not_applicable", "those of a reduce_scatter are combined: use method least_cut"),
    *((figure_2(method=method), "method", "method_not_applicable", "the messages of a scatter differ, and no processor copies or combines them: use method flows") for method in ("least_cut", "cutting_planes", "trees")),
    (cast("broadcast", method="least_cut"), "method", "method_not_applicable", "least_cut is for multiport, where links alone limit, not for one_port: use method cutting_planes"),
    (limited("processors/0/bandwidth_out", 1, wide("broadcast", source="A", method="least_cut")), "method", "method_not_applicable", "'A' has a bandwidth_out: use method cutting_planes"),
    (limited("processors/0/bandwidth_in", 1, wide("broadcast", source="A", method="least_cut")), "method", "method_not_applicable", "'A' has a bandwidth_in: use method cutting_planes"),
    (sharing(wide("broadcast", source="A", method="least_cut")), "method", "method_not_applicable", "the link from 'A' to 'S' shares 'M': use method cutting_planes"),
    (limited("links/0/duplex", "half", wide("broadcast", source="A", method="least_cut")), "method", "method_not_applicable", "the link from 'A' to 'S' is half-duplex: use method cutting_planes"),
    (wide("broadcast", source="A", method="least_cut"), "method", "method_not_applicable", "switch 'S' has 4 out and 3 in: use method cutting_planes"),
    (wide("reduce", target="A", method="least_cut"), "method", "method_not_applicable", "switch 'S' has 4 in and 3 out: use method cutting_planes"),
    (wide("allgather", method="least_cut", copying="all"), "method", "method_not_applicable", "'S' takes no part, but may copy: use method trees"),
    (cast("multicast", targets=["C"], method="cutting_planes"), "method", "method_not_applicable", "'B' takes no part, but may copy: use method trees"),
    (together("reduce", target="A", sources=["C", "D"], method="cutting_planes"), "method", "method_not_applicable", "'B' takes no part, but may combine: use method trees"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "place", "code", "remedy"), REFUSED)
def test_it_is_refused_at_its_place_with_a_remedy(
    problem: dict[str, Any], place: str, code: str, remedy: str
) -> None:
    problem["problem"] = {k: v for k, v in problem["problem"].items() if v is not None}
    found = faults(problem)
    assert [("/".join(map(str, f.pointer[1:])), f.code) for f in found] == [(place, code)]
    assert remedy in found[0].detail


@pytest.mark.parametrize(
    ("operation", "number", "detail"),
    [
        ("all_to_all", 318, "318 participants send 100,806 messages, and at most 100,000"),
        ("allgather", 2237, "2,237 participants send 5,001,932 copies of messages, and at most"),
        ("reduce_scatter", 2237, "2,237 participants send 5,001,932 parts of messages, and at"),
    ],
)
def test_too_many_messages_are_refused(operation: str, number: int, detail: str) -> None:
    crowd = {"processors": [{"id": f"P{i}"} for i in range(number)], "links": []}
    problem = {"problem": {"kind": "collective", "operation": operation, "platform": crowd}}
    (found,) = faults(problem)
    assert (found.pointer[-1], found.code) == ("participants", "too_many_messages")
    assert found.detail.startswith(detail)


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


def read(problem: dict[str, Any]) -> CollectiveInstance:
    assert faults(problem) == []
    return CollectiveInstance.model_validate(problem["problem"])


CHOSEN = [
    (figure_2(), "flows"),
    (cast("multicast", targets=["C"], copying="participants", ports="multiport"), "least_cut"),
    (cast("broadcast", ports="multiport"), "least_cut"),
    (together("reduce", target="A", ports="multiport"), "least_cut"),
    (together("reduce_scatter", ports="multiport"), "least_cut"),
    (cast("broadcast", ports="no_overlap"), "cutting_planes"),
    (wide("broadcast", source="A"), "cutting_planes"),
    (wide("allgather", copying="all"), "trees"),
    (cast("multicast", targets=["C"]), "trees"),
    (cast("multicast", targets=["C"], copying="participants"), "cutting_planes"),
]


@pytest.mark.parametrize(("problem", "method"), CHOSEN)
def test_auto_takes_the_first_method_that_applies(problem: dict[str, Any], method: str) -> None:
    assert sizing(read(problem), Options()).method == method
    asked = {"problem": problem["problem"] | {"method": "trees"}}
    if method != "flows":
        assert sizing(read(asked), Options()).method == "trees"


def test_a_cut_is_counted_for_less_than_a_program() -> None:
    """So a broadcast among 1,024 processors of 128 boxes is accepted."""
    told = sizing(read(cast("broadcast", ports="multiport")), Options())
    program = sizing(read(cast("broadcast", ports="no_overlap")), Options())
    assert (told.method, program.method) == ("least_cut", "cutting_planes")
    assert told.sizes["coefficients"] == program.sizes["coefficients"] // CHEAPER
    members = [f"g{i}" for i in range(1024)]
    boxes = [f"s{i}" for i in range(128)]
    body = cast("broadcast", ports="multiport")
    body["problem"] |= {
        "source": "g0",
        "platform": {
            "processors": [{"id": name} for name in members]
            + [{"id": name, "switch": True} for name in boxes],
            "links": [
                {"source": name, "target": boxes[k], "bandwidth": 25}
                for i, name in enumerate(members)
                for k in (i // 8, (i // 8 + 1) % 128, (i // 8 + 2) % 128)
            ],
        },
    }
    accepted = size_submission(parse_submission(body, Limits()), Limits())
    assert accepted.sizes["participants"] == 1024
    assert CHEAPER * accepted.sizes["coefficients"] > Limits().max_coefficients


def test_what_copies_move_over_is_counted() -> None:
    told = sizing(read(cast("multicast", targets=["C", "A"], switches="D")), Options())
    assert told.sizes == {
        "participants": 2,
        "messages": 1,
        "hops": 6,
        "forwarders": 1,
        "receivers": 1,
        "variables": 7,
        "coefficients": 18,
        "steiner_entries": 12,
    }
    assert told.warnings == ("what 'A' sends to itself stays there: no message of the answer",)
    told = sizing(read(together("reduce", target="A", sources=["A", "C"])), Options())
    assert (told.sizes["participants"], told.sizes["receivers"]) == (2, 1)
    assert told.warnings == ()


TABLES = [
    (cast("multicast", targets=["C"]), 3 * 4),
    (cast("multicast", targets=["C", "A", "D"]), 3 * 3 * 4),
    (together("reduce", target="A", sources=["A", "C", "D"]), 3 * 3 * 4),
    (together("allgather", participants=["A", "C", "D"]), 3 * 3 * 3 * 4),
    (together("allgather", participants=["A", "C", "D"], sizes={"C": 0, "D": 0}), 3 * 3 * 4),
    (together("reduce_scatter", participants=["A", "C"]), 3 * 3 * 4),
]


@pytest.mark.parametrize(("problem", "entries"), TABLES)
def test_what_a_table_of_trees_takes_is_counted(problem: dict[str, Any], entries: int) -> None:
    """A factor of 3 for each processor with another one's data to receive, or its own to give."""
    instance = read(problem)
    assert steiner_entries(instance) == entries
    assert table_fits(instance, Options(max_labelling_entries=entries))
    assert not table_fits(instance, Options(max_labelling_entries=entries - 1))


def test_no_table_is_larger_than_the_referee_makes() -> None:
    links = ", ".join(f"a>b{k} 1, b{k}>t{k} 1" for k in range(15))
    wide = body(links, "multicast", source="a", targets=[f"t{k}" for k in range(14)])
    assert not table_fits(read(wide), Options())
    assert MOST_ENTRIES <= referee_bounds.MOST_ENTRIES


@pytest.mark.parametrize(
    ("problem", "remedy"),
    [
        (cast("broadcast"), "multicast to fewer"),
        (together("allgather"), "name fewer participants"),
        (together("allgather", copying="all", switches="B"), 'name fewer participants, or ask "copying": "participants"'),
        (cast("multicast", targets=["C"]), 'name fewer targets, or ask "copying": "participants"'),
        (together("reduce", target="A", sources=["C"]), 'name fewer sources, or ask "copying": "participants"'),
    ],
)  # fmt: skip
def test_more_copies_than_the_limits_allow_have_a_remedy(
    problem: dict[str, Any], remedy: str
) -> None:
    assert sizing(read(problem), Options()).remedy == remedy


def test_half_duplex_links_of_copies_are_not_refused() -> None:
    assert faults(body("A>B 1, B>C 1, C>A 1", "allgather", members={"duplex": "half"})) == []


def test_copying_of_messages_that_differ_is_given_in_vain() -> None:
    submission = parse_submission(figure_2(copying="all"), Limits())
    assert size_submission(submission, Limits()).warnings == (
        "copying is not used: no processor copies messages that differ",
    )


def test_what_is_given_in_vain_is_named() -> None:
    routed = figure_2()
    routed["problem"]["platform"]["routes"] = [{"source": "s", "target": "P0", "via": ["a"]}]
    warnings = size_submission(parse_submission(routed, Limits()), Limits()).warnings
    assert warnings == (
        "routes are not used: messages take the routes that are best for all together",
    )
