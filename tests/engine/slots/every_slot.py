"""All slots of a platform under the one-port model, by the rules as they are written."""

from steadygrid.domain.platform import Arc, Platform


def every_slot(platform: Platform) -> list[frozenset[int]]:
    """List every set of transfers that may run side by side."""

    def side_by_side(first: Arc, second: Arc) -> bool:
        switches = [processor.switch for processor in platform.processors]
        one_sender = first.source == second.source and not switches[first.source]
        one_receiver = first.target == second.target and not switches[first.target]
        both_ways = first.link == second.link and platform.links[first.link].duplex == "half"
        return not (one_sender or one_receiver or both_ways)

    found: list[frozenset[int]] = [frozenset()]
    for arc in platform.arcs:
        found += [
            slot | {arc.index}
            for slot in found
            if all(side_by_side(arc, platform.arcs[other]) for other in slot)
        ]
    return found
