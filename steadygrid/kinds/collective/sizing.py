"""Method and size of a `collective` instance, before anything is built."""

from collections.abc import Iterable, Iterator

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_parts
from steadygrid.domain.wording import shown
from steadygrid.kinds.collective.choice import chosen, tabulated
from steadygrid.kinds.collective.completion_faults import hops_of_chunks
from steadygrid.kinds.collective.execution import Execution
from steadygrid.kinds.collective.faults import sends_to_itself
from steadygrid.kinds.collective.schemas import COMBINING, DIFFERENT, CollectiveInstance
from steadygrid.kinds.shared.scale import odd_units
from steadygrid.kinds.shared.single_ports import requires_to_read
from steadygrid.kinds.shared.start_ups import vain_options

MOST_ENTRIES = 50_000_000
"""Of a table of Steiner trees, which the referee of an answer has to make as well."""
CHEAPER = 4
"""`least_cut` makes no program: for each who copies it keeps what flows over hops, which takes 100
bytes a hop, and a coefficient takes several times as much."""
_MOST_COUNTED = 20
"""Of those who have to be reached."""
SINCE = 2
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
_IDLE_OF_ONCE = ("piece", "bytes_per_unit", "sizes")
CHUNKS_SINCE = 12
"""Workers that solve less know no whole chunks, no completion of one operation, and no execution."""


def requires(instance: CollectiveInstance, options: Options) -> int:
    """Say from which version on it can be solved.

    Parameters
    ----------
    instance
        Well-formed.
    options
        Not read.
    """
    new = instance.wants_completion or instance.execution is not None or instance.chunks is not None
    return max(CHUNKS_SINCE if new else SINCE, requires_to_read(instance, options))


def sizing(instance: CollectiveInstance, options: Options) -> Sizing:
    """Choose the method, and count what it works on.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and those of latencies are read.
    """
    method = chosen(instance) if instance.method == "auto" else instance.method
    sizes = {
        "participants": len(instance.taking_part),
        "messages": len(instance.messages),
        "hops": len(instance.platform.arcs),
    }
    warnings = (
        *_staying(instance),
        *_vain_copying(instance),
        *_of_one_operation(instance, options),
        *(() if instance.wants_completion else _odd_units(instance)),
        *_unused(instance.platform, instance, options),
    )
    if method == "programs":
        return Sizing(
            method, sizes | {"moves": hops_of_chunks(instance)}, warnings, _fewer(instance)
        )
    if instance.joined_in_twos:
        counted = sizes | _of_joining(instance, options)
        return Sizing(method, counted, warnings, "name fewer sources")
    if method == "flows":
        return Sizing(method, sizes | _of_flows(instance), warnings, "name fewer who send")
    sizes |= _of_copies(instance)
    if method == "least_cut":
        sizes["coefficients"] //= CHEAPER
    if method in ("trees", "compare") and len(instance.copiers) > len(instance.taking_part):
        sizes["steiner_entries"] = steiner_entries(instance)
        return Sizing(method, sizes, warnings, _fewer(instance))
    idle = frozenset({"max_labelling_entries"})
    return Sizing(method, sizes, warnings, _fewer(instance), idle)


def table_fits(instance: CollectiveInstance, options: Options) -> bool:
    """Tell whether all trees can be priced by a table; else heuristics find cheap ones.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` is read.
    """
    asked = options.max_labelling_entries
    most = MOST_ENTRIES if asked is None else min(asked, MOST_ENTRIES)
    return steiner_entries(instance) <= most


def steiner_entries(instance: CollectiveInstance) -> int:
    """Count the sums of a table of the cheapest trees to all sets of those who have to be reached.

    In reductions they are those from whom something comes. The count ends where it is far too large.
    """
    joined: set[str] = set()
    for message in instance.messages:
        far, near = message.receivers, message.sources
        if instance.operation in COMBINING:
            far, near = near, far
        if message.size:
            everywhere = instance.operation == "allreduce"
            joined.update(name for name in far if everywhere or name not in near)
    subsets: int = 3 ** min(len(joined), _MOST_COUNTED)
    return subsets * len(instance.platform.processors)


