"""The program that runs an operation best, and the times that it takes: simulated, never proved.

The optimum of a series may need many trees of many sizes, deep ones among them. A program of few
shallow trees can be faster when it runs, since each hop waits for the one before. So trees of few
chunks are packed anew, laid out in several orders and splits, and simulated. The fastest is kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.errors import LimitError, OutOfTime
from steadygrid.engine.arborescences.level_growth import Variant
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.formats.msccl.limits import STEPS
from steadygrid.formats.msccl.moves import SPLITS, Order, Program, Route
from steadygrid.formats.msccl.network import network_of
from steadygrid.formats.msccl.simulation import Settings, loops_of, order_by_start, simulate
from steadygrid.kinds.collective.execution import (
    MOST_PIECES,
    ExecutionOut,
    PredictedTime,
    ProgramOut,
    ProgramTree,
)
from steadygrid.kinds.collective.nccl_counts import bus_factor, counted_data
from steadygrid.kinds.collective.schemas import (
    DIFFERENT,
    CollectiveInstance,
    CollectiveResult,
)
from steadygrid.kinds.collective.solver import efforts
from steadygrid.kinds.collective.solver.candidate_trees import (
    MOST_HOPS,
    own_packing,
    ring_packing,
)
from steadygrid.kinds.collective.solver.completion import TOO_MANY_BLOCKS
from steadygrid.kinds.collective.solver.completion_trees import (
    Operation,
    Packing,
    first_packing,
    least_time,
    pack_by_time,
    pack_chunks,
)
from steadygrid.kinds.collective.solver.layouts import arranged, most_blocks

WORTH = Fraction(9, 10)
"""Least share of the bound that so many chunks have to allow, to be packed."""
MUCH_FASTER = Fraction(101, 100)
"""By how much a program has to be faster for a size, to be told next to that of larger sizes."""
KEPT = 6
"""Packings that are tried for small sizes, too."""
LOOPS = (2, 3, 1)
"""Of programs whose trees grow as they run."""
TIMED_CHUNKS = 64
"""Of the smallest message, in such programs. Where there are more, loops are many and last for little."""
SLACK = Fraction(21, 20)
"""How much longer than all links the few routes of such programs may need for as many chunks."""
FOR_LARGEST = 0.8
"""Of the time, for the largest size."""
MORE_BLOCKS = (
    'with {} blocks of each rank a program runs {} faster: ask for "execution": {{"blocks": {}}}'
)
MOST_WIDER = 8
"""Programs of more blocks than a rank has, of the fewest, that are tried for that."""
NEAR = Fraction(8, 7)
"""How much slower than the fastest a layout by depth may be, if moves are ordered by their start, too."""
HOPELESS = 4
"""How many times slower than the fastest a layout is, for all others of its trees to be left out."""
COST = 40
"""Pieces that would take as long as all that is done once for a run."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A program, as it is laid out."""

    packing: Packing
    order: Order
    program: Program
    blocks: int


def with_prediction(instance: CollectiveInstance, solution: Solution, control: Control) -> Solution:
    """Say how an operation runs, where programs run.

    Parameters
    ----------
    instance
        Without faults.
    solution
        Its answer.
    control
        Deadline and cancellation of the solve. When its time is over, the best so far is reported.
    """
    result = solution.result
    assert isinstance(result, CollectiveResult)
    if not is_predicted(instance) or result.objective is None or not result.objective.value:
        return solution
    search = _Search(instance, result, control)
    try:
        search.run()
    except OutOfTime:
        pass
    except LimitError as error:
        result.notes.append(error.detail)
    result.notes += search.notes
    told = search.prediction()
    if told is None and instance.execution is not None:
        result.notes.append(
            f"no time is predicted: its program takes more than {MOST_PIECES:,} pieces, or no time"
            " was left"
        )
    if told is not None:
        needed = told.programs[told.predicted[-1].program].blocks
        given = instance.execution_settings.blocks
        if needed > given:
            result.notes.append(TOO_MANY_BLOCKS.format(needed=needed, given=given))
    result.execution = told
    return solution


def is_predicted(instance: CollectiveInstance) -> bool:
    """Tell whether an operation is run as a program: of shared links, and messages copied or combined.

    Parameters
    ----------
    instance
        Without faults.
    """
    return (
        instance.predicts
        and instance.ports == "multiport"
        and instance.operation not in DIFFERENT
        and not instance.joined_in_twos
        and not instance.wants_completion
        and any(message.size for message in instance.messages)
    )


