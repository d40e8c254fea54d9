"""The best shares at given messages and results, with prices that prove it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from steadygrid.domain.resources import compute_resource, port_resource
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.solver.star.model import build_model
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star


@dataclass(frozen=True)
class Priced:
    """A plan, its makespan, and the prices that prove that no shares of these messages are better."""

    plan: Plan
    makespan: Fraction
    prices: Mapping[str, Fraction]


def solve_messages(
    star: Star,
    order: Sequence[tuple[int, int]],
    returns: Sequence[int],
    control: Control,
    *,
    own: bool,
    patience: float = inf,
) -> Priced:
    """Solve program (1)-(6) exactly.

    Parameters
    ----------
    order
        Round, from 1, and worker of each message, as they are sent. Those that turn out to be
        empty are no part of the plan, which is better by their latencies if they have any.
    returns
        Workers in the order of their results; empty without results.
    own
        Whether the master may compute a part.
    patience
        As that of `solve_certified`.

    Raises
    ------
    Cancelled, OutOfTime, CertificationError
        As `solve_certified`.
    """
    model = build_model(star, [worker for _, worker in order], returns, own=own)
    solved = solve_certified(model, control, patience=patience)
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"shares are feasible and bounded, yet {solved.status}")
    shares = solved.values_of(model.share)
    messages = [Message(i, number, shares[s]) for s, (number, i) in enumerate(order) if s in shares]
    taking = {message.worker for message in messages}
    prices = {
        f"{star.names[order[s][1]]}.message{order[s][0]}": price
        for s, price in solved.prices_of(model.done).items()
    }
    if own:
        prices[compute_resource(star.master)] = _price(solved.prices_of(model.at_home))
    if returns and not star.two_ports:
        prices[port_resource(star.master)] = _price(solved.prices_of(model.port))
    return Priced(
        Plan(
            solved.values_of(model.own).get(None, ZERO),
            messages,
            [i for i in returns if i in taking],
        ),
        solved.objective,
        {name: price for name, price in prices.items() if price},
    )


def _price(prices: Mapping[object, Fraction]) -> Fraction:
    return prices.get(None, ZERO)
