"""The scenarios of the experiment are what its page says."""

from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks import mono_allocation_scenarios
from benchmarks.mono_allocation_experiment import Row, relative, rows, summary
from benchmarks.mono_allocation_scenarios import PROCESSORS, TASKS, Scenario, scenario
from steadygrid.domain.application import application_faults
from steadygrid.domain.job import Options
from steadygrid.domain.platform import platform_faults
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables


@pytest.fixture(autouse=True)
def without_real_inputs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEADYGRID_SHARED_DATA", str(tmp_path))
    mono_allocation_scenarios.read_grid.cache_clear()


@pytest.mark.parametrize(
    ("panel", "seed"), [*(("small", seed) for seed in range(4)), ("large", 0), ("large", 2)]
)
def test_a_scenario_is_reproducible_and_free_of_faults(panel: str, seed: int) -> None:
    drawn = scenario(panel, seed)
    assert drawn == scenario(panel, seed)
    assert list(platform_faults(drawn.platform, ())) == []
    assert list(application_faults(drawn.application, ())) == []
    assert list(PROBLEM.faults(drawn.instance(Fraction(1)), Options(), ())) == []
    working = [p for p in drawn.platform.processors if p.speed is not None]
    assert PROCESSORS[panel][0] <= len(working) <= PROCESSORS[panel][1]
    assert TASKS[panel][0] <= len(drawn.application.tasks) <= TASKS[panel][1]


@pytest.mark.parametrize("ratio", [Fraction(1, 1000), Fraction(10)])
def test_files_are_scaled_to_the_ratio_up_to_whole_bytes(ratio: Fraction) -> None:
    drawn = scenario("small", 3)
    scaled = drawn.instance(ratio)
    again = Scenario(
        drawn.name, scaled.platform, scaled.application, drawn.work, drawn.source
    ).ratio()
    assert abs(again / ratio - 1) < Fraction(1, 10_000)


def test_the_ratio_is_that_of_the_mean_times() -> None:
    drawn = scenario("small", 0)
    speeds = [p.speed for p in drawn.platform.processors if p.speed is not None]
    bandwidths = [link.bandwidth for link in drawn.platform.links if link.bandwidth is not None]
    work = sum(task.work or 0 for task in drawn.application.tasks)
    sizes = sum(file.size for file in drawn.application.files)
    computing = work / (sum(speeds) / len(speeds))
    communicating = sizes / (sum(bandwidths) / len(bandwidths))
    assert drawn.ratio() == communicating / computing


def test_the_first_and_the_last_task_take_no_time_at_the_source() -> None:
    drawn = scenario("large", 0)
    tables = MonoTables(drawn.instance(Fraction(1)))
    source = drawn.platform.index_by_id[drawn.source]
    for task, files in enumerate(tables.incoming):
        if not files or not tables.outgoing[task]:
            assert tables.labels[task] == (source,)
            assert tables.time(task, source) == 0


def test_a_subset_is_connected() -> None:
    tables = MonoTables(scenario("small", 1).instance(Fraction(1)))
    working = [i for i, p in enumerate(tables.platform.processors) if p.speed is not None]
    assert all(tables.reference_path(q, r) is not None for q in working for r in working)


def test_every_method_of_the_small_panel_gives_a_row() -> None:
    seen = list(rows("small", 0, Fraction(1, 10), 5, 1.0))
    names = [row.method for row in seen]
    assert len(names) == len(set(names)) == 14
    found = {row.method: row.throughput for row in seen}
    assert found["delegate"] <= found["bound"] * (1 + 1e-12)
    assert found["heft"] <= found["bound"] * (1 + 1e-12)
    assert found["data_parallel blind"] <= found["bound"] * (1 + 1e-12)
    assert found["delegate executed"] <= found["delegate"] * (1 + 1e-12)
    assert {measured.unit for measured in summary("small", seen)} == {"runs", "times", "s"}


def test_throughputs_are_relative_to_those_of_the_same_scenario_and_ratio() -> None:
    seen = [
        Row("small", "one", "1", "milp", 2.0, 1.0),
        Row("small", "one", "1", "heft", 1.0, 1.0),
        Row("small", "two", "1", "milp", 4.0, 1.0),
        Row("small", "two", "1", "heft", 1.0, 1.0),
        Row("small", "two", "10", "heft", 1.0, 1.0),
    ]
    assert relative(seen) == {"milp": {"1": [1.0, 1.0]}, "heft": {"1": [0.5, 0.25]}}
