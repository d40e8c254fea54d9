"""No two resources of any platform that is accepted share a name."""

import re
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import InstanceError, format_pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    link_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.text import Identifier
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.network import read_network
from tests.data import shared_data
from tests.tree import modules, name_of

ACCEPTED = TypeAdapter(Identifier)


def is_accepted(text: str) -> bool:
    try:
        ACCEPTED.validate_python(text)
    except ValidationError:
        return False
    return True


ids = st.text(alphabet="->.a", min_size=1, max_size=6).filter(is_accepted)


@given(st.lists(ids, min_size=4, max_size=4, unique=True))
@example(["a", "b.send", "a.send", "b"])
@example(["a-b", "c", "a", "b-c"])
@example(["a", ">b", "b", ">"])
def test_distinct_resources_have_distinct_names(names: list[str]) -> None:
    pairs = list(permutations(names, 2))
    found: dict[str, tuple[str, ...]] = {}

    def note(name: str, *key: str) -> None:
        assert found.setdefault(name, key) == key

    for duplex in ("simplex", "half"):
        links = [pair for pair in pairs if duplex == "simplex" or pair[0] < pair[1]]
        platform = Platform.model_validate(
            {
                "processors": [
                    {"id": name, "bandwidth_in": 1, "bandwidth_out": 1} for name in names
                ],
                "media": [{"id": name, "bandwidth": 1} for name in names],
                "links": [
                    {"source": a, "target": b, "unit_time": 1, "duplex": duplex, "media": names}
                    for a, b in links
                ],
            }
        )
        for name in names:
            note(compute_resource(name), "compute", name)
        for ports in ("one_port", "multiport"):
            network = read_network(platform, ports)
            for arc in platform.arcs:
                a, b = names[arc.source], names[arc.target]
                uses = [use.resource for use in arc_uses(platform, arc, ports)]
                keys = keys_of(a, b, names, ports, duplex)
                assert sorted(uses) == sorted(name for name, _ in network.hops[a, b].uses)
                assert len(set(uses)) == len(uses) == len(keys)
                for name, key in zip(uses, keys, strict=True):
                    note(name, *key)


@given(st.lists(ids, min_size=4, max_size=4, unique=True))
@example(["a", "b", "a.send", "b.send"])
def test_cards_have_names_of_their_own(names: list[str]) -> None:
    """No card is taken for that of another processor, nor for what two processors share."""
    pairs = [*permutations(names, 2)]
    made = [
        *(send_resource(name) for name in names),
        *(port(*pair) for port in (send_resource, receive_resource) for pair in pairs),
        *(half_resource(*pair) for pair in pairs if pair[0] < pair[1]),
        *(link_resource(*pair) for pair in pairs),
    ]
    assert len(set(made)) == len(made)


def keys_of(a: str, b: str, media: list[str], ports: str, duplex: str) -> list[tuple[str, ...]]:
    """Name what an arc uses without joining anything, in the order of `arc_uses`."""
    half, link = ("half", *sorted((a, b))), ("link", a, b)
    if ports == "one_port":
        return [*([half] if duplex == "half" else []), ("send", a), ("receive", b)]
    shared = [("medium", name) for name in media]
    return [half if duplex == "half" else link, ("out", a), ("in", b), *shared]


@given(ids, ids)
def test_a_name_of_two_ids_is_no_id(one: str, other: str) -> None:
    assert not is_accepted(link_resource(one, other))
    assert not is_accepted(half_resource(one, other))
    assert half_resource(one, other) == half_resource(other, one)


def test_names_are_made_in_one_place() -> None:
    made = re.compile(r"\}\.(compute|send|receive|out|in|link|half|medium)\b|\}(->|--)\{")
    makers = {
        name_of(p) for p in modules("steadygrid", "app", "workers") if made.search(p.read_text())
    }
    assert makers == {"steadygrid/domain/resources.py"}


@pytest.mark.parametrize("name", ["-", "-a", "a-", "a--b", "a->b", "--"])
def test_an_id_that_could_be_misread_is_refused(name: str) -> None:
    assert not is_accepted(name)


@pytest.mark.parametrize("name", ["a-b", ">", "a>", ">-a", "a.send", "-".join("abc")])
def test_an_id_may_have_single_dashes_within(name: str) -> None:
    assert is_accepted(name)


def collision(kind: str) -> dict[str, Any]:
    """Two half-duplex links that would both be called ``A---B.half``."""
    platform = {
        "processors": [{"id": name, "speed": 1} for name in ("A", "-B", "A-", "B")],
        "links": [
            {"source": "A", "target": "-B", "unit_time": 1, "duplex": "half"},
            {"source": "A-", "target": "B", "unit_time": 1, "duplex": "half"},
        ],
    }
    if kind == "master_worker":
        return {"kind": kind, "platform": platform, "master": "A", "task": {"work": 1}}
    if kind == "divisible_chain":
        load = {"id": "-L", "communication_volume": 1, "computation_volume": 1}
        return {"kind": kind, "platform": platform, "loads": [load]}
    return {"kind": kind, "platform": platform, "application": {"tasks": [{"id": "t", "work": 1}]}}


@pytest.mark.parametrize(
    "kind", ["master_worker", "task_graph", "mono_allocation", "divisible_chain"]
)
def test_every_kind_refuses_ids_by_which_two_links_would_be_one(kind: str) -> None:
    assert {"#/problem/platform/processors/1/id", "#/problem/platform/processors/2/id"} <= {
        *refused(collision(kind))
    }


def test_ids_of_tasks_and_loads_are_refused_likewise() -> None:
    assert "#/problem/loads/0/id" in refused(collision("divisible_chain"))
    cell = {"kind": "cell", "application": {"tasks": [{"id": "t-", "time_ppe": 1}]}}
    assert refused(cell) == ["#/problem/application/tasks/0/id"]


def refused(problem: Mapping[str, Any]) -> list[str]:
    with pytest.raises(InstanceError) as refusal:
        parse_submission({"problem": problem}, Limits())
    return [format_pointer(f.pointer) for f in refusal.value.faults if f.code == "invalid_id"]


@pytest.mark.parametrize("kind", ["master-worker", "task-graph"])
def test_the_instances_whose_links_were_mixed_up_are_refused(kind: str) -> None:
    body = parse_json(shared_data(f"regressions/half-duplex-names-{kind}.json").read_bytes())
    assert refused(body["problem"])
