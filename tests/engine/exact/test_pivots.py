"""Exact pivots from any basis, against another simplex method; and factors that are updated."""

import random
from collections.abc import Callable
from fractions import Fraction
from math import inf

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.exact import pivots, vertex
from steadygrid.engine.exact.basis import BasicSystem, Basis
from steadygrid.engine.exact.certificate import check_feasible, check_optimal
from steadygrid.engine.exact.pivots import Verdict, pivot_to_the_end
from steadygrid.engine.exact.pricing import Caution, Stop, Weights, first_stop
from steadygrid.engine.exact.proving import Prover
from steadygrid.engine.exact.statistics import Statistics
from steadygrid.engine.exact.updates import Singular, UpdatedFactors
from steadygrid.engine.exact.variables import Entries, Sparse, Variables
from steadygrid.engine.exact.vectors import Vector, to_fraction
from steadygrid.engine.exact.vertex import Vertex
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import Place
from steadygrid.engine.solving.program import LinearProgram
from steadygrid.engine.solving.reading import read_model
from tests.draws import draws
from tests.engine.exact.dictionaries import optimum_of
from tests.engine.exact.linear_programs import Program, programs

F = Fraction


def _read(program: Program) -> LinearProgram:
    return read_model(program.model()).program


def _any_basis(program: LinearProgram, chance: random.Random) -> Basis:
    return Basis(
        chance.choices(list(Place), k=program.num_columns),
        chance.choices(list(Place), k=program.num_rows),
    )


def _proved_value(program: LinearProgram, basis: Basis) -> Fraction:
    system = BasicSystem(program, basis)
    return to_fraction(check_optimal(program, system.primal(), system.prices(program.costs)))


@pytest.fixture(params=["devex", "least index"])
def _rule(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "least index":
        monkeypatch.setattr(pivots, "Caution", lambda _: Caution(-1))


@pytest.mark.usefixtures("_rule")
@settings(max_examples=draws(40, 2000))
@given(programs(5, 6), st.randoms(use_true_random=False), st.sampled_from([1, 2, 60]))
def test_pivots_from_any_basis_end_where_another_method_does(
    drawn: Program, chance: random.Random, most: int
) -> None:
    program = _read(drawn)
    status, value = optimum_of(program)
    basis = _any_basis(program, chance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vertex, "MOST_EXCHANGES", most)
        verdict = pivot_to_the_end(program, basis)
    assert verdict.status == status
    if value is not None:
        assert _proved_value(program, basis) == value


@settings(max_examples=draws(20, 1000))
@given(programs(5, 6), st.randoms(use_true_random=False))
def test_what_is_kept_up_to_date_is_what_would_be_computed_anew(
    drawn: Program, chance: random.Random
) -> None:
    program = _read(drawn)
    basis = _any_basis(program, chance)
    seen: list[Vertex] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pivots, "improve", lambda start, *_: seen.append(start))
        patch.setattr(pivots, "make_feasible", lambda *_: "feasible")
        pivot_to_the_end(program, basis)
    (kept,) = seen
    count = len(kept.places)
    for _ in range(12):
        pairs = [
            (position, column, entering)
            for entering in range(count)
            if kept.places[entering] is not Place.BASIC
            for column in [kept.column(entering)]
            for position in column.whole
        ]
        if not pairs:
            return
        position, column, entering = chance.choice(pairs)
        leaving = kept.head[position]
        rest = Place.FREE
        if kept.variables.lower[leaving] is not None:
            rest = Place.LOWER
        elif kept.variables.upper[leaving] is not None:
            rest = Place.UPPER
        row = kept.row(kept.multipliers(position))
        kept.exchange(entering, position, rest, fmpq(chance.randint(-2, 2)), column, row)
    fresh = Vertex(Variables(program), kept.basis())
    assert sorted(fresh.head) == sorted(kept.head)
    assert fresh.slopes == kept.slopes
    for entering in range(count):
        if kept.places[entering] is not Place.BASIC:
            mine, other = kept.column(entering).whole, fresh.column(entering).whole
            by_variable = {kept.head[k]: value for k, value in mine.items()}
            assert by_variable == {fresh.head[k]: value for k, value in other.items()}


def _column(chance: random.Random, order: int) -> Entries:
    rows = chance.sample(range(order), chance.randint(1, 3))
    return [(row, fmpq(chance.choice([-3, -1, 1, 2]), chance.randint(1, 4))) for row in rows]


