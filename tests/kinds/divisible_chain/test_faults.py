"""What a chain of loads may be refused for, what it costs, and what it warns of."""

from collections.abc import Mapping
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain import PROBLEM
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.divisible_chain.solving import body

LOAD = {"id": "L", "communication_volume": 1, "computation_volume": 1}


def faults(document: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    try:
        parse_submission(document, Limits())
    except InstanceError as error:
        return [(format_pointer(f.pointer), f.code, f.detail) for f in error.faults]
    return []


def platform(*links: tuple[str, str] | tuple[str, str, str], switch: str = "") -> dict[str, Any]:
    """Join processors by links, each with its duplex if it is not full."""
    ids = list(dict.fromkeys(end for link in links for end in link[:2]))
    return {
        "processors": [
            {"id": id_} | ({"switch": True} if id_ == switch else {"speed": 1})
            for id_ in sorted(ids)
        ],
        "links": [
            {"source": link[0], "target": link[1], "bandwidth": 1}
            | ({"duplex": link[2]} if len(link) == 3 else {})
            for link in links
        ],
    }


def asked(**problem: Any) -> dict[str, Any]:
    given = {"kind": "divisible_chain", "loads": [LOAD]} | problem
    return {"problem": {"platform": platform(("A", "B"))} | given}


def test_the_example_has_no_fault() -> None:
    assert not faults(PROBLEM.example)


def test_more_loads_than_fit_into_a_program_are_refused() -> None:
    loads = [LOAD | {"id": f"L{i}"} for i in range(1001)]
    assert faults(asked(loads=loads[:-1])) == []
    assert faults(asked(loads=loads)) == [
        (
            "#/problem/loads",
            "too_many_loads",
            "1,001 loads are more than the 1,000 that fit into one program: submit them in parts",
        )
    ]


@pytest.mark.parametrize(
    ("links", "order"),
    [
        ([("A", "B"), ("B", "C")], ["A", "B", "C"]),
        ([("B", "A"), ("C", "B")], ["C", "B", "A"]),
        ([("A", "B"), ("C", "B")], ["A", "B", "C"]),
        ([("B", "A"), ("B", "C")], ["A", "B", "C"]),
        ([("C", "B", "simplex"), ("A", "B")], ["C", "B", "A"]),
        ([("A", "B", "half"), ("B", "A")], None),
        ([("C", "A"), ("C", "B")], None),
        ([("A", "B", "simplex"), ("B", "A", "simplex")], ["A", "B"]),
    ],
)
def test_the_platform_s_only_order_is_the_chain(links: Any, order: list[str] | None) -> None:
    document = asked(platform=platform(*links))
    if order is None:
        assert faults(document)
        return
    submission = parse_submission(document, Limits())
    assert run(submission, Control(), Limits()).result.chain == order  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("links", "phrase"),
    [
        ([("A", "B"), ("A", "C"), ("A", "D")], "'A' has links to 3 processors"),
        ([("A", "B"), ("B", "C"), ("C", "A")], "ring"),
        ([("A", "B"), ("C", "D"), ("D", "E"), ("E", "C")], "no links lead from 'A'"),
        ([("A", "B", "simplex"), ("C", "B", "simplex")], "point against each other"),
        ([("C", "A"), ("C", "B")], "on 'A' or on 'B'"),
    ],
)
def test_a_platform_that_is_no_chain_is_refused_with_the_remedy(links: Any, phrase: str) -> None:
    ((pointer, code, detail),) = faults(asked(platform=platform(*links)))
    assert (pointer, code) == ("#/problem/platform", "no_chain")
    assert phrase in detail
    assert "Give `chain`" in detail


def test_a_processor_without_link_is_named() -> None:
    lonely = platform(("A", "B"))
    lonely["processors"].append({"id": "Z"})
    ((_, code, detail),) = faults(asked(platform=lonely))
    assert code == "no_chain"
    assert "'Z' has no link" in detail


