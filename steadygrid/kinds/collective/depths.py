"""How deep trees are, in hops from one who may copy, or combine, to the next."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from steadygrid.domain.roles import SUM


class _Moved(Protocol):
    @property
    def file(self) -> tuple[str, str]: ...
    @property
    def path(self) -> Sequence[str]: ...


class _Joined(Protocol):
    @property
    def index(self) -> int: ...
    @property
    def processor(self) -> str: ...
    @property
    def operands(self) -> Sequence[str]: ...


class _Travelling(Protocol):
    @property
    def transfers(self) -> Iterable[_Moved]: ...
    @property
    def combinations(self) -> Sequence[_Joined]: ...


def depth_of(tree: _Travelling) -> int:
    """Count the hops on the longest route of data, from where it begins to where the last of it arrives.

    Data follows the transfers, and what is combined the last of its operands. What is spread is the
    outcome of the last combination.

    Parameters
    ----------
    tree
        An allocation, or a plan of one.
    """
    after: dict[tuple[str, str], list[tuple[tuple[str, str], int]]] = {}
    missing: Counter[tuple[str, str]] = Counter()
    steps = [((t.file[1], t.path[0]), (t.file[1], t.path[-1]), 1) for t in tree.transfers]
    for combination in tree.combinations:
        here = combination.processor
        outcome = f"--{combination.index}", here
        steps += [((operand, here), outcome, 0) for operand in combination.operands]
        if combination is tree.combinations[-1]:
            steps.append((outcome, (SUM, here), 0))
    for before, there, hops in steps:
        after.setdefault(before, []).append((there, hops))
        missing[there] += 1
    depth = dict.fromkeys(after.keys() - missing.keys(), 0)
    ready = list(depth)
    for before in ready:
        for there, hops in after.get(before, ()):
            depth[there] = max(depth.get(there, 0), depth[before] + hops)
            missing[there] -= 1
            if not missing[there]:
                ready.append(there)
    return max(depth.values(), default=0)
