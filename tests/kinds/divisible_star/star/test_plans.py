"""Shares at given messages and results: the program, its dates and the referee agree."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.divisible_star.solver.star.plan_answer import Claim, plan_answer
from steadygrid.kinds.divisible_star.solver.star.program import Priced, solve_messages
from steadygrid.kinds.divisible_star.solver.star.star import read_star
from steadygrid.kinds.divisible_star.solver.star.steady import steady_state
from steadygrid.kinds.divisible_star.validator import validate
from tests.draws import draws
from tests.kinds.divisible_star.bodies import makespan, result_of, star

F = Fraction


def random_star(random: Random, **problem: Any) -> dict[str, Any]:
    """Draw a star with latencies of all sorts, or without any."""
    n = random.randint(1, 4)

    def drawn(*others: int) -> Fraction:
        return random.choice([F(random.randint(1, 6), random.randint(1, 3)), *map(F, others)])

    document = star(
        [drawn() for _ in range(n)],
        [drawn() for _ in range(n)],
        own=random.choice([None, drawn()]),
        **problem,
    )
    platform = document["problem"]["platform"]
    if random.random() < 0.5:
        for part in (*platform["processors"], *platform["links"]):
            part["latency"] = str(drawn(0) / 8)
    for link in platform["links"]:
        link["duplex"] = "full"
    return document


def asked(random: Random) -> DivisibleStarInstance:
    """Draw an instance with given orders: several rounds, or results."""
    document = random_star(random)
    problem = document["problem"]
    names = [link["target"] for link in problem["platform"]["links"]]
    random.shuffle(names)
    problem["order"] = list(names)
    if random.random() < 0.5:
        problem["rounds"] = random.randint(2, 3)
    else:
        random.shuffle(names)
        problem["return_orders"] = names
        problem["load"]["return_volume"] = random.choice(["1", "1/2", "3"])
        problem["ports"] = random.choice(["strict_one_port", "one_port"])
    return DivisibleStarInstance.model_validate(problem)


def solved(instance: DivisibleStarInstance) -> Priced:
    """Find the best shares at the orders of an instance."""
    places = read_star(instance)
    order = [
        (number, i) for number in range(1, instance.rounds + 1) for i in range(len(places.workers))
    ]
    returns = [
        places.names.index(id_) for id_ in instance.return_orders if instance.load.return_volume
    ]
    control = Control(60)
    return solve_messages(places, order, returns, control, own=places.own is not None)


def judged(instance: DivisibleStarInstance, priced: Priced, bound: Fraction) -> set[str]:
    """Let the referee judge a plan that claims a bound; give the codes of what it finds."""
    places = read_star(instance)
    returns = [
        places.names.index(id_) for id_ in instance.return_orders if instance.load.return_volume
    ]
    claim = Claim(
        order=range(len(places.workers)),
        order_proof="given",
        bound=bound,
        exact=True,
        source="program",
        certificate=DualityCertificate(prices=dict(priced.prices)),
        returns=returns,
        any_rounds_bound=steady_state(places).bound if instance.rounds > 1 else None,
    )
    answer = plan_answer(instance, places, "lp", priced.plan, claim)
    assert isinstance(answer.result, DivisibleStarResult)
    assert isinstance(answer.schedule, Timeline)
    try:
        validate(instance, Options(), answer.result, answer.schedule)
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def beyond_prices(instance: DivisibleStarInstance) -> set[str]:
    """Give what the referee says where others than the participants might do better."""
    order, back = list(instance.order or ()), instance.return_orders
    mixed = bool(instance.load.return_volume) and list(back) not in (order, order[::-1])
    if read_star(instance).has_latencies or (mixed and instance.ports == "one_port"):
        return {"prices_of_participants"}
    return set()


def test_the_program_its_dates_and_its_prices_agree() -> None:
    """Rows of the program, events one after the other, and prices added up by other code."""
    full = 0
    for seed in range(draws(30, 2000)):
        instance = asked(Random(seed))
        priced = solved(instance)
        messages = len(read_star(instance).workers) * instance.rounds
        if len(priced.plan.messages) < messages and read_star(instance).has_latencies:
            continue
        full += 1
        assert judged(instance, priced, priced.makespan) == beyond_prices(instance)
        more = judged(instance, priced, priced.makespan * F(1001, 1000))
        assert "bound_not_proved" in more
    assert full > draws(30, 2000) // 4


def test_many_rounds_are_the_optimum_of_the_program() -> None:
    document = star([1, 2], [4, 3], rounds=12, order=["P1", "P2"])
    assert makespan(document) == F(79997744350261, 45441548210865)
    assert result_of(document).rounds == 12


def test_two_rounds_are_faster_than_one() -> None:
    assert makespan(star([4], [4], order=["P1"])) == 8
    assert makespan(star([4], [4], order=["P1"], rounds=2)) == 6


@pytest.mark.parametrize("own", [None, 5])
def test_more_rounds_never_take_longer(own: int | None) -> None:
    values = [
        makespan(star([1, 2, 1], [3, 1, 2], own=own, order=["P1", "P3", "P2"], rounds=rounds))
        for rounds in (1, 2, 3, 5)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1]
