"""A cut that proves what one operation takes at least."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from heapq import heappop, heappush

from steadygrid.domain.errors import Pointer
from steadygrid.domain.resources import in_resource, out_resource
from steadygrid.kinds.collective.execution import CompletionCutCertificate
from steadygrid.kinds.collective.referee_carriers import Carriers
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

_AT: Pointer = ("result", "certificate")


def check_completion_bound(
    network: Network,
    carriers: Carriers,
    movement: Movement,
    result: CollectiveResult,
    findings: Findings,
) -> None:
    r"""Check that no operation is shorter than the bound.

    Let S be the processors of the certificate. Let :math:`l_{ij}` be the least latency of a route
    over the link from i to j that begins at one of its sources and ends at one of its receivers.
    Let W be the size of all messages that are for some of these receivers and have some of these
    sources:

    .. math:: \sum_{(i, j) \text{ leaves } S} b_{ij} \max(0, T - l_{ij}) \le W

    at the bound T. Where there is a bandwidth of all that leaves a processor of S, its links carry no more
    together than that in the time of the one that is of use first. The same holds where there is
    one of all that enters a processor outside. The lesser of both counts. A link carries what is of
    use only from when it can be there until it has to be gone. Each message needs its size across:
    of one that is copied all comes from its source, of one that is combined every unit has
    a part of each source.

    Parameters
    ----------
    network
        Has the names of all processors.
    carriers
        The links of the platform.
    movement
        The messages of the operation.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================= ===================
    1  a bound is proved by a cut of this type                 `wrong_certificate`
    2  set, sources and receivers are of the platform          `unknown_processor`
    3  the sources are in the set, the receivers are not       `wrong_side`
    4  something is for a receiver from a source               `proves_nothing`
    5  until the bound, links carry no more than that together `wide_cut`
    == ======================================================= ===================

    Two searches for least latencies, and a sum over links.
    """
    given, bound = result.certificate, result.bound
    if bound is None:
        return
    if not isinstance(given, CompletionCutCertificate):
        findings.add(
            (*_AT, "type"),
            "wrong_certificate",
            f"A {given.type!r} certificate does not prove what one operation takes.",
        )
        return
    for member in ("processors", "sources", "receivers"):
        for i, name in enumerate(getattr(given, member)):
            if name not in network.processors:
                findings.add(
                    (*_AT, member, i), "unknown_processor", f"There is no processor {name!r}."
                )
    inside = set(given.processors)
    if not inside.issuperset(given.sources) or not inside.isdisjoint(given.receivers):
        findings.add(
            _AT, "wrong_side", "The set must hold all sources of the certificate, and no receiver."
        )
        return
    needed = _needed(movement, given.sources, given.receivers)
    if not needed:
        findings.add(
            _AT, "proves_nothing", "No message is for one of the receivers from one of the sources."
        )
        return
    before = _least_latencies(carriers.latencies, given.sources)
    turned = {hop[::-1]: latency for hop, latency in carriers.latencies.items()}
    after = _least_latencies(turned, given.receivers)
    open_for: dict[tuple[str, str], Fraction] = {}
    for (here, there), latency in carriers.latencies.items():
        if here in inside and there not in inside and here in before and there in after:
            left = bound.value - before[here] - latency - after[there]
            open_for[here, there] = max(left, Fraction(0))
    carried = min(
        _carried(carriers, open_for, 0, out_resource), _carried(carriers, open_for, 1, in_resource)
    )
    if carried > needed:
        findings.add(
            _AT,
            "wide_cut",
            f"Until {show(bound.value)} the links of the cut carry {show(carried)}, and"
            f" {show(needed)} is enough: the bound is not proved.",
        )


def _carried(
    carriers: Carriers,
    open_for: Mapping[tuple[str, str], Fraction],
    end: int,
    resource: Callable[[str], str],
) -> Fraction:
    """Sum what links carry, those with a common end no more than a resource of it does."""
    by_end: dict[str, list[tuple[str, str]]] = {}
    for hop in open_for:
        by_end.setdefault(hop[end], []).append(hop)
    total = Fraction(0)
    for name, hops in by_end.items():
        amounts = [carriers.bandwidths[carriers.uses[hop][0]] * open_for[hop] for hop in hops]
        alone = sum(amounts, Fraction(0))
        limit = carriers.bandwidths.get(resource(name))
        if limit is not None:
            alone = min(alone, limit * max(open_for[hop] for hop in hops))
        total += alone
    return total


def _needed(movement: Movement, sources: Collection[str], receivers: Collection[str]) -> Fraction:
    """Sum the sizes of the messages that come from some to some."""
    needed = Fraction(0)
    for message in movement.messages.values():
        at, to = set(message.sources) & set(sources), set(message.receivers) & set(receivers)
        if at and to:
            needed += message.size
    return needed


def _least_latencies(
    latencies: Mapping[tuple[str, str], Fraction], starts: Iterable[str]
) -> dict[str, Fraction]:
    """Give the least latency from the nearest of some processors to each that they reach."""
    leaving: dict[str, list[tuple[str, Fraction]]] = {}
    for (here, there), latency in latencies.items():
        leaving.setdefault(here, []).append((there, latency))
    least: dict[str, Fraction] = {}
    waiting = [(Fraction(0), name) for name in starts]
    while waiting:
        latency, here = heappop(waiting)
        if here not in least:
            least[here] = latency
            for there, more in leaving.get(here, ()):
                heappush(waiting, (latency + more, there))
    return least
