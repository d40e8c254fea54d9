"""What is wrong with a mapping that is given to be evaluated, and with the routes of its files."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import no_processor
from steadygrid.domain.slots import FileName
from steadygrid.domain.wording import shown
from steadygrid.kinds.mono_allocation.fitting import chain_of
from steadygrid.kinds.mono_allocation.schemas import GivenPath, MonoAllocationInstance
from steadygrid.kinds.shared.collection import able_processors, working

SINCE = 8
"""Workers that solve less cannot read a mapping, see `steadygrid.kinds.SOLVES`."""


def requires_given(instance: MonoAllocationInstance) -> int:
    """Say how new a version has to be that reads a mapping, its paths and what bounds it."""
    own = instance.mapping, instance.paths, instance.method, instance.bound_method
    return 0 if own[:2] == (None, None) and own[2] != "given" and own[3] == "relaxation" else SINCE


def given_faults(instance: MonoAllocationInstance, at: Pointer) -> Iterator[Fault]:
    """List the faults of a mapping that is to be evaluated, in an instance of sound parts.

    Rules, in order:

    1. There is a mapping, and routers copy no files.
    2. The mapping places exactly the application's tasks, each on a processor that there is and
       that can run it.
    3. A task is on no processor twice, and on several only where tasks may be duplicated.
    4. The mapping keeps to memory and intervals.
    5. The rules of its paths hold, see `_path_faults`.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if instance.method != "given":
        return
    if instance.mapping is None:
        yield Fault(
            (*at, "mapping"),
            "mapping_missing",
            "given evaluates a mapping: say which processors run each task, or ask for a method that"
            " looks for a mapping, such as portfolio",
        )
        return
    if instance.duplication == "tasks_and_files":
        yield Fault(
            (*at, "duplication"),
            "method_not_applicable",
            "given does not know files that routers copy: ask for"
            ' "duplication": "tasks", or "none", or for "method": "portfolio"',
        )
    sound = True
    for fault in _placing_faults(instance, instance.mapping, (*at, "mapping")):
        sound = False
        yield fault
    if not sound:
        return
    yield from _limit_faults(instance, instance.mapping, (*at, "mapping"))
    yield from _path_faults(instance, instance.mapping, (*at, "paths"))


Placed = Mapping[str, Sequence[str]]
"""By task, the processors that run it."""


def _placing_faults(
    instance: MonoAllocationInstance, mapping: Placed, at: Pointer
) -> Iterator[Fault]:
    able = working(instance.platform)
    known = Known(instance.task_index)
    known_processors = Known(instance.platform.index_by_id)
    for task, names in mapping.items():
        here = (*at, task)
        position = instance.task_index.get(task)
        if position is None:
            detail = f"there is no task {shown(task)}{known.suggestion(task)}"
            yield Fault(here, "unknown_task", detail)
            continue
        allowed = able_processors(instance.application.tasks[position], able)
        if not names:
            yield Fault(here, "task_not_mapped", f"task {task!r} runs nowhere: name a processor")
        if len(names) > 1 and instance.duplication == "none":
            yield Fault(
                here,
                "duplicated_task",
                f"task {task!r} runs on {len(names)} processors: name one, or ask for"
                ' "duplication": "tasks"',
            )
        for i, name in enumerate(names):
            if name not in instance.platform.index_by_id:
                detail = no_processor(name, known_processors)
                yield Fault((*here, i), "unknown_processor", detail)
            elif name not in allowed:
                remedy = f"name another, such as {min(allowed)!r}"
                yield Fault(
                    (*here, i), "task_not_allowed", f"{name!r} cannot run task {task!r}: {remedy}"
                )
            elif name in names[:i]:
                yield Fault(
                    (*here, i),
                    "repeated_processor",
                    f"task {task!r} is on {name!r} already: name each processor once",
                )
    for task in instance.task_index:
        if task not in mapping:
            yield Fault(
                at, "task_not_mapped", f"task {task!r} is not mapped: name a processor for it"
            )


def _limit_faults(
    instance: MonoAllocationInstance, mapping: Placed, at: Pointer
) -> Iterator[Fault]:
    """Refuse what does not keep to memory, or to intervals of a chain."""
    held: Amounts[str] = Amounts()
    for task, need in zip(instance.task_index, instance.needs, strict=True):
        for name in mapping[task]:
            held[name] += need
    for name, limit in zip(instance.platform.index_by_id, instance.memory, strict=True):
        if limit is not None and held[name] > limit:
            yield Fault(
                at,
                "too_little_memory",
                f"the tasks on {name!r} need memory {held[name]}, and it has {limit}: map some of"
                " them to other processors",
            )
    order = chain_of(instance) if instance.contiguous else None
    if order is None or instance.duplication != "none":
        return
    tasks = list(instance.task_index)
    left: dict[str, str] = {}
    before = ""
    for k in order:
        name = mapping[tasks[k]][0]
        if name in left and name != before:
            yield Fault(
                (*at, tasks[k], 0),
                "not_contiguous",
                f"{name!r} runs {left[name]!r} and {tasks[k]!r}, but not all between them: map an"
                " interval to each processor, or leave contiguous out",
            )
        left[name] = tasks[k]
        before = name


