"""Faults, method and size of a `mono_allocation` instance, before anything is built."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import has_latencies, no_processor
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_parts
from steadygrid.kinds.mono_allocation.fitting import (
    Fitting,
    UndecidedError,
    chain_of,
    fitting_of,
    limits_unknown_to,
)
from steadygrid.kinds.mono_allocation.given import given_faults, requires_given
from steadygrid.kinds.mono_allocation.processor_bound import classes_of, spare
from steadygrid.kinds.mono_allocation.program import (
    MOST_SEARCHED,
    Measures,
    exact_program,
    relaxed_program,
)
from steadygrid.kinds.mono_allocation.schemas import (
    REFERENCES,
    SCHEDULED,
    SEARCHES,
    SIMULATED,
    MonoAllocationInstance,
)
from steadygrid.kinds.shared.collection import (
    CollectionInstance,
    able_processors,
    computing_processors,
    faults_of_parts,
    instant_processors,
    joined,
    needs_nothing,
    num_labels,
    odd_units_of,
    part_sizes,
    places_of,
    time_on,
    unbounded_throughput,
    unused_times,
    without_route,
    working,
)
from steadygrid.kinds.shared.elimination import MOST_ENTRIES, eliminate
from steadygrid.kinds.shared.single_ports import MEMORY_SINCE, requires_with_tasks
from steadygrid.kinds.shared.start_ups import start_up_faults, vain_options
from steadygrid.verification.placement import Places

_TASKS_RUN_ONCE = frozenset({"compare", "upper_bound", *REFERENCES})
"""Methods that compare with, or bound, schedules in which every task runs once."""
_ROUNDINGS = frozenset({"rlp_max", "rlp_rand"})


def requires(instance: MonoAllocationInstance, options: Options) -> int:
    """Say how new a version has to be that solves it, with all that only this kind asks.

    Parameters
    ----------
    instance
        Well-formed.
    options
        `latencies` is read.
    """
    asked = requires_with_tasks(instance, options)
    return max(asked, MEMORY_SINCE if instance.contiguous else 0, requires_given(instance))


def faults(instance: MonoAllocationInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of its parts hold, see `faults_of_parts`.
    2. Latencies can be paid where they are to be.
    3. There is no duplication where the method compares with schedules that run every task once.
    4. No files are copied where routes are missing.
    5. Intervals are asked only of a chain of tasks without duplication.
    6. A reference that knows nothing of intervals, or of memory, is not asked for them.
    7. Memory is enough for each task on some processor that can run it, and for all tasks on all
       of these together.
    8. `source` is a processor, no switch, and can run every task.
    9. The rules of a given mapping hold, see `given_faults`.
    10. The throughput is bounded.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `latencies` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    sound = True
    for fault in faults_of_parts(instance, at):
        sound = False
        yield fault
    yield from start_up_faults(instance, options, at)
    if instance.duplication != "none" and instance.method in _TASKS_RUN_ONCE:
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            f"{instance.method} knows only schedules that run every task of an instance once: ask"
            ' for "method": "portfolio" or "milp", or for "duplication": "none"',
        )
    yield from _limit_faults(instance, at)
    if instance.duplication == "tasks_and_files" and without_route(instance):
        yield Fault(
            (*at, "duplication"),
            "missing_routes_with_copies",
            "the platform says that some routes are missing, and routers that copy files would lead"
            ' them there by others: ask for "duplication": "tasks", or for "routing": "free"',
        )
    name = instance.source
    if name is not None and name not in instance.platform.index_by_id:
        sound = False
        detail = no_processor(name, Known(instance.platform.index_by_id))
        yield Fault((*at, "source"), "unknown_processor", detail)
    if not sound:
        return
    if instance.contiguous:
        yield from _chain_faults(instance, at)
    enough = True
    for fault in _memory_faults(instance, at):
        enough = False
        yield fault
    yield from _source_faults(instance, at)
    yield from given_faults(instance, at)
    if enough and _unbounded(instance):
        yield unbounded_throughput(at)


def _limit_faults(instance: MonoAllocationInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse what does not go together with intervals, and references that know no limits."""
    method = instance.method
    if instance.contiguous and instance.duplication != "none":
        yield Fault(
            (*at, "duplication"),
            "contiguous_with_duplication",
            "contiguous gives each task one processor, and each processor one interval of the"
            ' chain: ask for "duplication": "none", or leave contiguous out',
        )
    unable = limits_unknown_to(instance, method)
    if unable is not None:
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            f"{method} {unable}: ask for another method, or leave {unable.split()[-1]} out",
        )


