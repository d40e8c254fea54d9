"""Answers of stars that send results back, where orders are known, tried or searched for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from steadygrid.domain.certificate import DualityCertificate, SearchCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.return_methods import is_every_pair_tried
from steadygrid.kinds.divisible_star.schemas import (
    BoundSource,
    DivisibleStarInstance,
    EnumerationCertificate,
    OrderProof,
)
from steadygrid.kinds.divisible_star.solver.results.bases import Bases, Found, alone, time_of
from steadygrid.kinds.divisible_star.solver.results.bound import returned_bound
from steadygrid.kinds.divisible_star.solver.results.every_pair import enumerate_orders
from steadygrid.kinds.divisible_star.solver.results.model import search_orders
from steadygrid.kinds.divisible_star.solver.results.orders_search import OrdersSearch, Pair
from steadygrid.kinds.divisible_star.solver.results.pairs import AskedPairs
from steadygrid.kinds.divisible_star.solver.results.reversed import divide_reversed, proved_by
from steadygrid.kinds.divisible_star.solver.star.plan_answer import Claim, plan_answer
from steadygrid.kinds.divisible_star.solver.star.program import Priced, solve_messages
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.star.steady import steady_state
from steadygrid.kinds.divisible_star.solver.tree.answer import ROUNDED

MOST_REPEATED = 4
"""Workers next to the master for whom the referee tries all pairs of orders itself."""
MOST_ELIMINATED = 30
"""Participants whose shares are computed without a program."""
SECONDS_FOR_SHARES = 5.0
"""Allowed for the shares at the best orders found, where the time is over."""
NOTHING_TAKES_TIME = "nothing takes any time"
INTERRUPTED = "the time was over before the best orders were known"
MOVED = "the orders were found by moves of single processors; others may be better"


NEAR = 1 + Fraction(1, 10**6)
"""How far a makespan may be from the bound of a search that is said to prove it."""


@dataclass
class _Known:
    """What is known so far of the best orders.

    Attributes
    ----------
    bound
        That no orders and participants undercut; exact where `exact`.
    proof
        Why no other orders are better. None where they may be.
    """

    best: Found
    bound: Fraction
    exact: bool = True
    proof: OrderProof = "none"
    nodes: int = 0


def answer_results(
    instance: DivisibleStarInstance, star: Star, method: str, control: Control
) -> Solution:
    """Find the best orders, participants and shares.

    Parameters
    ----------
    instance
        Without faults; results come back.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        When cancelled. When the time is over, the best of what is known is the answer.
    """
    asked = pairs_asked(instance, star)
    if method in ("lp", "closed_form"):
        return _by_program(instance, star, asked, method, control)
    control.phase(Phase.SOLVING)
    best = min(alone(star), key=lambda one: one.makespan)
    known = _Known(best, _returned_bound(star, best.makespan))
    order_free = known.bound
    notes: list[str] = []
    if best.makespan:
        try:
            if method == "local_search":
                notes.append(MOVED)
                _move(star, asked, known, control)
            else:
                _search(instance, star, asked, known, control)
        except OutOfTime:
            notes = [INTERRUPTED]
    else:
        notes.append(NOTHING_TAKES_TIME)
    return _searched(instance, star, asked, method, known, order_free, notes)


def _returned_bound(star: Star, makespan: Fraction) -> Fraction:
    """Give the bound for all orders; 0 where nothing is known."""
    found = returned_bound(star, makespan)
    return ZERO if found is None else found


def results_at_once(instance: DivisibleStarInstance, star: Star, method: str) -> Solution:
    """Answer what needs no search, when the time is over: one processor computes everything.

    Parameters
    ----------
    instance
        Without faults; results come back.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    """
    best = min(alone(star), key=lambda one: one.makespan)
    bound = _returned_bound(star, best.makespan)
    asked = pairs_asked(instance, star)
    return _searched(instance, star, asked, method, _Known(best, bound), bound, [INTERRUPTED])


def pairs_asked(instance: DivisibleStarInstance, star: Star) -> AskedPairs:
    """Say which pairs of orders an instance asks about.

    Parameters
    ----------
    instance
        Without faults; results come back.
    star
        Master and workers, with what the load costs them.
    """
    back = instance.return_orders
    place = {name: i for i, name in enumerate(star.names)}
    return AskedPairs(
        sends_given=instance.order is not None,
        returns=back
        if isinstance(back, str)
        else tuple(place[id_] for id_ in back if id_ in place),
    )


def known_order(star: Star, asked: AskedPairs) -> Sequence[int]:
    """Give the order of sending that is given, or the best by a theorem.

    Results in reverse order: by time there and back. As sent: by link time, from the slowest
    where results take longer than data.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    asked
        Which pairs of orders are asked about.

    Returns
    -------
    sequence of int
        Places in the star.
    """
    places = range(len(star.workers))
    if asked.sends_given:
        return places
    workers = star.workers
    if asked.returns == "lifo":
        return sorted(places, key=lambda i: workers[i].wire + workers[i].back)
    longer = any(costs.back > costs.wire for costs in workers)
    return sorted(places, key=lambda i: workers[i].wire, reverse=longer)


def _by_program(
    instance: DivisibleStarInstance, star: Star, asked: AskedPairs, method: str, control: Control
) -> Solution:
    order = known_order(star, asked)
    returns = asked.chosen(order)
    if method == "closed_form":
        control.phase(Phase.SOLVING)
        priced = divide_reversed(star, order, control.check)
    else:
        control.phase(Phase.BUILDING)
        messages = [(1, i) for i in order]
        priced = solve_messages(star, messages, returns, control, own=star.own is not None)
    return _priced_answer(instance, star, method, order, returns, priced)


def _priced_answer(
    instance: DivisibleStarInstance,
    star: Star,
    method: str,
    order: Sequence[int],
    returns: Sequence[int],
    priced: Priced,
) -> Solution:
    value = bound = priced.makespan
    if value and method == "closed_form":
        bound = proved_by(star, order, priced)
    given = instance.order is not None and instance.return_orders != "any"
    notes = [] if value else [NOTHING_TAKES_TIME]
    if bound < value:
        notes.append(ROUNDED)
    claim = Claim(
        order=order,
        order_proof="given" if given else "theorem",
        bound=bound,
        exact=True,
        source="program",
        certificate=DualityCertificate(prices=dict(priced.prices) if value else {}),
        returns=returns,
        proved_bound=returned_bound(star, value),
        any_rounds_bound=steady_state(star).bound,
        notes=notes,
    )
    return plan_answer(instance, star, method, priced.plan, claim)


def _search(
    instance: DivisibleStarInstance, star: Star, asked: AskedPairs, known: _Known, control: Control
) -> None:
    """Try all pairs of orders, or search a program of them."""
    if is_every_pair_tried(instance):
        tried = enumerate_orders(star, asked, known.bound, control)
        known.best, known.nodes = tried.best, tried.nodes
        if not tried.complete:
            raise OutOfTime
        known.proof = "exhaustive"
        if known.best.makespan > known.bound:
            known.bound = known.best.makespan
            known.exact = len(star.workers) <= MOST_REPEATED
        return
    start = _move(star, asked, known, control)
    workers = [i for i, costs in enumerate(star.workers) if time_of(costs)]
    if known.best.makespan == known.bound:
        return
    pair, tree = search_orders(star, workers, start, control, fifo=asked.returns == "fifo")
    known.nodes = tree.nodes
    if pair is not None:
        _keep(known, shares_at(star, pair, control))
    if known.best.makespan == known.bound:
        return
    fastest = min(time_of(star.workers[i]) for i in workers)
    if isfinite(tree.bound) and tree.bound > 0:
        rate = Fraction(tree.bound) / fastest
        if star.own is not None:
            rate += 1 / star.own.work
        if tree.proved and known.best.makespan * rate <= NEAR:
            known.bound, known.exact, known.proof = known.best.makespan, False, "search"
        elif known.bound < 1 / rate <= known.best.makespan:
            known.bound, known.exact = 1 / rate, False
    if tree.late and not tree.proved:
        raise OutOfTime


def _move(star: Star, asked: AskedPairs, known: _Known, control: Control) -> Pair:
    """Search locally, and compute what that comes to; also if the time is over meanwhile."""
    search = OrdersSearch(star, asked)
    try:
        search.run(control.check)
    except OutOfTime:
        control.extend(SECONDS_FOR_SHARES)
        _keep(known, shares_at(star, search.best, control))
        raise
    _keep(known, shares_at(star, search.best, control))
    known.nodes = search.judged
    return search.best


def _keep(known: _Known, found: Found | None) -> None:
    if found is not None and found.makespan < known.best.makespan:
        known.best = found


def shares_at(star: Star, pair: Pair, control: Control) -> Found | None:
    """Give the best shares at some orders of those that take part, or some of them.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    pair
        Orders of sending and of returning, by place in the star.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        See `solve_messages`, which is asked where there are many.
    """
    sends, returns = pair
    if not sends:
        return None
    if len(sends) <= MOST_ELIMINATED:
        found = Bases(star).best(sends, returns)
        if found is not None:
            return found
    best: Found | None = None
    for own in _masters(star):
        sends, returns = pair
        while True:
            priced = solve_messages(star, [(1, i) for i in sends], returns, control, own=own)
            plan = priced.plan
            taking = [message.worker for message in plan.messages]
            if len(taking) == len(sends) or not taking:
                break
            sends, returns = tuple(taking), tuple(plan.returns)
        found = Found(
            priced.makespan,
            tuple(taking),
            tuple(plan.returns),
            tuple(message.share for message in plan.messages),
            plan.own,
        )
        if best is None or found.makespan < best.makespan:
            best = found
    return best


def _masters(star: Star) -> Iterator[bool]:
    if star.own is not None:
        yield True
    if star.own is None or star.own.work_latency:
        yield False


def _searched(
    instance: DivisibleStarInstance,
    star: Star,
    asked: AskedPairs,
    method: str,
    known: _Known,
    order_free: Fraction,
    notes: Sequence[str],
) -> Solution:
    best = known.best
    optimal = best.makespan == known.bound
    proof = known.proof if optimal else "none"
    if optimal and proof == "none":
        proof = "search"
    fixed = asked.sends_given and asked.returns != "any"
    order: Sequence[int] = best.sends
    returns: Sequence[int] = best.returns
    if asked.sends_given:
        order = range(len(star.workers))
        if asked.returns == "any":
            returns = [*returns, *(i for i in order if i not in returns)]
        else:
            returns = asked.chosen(order)
    elif not isinstance(asked.returns, str):
        returns = asked.chosen(order)
    source: BoundSource = "order_free" if known.bound == order_free else "search"
    claim = Claim(
        order=order,
        order_proof="given" if fixed else proof,
        bound=known.bound,
        exact=known.exact,
        source=source,
        certificate=EnumerationCertificate(nodes=known.nodes)
        if known.exact
        else SearchCertificate(nodes=known.nodes),
        returns=returns,
        proved_bound=order_free,
        any_rounds_bound=steady_state(star).bound,
        notes=notes,
    )
    plan = Plan(
        best.own,
        [Message(i, 1, share) for i, share in zip(best.sends, best.shares, strict=True)],
        best.returns,
    )
    return plan_answer(instance, star, method, plan, claim)
