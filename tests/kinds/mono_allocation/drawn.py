"""Random instances of many shapes, the same for the same seed."""

from random import Random
from typing import Any

from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance


def instance(document: dict[str, Any]) -> MonoAllocationInstance:
    """Read a document of JSON as the contract does."""
    return MonoAllocationInstance.model_validate({"kind": "mono_allocation", **document})


def quantity(random: Random, largest: int = 9) -> str:
    return f"{random.randint(1, largest)}/{random.choice((1, 1, 2, 3))}"


def drawn(
    random: Random,
    tasks: int = 5,
    processors: int = 4,
    *,
    density: float = 0.5,
    links: float = 0.7,
    everywhere: bool = False,
    **fields: Any,
) -> dict[str, Any]:
    """Draw a document: any graph, any platform, both port models.

    Parameters
    ----------
    tasks, processors
        How many.
    density, links
        Probability of a file between two tasks, of a link between two processors.
    everywhere
        Whether every processor runs every task and every pair is linked.
    fields
        Of the document, given instead of drawn.
    """
    ports = fields.get("ports") or random.choice(("multiport", "one_port"))
    names = [f"P{i}" for i in range(processors)]
    media = ["M0", "M1"] if ports == "multiport" and random.random() < 0.3 else []
    platform: dict[str, Any] = {"processors": [], "links": [], "routes": []}
    for name in names:
        processor: dict[str, Any] = {"id": name, "speed": quantity(random)}
        if random.random() < 0.4:
            processor["bandwidth_out"] = quantity(random)
        if random.random() < 0.4:
            processor["bandwidth_in"] = quantity(random)
        platform["processors"].append(processor)
    if not everywhere and random.random() < 0.3:
        platform["processors"].append({"id": "R"})
        names = [*names, "R"]
    platform["media"] = [{"id": medium, "bandwidth": quantity(random)} for medium in media]
    for i, source in enumerate(names):
        for target in names[i + 1 :]:
            if everywhere or random.random() < links:
                link: dict[str, Any] = {
                    "source": source,
                    "target": target,
                    "bandwidth": quantity(random),
                    "duplex": "full" if everywhere else random.choice(("full", "full", "half")),
                }
                if media and random.random() < 0.5:
                    link["media"] = [random.choice(media)]
                platform["links"].append(link)
    listed = []
    for k in range(tasks):
        task: dict[str, Any] = {"id": f"T{k}", "work": quantity(random)}
        if not everywhere and random.random() < 0.3:
            task["allowed"] = sorted(random.sample(names[:processors], processors - 1))
        listed.append(task)
    files = [
        {"source": f"T{k}", "target": f"T{m}", "size": quantity(random)}
        for m in range(tasks)
        for k in range(m)
        if random.random() < density
    ]
    return {
        "platform": platform,
        "application": {"tasks": listed, "files": files},
        "ports": ports,
        **fields,
    }