def _chain_faults(instance: MonoAllocationInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse intervals of what is no chain. The first place is named where it is none."""
    if chain_of(instance) is not None:
        return
    names = [task.id for task in instance.application.tasks]
    onward: dict[int, int] = {}
    back: dict[int, int] = {}
    why = ""
    for source, target, _ in instance.files:
        if source in onward:
            both = f"{names[onward[source]]!r} and {names[target]!r}"
            why = f"{names[source]!r} has files to {both}"
        elif target in back:
            both = f"{names[back[target]]!r} and {names[source]!r}"
            why = f"{names[target]!r} has files from {both}"
        onward[source], back[target] = target, source
        if why:
            break
    else:
        first, second = [names[k] for k in range(len(names)) if k not in back][:2]
        why = f"nothing comes to {first!r}, and nothing to {second!r}"
    yield Fault(
        (*at, "contiguous"),
        "not_a_chain",
        "contiguous asks for a chain of tasks, each but the last with one file to the next. Here"
        f" {why}. Leave contiguous out, or join tasks into one",
    )


def _memory_faults(instance: MonoAllocationInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse tasks that need more memory than there is, each alone or all together."""
    if not instance.within_memory:
        return
    able = working(instance.platform)
    limit_of = dict(zip(instance.platform.index_by_id, instance.memory, strict=True))
    here = (*at, "application", "tasks")
    holding: set[str] = set()
    alone = True
    for k, (task, need) in enumerate(zip(instance.application.tasks, instance.needs, strict=True)):
        if not need:
            continue
        limits = {name: limit_of[name] for name in able_processors(task, able)}
        holding.update(limits)
        known = {name: limit for name, limit in limits.items() if limit is not None}
        if len(known) == len(limits) and need > max(known.values()):
            alone = False
            most = max(known, key=lambda name: (known[name], name))
            yield Fault(
                (*here, k, "memory"),
                "too_little_memory",
                f"task {task.id!r} needs memory {need}, and of the processors that can run it"
                f" {most!r} has the most, {known[most]}. Give one more memory, allow the task on a"
                " larger one, or split it",
            )
    total = sum(instance.needs, Fraction(0))
    room = [limit for name in holding if (limit := limit_of[name]) is not None]
    if alone and len(room) == len(holding) and total > sum(room, Fraction(0)):
        yield Fault(
            here,
            "too_little_memory",
            f"all tasks need memory {total} together, and the processors that can run them have"
            f" {sum(room, Fraction(0))}: add processors or memory",
        )


def _source_faults(instance: MonoAllocationInstance, at: Pointer) -> Iterator[Fault]:
    name = instance.source
    if name is None:
        return
    here = (*at, "source")
    position = instance.platform.index_by_id[name]
    if instance.platform.processors[position].switch:
        yield Fault(here, "switch_computes", "a switch only forwards: name another source")
    else:
        tasks, source = instance.application.tasks, instance.platform.processors[position]
        unable = next((task.id for task in tasks if time_on(task, source) is None), None)
        if unable is not None:
            able = working(instance.platform)
            others = set(instance.platform.index_by_id).intersection(
                *(able_processors(task, able) for task in tasks)
            )
            remedy = f"name another, such as {min(others)!r}" if others else "leave source out"
            yield Fault(
                here,
                "task_not_allowed",
                f"{name!r} cannot run task {unable!r}, and all tasks begin on the source: {remedy}",
            )


@dataclass(frozen=True)
class _Reach:
    """Where tasks can be and where their files can get, as bits of places."""

    places: Places
    here: list[int]
    """By task, the places of the processors that can run it."""

    @classmethod
    def from_instance(cls, instance: CollectionInstance) -> "_Reach":
        places = places_of(instance)
        able = working(instance.platform)
        anywhere = reduce(or_, (1 << places.place[name] for name in able), 0)
        here: list[int] = []
        for task in instance.application.tasks:
            if task.times is None and task.allowed is None:
                here.append(anywhere)
                continue
            found = able_processors(task, able)
            here.append(reduce(or_, (1 << places.place[name] for name in found), 0))
        return cls(places, here)

    def reachable_from(self, bits: int) -> int:
        """Give all places that can be reached from some of the given ones."""
        found = 0
        for place, reach in enumerate(self.places.reach):
            if bits >> place & 1:
                found |= reach
        return found


def _unbounded(instance: MonoAllocationInstance) -> bool:
    if instance.duplication != "none":
        return _copies_need_nothing(instance)
    if not needs_nothing(instance):
        return False
    return _fits_for_nothing(instance) if instance.within_memory or instance.contiguous else True


def _fits_for_nothing(instance: MonoAllocationInstance) -> bool:
    """Tell whether an allocation that uses no resource keeps to memory and intervals.

    Tasks that exchange data share a processor. Where it takes too long to find out, it is taken
    for granted: a throughput without a bound could not be written.
    """
    found = fitting_of(instance)
    number = len(instance.needs)
    lead = joined(number, [(s, t) for s, t, size in instance.files if size])
    index = instance.platform.index_by_id
    instant = [{index[name] for name in names} for names in instant_processors(instance)]
    order = (chain_of(instance) if instance.contiguous else None) or range(number)
    leaders = list(dict.fromkeys(lead[k] for k in order))
    position = {leader: place for place, leader in enumerate(leaders)}
    groups = [[k for k in range(number) if lead[k] == leader] for leader in leaders]
    together = Fitting(
        [sum((instance.needs[k] for k in group), Fraction(0)) for group in groups],
        found.limits,
        [set.intersection(*(instant[k] for k in group)) for group in groups],
        [
            (position[lead[s]], position[lead[t]])
            for s, t, _ in instance.files
            if lead[s] != lead[t]
        ],
        found.places,
        found.reaches,
        instance.contiguous,
    )
    try:
        return together.mapping() is not None
    except UndecidedError:
        return True


def _copies_need_nothing(instance: MonoAllocationInstance) -> bool:
    """Tell whether copies of the tasks can run so that no resource is used at all.

    Producers come first. A copy of a task needs nothing where its time is 0 and, of each file that
    it uses, a copy of the producer is there. If the size is 0, it may be anywhere with a route.
    """
    idle = instant_processors(instance)
    reach = _Reach.from_instance(instance)
    users: list[list[int]] = [[] for _ in idle]
    waiting = [0] * len(idle)
    incoming: list[list[tuple[int, bool]]] = [[] for _ in idle]
    for source, target, size in instance.files:
        users[source].append(target)
        waiting[target] += 1
        incoming[target].append((source, not size))
    place = reach.places.place
    ready = [task for task, number in enumerate(waiting) if number == 0]
    for task in ready:
        for source, travels in incoming[task]:
            if travels:
                near = reach.reachable_from(reduce(or_, (1 << place[n] for n in idle[source]), 0))
                idle[task] = {name for name in idle[task] if near >> place[name] & 1}
            else:
                idle[task] = idle[task] & idle[source]
        for user in users[task]:
            waiting[user] -= 1
            if waiting[user] == 0:
                ready.append(user)
    return all(idle[task] for task in ready if not users[task])


def sizing(instance: MonoAllocationInstance, options: Options) -> Sizing:
    """Count what the method has to handle.

    Parameters
    ----------
    instance
        Without faults.
    options
        Those of latencies are read, to warn of what is not used.

    Notes
    -----
    Programs know of interchangeable processors no more than there are tasks, see `spare`.
    `milp` builds the exact program and the roundings its relaxation over the reference routes;
    `portfolio` searches exact programs of up to `MOST_SEARCHED` coefficients as a whole, and
    `compare` builds programs of up to `MOST_COMPARED`. The other methods read times and files
    only. The references keep every operation of every instance, and each counts as a
    coefficient.
    """
    able = working(instance.platform)
    labels = [num_labels(task, able) for task in instance.application.tasks]
    elimination = eliminate(labels, [(source, target) for source, target, _ in instance.files])
    sizes = part_sizes(instance) | {
        "classes": len(classes_of(instance)),
        "width": elimination.width,
        "labelling_entries": elimination.held,
    }
    names = [processor.id for processor in instance.platform.processors]
    unneeded = {names[i] for i in spare(instance)}
    needed = [len(able_processors(task, able) - unneeded) for task in instance.application.tasks]
    measures = Measures.from_instance(instance, needed, sizes["resources"])
    method = instance.method
    table = sum(labels) + len(instance.files)
    operations = instance.instances * (len(labels) + len(instance.files))
    in_parts: list[str] = []
    counted = {"variables": 0, "constraints": 0, "coefficients": table}
    remedy = "allow the tasks on fewer processors, or leave out processors"
    if method == "milp":
        counted = exact_program(instance, measures)
        remedy = 'ask for "method": "portfolio", which searches without it, or ' + remedy
    elif method in _ROUNDINGS:
        counted = relaxed_program(measures)
        remedy = 'ask for "method": "delegate", or ' + remedy
    elif method in SEARCHES:
        whole = exact_program(instance, measures)
        if whole["coefficients"] <= MOST_SEARCHED:
            counted = whole
        else:
            in_parts.append(
                "the exact program is searched in parts by the portfolio: as a whole it would have"
                f" {whole['coefficients']:,} coefficients, more than {MOST_SEARCHED:,}"
            )
    if method in SIMULATED:
        sizes["operations"] = operations
        if operations > counted["coefficients"]:
            counted = counted | {"coefficients": operations}
            remedy = f"ask for fewer than {instance.instances:,} instances"
    sizes |= {name: min(count, MOST_ENTRIES) for name, count in counted.items()}
    warnings = (
        *odd_units_of(instance),
        *unused_parts(
            instance.platform,
            instance.ports,
            pays=options.latencies == "paid" and method in SCHEDULED,
            holds=True,
        ),
        *(vain_options(instance.platform, options) if method in SCHEDULED else ()),
        *_compared_without(instance, options),
        *_unused(instance),
        *in_parts,
        *_note_unconnected_pairs(instance),
    )
    return Sizing(method, sizes, warnings, remedy)


def _compared_without(instance: MonoAllocationInstance, options: Options) -> Iterator[str]:
    """Say what of a comparison pays no latencies though the schedule does."""
    pays = options.latencies == "paid" and has_latencies(instance.platform)
    if instance.method == "compare" and pays:
        yield "the comparison ignores latencies, only the schedule pays them"


def _unused(instance: MonoAllocationInstance) -> Iterator[str]:
    """Name what was given but is not used."""
    method = instance.method
    if instance.platform.routes and instance.routing != "fixed":
        yield f'routes are not used: "routing": "{instance.routing}" chooses the routes itself'
    yield from unused_times(instance)
    yield from _unused_memory(instance)
    if method in REFERENCES and instance.routing != "fixed":
        yield f'"routing": "{instance.routing}" is not used: {method} sends over shortest paths'
    if instance.duplication == "tasks_and_files" and instance.routing == "multipath":
        yield "files are not split: routers that copy them keep them whole"
    if instance.duplication != "none" and method not in (*SEARCHES, "given"):
        yield f"{method} duplicates nothing: its allocation runs every task once"


def _unused_memory(instance: MonoAllocationInstance) -> Iterator[str]:
    """Name memory that limits nothing."""
    processors, tasks = instance.platform.processors, instance.application.tasks
    if any(one.memory is not None for one in processors) and not any(instance.needs):
        yield "memory of processors is not used: no task needs any"
    if any(instance.needs) and all(one.memory is None for one in processors):
        yield "memory of tasks is not used: no processor has a limit"
    idle = [one.id for one in processors if one.memory is not None and one.time_per_work is None]
    idle = [name for name in idle if not any(name in (task.times or ()) for task in tasks)]
    if idle:
        yield f"memory of {idle[0]!r} is not used: it runs no task"


def _note_unconnected_pairs(instance: MonoAllocationInstance) -> Iterator[str]:
    """Tell how many pairs of processors that run tasks have no route between them."""
    reach = _Reach.from_instance(instance)
    members: dict[int, list[str]] = {}
    for name in sorted(computing_processors(instance)):
        members.setdefault(reach.places.place[name], []).append(name)
    apart = 0
    first: tuple[str, str] | None = None
    for one, senders in members.items():
        for other, receivers in members.items():
            if not reach.places.reaches(one, other):
                apart += len(senders) * len(receivers)
                first = first or (senders[0], receivers[0])
    if first is not None:
        yield (
            f"{apart:,} pairs of processors have no route between them, such as {first[0]!r} to"
            f" {first[1]!r}: tasks that exchange a file are not placed on them"
        )