FAULTS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"chain": ["A", "X"]}, "/chain/1", "unknown_processor", "'X'"),
    ({"chain": ["A", "B", "A"]}, "/chain/2", "chain_repeats", "'A'"),
    (
        {"platform": platform(("A", "B", "simplex")), "chain": ["B", "A"]},
        "/chain/1",
        "chain_without_link",
        "from 'B' to 'A'",
    ),
    (
        {"platform": platform(("A", "B"), switch="B"), "chain": ["A", "B"]},
        "/chain/1",
        "switch_in_chain",
        "leave out `switch`",
    ),
    (
        {"platform": platform(("A", "B"), switch="B")},
        "/platform/processors/1",
        "switch_in_chain",
        "router",
    ),
    ({"platform": platform(("A", "A"))}, "/platform/links/0", "self_link", "different"),
    ({"loads": [LOAD, LOAD]}, "/loads/1/id", "duplicate_load", "twice"),
    ({"loads": [LOAD | {"speeds": {"X": 1}}]}, "/loads/0/speeds/X", "unknown_processor", "'X'"),
    (
        {"chain": ["A"], "loads": [LOAD | {"speeds": {"B": 1}}]},
        "/loads/0/speeds/B",
        "not_in_chain",
        "'B'",
    ),
    ({"availability": {"X": 1}}, "/availability/X", "unknown_processor", "'X'"),
    ({"chain": ["A"], "availability": {"B": 1}}, "/availability/B", "not_in_chain", "'B'"),
    ({"startup": {}}, "/startup", "ambiguous_startup", "exactly one"),
    ({"startup": {"data": 1, "time": 1}}, "/startup", "ambiguous_startup", "exactly one"),
    ({"max_startup_ratio": 2}, "/startup", "missing", "needs the start-up cost"),
    ({"max_startup_ratio": 2, "startup": 0}, "/startup", "no_startup", "above 0"),
    (
        {"max_startup_ratio": "1/2", "startup": 1},
        "/max_startup_ratio",
        "ratio_below_one",
        "at least 1",
    ),
    (
        {"method": "simple", "objective": "mean_completion"},
        "/method",
        "method_not_applicable",
        "makespan only",
    ),
    ({"method": "heuristic_b", "rounds": 2}, "/rounds", "method_not_applicable", "in one go"),
]


@pytest.mark.parametrize(("problem", "pointer", "code", "phrase"), FAULTS)
def test_a_fault_is_told_with_its_place(
    problem: dict[str, Any], pointer: str, code: str, phrase: str
) -> None:
    ((where, name, detail),) = faults(asked(**problem))
    assert (where, name) == (f"#/problem{pointer}", code)
    assert phrase in detail


def test_a_load_that_no_processor_can_compute_is_refused() -> None:
    routers = {
        "processors": [{"id": "A"}, {"id": "B"}],
        "links": [{"source": "A", "target": "B", "bandwidth": 1}],
    }
    ((where, code, detail),) = faults(asked(platform=routers))
    assert (where, code) == ("#/problem/loads/0", "load_without_processor")
    assert "speeds" in detail


@pytest.mark.parametrize(
    ("load", "pointer"),
    [
        ({"installments": 0}, "installments"),
        ({"communication_volume": -1}, "communication_volume"),
        ({"speeds": {"A": 0}}, "speeds/A"),
        ({"colour": 1}, "colour"),
    ],
)
def test_what_is_not_well_formed_is_refused(load: dict[str, Any], pointer: str) -> None:
    assert faults(asked(loads=[LOAD | load]))[0][0] == f"#/problem/loads/0/{pointer}"
    assert faults(asked(loads=[]))


def test_huge_programs_are_refused_before_they_are_built() -> None:
    submission = parse_submission(asked(loads=[LOAD | {"installments": 1_000_000}]), Limits())
    with pytest.raises(LimitError, match="fewer installments"):
        size_submission(submission, Limits())


@pytest.mark.parametrize("ports", ["strict_one_port", "one_port"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_sizes_are_at_least_those_of_the_program(ports: str, rounds: int) -> None:
    document = body([1, 2, 3, 4], [1, 2, 3], [(1, 1), (1, 2)], 3, ports=ports, rounds=rounds)
    sizes = size_submission(parse_submission(document, Limits()), Limits()).sizes
    assert sizes["installments"] == 6 * rounds
    assert sizes["processors"] == 4
    assert sizes["loads"] == 2


@pytest.mark.parametrize(
    ("problem", "options", "phrase"),
    [
        ({"chain": ["A"]}, {}, "1 processors are not in the chain"),
        ({"max_installments": 3}, {}, "max_installments is not used by lp"),
        ({"loads": [LOAD | {"weight": 2}]}, {}, "weights are not used"),
        ({"loads": [LOAD | {"installments": 2}], "method": "simple"}, {}, "installments are not"),
        (
            {
                "loads": [LOAD | {"installments": 2}],
                "startup": 1,
                "max_startup_ratio": 2,
            },
            {},
            "every load gives its installments",
        ),
        ({}, {"max_period": 3}, "max_period is not used"),
        ({}, {"mip_gap": "1/10"}, "mip_gap is not used"),
        (
            {"platform": platform(("A", "B")) | {"routes": [{"source": "A", "target": "B"}]}},
            {},
            "routes are not used",
        ),
        (
            {"platform": platform(("A", "B")) | {"media": [{"id": "M", "bandwidth": 1}]}},
            {},
            "media are not used",
        ),
    ],
)
def test_what_is_not_used_is_named(
    problem: dict[str, Any], options: dict[str, Any], phrase: str
) -> None:
    submission = parse_submission(asked(**problem) | {"options": options}, Limits())
    warnings = size_submission(submission, Limits()).warnings
    assert any(phrase in warning for warning in warnings)


def test_ports_and_latencies_of_the_platform_are_not_used() -> None:
    given = platform(("A", "B"))
    given["processors"][0] |= {"latency": 1, "bandwidth_in": 1}
    warnings = size_submission(parse_submission(asked(platform=given), Limits()), Limits()).warnings
    assert len(warnings) == 2
