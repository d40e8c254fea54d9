"""Network cards on platforms: what is refused where, and with what remedy."""

import json
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import MOST_CARDS, Platform, arc_uses, receiving_port, sending_port
from steadygrid.submissions.submission import parse_submission, size_submission
from steadygrid.verification.network import read_network
from tests.kinds.task_graph.test_twins import grid

P = "#/problem/platform"


def body(ports: str = "one_port", kind: str = "master_worker") -> dict[str, Any]:
    """A with cards by name, B with two of which any serves any link, a switch, and C with one."""
    platform = {
        "processors": [
            {"id": "A", "unit_time": 1, "cards": ["eth0", "eth1"]},
            {"id": "B", "unit_time": 1, "cards": 2},
            {"id": "S", "switch": True},
            {"id": "C", "unit_time": 2, "cards": 1},
        ],
        "links": [
            {"source": "A", "target": "B", "unit_time": 3, "source_card": "eth0"},
            {"source": "S", "target": "A", "unit_time": 5, "target_card": "eth1"},
            {"source": "B", "target": "S", "unit_time": 7},
            {"source": "S", "target": "C", "unit_time": 11},
        ],
    }
    problem: dict[str, Any] = {"kind": kind, "platform": platform, "ports": ports}
    if kind == "master_worker":
        problem |= {"master": "A", "task": {"work": 1}}
    else:
        problem["application"] = grid(1, 1)["application"]
    return {"problem": problem}


def test_cards_take_shares_of_ports_and_their_links() -> None:
    platform = Platform.model_validate(body()["problem"]["platform"])
    names = [processor.id for processor in platform.processors]
    network = read_network(platform, "one_port")
    taken = {
        f"{names[arc.source]}{names[arc.target]}": {
            resource: str(time) for resource, time in arc_uses(platform, arc, "one_port")
        }
        for arc in platform.arcs
    }
    assert taken == {
        "AB": {"A->B.link": "3", "A--eth0.send": "3", "B.receive": "3/2"},
        "BA": {"B->A.link": "3", "B.send": "3/2", "A--eth0.receive": "3"},
        "SA": {"A--eth1.receive": "5"},
        "AS": {"A--eth1.send": "5"},
        "BS": {"B->S.link": "7", "B.send": "7/2"},
        "SB": {"S->B.link": "7", "B.receive": "7/2"},
        "SC": {"C.receive": "11"},
        "CS": {"C.send": "11"},
    }
    assert taken == {
        "".join(ends): {resource: str(time) for resource, time in hop.uses}
        for ends, hop in network.hops.items()
    }
    assert network.cards == {"B.send": 2, "B.receive": 2}
    assert {"A--eth0.send", "A--eth1.send", "C.send"} <= network.resources
    assert "A.send" not in network.resources
    first = platform.arcs[0]
    assert sending_port(platform, first) == (0, "eth0")
    assert receiving_port(platform, first) == (1, None)
    assert sending_port(platform, platform.arcs[2]) is None


REFUSALS = [
    ("processors/1/cards", 0, "processors/1/cards", "greater_than_equal", "at least 1"),
    ("processors/1/cards", MOST_CARDS + 1, "processors/1/cards", "less_than_equal", "at most"),
    ("processors/1/cards", [], "processors/1/cards", "too_short", "at least 1 entry"),
    ("processors/1/cards", ["a--b"], "processors/1/cards/0", "invalid_id", "--"),
    ("processors/2/cards", 2, "processors/2/cards", "cards_on_switch", "leave them out"),
    (
        "processors/0/cards",
        ["eth0", "eth1", "eth0"],
        "processors/0/cards/2",
        "duplicate_card",
        "already",
    ),
    ("links/0/source_card", "eth2", "links/0/source_card", "unknown_card", "Did you mean 'eth"),
    ("links/0/target_card", "eth0", "links/0/target_card", "unknown_card", "'B' has no names"),
    ("links/3/source_card", "eth0", "links/3/source_card", "unknown_card", "'S' has no names"),
    ("links/0/source_card", None, "links/0/source_card", "card_missing", "'eth0', 'eth1'"),
    (
        "processors/0/cards",
        ["eth0", "eth1", "wifi", "usb"],
        "processors/0/cards/2",
        "card_unused",
        "'wifi' of 'A': leave it out",
    ),
    ("links/3/duplex", "half", "links/3/duplex", "half_duplex_with_cards", "use named cards"),
]


@pytest.mark.parametrize("kind", ["master_worker", "task_graph", "mono_allocation"])
@pytest.mark.parametrize(("path", "value", "pointer", "code", "word"), REFUSALS)
def test_a_refusal_has_its_place_its_code_and_a_remedy(
    kind: str, path: str, value: Any, pointer: str, code: str, word: str
) -> None:
    wrong = body(kind=kind)
    part, place, field = path.split("/")
    if value is None:
        del wrong["problem"]["platform"][part][int(place)][field]
    else:
        wrong["problem"]["platform"][part][int(place)][field] = value
    faults = refused(wrong)
    assert (f"{P}/{pointer}", code) in [fault[:2] for fault in faults]
    assert any(word in detail for _, its_code, detail in faults if its_code == code)


