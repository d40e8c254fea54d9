"""Cells of sizes and works: integrals by several ways, and values between their bounds."""

import random
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.grid import grid_of, num_cells
from steadygrid.kinds.bag_of_tasks.integrals import expected_cost, mass_within
from steadygrid.kinds.bag_of_tasks.schemas import Bag, BagOfTasksInstance, UniformTasks
from steadygrid.kinds.bag_of_tasks.solver import by_cells
from steadygrid.kinds.bag_of_tasks.solver.cells import grid_cells
from steadygrid.kinds.bag_of_tasks.solver.regions import Box, Envelope, region_of
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.draws import draws
from tests.kinds.bag_of_tasks.bodies import F, bag, body, drawn, star, uniform
from tests.kinds.bag_of_tasks.integration import expected_least
from tests.solved import solve
from tests.tree import ROOT


def some_tasks(rng: random.Random) -> UniformTasks:
    """Draw intervals, some of them of one value or of 0, and correlations, some of them 0 or 1."""

    def interval() -> tuple[Fraction, Fraction]:
        low, high = sorted(F(rng.randint(1, 40), rng.choice((1, 2, 3))) for _ in range(2))
        return rng.choice([(low, high)] * 7 + [(low, low), (low, low), (F(0), F(0))])

    phi = rng.choice((F(0), F(1), F(1, 2), F(rng.randint(0, 7), 7)))
    return UniformTasks(input_size=interval(), work=interval(), correlation=phi)


def bounds(rng: random.Random) -> tuple[Fraction, Fraction]:
    low, high = sorted(F(rng.randint(0, 40), 2) for _ in range(2))
    return low, high


@pytest.mark.parametrize("seed", range(draws(15, 5000)))
def test_the_least_cost_is_integrated_as_by_triangles(seed: int) -> None:
    """By Simpson's rule in the referee, by sectors of polygons in the solver: (16)."""
    rng = random.Random(seed)
    tasks = some_tasks(rng)
    costs = [
        (F(rng.randint(0, 9), rng.randint(1, 3)), F(rng.randint(0, 9), rng.randint(1, 3)))
        for _ in range(rng.randint(1, 6))
    ]
    expected = expected_least(tasks, costs)
    assert expected_cost(tasks, costs) == expected
    assert region_of(Bag(id="b", uniform=tasks)).least(Envelope(costs)) == expected


@pytest.mark.parametrize("seed", range(draws(15, 5000)))
def test_cells_have_the_same_mass_for_referee_and_solver(seed: int) -> None:
    rng = random.Random(seed)
    tasks = some_tasks(rng)
    box = Box(bounds(rng), bounds(rng))
    part = region_of(Bag(id="b", uniform=tasks)).clipped(box)
    assert mass_within(tasks, *box) == ((0, 0, 0) if part is None else part.mass())


def instance_of(problem: dict[str, Any]) -> BagOfTasksInstance:
    instance = parse_submission(problem, Limits()).instance
    assert isinstance(instance, BagOfTasksInstance)
    return instance


def uniform_drawn(seed: int) -> dict[str, Any]:
    """Put uniform tasks into the bags of a drawn instance, or into some of them."""
    problem, rng = drawn(seed), random.Random(seed)
    for k, one in enumerate(problem["problem"]["bags"]):
        if k == 0 or rng.random() < 0.5:
            (m, most), (n, longest) = (
                sorted((F(rng.randint(1, 9)), F(rng.randint(1, 9)))) for _ in range(2)
            )
            phi = rng.choice((F(0), F(1), F(1, 3)))
            tasks = UniformTasks(input_size=(m, most), work=(n, longest), correlation=phi)
            del one["classes"]
            one["uniform"] = tasks.model_dump(mode="json")
    return problem


@pytest.mark.parametrize("seed", range(draws(3, 400)))
@pytest.mark.parametrize("epsilon", ["1", "1/3"])
def test_means_are_between_rounding_up_and_a_bound(seed: int, epsilon: str) -> None:
    """(17), and the bound of each is above the value of the other."""
    problem = uniform_drawn(seed)
    problem["problem"] |= {"epsilon": epsilon, "method": "means"}
    mean = solve(problem).result
    problem["problem"]["method"] = "approximation"
    up = solve(problem).result
    assert up.objective.value <= mean.objective.value <= mean.bound.value
    assert up.bound.value == (1 + F(epsilon)) * up.objective.value >= mean.objective.value


@pytest.mark.parametrize("seed", range(draws(3, 400)))
def test_discrete_bags_are_between_their_roundings(seed: int) -> None:
    """(5.3) and (5.5): what is rounded down is done exactly 1 + epsilon times as often."""
    problem = drawn(seed)
    exact = solve(problem).result.objective.value
    problem["problem"] |= {"epsilon": "1/2", "method": "approximation"}
    told = solve(problem).result
    up = told.objective.value
    assert up <= exact <= told.bound.value == F(3, 2) * up
    down = drawn(seed)
    for one in down["problem"]["bags"]:
        one["classes"] = [
            {
                "input_size": str(cell.cell.input_size[0]),
                "work": str(cell.cell.work[0]),
                "probability": str(cell.probability),
            }
            for cell in told.classes
            if cell.bag == one["id"]
        ]
    assert solve(down).result.objective.value == F(3, 2) * up


