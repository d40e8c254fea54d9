"""The answer where a worker may get several messages, and what is known of any number of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate, SearchCertificate
from steadygrid.domain.job import Phase
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.schemas import (
    BoundSource,
    DivisibleStarInstance,
    EnumerationCertificate,
    StarGuarantee,
)
from steadygrid.kinds.divisible_star.solver.rounds.periodic import (
    best_periods,
    guaranteed,
    plan_of_periods,
)
from steadygrid.kinds.divisible_star.solver.rounds.shares import (
    INTERRUPTED,
    Found,
    search_rounds,
    solve_linear,
    start,
)
from steadygrid.kinds.divisible_star.solver.rounds.umr import uniform_plan
from steadygrid.kinds.divisible_star.solver.star.makespan import (
    MOST_IN_ONE_ROUND,
    makespan_of,
    shortened,
)
from steadygrid.kinds.divisible_star.solver.star.order_free import order_free_bound
from steadygrid.kinds.divisible_star.solver.star.plan_answer import Claim, plan_answer
from steadygrid.kinds.divisible_star.solver.star.sequence_load import best_alone
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Plan, Star
from steadygrid.kinds.divisible_star.solver.star.steady import steady_state

METHODS = ("umr", "periodic")
BY_LINK_TIME = (
    "the order is by link time, and another may be better; give order to ask for just that"
)
ROUNDED = "the exact shares are long, or took long to prove: shares are rounded"
NOTHING_TAKES_TIME = "nothing takes any time"


def answer_rounds(
    instance: DivisibleStarInstance, star: Star, method: str, gap: Fraction, control: Control
) -> Solution:
    """Find the best shares of given rounds, or rounds by one of `METHODS`.

    Parameters
    ----------
    instance
        Without faults.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    gap
        Relative gap at which a search may end.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        The latter where nothing is known when the time is over.
    """
    if method in METHODS:
        control.phase(Phase.SOLVING)
        return _by_rule(instance, star, method, control.check)
    if star.has_latencies:
        found = search_rounds(star, instance.rounds, gap, control)
        best = [BY_LINK_TIME] if found.proved else []
    else:
        found = solve_linear(star, instance.rounds, control)
        best = [BY_LINK_TIME]
    notes = [note for note in (found.why, ROUNDED if found.rounded else "") if note]
    if instance.order is None and not star.one_order:
        return _answer(instance, star, method, found.plan, [*best, *notes])
    return _at_one_order(instance, star, found, notes)


def answer_rounds_at_once(instance: DivisibleStarInstance, star: Star, method: str) -> Solution:
    """Answer what needs no search, when the time is over.

    Parameters
    ----------
    instance
        Without faults.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    """
    rounds = instance.rounds if method not in METHODS else 1
    return _answer(instance, star, method, start(star, rounds), [INTERRUPTED])


def _by_rule(
    instance: DivisibleStarInstance, star: Star, method: str, check: Callable[[], None]
) -> Solution:
    if method == "umr":
        plan = uniform_plan(star, instance.max_rounds, check)
        return _answer(instance, star, method, plan, [])
    periods = best_periods(star, instance.max_rounds, check)
    plan = start(star, 1) if periods is None else plan_of_periods(star, periods)
    short = shortened(star, plan)
    guarantee = StarGuarantee(bound=guaranteed(star, instance.max_rounds), of="periodic")
    notes = [] if short is plan else [ROUNDED]
    return _answer(instance, star, method, short, notes, guarantee)


@dataclass(frozen=True)
class _Bound:
    """A bound on the makespan, and what proves it."""

    value: Fraction
    exact: bool
    source: BoundSource
    certificate: DualityCertificate | EnumerationCertificate | SearchCertificate


def _of_one_round(star: Star) -> Fraction:
    """Bound the makespan of any number of messages by half of that of one each (Theorem 1.5)."""
    if not star.has_latencies or len(star.workers) > MOST_IN_ONE_ROUND:
        return ZERO
    return order_free_bound(star, best_alone(star).makespan) / 2


def _answer(
    instance: DivisibleStarInstance,
    star: Star,
    method: str,
    plan: Plan,
    notes: Sequence[str],
    guarantee: StarGuarantee | None = None,
) -> Solution:
    """State a plan with the best bound on any number of messages in any order."""
    steady, half = steady_state(star), _of_one_round(star)
    bound = _Bound(steady.bound, True, "any_rounds", DualityCertificate(prices=dict(steady.prices)))
    if half > steady.bound:
        bound = _Bound(half, True, "theorem", EnumerationCertificate(nodes=0))
    return _claimed(instance, star, method, plan, bound, steady.bound, half, guarantee, notes)


def _at_one_order(
    instance: DivisibleStarInstance, star: Star, found: Found, notes: Sequence[str]
) -> Solution:
    """State a plan with what is proved of its messages in the only order, if that is more."""
    steady, half = steady_state(star), _of_one_round(star)
    if found.bound <= max(steady.bound, half):
        return _answer(instance, star, "lp", found.plan, notes)
    if found.nodes is None:
        certificate = DualityCertificate(prices=dict(found.prices))
        bound = _Bound(found.bound, True, "program", certificate)
    else:
        searched = SearchCertificate(nodes=found.nodes, solver="highs")
        bound = _Bound(found.bound, False, "search", searched)
    return _claimed(instance, star, "lp", found.plan, bound, steady.bound, half, None, notes)


def _claimed(
    instance: DivisibleStarInstance,
    star: Star,
    method: str,
    plan: Plan,
    bound: _Bound,
    steady: Fraction,
    half: Fraction,
    guarantee: StarGuarantee | None,
    notes: Sequence[str],
) -> Solution:
    if guarantee is None and half > steady and method != "periodic":
        guarantee = StarGuarantee(bound=half, of="single_round")
    if not makespan_of(star, plan):
        notes = [*notes, NOTHING_TAKES_TIME]
    claim = Claim(
        order=range(len(star.workers)),
        order_proof="none" if instance.order is None else "given",
        bound=bound.value,
        exact=bound.exact,
        source=bound.source,
        certificate=bound.certificate,
        any_rounds_bound=steady,
        guarantee=guarantee,
        one_order=star.one_order,
        notes=notes,
    )
    return plan_answer(instance, star, method, plan, claim)
