"""Published dataflow graphs with their periods, and small random ones."""

import random
from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any, Literal

from steadygrid.kinds.dataflow.schemas import DataflowInstance

Concurrency = Literal["sequential", "auto"]
Rates = int | Sequence[int]
Document = dict[str, Any]
CONCURRENCIES: tuple[Concurrency, ...] = ("sequential", "auto")


def graph(times: Mapping[str, Any], *channels: tuple[Any, ...], loops: str = "") -> Document:
    """Write channels (source, target, production, consumption, tokens); `loops`: who has one token
    of its own."""
    members = ("source", "target", "production", "consumption", "tokens")
    own = [(actor, actor, 1, 1, 1) for actor in loops.split()]
    return {
        "actors": [{"id": actor, "times": time} for actor, time in times.items()],
        "channels": [dict(zip(members, channel, strict=False)) for channel in (*channels, *own)],
    }


def instance(document: Document, concurrency: Concurrency = "sequential") -> DataflowInstance:
    return DataflowInstance.model_validate(
        {"kind": "dataflow", "graph": document, "concurrency": concurrency}
    )


TWO = graph({"a": 1, "b": 2}, ("a", "b", 2, 1), ("b", "a", 1, 2, 2))

MODEM = "fork1 biq bi add ac fork2 conj mul1 in filt hil eq mul2 deci deco out"
SATELLITE = "a b c d e f g h i j k l m n p q r s t u v w"

PUBLISHED: dict[str, tuple[Document, str | None, str]] = {
    # Ruling of the kind's own example.
    "two": (TWO, "3", "5"),
    # Benchmarks of Kiter (Bodin, Munier-Kordon, Dupont de Dinechin).
    "sample": (
        graph(
            {"A": [3, 1], "B": [2, 1, 2], "C": 1},
            ("A", "B", [3, 5], [1, 1, 4]),
            ("B", "C", [6, 2, 1], 6),
            ("C", "A", 2, [1, 3], 4),
            loops="A B C",
        ),
        "23",
        "23",
    ),
    "21": (
        graph(
            {"A": 1, "B": 1, "C": 1},
            ("A", "B", 6, 14),
            ("B", "C", 14, 21, 28),
            ("C", "A", 21, 6),
            loops="A B C",
        ),
        "11",
        "11",
    ),
    "tiny": (
        graph(
            {"a": [1, 1], "b": [1, 1, 1]},
            ("a", "b", [2, 1], [1, 1, 1]),
            ("b", "a", [1, 1, 1], [3, 0], 8),
        ),
        "1",
        "3",
    ),
    "NiknamFig1": (
        graph(
            {"T1": [1, 2, 1], "T2": 2, "T3": 3, "T4": [2, 3]},
            ("T1", "T2", [1, 0, 1], 1),
            ("T1", "T3", [0, 1, 0], 1),
            ("T2", "T4", 1, [2, 0]),
            ("T3", "T4", 1, [0, 1]),
            ("T4", "T1", [1, 1], [0, 1, 1], 2),
        ),
        "13/2",
        "8",
    ),
    "expansion": (
        graph(
            {"t1": 1, "t2": 1, "t3": 1},
            ("t1", "t2", 1, 1),
            ("t2", "t3", 8, 6),
            ("t3", "t1", 6, 8, 20),
        ),
        "9/2",
        "5",
    ),
    # Examples of SDF3 (Stuijk, Geilen, Basten).
    "samplerate": (
        graph(
            {"a": 5, "b": 2, "c": 3, "d": 1, "e": 4, "f": 6},
            ("a", "b", 1, 1),
            ("b", "c", 2, 3),
            ("c", "d", 2, 7),
            ("d", "e", 8, 7),
            ("e", "f", 5, 1),
            loops="a b c d e f",
        ),
        "960",
        "960",
    ),
    "h263decoder": (
        graph(
            {"vld": 13009, "iq": 559, "idct": 486, "mc": 5479},
            ("vld", "iq", 594, 1),
            ("iq", "idct", 1, 1),
            ("idct", "mc", 1, 594),
            loops="vld iq mc",
        ),
        "332046",
        "332046",
    ),
    "h263encoder": (
        graph(
            {
                "motion_estimation": 191074,
                "mb_encoding": 8409,
                "vlc": 13009,
                "mb_decoding": 6264,
                "motion_compensation": 5678,
            },
            ("motion_compensation", "motion_estimation", 1, 1, 1),
            ("motion_estimation", "mb_encoding", 99, 1),
            ("mb_encoding", "vlc", 1, 99),
            ("mb_encoding", "mb_decoding", 1, 1),
            ("mb_decoding", "motion_compensation", 1, 99),
            loops="vlc motion_compensation",
        ),
        "211425",
        "1035507",
    ),
    "mp3playback": (
        graph(
            {"mp3": 7510, "src": 10000, "app": 22, "dac": 22},
            ("mp3", "src", 1152, 480),
            ("src", "app", 441, 1),
            ("app", "dac", 1, 1),
            ("dac", "app", 1, 1, 2),
            loops="mp3 src app dac",
        ),
        "120000",
        "120000",
    ),
    "modem": (
        graph(
            dict.fromkeys(MODEM.split(), 1),
            ("fork1", "biq", 1, 1),
            ("fork1", "bi", 1, 1),
            ("biq", "add", 1, 1),
            ("bi", "add", 1, 1),
            ("add", "ac", 1, 1),
            ("ac", "fork2", 2, 1),
            ("fork2", "conj", 1, 2),
            ("fork2", "mul1", 1, 2),
            ("conj", "mul2", 2, 2),
            ("mul1", "deci", 2, 2),
            ("mul2", "eq", 2, 2, 2),
            ("in", "filt", 1, 1),
            ("filt", "hil", 1, 8),
            ("hil", "eq", 2, 4),
            ("eq", "mul1", 2, 2),
            ("deci", "mul2", 2, 2),
            ("deci", "deco", 2, 2),
            ("deco", "out", 1, 1),
            ("deci", "fork1", 1, 1, 1),
            loops=MODEM,
        ),
        "16",
        "16",
    ),
    "satellite": (
        graph(
            dict.fromkeys(SATELLITE.split(), 1),
            *(("a", "b", 1, 4), ("b", "c", 1, 11), ("c", "g", 1, 1), ("c", "p", 10, 1)),
            *(("d", "e", 1, 4), ("e", "f", 1, 11), ("f", "k", 1, 1), ("f", "p", 10, 1)),
            *(("g", "h", 1, 1), ("h", "i", 11, 11), ("i", "j", 10, 1), ("k", "l", 1, 1)),
            *(("l", "m", 11, 11), ("m", "n", 10, 1), ("p", "q", 1, 240), ("p", "r", 1, 240)),
            *(("q", "w", 240, 1), ("r", "w", 240, 1), ("n", "p", 1, 1), ("n", "s", 1, 1)),
            *(("s", "u", 1, 1), ("j", "p", 1, 1), ("j", "t", 1, 1), ("t", "u", 1, 1)),
            *(("u", "v", 1, 240), ("v", "w", 240, 1)),
            loops=SATELLITE,
        ),
        "1056",
        "1056",
    ),
}
"""Graph, period under `auto` and under `sequential`."""


