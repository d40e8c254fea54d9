"""What a resource can do is 1, whatever it is, so the prices of an optimum sum up to it."""

from fractions import Fraction
from random import Random
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import build_model
from steadygrid.kinds.task_graph.solver.constraint_lists.model import build_program
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.network import read_network

NAMES = ("A", "B", "C", "D")
APPLICATION = {
    "tasks": [{"id": "first", "times": {"A": 1}}, {"id": "second", "work": 2}],
    "files": [{"source": "first", "target": "second", "size": 3}],
}
ASKED: dict[str, dict[str, Any]] = {
    "master_worker": {"master": "A", "task": {"work": 2, "input_size": 3, "output_size": 1}},
    "task_graph": {"application": APPLICATION, "method": "column_generation"},
    "constraint_lists": {"application": APPLICATION, "method": "constraint_lists"},
}


def platform(random: Random, ports: str) -> dict[str, Any]:
    """Every sort of resource: half and full links, two media, bandwidths, never of size 1."""
    wide = ports == "multiport"

    def number() -> str:
        return f"{random.randint(2, 9)}/{random.randint(2, 9)}"

    processors = [
        {"id": name, "speed": number()}
        | ({"bandwidth_in": number(), "bandwidth_out": number()} if wide else {})
        for name in NAMES
    ]
    links = [
        {"source": "A", "target": name, "bandwidth": number(), "duplex": "half"}
        | ({"media": ["M"] * random.randint(1, 2)} if wide else {})
        for name in ("B", "C")
    ]
    links.append({"source": "C", "target": "D", "bandwidth": number()})
    media = [{"id": "M", "bandwidth": number()}] if wide else []
    return {"processors": processors, "links": links, "media": media}


def body(asked: str, ports: str, seed: int) -> dict[str, Any]:
    kind = asked if asked in PROBLEMS else "task_graph"
    problem = {"kind": kind, "platform": platform(Random(seed), ports), "ports": ports}
    return {"problem": problem | ASKED[asked]}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("asked", ["master_worker", "constraint_lists"])
def test_every_row_of_a_resource_is_at_most_one(asked: str, ports: str, seed: int) -> None:
    instance: Any = parse_submission(body(asked, ports, seed), Limits()).instance
    known = read_network(instance.platform, instance.ports).resources
    if asked == "master_worker":
        model = build_model(instance, Legs.from_instance(instance))
    else:
        model = build_program(instance, Control()).model
        known |= {compute_resource(name) for name in NAMES}
    rows = {
        row.index(): row
        for row in model.component_data_objects(pyo.Constraint)
        if row.index() in known
    }
    assert rows
    assert all(row.lower is None for row in rows.values())
    assert {pyo.value(row.upper) for row in rows.values()} == {1}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("asked", ASKED)
def test_exact_prices_of_a_throughput_sum_up_to_its_bound(
    asked: str, ports: str, seed: int
) -> None:
    submission = parse_submission(body(asked, ports, seed), Limits())
    result = run(submission, Control(submission.options.time_limit), Limits()).result
    assert result.objective is not None
    assert result.bound is not None
    assert sum(result.certificate.prices.values(), Fraction(0)) == result.bound.value
