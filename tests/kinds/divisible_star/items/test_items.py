"""Whole items on a star, against slower ways to deal them out."""

from fractions import Fraction
from random import Random

from steadygrid.domain.errors import OutOfTime
from steadygrid.kinds.divisible_star.solver.items.distribution import Dealt, deal, makespan_of
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Message, Plan, Star
from tests.draws import draws
from tests.kinds.divisible_star.items.item_oracles import (
    by_all_orders,
    by_dynamic_program,
    by_enumeration,
    lasting,
)

F = Fraction


def star_of(*workers: Costs, own: Costs | None = None) -> Star:
    return Star("M", own, [f"P{i + 1}" for i in range(len(workers))], workers, two_ports=False)


def linear(wires: list[int], works: list[int]) -> Star:
    return star_of(*(Costs(F(c), F(w)) for c, w in zip(wires, works, strict=True)))


def random_star(random: Random, most: int) -> Star:
    """Draw times with ties and zeros, latencies or none, and a master that may compute."""
    latency = random.choice([0, 0, 3, 9])

    def time(greatest: int) -> Fraction:
        return F(random.randint(0, greatest), random.choice([1, 1, 2, 3]))

    def costs() -> Costs:
        return Costs(
            time(9),
            time(12),
            wire_latency=time(latency) / 3,
            work_latency=time(latency) / 3,
        )

    workers = [costs() for _ in range(random.randint(1, most))]
    if random.random() < 0.2:
        workers.append(workers[0])
    return star_of(*workers, own=random.choice([None, None, costs()]))


def whole(star: Star, items: int, *, every_order: bool = False) -> Dealt:
    """Deal items out, from a start that is as bad as it gets, and look at the answer."""
    start = Plan(F(0), [Message(0, 1, F(1))])
    dealt = deal(star, items, start, every_order=every_order)
    plan = dealt.plan
    order = [message.worker for message in plan.messages]
    shares = [message.share for message in plan.messages]
    assert plan.own + sum(shares) == 1
    assert all(share > 0 and (share * items).denominator == 1 for share in shares)
    assert len({*order}) == len(order)
    assert every_order or order == sorted(order)
    assert dealt.makespan == lasting(star, order, plan.own, shares) == dealt.bound
    assert dealt.lacked is None
    return dealt


def test_known_optima() -> None:
    star = linear([1, 2, 3], [3, 2, 1])
    assert whole(star, 7).makespan == F(15, 7)
    assert whole(star, 1).makespan == 4
    tied = linear([5, 5], [1, 6])
    assert whole(tied, 4).makespan == 6
    assert whole(tied, 4, every_order=True).makespan == F(11, 2)


def test_no_division_of_few_items_is_better() -> None:
    for seed in range(draws(30, 3000)):
        random = Random(seed)
        star, items = random_star(random, 3), random.randint(1, 7)
        order = range(len(star.workers))
        best = by_enumeration(star, order, items)
        assert best == by_dynamic_program(star, order, items) == whole(star, items).makespan


def test_the_dynamic_program_over_all_numbers_of_items_finds_nothing_better() -> None:
    for seed in range(draws(30, 3000)):
        random = Random(10_000 + seed)
        star, items = random_star(random, 6), random.randint(1, 40)
        order = range(len(star.workers))
        assert by_dynamic_program(star, order, items) == whole(star, items).makespan


def test_no_order_is_better_than_the_best_of_all() -> None:
    better = 0
    for seed in range(draws(20, 2000)):
        random = Random(20_000 + seed)
        star, items = random_star(random, 4), random.randint(1, 10)
        best = whole(star, items, every_order=True).makespan
        assert best == by_all_orders(star, items)
        better += best < whole(star, items).makespan
    assert better >= draws(20, 2000) // 20


def test_a_search_that_is_stopped_has_a_plan_and_a_bound() -> None:
    def late() -> None:
        raise OutOfTime

    star = linear([1, 2, 3], [3, 2, 1])
    start = Plan(F(0), [Message(0, 1, F(1))])
    dealt = deal(star, 7, start, check=late)
    assert dealt.lacked == "time"
    assert dealt.bound <= F(15, 7) <= dealt.makespan == makespan_of(star, dealt.plan)
