"""The settings of the experiment on policies are what its page says."""

from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.bag_of_tasks_experiment import BUCKETS, PORTS, SPREADS, WORKERS, Row, rows, setting
from benchmarks.tables import read_rows, write_rows
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(4))
def test_sending_takes_the_ratio_of_computing(seed: int, ports: str) -> None:
    drawn = setting(seed, ports, Fraction(5, 8), Fraction(1, 2), 10)
    assert drawn == setting(seed, ports, Fraction(5, 8), Fraction(1, 2), 10)
    instance = parse_submission({"problem": drawn | {"method": "on_demand"}}, Limits()).instance
    links, bags = instance.platform.links, [bag.uniform for bag in instance.bags]
    assert len(links) in WORKERS
    assert {bag.input_size[1] / bag.input_size[0] for bag in bags} <= set(SPREADS)
    flow = sum(link.bandwidth for link in links) / (len(links) if ports == "one_port" else 1)
    sending = sum(sum(bag.input_size) for bag in bags) / flow
    speed = sum(processor.speed or 0 for processor in instance.platform.processors)
    assert sending / (sum(sum(bag.work) for bag in bags) / speed) == Fraction(5, 8)


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    seen = list(rows([1], ["one_port"], [Fraction(5, 3)], [Fraction(1)], 8))
    write_rows(tmp_path / "table.csv", Row, seen)
    assert list(read_rows([tmp_path / "table.csv"], Row)) == seen
    assert [row.method for row in seen] == list(BUCKETS)
    assert all(0 < row.of_bound <= 1 for row in seen)
