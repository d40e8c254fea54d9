"""One round with latencies against all participants in all orders, in exact arithmetic."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import chain, combinations, permutations
from random import Random

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.kinds.divisible_star.solver.one_round import search
from steadygrid.kinds.divisible_star.solver.one_round.one_round import OneRound
from steadygrid.kinds.divisible_star.solver.star.order_free import (
    order_free_bound,
    order_free_load,
    truncated,
)
from steadygrid.kinds.divisible_star.solver.star.sequence_load import (
    Sending,
    best_alone,
    best_part,
    plan_of,
)
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star
from tests.draws import draws

F = Fraction
Number = Fraction | int
FEW, RARE = ([F(value) for value in values] for values in ((0, 1, 1, 2), (0, 0, 1, 5)))
DIGITS = [F(value) for value in range(10)]
FRACTIONS = [F(a, b) for a in range(13) for b in range(1, 6)]


def star(
    wires: Sequence[Number],
    works: Sequence[Number],
    wire_latencies: Sequence[Number] | None = None,
    work_latencies: Sequence[Number] | None = None,
    own: tuple[Number, Number] | None = None,
) -> Star:
    """Make a star; the master computes with w and W, if with any."""
    nothing = [0] * len(wires)
    columns = zip(wires, works, wire_latencies or nothing, work_latencies or nothing, strict=True)
    return Star(
        master="M",
        own=None if own is None else Costs(F(0), F(own[0]), work_latency=F(own[1])),
        names=[f"P{i}" for i in range(len(wires))],
        workers=[
            Costs(F(c), F(w), wire_latency=F(late), work_latency=F(begun))
            for c, w, late, begun in columns
        ],
        two_ports=False,
    )


def random_star(random: Random, most: int) -> Star:
    """Draw a star with many ties and zeros."""
    values = random.choice([FEW, DIGITS, FRACTIONS])
    latencies = random.choice([values, RARE])

    def draw() -> Fraction:
        return random.choice(values)

    def late() -> Fraction:
        return random.choice(latencies)

    count = random.randint(1, most)
    mine: list[tuple[Number, Number] | None]
    mine = [None, (draw(), 0), (4 * draw(), late()), (random.randint(1, 30), 7)]
    columns = [[one() for _ in range(count)] for one in (draw, draw, late, late)]
    return star(columns[0], columns[1], columns[2], columns[3], random.choice(mine))


def least(star: Star, orders: Iterable[Sequence[int]]) -> Fraction:
    """Give the least makespan, each of an order finishing with the master, or without it."""
    free = [one for one in star.workers if not one.wire + one.work]
    times = [one.wire_latency + one.work_latency for one in free]
    if star.own is not None and not star.own.work:
        times.append(star.own.work_latency)
    for order in orders:
        times += _together(star, order)
    return min(times)


def _together(star: Star, order: Sequence[int]) -> Iterator[Fraction]:
    """Let all be done at T: the shares are linear in T, and T is where they sum to 1."""
    left = F(1), F(0)
    shares: list[tuple[Fraction, Fraction]] = []
    for i in order:
        one = star.workers[i]
        total = one.wire + one.work
        share = left[0] / total, (left[1] - one.wire_latency - one.work_latency) / total
        shares.append(share)
        left = left[0] - one.wire * share[0], left[1] - one.wire_latency - one.wire * share[1]
    own = star.own
    with_master = (
        []
        if own is None or not own.work
        else [[(1 / own.work, -own.work_latency / own.work), *shares]]
    )
    for parts in (shares, *with_master):
        if rate := sum(a for a, _ in parts):
            time = (1 - sum(b for _, b in parts)) / rate
            if all(a * time + b >= 0 for a, b in parts):
                yield time


def able(star: Star) -> list[int]:
    return [i for i, one in enumerate(star.workers) if one.wire + one.work]


def all_orders(star: Star) -> Iterator[Sequence[int]]:
    workers = able(star)
    return chain.from_iterable(permutations(workers, n) for n in range(len(workers) + 1))


def parts_of_the_order(star: Star) -> Iterator[Sequence[int]]:
    workers = able(star)
    return chain.from_iterable(combinations(workers, n) for n in range(len(workers) + 1))


def proved(star: Star) -> OneRound:
    """Search without a deadline, and check what the shares do."""
    found = OneRound(star)
    found.improve(lambda: None)
    found.prove(lambda: None)
    assert found.bound == found.best.makespan
    check_shares(star, found.best)
    return found


def check_shares(star: Star, sending: Sending) -> None:
    plan = plan_of(star, sending)
    assert plan.own >= 0
    assert all(message.share > 0 for message in plan.messages)
    assert plan.own + sum(message.share for message in plan.messages) == 1
    port, ends = F(0), [F(0)]
    for message in plan.messages:
        one = star.workers[message.worker]
        port += one.wire_latency + one.wire * message.share
        ends.append(port + one.work_latency + one.work * message.share)
    if plan.own:
        assert star.own is not None
        ends.append(star.own.work_latency + star.own.work * plan.own)
    assert max(ends) == sending.makespan


@pytest.mark.parametrize(
    ("case", "expected", "by_wire"),
    [
        (star([5, 4, 2], [2, 1, 4], [5, 0, 2], [2, 5, 2]), F(60, 7), F(28, 3)),
        (star([5, 7, 2], [6, 5, 8], None, [0, 10, 0]), F(110, 19), F(110, 19)),
        # Neither data nor work: one worker, or the master, with the least latencies.
        (star([0, 0], [0, 0], [3, 1], [1, 2]), F(3), F(3)),
        (star([0, 0], [0, 0], [3, 1], [1, 2], own=(0, 2)), F(2), F(2)),
        # No work, and the master computes: it alone, or the workers alone.
        (star([2, 1], [0, 0], [1, 1], None, own=(0, 5)), F(2), F(2)),
        (star([2, 1], [0, 0], [1, 1], None, own=(0, 1)), F(1), F(1)),
        (star([], [], own=(3, 2)), F(5), F(5)),
        (star([0], [0], own=(3, 2)), F(0), F(0)),
    ],
)
def test_known_optima(case: Star, expected: Fraction, by_wire: Fraction) -> None:
    assert proved(case).best.makespan == expected
    order = sorted(range(len(case.workers)), key=lambda i: case.workers[i].wire)
    assert best_part(case, tuple(order))[0].makespan == by_wire


def test_the_search_finds_the_optimum_of_all_participants_and_orders() -> None:
    random = Random(1)
    for _ in range(draws(45, 4_000)):
        case = random_star(random, 5)
        assert proved(case).best.makespan == least(case, all_orders(case)), case


def test_the_best_part_of_an_order_is_the_best_of_its_subsets() -> None:
    random = Random(2)
    for _ in range(draws(125, 4_000)):
        case = random_star(random, 6)
        best, _ = best_part(case, tuple(range(len(case.workers))))
        assert best.makespan == least(case, parts_of_the_order(case)), case
        check_shares(case, best)


@pytest.mark.parametrize("bits", [4, 11])
def test_coarse_units_change_nothing(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever whole numbers leave open is decided in fractions."""
    monkeypatch.setattr(search, "BITS", bits)
    monkeypatch.setattr(search, "ONE", 1 << bits)
    random = Random(bits)
    for _ in range(draws(30, 1_000)):
        case = random_star(random, 4)
        best = best_alone(case)
        while best.makespan:
            order, _ = search.shorter(case, best.makespan, lambda: None)
            if order is None:
                break
            shorter, _ = best_part(case, order)
            assert shorter.makespan < best.makespan
            best = shorter
        assert best.makespan == least(case, all_orders(case)), case


