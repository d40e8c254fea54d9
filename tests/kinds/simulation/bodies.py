"""Simulations of small answers."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from steadygrid.kinds import PROBLEMS
from tests.solved import solve


def simulated(body: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """Solve a body, and ask for a simulation of its schedule."""
    asked = {"problem": dict(body["problem"]), "options": dict(body.get("options", {}))}
    result, schedule = solve(asked)
    documents = {
        "instance": asked,
        "result": result.model_dump(mode="json"),
        "schedule": schedule.document,
    }
    return deepcopy({"problem": {"kind": "simulation", **documents, **members}})


@cache
def _example(kind: str, ports: str) -> dict[str, Any]:
    body = deepcopy(dict(PROBLEMS[kind].example))
    if ports:
        body["problem"]["ports"] = ports
    return simulated(body)


def example(kind: str = "master_worker", ports: str = "", **members: Any) -> dict[str, Any]:
    """Ask for a simulation of the example of a kind."""
    body = deepcopy(_example(kind, ports))
    return {"problem": body["problem"] | members}
