"""Which methods can solve an instance, and what prevents the others."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.platform import SINGLE_PORT, Arc, Platform
from steadygrid.domain.wording import shown
from steadygrid.kinds.collective.methods import REFERENCES
from steadygrid.kinds.collective.schemas import COMBINING, DIFFERENT, CollectiveInstance

MOST_SUMS = 20_000_000
"""Of two parts, at all who may combine, where a table of all parts is made."""
MOST_SOURCES = 12
"""Of which a table of all parts is made."""


def chosen(instance: CollectiveInstance) -> str:
    """Give the method that ``auto`` takes: the first that applies."""
    return next(method for method in _OBSTACLE if obstacle(instance, method) is None)


def obstacle(instance: CollectiveInstance, method: str) -> str | None:
    """Say why a method cannot solve an instance. None if it can.

    ``flows`` is for messages that differ, the others for those of which copies are made or that are
    combined. ``intervals`` where the order of operands is fixed, and ``trees`` where they may be
    combined in any order, but that takes time. ``cutting_planes`` asks that all who copy take part, `least_cut` that links alone
    limit, too, and that no processor that only forwards has more bandwidth out than in (in
    reductions, in than out). References, and ``compare``, are for a multicast. ``programs`` is for a
    completion, and nothing else is.

    Parameters
    ----------
    instance
        Without faults, except perhaps of its method.
    method
        Any of this kind.
    """
    if instance.wants_completion != (method == "programs"):
        if instance.wants_completion:
            return f"{method} is for the throughput of a series of operations"
        return 'programs is for one operation, which "objective": "completion" asks for'
    return _OBSTACLE[method](instance)


def _not_different(instance: CollectiveInstance) -> str | None:
    if instance.operation in DIFFERENT:
        return None
    what = "combined" if instance.operation in COMBINING else "copied"
    if instance.operation == "allreduce":
        what = "combined and copied"
    return f"flows is for messages that differ, and those of {_an(instance)} are {what}"


def _not_copied(instance: CollectiveInstance) -> str | None:
    if instance.operation not in DIFFERENT:
        return None
    return f"the messages of {_an(instance)} differ, and no processor copies or combines them"


def _not_ordered(instance: CollectiveInstance) -> str | None:
    if instance.order == "fixed":
        return None
    return "intervals is for operands whose order is fixed"


def _ordered(instance: CollectiveInstance) -> str | None:
    if instance.order == "fixed":
        return "the order of the operands is fixed"
    return _not_copied(instance)


def _an(instance: CollectiveInstance) -> str:
    return f"{'an' if instance.operation[0] == 'a' else 'a'} {instance.operation}"


def _no_multicast(instance: CollectiveInstance) -> str | None:
    if instance.operation == "multicast":
        return None
    return f"{instance.method} is for a multicast, not for {_an(instance)}"


def _joined_in_twos(instance: CollectiveInstance) -> str | None:
    if instance.joined_in_twos:
        return "upper_bound knows only combinations that take no time and keep no order"
    return _not_copied(instance)


def _copied_by_others(instance: CollectiveInstance) -> str | None:
    if instance.order == "fixed":
        return _ordered(instance)
    if instance.combine is not None:
        return "combining takes time"
    others = instance.copiers - set(instance.taking_part)
    if (here := _not_copied(instance)) is not None or not others:
        return here
    verb = "combine" if instance.operation in (*COMBINING, "allreduce") else "copy"
    return f"{shown(min(others))} takes no part, but may {verb}"


def _limited_by_more_than_links(instance: CollectiveInstance) -> str | None:
    platform, ports = instance.platform, instance.ports
    if (here := _not_copied(instance)) is not None:
        return here
    if instance.operation == "allreduce":
        return "least_cut asks where a message begins or ends, and an allreduce chooses where all is combined"
    if ports != "multiport":
        return f"least_cut is for multiport, where links alone limit, not for {ports}"
    if (limit := _more_than_links(platform)) is not None:
        return f"least_cut knows no limits but those of links, and {limit}"
    return _copied_by_others(instance) or _wider_on_the_far_side(instance)


def _more_than_links(platform: Platform) -> str | None:
    """Find what limits under ``multiport`` besides the bandwidth of a link in one direction."""
    for processor in platform.processors:
        for name in ("bandwidth_out", "bandwidth_in"):
            if getattr(processor, name) is not None and not processor.switch:
                return f"{shown(processor.id)} has a {name}"
    for link in platform.links:
        between = f"the link from {shown(link.source)} to {shown(link.target)}"
        if link.media:
            return f"{between} shares {shown(link.media[0])}"
        if link.duplex == "half":
            return f"{between} is half-duplex"
    return None


def obstacle_to_chunks(instance: CollectiveInstance) -> str | None:
    """Say why messages cannot be cut into whole chunks, and what to ask instead. None if they can.

    Parameters
    ----------
    instance
        Whose messages are copied or combined, at no time and in any order.
    """
    ports = instance.ports
    if ports in SINGLE_PORT:
        return f'chunks are offered under "one_port" and "multiport", not under {ports}: ask one of these, or leave chunks out'
    if ports != "multiport" and any(link.duplex == "half" for link in instance.platform.links):
        return 'with half-duplex links chunks are offered under "multiport" only: ask that, or leave chunks out'
    if (others := _copied_by_others(instance)) is not None:
        return f'{others}: ask "copying": "participants", or leave chunks out'
    if instance.chunks == "auto" and (ports != "multiport" or _more_than_links(instance.platform)):
        return 'where more than links limits, "auto" would search one integer program after the other: ask a number of chunks'
    return None


def _wider_on_the_far_side(instance: CollectiveInstance) -> str | None:
    """Find who only forwards, but could send more than it receives, as the data moves."""
    platform = instance.platform
    home = instance.operation in COMBINING
    for i, processor in enumerate(platform.processors):
        if processor.id in instance.copiers:
            continue
        out, into = _bandwidth(platform.arcs_out[i]), _bandwidth(platform.arcs_in[i])
        if out != into and (out < into) == home:
            what = "switch" if processor.switch else "processor"
            first, other = (f"{into} in", f"{out} out") if home else (f"{out} out", f"{into} in")
            return f"{what} {shown(processor.id)} has {first} and {other}"
    return None


def _bandwidth(arcs: tuple[Arc, ...]) -> Fraction:
    return sum((1 / arc.unit_time for arc in arcs), Fraction(0))


def tabulated(instance: CollectiveInstance, options: Options) -> bool:
    """Tell whether a table of all parts of a message that is combined two by two is made.

    What two parts it puts together at how many places is within what the referee tries itself and,
    where any two operands may be combined, within ``max_labelling_entries``.

    Parameters
    ----------
    instance
        Without faults. Its message is combined two by two.
    options
        `max_labelling_entries` is read.
    """
    number = len(instance.messages[0].sources)
    places = len(instance.copiers if instance.combining is None else instance.combining)
    if instance.order == "fixed":
        return (number**3 - number) // 6 * places <= MOST_SUMS
    asked = options.max_labelling_entries
    sums = ((3**number + 1) // 2 - 2**number) * places
    return number <= MOST_SOURCES and sums <= MOST_SUMS and (asked is None or sums <= asked)


def _no_obstacle(_instance: CollectiveInstance) -> None:
    """See no obstacle: what programs cannot do is no completion either."""


_OBSTACLE: Mapping[str, Callable[[CollectiveInstance], str | None]] = {
    "flows": _not_different,
    "intervals": _not_ordered,
    "least_cut": _limited_by_more_than_links,
    "cutting_planes": _copied_by_others,
    "trees": _ordered,
    **dict.fromkeys(REFERENCES, _no_multicast),
    "upper_bound": _joined_in_twos,
    "programs": _no_obstacle,
    "compare": _no_multicast,
}
"""In the order in which ``auto`` asks."""
