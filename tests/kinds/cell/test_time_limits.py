"""What is answered where time, or the search, does not suffice."""

from fractions import Fraction
from typing import Any

import pytest

from benchmarks.vocoder import vocoder
from steadygrid.domain.errors import Cancelled, InstanceError, OutOfTime, SolverError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution
from steadygrid.kinds.cell.solver import methods, milp, placement
from steadygrid.kinds.cell.solver.local_search import LocalSearch
from steadygrid.kinds.cell.solver.milp import Search
from steadygrid.kinds.cell.solver.references import ppe_only
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables
from steadygrid.submissions.submission import parse_submission
from tests.kinds.cell.bodies import body, both, chain
from tests.solved import solve


def asked(spes: int, method: str = "milp") -> dict[str, Any]:
    document = vocoder(spes=spes).model_dump(mode="json", exclude_none=True)
    return {"problem": document | {"method": method}}


def test_without_any_time_there_is_a_mapping_with_a_bound() -> None:
    result, schedule = solve(asked(2), seconds=0, time_limit=0.01)
    assert result.outcome is Outcome.FEASIBLE
    assert result.bound.exact
    assert 0 < result.gap < 1
    assert any("time limit" in note for note in result.notes)
    assert schedule.period == result.period


def test_the_best_so_far_is_never_worse_than_the_references() -> None:
    result, schedule = solve(asked(6), seconds=2)
    assert result.outcome is Outcome.FEASIBLE
    assert schedule is not None
    assert result.speed_up.greedy >= 1
    assert result.speed_up.ppe_only >= 1
    assert any("time limit" in note or "time left" in note for note in result.notes)


def test_the_best_so_far_of_a_reference_is_its_mapping() -> None:
    result, _ = solve(asked(6, "greedy"), seconds=0, time_limit=0.01)
    assert result.speed_up.greedy == 1
    assert result.method == "greedy"


def test_a_program_that_takes_too_long_to_build_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(methods, "SECONDS_PER_COEFFICIENT", 1e9)
    tasks = {f"t{i}": both(time) for i, time in enumerate((3, 3, 2, 2, 2))}
    result, _ = solve(body(tasks, {}, spes=1, local_store=1))
    # Two sets of 6 are optimal, and proved so by the relaxation; three cores are not.
    assert result.outcome is Outcome.OPTIMAL
    result, _ = solve(body(tasks, {}, spes=2))
    assert result.outcome is Outcome.FEASIBLE
    assert (result.period, 1 / result.bound.value) == (5, 4)
    assert "too many for the time left" in result.notes[0]


def test_cancelling_ends_the_search() -> None:
    submission = parse_submission(asked(2), Limits())
    control = Control(60)
    control.cancel()
    with pytest.raises(Cancelled):
        run(submission, control, Limits())


def four_tasks_in_three_stores() -> dict[str, Any]:
    tasks = {name: {"time_spe": 1} for name in "abcd"}
    return body(tasks, {"a b": "3/2", "c d": "3/2"}, ppes=0, spes=3, local_store=5)


def test_what_fits_nowhere_is_infeasible_with_the_reason() -> None:
    result, schedule = solve(four_tasks_in_three_stores())
    assert result.outcome is Outcome.INFEASIBLE
    assert schedule is None
    assert "however the 4 tasks that only SPEs can run are shared" in result.notes[0]


def test_calls_alone_may_be_the_reason() -> None:
    tasks = {
        "a": {"time_spe": 1},
        "b": {"time_spe": 1},
        "p": {"time_ppe": 1},
        "q": {"time_ppe": 1},
    }
    result, _ = solve(body(tasks, {"a p": 1, "b q": 1}, spes=1, dma_spe_to_ppe=1))
    assert result.outcome is Outcome.INFEASIBLE
    assert "some PPE more than 1 from one SPE" in result.notes[0]


def cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let neither counting nor the search for any mapping decide anything."""
    monkeypatch.setattr(placement, "MOST_STEPS", 0)
    for module in (methods, placement):
        monkeypatch.setattr(module, "crowded", lambda _: False)


def test_what_the_search_only_claims_is_told_as_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    cannot_tell(monkeypatch)
    result, schedule = solve(four_tasks_in_three_stores())
    assert (result.outcome, schedule) == (Outcome.BOUND_ONLY, None)
    assert result.bound.exact
    assert "search found no mapping" in result.notes[0]


def test_a_gap_that_was_asked_for_is_kept() -> None:
    result, _ = solve(asked(3), seconds=12, mip_gap=0.2)
    assert result.outcome is Outcome.OPTIMAL
    assert 0 < result.gap <= 1 / 5


def test_a_mapping_is_found_where_the_local_search_finds_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(methods.LocalSearch, "run", lambda *_: None)
    tasks = {name: {"time_spe": 1} for name in "abcdef"}
    files = {"a b": "3/2", "c d": 1, "e f": "1/2"}
    result, _ = solve(body(tasks, files, ppes=0, spes=3, local_store=4))
    assert result.outcome is Outcome.OPTIMAL
    assert result.period == 2


@pytest.mark.parametrize("spes", [0, 300])
def test_sizes_out_of_range_are_refused(spes: int) -> None:
    with pytest.raises(InstanceError):
        solve(chain(ppes=0, spes=spes))


def unproved() -> dict[str, Any]:
    """Three cores for five tasks: the relaxation does not reach the optimum."""
    return body({f"t{i}": both(time) for i, time in enumerate((3, 3, 2, 2, 2))}, {}, spes=2)


@pytest.mark.parametrize("error", [SolverError, NoSolution])
def test_a_solver_that_fails_leaves_the_local_search(
    monkeypatch: pytest.MonkeyPatch, error: type[SolverError]
) -> None:
    def fail(*_: object) -> None:
        raise error("of a test")

    monkeypatch.setattr(methods, "search", fail)
    result, schedule = solve(unproved())
    assert (result.outcome, result.period) == (Outcome.FEASIBLE, 5)
    assert schedule is not None
    assert "search failed" in result.notes[0]
    monkeypatch.setattr(methods.LocalSearch, "run", lambda *_: None)
    cannot_tell(monkeypatch)
    if error is SolverError:
        with pytest.raises(SolverError):
            solve(four_tasks_in_three_stores())


@pytest.mark.parametrize(
    ("mapping", "note"),
    [
        ([0, 1, 2, 0, 1], "more time may find a better mapping"),
        (None, "before any mapping was found"),
    ],
)
def test_a_search_that_was_stopped_tells_what_it_has(
    monkeypatch: pytest.MonkeyPatch, mapping: list[int] | None, note: str
) -> None:
    stopped = Search(mapping, None, Fraction(9, 2), False, 7, 1, 1, late=True)
    monkeypatch.setattr(methods, "search", lambda *_: stopped)
    result, schedule = solve(unproved())
    assert result.bound.value == Fraction(2, 9)
    assert (result.bound.exact, result.statistics.nodes) == (False, 7)
    assert note in result.notes[0]
    assert (schedule is None) == (mapping is None)


@pytest.mark.parametrize(
    ("mapping", "note"), [([0, 1, 2, 0, 1], "search failed"), (None, "found no mapping")]
)
def test_no_note_says_that_the_time_was_over_when_it_was_not(
    monkeypatch: pytest.MonkeyPatch, mapping: list[int] | None, note: str
) -> None:
    ended = Search(mapping, None, Fraction(9, 2), False, 7, 1, 1)
    monkeypatch.setattr(methods, "search", lambda *_: ended)
    result, _ = solve(unproved())
    assert note in result.notes[0]
    assert not any("time limit" in note for note in result.notes)


def test_a_search_that_is_interrupted_leaves_the_local_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(methods, "search", interrupt)
    result, _ = solve(unproved())
    assert (result.outcome, result.period) == (Outcome.FEASIBLE, 5)
    assert "time limit of 60 s" in result.notes[0]


def test_an_exact_bound_within_the_gap_that_was_asked_is_enough() -> None:
    result, _ = solve(unproved(), mip_gap=0.3)
    assert (result.outcome, result.bound.exact) == (Outcome.FEASIBLE, True)
    assert result.gap <= Fraction(3, 10)
    assert result.notes == []


def test_a_local_search_beside_the_program_finds_the_optimum_too() -> None:
    tasks = {f"t{i}": both(time) for i, time in enumerate((7, 6, 5, 5, 4, 3, 3, 2))}
    asked = parse_submission(body(tasks, {}, spes=2), Limits())
    alone, _ = run(asked, Control(60), Limits())
    beside, _ = run(asked, Control(60, cores=2), Limits())
    assert alone.outcome is beside.outcome is Outcome.OPTIMAL
    assert alone.period == beside.period


def test_a_local_search_goes_on_beside_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[bool] = []
    go_on = LocalSearch.go_on

    def counted(search: LocalSearch, control: Control) -> bool:
        rounds.append(go_on(search, control))
        raise OutOfTime

    monkeypatch.setattr(LocalSearch, "go_on", counted)
    monkeypatch.setattr(methods, "SECONDS_PER_COEFFICIENT", 0)
    submission = parse_submission(asked(6), Limits())
    for seconds, cores in ((2, 1), (6, 2)):
        result, schedule = run(submission, Control(seconds, cores=cores), Limits())
        assert result.verified
        assert schedule is not None
        assert bool(rounds) is (cores == 2)


def test_where_the_program_is_left_out_the_local_search_has_as_much_time_as_on_one_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []

    def noted(tables: Any, options: Any, control: Control, found: Any) -> None:
        given.append(control.remaining)

    monkeypatch.setattr(methods, "_improve", noted)
    submission = parse_submission(asked(2), Limits())
    for seconds_each in (0, 1e9):
        monkeypatch.setattr(methods, "SECONDS_PER_COEFFICIENT", seconds_each)
        for cores in (1, 2):
            run(submission, Control(2, cores=cores), Limits())
    alone, beside, *left_out = given
    assert beside < alone / 2
    assert all(alone / 2 < seconds < alone * 2 for seconds in left_out)


def test_what_the_local_search_finds_beside_the_program_is_the_answer() -> None:
    """Both know one mapping; the program gets no time to find another."""
    tables = Tables(vocoder(spes=6))
    worse, control = ppe_only(tables), Control(3)
    local = LocalSearch(tables, Control(0))
    local.run([worse])
    found = milp.search(tables, control, worse, Fraction(0), local)
    assert found.mapping is not None
    assert found.period == Occupancy(tables, found.mapping).longest
    assert found.period < Occupancy(tables, worse).longest
    assert not Occupancy(tables, found.mapping).excess


def test_a_local_search_takes_what_is_not_worse() -> None:
    tables = Tables(vocoder(spes=6))
    local = LocalSearch(tables, Control(0))
    known = local.run([ppe_only(tables)])
    assert known is not None
    better = LocalSearch(tables, Control(2)).run([known])
    assert better is not None
    local.take(better)
    assert local.best == better
    local.take(known)
    assert local.best == better


def test_the_program_is_left_where_the_local_search_reaches_what_is_asked() -> None:
    tables = Tables(vocoder(spes=6))
    worse, control = ppe_only(tables), Control(60)
    local = LocalSearch(tables, Control(0))
    local.run([worse])
    asked_of: list[float] = []

    def enough(period: float) -> bool:
        asked_of.append(period)
        return len(asked_of) == 3

    found = milp.search(tables, control, worse, Fraction(0), local, enough)
    assert asked_of == sorted(asked_of, reverse=True)
    assert found.period == asked_of[-1]
    assert not found.closed
    assert not found.late
    assert control.remaining > 0


def test_a_local_search_that_reaches_the_exact_bound_beside_the_program_is_optimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program never ends: what closes the gap is the exact bound of the relaxation."""

    def search_forever(*_: Any, meanwhile: Any, **__: Any) -> Any:
        while True:
            meanwhile()

    monkeypatch.setattr(milp, "search_mixed_integer", search_forever)
    monkeypatch.setattr(
        LocalSearch,
        "run",
        lambda search, starts, _: search._keep(Occupancy(search._tables, starts[0])),
    )
    tasks = {f"t{i}": both(time) for i, time in enumerate((3, 3, 2, 2, 2))}
    submission = parse_submission(body(tasks, {}, spes=1, local_store=1), Limits())
    result, _ = run(submission, Control(60, cores=2), Limits())
    assert result.outcome is Outcome.OPTIMAL
    assert result.bound.exact
    assert result.notes == []
