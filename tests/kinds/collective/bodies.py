"""Bodies of small collective operations."""

import itertools
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

F = Fraction


def links(listed: str, **members: Any) -> list[dict[str, Any]]:
    """Read ``s>a 1, s>b 2/3``: simplex links with the times of a unit of data."""
    found = []
    for entry in listed.split(","):
        ends, time = entry.split()
        source, target = ends.split(">")
        link = {"source": source, "target": target, "unit_time": time, "duplex": "simplex"}
        found.append(link | members)
    return found


def body(listed: str, operation: str, *, switches: str = "", **problem: Any) -> dict[str, Any]:
    """Put an instance together; the processors are those that links name."""
    members = problem.pop("members", {})
    found = links(listed, **members)
    names = dict.fromkeys(link[end] for link in found for end in ("source", "target"))
    processors = [{"id": name} | ({"switch": True} if name in switches else {}) for name in names]
    platform = {"processors": processors, "links": found}
    given = {"kind": "collective", "platform": platform, "operation": operation}
    return {"problem": given | problem}


FIGURE_2 = "s>a 1, s>b 1, a>P0 2/3, b>P0 4/3, b>P1 4/3"
"""Of RR-4872."""


def figure_2(**problem: Any) -> dict[str, Any]:
    """Scatter from s to both processors below."""
    return body(FIGURE_2, "scatter", **({"source": "s", "targets": ["P0", "P1"]} | problem))


def turned_round(listed: str) -> str:
    """Read all links backwards."""
    return ", ".join(
        f"{ends.split('>')[1]}>{ends.split('>')[0]} {time}"
        for ends, time in (entry.split() for entry in listed.split(","))
    )


def drawn(seed: int, operation: str, ports: str) -> dict[str, Any]:
    """Draw a small platform with cycles and an operation on it; sizes may be 0."""
    draw = random.Random(seed)
    count = draw.randint(3, 5)
    names = [f"P{i}" for i in range(count)]
    pairs = [(i, i + 1) for i in range(count - 1)]
    pairs += [
        pair for pair in itertools.combinations(range(count), 2) if pair not in pairs
        and draw.random() < 0.5
    ]  # fmt: skip
    media = [{"id": "M", "bandwidth": str(F(draw.randint(1, 4), 2))}]
    platform: dict[str, Any] = {
        "processors": [{"id": name} for name in names],
        "links": [
            {
                "source": names[a],
                "target": names[b],
                "unit_time": str(F(draw.randint(1, 6), draw.randint(1, 3))),
                "duplex": draw.choice(["full", "full", "full", "half"]),
            }
            for a, b in pairs
        ],
    }
    if count > 3 and draw.random() < 0.5:
        platform["processors"][1]["switch"] = True
    if ports == "multiport":
        platform["media"] = media
        platform["links"][0]["media"] = ["M"]
        for processor in platform["processors"]:
            if draw.random() < 0.3 and "switch" not in processor:
                processor["bandwidth_out"] = str(F(draw.randint(1, 4), 3))
                processor["bandwidth_in"] = str(F(draw.randint(1, 4), 3))
    able = [p["id"] for p in platform["processors"] if "switch" not in p]
    draw.shuffle(able)
    problem: dict[str, Any] = {"platform": platform, "operation": operation, "ports": ports}
    sizes = [str(F(draw.randint(0, 3), 2)) for _ in able]
    sizes[1] = "1"
    if operation == "all_to_all":
        problem["participants"] = able[:3]
        problem["pair_sizes"] = [{"source": able[0], "target": able[1], "size": "3/2"}]
    else:
        one, many = ("source", "targets") if operation == "scatter" else ("target", "sources")
        problem |= {one: able[0], many: able[1:], "sizes": dict(zip(able[1:], sizes[1:], strict=True))}  # fmt: skip
    return {"problem": {"kind": "collective"} | problem}


def triples(problem: Mapping[str, Any]) -> list[tuple[str, str, Fraction]]:
    """Read the messages off a drawn problem: origin, receiver and size, from the contract's words."""
    if problem["operation"] == "all_to_all":
        special = {(p["source"], p["target"]): F(p["size"]) for p in problem["pair_sizes"]}
        return [
            (a, b, special.get((a, b), F(1)))
            for a, b in itertools.permutations(problem["participants"], 2)
        ]
    sizes = {name: F(size) for name, size in problem["sizes"].items()}
    if problem["operation"] == "scatter":
        return [(problem["source"], name, sizes[name]) for name in problem["targets"]]
    return [(name, problem["target"], sizes[name]) for name in problem["sources"]]