@pytest.mark.parametrize("seed", range(draws(3, 400)))
def test_where_each_class_has_its_cell_means_are_exact(seed: int) -> None:
    problem = drawn(seed)
    exact = solve(problem).result.objective.value
    problem["problem"] |= {"epsilon": "1/100", "method": "means"}
    told = solve(problem).result
    assert told.outcome == "optimal"
    assert told.objective.value == exact


@pytest.mark.parametrize("seed", range(draws(3, 100)))
def test_refining_closes_the_gap_that_is_asked(seed: int) -> None:
    problem = drawn(seed)
    exact = solve(problem).result.objective.value
    problem["problem"] |= {"epsilon": "10", "method": "means"}
    refined = solve(problem, mip_gap="1/1000").result
    assert refined.gap <= F(1, 1000)
    assert refined.objective.value <= exact <= refined.bound.value
    uniform_one = uniform_drawn(seed)
    uniform_one["problem"]["epsilon"] = "1"
    assert solve(uniform_one, mip_gap="1/200").result.gap <= F(1, 200)


def test_cells_that_may_not_be_cut_any_more_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_cells, "MOST_CELLS", 12)
    problem = body(
        star({"speed": 3, "bandwidth": 1}, {"speed": 1, "bandwidth": 3}),
        uniform("b", (1, 9), (1, 9)),
        epsilon="2",
    )
    result = solve(problem, mip_gap="1/100000").result
    assert by_cells.OUT_OF_CELLS in result.notes
    assert len(result.classes) <= 12


def test_cells_of_equal_tasks_of_one_worker_lose_nothing() -> None:
    """One worker: its costs are linear, and any cells prove the mean of all tasks."""
    problem = body(star({"speed": 1, "bandwidth": 9}), uniform("b", (1, 2), (1, 3)), epsilon=10)
    result = solve(problem).result
    assert (result.outcome, result.method) == ("optimal", "means")
    assert result.objective.value == F(1, 2)
    (cell,) = result.classes
    assert (cell.input_size, cell.work) == (F(3, 2), 2)
    assert cell.cell.work == (1, 11)


@pytest.mark.parametrize("seed", range(draws(5, 1000)))
def test_cells_are_counted_before_they_are_made(seed: int) -> None:
    problem = uniform_drawn(seed) if seed % 2 else drawn(seed)
    problem["problem"] |= {"epsilon": "1/3", "method": "means"}
    instance = instance_of(problem)
    grids = [(one, grid_of(one, instance.epsilon, is_exact=False)) for one in instance.bags]
    counted = sum(num_cells(one, grid) for one, grid in grids if grid is not None)
    made = len(grid_cells(instance, lambda: None, is_exact=False))
    assert made == counted if not seed % 2 else made <= counted <= made + 2 * len(grids) + made // 3
    assert size_submission(parse_submission(problem, Limits()), Limits()).sizes["cells"] == counted


def test_long_bounds_of_cells_are_nearly_of_the_ratio_asked() -> None:
    one = Bag(id="b", uniform=UniformTasks(input_size=(F(1), F(100)), work=(F(2, 3), F(5))))
    near, exact = (grid_of(one, F(1, 20), is_exact=each) for each in (False, True))
    assert near is not None
    assert exact is not None
    assert exact.works == [F(2, 3) * F(21, 20) ** q for q in range(len(exact.works))]
    for short, long in zip(near.sizes + near.works, exact.sizes + exact.works, strict=True):
        assert 0 <= long - short < long / 2**30
        assert short.denominator < 2**48


@pytest.mark.parametrize("method", ["means", "approximation"])
def test_without_a_solver_cells_are_dealt_alike_and_the_bound_holds(method: str) -> None:
    problem = uniform_drawn(2)
    problem["problem"] |= {"epsilon": "1/2", "method": method}
    solution = solver_for("bag_of_tasks").best_without_solver(
        instance_of(problem), Options(), Sizing(method, {}), Control(30), OutOfTime()
    )
    best = solve(problem).result
    assert 0 < solution.result.objective.value <= best.objective.value
    assert solution.result.bound.value >= best.objective.value


def test_who_cancels_does_not_wait_for_cells_either_when_the_time_is_over() -> None:
    problem = uniform_drawn(2)
    control = Control(30)
    control.cancel()
    with pytest.raises(Cancelled):
        solver_for("bag_of_tasks").best_without_solver(
            instance_of(problem), Options(), Sizing("means", {}), control, OutOfTime()
        )


def test_auto_takes_classes_where_there_are_few_and_means_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizing = import_module("steadygrid.kinds.bag_of_tasks.sizing")
    monkeypatch.setattr(sizing, "MOST_CELLS", 10)
    platform = star({"speed": 1})
    many = {"id": "m", "tasks": [{"input_size": 1, "work": 1} for _ in range(11)]}
    for bags, method in (
        ([bag("b", (1, 1, 1))], "lp"),
        ([bag("b", (1, 1, 1)), uniform("u", (1, 2), (3, 4))], "means"),
        ([many], "means"),
    ):
        submission = parse_submission(body(platform, *bags, epsilon=10), Limits())
        assert size_submission(submission, Limits()).method == method


def test_the_example_is_done_as_often_as_any_policy_could() -> None:
    text = (ROOT / "examples" / "bags-of-uniform-tasks.json").read_bytes()
    result = solve(parse_json(text)).result
    assert (result.outcome, result.objective.value) == ("optimal", F(24, 17))