def _path_faults(instance: MonoAllocationInstance, mapping: Placed, at: Pointer) -> Iterator[Fault]:
    """List the faults of paths, for a mapping without faults.

    Rules, in order:

    1. No path is given where routing is fixed.
    2. A path is of a file of the application, from a processor that makes it to one that needs it
       and does not make it.
    3. It begins and ends there, over links that there are, past no processor twice. It is listed
       once.
    4. Only with ``multipath`` are there several from one processor to another. Their shares sum to
       1.
    5. A processor gets a file from one other.
    """
    paths = instance.paths or ()
    if paths and instance.routing == "fixed":
        yield Fault(
            at,
            "paths_not_applicable",
            'with "routing": "fixed" files take the routes of the platform, else the shortest paths:'
            ' leave paths out, or ask for "routing": "free", or "multipath" where files are split',
        )
        return
    shares: Amounts[tuple[FileName, str, str]] = Amounts()
    first: dict[tuple[FileName, str, str], int] = {}
    senders: dict[tuple[FileName, str], str] = {}
    seen: set[tuple[FileName, tuple[str, ...]]] = set()
    for i, given in enumerate(paths):
        here = (*at, i)
        faults = [*_faults_of_path(instance, mapping, given, here)]
        yield from faults
        if faults:
            continue
        pair = given.file, given.source, given.target
        shares[pair] += given.share
        if (given.file, given.path) in seen:
            yield Fault((*here, "path"), "repeated_path", "this path is listed already: add shares")
        seen.add((given.file, given.path))
        if pair in first and instance.routing != "multipath":
            yield Fault(
                here,
                "split_file",
                f"the file has a path from {given.source!r} to {given.target!r} already: only"
                ' "routing": "multipath" splits files',
            )
        first.setdefault(pair, i)
        sender = senders.setdefault((given.file, given.target), given.source)
        if sender != given.source:
            yield Fault(
                (*here, "source"),
                "sent_again",
                f"{given.target!r} gets the file from {sender!r} already: give the paths from one of"
                " them",
            )
    for pair, share in shares.items():
        if share != 1:
            yield Fault(
                (*at, first[pair], "share"),
                "shares_miss_one",
                f"the shares of the file from {pair[1]!r} to {pair[2]!r} sum to {share}: they have to"
                " sum to 1",
            )


def _faults_of_path(
    instance: MonoAllocationInstance, mapping: Placed, given: GivenPath, at: Pointer
) -> Iterator[Fault]:
    """Refuse a path that no such file could take."""
    if given.file not in instance.file_sizes:
        known = Known(" -> ".join(file) for file in instance.file_sizes)
        name = " -> ".join(given.file)
        yield Fault(
            (*at, "file"), "unknown_file", f"there is no file {shown(name)}{known.suggestion(name)}"
        )
        return
    maker, user = given.file
    if given.source not in mapping[maker]:
        yield Fault(
            (*at, "source"),
            "path_start",
            f"{given.source!r} does not run {maker!r}, which makes the file: that is mapped to"
            f" {_listed(mapping[maker])}",
        )
    if given.target not in mapping[user]:
        yield Fault(
            (*at, "target"),
            "path_end",
            f"{given.target!r} does not run {user!r}, which uses the file: that is mapped to"
            f" {_listed(mapping[user])}",
        )
    elif given.target in mapping[maker]:
        yield Fault(
            (*at, "target"),
            "file_stays",
            f"{given.target!r} makes the file itself: leave the path out",
        )
    path = given.path
    for code, place, end, name in (
        ("path_start", 0, given.source, "source"),
        ("path_end", len(path) - 1, given.target, "target"),
    ):
        if path[place] != end:
            detail = f"the path has {path[place]!r} where its {name} is {end!r}"
            yield Fault((*at, "path", place), code, detail)
    index, links = instance.platform.index_by_id, instance.platform.arc_by_ends
    known = Known(index)
    for i, name in enumerate(path):
        if name not in index:
            yield Fault((*at, "path", i), "unknown_processor", no_processor(name, known))
        elif name in path[:i]:
            yield Fault((*at, "path", i), "path_repeats", f"the path passes {name!r} twice")
    for i, (one, other) in enumerate(pairwise(path), start=1):
        if one in index and other in index and (index[one], index[other]) not in links:
            yield Fault(
                (*at, "path", i),
                "missing_link",
                f"there is no link from {one!r} to {other!r}: add it, or name what is between them",
            )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
