"""The chains of the experiment on critical resources are what its page says."""

from pathlib import Path

import pytest

from benchmarks.replicated_workflow import chain as long_chain
from benchmarks.replicated_workflow_experiment import (
    PORTS,
    SETTINGS,
    Row,
    Setting,
    chain,
    evaluated,
    rows,
)
from benchmarks.tables import read_rows, write_rows
from tests.tree import ROOT

TABLE = ROOT / "docs" / "replicated-workflow-experiment.csv"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_both_port_models_get_the_same_chain(setting: Setting) -> None:
    one, other = (chain(setting, 1, ports) for ports in PORTS)
    assert one | {"ports": "no_overlap"} == other
    assert (len(one["mapping"]), len(one["platform"]["processors"])) in setting.sizes
    assert all(stage["processors"] for stage in one["mapping"])
    low, high = setting.sending
    assert all(low <= link["unit_time"] <= high for link in one["platform"]["links"])


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    seen = list(rows(SETTINGS[-1:], PORTS, 3))
    write_rows(tmp_path / "table.csv", Row, seen)
    assert list(read_rows([tmp_path / "table.csv"], Row)) == seen
    assert len(seen) == 6


def test_the_table_is_that_of_these_chains() -> None:
    """The first chain without a critical resource although it overlaps, and what is told of all."""
    table = list(read_rows([TABLE], Row))
    assert len(table) == 2 * sum(setting.runs for setting in SETTINGS) == 5152
    assert {row.outcome for row in table} == {"optimal"}
    without = [row for row in table if row.excess]
    assert [sum(row.ports == ports for row in without) for ports in PORTS] == [10, 179]
    first = next(row for row in without if row.ports == "one_port")
    seen = evaluated(SETTINGS[-1], "one_port", first.seed)
    assert (seen.period, seen.mct) == (first.period, first.mct)


def test_balanced_processors_are_nearly_all_as_busy() -> None:
    body = long_chain(1, (2, 3), "no_overlap", balanced=True)
    times = body["problem"]["application"]["tasks"][0]["times"].values()
    assert all(0.97 < time / (2 * 10**6 - 2 * 10**6 // 5) < 1.03 for time in times)
