"""The next possible period never passes over one that an allocation has."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.bounds import strongest
from steadygrid.kinds.mono_allocation.solver.programs import possible, search
from steadygrid.kinds.mono_allocation.solver.programs.possible import next_period
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.test_methods import document, solved


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_no_period_is_passed_over(
    routing: str, duplication: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possible, "NEAR", Fraction(1))
    raised = compared = 0
    for seed in range(draws(6, 25)):
        random = Random(seed)
        asked = instance(drawn(random, 3, 3, routing=routing, duplication=duplication))
        best = Enumeration(asked).best()
        if best is None:
            continue
        compared += 1
        for share in (Fraction(1, 2), Fraction(9, 10), 1 - Fraction(1, 10**9)):
            found = next_period(MonoTables(asked), best * share, best + 1)
            assert best * share <= found <= best
            raised += found > best * share
        assert next_period(MonoTables(asked), best * (1 - Fraction(1, 10**9)), best) <= best
    assert compared > 4
    assert raised > compared or routing == "multipath"


@pytest.mark.parametrize("ports", SINGLE_PORT)
def test_what_a_port_computes_and_carries_adds_up(
    ports: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(possible, "NEAR", Fraction(1))
    raised = 0
    for seed in range(12):
        tables = MonoTables(instance(drawn(Random(seed), 3, 3, routing="fixed", ports=ports)))
        best = search.search_program(tables, Control()).period
        for share in (Fraction(9, 10), 1 - Fraction(1, 10**9)):
            found = next_period(tables, best * share, best + 1)
            assert best * share <= found <= best
            raised += found > best * share
    assert raised > 12


def test_on_a_tree_no_file_is_split() -> None:
    raised = 0
    for seed in range(12):
        asked = drawn(Random(seed), 4, 3, routing="multipath", duplication="none", ports="one_port")
        links = asked["platform"]["links"]
        asked["platform"]["links"] = [link for link in links if "P0" in link.values()]
        best = Enumeration(instance(asked)).best()
        if best is None or not asked["application"]["files"]:
            continue
        below = best * (1 - Fraction(1, 10**9))
        found = next_period(MonoTables(instance(asked)), below, best)
        assert found <= best
        raised += found == best
    assert raised > 3


def test_a_bound_that_is_far_away_stays() -> None:
    tables = MonoTables(instance(drawn(Random(1), 3, 3, routing="fixed")))
    assert next_period(tables, Fraction(1), Fraction(2)) == 1
    assert next_period(tables, Fraction(0), Fraction(2)) == 0


def near_tie() -> dict[str, Any]:
    """Three tasks whose sums differ by less than the solver tells apart."""
    tiny = Fraction(1, 10**11)
    tasks = [
        {"id": name, "times": {"P": str(1 + k * k * tiny), "Q": str(1 + (k + 5) * tiny)}}
        for k, name in enumerate("abcdef")
    ]
    processors = [{"id": "P"}, {"id": "Q"}]
    return {"platform": {"processors": processors, "links": []}, "application": {"tasks": tasks}}


@pytest.mark.parametrize("most", [1, 20_000])
def test_what_the_search_cannot_tell_apart_is_feasible_with_a_bound_that_holds(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steadygrid.engine.solving.subset_sums.MOST_SUMS", most)
    monkeypatch.setattr(strongest, "in_time", lambda *_: None)
    best = Enumeration(instance(near_tie())).best()
    assert best is not None
    result = solved(near_tie(), "milp").result
    assert result.bound is not None
    assert result.bound.value >= 1 / best
    if result.outcome is Outcome.FEASIBLE:
        assert 0 < result.gap < Fraction(1, 10**6)
        assert any("floating point" in note for note in result.notes)
    else:
        assert result.period == best
    assert most > 1 or result.outcome is Outcome.FEASIBLE


@pytest.mark.parametrize("seed", range(6))
def test_what_the_search_closes_is_optimal_where_sums_are_apart(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strongest, "in_time", lambda *_: None)
    asked = document(seed, routing=("fixed", "free")[seed % 2], duplication="none")
    result = solved(asked, "milp").result
    assert result.outcome is Outcome.OPTIMAL
    assert result.period == Enumeration(instance(asked)).best()


def test_with_a_gap_that_was_asked_the_bound_holds() -> None:
    for seed in range(20):
        asked = instance(drawn(Random(seed), 5, 3, routing="fixed", duplication="none"))
        best = Enumeration(asked).best()
        found = search.search_program(MonoTables(asked), Control(), relative_gap=0.3)
        if best is not None and found.period is not None:
            assert found.bound <= best <= found.period
            assert found.bound >= found.period * Fraction(69, 100)
