"""The answers of `one_worker`."""

import copy
from fractions import Fraction

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission


@pytest.mark.parametrize(("unit_time", "throughput"), [(3, Fraction(1, 3)), (1, Fraction(1, 2))])
def test_the_slower_of_worker_and_link_decides(unit_time: int, throughput: Fraction) -> None:
    body = copy.deepcopy(dict(PROBLEMS["one_worker"].example))
    body["problem"]["platform"]["processors"][1]["unit_time"] = unit_time
    answer = run(parse_submission(body, Limits()), Control(30), Limits())
    assert answer.result.verified
    assert answer.schedule is not None
    assert answer.schedule.throughput == throughput
