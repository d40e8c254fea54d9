"""Small dataflow graphs, given and drawn."""

import random
from collections.abc import Sequence
from math import lcm
from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.domain.job import Options
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import DataflowInstance


def problem(times: dict[str, Any], channels: str, **more: Any) -> dict[str, Any]:
    """Put a graph together; channels read ``a 2>1 b 3``: production, consumption, tokens.

    Rates of phases are separated by commas, ``a 1,2>3 b``; a name comes first, ``x:a 1>1 b``.
    """
    listed = []
    for entry in filter(None, map(str.strip, channels.split(";"))):
        name, _, rest = entry.rpartition(":")
        source, rates, target, *tokens = rest.split()
        made, taken = (
            [int(rate) for rate in part.split(",")] if "," in part else int(part)
            for part in rates.split(">")
        )
        channel = {"source": source, "target": target, "production": made, "consumption": taken}
        if tokens:
            channel["tokens"] = int(tokens[0])
        listed.append(channel | ({"id": name} if name else {}))
    actors = [{"id": name, "times": time} for name, time in times.items()]
    return {"kind": "dataflow", "graph": {"actors": actors, "channels": listed}} | more


def graph(times: dict[str, Any], channels: str, **more: Any) -> DataflowInstance:
    """Read such a graph."""
    return DataflowInstance.model_validate(problem(times, channels, **more))


def faults(asked: DataflowInstance) -> list[Fault]:
    """List what is wrong with a well-formed graph."""
    return list(PROBLEM.faults(asked, Options(), ("problem",)))


def two(**more: Any) -> DataflowInstance:
    """The example of the contract."""
    return graph({"a": 1, "b": 2}, "a 2>1 b; b 1>2 a 2", **more)


def drawn(rng: random.Random, phases: int = 3, most: int = 4) -> DataflowInstance:
    """Draw a small graph: connected, with rates that fit; alive or not, limited or not."""
    count = rng.randint(1, most)
    cycles = [rng.randint(1, 3) for _ in range(count)]
    lengths = [rng.randint(1, phases) for _ in range(count)]
    ends = [(rng.randrange(i), i) for i in range(1, count)]
    ends += [(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(1, 3))]
    entries = []
    for pair in ends:
        source, target = pair if rng.random() < 0.7 else pair[::-1]
        moved = lcm(cycles[source], cycles[target]) * rng.randint(1, 2)
        made = _split(rng, moved // cycles[source], lengths[source])
        taken = _split(rng, moved // cycles[target], lengths[target])
        tokens = rng.choice([0, rng.randint(0, 2 * moved), rng.randint(0, moved)])
        entries.append(f"{'abcd'[source]} {made}>{taken} {'abcd'[target]} {tokens}")
    kind = rng.choice(["any", "whole", "zero"])
    times = {"abcd"[i]: [_time(rng, kind) for _ in range(lengths[i])] for i in range(count)}
    return graph(times, ";".join(entries), concurrency=rng.choice(["sequential", "auto"]))


def _split(rng: random.Random, total: int, parts: int) -> str:
    rates = [0] * parts
    for _ in range(total):
        rates[rng.randrange(parts)] += 1
    return ",".join(map(str, rates))


def _time(rng: random.Random, kind: str) -> str:
    if kind == "zero":
        return str(rng.choice([0, 0, 1]))
    return str(rng.randint(1, 6)) if kind == "whole" else f"{rng.randint(0, 9)}/{rng.randint(1, 4)}"


def spread(given: Any, length: int) -> Sequence[Any]:
    """Repeat one number for all phases."""
    return (
        tuple(given) * (length if len(given) == 1 else 1)
        if isinstance(given, tuple)
        else (given,) * length
    )
