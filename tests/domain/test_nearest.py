from collections.abc import Iterable
from difflib import get_close_matches

import pytest

from steadygrid.domain import nearest as nearest_module
from steadygrid.domain.nearest import Known, nearest


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("p1", ["P1", "P2"], "P1"),
        ("griffon-11", ["graphene-1", "griffon-2", "griffon-12"], "griffon-12"),
        ("sped", ["latency", "speed", "unit_time"], "speed"),
        ("red", ["blue", "green"], None),
        ("", ["P1"], None),
        ("griffon-1", ["griffon", "griffon-12.org", "griffon-1.org"], "griffon-1.org"),
        ("Far", ["f", "farm-0.org"], "farm-0.org"),
        ("fa", ["farm-0.org"], None),
        ("P", [], None),
    ],
)
def test_the_nearest_name_is_found(name: str, known: list[str], found: str | None) -> None:
    assert nearest(name, known) == found


def test_a_name_that_begins_otherwise_is_found_too() -> None:
    assert nearest("Xmaster", ["slave", "master"]) == "master"


def test_a_hint_is_a_question_or_nothing() -> None:
    known = Known(iter(["P1"]))
    assert known.hint("p1") == ". Did you mean 'P1'?"
    assert known.hint("Z") == ""


def test_where_no_name_is_near_a_few_are_listed() -> None:
    known = Known(f"P{i}" for i in range(1, 9))
    assert known.suggestion("p1") == ". Did you mean 'P1'?"
    assert known.suggestion("Z") == ". There are 'P1', 'P2', 'P3', 'P4', 'P5', 'P6' and 2 more"
    assert Known(["P1"]).suggestion("Z") == ". There is 'P1'"
    assert Known([]).suggestion("Z") == ". There are none"


def test_of_very_many_and_very_long_names_few_letters_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    def compare(name: str, candidates: Iterable[str], number: int, close: float) -> list[str]:
        nonlocal compared
        listed = list(candidates)
        compared += sum(len(name) * len(other) for other in listed)
        return get_close_matches(name, listed, number, close)

    monkeypatch.setattr(nearest_module, "get_close_matches", compare)
    known = Known("a" * 190 + f"{i:010}" for i in range(20_000))
    for i in range(100):
        known.nearest("a" * 150 + "b" * 40 + f"{i}")
    assert known.nearest(("a" * 190 + "0000019999").upper()) == "a" * 190 + "0000019999"
    assert 0 < compared <= 2_000_000
