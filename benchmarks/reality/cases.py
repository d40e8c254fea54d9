"""What is carried out: problems, and how large their units are on this machine."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.reality.machines import Scale

EXAMPLES = Path(__file__).parents[2] / "examples"


class Case(NamedTuple):
    """A problem that is carried out.

    Attributes
    ----------
    name
        For tables.
    problem
        As it is posted.
    scale
        Of its units.
    instances
        That each run completes.
    hashes
        Whether computing is hashing; else it is sleeping.
    """

    name: str
    problem: Mapping[str, Any]
    scale: Scale
    instances: int
    hashes: bool = False


def example(name: str) -> Mapping[str, Any]:
    """Give the problem of an example."""
    problem: Mapping[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text())["problem"]
    return problem


def master_worker(
    times: Mapping[str, int], links: Sequence[tuple[str, str, str]], result: str
) -> Mapping[str, Any]:
    """Give a problem of tasks of one unit of work and of data, with results of so much."""
    return {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, *({"id": i, "unit_time": t} for i, t in times.items())],
            "links": [
                {"source": source, "target": target, "unit_time": each}
                for source, target, each in links
            ],
        },
        "master": "M",
        "task": {"work": 1, "input_size": 1, "output_size": result},
    }


def relayed() -> Mapping[str, Any]:
    """Give a tree whose master reaches two workers by a third, which passes their results on."""
    links = [("M", "R", "1"), ("R", "A", "1"), ("R", "B", "1"), ("M", "C", "3")]
    return master_worker({"R": 8, "A": 4, "B": 4, "C": 4}, links, "1/2")


def two_workers() -> Mapping[str, Any]:
    """Give two workers that keep less than one and a half cores busy."""
    return master_worker({"A": 2, "B": 4}, [("M", "A", "3/2"), ("M", "B", "3/2")], "0")


def boxes() -> Mapping[str, Any]:
    """Give an allgather of two boxes of four, each with a switch, and a fabric between them."""
    cards = [(f"{box}{i}", box) for box in "AB" for i in range(4)]
    switches = [{"id": name, "switch": True} for name in ("A", "B", "fabric")]
    return {
        "kind": "collective",
        "operation": "allgather",
        "ports": "multiport",
        "platform": {
            "processors": [*({"id": card} for card, _ in cards), *switches],
            "links": [
                link
                for card, box in cards
                for link in (
                    {"source": card, "target": box, "bandwidth": 100},
                    {"source": card, "target": "fabric", "bandwidth": 25},
                )
            ],
        },
    }


CASES = (
    Case("figure 3 of RR-4870", example("rr4870-figure-3"), Scale(0.02, 40_000), 200),
    Case("a tree with a relay", relayed(), Scale(0.04, 80_000), 180),
    Case("figure 9 of RR-4870", example("rr4870-figure-9"), Scale(0.08, 80_000), 100),
    Case("three sites, broadcast", example("three-sites-broadcast"), Scale(0.0025, 40_000), 84),
    Case("two boxes of four, allgather", boxes(), Scale(8.0, 40_000, 0.02, 0.05), 20),
    Case("two workers that hash", two_workers(), Scale(0.05, 80_000), 80, hashes=True),
)
