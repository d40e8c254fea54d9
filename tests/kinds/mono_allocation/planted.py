"""Instances on platforms on which interchangeable processors are planted."""

from random import Random
from typing import Any

from tests.twins import planted


def planted_document(random: Random, tasks: int | None = None, **fields: Any) -> dict[str, Any]:
    """Draw an instance of up to six tasks, for either port model."""
    ports = random.choice(("multiport", "one_port"))
    platform = planted(random, ports)
    if not any("unit_time" in processor for processor in platform["processors"]):
        platform["processors"][0].pop("switch", None)
        platform["processors"][0]["unit_time"] = 1
    number = random.randint(2, 6) if tasks is None else tasks
    return {
        "platform": platform,
        "application": {
            "tasks": [{"id": f"T{k}", "work": random.randint(1, 4)} for k in range(number)],
            "files": [
                {"source": f"T{k}", "target": f"T{m}", "size": random.randint(0, 3)}
                for m in range(number)
                for k in range(m)
                if random.random() < 0.5
            ],
        },
        "ports": ports,
        **fields,
    }
