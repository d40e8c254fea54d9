"""Published platforms, from their file to a verified schedule."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid.formats import IMPORTERS
from tests.data import shared_data
from tests.kinds.master_worker.solving import solve

pytestmark = pytest.mark.unmeasured
"""They are large and reach nothing that small instances do not."""


@cache
def imported(name: str) -> dict[str, Any]:
    path = shared_data(f"simgrid-platforms/{name}.xml")
    importer = IMPORTERS["platform", "application/simgrid+xml"]
    return importer.read(path.read_bytes()).document.model_dump(mode="json", exclude_none=True)


@pytest.mark.parametrize(
    ("name", "master", "hosts", "output_size"),
    [
        ("griffon", "griffon-1.nancy.grid5000.fr", 92, 0),
        ("g5k", "edel-1.grenoble.grid5000.fr", 1528, 1_000_000),
    ],
)
def test_a_grid_in_raw_bytes_and_flops_is_solved_exactly_under_multiport(
    name: str, master: str, hosts: int, output_size: int
) -> None:
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": imported(name),
            "master": master,
            "task": {"work": 10**10, "input_size": 10**7, "output_size": output_size},
            "ports": "multiport",
        },
        "options": {"max_period": "exact"},
    }
    assert sum("speed" in p for p in body["problem"]["platform"]["processors"]) == hosts
    result, schedule = solve(body)
    assert result.outcome == "optimal"
    assert sum(result.certificate.prices.values()) == result.objective.value
    assert schedule.throughput == result.objective.value
    expected = {"griffon": Fraction(92 * 286087, 10**10), "g5k": Fraction(37123, 2500)}
    assert result.objective.value == expected[name]


def test_hosts_that_cannot_talk_leave_the_master_alone() -> None:
    body = {
        "problem": {
            "kind": "master_worker",
            "platform": imported("small_platform_routing_none"),
            "master": "Tremblay",
            "task": {"work": 98_095_000},
        }
    }
    result, _ = solve(body)
    assert result.objective.value == 1
    assert result.computed == {"Tremblay": 1}
