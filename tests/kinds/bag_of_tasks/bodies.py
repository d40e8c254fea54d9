"""Bodies of small bags of tasks on small stars."""

import random
from fractions import Fraction
from typing import Any

F = Fraction


def star(*workers: dict[str, Any], **master: Any) -> dict[str, Any]:
    """Put P1, P2, ... around P0; a worker's ``bandwidth`` is that of its link."""
    processors, links = [{"id": "P0"} | master], []
    for i, worker in enumerate(workers, 1):
        members = dict(worker)
        links.append({"source": "P0", "target": f"P{i}", "bandwidth": members.pop("bandwidth", 1)})
        processors.append({"id": f"P{i}"} | members)
    return {"processors": processors, "links": links}


def bag(name: str, *classes: tuple[Any, Any, Any], **members: Any) -> dict[str, Any]:
    """Make a bag of classes of (size, work, probability)."""
    listed = [
        {"input_size": str(size), "work": str(work), "probability": str(probability)}
        for size, work, probability in classes
    ]
    return {"id": name, "classes": listed} | members


def uniform(
    name: str, sizes: Any, works: Any, correlation: Any = 0, **members: Any
) -> dict[str, Any]:
    """Make a bag of uniform sizes and works."""
    listed = {"input_size": list(map(str, sizes)), "work": list(map(str, works))}
    return {"id": name, "uniform": listed | {"correlation": str(correlation)}} | members


def body(platform: dict[str, Any], *bags: dict[str, Any], **members: Any) -> dict[str, Any]:
    given = {"kind": "bag_of_tasks", "platform": platform, "master": "P0", "bags": list(bags)}
    return {"problem": given | members}


def example_b(**members: Any) -> dict[str, Any]:
    """Give a fast worker behind a slow link, a slow one behind a fast link, and a bag for each."""
    workers = ({"speed": 10, "bandwidth": 1}, {"speed": 1, "bandwidth": 10})
    return body(star(*workers), bag("T1", (10, 1, 1)), bag("T2", (1, 10, 1)), **members)


def drawn(seed: int, *, most_bags: int = 2, most_workers: int = 3) -> dict[str, Any]:
    """Draw an instance with limits of all sorts, zero sizes and zero works among it."""
    rng = random.Random(seed)
    numbers = (0, 1, 1, 2, 3, F(1, 2), 5)
    workers = [
        {"speed": rng.choice((1, 2, 5)), "bandwidth": rng.choice((1, 2, 3))}
        | ({"bandwidth_in": rng.choice((1, 2))} if rng.random() < 0.3 else {})
        for _ in range(rng.randint(1, most_workers))
    ]
    master: dict[str, Any] = {"speed": rng.choice((1, 2))} if rng.random() < 0.4 else {}
    if rng.random() < 0.5:
        master["bandwidth_out"] = rng.choice((1, 2, 4))
    bags = []
    for k in range(rng.randint(1, most_bags)):
        weights = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))]
        classes = [
            (rng.choice(numbers), rng.choice(numbers), F(weight, sum(weights)))
            for weight in weights
        ]
        bags.append(bag(f"b{k}", *classes, priority=rng.choice((1, 2, "1/2"))))
    bags[0]["classes"][0]["work"] = "3"
    return body(star(*workers, **master), *bags, ports=rng.choice(("multiport", "one_port")))
