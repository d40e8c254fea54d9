"""What a solver in floating point cannot tell apart: seconds and bytes, stores a little too small."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Options, Outcome
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.referee_search import too_many_tasks
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.schemas import CellInstance
from steadygrid.kinds.cell.solver import methods, milp
from steadygrid.kinds.cell.solver.model import build_model, cuts_of
from steadygrid.kinds.cell.solver.placement import crowded
from steadygrid.kinds.cell.solver.tables import Tables
from tests.draws import draws
from tests.kinds.cell.bodies import body, both
from tests.kinds.cell.enumeration import shortest_period
from tests.kinds.cell.random_instances import random_body
from tests.solved import solve

BATCH = 50
BYTES_PER_SECOND = 25_600_000_000


def agrees_with_enumeration(asked: dict[str, Any]) -> bool:
    """Solve and compare; False where the instance is refused."""
    shortest = shortest_period(CellInstance.model_validate(asked["problem"]))
    try:
        result, _ = solve(asked)
    except InstanceError:
        assert shortest is None
        return False
    assert result.period == shortest
    assert result.outcome is (Outcome.INFEASIBLE if shortest is None else Outcome.OPTIMAL)
    assert not any("time limit" in note for note in result.notes)
    if shortest is not None:
        assert result.gap == 0
    return True


@pytest.mark.parametrize("first", range(0, draws(25, 300), BATCH))
def test_seconds_and_bytes_are_solved_as_well_as_small_numbers(first: int) -> None:
    solved = 0
    for seed in range(first, first + BATCH):
        draw = random.Random(seed)
        asked = random_body(seed, largest=5)
        machine, application = asked["problem"]["machine"], asked["problem"]["application"]
        machine["bandwidth"] = BYTES_PER_SECOND
        machine["local_store"] = machine["local_store"] * 4096
        seconds = Fraction(1, draw.choice((1, 1000, 1_000_000)))
        for task in application["tasks"]:
            for name in {"time_ppe", "time_spe"} & task.keys():
                task[name] = str(Fraction(task[name]) * seconds)
            for name in {"read", "write"} & task.keys():
                task[name] = task[name] * 1024
        for file in application["files"]:
            file["size"] = file["size"] * draw.choice((1, 128, 4096))
        solved += agrees_with_enumeration(asked)
    assert solved > BATCH / 2


def test_a_mapping_that_breaks_a_limit_by_less_than_the_tolerance_is_cut_off() -> None:
    bound_by_it = 0
    for seed in range(draws(40, 80)):
        draw = random.Random(seed)
        asked = random_body(seed, largest=5)
        machine = asked["problem"]["machine"]
        tables = Tables(CellInstance.model_validate(asked["problem"]))
        needs = sorted(need * tables.store_unit for need in tables.need)
        machine["local_store"] = str(max(1, sum(draw.sample(needs, min(3, len(needs))))))
        at = shortest_period(CellInstance.model_validate(asked["problem"]))
        machine["local_store"] = str(Fraction(machine["local_store"]) - Fraction(1, 10**13))
        below = shortest_period(CellInstance.model_validate(asked["problem"]))
        bound_by_it += at != below
        agrees_with_enumeration(asked)
    assert bound_by_it > 2


def test_the_search_goes_on_behind_what_it_took_for_a_mapping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From nothing, the solver finds what does not quite fit again and again."""
    cut: list[object] = []

    def counted(*arguments: Any) -> list[object]:
        cut.append(arguments)
        return cuts_of(*arguments)

    monkeypatch.setattr(milp, "cuts_of", counted)
    for seed in range(draws(10, 30)):
        draw = random.Random(seed)
        tasks = {f"t{i}": both(draw.randint(1, 9)) for i in range(5)}
        files = {"t0 t1": 1, "t1 t2": 2, "t2 t3": 1, "t3 t4": 2}
        short = str(Fraction(draw.choice((4, 6, 8, 10, 12))) - Fraction(1, 10**13))
        asked = body(tasks, files, spes=2, local_store=short)["problem"]
        instance = CellInstance.model_validate(asked)
        tables = Tables(instance)
        found = milp.search(tables, Control(20), None, Fraction(0))
        assert found.closed
        assert found.period is not None
        assert found.bound is not None
        assert found.bound <= found.period * tables.unit == shortest_period(instance)
    assert cut


