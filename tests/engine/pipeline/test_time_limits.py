"""The time limit is that of the solve: neither loading nor what went before counts."""

from types import SimpleNamespace
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solver import Solver
from steadygrid.engine.solving import control as solve_control
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission
from tests.http.bodies import BODY


def test_the_time_begins_when_the_solver_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    left: list[tuple[float, float]] = []

    def solve(*given: Any) -> Any:
        left.append((given[3].remaining, given[3].elapsed))
        raise Cancelled

    def load(_: str) -> Solver:
        clock.now += 12
        return Solver(solve, solve)

    monkeypatch.setattr(solve_control, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(pipeline, "solver_for", load)
    control = Control(0.5)
    clock.now += 3
    with pytest.raises(Cancelled):
        pipeline.run(parse_submission(BODY, Limits()), control, Limits())
    assert left == [(0.5, 0.0)]
