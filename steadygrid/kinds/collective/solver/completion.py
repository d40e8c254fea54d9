"""One operation in the least time: programs of many trees, of which the best simulated is kept."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.combination import Combination
from steadygrid.domain.errors import LimitError, OutOfTime
from steadygrid.domain.job import Bound, Objective, Outcome, Phase, relative_gap
from steadygrid.domain.problem import Sizing
from steadygrid.domain.roles import SUM
from steadygrid.domain.rounding import READABLE_BITS, num_bits, rounded_down
from steadygrid.engine.exact.safe_rounding import ROUNDED_BITS, too_long
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.formats.msccl.moves import SPLITS, Order, Program, Split
from steadygrid.formats.msccl.network import Network, network_of
from steadygrid.formats.msccl.simulation import Settings, order_by_start, simulate
from steadygrid.kinds.collective.depths import depth_of
from steadygrid.kinds.collective.execution import (
    MOST_PIECES,
    CompletionCutCertificate,
    CompletionPlan,
)
from steadygrid.kinds.collective.schemas import (
    CollectiveInstance,
    CollectiveResult,
    CombinationOut,
    MessageAllocation,
    MessageTransfer,
)
from steadygrid.kinds.collective.solver.answer import messages_told
from steadygrid.kinds.collective.solver.candidate_trees import packings
from steadygrid.kinds.collective.solver.completion_cuts import (
    CompletionCut,
    Wiring,
    better_cuts,
)
from steadygrid.kinds.collective.solver.completion_trees import (
    Loaded,
    Operation,
    Packing,
    first_packing,
    idle_trees,
)
from steadygrid.kinds.collective.solver.layouts import arranged, most_blocks
from steadygrid.kinds.collective.solver.tree_depths import trees_told

LOOPS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Pieces into which chunks are cut."""
COPIES = (2, 4)
"""Instances that are tried of what is best with one."""
SURE = 2
"""Pieces that are tried in any case."""
MOST_SECONDS = 20.0
"""For which programs are tried. The first ones are the most promising."""
WORTHWHILE = Fraction(999, 1000)
"""Of the time of the best program so far: one that takes more is not worth another plan."""
PART_OF_BOUND = 0.25
"""Of the time, for which cuts are sought."""

RUNS_ONCE = (
    "one operation runs once: its trees and their plan are the program, and there is no schedule"
)
CUT_SHORT = "more programs could have been tried in a longer time_limit"
TOO_MANY_BLOCKS = (
    "the busiest rank needs {needed} blocks, and no program that was tried keeps to the {given} of"
    " execution.blocks"
)


class Candidate(NamedTuple):
    """A program, and the time that it takes."""

    packing: Packing
    order: Order
    split: Split
    instances: int
    pieces: int
    blocks: int
    time: Fraction


