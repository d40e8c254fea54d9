"""Cuts that bound the throughput of messages that are copied, or combined."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.collective.certificates import WeighedCuts
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.verification.cheapest_trees import Price
from steadygrid.verification.exact import common_denominator, show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

_AT: Pointer = ("result", "certificate")


def check_cuts(
    network: Network, movement: Movement, certificate: WeighedCuts, findings: Findings
) -> None:
    r"""Check that cuts are worth no more than the prices of links, and 1 or more in each operation.

    With :math:`\pi_{ij}` the price of a unit of data on a link, :math:`\lambda` the potentials, and
    weights :math:`v_k` of the sets :math:`S_k`:

    .. math::

       \sum_{k: (i, j) \text{ leaves } S_k} v_k \le \pi_{ij} + \lambda_i - \lambda_j
           \quad \forall (i, j) \tag{9}

       \sum_k v_k D(S_k) \ge 1 \tag{10}

    where :math:`D(S)` is the size of all messages that begin in S and are for others, too. Along a
    route between two that copy potentials cancel, so every tree costs at least the cuts that it
    leaves. In reductions messages are combined from others, too, and end in S: links enter S, and
    are read backwards in (9).

    Of an allreduce all this holds for cuts that what is spread leaves and for cuts that what is
    combined enters, each with potentials of their own, and (10) becomes

    .. math:: \sum_{k: r \in S_k, \text{a participant is not}} v_k \ge 1/d
                 \quad \forall r \text{ that copies} \tag{22}

    with cuts of both directions, and d the size: wherever all is combined, the trees to there and
    from there cost at least 1 together.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their routes.
    certificate
        Prices, and the weights of the cuts.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =======================
    1  only an allreduce has potentials of both directions                 `potentials_of_nothing`
    2  potentials belong to processors of the platform                     `unknown_processor`
    3  these only forward                                                  `potential_of_copier`
    4  a cut holds processors of the platform                              `unknown_processor`
    5  it holds some, and lacks some                                       `no_cut`
    6  its weight is 0 or more                                             `negative_weight`
    7  its direction is one of the operation                               `wrong_direction`
    8  (9): the cuts that a link crosses weigh at most its price and the   `heavy_cuts`
       potentials of its ends
    9  (10), or of an allreduce (22): what an operation has to move across `cheap_operation`
       the cuts is worth 1
    == =================================================================== =======================

    As many operations on integers as cuts times links.
    """
    raised = [("potentials", certificate.potentials)]
    directions = ["in" if movement.combined else "out"]
    sides = [movement]
    if movement.spread:
        raised.append(("potentials_in", certificate.potentials_in))
        directions = ["out", "in"]
        sides = [*reversed(movement.halves)]
    elif certificate.potentials_in:
        findings.add(
            (*_AT, "potentials_in"),
            "potentials_of_nothing",
            "Only an allreduce has potentials of both directions.",
        )
    for member, potentials in raised:
        _check_potentials(network, movement, member, potentials, findings)
    if not _check_sets(network, certificate, directions, findings):
        return
    weights = [cut.weight for cut in certificate.cuts]
    others = [*weights, *(value for _, potentials in raised for value in potentials.values())]
    hops, common = scaled_prices(network, certificate.prices, others)
    worth: dict[str, Price] = {}
    for side, direction, (_, potentials) in zip(sides, directions, raised, strict=True):
        cuts = [
            (frozenset(cut.processors), whole(cut.weight * common))
            for cut in certificate.cuts
            if cut.direction == direction
        ]
        lifted = {name: whole(value * common) for name, value in potentials.items()}
        for root, weight in _weigh(network, side, (hops, common), lifted, cuts, findings).items():
            worth[root] = worth.get(root, 0) + weight
    sizes = [(root, size) for side in sides for root, _, size in side.rooted]
    if movement.spread:
        needed = min(worth.get(root, 0) * size for root, size in sizes)
    else:
        needed = sum((worth.get(root, 0) * size for root, size in sizes), Fraction(0))
    if needed < common:
        findings.add(
            (*_AT, "cuts"),
            "cheap_operation",
            f"What an operation has to move across the cuts is worth {show(Fraction(needed) / common)},"
            " less than 1: they do not prove the bound.",
        )


def _check_potentials(
    network: Network,
    movement: Movement,
    member: str,
    potentials: Mapping[str, Fraction],
    findings: Findings,
) -> None:
    at = (*_AT, member)
    for name in potentials:
        if name not in network.processors:
            findings.add((*at, name), "unknown_processor", f"There is no processor {name!r}.")
        elif name in movement.copiers:
            what = "combine" if movement.combined else "copy"
            findings.add(
                (*at, name),
                "potential_of_copier",
                f"{name!r} may {what}, so potentials do not cancel there: it has none.",
            )


def _weigh(
    network: Network,
    movement: Movement,
    priced: tuple[Mapping[tuple[str, str], Price], int],
    potentials: Mapping[str, Price],
    cuts: Iterable[tuple[frozenset[str], Price]],
    findings: Findings,
) -> dict[str, Price]:
    """Check (9), all numbers times a common denominator; give by root what the cuts weigh for it."""
    hops, common = priced
    side = _Sides(network, movement)
    crossed: dict[tuple[str, str], Price] = {}
    worth: dict[str, Price] = {}
    for members, weight in cuts:
        for hop in side.crossing(members):
            crossed[hop] = crossed.get(hop, 0) + weight
        for root in side.needing(members):
            worth[root] = worth.get(root, 0) + weight
    for hop, price in hops.items():
        here, there = movement.outward(hop)
        most = price + potentials.get(here, 0) - potentials.get(there, 0)
        weighs = crossed.get(hop, 0)
        if weighs > most:
            findings.add(
                (*_AT, "cuts"),
                "heavy_cuts",
                f"The cuts that the link from {hop[0]!r} to {hop[1]!r} crosses weigh"
                f" {show(Fraction(weighs) / common)}, more than its price and the potentials"
                f" of its ends, {show(Fraction(most) / common)}.",
            )
    return worth


def _check_sets(
    network: Network,
    certificate: WeighedCuts,
    directions: Collection[str],
    findings: Findings,
) -> bool:
    sound = True
    for k, cut in enumerate(certificate.cuts):
        at = (*_AT, "cuts", k)
        faults: list[tuple[str, str, str]] = []
        unknown = set(cut.processors) - network.processors
        if unknown:
            text = f"There is no processor {min(unknown)!r}."
            faults.append(("processors", "unknown_processor", text))
        elif len(set(cut.processors)) in (0, len(network.processors)):
            text = f"Cut {k} holds all processors, or none."
            faults.append(("processors", "no_cut", text))
        if cut.weight < 0:
            faults.append(("weight", "negative_weight", f"The weight of cut {k} is negative."))
        if cut.direction not in directions:
            (direction,) = directions
            text = f"What counts is data that goes {direction}, not {cut.direction}, of cut {k}."
            faults.append(("direction", "wrong_direction", text))
        for member, code, text in faults:
            findings.add((*at, member), code, text)
            sound = False
    return sound


class _Sides:
    """Which hops cross a set of processors, and what has to."""

    def __init__(self, network: Network, movement: Movement) -> None:
        self._movement = movement
        self._leaving: dict[str, list[tuple[str, tuple[str, str]]]] = {}
        for hop in network.hops:
            here, there = movement.outward(hop)
            self._leaving.setdefault(here, []).append((there, hop))

    def crossing(self, members: frozenset[str]) -> Iterable[tuple[str, str]]:
        """List the hops that leave a set; in reductions, that enter it."""
        for here in members:
            for there, hop in self._leaving.get(here, ()):
                if there not in members:
                    yield hop

    def needing(self, members: frozenset[str]) -> Iterable[str]:
        """List the roots of the messages that have to."""
        for joined, messages in self._movement.by_members.items():
            if not joined <= members:
                yield from (root for root, _ in messages if root in members)


def scaled_prices(
    network: Network, prices: Mapping[str, Fraction], others: Iterable[Fraction]
) -> tuple[dict[tuple[str, str], Price], int]:
    """Price a unit of data on all hops, times a denominator that it mostly shares with `others`.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    prices
        By resource. What is not named is free.
    others
        Prices that are to be whole multiples, too.

    Returns
    -------
    tuple
        By the ends of each hop, the price times the denominator; and the denominator.
    """
    hops = {
        ends: sum((time * prices[name] for name, time in hop.uses if name in prices), Fraction(0))
        for ends, hop in network.hops.items()
    }
    common = common_denominator([*hops.values(), *others])
    return {ends: whole(price * common) for ends, price in hops.items()}, common


def whole(value: Fraction) -> Price:
    """Give an integer where a value is one, which is faster."""
    return value.numerator if value.denominator == 1 else value
