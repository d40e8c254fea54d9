"""Random platforms on which interchangeable processors are planted."""

from random import Random
from typing import Any

BANDWIDTHS = ["1/2", "1", "2"]


def planted(random: Random, ports: str) -> dict[str, Any]:
    """Draw a platform of a few hubs, and copies of processors hung up on them.

    Copies of one sort have the same speed and the same links, with media of their own or shared
    ones under ``multiport``, and several cards at times under ``one_port``. Names are shuffled; some copies are spoilt by a change.
    """
    multiport = ports == "multiport"
    hubs = [f"H{k}" for k in range(random.randint(1, 3))]
    processors: list[dict[str, Any]] = [_processor(random, name, multiport) for name in hubs]
    links: list[dict[str, Any]] = [
        {"source": a, "target": b, "unit_time": random.choice(["1", "2"])}
        for k, a in enumerate(hubs)
        for b in hubs[:k]
    ]
    media: list[dict[str, Any]] = [{"id": "backbone", "bandwidth": random.choice(BANDWIDTHS)}]
    for sort in range(random.randint(1, 3)):
        _hang(random, sort, hubs, multiport, processors, links, media)
    if random.random() < 0.2:
        some = random.choice(processors)
        some["unit_time"] = "7/3"
        some.pop("switch", None)
    order = [p["id"] for p in processors]
    if (
        ports == "one_port"
        and random.random() < 0.4
        and not any(e.get("duplex") == "half" for e in links)
    ):
        number = random.randint(2, 3)
        chosen = random.choice(["H", "S0", "S1"])
        processors = [
            p | ({"cards": number} if p["id"].startswith(chosen) and not p.get("switch") else {})
            for p in processors
        ]
    renamed = dict(zip(order, (f"P{k}" for k in random.sample(range(90), len(order))), strict=True))
    random.shuffle(processors)
    random.shuffle(links)
    return {
        "processors": [p | {"id": renamed[p["id"]]} for p in processors],
        "links": [
            e | {"source": renamed[e["source"]], "target": renamed[e["target"]]} for e in links
        ],
        "media": media if multiport else [],
    }


def _processor(random: Random, name: str, multiport: bool) -> dict[str, Any]:
    if random.random() < 0.4:
        return {"id": name, "switch": True}
    drawn: dict[str, Any] = {"id": name, "unit_time": random.choice(["1", "2", "5/2"])}
    if multiport and random.random() < 0.3:
        drawn["bandwidth_out"] = random.choice(BANDWIDTHS)
    return drawn


def _hang(
    random: Random,
    sort: int,
    hubs: list[str],
    multiport: bool,
    processors: list[dict[str, Any]],
    links: list[dict[str, Any]],
    media: list[dict[str, Any]],
) -> None:
    model = _processor(random, "model", multiport)
    if model.pop("switch", False):
        model["unit_time"] = random.choice(["1", "3"])
    others = [p["id"] for p in processors] if random.random() < 0.3 else hubs
    near = random.sample(others, min(len(others), random.choice([1, 1, 2])))
    duplex = [random.choice(["full", "full", "simplex", "half"]) for _ in near]
    times = [random.choice(["1/2", "1", "2"]) for _ in near]
    named = random.choice([[], ["own"], ["backbone"], ["own", "backbone"]]) if multiport else []
    wide = random.choice(BANDWIDTHS)
    for copy in range(random.choice([1, 2, 2, 3])):
        name = f"S{sort}x{copy}"
        processors.append(model | {"id": name})
        uses = [f"nic{name}" if medium == "own" else medium for medium in named]
        if "own" in named:
            media.append({"id": f"nic{name}", "bandwidth": wide})
        for hub, way, time in zip(near, duplex, times, strict=True):
            link = {"source": name, "target": hub, "unit_time": time, "duplex": way, "media": uses}
            links.append(link)
            if way == "simplex":
                links.append(link | {"source": hub, "target": name})