def random_graph(chance: random.Random, *, connected: bool = False) -> Document:
    """Draw a consistent graph of few firings, perhaps in deadlock.

    Parameters
    ----------
    connected
        Whether a way leads from each actor to each.
    """
    size = chance.randint(1, 4)
    counts = [chance.choice((1, 1, 1, 2, 2, 3)) for _ in range(size)]
    phases = [chance.choice((1, 1, 2, 3)) for _ in range(size)]
    with_phases = chance.random() < 0.6
    if not with_phases:
        phases = [1] * size
    times = {f"a{place}": _times(chance, phases[place]) for place in range(size)}
    ends = [
        (place, (place + 1) % size) for place in range(size if connected or size == 1 else size - 1)
    ]
    ends += [(chance.randrange(size), chance.randrange(size)) for _ in range(chance.randint(0, 3))]
    channels = []
    for source, target in ends:
        ways = lcm(counts[source], counts[target])
        total = ways * chance.choice((1, 1, 1, 2, 3))
        made = _shares(chance, total // counts[source], phases[source])
        taken = _shares(chance, total // counts[target], phases[target])
        tokens = chance.choice((0, 0, chance.randint(0, total), chance.randint(0, 2 * total)))
        channels.append((f"a{source}", f"a{target}", made, taken, tokens))
    return graph(times, *channels)


def _times(chance: random.Random, phases: int) -> Any:
    drawn = [chance.choice(("0", "1", "1", "2", "3", "5/2", "7")) for _ in range(phases)]
    return drawn if phases > 1 else drawn[0]


def _shares(chance: random.Random, total: int, phases: int) -> list[int]:
    cuts = sorted(chance.randint(0, total) for _ in range(phases - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]
