import time

import pytest

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
    assert known.hint("p1") == "; did you mean 'P1'?"
    assert known.hint("Z") == ""


def test_where_no_name_is_near_a_few_are_listed() -> None:
    known = Known(f"P{i}" for i in range(1, 9))
    assert known.suggestion("p1") == "; did you mean 'P1'?"
    assert known.suggestion("Z") == "; there are 'P1', 'P2', 'P3', 'P4', 'P5', 'P6' and 2 more"
    assert Known(["P1"]).suggestion("Z") == "; there is 'P1'"
    assert Known([]).suggestion("Z") == "; there are none"


def test_very_many_and_very_long_names_cost_no_more_than_a_second() -> None:
    known = Known("a" * 190 + f"{i:010}" for i in range(20_000))
    before = time.process_time()
    for i in range(100):
        known.nearest("a" * 150 + "b" * 40 + f"{i}")
    assert known.nearest(("a" * 190 + "0000019999").upper()) == "a" * 190 + "0000019999"
    assert time.process_time() - before < 3
