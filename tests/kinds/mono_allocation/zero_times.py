"""Random instances in which much takes no time at all."""

from random import Random
from typing import Any

from tests.kinds.mono_allocation.drawn import drawn


def drawn_with_zeros(random: Random, tasks: int, processors: int, **fields: Any) -> dict[str, Any]:
    """Draw a document whose tasks take no time on many processors, and many files no room."""
    document = drawn(random, tasks, processors, **fields)
    names = [f"P{i}" for i in range(processors)]
    for task in document["application"]["tasks"]:
        if random.random() < 0.8:
            where = [name for name in names if random.random() < 0.7] or [random.choice(names)]
            task.pop("work")
            task.pop("allowed", None)
            task["times"] = {
                name: 0 if random.random() < 0.6 else random.randint(1, 4) for name in where
            }
    for file in document["application"]["files"]:
        if random.random() < 0.4:
            file["size"] = 0
    return document