@pytest.mark.parametrize("seed", range(draws(6, 300)))
def test_updated_factors_solve_like_fresh_ones_after_many_exchanges(seed: int) -> None:
    chance, order = random.Random(seed), 8
    columns: list[Entries] = [[(k, fmpq(1))] for k in range(order)]
    updated = UpdatedFactors(columns, order)
    for _ in range(60):
        entering = _column(chance, order)
        solved = updated.solve(dict(entering))
        position = chance.choice(sorted(solved.whole))
        updated.replace(position, entering, solved.first)
        columns[position] = entering
        fresh = UpdatedFactors(columns, order)
        right: Sparse = dict(_column(chance, order))
        assert updated.solve(right).whole == fresh.solve(right).whole
        assert updated.solve_transposed(right) == fresh.solve_transposed(right)
    assert updated.num_exchanges == order


def test_a_matrix_without_inverse_has_no_factors() -> None:
    for columns in ([[(0, fmpq(1))], [(0, fmpq(2))]], [[(0, fmpq(1))]]):
        with pytest.raises(Singular):
            UpdatedFactors(columns, 2)


def _transport(order: int) -> LinearProgram:
    """Assign each of some to one place: degenerate, with equality rows."""
    n = order * order
    matrix = [tuple(F(k // order == i) for k in range(n)) for i in range(order)]
    matrix += [tuple(F(k % order == i) for k in range(n)) for i in range(order)]
    return _read(
        Program(
            matrix=tuple(matrix),
            rows=((F(1), F(1)),) * (2 * order),
            columns=((F(0), None),) * n,
            costs=tuple(F((7 * k * k + 3 * k) % 11) for k in range(n)),
        )
    )


def _stopped_after(checks: int) -> Callable[[], None]:
    left = iter(range(checks))

    def check() -> None:
        if next(left, None) is None:
            raise OutOfTime

    return check


def test_a_feasible_solution_is_kept_when_time_strikes_and_pivots_go_on_from_there() -> None:
    program = _transport(4)
    best = optimum_of(program)[1]
    kept: list[Fraction] = []

    def keep(solution: Vector, prices: Vector) -> None:
        check_feasible(program, solution)
        assert len(prices) == program.num_rows
        kept.append(
            sum((c * to_fraction(x) for c, x in zip(program.costs, solution, strict=True)), F(0))
        )

    ended: list[Verdict] = []
    counted: list[int] = []
    for checks in range(100):
        basis = Basis.of_slacks(program)
        check = _stopped_after(checks)
        try:
            ended.append(pivot_to_the_end(program, basis, check, keep, counted.append))
            break
        except OutOfTime:
            assert pivot_to_the_end(program, basis).status == "optimal"
            assert _proved_value(program, basis) == best
    assert [verdict.status for verdict in ended] == ["optimal"]
    assert counted == [*range(ended[0].pivots), ended[0].pivots]
    assert len(kept) > 1
    assert kept == sorted(kept)
    assert kept[0] < best


def test_caution_begins_after_a_long_stretch_and_ends_with_progress() -> None:
    caution = Caution(2)
    for progress, careful in ((0, False), (0, False), (0, True), (0, True), (fmpq(1, 9), False)):
        caution.note(progress)
        assert bool(caution) == careful


def test_the_first_stop_is_exact_and_ties_go_to_the_largest_pivot_or_the_least_variable() -> None:
    huge = 10**40
    stops = [
        Stop(fmpq(huge + 1, huge), fmpq(1), 9, 5, 50),
        Stop(fmpq(1), fmpq(1), 0, 4, 40),
        Stop(fmpq(2), fmpq(2), 1, 3, 30),
        Stop(fmpq(huge), fmpq(1), 99, 0, 0),
        Stop(fmpq(3), fmpq(3), 0, 2, 20),
    ]
    assert first_stop(stops, careful=False) == (stops[2], 1)
    assert first_stop(stops, careful=True) == (stops[4], 1)
    assert first_stop([], careful=False) is None
    level = Stop(fmpq(0), fmpq(1, huge), -99, 9, 90)
    assert first_stop([level, *stops], careful=False) == (level, 0)


def test_weights_spread_from_the_pivot_and_never_fall_below_one() -> None:
    weights = Weights()
    weights.spread({1: 4, 2: -3, 3: 0}, 3)
    assert [weights[key] for key in (1, 2, 3)] == [8, 0, 0]
    weights.renew(3, -5)
    weights.spread({1: 0, 2: 1}, 1)
    assert [weights[key] for key in (1, 2, 3)] == [8, 10, 0]


def test_a_feasible_answer_is_kept_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simplex method is interrupted where it would improve what the solver left."""

    def strike(*_: object) -> None:
        raise OutOfTime

    program = _read(Program(((F(1),),), ((None, F(3)),), ((F(0), None),), (F(1),)))
    monkeypatch.setattr(pivots, "improve", strike)
    monkeypatch.setattr(Prover, "_refined", lambda *_: (None, True))
    prover = Prover(Control(), Statistics(), inf)
    with pytest.raises(OutOfTime):
        prover.prove(program)
    assert prover.nearest[program].solution.numerators == [3]
