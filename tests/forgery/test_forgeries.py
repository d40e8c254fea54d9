"""Wrong answers whose members agree with each other are refused, for every kind."""

import pytest

import tests.forgery.claims
import tests.forgery.clocks
import tests.forgery.elsewhere  # noqa: F401 - each adds its forgeries to the list
from steadygrid.kinds import PROBLEMS
from tests.forgery.cases import FORGERIES, case
from tests.forgery.subjects import SUBJECTS

LEAST = 8
"""Forgeries that apply to a kind."""


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_right_answer_is_accepted(name: str) -> None:
    assert case(name).right.codes() == []


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("name", SUBJECTS)
def test_a_forged_answer_is_refused(name: str, forgery: str) -> None:
    right = case(name).right
    for number, forged in enumerate(FORGERIES[forgery](case(name))):
        assert forged.asked == right.asked, number
        assert (forged.result, forged.schedule) != (right.result, right.schedule), number
        assert forged.codes(), number


@pytest.mark.parametrize("kind", PROBLEMS)
def test_enough_forgeries_apply_to_every_kind(kind: str) -> None:
    names = [name for name in SUBJECTS if name.split()[0] == kind]
    applicable = {
        forgery
        for forgery, make in FORGERIES.items()
        for name in names
        if next(make(case(name)), None) is not None
    }
    least = LEAST - (kind == "simulation")  # it proves nothing that could be forged
    assert len(applicable) >= least, sorted(FORGERIES.keys() - applicable)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_every_forgery_applies_to_something(forgery: str) -> None:
    assert any(next(FORGERIES[forgery](case(name)), None) is not None for name in SUBJECTS)
