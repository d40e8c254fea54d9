"""A chain and its loads as the referee sees them: derived anew from the instance."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from steadygrid.kinds.divisible_chain.schemas import (
    MAX_INSTALLMENTS,
    DivisibleChainInstance,
    DivisibleChainResult,
    Load,
)
from steadygrid.verification.findings import Findings

ZERO = Fraction(0)


@dataclass(frozen=True)
class Terms:
    """Times by processor, link and load; positions along the chain.

    Attributes
    ----------
    work
        By processor and load, the time of the whole load. None where it cannot be computed.
    wire
        By link and load, the time of the whole load.
    volumes
        By load, its data.
    counts
        By load, its installments in each round.
    startup
        By link, the time that a message costs besides its data. None without start-up costs.
    sequence
        (load, number) of every installment, in the order in which they are sent.
    """

    ids: Sequence[str]
    loads: Sequence[str]
    strict: bool
    work: Sequence[Sequence[Fraction | None]]
    wire: Sequence[Sequence[Fraction]]
    available: Sequence[Fraction]
    released: Sequence[Fraction]
    startup: Sequence[Fraction] | None
    volumes: Sequence[Fraction]
    counts: Sequence[int]
    rounds: int
    sequence: Sequence[tuple[int, int]]

    def able(self, load: int) -> list[int]:
        """List the processors that can compute a load."""
        return [i for i in range(len(self.ids)) if self.work[i][load] is not None]


def read_terms(
    instance: DivisibleChainInstance, result: DivisibleChainResult, findings: Findings
) -> Terms | None:
    """Check chain and installments of an answer, and compute all times.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Returns
    -------
    Terms or None
        None where the answer is about something else, and nothing more can be checked.

    Notes
    -----
    Rules, in this order:

    == ========================================================== ====================
    1  the chain is the one that was asked about                  `wrong_chain`
    2  the loads are those of the instance, in its order          `wrong_loads`
    3  each has as many installments as were asked for, or may be `wrong_installments`
    == ========================================================== ====================
    """
    passable = _passable(instance)
    hops = list(pairwise(result.chain))
    if not _is_the_chain(instance, result.chain) or not all(hop in passable for hop in hops):
        findings.add(
            ("result", "chain"), "wrong_chain", "This is not the chain that was asked about."
        )
        return None
    listed = [load.load for load in result.loads]
    if listed != [load.id for load in instance.loads]:
        findings.add(("result", "loads"), "wrong_loads", "These are not the loads, in their order.")
        return None
    costs = [passable[hop] for hop in hops]
    startup = _startup(instance, costs)
    counts = []
    for k, (load, entry) in enumerate(zip(instance.loads, result.loads, strict=True)):
        count, rest = divmod(entry.installments, instance.rounds)
        asked = _installments_per_round(instance, load, costs, startup)
        most = instance.max_installments
        most = MAX_INSTALLMENTS if most is None else most
        if rest or not 1 <= count <= most or (instance.method == "lp" and count != asked):
            findings.add(
                ("result", "loads", k, "installments"),
                "wrong_installments",
                f"Load {load.id!r} has {asked} installments in each of {instance.rounds} rounds."
                if instance.method == "lp"
                else f"Load {load.id!r} has 1 to {most:,} installments in each of"
                f" {instance.rounds} rounds.",
            )
            return None
        counts.append(count)
    own = {p.id: p for p in instance.platform.processors}
    work: list[list[Fraction | None]] = []
    for id_ in result.chain:
        speed, unit_time = own[id_].speed, own[id_].unit_time
        if unit_time is not None:
            speed = 1 / unit_time
        speeds = [load.speeds.get(id_, speed) for load in instance.loads]
        work.append(
            [
                None if speed is None else load.computation_volume / speed
                for load, speed in zip(instance.loads, speeds, strict=True)
            ]
        )
    return Terms(
        result.chain,
        listed,
        instance.ports == "strict_one_port",
        work,
        [[cost * load.communication_volume for load in instance.loads] for cost in costs],
        [instance.availability.get(id_, ZERO) for id_ in result.chain],
        [load.release_date for load in instance.loads],
        startup,
        [load.communication_volume for load in instance.loads],
        counts,
        instance.rounds,
        [
            (k, turn * count + j)
            for turn in range(instance.rounds)
            for k, count in enumerate(counts)
            for j in range(1, count + 1)
        ],
    )


def _passable(instance: DivisibleChainInstance) -> dict[tuple[str, str], Fraction]:
    """Give the time of a unit of data by sender and receiver."""
    times = {}
    for link in instance.platform.links:
        time = link.unit_time if link.bandwidth is None else 1 / link.bandwidth
        assert time is not None
        times[link.source, link.target] = time
        if link.duplex != "simplex":
            times[link.target, link.source] = time
    return times


def _is_the_chain(instance: DivisibleChainInstance, chain: Sequence[str]) -> bool:
    """Tell whether the order is the given one, or the only one that the platform has."""
    if instance.chain is not None:
        return tuple(chain) == instance.chain
    listed = [processor.id for processor in instance.platform.processors]
    if sorted(chain) != sorted(listed):
        return False
    passable = _passable(instance)
    there = set(pairwise(chain))
    back = {hop[::-1] for hop in there}
    if not back <= passable.keys() or len(chain) == 1:
        return True
    written = {(link.source, link.target) for link in instance.platform.links}
    if (there <= written) != (back <= written):
        return there <= written
    return list(chain) == listed


def _startup(instance: DivisibleChainInstance, costs: Sequence[Fraction]) -> list[Fraction] | None:
    given = instance.startup
    if given is None:
        return None
    if isinstance(given, Fraction):
        return [given * cost for cost in costs]
    if given.data is not None:
        return [given.data * cost for cost in costs]
    return [given.time or ZERO for _ in costs]


def _installments_per_round(
    instance: DivisibleChainInstance,
    load: Load,
    costs: Sequence[Fraction],
    startup: Sequence[Fraction] | None,
) -> int:
    """Give the installments per round: as given, or the most within the start-up ratio."""
    if load.installments is not None:
        return load.installments
    if instance.max_startup_ratio is None or not startup:
        return 1  # a chain of one processor sends no messages
    volume = sum((time / cost for time, cost in zip(startup, costs, strict=True)), ZERO)
    room = (instance.max_startup_ratio - 1) * load.communication_volume
    return max(1, room // (volume * instance.rounds))


def startup_ratio(terms: Terms, load: int) -> Fraction | None:
    """Give the data that a load sends, start-up costs included, over its own.

    Parameters
    ----------
    terms
        Times of processors and links for each load, as the referee reads them.
    load
        Position of the load.

    Returns
    -------
    Fraction or None
        None without start-up costs, or for a load without data.
    """
    if terms.startup is None or not terms.volumes[load]:
        return None
    pairs = zip(terms.startup, terms.wire, strict=True)
    parts = [time / row[load] for time, row in pairs]
    return 1 + terms.counts[load] * terms.rounds * sum(parts, ZERO)
