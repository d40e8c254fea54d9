"""Whole numbers of answers are JSON integers, and nothing that can be made one."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.job import Bound
from steadygrid.domain.rational import Whole, parse_whole
from steadygrid.kinds.cell.schemas import CallsInUse
from steadygrid.kinds.mono_allocation.schemas import FirstPeriod

NOT_WHOLE = [4.5, 4.0, "4", True, None]


@pytest.mark.parametrize("value", NOT_WHOLE)
def test_what_is_no_integer_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="expected a whole number"):
        parse_whole(value)
    with pytest.raises(ValidationError):
        TypeAdapter(Whole).validate_python(value)
    with pytest.raises(ValidationError):
        CallsInUse.model_validate({"core": "SPE1", "source": None, "calls": value, "of": 16})
    with pytest.raises(ValidationError):
        FirstPeriod.model_validate({"task": "a", "processor": "A", "period": value})


@pytest.mark.parametrize("value", [4.5, 4.0, "4", True])
def test_a_number_of_nodes_is_whole_or_not_there(value: Any) -> None:
    assert SearchCertificate(nodes=4).nodes == 4
    with pytest.raises(ValidationError):
        SearchCertificate.model_validate({"type": "search", "nodes": value})


@pytest.mark.parametrize("value", [1, "true", "yes", 0.0])
def test_a_bound_is_exact_or_not(value: Any) -> None:
    with pytest.raises(ValidationError):
        Bound.model_validate({"value": "1", "approx": 1.0, "exact": value})


def test_an_integer_stays_what_it_is() -> None:
    assert parse_whole(4) == parse_whole(-4) + 8 == 4
