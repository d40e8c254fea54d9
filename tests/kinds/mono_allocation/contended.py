"""Random instances whose best allocations move, split and copy files."""

from random import Random
from typing import Any

from tests.kinds.mono_allocation.drawn import drawn


def restricted(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw an instance whose tasks may run on few processors, on a platform with few links."""
    document = drawn(
        random,
        tasks,
        processors,
        density=random.choice((0.3, 0.6, 0.9)),
        links=random.choice((0.4, 0.7, 1)),
        **fields,
    )
    names = [p["id"] for p in document["platform"]["processors"] if "speed" in p]
    for task in document["application"]["tasks"]:
        task["work"] = str(random.randint(1, 30))
        task["allowed"] = sorted(random.sample(names, random.choice((1, 2, min(3, len(names))))))
    for link in document["platform"]["links"]:
        if random.random() < 0.2:
            link["duplex"] = "simplex"
    return document


def spread(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw an instance with cheap producers of large files for users that are far apart."""
    document = drawn(random, tasks, processors, links=random.choice((0.5, 0.8, 1)), **fields)
    names = [p["id"] for p in document["platform"]["processors"] if "speed" in p]
    producers = max(1, tasks // 2)
    for k, task in enumerate(document["application"]["tasks"]):
        if k < producers:
            task["work"] = str(random.randint(1, 4))
            task.pop("allowed", None)
        else:
            task["work"] = str(random.randint(1, 9))
            task["allowed"] = sorted(random.sample(names, random.choice((1, 1, 2))))
    document["application"]["files"] = [
        {"source": f"T{k}", "target": f"T{m}", "size": str(random.randint(4, 20))}
        for m in range(tasks)
        for k in range(min(m, producers))
        if random.random() < 0.9
    ]
    return document


def alike(random: Random, tasks: int, groups: tuple[int, ...], **fields: Any) -> dict[str, Any]:
    """Draw a star around a switch whose hosts, within each group, are all the same."""
    processors: list[dict[str, Any]] = [{"id": "S", "switch": True}]
    links = []
    for g, count in enumerate(groups):
        speed, bandwidth, out = (random.randint(1, most) for most in (5, 8, 9))
        for i in range(count):
            name = f"H{g}{i}"
            processors.append({"id": name, "speed": speed, "bandwidth_out": out})
            duplex = "full" if g else "half"
            links.append({"source": name, "target": "S", "bandwidth": bandwidth, "duplex": duplex})
    files = [
        {"source": f"T{k}", "target": f"T{m}", "size": random.randint(1, 9)}
        for m in range(tasks)
        for k in range(m)
        if random.random() < 0.4
    ]
    return {
        "platform": {"processors": processors, "links": links},
        "application": {
            "tasks": [{"id": f"T{k}", "work": random.randint(1, 9)} for k in range(tasks)],
            "files": files,
        },
        **fields,
    }
