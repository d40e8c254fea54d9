"""Boxes of processors behind a switch, joined by switches of a network: as in a cluster of GPUs."""

from typing import Any


def boxes(count: int, each: int = 8, rails: int = 2, latency: str = "1/200000") -> dict[str, Any]:
    """Put a platform together; times in seconds, data in gigabytes.

    Parameters
    ----------
    count, each
        Boxes, and processors of each.
    rails
        Switches of the network, which the processors of a box take in turn.
    latency
        Of every link.
    """
    ranks = [f"g{box}.{place}" for box in range(count) for place in range(each)]
    switches = [f"s{box}" for box in range(count)] + [f"n{rail}" for rail in range(rails)]
    links = []
    for rank in ranks:
        box, place = rank[1:].split(".")
        for other, bandwidth in ((f"s{box}", 300), (f"n{int(place) % rails}", 25)):
            links.append(
                {"source": rank, "target": other, "bandwidth": bandwidth, "latency": latency}
            )
    return {
        "processors": [{"id": rank} for rank in ranks]
        + [{"id": name, "switch": True} for name in switches],
        "links": links,
    }


def once(platform: dict[str, Any], operation: str, **problem: Any) -> dict[str, Any]:
    """Ask for the completion of one operation."""
    given = {
        "kind": "collective",
        "platform": platform,
        "operation": operation,
        "ports": "multiport",
        "objective": "completion",
    }
    return {"problem": given | problem}


def pair(latency: str = "1/4", bandwidth: Any = 2) -> dict[str, Any]:
    """Two processors and a link between them."""
    link = {"source": "A", "target": "B", "bandwidth": bandwidth, "latency": latency}
    return {"processors": [{"id": "A"}, {"id": "B"}], "links": [link]}


def ring(count: int = 4, latency: str = "1/4", **members: Any) -> dict[str, Any]:
    """Processors in a circle."""
    names = [f"P{i}" for i in range(count)]
    return {
        "processors": [{"id": name} for name in names],
        "links": [
            {"source": a, "target": b, "bandwidth": 1, "latency": latency} | members
            for a, b in zip(names, names[1:] + names[:1], strict=True)
        ],
    }