@dataclass
class Tuning:
    """The best program so far.

    Attributes
    ----------
    network
        What moves share.
    step_time
        Before the data of a move flows.
    blocks
        Of a rank. A program that needs more is only kept while there is no other.
    """

    network: Network
    step_time: Fraction
    blocks: int
    best: Candidate | None = None
    bound: Fraction = Fraction(0)
    """What no program beats: at it the search ends."""
    refusal: LimitError | None = None
    """Why the time of a program cannot be told."""

    @property
    def found(self) -> Candidate:
        """The best program.

        Raises
        ------
        LimitError
            The time of none can be told.
        """
        if self.best is None:
            assert self.refusal is not None
            raise self.refusal
        return self.best

    @property
    def ended(self) -> bool:
        """Whether no program is better."""
        return self.best is not None and self._rank(self.best) <= (False, self.bound)

    def take(self, packing: Packing, control: Control) -> None:
        """Try a packing in all orders and splits, in ever more pieces while that helps.

        Parameters
        ----------
        packing
            Trees of all messages.
        control
            Its deadline ends the search.
        """
        try:
            for program, order in self._programs(packing, control):
                for tried in self._in_pieces(packing, program, order, control):
                    self._keep(tried, control)
                    if self.ended:
                        return
        except LimitError as refusal:
            self.refusal = refusal

    def copy(self, control: Control) -> None:
        """Try several instances of what is best with one."""
        best = self.found
        for instances in COPIES:
            program = replace(self._program(best), instances=instances)
            for tried in self._in_pieces(best.packing, program, best.order, control):
                self._keep(tried, control)

    def first(self, packing: Packing) -> None:
        """Try a packing in one piece, regardless of the time that takes."""
        program = arranged(packing, "arc")
        try:
            self.best = self._simulated(packing, program, "depth", 1, None)
        except LimitError as refusal:
            self.refusal = refusal

    def _keep(self, tried: Candidate, control: Control) -> None:
        if self.best is not None:
            crowded, time = self._rank(self.best)
            enough = max(time * WORTHWHILE, min(time, self.bound))
            if self._rank(tried) > (crowded, enough) or tried == self.best:
                return
        self.best = tried
        control.progress(value=tried.time)

    def _rank(self, candidate: Candidate) -> tuple[bool, Fraction]:
        return candidate.blocks > self.blocks, candidate.time

    def _programs(self, packing: Packing, control: Control) -> Iterator[tuple[Program, Order]]:
        before = None
        for split in SPLITS:
            program = arranged(packing, split)
            if before is not None and len(program.channels) == len(before.channels):
                return
            before = program
            yield program, "depth"
            started = order_by_start(program, self.network, control.check)
            if started.moves != program.moves:
                yield started, "start"

    def _program(self, candidate: Candidate) -> Program:
        program = arranged(candidate.packing, candidate.split)
        return order_by_start(program, self.network) if candidate.order == "start" else program

    def _in_pieces(
        self, packing: Packing, program: Program, order: Order, control: Control
    ) -> Iterator[Candidate]:
        before = None
        for pieces in LOOPS:
            if packing.hops * program.instances * pieces > MOST_PIECES:
                break
            tried = self._simulated(packing, program, order, pieces, control)
            yield tried
            if pieces > SURE and before is not None and self._is_vain(before, tried.time):
                break
            before = tried.time

    def _is_vain(self, before: Fraction, time: Fraction) -> bool:
        """Tell whether even many pieces are no better, if each doubling gains half of the last one."""
        return self.best is not None and 2 * time - before > self.best.time * WORTHWHILE

    def _simulated(
        self,
        packing: Packing,
        program: Program,
        order: Order,
        pieces: int,
        control: Control | None,
    ) -> Candidate:
        piece = packing.chunk / (program.instances * pieces)
        settings = Settings(piece, pieces, self.step_time)
        check = (lambda: None) if control is None else control.check
        time = simulate(program, self.network, settings, check).time
        blocks = most_blocks(program)
        return Candidate(packing, order, program.split, program.instances, pieces, blocks, time)


def complete(instance: CollectiveInstance, sizing: Sizing, control: Control) -> Solution:
    """Find a program of one operation that is fast, and a bound.

    Parameters
    ----------
    instance
        Without faults, with a route for every message, that asks for a completion.
    sizing
        Of this instance; names the method.
    control
        Deadline, cancellation and progress of the solve. When the time is over, the best so far is the
        answer.
    """
    control.phase(Phase.SOLVING)
    operation, wiring = Operation.from_instance(instance), Wiring.from_instance(instance)
    tuning = _tuning(instance)
    tuning.first(first_packing(operation))
    if tuning.best is not None:
        control.progress(value=tuning.best.time)
    cut = _first_cut(wiring)
    notes = []
    try:
        limited = control.limited(PART_OF_BOUND * min(MOST_SECONDS, control.remaining))
        for found in better_cuts(wiring, limited.check):
            cut = max(cut, found, key=lambda one: one.time)
            control.progress(bound=cut.time)
    except OutOfTime:
        notes.append("more cuts could have been tried in a longer time_limit")
    tuning.bound = cut.time
    running = instance.execution_settings
    crowded = tuning.best is None or tuning.best.blocks > running.blocks
    doubling = running.step_time > 0 or crowded
    limited = control.limited(MOST_SECONDS)
    try:
        for packing in packings(operation, doubling=doubling, check=limited.check):
            if packing.hops <= MOST_PIECES:
                tuning.take(packing, limited)
            if tuning.ended:
                break
        else:
            tuning.copy(limited)
    except OutOfTime:
        notes.append(CUT_SHORT)
    return _answered(instance, sizing, tuning.found, cut, notes)


