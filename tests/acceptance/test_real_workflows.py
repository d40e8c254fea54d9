"""Recorded workflows on published platforms, from their files to verified schedules."""

from functools import cache
from typing import Any

import pytest

from steadygrid.formats import IMPORTERS
from steadygrid.kinds.mono_allocation.schemas import REFERENCES
from tests import solved
from tests.data import shared_data
from tests.solved import Solved

pytestmark = pytest.mark.unmeasured
"""They are large and reach nothing that small instances do not."""


def imported(noun: Any, content_type: str, path: str) -> dict[str, Any]:
    data = shared_data(path).read_bytes()
    document = IMPORTERS[noun, content_type].read(data).document
    return document.model_dump(mode="json", exclude_none=True)


@cache
def platform(name: str) -> dict[str, Any]:
    return imported("platform", "application/simgrid+xml", f"simgrid-platforms/{name}.xml")


def workflow(name: str) -> dict[str, Any]:
    return imported("application", "application/wfformat+json", f"wfinstances/{name}.json")


def some_hosts(count: int) -> dict[str, Any]:
    """Cut hosts of many sites out of Grid'5000; all its switches stay."""
    grid = platform("g5k")
    hosts = [p["id"] for p in grid["processors"] if not p.get("switch")]
    kept = set(hosts[:: len(hosts) // count][:count])
    kept |= {p["id"] for p in grid["processors"] if p.get("switch")}
    links = [e for e in grid["links"] if {e["source"], e["target"]} <= kept]
    used = {medium for link in links for medium in link["media"]}
    return grid | {
        "processors": [p for p in grid["processors"] if p["id"] in kept],
        "links": links,
        "media": [m for m in grid["media"] if m["id"] in used],
    }


def mono(application: dict[str, Any], on: dict[str, Any], method: str) -> Solved:
    """Ask for one allocation, with a second for it."""
    body = {
        "problem": {
            "kind": "mono_allocation",
            "platform": on,
            "application": application,
            "method": method,
            "instances": 20,
        },
        "options": {"time_limit": 1},
    }
    return solved.solve(body)


def solve(application: dict[str, Any], on: dict[str, Any], **options: Any) -> Solved:
    body = {
        "problem": {
            "kind": "task_graph",
            "platform": on,
            "application": application,
            "ports": "multiport",
        },
        "options": options,
    }
    return solved.solve(body, seconds=120)


@pytest.mark.parametrize(
    ("name", "hosts", "max_period"),
    [
        ("srasearch-chameleon-10a-001", 20, 3_000),
        ("epigenomics-chameleon-hep-1seq-100k-001", None, 100_000),
        ("montage-chameleon-2mass-005d-001", 5, 1_000),
    ],
)
def test_a_recorded_workflow_gets_its_exact_optimum_and_a_readable_schedule(
    name: str, hosts: int | None, max_period: int
) -> None:
    on = platform("small_platform") if hosts is None else some_hosts(hosts)
    result, schedule = solve(workflow(name), on, max_period=max_period)
    assert result.outcome == "optimal"
    assert result.bound.exact
    assert sum(result.certificate.prices.values()) == result.objective.value
    assert sum(a.rate for a in result.allocations) == result.objective.value
    assert schedule.period <= max_period
    assert 0 < schedule.throughput <= schedule.optimal_throughput == result.objective.value
    assert schedule.loss == 1 - schedule.throughput / schedule.optimal_throughput


def test_a_recorded_workflow_gets_one_allocation_and_a_gap_however_little_time_there_is() -> None:
    result, schedule = mono(workflow("sarek-dirt02-001"), some_hosts(20), "portfolio")
    assert result.outcome in ("optimal", "feasible")
    assert 0 < result.objective.value <= result.bound.value
    assert result.gap == 1 - result.objective.value / result.bound.value
    assert result.period * result.objective.value == 1
    assert result.occupation[0].time == result.period
    assert schedule.throughput == result.objective.value


def test_all_methods_are_compared_on_a_recorded_workflow() -> None:
    application = workflow("1000genome-chameleon-2ch-100k-001")
    result, schedule = mono(application, some_hosts(10), "compare")
    assert result.outcome in ("optimal", "feasible")
    assert schedule.throughput == result.objective.value
    found = [row for row in result.comparison or [] if row.throughput is not None]
    assert found or result.notes
    for row in found:
        mixes = row.method in REFERENCES
        assert row.ratio_to_bound == (None if mixes else row.throughput / result.bound.value)