def test_cuts_hold_for_what_fits_and_not_for_what_does_not() -> None:
    tasks = {name: both(1) for name in "abcd"}
    asked = body(tasks, {"a b": 3, "c d": 1}, spes=2, local_store=8)
    tables = Tables(CellInstance.model_validate(asked["problem"]))
    model = build_model(tables, Fraction(1))

    def broken(cut: Any, mapping: list[int]) -> bool:
        for (task, core), variable in model.runs.items():
            variable.set_value(int(mapping[task] == core))
        return not cut()

    together, apart = [1, 1, 1, 1], [1, 0, 0, 2]
    cuts = cuts_of(model, tables, together)
    assert [broken(cut, together) for cut in cuts] == [True, False]
    assert [broken(cut, [2, 2, 2, 2]) for cut in cuts] == [False, True]
    assert [broken(cut, [1, 1, 0, 0]) for cut in cuts] == [True, False]
    assert not any(broken(cut, apart) for cut in cuts)
    (other,) = cuts_of(model, tables, apart)
    assert broken(other, apart)
    assert not broken(other, [1, 0, 1, 0])


@pytest.mark.parametrize("most", [1, 20_000])
def test_times_that_nearly_tie_leave_an_honest_gap(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No sum lies between: optimal. Too many sums to count: feasible, and a note says so."""
    monkeypatch.setattr("steadygrid.engine.solving.subset_sums.MOST_SUMS", most)
    times = [Fraction(1) + Fraction(k * k + 1, 10**13) for k in range(7)]
    asked = body({f"t{k}": both(str(time)) for k, time in enumerate(times)}, {}, ppes=1, spes=2)
    result, _ = solve(asked)
    shortest = shortest_period(CellInstance.model_validate(asked["problem"]))
    assert result.objective.value * shortest <= 1 <= result.bound.value * shortest
    assert result.outcome is Outcome.FEASIBLE or result.period == shortest
    if most == 1:
        assert result.outcome is Outcome.FEASIBLE
        assert 0 < result.gap < Fraction(1, 10**7)
        assert any("floating point" in note for note in result.notes)


@pytest.mark.parametrize(("gap", "is_told"), [(Fraction(0), True), (Fraction(1, 9), False)])
def test_a_search_without_a_bound_leaves_the_exact_one(gap: Fraction, is_told: bool) -> None:
    asked = body({f"t{i}": both(time) for i, time in enumerate((3, 3, 2, 2, 2))}, {}, spes=2)
    tables = Tables(CellInstance.model_validate(asked["problem"]))
    mapping = [0, 1, 2, 0, 1]
    found = methods.Findings(
        mapping, bound=1 / (tables.period(mapping) * Fraction(9, 10)), exact=True
    )
    methods._close(tables, Options(mip_gap=gap), mapping, None, found)
    assert not found.closed
    assert any("floating point" in note for note in found.notes) == is_told
    nothing = methods.Findings(mapping)
    methods._close(tables, Options(mip_gap=gap), mapping, None, nothing)
    assert not nothing.closed
    assert nothing.bound is None


def stores(needs: list[Fraction], spes: int, store: Fraction) -> dict[str, Any]:
    """Pairs of tasks for SPEs only, which need as much as is said."""
    tasks = {f"{end}{i}": {"time_spe": 1} for i, _ in enumerate(needs) for end in "ab"}
    files = {f"a{i} b{i}": str(need / 2) for i, need in enumerate(needs)}
    return body(tasks, files, ppes=0, spes=spes, local_store=str(store))


def test_counting_decides_what_a_search_could_not() -> None:
    needs = [Fraction(34) + Fraction(6 * i, 5) for i in range(9)]
    asked = stores(needs, 8, Fraction(100))
    result, _ = solve(asked, seconds=15)
    assert result.outcome is Outcome.INFEASIBLE
    assert any("no mapping fits" in note for note in result.notes)


def test_counting_is_never_wrong_and_referee_and_solver_count_alike() -> None:
    decided = left_open = 0
    for seed in range(400):
        draw = random.Random(seed)
        needs = [Fraction(draw.randint(1, 24), 2) for _ in range(draw.randint(1, 3))]
        store = Fraction(draw.randint(12, 36), 2)
        instance = CellInstance.model_validate(stores(needs, draw.randint(1, 3), store)["problem"])
        if store < max(needs):
            continue
        counted = too_many_tasks(RefereeView(instance))
        assert crowded(Tables(instance)) == counted
        exists = shortest_period(instance) is not None
        assert not (counted and exists)
        decided += counted
        left_open += not counted and not exists
    assert decided > 50
    assert left_open < decided
