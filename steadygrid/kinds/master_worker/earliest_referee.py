"""The earliest time at which tasks can be complete, as the referee finds it from the platform.

Its own searches, by names. It shares no code with what solves.
"""

import heapq
from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.job import Result
from steadygrid.verification.network import Network
from steadygrid.verification.promises import Earliest, earliest_by_rate
from steadygrid.verification.steady import SteadyInstance

INPUT, OUTPUT = ("begin", "task"), ("task", "end")


def earliest_tasks(steady: SteadyInstance, master: str, result: Result) -> Earliest | None:
    """Find the waits of the resources that a certificate prices.

    A resource is used by the files that pass its link, or by the task. Before a use the file has come
    from the master, and for results the task has run; after it what is left of the instance takes
    place. Under ``multiport`` data flows through: a link can be in use from the start, and only what
    follows when all data has passed counts.

    Parameters
    ----------
    steady
        The instance.
    master
        Where files begin and end.
    result
        With its bound and prices.
    """
    rough = earliest_by_rate(result.bound)
    if rough is None or result.certificate.type != "lp_duality":
        return rough
    network, times, nothing = steady.network, steady.times["task"], Fraction(0)
    flows = network.ports == "multiport"
    size, back = steady.sizes[INPUT], steady.sizes.get(OUTPUT, nothing)
    come = arrivals(network, {master: nothing}, size, flows=flows)
    leave = dict.fromkeys(network.processors, nothing)
    if back:
        leave = arrivals(network, {master: nothing}, back, flows=flows, against=True)
    workers = [name for name in times if name in come and name in leave]
    if not workers:
        return rough
    done = {name: come[name] + times[name] for name in workers}
    left = {name: times[name] + leave[name] for name in workers}
    before_output = arrivals(network, done, nothing if flows else back, flows=False)
    after_input = arrivals(network, left, nothing if flows else size, flows=False, against=True)
    earliest: dict[str, Fraction] = {}
    following: dict[str, Fraction] = {}

    def use(name: str, starts: Fraction, follows: Fraction) -> None:
        earliest[name] = min(earliest.get(name, starts), starts)
        following[name] = min(following.get(name, follows), follows)

    for name in workers:
        use(network.computing(name), come[name], leave[name])
    for (sender, receiver), hop in network.hops.items():
        for name, _ in hop.uses:
            if size and sender in come and receiver in after_input:
                use(name, nothing if flows else come[sender], after_input[receiver])
            if back and sender in before_output and receiver in leave:
                use(name, before_output[sender], nothing if flows else leave[receiver])
    waits = {name: earliest[name] + following[name] for name in earliest}
    first = min(done[name] + leave[name] for name in workers)
    return Earliest(result.certificate.prices, waits, first)


def arrivals(
    network: Network,
    starts: Mapping[str, Fraction],
    size: Fraction,
    *,
    flows: bool,
    against: bool = False,
) -> dict[str, Fraction]:
    """Give when data that starts somewhere can be at each processor. Others are left out.

    Parameters
    ----------
    network
        Of the platform.
    starts
        When the data can leave, by processor.
    size
        Units of data.
    flows
        Whether a path takes what its slowest link takes, instead of all of them together.
    against
        The data goes to the starts: what is given is the time that is left.
    """
    onward: dict[str, list[tuple[str, Fraction]]] = {}
    for (sender, receiver), hop in network.hops.items():
        here, other = (receiver, sender) if against else (sender, receiver)
        onward.setdefault(here, []).append((other, size * hop.unit_time))
    best = dict(starts)
    queue = [(time, name) for name, time in starts.items()]
    heapq.heapify(queue)
    while queue:
        time, name = heapq.heappop(queue)
        if time > best[name]:
            continue
        for other, takes in onward.get(name, ()):
            arrival = max(time, takes) if flows else time + takes
            if other not in best or arrival < best[other]:
                best[other] = arrival
                heapq.heappush(queue, (arrival, other))
    return best
