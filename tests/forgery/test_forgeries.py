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
def test_the_right_answer_is_accepted_and_every_forged_one_is_refused(name: str) -> None:
    right = case(name).right
    assert right.codes() == []
    for forgery, make in FORGERIES.items():
        for number, forged in enumerate(make(case(name))):
            assert forged.asked == right.asked, (forgery, number)
            differs = (forged.result, forged.schedule) != (right.result, right.schedule)
            assert differs, (forgery, number)
            assert forged.codes(), (forgery, number)


def test_every_forgery_applies_to_something_and_enough_to_every_kind() -> None:
    applicable: dict[str, set[str]] = {kind: set() for kind in PROBLEMS}
    for name in SUBJECTS:
        for forgery, make in FORGERIES.items():
            if next(make(case(name)), None) is not None:
                applicable[name.split()[0]].add(forgery)
    assert set().union(*applicable.values()) == FORGERIES.keys()
    for kind, found in applicable.items():
        least = LEAST - PROBLEMS[kind].simulated  # it proves nothing that could be forged
        assert len(found) >= least, (kind, sorted(FORGERIES.keys() - found))
