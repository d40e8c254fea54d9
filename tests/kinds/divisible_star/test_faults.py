"""What a load on a star may be refused for, what it costs, and what it warns of."""

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.divisible_star.bodies import star, tree, with_results


def faults(document: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    try:
        parse_submission(document, Limits())
    except InstanceError as error:
        return [(format_pointer(f.pointer), f.code, f.detail) for f in error.faults]
    return []


def with_part(part: str, place: int, **members: Any) -> dict[str, Any]:
    """Write a star of two workers with members of a processor or link added."""
    document = star([1, 2], [3, 4])
    document["problem"]["platform"][part][place] |= members
    return document


def late(document: Mapping[str, Any], part: str, place: int) -> dict[str, Any]:
    """Give a copy with a latency at some processor or link."""
    changed = copy.deepcopy(dict(document))
    changed["problem"]["platform"][part][place]["latency"] = 1
    return changed


def loaded(document: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Give a copy with members of the load added."""
    changed = copy.deepcopy(dict(document))
    changed["problem"]["load"] |= members
    return changed


def duplex(way: str, **problem: Any) -> dict[str, Any]:
    """Write a star of one worker whose link leads both ways."""
    document = star([1], [1], **problem)
    document["problem"]["platform"]["links"][0]["duplex"] = way
    return document


TREE = tree({"M": None, "R": None, "P": 1}, {("M", "R"): 1, ("R", "P"): 1})


def returning(*links: Mapping[str, Any], **problem: Any) -> dict[str, Any]:
    """Write the same with results, and other links."""
    document = loaded({"problem": TREE["problem"] | problem}, return_volume=1)
    for place, link in enumerate(links):
        document["problem"]["platform"]["links"][place : place + 1] = [link]
    return document


DOWN = {"source": "M", "target": "R", "unit_time": 1, "duplex": "simplex"}
UP = {"source": "R", "target": "M", "unit_time": 1, "duplex": "simplex"}
ON = {"source": "R", "target": "P", "unit_time": 1}
RING = tree({"M": 1, "A": 1, "B": 1}, {("M", "A"): 1, ("M", "B"): 1, ("A", "B"): 1})
LONG_RING = tree(
    dict.fromkeys("MABCD", 1),
    {("M", "A"): 1, ("A", "B"): 1, ("B", "C"): 1, ("A", "D"): 1, ("D", "C"): 1},
)
APART = tree({"M": 1, "A": 1}, {})


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            star([1], [1], master="m"),
            ("#/problem/master", "unknown_processor", "there is no processor 'm'. Did you mean 'M'?"),
        ),
        (
            RING,
            ("#/problem/platform", "not_a_tree", "links form a cycle through 'M', 'A', 'B': leave one of them out, so that there is"
             " only one path from the master"),
        ),
        (
            LONG_RING,
            ("#/problem/platform", "not_a_tree", "links form a cycle through 'A', 'D', 'C', 'B': leave one of them out, so that there"
" is only one path from the master"),
        ),
        (
            with_part("processors", 2, unit_time=None, switch=True),
            ("#/problem/platform/processors/2", "switch_in_star", "a switch has no port to send by,"
             " one after the other: leave out `switch` to make it a router, which forwards and"
             " computes nothing"),
        ),
        (
            APART,
            ("#/problem/platform/processors/1", "unreachable", "'A' computes, but no links lead to it"
             " from the master: add one, or leave out its speed"),
        ),
        (
            star([1], [1], order=["p1"]),
            ("#/problem/order/0", "unknown_processor", "there is no processor 'p1'. Did you mean 'P1'?"),
        ),
        (
            star([1], [1], order=["P1", "P1"]),
            ("#/problem/order/1", "order_repeats", "'P1' is in the order already: list it once"),
        ),
        (
            star([1], [1], order=["M", "P1"]),
            ("#/problem/order/0", "master_in_order", "the master needs no message: leave it out of the"
             " order"),
        ),
        (
            {"problem": APART["problem"] | {"order": ["A"]}},
            ("#/problem/order/0", "unreachable", "no links lead to 'A' from the master: add one, or"
             " leave it out of the order"),
        ),
        (
            {"problem": TREE["problem"] | {"order": ["P"]}},
            ("#/problem/order/0", "order_without_forwarder", "'P' is reached over 'R' only: list 'R' in"
             " the order, too"),
        ),
        (
            {"problem": TREE["problem"] | {"order": ["R"]}},
            ("#/problem/order", "no_processor", "no processor can compute: give a processor of the order a speed"),
        ),
        (
            star([1], [None]),
            ("#/problem/platform", "no_processor", "no processor can compute: give a processor a speed"),
        ),
        (
            late(TREE, "links", 0),
            ("#/problem/platform/links/0/latency", "latency_on_tree", "'P' is reached over 'R' only: link"
             " it to the master, or leave out every latency, or set it to 0"),
        ),
        (
            late(TREE, "processors", 2),
            ("#/problem/platform/processors/2/latency", "latency_on_tree", "'P' is reached over 'R' only:"
             " link it to the master, or leave out every latency, or set it to 0"),
        ),
        (
            {"problem": TREE["problem"] | {"rounds": 2}},
            ("#/problem/rounds", "rounds_on_tree", "'P' is reached over 'R' only: link it to the master,"
             " or leave out rounds"),
        ),
        *(
            (
                returning(**asks),
                ("#/problem/return_orders", "returns_on_tree", "'P' is reached over 'R' only: link it"
                 " to the master, or ask return_orders: lifo, which is answered on trees, too"),
            )
            for asks in ({}, {"return_orders": "fifo"}, {"return_orders": ["R", "P"]})
        ),
        (
            returning(DOWN, return_orders="lifo"),
            ("#/problem/platform/links", "no_way_back", "results of 'R' have no link back: use duplex:"
             " full, add a link, or set return_volume to 0"),
        ),
        (
            late(returning(DOWN, UP, ON, return_orders="lifo"), "links", 1),
            ("#/problem/platform/links/1/latency", "latency_on_tree", "'P' is reached over 'R' only: link"
             " it to the master, or leave out every latency, or set it to 0"),
        ),
        (
            returning(return_orders="lifo", method="search"),
            ("#/problem/method", "method_not_applicable", "search does not answer this: ask"
             " closed_form, or leave out method"),
        ),
        (
            returning(return_orders="lifo", method="umr"),
            ("#/problem/method", "rounds_on_tree", "'P' is reached over 'R' only: link it to the master,"
             " or ask closed_form"),
        ),
        (
            loaded(TREE, items=5),
            ("#/problem/platform", "not_a_star", "'P' is reached over 'R' only: link it to the master, or"
             " leave out load.items"),
        ),
        (
            loaded(star([1], [1], rounds=2), items=5),
            ("#/problem/rounds", "rounds_with_items", "whole items are sent out in one round: leave out"
             " rounds, or load.items"),
        ),
        (
            loaded(duplex("simplex"), return_volume=1),
            ("#/problem/platform/links", "no_way_back", "results of 'P1' have no link back: use duplex:"
             " full, add a link, or set return_volume to 0"),
        ),
        (
            loaded(duplex("half", ports="one_port", order=["P1"]), return_volume=1),
            ("#/problem/platform/links/0/duplex", "half_duplex", "data and results cannot overlap on a"
             " half-duplex link: use strict_one_port, or duplex: full"),
        ),
        (
            star([1], [1], rounds=2, method="umr"),
            ("#/problem/rounds", "method_not_applicable", "umr chooses the number of rounds itself: leave"
             " out rounds, or give max_rounds instead"),
        ),
        (
            loaded(duplex("full", method="umr"), return_volume=1),
            ("#/problem/method", "method_not_applicable", "umr knows neither results nor items: leave out"
             " load.return_volume and load.items, or leave out method"),
        ),
        (
            loaded(star([1], [1], method="periodic"), items=5),
            ("#/problem/method", "method_not_applicable", "periodic knows neither results nor items: leave"
             " out load.return_volume and load.items, or leave out method"),
        ),
        (
            {"problem": TREE["problem"] | {"method": "periodic"}},
            ("#/problem/method", "rounds_on_tree", "'P' is reached over 'R' only: link it to the master,"
             " or ask closed_form"),
        ),
        (
            star([1] * 11, [1] * 11, rounds=100),
            ("#/problem/rounds", "method_not_applicable", "100 rounds have up to 1,100 messages, and at"
             " most 1,000 are accepted: give at most 90 rounds, or ask umr"),
        ),
        (
            star([1] * 101, [1] * 101, method="umr", max_rounds=1000),
            ("#/problem/max_rounds", "method_not_applicable", "1,000 rounds have up to 101,000 messages,"
             " and at most 100,000 are accepted: give at most 990 max_rounds"),
        ),
        (
            loaded(duplex("full", rounds=2), return_volume=1),
            ("#/problem/rounds", "rounds_with_results", "with several rounds no method chooses the order of results: leave out rounds, or"
             " load.return_volume"),
        ),
        (
            loaded(duplex("full"), return_volume=1, items=2),
            ("#/problem/load/items", "items_with_results", "whole items have no results to send back:"
             " leave out items to solve the divisible load, or leave out return_volume"),
        ),
        (
            star([1, 1], [1, 1], return_orders=["P1", "p2"]),
            ("#/problem/return_orders/1", "unknown_processor", "there is no processor 'p2'. Did you mean"
             " 'P2'?"),
        ),
        (
            star([1, 1], [1, 1], return_orders=["P1", "P1"]),
            ("#/problem/return_orders/1", "order_repeats", "'P1' is in the order already: list it once"),
        ),
        (
            star([1, 1], [1, 1], return_orders=["M", "P1"]),
            ("#/problem/return_orders/0", "master_in_order", "the master returns nothing: leave it out of"
             " the order"),
        ),
        (
            star([1, 1], [1, 1], order=["P1"], return_orders=["P1", "P2"]),
            ("#/problem/return_orders", "orders_disagree", "'P2' is in one of order and return_orders"
             " only: list the same processors in both"),
        ),
        (
            star([1] * 201, [1] * 201, method="search"),
            ("#/problem/method", "method_not_applicable", "search does not answer this: ask"
             " closed_form, or leave out method"),
        ),
        (
            with_results([1, 1], [1, 1], [1, 1], return_orders=["P2"]),
            ("#/problem/return_orders", "orders_disagree", "'P1' computes, but has no place in"
             " return_orders: list it, or give the order of those that take part"),
        ),
    ],
)  # fmt: skip
def test_a_fault_names_its_place_and_the_remedy(
    document: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    assert faults(document) == [expected]


@pytest.mark.parametrize(
    "document",
    [
        # Latencies of what is not used, links back, and processors that take no part.
        with_part("processors", 0, latency=1),
        {"problem": with_part("links", 1, latency=1)["problem"] | {"order": ["P1"]}},
        {"problem": APART["problem"] | {"order": []}},
        tree({"M": None, "P": 1}, {("M", "P"): 1}, ports="one_port"),
    ],
)
def test_what_is_not_used_does_no_harm(document: dict[str, Any]) -> None:
    assert faults(document) == []


@pytest.mark.parametrize(
    ("document", "method"),
    [
        (star([1], [1]), "closed_form"),
        (star([1], [1], method="lp"), "lp"),
        (star([1], [1], rounds=2, order=["P1"]), "lp"),
        (star([1], [1], rounds=2), "lp"),
        (late(star([1], [1], rounds=2), "links", 0), "lp"),
        (star([1], [1], method="umr"), "umr"),
        (late(star([1], [1], method="periodic"), "processors", 1), "periodic"),
        (TREE, "closed_form"),
    ],
)
def test_each_question_has_its_method(document: dict[str, Any], method: str) -> None:
    assert size_submission(parse_submission(document, Limits()), Limits()).method == method


def test_sizes_are_those_of_the_program() -> None:
    submission = parse_submission(star([1, 2, 3], [1, None, 2], own=1, method="lp"), Limits())
    assert size_submission(submission, Limits()).sizes == {
        "processors": 4,
        "workers": 3,
        "messages": 3,
        "variables": 10,
        "constraints": 10,
        "coefficients": 27,
    }


def test_what_is_given_in_vain_is_told() -> None:
    document = star([1, 2], [3, 4], order=["P1"])
    document["problem"]["platform"]["processors"][1] |= {"bandwidth_in": 1, "cards": 2}
    document["problem"]["platform"]["media"] = [{"id": "bus", "bandwidth": 1}]
    document["problem"]["platform"]["routes"] = [{"source": "M", "target": "P1"}]
    document["options"] = {"max_period": 9, "latencies": "paid"}
    warnings = size_submission(parse_submission(document, Limits()), Limits()).warnings
    assert warnings == (
        "1 processor takes no part",
        "routes are not used: in a tree there is only one route",
        "media are not used under strict_one_port",
        "bandwidth_in and bandwidth_out are not used under strict_one_port",
        "cards are not used: every processor is taken to have one",
        "max_period is not used: the schedule is not periodic",
        "latencies and latency_loss and total_instances are not used: the load is sent out once",
    )
