"""The programs of an answer as they are simulated: with the predicted times, or with times that are wrong."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.exported_program import Factors
from steadygrid.domain.resources import pair_name
from steadygrid.formats.msccl.moves import Program, arrange
from steadygrid.formats.msccl.network import Network, network_of
from steadygrid.formats.msccl.simulation import Settings, order_by_start, simulate, speeds_of
from steadygrid.kinds.collective.execution import PredictedTime, ProgramOut
from steadygrid.kinds.collective.exported_programs import plan_of, trees_of_program
from steadygrid.kinds.collective.nccl_counts import counted_data
from steadygrid.kinds.collective.referee_carriers import read_carriers
from steadygrid.kinds.collective.referee_messages import read_movement
from steadygrid.kinds.collective.referee_prediction import check_loops, check_programs
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.verification.findings import Findings


def programs_of(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple["PredictedProgram", ...]:
    """Give the programs that an answer exports, one for each predicted time.

    Parameters
    ----------
    instance
        Without faults.
    result
        An answer to it.
    """
    told = result.execution
    if told is None:
        return ()
    return tuple(PredictedProgram(instance, result, i) for i in range(len(told.predicted)))


@dataclass(frozen=True)
class PredictedProgram:
    """The program of one of the predicted times."""

    instance: CollectiveInstance
    result: CollectiveResult
    position: int
    """Of the predicted time."""
    _in_order: list[Program] = field(default_factory=list, init=False, repr=False, compare=False)
    """The program in the order of its moves, once it is known."""

    @property
    def _row(self) -> PredictedTime:
        assert self.result.execution is not None
        return self.result.execution.predicted[self.position]

    @property
    def _document(self) -> ProgramOut:
        assert self.result.execution is not None
        return self.result.execution.programs[self._row.program]

    @property
    def size(self) -> int:
        """Bytes of the operation."""
        return self._row.bytes

    @property
    def amount(self) -> Fraction:
        """Operations of the instance that are as much."""
        instance = self.instance
        return self._row.bytes / instance.bytes_per_unit / counted_data(instance)

    @property
    def predicted(self) -> Fraction:
        """Time of the run, as the answer says."""
        return self._row.time

    @property
    def pieces(self) -> int:
        """What is sent, one by one."""
        moves = sum(
            tree.chunks * len((*tree.combined, *tree.spread)) for tree in self._document.trees
        )
        return moves * self._row.loops * self._document.instances

    def faults(self) -> list[Fault]:
        """Find why it cannot be run: rules 1 to 12 of `check_prediction`, and links that differ too much."""
        findings = Findings()
        instance, result, row = self.instance, self.result, self._row
        movement = read_movement(instance)
        carriers = read_carriers(instance.platform)
        programs = check_programs(instance, movement, carriers, result, findings)
        if programs is not None and check_loops(
            instance, movement, self.position, row, programs[row.program], findings
        ):
            try:
                speeds_of(self._by_depth, self._network)
            except LimitError as error:
                at = ("result", "execution", "programs", row.program)
                return [fault._replace(pointer=at) for fault in error.faults]
        return list(findings.faults)

    @cached_property
    def _network(self) -> Network:
        return network_of(self.instance.platform)

    @cached_property
    def _by_depth(self) -> Program:
        plan = plan_of(self._document)
        trees = trees_of_program(self._document, self.instance.platform.index_by_id)
        return arrange(trees, plan.split, plan.instances)

    def _program(self, check: Callable[[], None]) -> Program:
        if self._document.order == "depth":
            return self._by_depth
        if not self._in_order:
            self._in_order.append(order_by_start(self._by_depth, self._network, check))
        return self._in_order[0]

    def time(self, factors: Callable[[str], Factors] | None, check: Callable[[], None]) -> Fraction:
        """Run it. See `ExportedProgram.time`."""
        row, document, running = self._row, self._document, self.instance.execution_settings
        piece = document.chunk * self.amount / (row.loops * document.instances)
        settings = Settings(piece, row.loops, running.step_time)
        program = self._program(check)
        if factors is None:
            return simulate(program, self._network, settings, check).time
        names, drawn = [one.id for one in self.instance.platform.processors], cache(factors)
        return simulate(
            program,
            self._network,
            settings,
            check,
            lambda ends: drawn(pair_name(names[ends[0]], names[ends[1]])),
        ).time
