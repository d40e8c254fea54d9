"""What the referee asks of cells: a right answer, and one thing changed in it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.job import Bound
from steadygrid.kinds.bag_of_tasks.schemas import CellOut, ClassOut
from tests.kinds.bag_of_tasks.bodies import F, bag, body, star, uniform
from tests.kinds.bag_of_tasks.test_validator import answered
from tests.verification.answers import Answer

STAR = star({"speed": 3, "bandwidth": 1}, {"speed": 1, "bandwidth": 3}, speed=1)
BAGS = (
    uniform("u", (1, 4), (2, 6), "1/2"),
    bag("c", (0, 1, "1/3"), (3, 4, "1/3"), (3, 6, "1/3"), priority=2),
)


@cache
def means() -> Answer:
    return answered(body(STAR, *BAGS, epsilon=1, method="means"))


@cache
def rounded() -> Answer:
    """Give an answer whose exact period is too long: its schedule has another one."""
    bags = uniform("u", (1, 10), (2, 12), "1/2"), bag("c", (1, 2, "1/3"), (3, 1, "2/3"), priority=2)
    stars = star({"speed": 5, "bandwidth": 2}, {"speed": 2, "bandwidth": 4})
    return answered(body(stars, *bags, epsilon=1, method="means"))


@cache
def upper() -> Answer:
    return answered(body(STAR, *BAGS, epsilon=1, method="approximation"))


@cache
def classes() -> Answer:
    return answered(body(STAR, BAGS[1]))


def test_right_cells_are_accepted() -> None:
    assert means().faults() == upper().faults() == classes().faults() == rounded().faults() == []
    assert [one.name for one in means().result.classes] == [
        *(f"u--{k}" for k in range(4)),
        *(f"c--{k}" for k in range(2)),
    ]


def wider(listed: list[ClassOut]) -> list[ClassOut]:
    """Let the first cell reach into the next one above it."""
    low, high = listed[0].cell.work
    cell = CellOut(input_size=listed[0].cell.input_size, work=(low, high + 1))
    return [listed[0].model_copy(update={"cell": cell}), *listed[1:]]


def joined(listed: list[ClassOut]) -> list[ClassOut]:
    """Put the two cells of the listed tasks into one, with the right mean."""
    kept = [one for one in listed if one.bag == "u"]
    cell = CellOut(input_size=(F(0), F(6)), work=(F(1), F(8)))
    told = {"probability": F(1), "input_size": F(2), "work": F(11, 3), "cell": cell}
    return [*kept, listed[-2].model_copy(update=told)]


def widened(place: str, *, by: str) -> tuple[str, Callable[[], Answer], str, Any]:
    """Let a cell reach further, to where no tasks are."""
    factors = {"below": (F(9, 10), F(1)), "above": (F(1), F(11, 10)), "twice": (F(1), F(2))}

    def change(bounds: tuple[F, F]) -> tuple[F, F]:
        low, high = (bound * factor for bound, factor in zip(bounds, factors[by], strict=True))
        return low, high

    return "wrong_grid", means, f"result/classes/{place}", change


PRICES = "result/certificate/prices"
PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("wrong_class", means, "result/classes", lambda listed: listed[::-1]),
    ("wrong_class", means, "result/classes", lambda listed: listed[1:]),
    ("wrong_class", means, "result/classes/0/name", "u--7"),
    ("wrong_class", means, "result/classes/0/number", 7),
    ("wrong_class", means, "result/classes/0/bag", "c"),
    ("wrong_class", means, "result/classes/0/probability", F(1, 2)),
    ("wrong_class", means, "result/classes/1/input_size", F(3)),
    ("wrong_class", means, "result/classes/5/work", F(3)),
    ("wrong_class", upper, "result/classes/1/input_size", F(3)),
    ("wrong_class", upper, "result/classes/5/work", F(3)),
    ("wrong_class", means, "result/classes/0/cell/work", (F(100), F(101))),
    ("wrong_class", classes, "result/classes/0/cell", CellOut(input_size=(0, 0), work=(1, 2))),
    ("wrong_class", rounded, "result/classes/0/name", "u--0x"),
    ("wrong_class", rounded, "result/classes/0/probability", F(0)),
    ("wrong_cell", means, "result/classes/0/cell", None),
    ("wrong_cell", means, "result/classes/0/cell/work", (F(3), F(2))),
    ("cells_overlap", means, "result/classes", wider),
    ("cells_overlap", means, "result/classes/5/cell", CellOut(input_size=(0, 9), work=(1, 9))),
    ("cells_miss_tasks", means, "result/classes", lambda listed: listed[:-1]),
    ("cells_miss_tasks", means, "result/classes/5/cell/input_size", (F(1), F(3))),
    ("wrong_grid", upper, "result/classes/5/cell/input_size", (F(2), F(6))),
    ("wrong_grid", upper, "result/classes", joined),
    ("wrong_grid", means, "result/classes", joined),
    widened("5/cell/work", by="above"),
    widened("5/cell/work", by="twice"),
    widened("5/cell/input_size", by="above"),
    widened("3/cell/input_size", by="twice"),
    widened("0/cell/work", by="below"),
    ("wrong_grid", means, "result/classes/4/cell/input_size", (F(0), F(1))),
    ("never_simulated", means, "result/distribution_bound", F(0)),
    ("never_simulated", means, "result/distribution_prices", {"P0.out": F(0)}),
    ("never_simulated", classes, "result/distribution_bound", F(0)),
    ("never_simulated", classes, "result/comparison", []),
    ("cheap_tasks", means, PRICES, lambda prices: dict(list(prices.items())[:1])),
    ("unknown_class", means, "result/computed/0/name", "u--9"),
    ("wrong_proportion", means, "result/computed", lambda listed: listed[:-1]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "answer", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    code: str, answer: Callable[[], Answer], place: str, value: Any
) -> None:
    assert code in answer().change(place, value).codes()


def test_cells_are_halved_where_a_small_gap_is_asked_for() -> None:
    """Sizes and works alike; and nowhere else, nor where tasks are rounded up."""
    halved = answered(body(STAR, *BAGS, epsilon=1, method="means"), mip_gap="1/100")
    assert len(halved.result.classes) > len(means().result.classes)
    assert halved.faults() == []
    unasked = halved._replace(options=means().options)
    assert unasked.codes() == {"wrong_grid"}
    (low, high), at = halved.result.classes[-1].cell.work, len(halved.result.classes) - 1
    for bounds in ((low, low + (high - low) / 3), (low, (low + high) / 2), (low, low)):
        told = halved.change(f"result/classes/{at}/cell/work", bounds)
        assert "wrong_grid" in told.codes()
    rounded_up = halved.change("result/method", "approximation")
    assert "wrong_grid" in rounded_up.codes()


def test_long_bounds_of_means_are_short() -> None:
    """Those of a ratio with many digits keep to 40 bits, as the referee says, too."""
    told = answered(body(STAR, *BAGS, epsilon=f"{10**11 + 1}/{10**12 - 1}", method="means"))
    bounds = [bound for one in told.result.classes for bound in one.cell.work]
    assert max(bound.numerator.bit_length() for bound in bounds) <= 42
    assert max(bound.denominator.bit_length() for bound in bounds) > 36
    assert told.faults() == []
    _, high = told.result.classes[-1].cell.work
    longer = told.change(f"result/classes/{len(told.result.classes) - 1}/cell/work/1", high * 2)
    assert "wrong_grid" in longer.codes()


def test_a_grid_finer_than_any_that_is_accepted_is_not_made() -> None:
    told = means()
    fine = told._replace(instance=told.instance.model_copy(update={"epsilon": F(1, 10**60)}))
    assert "wrong_grid" in fine.codes()
    assert "wrong_grid" in fine.change("result/method", "approximation").codes()


def test_prices_of_the_cells_themselves_do_not_prove_the_value() -> None:
    """Scaled to the value they cost 1 on the average of the means, and less on that of the tasks."""
    result = means().result
    value, bound = result.objective.value, result.bound.value
    assert value < bound
    prices = {name: price * value / bound for name, price in result.certificate.prices.items()}
    told = (
        means().change("result/bound", Bound.from_value(value, exact=True)).change(PRICES, prices)
    )
    assert "cheap_tasks" in told.codes()
    assert "prices_miss_bound" not in told.codes()
