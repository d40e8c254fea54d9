"""Instances that the tests post: small ones from the sources, and random ones."""

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any


def body(
    processors: dict[str, Any],
    links: list[tuple[Any, ...]],
    task: dict[str, Any] | None = None,
    *,
    options: dict[str, Any] | None = None,
    media: dict[str, Any] | None = None,
    **problem: Any,
) -> dict[str, Any]:
    """Write a body: processors by unit time (None: a router, 'switch'), links as tuples.

    A link is (source, target, unit time, more fields); the first processor is the master.
    """

    def processor(name: str, what: Any) -> dict[str, Any]:
        if what == "switch":
            return {"id": name, "switch": True}
        if isinstance(what, dict):
            return {"id": name, **what}
        return {"id": name} | ({} if what is None else {"unit_time": what})

    platform: dict[str, Any] = {
        "processors": [processor(name, what) for name, what in processors.items()],
        "links": [
            {"source": s, "target": t, "unit_time": c, **(more[0] if more else {})}
            for s, t, c, *more in links
        ],
    }
    if media:
        platform["media"] = [{"id": name, "bandwidth": b} for name, b in media.items()]
    return {
        "problem": {
            "kind": "master_worker",
            "platform": platform,
            "master": next(iter(processors)),
            "task": {"work": 1, **(task or {})},
            **problem,
        },
        **({"options": options} if options else {}),
    }


def star(children: list[tuple[int, int]], own: int | None = None, **more: Any) -> dict[str, Any]:
    """A fork: children as (c, w)."""
    processors: dict[str, Any] = {"M": own} | {f"W{i}": w for i, (_, w) in enumerate(children)}
    return body(processors, [("M", f"W{i}", c) for i, (c, _) in enumerate(children)], **more)


def figure_3(**task: Any) -> dict[str, Any]:
    links = [("P1", "P2", 1), ("P1", "P3", 1), ("P2", "P4", 1), ("P3", "P4", 1)]
    return body({"P1": 10, "P2": 2, "P3": 2, "P4": 1}, links, {"work": 4, "input_size": 2, **task})


def random_quantity(random: Random, most: int = 9) -> str | int | float:
    top = random.randint(1, most)
    kind = random.randrange(3)
    if kind == 0:
        return top
    return f"{top}/{random.randint(1, 4)}" if kind == 1 else top / 10


def random_grid(
    seed: int, processors: int = 6, ports: str = "one_port", duplexes: str = "full simplex"
) -> dict[str, Any]:
    """A connected platform with some routers, switches and simplex links, and often outputs."""
    random = Random(seed)
    names = [f"p{i}" for i in range(processors)]
    what: dict[str, Any] = {}
    for name in names:
        draw = random.random()
        what[name] = None if draw < 0.15 else "switch" if draw < 0.3 else random_quantity(random)
    what[names[0]] = random.choice([None, 9])
    pairs = {(names[random.randrange(i)], names[i]) for i in range(1, processors)}
    for _ in range(processors):
        source, target = random.sample(names, 2)
        if (target, source) not in pairs:
            pairs.add((source, target))
    kinds = duplexes.split()
    links: list[tuple[Any, ...]] = [
        (s, t, random_quantity(random, 5), {"duplex": random.choice(kinds)})
        for s, t in sorted(pairs)
    ]
    media = {}
    if ports == "multiport":
        media = {"bus": random_quantity(random)}
        for link in random.sample(links, 3):
            link[3]["media"] = ["bus"]
        for name in random.sample(names, 2):
            if what[name] != "switch":
                speed = {} if what[name] is None else {"unit_time": what[name]}
                what[name] = {**speed, "bandwidth_out": random.randint(1, 4), "bandwidth_in": 2}
    task = {"input_size": random.choice([1, 2, "1/2"]), "output_size": random.choice([0, 1, "3/2"])}
    return body(what, links, task, ports=ports, media=media)


def half_duplex_ring(seed: int, processors: int) -> dict[str, Any]:
    """A ring whose links carry one direction at a time, while results go back."""
    random = Random(seed)
    names = [f"p{i}" for i in range(processors)]
    what = {name: random.choice([None, 1, 2, 3]) for name in names[1:]}
    links = [
        (s, names[(i + 1) % processors], random.randint(1, 3), {"duplex": "half"})
        for i, s in enumerate(names)
    ]
    return body({names[0]: None, **what}, links, {"output_size": random.choice([1, 2])})


def huge_grid(seed: int, processors: int, links: int, work: int) -> dict[str, Any]:
    """A random graph with weights of ten digits: its exact period is astronomical."""
    random = Random(seed)

    def weight() -> str:
        return str(Fraction(random.randint(10**9, 10**10), random.randint(10**9, 10**10)))

    names = [f"p{i}" for i in range(processors)]
    pairs = set(pairwise(names))
    while len(pairs) < links:
        source, target = random.sample(names, 2)
        if (target, source) not in pairs:
            pairs.add((source, target))
    drawn = [(s, t, weight()) for s, t in sorted(pairs)]
    return body({name: weight() for name in names}, drawn, {"work": work})
