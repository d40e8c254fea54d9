"""Places of channels are the same however they are counted, and however large the numbers are."""

import random
import time
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.kinds.dataflow.schemas import DataflowInstance
from steadygrid.kinds.dataflow.solver import channel_places
from tests.draws import draws
from tests.kinds.dataflow.bodies import drawn, faults, graph
from tests.kinds.dataflow.test_places import answered

HUGE = 10**24 + 7


def counted(asked: DataflowInstance) -> tuple[list[int], list[int]] | None:
    """Give both numbers of places of each channel; None without a schedule."""
    result = answered(asked).result
    if result.buffers is None or result.tokens_waiting is None:
        return None
    return [one.tokens for one in result.buffers], [one.tokens for one in result.tokens_waiting]


def scaled(asked: DataflowInstance, *, times: int = 1, tokens: int = 1) -> DataflowInstance:
    """Multiply all times, or all tokens and rates."""

    def times_of(given: Any, factor: int) -> Any:
        return tuple(one * factor for one in given) if isinstance(given, tuple) else given * factor

    actors = [
        one.model_copy(update={"times": times_of(one.times, times)}) for one in asked.graph.actors
    ]
    channels = [
        one.model_copy(
            update={
                name: times_of(getattr(one, name), tokens)
                for name in ("production", "consumption", "tokens")
            }
        )
        for one in asked.graph.channels
    ]
    parts = {"actors": tuple(actors), "channels": tuple(channels)}
    return asked.model_copy(update={"graph": asked.graph.model_copy(update=parts)})


def test_places_do_not_depend_on_how_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for seed in range(draws(60, 2_000)):
        asked = drawn(random.Random(seed))
        if faults(asked):
            continue
        counts = []
        for few in (0, 4, 10**6):
            monkeypatch.setattr(channel_places, "FEW_PAIRS", few)
            counts.append(counted(asked))
        assert counts[0] == counts[1] == counts[2]
        seen += counts[0] is not None
    assert seen > 10


@pytest.mark.parametrize("few", [0, 10**6])
def test_places_of_huge_numbers_are_exact(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer times change nothing, and with more tokens in all places there are as many more."""
    monkeypatch.setattr(channel_places, "FEW_PAIRS", few)
    asked = graph({"a": [1, 3], "b": 2, "c": [2, 1, 1]}, "a 2,4>3 b; b 2>1,2,1 c; c 2,0,4>1,5 a 12")
    plain = counted(asked)
    assert plain is not None
    assert counted(scaled(asked, times=HUGE)) == plain
    many = 10**13
    found = counted(scaled(asked, times=HUGE, tokens=many))
    assert found == tuple([count * many for count in listed] for listed in plain)


def test_the_time_for_places_grows_with_channels_not_with_their_square() -> None:
    def seconds(actors: int) -> float:
        names = [f"a{i}" for i in range(actors)]
        channels = ";".join(f"{one} 1>1 {other}" for one, other in pairwise(names))
        asked = graph(dict.fromkeys(names, 2), channels)
        begun = time.process_time()
        answered(asked)
        return time.process_time() - begun

    assert seconds(4000) < 25 * min(seconds(500) for _ in range(3))
