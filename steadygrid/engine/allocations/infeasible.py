"""Why there is no allocation, in words for a person."""

from collections.abc import Set as AbstractSet
from itertools import product

from steadygrid.kinds.shared.collection import CollectionInstance, without_route
from steadygrid.kinds.shared.reaching import reachable


def why_infeasible(instance: CollectionInstance) -> str:
    """Say which file cannot travel, given that no allocation lets all of them do.

    Either no processor of one task reaches any of another's; or none does once the processors
    are left out that other files exclude; or only the joins of several files exclude each
    other. O(places * arcs + rounds * files * places^2).
    """
    places = [{i for i, time in enumerate(row) if time is not None} for row in instance.times]
    index = instance.platform.index_by_id
    missing = {(index[source], index[target]) for source, target in without_route(instance)}
    reach = {
        i: reachable(instance.platform, i)
        for source in {source for source, _, _ in instance.files}
        for i in places[source]
    }
    for sender, receiver in missing:
        if sender in reach:
            reach[sender].discard(receiver)
    names = [task.id for task in instance.application.tasks]
    ids = [processor.id for processor in instance.platform.processors]

    def listed(processors: AbstractSet[int]) -> str:
        shown = sorted(processors)[:3]
        more = f" and {len(processors) - 3} more" if len(processors) > 3 else ""
        return ", ".join(repr(ids[i]) for i in shown) + more

    def closed(senders: AbstractSet[int], receivers: AbstractSet[int]) -> str:
        found = next(
            (pair for pair in product(sorted(senders), sorted(receivers)) if pair in missing), None
        )
        if found is None:
            return ""
        return (
            f"; the platform says that some routes are missing, such as that from {ids[found[0]]!r} to"
            f" {ids[found[1]]!r}"
        )

    for source, target, _ in instance.files:
        if not any(reach[i] & places[target] for i in places[source]):
            return (
                f"the file from {names[source]!r} to {names[target]!r} cannot travel: no processor"
                f" that can run {names[source]!r} ({listed(places[source])}) has a route to one that"
                f" can run {names[target]!r} ({listed(places[target])})"
                f"{closed(places[source], places[target])}"
            )
    left = [set(row) for row in places]
    changed = True
    while changed:
        changed = False
        for source, target, _ in instance.files:
            before = left[source], left[target]
            left[source] = {i for i in left[source] if reach[i] & left[target]}
            reached: set[int] = set().union(*(reach[i] for i in left[source]))
            left[target] = left[target] & reached
            if not left[source]:
                return (
                    f"the file from {names[source]!r} to {names[target]!r} cannot travel:"
                    f" {names[source]!r} could run on {listed(before[0])} and {names[target]!r} on"
                    f" {listed(before[1])} if all other files are to travel, and there is no route"
                    f" between them{closed(*before)}"
                )
            changed = changed or before != (left[source], left[target])
    return (
        "every file can travel alone, but no choice of processors lets all files of one instance"
        " travel: where files fork and join, no processor is reached by all that it needs"
    )
