r"""How much faster a job could be at most, were one resource faster: from its prices, without solving.

**Theorem.** Let prices :math:`u_r \ge 0` prove that no allocation of an instance costs less than 1, so
that no schedule does more than :math:`\sum_r u_r`. Take a second instance with the same
allocations. Let every use of a resource of R be at least :math:`1/f` of what it was,
:math:`f \ge 1`, and every other use be no less than it was. Then no schedule of it does more than

.. math:: \sum_r u_r + (f - 1) \sum_{r \in R} u_r .

*Proof.* Multiply the prices of R by f. What an allocation takes of a resource of R is divided by f at most,
so it costs there what it did at least; elsewhere it costs no less. So each allocation costs at least 1 at
the new prices, and no schedule does more than their sum (weak duality; see
`steadygrid.verification.prices`).

Nothing is said of *how* it was proved that allocations cost at least 1: trees, chains of routes, tables and
averages all do, as long as it holds for every allocation. What has to be seen to is

* *the same allocations*: the sets of links, routes, processors that may run a task, and limits on memory
  do not depend on speeds. Default routes do: they are written into the instance (`steadygrid.studies.routes`).
* *all of R*: a use that shrinks outside R breaks the proof. A transfer is shorter in the ports of both of its
  ends, in its link, and in each odd set around it. A full-duplex link has one bandwidth, so both of its
  directions are in R (`Parts.relieved`).
* *uses in proportion*: times of start-ups do not shrink with a bandwidth, but they are in no price either.
  Where latencies are paid, the prices are not about what the schedule does. Then no bound is given.
* *prices that hold for every allocation*: those of ``cuts`` hold with potentials that belong to the old
  prices. A search has no prices, and a makespan is no sum of prices. Of simulated streams prices hold for
  one run. Those of a certificate ``farkas`` hold for allocations that no single resource rules out. What
  was ruled out may be possible again: see `steadygrid.studies.forbidden`.

So a kind needs nothing of its own to have bounds here: prices by ``lp_duality`` that sum to an exact bound of
a throughput are enough, unless it says otherwise (`Problem.unpriced`).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from steadygrid.domain.job import Result
from steadygrid.domain.schedule import Allocation
from steadygrid.report.occupation import Resource
from steadygrid.studies.forbidden import Forbidden
from steadygrid.studies.parts import Part, Parts, Place, Twins, worth
from steadygrid.submissions.submission import Submission
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

_NO_PRICES = {
    "cuts": "cuts prove its bound, and prices alone do not",
    "whole_chunks": "whole chunks prove its bound, and prices alone do not",
    "search": "its bound is the word of a search, without prices that prove it",
    "none": "it has no prices",
}


_ANY = Allocation(0, Fraction(0), Fraction(0), {}, ())
"""All allocations of a kind with prices that forbid assignments run the same application."""


@dataclass(frozen=True)
class Worth:
    """What the prices of an answer are worth where something is faster.

    Attributes
    ----------
    prices
        By resource, those of 0 left out.
    network
        What transfers take, odd sets that are priced among it.
    forbidden
        What they do not speak of. None where they hold for every allocation.
    """

    prices: Mapping[str, Fraction]
    network: Network
    forbidden: Forbidden | None = None

    @cached_property
    def optimum(self) -> Fraction:
        """The bound that they prove."""
        return sum(self.prices.values(), Fraction(0))

    def bound_if_faster(self, parts: Parts, part: Part, factor: Fraction) -> Fraction:
        """Give what no schedule exceeds where a part is so many times faster.

        Parameters
        ----------
        parts
            The resources of the body, and what each of them is there.
        part
            Some of the platform, by positions in its lists.
        factor
            How many times faster it is.
        """
        relieved = parts.relieved(self.network, part)
        bound = self.optimum + (factor - 1) * worth(self.prices, relieved)
        if self.forbidden is None:
            return bound
        return max(bound, self.forbidden.least_bound(part, factor))


def why_no_bound(submission: Submission, result: Result) -> str:
    """Say why the prices of an answer bound nothing but itself, as a clause; empty: they do.

    Parameters
    ----------
    submission
        What was asked, with its options.
    result
        The answer.
    """
    bound, objective, proof = result.bound, result.objective, result.certificate
    if objective is not None and objective.minimised:
        return "prices bound the gain of a throughput only"
    if proof.type not in ("lp_duality", "farkas"):
        return _NO_PRICES.get(proof.type, "what proves its bound is no list of prices")
    if submission.options.latencies == "paid":
        return "start-ups are paid for, and a faster resource does not shorten them"
    if bound is None or not bound.exact:
        return "its bound is not proved exactly"
    if sum(proof.prices.values(), Fraction(0)) != bound.value:
        return "its bound is not the sum of its prices"
    return submission.problem.unpriced(submission.instance, result)


def worth_of(submission: Submission, result: Result, parts: Parts) -> Worth:
    """Give what the prices of an answer are worth; `why_no_bound` says nothing against it.

    Parameters
    ----------
    submission
        What was asked, with its options.
    result
        The answer.
    parts
        The resources of the body, and what each of them is there.
    """
    prices = {name: price for name, price in result.certificate.prices.items() if price}
    instance = submission.instance
    network = with_odd_sets(read_network(instance.platform, instance.ports), prices)
    views = submission.problem.views
    if result.certificate.type != "farkas" or not prices or views is None:
        return Worth(prices, network)
    steady: SteadyInstance = views(instance, result).of(_ANY)
    copied = steady.duplication == "tasks_and_files"
    fixed = instance.routing == "fixed" and not copied
    routes = FixedRoutes(network, instance.platform.routes) if fixed else None
    total = sum(prices.values(), Fraction(0))
    return Worth(prices, network, Forbidden(parts, steady, network, routes, total))


@dataclass(frozen=True)
class Choice:
    """One thing that could be faster.

    Attributes
    ----------
    resource
        The first name that it is known by.
    names
        Of all that are the same but for their names, this one among them.
    part
        What of the platform it is.
    at_most
        What no schedule exceeds then. None where no prices say so.
    occupation
        For what share of the time it is busy now, the busiest of its names.
    """

    resource: str
    names: tuple[str, ...]
    part: Part
    at_most: Fraction | None
    occupation: Fraction


@dataclass
class _Group:
    listed: list[Resource]
    wanted: list[Resource]


def choices(
    parts: Parts,
    twins: Twins,
    wanted: Sequence[str] | None,
    worth: Worth | None,
    busy: Mapping[str, Fraction],
    factor: Fraction,
    together: bool,
) -> list[Choice]:
    """List what could be faster, the greatest bound first; without bounds the busiest first.

    Parameters
    ----------
    wanted
        Names of resources. None: all that have a price, or if there are none all.
    busy
        Occupation of resources; idle ones may be left out.
    together
        Whether all that are the same but for their names are faster together; else one of them is, and
        it does not matter which, so that the least of their bounds holds for each.
    """
    groups = _groups(parts, twins, wanted, worth)
    found: dict[Part, Choice] = {}
    for group in groups:
        pieces = {one.name: parts.part_of(one) for one in group.listed}
        pieces = {name: piece for name, piece in pieces.items() if any(parts.places(piece))}
        names = [one.name for one in group.wanted if one.name in pieces]
        if not names:
            continue
        part, alike = pieces[names[0]], [pieces[one] for one in pieces]
        if together:
            for piece in alike:
                part |= piece
            alike = [part]
        at_most = None
        if worth is not None:
            at_most = min(worth.bound_if_faster(parts, one, factor) for one in alike)
        choice = Choice(
            names[0],
            tuple(dict.fromkeys((names[0], *pieces))),
            part,
            at_most,
            max(busy.get(name, Fraction(0)) for name in pieces),
        )
        key = part if together else alike[0]
        before = found.get(key)
        found[key] = choice if before is None else _merged(before, choice)
    return sorted(
        found.values(),
        key=lambda one: (-(one.at_most or 0), -one.occupation),
    )


def _merged(before: Choice, choice: Choice) -> Choice:
    """Put together two names of the same: the busier one goes first."""
    first = max(before, choice, key=lambda one: one.occupation)
    bounds = [one.at_most for one in (before, choice) if one.at_most is not None]
    return Choice(
        first.resource,
        first.names,
        first.part,
        min(bounds, default=None),
        first.occupation,
    )


def _groups(
    parts: Parts, twins: Twins, wanted: Sequence[str] | None, worth: Worth | None
) -> list[_Group]:
    """Put together what is the same but for its name, as far as something of it is wanted."""
    asked = None if wanted is None else frozenset(wanted)
    if asked is None and worth is not None:
        asked = frozenset(worth.prices)
    groups: dict[Hashable, _Group] = {}
    for one in parts.resources:
        group = groups.setdefault(twins.key(one), _Group([], []))
        group.listed.append(one)
        if asked is None or one.name in asked:
            group.wanted.append(one)
    return [group for group in groups.values() if group.wanted]


def scaled(place: Place, factor: Fraction) -> Fraction:
    """Give by what a quantity is multiplied where what it is of is so many times faster.

    Parameters
    ----------
    place
        A quantity of the body.
    factor
        How many times faster it is.
    """
    return factor if place.rising else 1 / factor


def value_at(document: Any, place: Place) -> Any:
    """Give a quantity as it stands in a body.

    Parameters
    ----------
    document
        The body.
    place
        The quantity.
    """
    part = document
    for step in place.pointer:
        part = part[step]
    return part
