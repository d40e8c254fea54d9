"""How large the programs of mono_allocation are said to be, before they are built."""

from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance


def sized(tasks: int, processors: int, **problem: Any) -> Sizing:
    """Size a chain of tasks on a ring of processors."""
    names = [f"P{i}" for i in range(processors)]
    return PROBLEM.sizing(
        MonoAllocationInstance.model_validate(
            {
                "kind": "mono_allocation",
                "platform": {
                    "processors": [{"id": name, "speed": 1} for name in names],
                    "links": [
                        {"source": one, "target": other, "unit_time": 1}
                        for one, other in zip(names, names[1:] + names[:1], strict=True)
                    ],
                },
                "application": {
                    "tasks": [{"id": f"T{i}", "work": 1} for i in range(tasks)],
                    "files": [
                        {"source": f"T{i}", "target": f"T{i + 1}", "size": 1}
                        for i in range(tasks - 1)
                    ],
                },
                "method": "milp",
            }
            | problem
        ),
        Options(),
    )


def test_parts_are_counted_as_they_are() -> None:
    sizes = sized(3, 4).sizes
    assert (sizes["tasks"], sizes["files"], sizes["processors"], sizes["links"]) == (3, 2, 4, 4)
    assert sizes["resources"] == 8 + 4
    assert (sizes["width"], sizes["labelling_entries"]) == (1, 2 * 4 + 1)


@pytest.mark.parametrize(
    ("routing", "duplication", "variables", "constraints"),
    [
        # Three tasks, two files, four processors, eight directions of links, twelve resources.
        ("fixed", "none", 1 + 12 + 32, 3 + 16 + 12),
        ("fixed", "tasks", 1 + 12 + 32, 3 + 8 + 32 + 12),
        ("free", "none", 1 + 12 + 16, 3 + 8 + 12),
        ("multipath", "none", 1 + 12 + 16, 3 + 8 + 12),
        ("free", "tasks", 1 + 12 + 32 + 16, 3 + 8 + 32 + 12 + 8),
        ("free", "tasks_and_files", 1 + 12 + 32 + 16 + 64, 3 + 8 + 32 + 8 * (4 + 8) + 16 + 12),
        ("fixed", "tasks_and_files", 1 + 12 + 32 + 24 + 96, 3 + 8 + 32 + 8 * (4 + 12) + 16 + 12),
    ],
)
def test_the_exact_program_is_counted_for_routing_and_duplication(
    routing: str, duplication: str, variables: int, constraints: int
) -> None:
    sizes = sized(3, 4, routing=routing, duplication=duplication).sizes
    assert (sizes["variables"], sizes["constraints"]) == (variables, constraints)
    assert sizes["coefficients"] > sizes["variables"]


def test_more_freedom_makes_larger_programs() -> None:
    def coefficients(**problem: Any) -> int:
        return sized(10, 10, **problem).sizes["coefficients"]

    assert coefficients(duplication="tasks") < coefficients(duplication="tasks_and_files")
    assert (
        coefficients(routing="free")
        < coefficients(routing="free", duplication="tasks")
        < coefficients(routing="free", duplication="tasks_and_files")
    )


def test_a_program_that_is_too_large_says_what_to_ask_for_instead() -> None:
    found = sized(1000, 100)
    assert found.sizes["coefficients"] > 5_000_000
    assert '"method": "portfolio"' in found.remedy
    rounding = sized(1000, 100, method="rlp_max")
    assert rounding.sizes["coefficients"] > 5_000_000
    assert '"method": "delegate"' in rounding.remedy


@pytest.mark.parametrize("method", ["simple_greedy", "refined_greedy", "delegate", "neighborhood"])
def test_heuristics_without_a_program_only_read_times_and_files(method: str) -> None:
    assert sized(1000, 100, method=method).sizes["coefficients"] == 1000 * 100 + 999


@pytest.mark.parametrize("method", ["portfolio", "compare"])
def test_a_portfolio_searches_large_programs_in_parts_and_says_so(method: str) -> None:
    found = sized(1000, 100, method=method, instances=1)
    assert found.sizes["coefficients"] == 1000 * 100 + 999
    assert any(w.startswith("the exact program is searched in parts") for w in found.warnings)


def test_a_portfolio_counts_the_program_that_it_searches_as_a_whole() -> None:
    whole = sized(10, 10, routing="free", method="milp").sizes["coefficients"]
    found = sized(10, 10, routing="free", method="portfolio")
    assert found.sizes["coefficients"] == whole
    assert found.warnings == ()


def test_a_bound_alone_only_reads_times_and_files() -> None:
    found = sized(1000, 100, method="upper_bound")
    assert found.sizes["coefficients"] == 1000 * 100 + 999
    assert found.warnings == ()


@pytest.mark.parametrize("method", ["heft", "data_parallel", "clustering", "compare"])
def test_every_operation_of_every_simulated_instance_counts(method: str) -> None:
    found = sized(50, 4, method=method, instances=100_000)
    assert found.sizes["operations"] == found.sizes["coefficients"] == 100_000 * 99
    assert found.remedy == "ask for fewer than 100,000 instances"


def test_tasks_without_files_need_no_paths() -> None:
    assert sized(1, 3).sizes["coefficients"] == 2 * 3 + 9
