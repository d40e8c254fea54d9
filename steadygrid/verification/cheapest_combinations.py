"""What it costs at least to combine what several have, two by two, where a combination has a price."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import comb
from operator import add

from steadygrid.verification.cheapest_trees import Arcs, Price

Part = Hashable
Made = Iterable[tuple[Part, list[tuple[Part, Part]]]]
"""Parts of the sources, and the pairs of which each is made; parts of one source first, all last."""


def neighbours(number: int) -> Iterator[tuple[Part, list[tuple[Part, Part]]]]:
    """List what neighbours in an order make: parts are pairs of where they begin and end."""
    for length in range(1, number + 1):
        for first in range(number - length + 1):
            end = first + length
            yield (first, end), [((first, m), (m, end)) for m in range(first + 1, end)]


def any_two(number: int) -> Iterator[tuple[Part, list[tuple[Part, Part]]]]:
    """List what any two make: parts are sums of powers of two."""
    for source in range(number):
        yield 1 << source, []
    for part in range(3, 1 << number):
        if part & (part - 1):
            yield part, _halves(part)


def _halves(part: int) -> list[tuple[Part, Part]]:
    rest = part & (part - 1)
    found: list[tuple[Part, Part]] = []
    some = rest
    while some:
        found.append((some, part ^ some))
        some = (some - 1) & rest
    return found


def pairs_of_neighbours(number: int) -> int:
    """Count the pairs that `neighbours` lists."""
    return (number**3 - number) // 6


def pairs_of_any(number: int) -> int:
    """Count the pairs that `any_two` lists."""
    return sum(comb(number, size) * (2 ** (size - 1) - 1) for size in range(2, number + 1))


def cheapest_combination(
    arcs: Arcs, owners: Sequence[str], joining: Mapping[str, Price], target: str, parts: Made
) -> Price | None:
    """Price the cheapest method to have at `target` what all owners have, combined. None if none.

    Parameters
    ----------
    owners
        Where the data of each source lies.
    joining
        Price of a combination of two, by who can do it.
    parts
        Of the sources, by position: `neighbours` or `any_two`.

    Notes
    -----
    What a part costs at each place is what it costs where it is made, and the cheapest route from
    there, by Dijkstra's algorithm from all these places at once. As many additions as pairs times
    combiners, and a search for each part. Prices are integers or fractions, at least 0, and exact.
    """
    combiners = list(joining)
    worth: dict[Part, list[Price]] = {}
    # No method to combine costs as much: it takes each arc once for each part at most.
    far = 1 + 2 * len(owners) * (
        sum(price for leaving in arcs.values() for _, price in leaving)
        + max(joining.values(), default=0)
    )
    single = iter(owners)
    reached: dict[str, Price] = {}
    for part, pairs in parts:
        if pairs:
            least = [far] * len(combiners)
            for one, other in pairs:
                least = list(map(min, least, map(add, worth[one], worth[other])))
            begun = {
                name: cost + joining[name]
                for name, cost in zip(combiners, least, strict=True)
                if cost < far
            }
        else:
            begun = {next(single): 0}
        reached = _spread(arcs, begun)
        worth[part] = [reached.get(name, far) for name in combiners]
    return reached.get(target)


def _spread(arcs: Arcs, begun: Mapping[str, Price]) -> dict[str, Price]:
    """Let data go on from where it is, at what it costs there."""
    heap = [(cost, name) for name, cost in begun.items()]
    heapify(heap)
    found: dict[str, Price] = {}
    while heap:
        cost, here = heappop(heap)
        if here in found:
            continue
        found[here] = cost
        for there, price in arcs.get(here, ()):
            if there not in found:
                heappush(heap, (cost + price, there))
    return found
