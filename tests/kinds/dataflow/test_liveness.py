"""A deadlock is an answer, also where nothing that takes time limits the throughput."""

import random
from collections import Counter
from typing import Any

import pytest

from steadygrid.kinds.dataflow.liveness import MOST_LOOKS, seen_to_be_live
from steadygrid.kinds.dataflow.rates import ends_of, phases_of
from steadygrid.kinds.dataflow.schemas import DataflowInstance
from tests.draws import draws
from tests.kinds.dataflow.bodies import drawn, faults, graph, problem
from tests.kinds.dataflow.unfolded import answer
from tests.solved import solve

TIMED = {"a": 1, "b": 0, "c": 0}
AUTO = {"concurrency": "auto"}


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        (problem({"a": 1, "b": 0}, "a 1>1 b; b 1>1 b", **AUTO), "infeasible"),
        (problem(TIMED, "a 1>1 b; b 1>1 c; c 1>1 b", **AUTO), "infeasible"),
        (problem(TIMED, "a 1>1 b; b 2>3 c; c 3>2 b 3", **AUTO), "infeasible"),
        (problem({"a": 0, "b": 0}, "a 1>1 b; b 1>1 a"), "infeasible"),
        (problem({"a": 0, "b": [0, 0]}, "a 2>1 b; b 0,1>1,0 b"), "infeasible"),
        # The second phase takes nothing, and overtakes the first, which waits for its token.
        (problem({"a": 1, "b": [0, 0]}, "a 2>1 b; b 0,1>1,0 b", **AUTO), "unknown"),
        (problem(TIMED, "a 1000003>1 b; b 1>1 c; c 1>1 b 1", **AUTO), "unknown"),
        (problem({"a": 1, "b": [0] * 9999}, "a 9999>1 b; b 1>1 b 1", **AUTO), None),
        (problem(TIMED, "a 1>1 b; b 2>3 c; c 3>2 b 4", **AUTO), None),
        (problem(TIMED, "a 1000003>1 b; b 1>1 c; c 1>1 b 1000003", **AUTO), None),
        (problem(TIMED, "a 1000003>1 b; b 1>1 b 1; b 1>1 c", **AUTO), None),
    ],
)
@pytest.mark.parametrize("method", ["auto", "k_periodic"])
def test_who_waits_for_ever_is_infeasible_and_who_does_not_has_no_limit(
    asked: dict[str, Any], outcome: str | None, method: str
) -> None:
    found = faults(DataflowInstance.model_validate(asked))
    if outcome is None:
        assert [fault.code for fault in found] == ["no_throughput_limit"]
        return
    assert not found
    result = solve({"problem": asked | {"method": method}}).result
    assert result.outcome == outcome
    certified = {"infeasible": "deadlock", "unknown": "none"}
    assert result.certificate.type == certified[outcome]


def test_what_is_refused_is_live_and_what_is_not_is_answered() -> None:
    rng = random.Random(11)
    seen = Counter[str]()
    for _ in range(draws(200, 20_000)):
        asked = drawn(rng)
        slow = answer(asked)
        stops = slow is not None and slow.schedule is None
        live = seen_to_be_live(
            asked.graph, ends_of(asked.graph, phases := phases_of(asked.graph)), phases
        )
        if asked.concurrency == "sequential" or max(phases) == 1:
            assert live != stops
        else:
            assert not (live and stops)
        if stops:
            assert not faults(asked)
        seen[f"{asked.concurrency} {stops}"] += 1
    assert (
        min(seen[f"{how} {stops}"] for how in ("sequential", "auto") for stops in (True, False))
        > 20
    )


def test_admission_looks_only_so_long() -> None:
    """Of many turns one after the other, and of long lists on many channels."""
    turns = graph(TIMED, f"a {MOST_LOOKS}>1 b; b 1>1 c; c 1>1 b 1", **AUTO)
    lists = graph({"a": 1, "b": [0] * 9999}, "a 9999>1 b;" + ";".join(["b 1>1 b 1"] * 20), **AUTO)
    for asked in (turns, lists):
        phases = phases_of(asked.graph)
        assert not seen_to_be_live(asked.graph, ends_of(asked.graph, phases), phases)
