"""The methods for stars with more than one linear round."""

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.problems.divisible_star.schemas import DivisibleStarInstance
from workers.problems import Solution
from workers.problems.divisible_star.one_round_answer import answer_at_once, answer_one_round
from workers.problems.divisible_star.plan_answer import Claim, plan_answer
from workers.problems.divisible_star.program import solve_messages
from workers.problems.divisible_star.star import read_star
from workers.solving.control import Control

SEARCHED = ("search", "local_search")


def solve_star(instance: DivisibleStarInstance, method: str, control: Control) -> Solution:
    """Find the best plan of what is asked."""
    star = read_star(instance)
    if method in SEARCHED:
        return answer_one_round(instance, star, method, control)
    places = range(len(star.workers))
    control.phase(Phase.BUILDING)
    order = [(number, i) for number in range(1, instance.rounds + 1) for i in places]
    priced = solve_messages(star, order, (), control, own=star.own is not None)
    claim = Claim(
        order=places,
        order_proof="given",
        bound=priced.makespan,
        exact=True,
        source="program",
        certificate=DualityCertificate(prices=dict(priced.prices) if priced.makespan else {}),
    )
    return plan_answer(instance, star, method, priced.plan, claim)


def best_on_star(instance: DivisibleStarInstance, method: str, interruption: OutOfTime) -> Solution:
    """Answer when the time is over."""
    if method in SEARCHED:
        return answer_at_once(instance, read_star(instance), method)
    raise interruption
