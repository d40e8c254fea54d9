"""What is refused, where, and with which remedy; nothing hangs, however large."""

import random
from itertools import pairwise
from typing import Any

import pytest
from pydantic import ValidationError

from steadygrid.domain.job import Options
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import MOST_PHASES, DataflowInstance
from tests.draws import draws
from tests.kinds.dataflow.bodies import drawn, faults, graph, problem, two
from tests.kinds.dataflow.unfolded import Unfolded, answer

G = "problem/graph"
ONE = {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("asked", "code", "pointer", "text"),
    [
        (
            graph({"a": 1}, "x:a 1>1 a 1; x:a 1>1 a 1"),
            "duplicate_channel",
            f"{G}/channels/1/id",
            "channel 'x' is given twice",
        ),
        (
            graph(ONE, "a 1>1 B"),
            "unknown_actor",
            f"{G}/channels/0/target",
            "there is no actor 'B'. Did you mean 'b'?",
        ),
        (
            graph({"a": "1/" + "9" * 60}, "").model_copy(
                update={
                    "graph": graph(
                        {f"a{i}": f"1/{10**60 + 2 * i + 1}" for i in range(40)}, ""
                    ).graph
                }
            ),
            "too_many_digits",
            f"{G}/actors/15/times",
            "more than 900 digits: round the times",
        ),
        (
            graph({"a": [1, 2], "b": 1}, "a 1,0,1>2 b"),
            "rates_of_phases",
            f"{G}/channels/0/production",
            "'a' has 2 phases by its times, but 3 by this list",
        ),
        (
            graph(ONE, "a 1>1,1 b; b 1,1,2>2 a"),
            "rates_of_phases",
            f"{G}/channels/1/production",
            "'b' has 2 phases by the consumption of 'a--b', but 3",
        ),
        (
            graph(ONE, "a 0,0>1 b"),
            "zero_rates",
            f"{G}/channels/0/production",
            "no tokens of 'a--b' are ever made: remove the channel, or give a rate above 0",
        ),
        (
            graph(ONE, "a 1>0 b"),
            "zero_rates",
            f"{G}/channels/0/consumption",
            "no tokens of 'a--b' are ever taken",
        ),
        (
            graph({**ONE, "c": 1}, "a 1>1 b"),
            "not_connected",
            G,
            "no channels join the 2 parts {'a', 'b'}, {'c'}, and nothing says how often one runs for the"
            " others: submit them as jobs of their own",
        ),
        (
            graph(ONE, "a 2>3 b; b 1>1 a"),
            "inconsistent_rates",
            f"{G}/channels/1",
            "2 cycles of 'b' go with 3 of 'a' by 'a--b', which form a cycle of channels with 'b--a'. In"
            " them 'b--a' gets 2 * 1 = 2 tokens and loses 3 * 1 = 3. Let a cycle of 'b' make 3 and a"
            " cycle of 'a' take 2, or a multiple of both",
        ),
        (
            graph({"a": 1}, "a 2>3 a 5"),
            "inconsistent_rates",
            f"{G}/channels/0",
            "'a--a' leads from 'a' to itself. In a cycle of 'a' it gets 1 * 2 = 2 tokens and loses"
            " 1 * 3 = 3. Let a cycle of 'a' make 1 and a cycle of 'a' take 1",
        ),
        (
            graph(dict.fromkeys("abcd", 1), "a 1>1 b; c 1>1 b; c 1>1 d; d 3>2 a"),
            "inconsistent_rates",
            f"{G}/channels/3",
            "1 cycle of 'd' goes with 1 of 'a' by 'c--d', 'c--b', 'a--b'",
        ),
        (
            graph(dict.fromkeys("abc", 1), f"a {10**8}>1 b; b {10**8}>1 c"),
            "too_many_repetitions",
            G,
            "would hold 1,000,000,000,000,000 cycles of 'c', or more",
        ),
        (
            graph(dict.fromkeys("abc", 1), f"a 1>{10**8} b; b 1>{10**8} c"),
            "too_many_repetitions",
            G,
            "cycles of 'a', or more: give rates that have more in common",
        ),
        (
            graph({"a": 0, "b": [0, 0]}, "a 1>1 b"),
            "no_throughput_limit",
            G,
            "nothing takes time, so the throughput has no limit: give an actor a time above 0",
        ),
        (
            graph({"a": 1, "b": 0, "c": 0}, "a 1>1 b; b 1>1 c; c 1>1 b 1", concurrency="auto"),
            "no_throughput_limit",
            G,
            "Ask for concurrency: sequential. Or give 'a' a channel to itself",
        ),
    ],
)
def test_each_fault_has_its_place_and_a_remedy(
    asked: DataflowInstance, code: str, pointer: str, text: str
) -> None:
    (fault,) = faults(asked)
    assert (fault.code, "/".join(map(str, fault.pointer))) == (code, pointer)
    assert text in fault.detail


