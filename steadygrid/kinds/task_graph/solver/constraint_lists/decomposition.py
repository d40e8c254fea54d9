"""From the program's rates to allocations: backwards through each block, then put together."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steadygrid.domain.platform import Platform
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.list_program import BlockLists
from steadygrid.kinds.task_graph.solver.constraint_lists.model import ListProgram, Mapped

Path = tuple[int, ...]
"""Arcs by index, in order."""


@dataclass(frozen=True)
class Scheme:
    """A part of an allocation, and how many instances per time unit use it.

    Attributes
    ----------
    places
        Processor by task, of the tasks that the part has.
    paths
        Arcs by file.
    """

    rate: Fraction
    places: Mapping[int, int]
    paths: Mapping[int, Path]


def decompose(program: ListProgram, solved: Any, control: Control) -> list[Scheme]:
    """Decompose an optimal solution into allocations.

    Parameters
    ----------
    solved
        Has `values_of` for the variables of the program.

    Returns
    -------
    list of Scheme
        Their rates add up to the throughput, and they use no more of any resource than the
        solution. At most as many as there are positive variables.
    """
    model = program.model
    placed: dict[int, dict[Mapped, Fraction]] = defaultdict(dict)
    for (k, i), rate in solved.values_of(model.placed).items():
        placed[k][i,] = rate
    traversals = [
        Traversal(
            program,
            block,
            {k: {} if block.incoming[k] else dict(placed[k]) for k in block.order},
            control,
        )
        for block in program.blocks
    ]
    block_of_file = {f: b for b, block in enumerate(program.blocks) for f in block.files}
    for position, rate in solved.values_of(model.ready).items():
        b, k, mapped = program.ready[position]
        traversals[b].ready[k][mapped] = rate
    for position, rate in solved.values_of(model.sent).items():
        f, arc, mapped = program.sent[position]
        traversals[block_of_file[f]].sent[f, mapped][arc] = rate
    for position, rate in solved.values_of(model.ended).items():
        b, mapped = program.ended[position]
        traversals[b].ended[mapped] = rate
    parts = [traversal.schemes() for traversal in traversals]
    alone = [
        [Scheme(rate, {k: i}, {}) for (i,), rate in sorted(placed[k].items())]
        for k in sorted(placed.keys() - {k for block in program.blocks for k in block.order})
    ]
    return _together(program.blocks, parts, alone)


class Traversal:
    """Takes allocations of one block out of its rates until nothing is left.

    Attributes
    ----------
    ready
        By task: prod, by the processors of itself and of its incoming list.
    sent
        By file and the processors of its list: files per time unit by arc.
    ended
        z, by the processors of END's list.

    Notes
    -----
    RR-4870, Algorithm 2, from END backwards: a task that has several users is on the list of
    each of its files. So they agree on where it ran, and those lists come from a common list at
    its post-dominator. Subtracting the least rate on the route keeps every equation and empties
    a variable. Flows that go round in circles are taken out when they are met.
    """

    def __init__(
        self,
        program: ListProgram,
        block: BlockLists,
        ready: dict[int, dict[Mapped, Fraction]],
        control: Control,
    ) -> None:
        self.ready = ready
        self.sent: dict[tuple[int, Mapped], dict[int, Fraction]] = defaultdict(dict)
        self.ended: dict[Mapped, Fraction] = {}
        self._block = block
        self._control = control
        self._platform: Platform = program.instance.platform
        self._ends = [(source, target) for source, target, _ in program.instance.files]
        self._files_into: dict[int, list[int]] = defaultdict(list)
        for f in block.files:
            self._files_into[self._ends[f][1]].append(f)
        self._making: dict[tuple[int, int, Mapped], list[Mapped]] = defaultdict(list)
        self._ending: dict[tuple[int, Mapped], list[Mapped]] = defaultdict(list)

    def schemes(self) -> list[Scheme]:
        """Empty the block. Its rates are gone afterwards."""
        block = self._block
        for k in block.order:
            outgoing = self._places_of((k, *block.incoming[k]), block.outgoing[k])
            for mapped in sorted(self.ready[k], reverse=True):
                listed = tuple(mapped[place] for place in outgoing)
                self._making[k, mapped[0], listed].append(mapped)
                self._ending[k, listed].append(mapped)
        left = sum(self.ready[block.order[0]].values(), Fraction(0))
        found: list[Scheme] = []
        while left:
            self._control.check()
            found.append(self._scheme())
            left -= found[-1].rate
        return found

    def _scheme(self) -> Scheme:
        block = self._block
        end: Mapped = ()
        rates: list[tuple[dict[Any, Fraction], Any]] = []
        if block.end:
            end = min(mapped for mapped, rate in self.ended.items() if rate)
            rates.append((self.ended, end))
        lists: dict[int, Mapped] = {}
        places: dict[int, int] = {}
        paths: dict[int, Path] = {}
        for k in reversed(block.order):
            if k in block.sinks:
                at_end = self._places_of(block.end, block.outgoing[k])
                candidates = self._ending[k, tuple(end[place] for place in at_end)]
            else:
                candidates = self._making[k, places[k], lists[k]]
            mapped = self._first(self.ready[k], candidates)
            if mapped is None:
                raise AssertionError("the rates of a block do not balance")
            rates.append((self.ready[k], mapped))
            places[k] = mapped[0]
            known = (k, *block.incoming[k])
            for f in self._files_into[k]:
                source = self._ends[f][0]
                listed = tuple(
                    mapped[place] for place in self._places_of(known, block.outgoing[source])
                )
                paths[f] = self._trace_path(f, listed, mapped[0])
                start = self._platform.arcs[paths[f][0]].source if paths[f] else mapped[0]
                if lists.setdefault(source, listed) != listed or (
                    places.setdefault(source, start) != start
                ):
                    raise AssertionError("two users of a task disagree")
                rates += [(self.sent[f, listed], arc) for arc in paths[f]]
        least = min(values[key] for values, key in rates)
        for values, key in rates:
            values[key] -= least
        return Scheme(least, places, paths)

    @staticmethod
    def _places_of(tasks: Sequence[int], listed: Sequence[int]) -> list[int]:
        return [tasks.index(task) for task in listed]

    @staticmethod
    def _first(rates: Mapping[Mapped, Fraction], candidates: list[Mapped]) -> Mapped | None:
        while candidates and not rates[candidates[-1]]:
            candidates.pop()
        return candidates[-1] if candidates else None

    def _trace_path(self, file: int, listed: Mapped, target: int) -> Path:
        """Follow a file back from where it is used to where it is made under its list."""
        source = self._ends[file][0]
        flow = self.sent[file, listed]
        arcs = self._platform.arcs
        walk: list[int] = []
        node = target
        position = {target: 0}
        while self._first(self.ready[source], self._making[source, node, listed]) is None:
            arriving = (arc.index for arc in self._platform.arcs_in[node] if flow.get(arc.index, 0))
            walk.append(next(arriving))
            node = arcs[walk[-1]].source
            if node not in position:
                position[node] = len(walk)
                continue
            cycle = walk[position[node] :]
            amount = min(flow[arc] for arc in cycle)
            for arc in cycle:
                flow[arc] -= amount
                if arcs[arc].source != node:
                    del position[arcs[arc].source]
            del walk[position[node] :]
        return tuple(reversed(walk))


def _together(
    blocks: Sequence[BlockLists],
    parts: Sequence[Sequence[Scheme]],
    alone: Sequence[Sequence[Scheme]],
) -> list[Scheme]:
    """Join the schemes of all blocks and of the tasks without files."""
    blocks_of: dict[int, list[int]] = defaultdict(list)
    for b, block in enumerate(blocks):
        for k in block.order:
            blocks_of[k].append(b)
    whole: list[Scheme] | None = None
    joined: set[int] = set()
    for first in range(len(blocks)):
        if first in joined:
            continue
        joined.add(first)
        component = list(parts[first])
        tasks = list(blocks[first].order)
        known = set(tasks)
        for k in tasks:
            for b in blocks_of[k]:
                if b not in joined:
                    joined.add(b)
                    component = _joined(component, parts[b], k)
                    fresh = [task for task in blocks[b].order if task not in known]
                    known.update(fresh)
                    tasks += fresh
        whole = component if whole is None else _joined(whole, component, None)
    for schemes in alone:
        whole = list(schemes) if whole is None else _joined(whole, schemes, None)
    return whole or []


def _joined(some: Sequence[Scheme], others: Sequence[Scheme], shared: int | None) -> list[Scheme]:
    """Join two parts where they agree on the shared task, in order.

    Both have the same rate for each place of the task, so each step uses up a scheme.
    """
    waiting: dict[int | None, list[Scheme]] = defaultdict(list)
    for scheme in reversed(others):
        waiting[None if shared is None else scheme.places[shared]].append(scheme)
    found: list[Scheme] = []
    for scheme in some:
        queue = waiting[None if shared is None else scheme.places[shared]]
        left = scheme.rate
        while left:
            other = queue.pop()
            rate = min(left, other.rate)
            found.append(
                Scheme(rate, {**scheme.places, **other.places}, {**scheme.paths, **other.paths})
            )
            left -= rate
            if rate < other.rate:
                queue.append(Scheme(other.rate - rate, other.places, other.paths))
    return found
