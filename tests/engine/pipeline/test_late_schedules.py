"""What leaves no schedule, time or solver, costs the outcome, not the answer."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import NO_SOLVER_FOR_SCHEDULE, NO_TIME_FOR_SCHEDULE, Outcome, Proof
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission
from tests.http.bodies import BODY


def interrupted(interruption: Exception) -> Any:
    def reconstruct(*_: Any) -> Any:
        raise interruption

    return reconstruct


@pytest.mark.parametrize(
    ("interruption", "note"),
    [
        (OutOfTime(), NO_TIME_FOR_SCHEDULE),
        (SolverError("It gave up."), NO_SOLVER_FOR_SCHEDULE),
        (CertificationError("It erred."), NO_SOLVER_FOR_SCHEDULE),
    ],
)
def test_an_optimum_without_its_schedule_is_feasible_and_proved(
    monkeypatch: pytest.MonkeyPatch, interruption: Exception, note: str
) -> None:
    monkeypatch.setattr(pipeline, "reconstruct", interrupted(interruption))
    asked = parse_submission(BODY, Limits())
    result, schedule = pipeline.run(asked, Control(60.0), Limits())
    assert schedule is None
    assert (result.outcome, result.proof) == (Outcome.FEASIBLE, Proof.EXACT)
    assert (result.gap, result.verified) == (Fraction(0), True)
    assert note in result.notes


def test_who_cancels_gets_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "reconstruct", interrupted(Cancelled()))
    with pytest.raises(Cancelled):
        pipeline.run(parse_submission(BODY, Limits()), Control(60.0), Limits())
