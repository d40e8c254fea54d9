"""Which methods can solve an instance, and what stands in the way of the others."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal

from steadygrid.domain.platform import Arc
from steadygrid.domain.wording import shown
from steadygrid.problems.collective.schemas import COMBINING, DIFFERENT, CollectiveInstance

Method = Literal["flows", "least_cut", "cutting_planes", "trees"]


def chosen(instance: CollectiveInstance) -> Method:
    """Give the method that ``auto`` takes: the first that applies."""
    return next(method for method in _OBSTACLE if obstacle(instance, method) is None)


def obstacle(instance: CollectiveInstance, method: Method) -> str | None:
    """Say why a method cannot solve an instance; None if it can.

    ``flows`` is for messages that differ, the others for those of which copies are made or that are
    combined. ``cutting_planes`` asks that all who copy take part, `least_cut` that links alone
    limit, too, and that nobody who only forwards has more bandwidth out than in (in reductions, in
    than out).
    """
    return _OBSTACLE[method](instance)


def _not_different(instance: CollectiveInstance) -> str | None:
    if instance.operation in DIFFERENT:
        return None
    what = "combined" if instance.operation in COMBINING else "copied"
    return f"flows is for messages that differ, and those of {_an(instance)} are {what}"


def _not_copied(instance: CollectiveInstance) -> str | None:
    if instance.operation not in DIFFERENT:
        return None
    return f"the messages of {_an(instance)} differ, and nobody copies or combines them"


def _an(instance: CollectiveInstance) -> str:
    return f"{'an' if instance.operation[0] == 'a' else 'a'} {instance.operation}"


def _copied_by_others(instance: CollectiveInstance) -> str | None:
    others = instance.copiers - set(instance.taking_part)
    if (here := _not_copied(instance)) is not None or not others:
        return here
    verb = "combine" if instance.operation in COMBINING else "copy"
    return f"{shown(min(others))} takes no part, but may {verb}"


def _limited_by_more_than_links(instance: CollectiveInstance) -> str | None:
    platform, ports = instance.platform, instance.ports
    if (here := _not_copied(instance)) is not None:
        return here
    if ports != "multiport":
        return f"least_cut is for multiport, where links alone limit, not for {ports}"
    for processor in platform.processors:
        for name in ("bandwidth_out", "bandwidth_in"):
            if getattr(processor, name) is not None and not processor.switch:
                return f"least_cut knows no limits but those of links, and {shown(processor.id)} has a {name}"
    for link in platform.links:
        between = f"the link from {shown(link.source)} to {shown(link.target)}"
        if link.media:
            return f"least_cut knows no media, and {between} shares {shown(link.media[0])}"
        if link.duplex == "half":
            return f"least_cut knows no half-duplex links, as {between} is"
    return _copied_by_others(instance) or _wider_on_the_far_side(instance)


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


_OBSTACLE: Mapping[Method, Callable[[CollectiveInstance], str | None]] = {
    "flows": _not_different,
    "least_cut": _limited_by_more_than_links,
    "cutting_planes": _copied_by_others,
    "trees": _not_copied,
}
"""In the order in which ``auto`` asks."""