def _of_flows(instance: CollectiveInstance) -> dict[str, int]:
    """Count what the program has: a flow for each origin, or for the only receiver."""
    platform = instance.platform
    groups = len({message.origin for message in instance.messages})
    if instance.operation == "gather":
        groups = 1
    uses = [arc_uses(platform, arc, instance.ports) for arc in platform.arcs]
    hops = len(platform.arcs)
    return {
        "variables": groups * hops + 1,
        "constraints": groups * (len(platform.processors) - 1)
        + len({use.resource for listed in uses for use in listed}),
        "coefficients": groups * (2 * hops + sum(map(len, uses))) + len(instance.messages),
    }


def _of_joining(instance: CollectiveInstance, options: Options) -> dict[str, int]:
    """Count what trees of binary combinations are sought in: a table of parts, if there is one.

    Coefficients are those of a program with a variable for each interval on each link, and for each
    method to make one of two others at each place, which the table stands for. Where any two
    operands may be combined, those of cuts.
    """
    number = len(instance.messages[0].sources)
    hops = len(instance.platform.arcs)
    places = len(instance.copiers if instance.combining is None else instance.combining)
    counted = {"sources": number, "combiners": places}
    if instance.order == "fixed":
        intervals = number * (number + 1) // 2
        entries = (number**3 - number) // 6 * places
        return counted | {"table_entries": entries, "coefficients": entries + intervals * hops}
    if tabulated(instance, options):
        return counted | {"table_entries": ((3**number + 1) // 2 - 2**number) * places}
    return counted | {"coefficients": len(instance.copiers) * hops}


def _of_copies(instance: CollectiveInstance) -> dict[str, int]:
    """Count what is known of cuts before any is found: one for each who copies is full of hops."""
    hops = len(instance.platform.arcs)
    one = instance.messages[0]
    if instance.operation == "allreduce":
        return {
            "forwarders": len(instance.platform.processors) - len(instance.copiers),
            "receivers": len(one.receivers),
            "variables": 2 * hops + len(instance.copiers),
            "coefficients": 2 * len(instance.copiers) * hops,
        }
    ends = one.sources if instance.operation in COMBINING else one.receivers
    others = {*one.receivers} if instance.operation in COMBINING else {*one.sources}
    return {
        "forwarders": len(instance.platform.processors) - len(instance.copiers),
        "receivers": len({*ends} - others),
        "variables": hops + 1,
        "coefficients": len(instance.copiers) * hops,
    }


def _fewer(instance: CollectiveInstance) -> str:
    """Say how a smaller instance can be asked."""
    if instance.operation == "broadcast":
        remedy = "multicast to fewer"
    else:
        named = {"multicast": "targets", "reduce": "sources"}.get(instance.operation)
        remedy = f"name fewer {named or 'participants'}"
    if len(instance.copiers) > len(instance.taking_part):
        remedy += ', or ask "copying": "participants"'
    return remedy


def _vain_copying(instance: CollectiveInstance) -> Iterator[str]:
    if instance.combine is not None and instance.copying != "processors":
        yield "copying is not used: combine says who combines"


def _staying(instance: CollectiveInstance) -> Iterator[str]:
    if instance.operation in ("scatter", "gather", "multicast") and sends_to_itself(instance):
        name = instance.taking_part[0]
        yield f"what {shown(name)} sends to itself stays there: no message of the answer"


def _odd_units(instance: CollectiveInstance) -> Iterable[str]:
    return odd_units(instance.platform, (), (), (message.size for message in instance.messages))


def _of_one_operation(instance: CollectiveInstance, options: Options) -> Iterator[str]:
    """Name what a completion does not use, and say where one may be meant."""
    given, usual = instance.execution_settings, Execution()
    if instance.wants_completion:
        idle = [name for name in _IDLE_OF_ONCE if getattr(given, name) != getattr(usual, name)]
        if idle:
            yield f"{' and '.join(idle)} of execution: not used, a completion is of its own sizes"
        return
    run = options.asked_run
    single = run is not None and run.instances == 1
    copied = instance.operation not in DIFFERENT and not instance.joined_in_twos
    if single and copied and any(link.latency for link in instance.platform.links):
        yield (
            "one operation in the least time, with latencies of links:"
            ' ask for "objective": "completion", with "ports": "multiport"'
        )


def _unused(platform: Platform, instance: CollectiveInstance, options: Options) -> Iterable[str]:
    runs = instance.ports == "multiport" and instance.operation not in DIFFERENT
    pays = instance.wants_completion or runs or options.latencies == "paid"
    yield from unused_parts(platform, instance.ports, pays=pays)
    if not instance.wants_completion:
        yield from vain_options(platform, options)
    if platform.routes:
        yield "routes are not used: messages take the routes that are best for all together"
