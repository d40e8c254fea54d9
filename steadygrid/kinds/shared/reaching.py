"""Who can send data to whom, over any links."""

from steadygrid.domain.platform import Platform


def reachable(platform: Platform, start: int, *, backwards: bool = False) -> set[int]:
    """Give the processors to which data can travel, the start among them; or from which.

    Parameters
    ----------
    platform
        Its arcs are followed.
    start
        Index of a processor.
    backwards
        Against the direction of the arcs: from which data can travel to `start`.

    Returns
    -------
    set of int
        Indices of processors.
    """
    found = {start}
    waiting = [start]
    around = platform.arcs_in if backwards else platform.arcs_out
    for node in waiting:
        for arc in around[node]:
            end = arc.source if backwards else arc.target
            if end not in found:
                found.add(end)
                waiting.append(end)
    return found