def test_actors_have_names_of_their_own() -> None:
    given = problem(ONE, "a 1>1 b")
    given["graph"]["actors"].append({"id": "a", "times": 3})
    (fault,) = faults(DataflowInstance.model_validate(given))
    assert fault.pointer == ("problem", "graph", "actors", 2, "id")
    assert fault.code == "duplicate_actor"


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        (problem({"a": [1] * (MOST_PHASES + 1)}, ""), ("graph", "actors", 0, "times", "phases")),
        (problem({"a": []}, ""), ("graph", "actors", 0, "times", "phases")),
        (problem({}, ""), ("graph", "actors")),
        (problem(ONE, "a -1>1 b"), ("graph", "channels", 0, "production", "one")),
        (problem(ONE, f"a 1>1 b {10**15 + 1}"), ("graph", "channels", 0, "tokens")),
    ],
)
def test_the_form_of_a_graph(asked: dict[str, Any], place: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError) as refused:
        DataflowInstance.model_validate(asked)
    assert refused.value.errors()[0]["loc"] == place


def test_sizes_are_counted_before_anything_is_built() -> None:
    asked = graph({"a": [1, 2, 0], "b": 2}, "a 1,0,1>3 b; b 3>1,1,0 a 6; a 1>1 a 1")
    assert not faults(asked)
    found = PROBLEM.sizing(asked, Options())
    assert found.method == "k_periodic"
    assert found.sizes == {"actors": 2, "phases": 4, "channels": 3, "firings": 11}
    assert PROBLEM.requires(asked, Options()) == 7


def test_a_channel_without_an_id_is_named_by_its_ends() -> None:
    asked = graph(ONE, "a 1>1 b; x:a 1>1 b; a 1>1 b; b 1>1 a 1")
    assert asked.channel_names == ("a--b--0", "x", "a--b--1", "b--a")


def test_repetitions_are_those_found_by_trying() -> None:
    """And what admission refuses, no slow way answers."""
    rng = random.Random(5)
    for _ in range(draws(30, 3000)):
        asked = drawn(rng)
        if found := faults(asked):
            assert [fault.code for fault in found] == ["no_throughput_limit"]
            # Nothing waits for anything that takes time, and everything starts.
            assert answer(asked) is None
            continue
        unfolded = Unfolded(asked)
        sizes = PROBLEM.sizing(asked, Options()).sizes
        firings = [unfolded.cycles[a] * unfolded.lengths[a] for a in unfolded.cycles]
        assert (sizes["firings"], sizes["phases"]) == (sum(firings), sum(unfolded.lengths.values()))


def test_long_graphs_and_lists_are_looked_at_once() -> None:
    """A chain longer than any stack, with rates whose product would have thousands of digits."""
    count = 3_000
    names = [f"a{i}" for i in range(count)]
    times = dict.fromkeys(names, 1)
    circle = "; ".join(f"{a} 1>1 {b} 1" for a, b in zip(names, names[1:] + names[:1], strict=True))
    asked = graph(times, circle, concurrency="auto")
    assert not faults(asked)
    assert PROBLEM.sizing(asked, Options()).sizes["firings"] == count
    odd = circle.replace("a2999 1>1 a0", "a2999 2>1 a0")
    (fault,) = faults(graph(times, odd))
    assert "and 2,993 more, which form a cycle" in fault.detail
    grown = "; ".join(f"{a} 2>3 {b}" for a, b in pairwise(names))
    assert [fault.code for fault in faults(graph(times, grown))] == ["too_many_repetitions"]
    parts = "; ".join(f"{name} 1>1 {name} 1" for name in names)
    (fault,) = faults(graph(times, parts))
    assert "3,000 parts {'a0'}, {'a1'}" in fault.detail
    assert "and 2,994 more" in fault.detail
    listed = ",".join(["1"] * MOST_PHASES)
    phased = graph({"a": [1] * MOST_PHASES, "b": 1}, f"a {listed}>{listed} b; b {listed}>1 a 1")
    assert not faults(phased)
    assert PROBLEM.sizing(phased, Options()).sizes["phases"] == 2 * MOST_PHASES


def test_the_example_of_the_contract_is_accepted() -> None:
    assert PROBLEM.example["problem"] == {
        **problem(ONE, "a 2>1 b; b 1>2 a 2"),
        "graph": {"name": "two", **problem(ONE, "a 2>1 b; b 1>2 a 2")["graph"]},
    }
    assert not faults(two())
