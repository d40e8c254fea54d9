"""Forecasts: each method against its definition, exactly, and what they refuse."""

import random
import statistics
from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.studies.forecast import METHODS, forecast, read_table
from steadygrid.studies.measuring import Measured
from tests.draws import draws

F = Fraction


def series(speeds: Sequence[Any]) -> dict[str, Any]:
    return {"P": [{"at": k, "speed": speed} for k, speed in enumerate(speeds)]}


def twelve(value: Fraction) -> Fraction:
    quotient = Context(prec=12).divide(Decimal(value.numerator), Decimal(value.denominator))
    return F(quotient)


def by_definition(method: str, speeds: Sequence[Fraction]) -> Fraction:
    if method == "last":
        return speeds[-1]
    if method == "mean":
        return statistics.mean(speeds)
    if method == "median":
        return F(statistics.median(speeds))
    return len(speeds) / sum((1 / speed for speed in speeds), F(0))


@pytest.mark.parametrize("seed", range(draws(8, 1000)))
def test_every_method_is_what_its_name_says(seed: int) -> None:
    draw = random.Random(seed)
    speeds = [F(draw.randint(1, 60), draw.randint(1, 9)) for _ in range(draw.randint(2, 9))]
    errors = {}
    for method in METHODS:
        (found,) = forecast(series(list(map(str, speeds))), method).forecasts
        exact = by_definition(method, speeds)
        assert found.value == twelve(exact)
        assert found.rounded == (found.value != exact)
        squares = [
            (twelve(by_definition(method, speeds[:k])) - twelve(speeds[k])) ** 2
            for k in range(1, len(speeds))
        ]
        errors[method] = twelve(sum(squares, F(0)) / len(squares))
        assert found.errors[method] == errors[method]
    (best,) = forecast(series(list(map(str, speeds)))).forecasts
    assert best.errors == errors
    assert errors[best.method] == min(errors.values())
    assert best.method == next(m for m in METHODS if errors[m] == min(errors.values()))


def test_the_harmonic_mean_is_that_of_equal_work() -> None:
    """A piece of 12 at each of the speeds 4, 2 and 1 takes 3, 6 and 12."""
    assert forecast(series([4, 2, 1]), "harmonic").measured == {
        "processors": {"P": {"speed": decimal(F(36, 21))}}
    }


def decimal(value: Fraction) -> str:
    return str(Context(prec=12).divide(Decimal(value.numerator), Decimal(value.denominator)))


def test_resources_are_known_by_their_names() -> None:
    names = ("P1", "P2.compute", "A->B", "B->C.link", "C--D.half", "M.medium")
    told = forecast({name: series([1, "5/2"])["P"] for name in names}, "last").measured
    assert told == {
        "processors": {"P1": {"speed": "2.5"}, "P2": {"speed": "2.5"}},
        "links": [{"source": a, "target": b, "bandwidth": "2.5"} for a, b in ("AB", "BC", "CD")],
        "media": {"M": {"bandwidth": "2.5"}},
    }
    assert Measured.model_validate(told).count == 6


def refused(given: Any, method: Any = "best") -> set[tuple[str, str]]:
    with pytest.raises(InstanceError) as found:
        forecast(given, method)
    return {("/".join(map(str, f.pointer)), f.code) for f in found.value.faults}


def test_all_faults_have_their_place() -> None:
    good = series([1, 2])["P"]
    given = {
        "A": good[:1],
        "B": [good[1], good[0]],
        "C": [good[0], {"at": 1, "speed": 0}, {"at": "x", "speed": -1, "load": 1}],
        "D": "fast",
        "E": good,
        "E.compute": good,
        "F": [good[0], good[0]],
    }
    assert refused(given) == {
        ("A", "too_few_measurements"),
        ("B/1/at", "not_later"),
        ("C/1/speed", "zero_rational"),
        ("C/2/at", "not_a_rational"),
        ("C/2/speed", "negative_rational"),
        ("C/2/load", "extra_forbidden"),
        ("D", "list_type"),
        ("E.compute", "measured_twice"),
        ("F/1/at", "not_later"),
    }
    assert refused({}) == refused([]) == {("", "invalid_type")}
    assert refused(series([1, 2]), "exponential") == {("", "unknown_method")}
    with pytest.raises(LimitError, match="than the 2 that"):
        forecast(series([1, 2, 3]), limits=Limits(max_measurements=2))


def test_tables_are_read_by_their_columns() -> None:
    table = 'speed,resource,at,host\n4,P2,1,x\n"3/2", A->B ,1,x\n2.5,P2,2,y\n'
    assert read_table(table) == {
        "P2": [{"at": "1", "speed": "4"}, {"at": "2", "speed": "2.5"}],
        "A->B": [{"at": "1", "speed": "3/2"}],
    }
    for wrong, said in (
        ("resource,at\nP,1\n", "'speed' is missing"),
        ("", "'resource' is missing"),
        ("resource,at,speed\nP,1,2\nP,2\n", "line 3 has too few cells"),
        ('resource,at,speed\nP,1,"2', "after line 1"),
    ):
        with pytest.raises(InstanceError, match=said):
            read_table(wrong)


def test_series_of_very_different_fractions_stay_quick() -> None:
    draw = random.Random(1)
    speeds = [f"{draw.randint(1, 10**60)}/{draw.randint(1, 10**60)}" for _ in range(3_000)]
    (found,) = forecast(series(speeds)).forecasts
    assert found.samples == 3_000
    assert found.rounded