def first_completion(instance: CollectiveInstance, sizing: Sizing) -> Solution:
    """Answer at once: by trees of least latency, and the cuts around those that take part.

    Parameters
    ----------
    instance
        As for `complete`.
    sizing
        Of this instance; names the method.
    """
    tuning = _tuning(instance)
    tuning.first(first_packing(Operation.from_instance(instance)))
    return _answered(instance, sizing, tuning.found, _first_cut(Wiring.from_instance(instance)), [])


def _tuning(instance: CollectiveInstance) -> Tuning:
    running = instance.execution_settings
    return Tuning(network_of(instance.platform), running.step_time, running.blocks)


def _first_cut(wiring: Wiring) -> CompletionCut:
    """Give the cut around the first receiver: one that something has to enter."""
    demand = wiring.demands[0]
    end = min(demand.receivers - demand.sources or demand.receivers)
    inside = frozenset(range(wiring.number)) - {end}
    found = wiring.cut(inside, wiring.sources, wiring.receivers)
    assert found is not None
    return found


def _answered(
    instance: CollectiveInstance,
    sizing: Sizing,
    best: Candidate,
    cut: CompletionCut,
    notes: list[str],
) -> Solution:
    names = [processor.id for processor in instance.platform.processors]
    bound = rounded_down(cut.time, ROUNDED_BITS) if too_long([cut.time]) else cut.time
    given = instance.execution_settings.blocks
    if best.blocks > given:
        notes = [*notes, TOO_MANY_BLOCKS.format(needed=best.blocks, given=given)]
    bandwidth = sum((each.size for each in instance.messages), Fraction(0)) / best.time
    allocations = [
        _allocation(instance, index, loaded, best.packing.chunk)
        for index, loaded in enumerate((*best.packing.trees, *idle_trees(instance)))
    ]
    result = CollectiveResult(
        outcome=Outcome.OPTIMAL if best.time == bound else Outcome.FEASIBLE,
        method=sizing.method,
        operation=instance.operation,
        objective=Objective.completion(best.time),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(best.time, bound),
        certificate=CompletionCutCertificate(
            processors=[names[i] for i in sorted(cut.inside)],
            sources=[names[i] for i in sorted(cut.sources)],
            receivers=[names[i] for i in sorted(cut.receivers)],
        ),
        messages=messages_told(instance),
        allocations=allocations,
        algorithmic_bandwidth=bandwidth if num_bits(bandwidth) <= READABLE_BITS else None,
        plan=CompletionPlan(
            order=best.order,
            split=best.split,
            instances=best.instances,
            pieces=best.pieces,
            chunk=best.packing.chunk,
            blocks=best.blocks,
        ),
        trees=trees_told(instance, allocations),
        notes=[*notes, RUNS_ONCE],
    )
    return Solution(result)


def _allocation(
    instance: CollectiveInstance, index: int, loaded: Loaded, chunk: Fraction
) -> MessageAllocation:
    """Tell a tree: what is combined on the route to its root, and what goes from there."""
    names = [processor.id for processor in instance.platform.processors]
    message, tree = loaded
    moves: list[MessageTransfer] = []
    combinations: list[Combination] = []
    has: dict[str, list[str]] = {}
    if tree.combined:
        has = {name: [name] for name in message.sources}
    for route in (*tree.combined, (tree.root,)) if tree.combined else ():
        path = [names[i] for i in route]
        operands = has[path[0]]
        data = operands[0]
        if len(operands) > 1:
            combinations.append(Combination(len(combinations), path[0], tuple(operands)))
            data = combinations[-1].outcome
        if len(path) > 1:
            has.setdefault(path[-1], []).append(data)
            moves.append(MessageTransfer(file=(message.name, data), path=path, share=Fraction(1)))
    data = SUM if tree.combined else next(iter(message.sources))
    moves += [
        MessageTransfer(
            file=(message.name, data), path=[names[i] for i in route], share=Fraction(1)
        )
        for route in tree.spread
    ]
    told = MessageAllocation(
        index=index,
        message=message.name,
        rate=tree.chunks * chunk / message.size if message.size else Fraction(1),
        root=names[tree.root],
        tasks={},
        transfers=moves,
        combinations=[
            CombinationOut(index=one.index, processor=one.processor, operands=list(one.operands))
            for one in combinations
        ],
    )
    return told.model_copy(update={"depth": depth_of(told)})
