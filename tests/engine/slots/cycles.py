"""Task graphs whose transfers are in conflict around an odd cycle."""

import random
from typing import Any

FIVE = ("AD", "AC", "DC", "DE", "ED")
"""Each is in conflict with the next: by a send port, a receive port, or a half-duplex link."""


def five(kind: str, **problem: Any) -> dict[str, Any]:
    """Five transfers of 1, pinned: no port has more than 2 to do, and slots need 5/2.

    A slot holds two of them at most.
    """
    return pinned(kind, FIVE, [1] * 5, **problem)


def pinned(kind: str, arcs: Any, sizes: Any, **problem: Any) -> dict[str, Any]:
    """Give one file over each of some half-duplex links, between tasks with one place each."""
    places = sorted({end for arc in arcs for end in arc})
    tasks = [
        {"id": f"{name}{k}", "times": {end: "1/100"}}
        for k, arc in enumerate(arcs)
        for name, end in zip("fg", arc, strict=True)
    ]
    files = [{"source": f"f{k}", "target": f"g{k}", "size": size} for k, size in enumerate(sizes)]
    links = sorted({"".join(sorted(arc)) for arc in arcs})
    return {
        "problem": {
            "kind": kind,
            "platform": {
                "processors": [{"id": end} for end in places],
                "links": [
                    {"source": a, "target": b, "unit_time": 1, "duplex": "half"}
                    for a, b in map(tuple, links)
                ],
            },
            "application": {"tasks": tasks, "files": files},
            "ports": "one_port",
            "routing": "fixed",
        }
        | problem
    }


def drawn(seed: int, kind: str, **problem: Any) -> dict[str, Any]:
    """Draw sizes for transfers around an odd cycle, and a few transfers more."""
    draw = random.Random(seed)
    pairs = [a + b for a in "ABCDE" for b in "ABCDE" if a != b]
    more = draw.sample([pair for pair in pairs if pair not in FIVE], draw.randint(0, 4))
    arcs = [*FIVE, *more]
    sizes = [draw.randint(3, 6) for _ in FIVE] + [draw.randint(1, 3) for _ in more]
    return pinned(kind, arcs, sizes, **problem)
