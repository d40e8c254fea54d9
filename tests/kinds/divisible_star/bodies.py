"""Stars and trees with a load, small ones and random ones."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from steadygrid.kinds.divisible_star.schemas import DivisibleStarResult
from tests.solved import solve

F = Fraction
Number = Fraction | int | str


def tree(
    works: Mapping[str, Number | None],
    wires: Mapping[tuple[str, str], Number],
    master: str = "M",
    data: Number = 1,
    work: Number = 1,
    **problem: Any,
) -> dict[str, Any]:
    """Write a tree: the time of a unit of work by processor, of a unit of data by link."""
    processors = [
        {"id": id_} | ({} if time is None else {"unit_time": str(time)})
        for id_, time in works.items()
    ]
    links = [{"source": a, "target": b, "unit_time": str(time)} for (a, b), time in wires.items()]
    return {
        "problem": {
            "kind": "divisible_star",
            "platform": {"processors": processors, "links": links},
            "master": master,
            "load": {"communication_volume": str(data), "computation_volume": str(work)},
        }
        | problem
    }


def star(
    wires: Sequence[Number],
    works: Sequence[Number | None],
    own: Number | None = None,
    **problem: Any,
) -> dict[str, Any]:
    """Write a star of workers P1, P2, ... around the master M, which may compute itself."""
    names = [f"P{i}" for i in range(1, len(works) + 1)]
    return tree(
        {"M": own, **dict(zip(names, works, strict=True))},
        {("M", name): wire for name, wire in zip(names, wires, strict=True)},
        **problem,
    )


def with_results(
    wires: Sequence[Number],
    works: Sequence[Number],
    backs: Sequence[Number],
    own: Number | None = None,
    latencies: Sequence[tuple[Number, Number, Number]] = (),
    own_latency: Number = 0,
    **problem: Any,
) -> dict[str, Any]:
    """Write a star whose results take a time of their own each; with C, W, D of the workers."""
    document = star(wires, works, own, **problem)
    asked = document["problem"]
    asked["load"]["return_volume"] = "1"
    processors, links = asked["platform"]["processors"], asked["platform"]["links"]
    processors[0]["latency"] = str(own_latency)
    latencies = latencies or [(0, 0, 0)] * len(works)
    for processor, link, back, late in zip(processors[1:], links[:], backs, latencies, strict=True):
        processor["latency"] = str(late[1])
        link |= {"duplex": "simplex", "latency": str(late[0])}
        way = {"source": processor["id"], "target": "M", "duplex": "simplex"}
        links.append(way | {"unit_time": str(back), "latency": str(late[2])})
    return document


def random_tree(random: Random, most: int, **problem: Any) -> dict[str, Any]:
    """Draw a tree of routers and computing processors, some links equal; loads of all sorts."""
    names = [f"P{i}" for i in range(random.randint(1, most))]
    parents = {name: random.choice(names[:i]) for i, name in enumerate(names) if i}
    times = [F(random.randint(1, 5), random.randint(1, 3)) for _ in range(2 * most)]
    works = {name: random.choice([None, *times[:most]]) for name in names}
    works[random.choice(names)] = times[0]
    return tree(
        works,
        {(parent, name): random.choice(times) for name, parent in parents.items()},
        master="P0",
        data=random.choice(["0", "1", "1", "2/3", "2"]),
        work=random.choice([0, 1, 1, 2]),
        **problem,
    )


def result_of(document: Mapping[str, Any], **problem: Any) -> DivisibleStarResult:
    """Give the result of a body, with members of its problem replaced."""
    result = solve({**document, "problem": document["problem"] | problem}).result
    assert isinstance(result, DivisibleStarResult)
    return result


def makespan(document: Mapping[str, Any], **problem: Any) -> Fraction:
    """Give the makespan of an answer that is proved to be optimal."""
    result = result_of(document, **problem)
    assert (result.outcome, result.gap) == ("optimal", 0)
    assert result.makespan is not None
    return result.makespan
