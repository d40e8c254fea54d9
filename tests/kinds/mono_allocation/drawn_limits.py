"""Random instances with memory, and with chains whose intervals are asked for."""

from itertools import pairwise
from random import Random
from typing import Any

from tests.kinds.mono_allocation.contended import restricted
from tests.kinds.mono_allocation.drawn import drawn, quantity

TIGHT = (0.4, 0.6, 0.8, 1, 1.5)
"""What processors have, over their even share of what is needed."""


def with_memory(random: Random, document: dict[str, Any], share: float = 0.85) -> dict[str, Any]:
    """Give most tasks a need of memory, and most processors about as much as they will need."""
    tasks = document["application"]["tasks"]
    processors = [p for p in document["platform"]["processors"] if "speed" in p]
    total = 0
    for task in tasks:
        if random.random() < share:
            task["memory"] = need = random.randint(1, 6)
            total += need
    for processor in processors:
        if random.random() < share:
            even = max(1, total) / len(processors)
            processor["memory"] = max(1, round(even * 2 * random.choice(TIGHT)))
    return document


def limited(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw any graph on any platform, with memory."""
    draw = random.choice((drawn, restricted))
    return with_memory(random, draw(random, tasks, processors, **fields))


def chained(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw a chain whose intervals are asked for, its tasks in any order, now and then with memory."""
    memory = random.random() < 0.7
    document = drawn(random, tasks, processors, links=random.choice((0.6, 1)), **fields)
    order = random.sample([task["id"] for task in document["application"]["tasks"]], tasks)
    document["application"]["files"] = [
        {"source": source, "target": target, "size": random.choice((0, quantity(random)))}
        for source, target in pairwise(order)
    ]
    document["contiguous"] = True
    return with_memory(random, document) if memory else document


def pipeline(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw a chain for processors around a switch, some of them alike, with memory."""
    sorts = [
        {"speed": random.randint(1, 4), "memory": random.randint(4, 9)} for _ in range(processors)
    ]
    bandwidths = [quantity(random) for _ in sorts]
    listed = [{"id": "S", "switch": True}]
    links = []
    for i in range(processors):
        sort = random.randrange(max(1, processors // 2))
        listed.append({"id": f"P{i}", **sorts[sort]})
        links.append({"source": f"P{i}", "target": "S", "bandwidth": bandwidths[sort]})
    document = {
        "platform": {"processors": listed, "links": links},
        "application": {
            "tasks": [
                {"id": f"T{k}", "work": random.randint(1, 6), "memory": random.randint(0, 3)}
                for k in range(tasks)
            ],
            "files": [
                {"source": f"T{k}", "target": f"T{k + 1}", "size": quantity(random)}
                for k in range(tasks - 1)
            ],
        },
        "contiguous": True,
    }
    return document | fields


def tight(random: Random, tasks: int, processors: int) -> dict[str, Any]:
    """Draw the same with rooms that all differ, and little to spare."""
    document = pipeline(random, tasks, processors)
    for processor in document["platform"]["processors"][1:]:
        processor["memory"] = random.randint(1, 6)
    for task in document["application"]["tasks"]:
        task["memory"] = random.randint(1, 4)
    return document
