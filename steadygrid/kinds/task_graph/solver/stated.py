"""The linear program over constraint lists, for other solvers."""

from typing import Any

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solver import no_program
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.stating import state
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.constraint_lists.model import ListProgram, build_program

LISTS = "processors behind the ids are where the tasks of a list run, in the order of the list"


def state_program(
    instance: TaskGraphInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
) -> StatedProgram:
    """Give the program of `constraint_lists.model`.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    InstanceError
        ``no_program``, where the method is another one.
    """
    if sizing.method != "constraint_lists":
        raise no_program(
            f"the method {sizing.method} has no single program; constraint_lists has one: say"
            " --method constraint_lists, or `method` in the problem"
        )
    program = build_program(instance, control)
    solved = solve_certified(program.model, control)
    if solved.objective is None:
        raise AssertionError(f"task_graph is feasible and bounded, yet {solved.status}")
    names = _Names(program)
    return state(
        solved.reading, "task graphs over constraint lists", names.parts, solved.objective, [LISTS]
    )


class _Names:
    """Says what indices of the model stand for."""

    def __init__(self, program: ListProgram) -> None:
        self._program = program
        self._processors = [one.id for one in program.instance.platform.processors]
        self._tasks = [task.id for task in program.instance.application.tasks]

    def parts(self, word: str, index: Any) -> tuple[str, ...]:
        """Give the ids of what an index of a component stands for."""
        program = self._program
        if word == "placed":
            return self._tasks[index[0]], self._processors[index[1]]
        if word == "agreed":
            block, task, processor = index
            return str(block), self._tasks[task], self._processors[processor]
        if word == "ready":
            block, task, mapped = program.ready[index]
            return str(block), self._tasks[task], *self._mapped(mapped)
        if word == "sent":
            file, number, mapped = program.sent[index]
            source, target, _ = program.instance.files[file]
            arc = program.instance.platform.arcs[number]
            ends = self._processors[arc.source], self._processors[arc.target]
            return self._tasks[source], self._tasks[target], *ends, *self._mapped(mapped)
        if word == "ended":
            block, mapped = program.ended[index]
            return str(block), *self._mapped(mapped)
        return (str(index),)

    def _mapped(self, processors: tuple[int, ...]) -> list[str]:
        return [self._processors[one] for one in processors]
