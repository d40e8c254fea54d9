"""Faults, order of the chain, installments and size of a `divisible_chain` instance."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.cards import unused_cards
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import (
    Link,
    Platform,
    no_processor,
    platform_faults,
)
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_memory
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance, Load

MAX_LOADS = 1_000
"""Of an instance."""
DEFAULT_MAX_INSTALLMENTS = 100
"""Of a load, by multi_installment. The literature gives no limit."""


class NoChainError(Exception):
    """Why the platform does not say by itself in which order its processors stand."""


def chain_of(instance: DivisibleChainInstance) -> tuple[str, ...]:
    """Give the processors in order.

    Raises
    ------
    NoChainError
        If none is given and the platform has no order, or more than one.
    """
    return platform_order(instance.platform) if instance.chain is None else instance.chain


def platform_order(platform: Platform) -> tuple[str, ...]:
    """Read the only order in which a platform is a chain.

    A path can be walked from both ends unless a ``simplex`` link forbids one. Where it can, the
    loads are on the end from which all links lead, as they are written. Where the links do not
    all lead in one direction, on the end from which the processors are listed in order.

    Raises
    ------
    NoChainError
        With a sentence that says what the platform has instead.
    """
    ids = [processor.id for processor in platform.processors]
    if len(ids) == 1:
        return (ids[0],)
    neighbours: dict[str, list[str]] = {id_: [] for id_ in ids}
    for link in platform.links:
        for end, other in ((link.source, link.target), (link.target, link.source)):
            if other not in neighbours[end]:
                neighbours[end].append(other)
    crowded = next((id_ for id_ in ids if len(neighbours[id_]) > 2), None)
    if crowded is not None:
        raise NoChainError(f"{crowded!r} has links to {len(neighbours[crowded])} processors")
    ends = [id_ for id_ in ids if len(neighbours[id_]) == 1]
    alone = next((id_ for id_ in ids if not neighbours[id_]), None)
    if alone is not None:
        raise NoChainError(f"{alone!r} has no link")
    if not ends:
        raise NoChainError("its links form a ring")
    path = [ends[0]]
    while len(path) < len(ids):
        ahead = [id_ for id_ in neighbours[path[-1]] if id_ not in path[-2:]]
        if not ahead:
            raise NoChainError(f"no links lead from {path[0]!r} to all other processors")
        path.append(ahead[0])
    paths = [route for route in (tuple(path), tuple(reversed(path))) if _passable(platform, route)]
    if not paths:
        raise NoChainError("its simplex links point against each other")
    if len(paths) > 1:
        written = {(link.source, link.target) for link in platform.links}
        led = [route for route in paths if set(pairwise(route)) <= written]
        paths = led if len(led) == 1 else [route for route in paths if route == tuple(ids)]
    if len(paths) != 1:
        raise NoChainError(f"the loads may be on {path[0]!r} or on {path[-1]!r}")
    return paths[0]


def _directions(link: Link) -> list[tuple[str, str]]:
    pair = (link.source, link.target)
    return [pair] if link.duplex == "simplex" else [pair, pair[::-1]]


def _passable(platform: Platform, route: tuple[str, ...]) -> bool:
    hops = {pair for link in platform.links for pair in _directions(link)}
    return all(hop in hops for hop in pairwise(route))


def startup_volume_per_link(instance: DivisibleChainInstance) -> tuple[Fraction, ...] | None:
    """Give the data that a link could carry instead of starting a message. None without start-up.

    For a start-up given as data that is the same on every link; one given as time is worth the
    bandwidth of the link.
    """
    cost = instance.startup_cost
    if cost is None:
        return None
    platform = instance.platform
    places = [platform.index_by_id[id_] for id_ in chain_of(instance)]
    arcs = [platform.arc_by_ends[ends] for ends in pairwise(places)]
    if cost.data is not None:
        return (cost.data,) * len(arcs)
    time = Fraction(0) if cost.time is None else cost.time
    return tuple(time / arc.unit_time for arc in arcs)


def installments(instance: DivisibleChainInstance) -> tuple[int, ...]:
    r"""Give the number of installments of each load, per round.

    What a load gives is taken. Else, for a bound R on the start-up ratio, and :math:`l_i` the
    start-up volume on link i,

    .. math:: Q_k = \max(1, \lfloor (R - 1) V_{comm}(k) / \sum_i l_i \rfloor)

    divided by the number of rounds, in which the load is sent anew; else 1.

    Notes
    -----
    Thesis of Gallet, section 2.5.1, where :math:`l_i = l` on all n - 1 links.
    """
    volumes = startup_volume_per_link(instance)
    total = None if volumes is None else sum(volumes, Fraction(0))
    ratio = instance.max_startup_ratio
    counts = []
    for load in instance.loads:
        count = 1 if load.installments is None else load.installments
        if load.installments is None and ratio is not None and total:
            most = (ratio - 1) * load.communication_volume / total
            count = max(1, int(most / instance.rounds))
        counts.append(count)
    return tuple(counts)


def startup_ratio(
    instance: DivisibleChainInstance, load: Load, installments: int
) -> Fraction | None:
    """Give the data that is sent with so many messages per link, over the load's own.

    Parameters
    ----------
    instance
        Without faults.
    load
        One of the instance.
    installments
        Of this load, over all rounds.

    Returns
    -------
    Fraction or None
        None without a start-up cost, or for a load without data.
    """
    volumes = startup_volume_per_link(instance)
    if volumes is None or not load.communication_volume:
        return None
    return 1 + installments * sum(volumes, Fraction(0)) / load.communication_volume


def faults(instance: DivisibleChainInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. There are at most `MAX_LOADS` loads.
    2. The rules of the platform hold.
    3. The chain has different known processors that are no switches, each with a link to the next.
       Or the platform has only one such order.
    4. Loads are different, and their `speeds` are of processors of the chain.
    5. Every load has a processor.
    6. `availability` is of processors of the chain.
    7. The start-up cost has one unit. Where the ratio chooses the installments, there are a
       start-up cost and a ratio of at least 1.
    8. The methods of the literature are asked for the makespan, and one round.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if len(instance.loads) > MAX_LOADS:
        yield Fault(
            (*at, "loads"),
            "too_many_loads",
            f"{len(instance.loads):,} loads are more than the {MAX_LOADS:,} that fit into one"
            " program: submit them in parts",
        )
        return
    sound = True
    for fault in platform_faults(instance.platform, (*at, "platform")):
        sound = False
        yield fault
    for fault in _chain_faults(instance, sound, at):
        sound = False
        yield fault
    if sound:
        yield from _load_faults(instance, chain_of(instance), at)
    yield from _startup_faults(instance, at)
    yield from _method_faults(instance, at)


def _chain_faults(
    instance: DivisibleChainInstance, platform_is_sound: bool, at: Pointer
) -> Iterator[Fault]:
    platform = instance.platform
    if instance.chain is None:
        if not platform_is_sound:
            return
        try:
            order = platform_order(platform)
        except NoChainError as why:
            yield Fault(
                (*at, "platform"),
                "no_chain",
                f"the platform has not one order only: {why}. Give `chain`, the processors in"
                " order from the one that holds the loads",
            )
            return
        for id_ in order:
            if platform.processors[platform.index_by_id[id_]].switch:
                yield _switch_fault((*at, "platform", "processors", platform.index_by_id[id_]))
        return
    seen: set[str] = set()
    known = Known(platform.running)
    sound = True
    for i, id_ in enumerate(instance.chain):
        here = (*at, "chain", i)
        if id_ not in platform.index_by_id:
            sound = False
            yield Fault(here, "unknown_processor", no_processor(id_, known))
        elif platform.processors[platform.index_by_id[id_]].switch:
            yield _switch_fault(here)
        if id_ in seen:
            sound = False
            yield Fault(here, "chain_repeats", f"{id_!r} is in the chain already")
        seen.add(id_)
    if not sound or not platform_is_sound:
        return
    hops = {pair for link in platform.links for pair in _directions(link)}
    for i, hop in enumerate(pairwise(instance.chain), start=1):
        if hop not in hops:
            yield Fault(
                (*at, "chain", i),
                "chain_without_link",
                f"there is no link from {hop[0]!r} to {hop[1]!r}",
            )


def _switch_fault(at: Pointer) -> Fault:
    return Fault(
        at,
        "switch_in_chain",
        "a switch has no ports to serialise: leave out `switch` to make it a router, which"
        " forwards and computes nothing",
    )


def _load_faults(
    instance: DivisibleChainInstance, chain: tuple[str, ...], at: Pointer
) -> Iterator[Fault]:
    platform, members = instance.platform, set(chain)
    known = Known(platform.running)
    working = {p.id for p in platform.processors if p.time_per_work is not None}
    seen: set[str] = set()
    for k, load in enumerate(instance.loads):
        here = (*at, "loads", k)
        if load.id in seen:
            yield Fault((*here, "id"), "duplicate_load", f"load {load.id!r} is given twice")
        seen.add(load.id)
        for name in load.speeds:
            if name not in members:
                yield _stranger((*here, "speeds", name), name, platform, known)
        if not members & (working | load.speeds.keys()):
            yield Fault(
                here,
                "load_without_processor",
                f"no processor of the chain can compute load {load.id!r}: give one a speed, or"
                " name it in the load's speeds",
            )
    for name in instance.availability:
        if name not in members:
            yield _stranger((*at, "availability", name), name, platform, known)


def _stranger(at: Pointer, name: str, platform: Platform, known: Known) -> Fault:
    if name in platform.index_by_id:
        return Fault(at, "not_in_chain", f"processor {name!r} is not in the chain")
    return Fault(at, "unknown_processor", no_processor(name, known))


def _startup_faults(instance: DivisibleChainInstance, at: Pointer) -> Iterator[Fault]:
    cost, ratio = instance.startup_cost, instance.max_startup_ratio
    if cost is not None and (cost.data is None) == (cost.time is None):
        yield Fault((*at, "startup"), "ambiguous_startup", "give exactly one of data and time")
    if ratio is None:
        return
    if ratio < 1:
        yield Fault(
            (*at, "max_startup_ratio"),
            "ratio_below_one",
            "the ratio of what is sent to the data of a load is at least 1",
        )
    if cost is None:
        yield Fault(
            (*at, "startup"), "missing", "max_startup_ratio needs the start-up cost of a message"
        )
    elif cost.data in (None, 0) and cost.time in (None, 0):
        yield Fault(
            (*at, "startup"),
            "no_startup",
            "messages that cost nothing may be as many as you like: give a start-up cost above 0,"
            " or the installments of each load",
        )


def _method_faults(instance: DivisibleChainInstance, at: Pointer) -> Iterator[Fault]:
    if instance.method == "lp":
        return
    if instance.objective != "makespan":
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            f'{instance.method} knows the makespan only: use "lp" for {instance.objective}',
        )
    if instance.rounds > 1:
        yield Fault(
            (*at, "rounds"),
            "method_not_applicable",
            f'{instance.method} sends each load in one go: use "lp" for several rounds',
        )


def sizing(instance: DivisibleChainInstance, options: Options) -> Sizing:
    """Count variables, constraints and coefficients of program (2.2).

    The methods of the literature build no program, but heuristic_b one for each load, with one
    installment. Their schedule has as many dates.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    """
    chain = chain_of(instance)
    length = len(chain)
    counts = installments(instance)
    program = instance.method == "lp"
    total = sum(counts) * instance.rounds if program else len(counts)
    if instance.method == "multi_installment":
        most = instance.max_installments
        total *= DEFAULT_MAX_INSTALLMENTS if most is None else most
    links = length - 1
    # Completions have every load a second time, as if it were alone, and rows of their own.
    strands = 1 if instance.objective == "makespan" else 2
    per_link = 3 if instance.ports == "strict_one_port" else 2
    return Sizing(
        instance.method,
        {
            "processors": length,
            "loads": len(instance.loads),
            "installments": total,
            "variables": strands * total * (2 * length + links) + 1,
            "constraints": strands * total * (per_link * links + 2 * length) + len(counts) + length,
            "coefficients": strands * total * (per_link * links * (length // 2 + 3) + 6 * length),
        },
        tuple(_unused(instance, chain)),
        "ask for fewer installments or rounds, or leave out processors or loads",
    )


def _unused(instance: DivisibleChainInstance, chain: tuple[str, ...]) -> Iterator[str]:
    """Name what was given but is not used."""
    platform = instance.platform
    if len(chain) < len(platform.processors):
        yield f"{len(platform.processors) - len(chain)} processors are not in the chain"
    if platform.routes:
        yield "routes are not used: the chain is the only route"
    if platform.media:
        yield "media are not used: a chain has a link of its own between any two neighbours"
    if any(p.bandwidth_in is not None or p.bandwidth_out is not None for p in platform.processors):
        yield f"bandwidth_in and bandwidth_out are not used under {instance.ports}"
    if any(p.latency for p in platform.processors) or any(e.latency for e in platform.links):
        yield "latencies are not used: a message's start-up cost is given by startup"
    yield from unused_cards(platform)
    yield from unused_memory(platform)
    if instance.objective != "weighted_flow" and any(load.weight != 1 for load in instance.loads):
        yield f"weights are not used: the objective is {instance.objective}"
    given = [load.installments for load in instance.loads]
    if instance.max_startup_ratio is not None and None not in given:
        yield "max_startup_ratio is not used: every load gives its installments"
    if instance.method != "lp" and any(count is not None and count > 1 for count in given):
        yield f"installments are not used: {instance.method} chooses them itself"
