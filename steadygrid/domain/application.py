"""The application: a task graph whose edges are files."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.graph_objects import TaskGraph
from steadygrid.domain.nearest import Known
from steadygrid.domain.rational import Rational
from steadygrid.domain.text import Frozen, Identifier, PlainText
from steadygrid.domain.wording import shown


class Task(Frozen):
    """A task. Its time on a processor is ``times[P]``, or ``work`` times the unit time of P."""

    id: Identifier = Field(description="names the task, unique in the application")
    work: Rational | None = Field(None, description="work per instance")
    times: dict[Identifier, Rational] | None = Field(
        None, description="time by processor. A processor that is not named cannot run the task"
    )
    allowed: tuple[Identifier, ...] | None = Field(
        None,
        strict=False,
        min_length=1,
        description="the only processors that may run the task. Default: all that can",
    )
    memory: Rational | None = Field(
        None,
        description="needed on each processor that runs the task, even if other tasks run there, in"
        " the unit of processors[].memory. None if not given, mono_allocation",
    )


class File(Frozen):
    """What `source` makes for `target`, once per instance."""

    source: Identifier = Field(description="id of the task that makes the file")
    target: Identifier = Field(description="id of the task that uses the file")
    size: Rational = Field(description="units of data")


class Application(TaskGraph):
    """A directed acyclic graph of tasks and files, one instance of it per data set."""

    name: PlainText | None = Field(
        None, description="label for people. Without effect on the answer"
    )
    tasks: tuple[Task, ...] = Field(
        strict=False, min_length=1, description="tasks of one instance, at least one"
    )
    files: tuple[File, ...] = Field(
        (), strict=False, description="files among the tasks. Default: none"
    )


def application_faults(application: Application, at: Pointer) -> Iterator[Fault]:
    """List what is wrong with a well-formed application, for every platform.

    Rules, in order: exactly one of `work` and `times`; `graph_faults`.

    Parameters
    ----------
    application
        Tasks, and the files among them.
    at
        Where the checked part is in the document; faults point there.
    """
    for i, task in enumerate(application.tasks):
        if (task.work is None) == (task.times is None):
            yield Fault((*at, "tasks", i), "ambiguous_work", "give exactly one of work and times")
    yield from graph_faults([task.id for task in application.tasks], application.files, at)


def graph_faults(names: Sequence[str], files: Sequence[File], at: Pointer) -> Iterator[Fault]:
    """List what is wrong with the graph of an application, for tasks of any kind.

    Rules, in order:

    1. Ids of tasks are unique.
    2. Ends of files are known.
    3. No file is from a task to itself.
    4. A pair of tasks has one file.
    5. There is no cycle (one is named).

    Parameters
    ----------
    names
        The id of each task, in the order given.
    """
    tasks: set[str] = set()
    for i, name in enumerate(names):
        if name in tasks:
            yield Fault((*at, "tasks", i, "id"), "duplicate_task", f"task {name!r} is given twice")
        tasks.add(name)
    known = Known(names)
    pairs: set[tuple[str, str]] = set()
    for i, file in enumerate(files):
        here = (*at, "files", i)
        for end in ("source", "target"):
            if getattr(file, end) not in tasks:
                name = getattr(file, end)
                detail = f"there is no task {shown(name)}{known.suggestion(name)}"
                yield Fault((*here, end), "unknown_task", detail)
        if (file.source, file.target) in pairs:
            yield Fault(
                here,
                "duplicate_file",
                f"there is already a file from {file.source!r} to {file.target!r}: add the sizes",
            )
        pairs.add((file.source, file.target))
    cycle = find_cycle(sorted(tasks), sorted(pairs))
    if cycle:
        yield Fault(
            (*at, "files"), "cycle", "the files form a cycle: " + " -> ".join((*cycle, cycle[0]))
        )


def find_cycle(tasks: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Give the tasks of one cycle in order, or nothing if there is none.

    Linear time; walks iteratively, for chains longer than Python's stack.

    Parameters
    ----------
    tasks
        Ids of the tasks.
    pairs
        Each the task before and the one after; unknown ones do not count.
    """
    followers: dict[str, list[str]] = {task: [] for task in tasks}
    for source, target in pairs:
        if source in followers and target in followers:
            followers[source].append(target)
    done: set[str] = set()
    for root in tasks:
        trail: list[str] = []
        position: dict[str, int] = {}
        stack = [(root, iter(followers[root]))] if root not in done else []
        while stack:
            task, rest = stack[-1]
            if task not in position:
                position[task] = len(trail)
                trail.append(task)
            for follower in rest:
                if follower in position:
                    return trail[position[follower] :]
                if follower not in done:
                    stack.append((follower, iter(followers[follower])))
                    break
            else:
                stack.pop()
                trail.pop()
                del position[task]
                done.add(task)
    return []
