"""The portfolio on two cores: what the other half finds counts, and nothing else changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.other_half import OtherHalf
from steadygrid.kinds.mono_allocation.solver import improvement
from steadygrid.kinds.mono_allocation.solver import portfolio as module
from steadygrid.kinds.mono_allocation.solver.heuristics.parts_beside import search_parts_beside
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import Effort, of_effort
from steadygrid.kinds.mono_allocation.solver.portfolio import portfolio
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.engine.solving.test_search_child import gone
from tests.kinds.mono_allocation.drawn import drawn, instance


def tables(seed: int, tasks: int = 6, processors: int = 4, **more: Any) -> MonoTables:
    document = drawn(Random(seed), everywhere=True, tasks=tasks, processors=processors)
    return MonoTables(instance(document | more))


class Here:
    """Another half that works in this process, when it is waited for or heard."""

    def __init__(self, half: Any, given: Any) -> None:
        self._work = lambda: half(self, Control(30), *given)
        self._told: list[Any] = []
        self.given: list[Any] = []
        self.waited = False

    def send(self, found: Any) -> None:
        """From either half: only the other one gives mappings with who found them."""
        (self._told if isinstance(found, tuple) else self.given).append(found)

    def heard(self) -> list[Any]:
        if self._work is not None:
            work, self._work = self._work, None
            work()
            return self._told
        return []

    def wait(self, _: Control) -> None:
        self.waited = True


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> list[Here]:
    """The other halves of all portfolios, whose whole programs all count as large."""
    begun: list[Here] = []

    @contextmanager
    def beside(control: Control, half: Any, *given: Any) -> Iterator[Here | None]:
        if control.cores > 1:
            begun.append(Here(half, given))
        yield begun[-1] if control.cores > 1 else None

    monkeypatch.setattr(module, "start_half", beside)
    monkeypatch.setattr(module, "SMALL_COEFFICIENTS", 0)
    return begun


def test_where_the_whole_program_is_too_large_the_better_of_two_courses_counts(
    monkeypatch: pytest.MonkeyPatch, others: list[Here]
) -> None:
    monkeypatch.setattr(module, "MOST_SEARCHED", 0)
    for seed in range(4):
        alone = portfolio(tables(seed), Control(60))
        assert not others
        beside = portfolio(tables(seed), Control(60, cores=2))
        for other in others:
            assert other.given == []
        assert beside.period <= alone.period
        others.clear()


def test_what_the_other_half_alone_finds_is_the_answer(
    monkeypatch: pytest.MonkeyPatch, others: list[Here]
) -> None:
    monkeypatch.setattr(module, "MOST_SEARCHED", 0)
    monkeypatch.setattr(module, "search_parts", lambda *_: 0)
    monkeypatch.setattr(improvement, "improved", lambda _, mapping, __: list(mapping))
    monkeypatch.setattr(module, "of_effort", lambda *efforts: of_effort(Effort.QUICK))
    better = 0
    for seed in range(8):
        alone = portfolio(tables(seed), Control(60))
        beside = portfolio(tables(seed), Control(60, cores=2))
        assert beside.period <= alone.period
        better += beside.period < alone.period
        if beside.period < alone.period:
            assert beside.found_by in ("large_neighborhood", "local_search")
    assert better


def test_the_whole_program_and_the_other_half_tell_each_other(others: list[Here]) -> None:
    told = 0
    for seed in range(6):
        alone = portfolio(tables(seed), Control(60))
        beside = portfolio(tables(seed), Control(60, cores=2))
        assert beside.period == alone.period
        told += sum(len(other.given) for other in others)
        others.clear()
    assert told


def test_the_other_half_goes_on_from_what_it_is_told() -> None:
    whole = tables(3)
    best = portfolio(whole, Control(60))
    index = whole.platform.index_by_id
    known = [index[best.allocated.tasks[task][0]] for task in whole.tasks]
    found: list[Any] = []

    class Partner:
        """Tells the optimum, once."""

        def __init__(self) -> None:
            self._unheard = [known]

        def heard(self) -> list[Any]:
            heard, self._unheard = self._unheard, []
            return heard

        def send(self, one: Any) -> None:
            found.append(one)

    worst = [max(row, key=lambda i: whole.time(0, i)) for row in whole.labels]
    floor = whole.period(known)
    search_parts_beside(Partner(), Control(30), whole.instance, [worst], floor)  # type: ignore[arg-type]
    periods = [whole.period(mapping) for _, mapping in found]
    assert periods == sorted(periods, reverse=True)
    assert all(period >= floor for period in periods)


def test_a_portfolio_on_two_cores_ends_with_its_other_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "SMALL_COEFFICIENTS", 0)
    monkeypatch.setattr(module, "MOST_SEARCHED", 0)
    begun: list[OtherHalf] = []
    wait = OtherHalf.wait

    def waited(other: OtherHalf, control: Control) -> None:
        begun.append(other)
        wait(other, control)

    monkeypatch.setattr(OtherHalf, "wait", waited)
    for seed in range(6):
        alone = portfolio(tables(seed), Control(60))
        beside = portfolio(tables(seed), Control(60, cores=2))
        assert beside.period <= alone.period
    assert begun
    assert all(gone(other.pid) for other in begun)