def refused(wrong: dict[str, Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission(wrong, Limits())
    return [(format_pointer(f.pointer), f.code, f.detail) for f in refusal.value.faults]


NEITHER = ("", "cards_type", "a whole number, or a list of names")


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (True, NEITHER),
        (2.0, NEITHER),
        ("2", NEITHER),
        ({"n": 2}, NEITHER),
        (0, ("", "greater_than_equal", "must be at least 1")),
        ([], ("", "too_short", "at least 1 entry")),
        (["eth0", 1], ("/1", "string_type", "expected a text, not a number")),
        (["a--b"], ("/0", "invalid_id", "--")),
    ],
)
def test_a_mistake_in_cards_is_one_fault(cards: Any, fault: tuple[str, str, str]) -> None:
    """What was meant, a number or names, is seen from what was sent."""
    wrong = body()
    wrong["problem"]["platform"]["processors"][1]["cards"] = cards
    below, code, word = fault
    ((pointer, its_code, detail),) = refused(wrong)
    assert (pointer, its_code) == (f"{P}/processors/1/cards{below}", code)
    assert word in detail


def test_a_name_that_is_missing_among_many_is_not_looked_up_in_a_long_list() -> None:
    wrong = body()
    platform = wrong["problem"]["platform"]
    platform["processors"][0]["cards"] = [f"eth{k}" for k in range(9)]
    del platform["links"][0]["source_card"]
    details = [detail for _, code, detail in refused(wrong) if code == "card_missing"]
    assert details == [
        "'A' names its cards ('eth0', 'eth1', 'eth2', ...): say by which this link goes"
    ]


def test_an_end_that_does_not_exist_is_one_fault() -> None:
    wrong = body()
    wrong["problem"]["platform"]["links"][1] |= {"source": "X", "source_card": "eth0"}
    assert [code for _, code, _ in refused(wrong)] == ["unknown_processor"]


@pytest.mark.parametrize("ports", ["multiport", "send_or_receive", "no_overlap"])
@pytest.mark.parametrize("cards", [2, ["a"]])
def test_other_ports_know_no_cards(ports: str, cards: Any) -> None:
    wrong = body(ports)
    wrong["problem"]["platform"]["processors"] = [
        {"id": "A", "unit_time": 1},
        {"id": "B", "unit_time": 1, "cards": cards},
    ]
    link = {"source": "A", "target": "B", "unit_time": 1}
    if cards == ["a"]:
        link["target_card"] = "a"
    wrong["problem"]["platform"]["links"] = [link]
    ((pointer, code, detail),) = refused(wrong)
    assert (pointer, code) == (f"{P}/processors/1/cards", "cards_not_applicable")
    assert "bandwidth_out and bandwidth_in" in detail
    assert "its one card" in detail


def test_the_algorithm_for_trees_says_that_it_knows_one_card() -> None:
    wrong = body()
    del wrong["problem"]["platform"]["links"][1:]
    wrong["problem"]["platform"]["processors"][0]["cards"] = 3
    del wrong["problem"]["platform"]["links"][0]["source_card"]
    wrong["problem"]["method"] = "bandwidth_centric"
    ((_, code, detail),) = refused(wrong)
    assert code == "method_not_applicable"
    assert (
        detail == 'bandwidth_centric knows one network card for each processor: use "lp" or "auto"'
    )


def chain(**first: Any) -> dict[str, Any]:
    """Two processors in a row, for a kind whose port models know no cards."""
    return {
        "problem": {
            "kind": "divisible_chain",
            "platform": {
                "processors": [{"id": "A", "speed": 1} | first, {"id": "B", "speed": 1}],
                "links": [{"source": "A", "target": "B", "unit_time": 1}],
            },
            "loads": [{"id": "L", "communication_volume": 1, "computation_volume": 1}],
        }
    }


def test_a_kind_that_knows_no_cards_says_so() -> None:
    sizing = size_submission(parse_submission(chain(cards=2), Limits()), Limits())
    assert "cards are not used: every processor is taken to have one" in sizing.warnings
    assert not size_submission(parse_submission(chain(cards=1), Limits()), Limits()).warnings


def test_older_workers_leave_platforms_with_cards_alone() -> None:
    assert parse_submission(body(), Limits()).requires == 2
    assert parse_submission(body(kind="task_graph"), Limits()).requires == 2
    assert parse_submission(body(kind="mono_allocation"), Limits()).requires == 2
    assert parse_submission(chain(cards=1), Limits()).requires == 2
    assert parse_submission(chain(), Limits()).requires == 0


def test_documents_without_cards_are_what_they_were() -> None:
    """An older worker knows no such field, and stored platforms are named by their content."""
    document = parse_submission(chain(), Limits()).document()
    assert "card" not in json.dumps(document)
    with_cards = parse_submission(body(), Limits()).document()
    assert parse_submission(with_cards, Limits()).document() == with_cards