def test_the_bound_without_an_order_is_the_greatest_of_17_digits() -> None:
    random = Random(3)
    for _ in range(draws(30, 1_000)):
        case = random_star(random, 4)
        optimum = least(case, all_orders(case))
        bound = order_free_bound(case, best_alone(case).makespan)
        assert bound <= optimum
        if not bound:
            assert not optimum
            continue
        load = order_free_load(case, bound)
        assert load is not None
        assert load <= 1
        assert truncated(bound) == bound
        digits = Context(prec=17).divide(Decimal(bound.numerator), Decimal(bound.denominator))
        next_load = order_free_load(case, bound + F(10) ** (digits.adjusted() - 16))
        assert next_load is None or next_load > 1


def test_an_interrupted_search_knows_a_schedule_and_a_bound() -> None:
    random = Random(4)
    columns = [[random.randint(1, 99) for _ in range(9)] for _ in range(4)]
    case = star(columns[0], columns[1], columns[2], columns[3])
    calls = 0

    def counter() -> None:
        nonlocal calls
        calls += 1

    done = OneRound(case)
    done.prove(counter)
    bounds = set()
    for part in range(4):
        found, check = OneRound(case), _patience(calls * part // 4)
        with pytest.raises(OutOfTime):
            found.prove(check)
        check_shares(case, found.best)
        assert found.order_free <= found.bound <= done.bound <= found.best.makespan
        bounds.add(found.bound)
    assert len(bounds) > 1


def _patience(calls: int) -> Callable[[], None]:
    """Give a check that allows so many calls."""
    left = iter(range(calls))

    def check() -> None:
        if next(left, None) is None:
            raise OutOfTime

    return check