class _Search:
    """Looks for the program that is fastest for the largest size, then for smaller ones."""

    def __init__(
        self, instance: CollectiveInstance, result: CollectiveResult, control: Control
    ) -> None:
        self._instance = instance
        self._result = result
        self._effort = efforts.USUAL if instance.execution is None else efforts.ASKED
        effort = self._effort
        seconds = min(effort.seconds, effort.part * control.remaining)
        self._whole = control
        self._all = control.limited(seconds, silent=True)
        self._control = control.limited(FOR_LARGEST * seconds, silent=True)
        self._running = instance.execution_settings
        self._operation = Operation.from_instance(instance)
        self._network = network_of(instance.platform)
        self._nominal = counted_data(instance)
        self._moved = [message for message in instance.messages if message.size]
        self._packings: list[Packing] = []
        self._timed: list[Packing] = []
        self._tried: set[tuple[int, Variant]] = set()
        self._simulated = 0
        self.candidates = 0
        self.notes: list[str] = []
        self._programs: list[_Candidate] = []
        self._wider: list[_Candidate] = []
        self._rows: list[PredictedTime] = []

    def run(self) -> None:
        """Try programs, and keep what is reported."""
        largest, *smaller = sorted(self._running.sizes, reverse=True)
        best = self._best_of(self._all_packings(largest), largest)
        if best is None and smaller:
            # It has too many pieces: a smaller size may have fewer.
            best = self._best_of(self._all_packings(smaller[0]), smaller[0])
            largest, *smaller = smaller
        if best is None:
            return
        self._keep(*best, largest)
        self._compare_wider(best[1], largest)
        for size in smaller:
            self._control = self._all
            known = self._fastest_known(size)
            found = None
            with suppress(OutOfTime):
                found = self._best_of(self._small_packings(), size)
            if known is None or (found is not None and found[1] * MUCH_FASTER < known[1]):
                known = found
            if known is not None:
                self._keep(*known, size)

    def _compare_wider(self, time: Fraction, size: int) -> None:
        """Note how much faster a program is that takes more blocks of a rank than it has."""
        if self._good_enough(time, size):
            return
        self._control, self._simulated = self._all, 0
        with suppress(OutOfTime):
            for wider in sorted(self._wider, key=lambda one: one.blocks)[:MOST_WIDER]:
                faster = self._time(wider, size)
                if faster is not None and faster * MUCH_FASTER < time:
                    more = f"{round(100 * (time / faster - 1)):,} %"
                    self.notes.append(MORE_BLOCKS.format(wider.blocks, more, wider.blocks))
                    return

    def _fastest_known(self, size: int) -> tuple[_Candidate, Fraction] | None:
        """Give the program of larger sizes that is fastest for a size, of all that were tried."""
        self._control, self._simulated = self._whole, 0
        times = [(self._time(one, size), one) for one in self._programs]
        self._control = self._all
        return min(
            ((one, time) for time, one in times if time is not None),
            key=lambda pair: pair[1],
            default=None,
        )

    def prediction(self) -> ExecutionOut | None:
        """Give what is reported. None without any time."""
        if not self._rows:
            return None
        return ExecutionOut(
            programs=[self._program_told(one) for one in self._programs],
            predicted=sorted(self._rows, key=lambda row: row.bytes),
            candidates=self.candidates,
        )

    def _keep(self, candidate: _Candidate, time: Fraction, size: int) -> None:
        if candidate not in self._programs:
            self._programs.append(candidate)
        index = self._programs.index(candidate)
        amount = size / self._instance.bytes_per_unit
        bound = None if self._result.bound is None else self._result.bound.value
        self._rows.append(
            PredictedTime(
                bytes=size,
                program=index,
                loops=self._loops(candidate, size),
                time=time,
                algbw=amount / time,
                busbw=amount / time * bus_factor(self._instance),
                of_bound=amount / (self._nominal * bound * time)
                if bound is not None and bound > 0
                else None,
            )
        )

    def _best_of(
        self, packings: Iterable[Packing], size: int
    ) -> tuple[_Candidate, Fraction] | None:
        """Simulate packings in all their layouts, as long as there is time."""
        best: tuple[_Candidate, Fraction] | None = None
        self._fastest: Fraction | None = None
        self._last: Fraction | None = None
        self._fitting = False
        try:
            for packing in packings:
                for candidate in self._layouts(packing):
                    if best is not None and not self._fits(candidate) and self._fits(best[0]):
                        self._wider.append(candidate)
                        continue
                    self._last = time = self._time(candidate, size)
                    if time is None:
                        continue
                    if best is None or (not self._fits(candidate), time) < (
                        not self._fits(best[0]),
                        best[1],
                    ):
                        best = candidate, time
                        self._fastest, self._fitting = time, self._fits(candidate)
                    if self._good_enough(time, size) and self._fits(candidate):
                        return best
        except OutOfTime:
            self._whole.check()
            if best is None:
                raise
        return best

    def _good_enough(self, time: Fraction, size: int) -> bool:
        bound = self._result.bound
        amount = size / self._instance.bytes_per_unit / self._nominal
        return bound is not None and amount >= self._effort.enough * bound.value * time

    def _fits(self, candidate: _Candidate) -> bool:
        return candidate.blocks <= self._running.blocks

    def _small_packings(self) -> Iterator[Packing]:
        """List the packings that may be best for a small size."""
        yield from self._packings[:KEPT]

    def _all_packings(self, size: int) -> Iterator[Packing]:
        """List packings: of shortest routes, those of the answer, and few chunks grown by levels."""
        shortest = first_packing(self._operation)
        k = self._asked_chunks
        yield from self._noted(shortest if k is None else shortest.cut(k))
        amount = size / self._instance.bytes_per_unit / self._nominal
        self._tried.clear()
        numbers = list(self._numbers_of_chunks())
        bound, early = self._result.bound, Variant()
        if bound is None or any(
            least * bound.value * self._effort.enough <= 1 for _, least in numbers[:1]
        ):
            yield from self._grown(numbers[:1], early, amount)
        yield from self._timed_packings(size)
        yield from self._ring_packings()
        yield from self._grown(numbers, early, amount)
        yield from self._own_packings()
        for variant in self._effort.variants:
            if variant != early:
                yield from self._grown(numbers, variant, amount)

    def _grown(
        self, numbers: Iterable[tuple[int, Fraction]], variant: Variant, amount: Fraction
    ) -> Iterator[Packing]:
        """Pack numbers of chunks that may be faster than what was found."""
        for k, least in numbers:
            if (k, variant) in self._tried:
                continue
            if self._fastest is None or amount * least < self._fastest * self._effort.enough:
                self._tried.add((k, variant))
                packing = pack_chunks(self._operation, k, variant, self._control.check)
                if packing is not None:
                    yield from self._noted(packing)

    def _timed_packings(self, size: int) -> Iterator[Packing]:
        """Grow trees as they run, of so many chunks that few loops move all.

        Turned round, in reductions alone, they run no better than others: data comes together late.
        """
        if not self._operation.spreads:
            return
        asked = self._asked_chunks
        pieces = self._loops_of_chunk(first_packing(self._operation).chunk, size)
        tried = set[int]()
        for loops in LOOPS:
            k = -(-pieces // loops) if asked is None else asked
            hops = self._operation.hops(k)
            left = self._effort.simulated - self._simulated
            if k in tried or k > TIMED_CHUNKS or hops > min(self._effort.timed_hops, left):
                continue
            tried.add(k)
            self._simulated += hops
            longest = SLACK * least_time(self._operation, k, self._control.check)
            packing = pack_by_time(self._operation, k, longest, self._control.check)
            if packing is not None:
                self._timed.append(packing)
                yield packing

    def _ring_packings(self) -> Iterator[Packing]:
        """Give a ring through the participants, in as many chunks as are asked for."""
        ring, k = ring_packing(self._operation, self._control.check), self._asked_chunks
        if ring is not None:
            yield from self._noted(ring if k is None else ring.cut(k))

    def _own_packings(self) -> Iterator[Packing]:
        """Give the trees of the answer, in as many chunks as are asked for."""
        own = own_packing(self._instance, self._result.allocations)
        if own is None:
            return
        k, smallest = self._asked_chunks, min(each.size for each in self._moved)
        chunks = smallest / own.chunk
        if self._instance.operation == "allreduce":
            chunks /= len(self._instance.taking_part)
        cut = 1 if k is None else k / chunks
        if cut == int(cut):
            yield from self._noted(own.cut(int(cut)))

    @property
    def _asked_chunks(self) -> int | None:
        """Chunks that every program has to have. None where any may be best, `auto` among that."""
        chunks = self._instance.chunks
        return chunks if isinstance(chunks, int) else None

    def _noted(self, packing: Packing) -> Iterator[Packing]:
        if packing.hops <= MOST_HOPS:
            self._packings.append(packing)
            yield packing

    def _numbers_of_chunks(self) -> Iterator[tuple[int, Fraction]]:
        """List numbers of chunks, with the least time of one operation, each better than those before."""
        bound = self._result.bound
        best: Fraction | None = None
        found = 0
        asked = self._asked_chunks
        for k in range(1, efforts.MOST_CHUNKS + 1) if asked is None else (asked,):
            if self._operation.hops(k) > MOST_HOPS or found == self._effort.numbers:
                return
            least = least_time(self._operation, k, self._control.check)
            worth = bound is None or least * bound.value * WORTH <= 1
            if (worth or k == 1 or asked is not None) and (best is None or least < best):
                best = least
                found += 1
                yield k, least

    def _layouts(self, packing: Packing) -> Iterator[_Candidate]:
        """Lay trees out in all splits that differ, by depth and by the start of moves."""
        if packing in self._timed:
            yield from self._timed_layout(packing)
            return
        known = set[int]()
        for split in SPLITS:
            program = arranged(packing, split)
            if len(program.channels) in known:
                continue
            known.add(len(program.channels))
            blocks = most_blocks(program)
            yield _Candidate(packing, "depth", program, blocks)
            if self._is_hopeless:
                return
            last, fastest = self._last, self._fastest
            slow = last is None or (fastest is not None and last > NEAR * fastest)
            if slow or (blocks > self._running.blocks and self._fitting):
                continue
            started = order_by_start(program, self._network, self._control.check)
            if started.moves != program.moves:
                yield _Candidate(packing, "start", started, blocks)

    @property
    def _is_hopeless(self) -> bool:
        """Whether no other layout of the trees that ran last is worth a try."""
        last, fastest = self._last, self._fastest
        return last is not None and fastest is not None and last > HOPELESS * fastest

    def _timed_layout(self, packing: Packing) -> Iterator[_Candidate]:
        """Lay trees out that grew as they run, in steps that a block can hold."""
        program = arranged(packing, "arc")
        if max(len(channel.moves) for channel in program.channels) <= STEPS:
            started = order_by_start(program, self._network, self._control.check)
            yield _Candidate(packing, "start", started, most_blocks(program))

    def _loops(self, candidate: _Candidate, size: int) -> int:
        return self._loops_of_chunk(candidate.packing.chunk, size)

    def _loops_of_chunk(self, chunk: Fraction, size: int) -> int:
        return loops_of(-int(-(chunk / self._nominal * size) // 1), 1, self._running.piece)

    def _time(self, candidate: _Candidate, size: int) -> Fraction | None:
        """Simulate a program. None where it has too many pieces."""
        loops = self._loops(candidate, size)
        pieces = len(candidate.program.moves) * loops
        if pieces > self._effort.pieces:
            return None
        self._simulated += pieces + COST
        if self._simulated > self._effort.simulated:
            raise OutOfTime
        amount = size / self._instance.bytes_per_unit / self._nominal
        settings = Settings(
            candidate.packing.chunk * amount / loops, loops, self._running.step_time
        )
        self.candidates += 1
        return simulate(candidate.program, self._network, settings, self._control.check).time

    def _program_told(self, candidate: _Candidate) -> ProgramOut:
        names = [processor.id for processor in self._instance.platform.processors]

        def told(routes: Sequence[Route]) -> list[list[str]]:
            return [[names[i] for i in route] for route in routes]

        return ProgramOut(
            order=candidate.order,
            split=candidate.program.split,
            instances=candidate.program.instances,
            chunk=candidate.packing.chunk,
            blocks=candidate.blocks,
            depth=candidate.program.depth,
            trees=[
                ProgramTree(
                    message=message.name,
                    root=names[tree.root],
                    chunks=tree.chunks,
                    combined=told(tree.combined),
                    spread=told(tree.spread),
                )
                for message, tree in candidate.packing.trees
            ],
        )
