"""What a `replicated_workflow` instance may be refused for."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from math import lcm

from steadygrid.domain.application import find_cycle
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import no_processor, platform_faults
from steadygrid.domain.wording import shown
from steadygrid.kinds.replicated_workflow.limits import MOST_DIGITS, MOST_LEAVES
from steadygrid.kinds.replicated_workflow.matching import MANY, num_mappings, without_room
from steadygrid.kinds.replicated_workflow.referee_search import mapping_exists
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStage,
    ReplicatedWorkflowInstance,
)
from steadygrid.kinds.replicated_workflow.service_faults import service_faults
from steadygrid.kinds.replicated_workflow.stages import (
    Stages,
    able_on_all,
    files_between,
    instant_on_all,
    listed_stages,
    most_copies,
    place_of_stages,
    stage_names,
    stage_times,
)
from steadygrid.kinds.shared.collection import faults_of_tasks, working

_FEW = 6


def faults(instance: ReplicatedWorkflowInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order, each group only where those before it found nothing:

    1. The rules of the platform hold, and there are no media. The rules of the application hold, those
       of times and allowed processors, and every task has a processor. There is a mapping, or stages,
       where the method takes them.
    2. Tasks in `max_replicas` are known. Stages hold each task once.
    3. The graph of the stages has no cycle. Processors exist and compute. They serve one stage, and
       that once, can run all its tasks, and are no more than `max_replicas`.
    4. With a mapping, every file of every data set has a link. Without, each stage has processors that
       run all of it, and one of its own, and no more mappings are possible than ``exact`` looks at.
    5. The rules of an order of service hold, see `service_faults`.
    6. Something takes time, and times have a common denominator of at most `MOST_DIGITS` digits.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    for rules in (
        (_part_faults, _method_faults),
        (_replica_faults, _task_faults),
        (_cycle_faults, _processor_faults),
        (_link_faults, _room_faults),
        (service_faults,),
        (_idle_faults, _digit_faults),
    ):
        sound = True
        for rule in rules:
            for fault in rule(instance, at):
                sound = False
                yield fault
        if not sound:
            return


def _part_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    platform = instance.platform
    yield from platform_faults(platform, (*at, "platform"))
    if any(link.media for link in platform.links):
        yield Fault(
            (*at, "platform", "media"),
            "media_not_applicable",
            f"media that links share are not part of this model: under {instance.ports} a file has"
            " its link, and the ports of both ends, to itself. Leave media out",
        )
    yield from faults_of_tasks(instance, at)


def _method_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    if instance.mapping is None:
        if instance.method == "evaluate":
            yield Fault(
                (*at, "method"),
                "mapping_missing",
                "evaluate needs a mapping: give one, or leave out method to look for the best",
            )
        return
    if instance.method not in ("auto", "evaluate"):
        yield Fault(
            (*at, "mapping"),
            "mapping_given",
            f"{instance.method} looks for a mapping: leave it out, or ask evaluate",
        )
    if instance.stages is not None:
        yield Fault(
            (*at, "stages"),
            "mapping_given",
            "the mapping says what the stages are: leave stages out",
        )


def _replica_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    if isinstance(instance.max_replicas, dict):
        known = Known(instance.task_index)
        for name in instance.max_replicas:
            if name not in instance.task_index:
                yield Fault(
                    (*at, "max_replicas", name),
                    "unknown_task",
                    f"there is no task {shown(name)}{known.suggestion(name)}",
                )


def _task_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    place = place_of_stages(instance)
    known = Known(instance.task_index)
    first: dict[str, int] = {}
    stages = listed_stages(instance)
    for k, tasks in enumerate(stages):
        here = (*at, place, k, "tasks") if place == "mapping" else (*at, place, k)
        for i, task in enumerate(tasks):
            if task not in instance.task_index:
                detail = f"there is no task {shown(task)}{known.suggestion(task)}"
                yield Fault((*here, i), "unknown_task", detail)
            elif task not in first:
                first[task] = k
            else:
                yield Fault(
                    (*here, i),
                    "task_mapped_twice",
                    f"task {task!r} is in the stage of {stages[first[task]][0]!r} already: keep it in"
                    " one stage",
                )
    missing = [task for task in instance.task_index if task not in first]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        yield Fault(
            (*at, place),
            "task_not_mapped",
            f"{_listed(missing)} {verb} in no stage: add {'it' if verb == 'is' else 'each'} to a"
            " stage",
        )


def _cycle_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    stages = listed_stages(instance)
    between = files_between(instance, stages)
    cycle = _cycle_of(stages, between)
    if not cycle:
        return
    names = stage_names(instance, stages)
    files = instance.application.files
    steps = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
    closing = [files[between[ends][0]] for ends in steps]
    told = [f"{file.source} -> {file.target}" for file in closing]
    route = " -> ".join(_shortened([names[k] for k in (*cycle, cycle[0])], 2 * _FEW))
    yield Fault(
        (*at, place_of_stages(instance)),
        "stage_cycle",
        f"the stages of {route} wait for each other, by the files {', '.join(_shortened(told, 2 * _FEW))}:"
        " merge them into one stage",
    )


def _cycle_of(stages: Stages, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Give the stages of one cycle, or nothing if there is none."""
    named = [(str(k), str(l)) for k, l in pairs]
    return [int(name) for name in find_cycle([str(k) for k in range(len(stages))], named)]


def _processor_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    mapping = instance.mapping or ()
    stages = listed_stages(instance)
    known = Known(instance.platform.index_by_id)
    able = able_on_all(instance, stages) if mapping else []
    serves: dict[str, int] = {}
    for k, stage in enumerate(mapping):
        here = (*at, "mapping", k, "processors")
        seen: set[str] = set()
        for j, name in enumerate(stage.processors):
            position = instance.platform.index_by_id.get(name)
            if position is None:
                yield Fault((*here, j), "unknown_processor", no_processor(name, known))
            elif instance.platform.processors[position].switch:
                detail = "a switch only forwards: name a processor that computes"
                yield Fault((*here, j), "switch_computes", detail)
            elif serves.setdefault(name, k) != k:
                yield _in_two_stages(instance, stages, serves[name], k, name, (*here, j))
            elif name in seen:
                yield Fault(
                    (*here, j),
                    "processor_twice",
                    f"{name!r} is listed in this stage already: round robin visits each processor"
                    " once per turn. Weights are not part of this model",
                )
            elif name not in able[k]:
                yield _not_allowed(instance, stage, name, (*here, j))
            seen.add(name)
        most = most_copies(instance, stage.tasks)
        if most is not None and len(stage.processors) > most:
            yield Fault(
                here,
                "too_many_copies",
                f"{len(stage.processors)} processors, and max_replicas allows the stage of"
                f" {stage.tasks[0]!r} {most}: name fewer, or raise max_replicas",
            )


def _in_two_stages(
    instance: ReplicatedWorkflowInstance,
    stages: Stages,
    one: int,
    other: int,
    name: str,
    here: Pointer,
) -> Fault:
    """Refuse a second stage of a processor; propose one stage for both where that has no cycle."""
    pairs = {
        (one if k == other else k, one if l == other else l)
        for k, l in files_between(instance, stages)
    }
    remedy = "name another processor"
    if not _cycle_of(stages, [ends for ends in pairs if ends[0] != ends[1]]):
        together = ", ".join(_shortened([*stages[one], *stages[other]]))
        remedy = f"put the tasks {together} into one stage, or {remedy}"
    return Fault(
        here,
        "processor_in_two_stages",
        f"{name!r} serves the stage of {stages[one][0]!r} already, and a processor serves one stage"
        f" only, so not that of {stages[other][0]!r}, too: {remedy}",
    )


def _not_allowed(
    instance: ReplicatedWorkflowInstance, stage: MappedStage, name: str, here: Pointer
) -> Fault:
    alone = zip(stage.tasks, able_on_all(instance, [(t,) for t in stage.tasks]), strict=True)
    task, where = next((task, where) for task, where in alone if name not in where)
    return Fault(
        here,
        "task_not_allowed",
        f"{name!r} cannot run task {task!r}: name a processor that can, such as"
        f" {_listed(sorted(where))}",
    )


def _link_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    """Name, for each pair of stages, the first data set a file of which has no link.

    Notes
    -----
    The pairs of processors of the data sets up to the least common multiple of the copies differ, so
    that no more of them are looked at than there are links.
    """
    mapping = instance.mapping
    if mapping is None:
        return
    platform = instance.platform
    for (k, l), files in files_between(instance, listed_stages(instance)).items():
        senders = [platform.index_by_id[name] for name in mapping[k].processors]
        receivers = [platform.index_by_id[name] for name in mapping[l].processors]
        turns = lcm(len(senders), len(receivers))
        for n in range(turns):
            ends = senders[n % len(senders)], receivers[n % len(receivers)]
            if ends not in platform.arc_by_ends:
                sender, receiver = (platform.processors[end].id for end in ends)
                file = instance.application.files[files[0]]
                when = f"every data set n = {n} mod {turns}" if turns > 1 else "every data set"
                yield Fault(
                    (*at, "mapping", l, "processors", n % len(receivers)),
                    "no_link",
                    f"{sender} sends {file.source} -> {file.target} to {receiver} in {when}, but"
                    f" there is no link {sender} -> {receiver}. Add one, or change the copies or their"
                    " order. Routes and switches are not followed",
                )
                break


def _room_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    if instance.mapping is not None:
        return
    stages = listed_stages(instance)
    place = place_of_stages(instance)
    able = able_on_all(instance, stages)
    sound = True
    for k, names in enumerate(able):
        if not names:
            sound = False
            yield Fault(
                (*at, place, k),
                "stage_without_processor",
                f"no processor can run all of {_listed(stages[k])}: allow one to, or make them"
                " several stages",
            )
    if not sound:
        return
    tight = without_room(able)
    if tight:
        near = sorted(set[str]().union(*(able[k] for k in tight)))
        yield Fault(
            (*at, place),
            "too_few_processors",
            f"the {len(tight)} stages of {_listed([stages[k][0] for k in tight])} run on"
            f" {_listed(near)} only, and a processor serves one stage: allow more processors, or put"
            " tasks into one stage",
        )
    elif instance.method == "exact":
        yield from _leaf_faults(instance, able, at)


def _leaf_faults(
    instance: ReplicatedWorkflowInstance, able: Sequence[AbstractSet[str]], at: Pointer
) -> Iterator[Fault]:
    leaves = num_leaves(instance, able)
    if leaves > MOST_LEAVES:
        count = "more than 10^15" if leaves >= MANY else f"up to {leaves:,}"
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            f"exact would look at {count} mappings, and at most {MOST_LEAVES:,} are accepted: ask"
            ' "method": "portfolio", or allow fewer copies or processors',
        )


def num_leaves(instance: ReplicatedWorkflowInstance, able: Sequence[AbstractSet[str]]) -> int:
    """Count the mappings with all orders of their processors, from above.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    able
        For each stage, the names of the processors that can run all of it.
    """
    most = [most_copies(instance, tasks) for tasks in listed_stages(instance)]
    processors = set[str]().union(*able)
    return num_mappings([len(names) for names in able], most, len(processors))


def _idle_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    stages = listed_stages(instance)
    files = instance.application.files
    between = files_between(instance, stages)
    if any(files[i].size for listed in between.values() for i in listed):
        return
    mapping = instance.mapping
    if mapping is None:
        instant = instant_on_all(instance, stages)
        idle = (
            all(instant) and not without_room(instant) and _have_links(instance, instant, between)
        )
    else:
        idle = not any(
            any(stage_times(instance, stage.tasks, stage.processors)) for stage in mapping
        )
    if idle:
        yield Fault(
            (*at, "application"),
            "no_throughput_limit",
            "all data sets can be done in no time, so the throughput has no bound. Give a task some"
            " work or a time, or a file between two stages a size",
        )


def _have_links(
    instance: ReplicatedWorkflowInstance,
    able: Sequence[AbstractSet[str]],
    pairs: Iterable[tuple[int, int]],
) -> bool:
    """Tell whether stages may have processors with links for their files.

    Where it takes too long to find out, it is taken for granted: a throughput without a bound could
    not be written.
    """
    platform = instance.platform
    out, into = ([0] * len(platform.processors) for _ in range(2))
    for arc in platform.arcs:
        out[arc.source] |= 1 << arc.target
        into[arc.target] |= 1 << arc.source
    domains = [sum(1 << platform.index_by_id[name] for name in names) for names in able]
    return mapping_exists(domains, frozenset(pairs), out, into) is not False


def _digit_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    most = 10**MOST_DIGITS
    common = 1
    for factors in _denominators(instance):
        product = 1
        for factor in factors:
            part = 1
            for denominator in factor:
                part = lcm(part, denominator)
                if part >= most:
                    break
            product *= part
        common = lcm(common, product)
        if common >= most:
            yield Fault(
                (*at, "application"),
                "too_many_digits",
                f"the common denominator of all times has more than {MOST_DIGITS} digits: round the"
                " times, sizes, speeds and bandwidths",
            )
            return


def _denominators(
    instance: ReplicatedWorkflowInstance,
) -> Iterator[tuple[Iterable[int], ...]]:
    """List denominators of times: of each of several kinds, as factors that each have a multiple."""
    platform, application = instance.platform, instance.application
    sizes = {file.size.denominator for file in application.files}
    mapping = instance.mapping
    if mapping is None:
        able = working(platform)
        speeds = (p.time_per_work for p in platform.processors if p.id in able)
        works = {task.work.denominator for task in application.tasks if task.work is not None}
        if works:
            yield works, {speed.denominator for speed in speeds if speed is not None}
        yield ({t.denominator for task in application.tasks for t in (task.times or {}).values()},)
        yield sizes, {arc.unit_time.denominator for arc in platform.arcs}
        return
    for stage in mapping:
        times = stage_times(instance, stage.tasks, stage.processors)
        yield ({time.denominator for time in times},)
    for k, l in files_between(instance, listed_stages(instance)):
        senders = [platform.index_by_id[name] for name in mapping[k].processors]
        receivers = [platform.index_by_id[name] for name in mapping[l].processors]
        yield (
            sizes,
            {
                platform.arc_by_ends[
                    senders[n % len(senders)], receivers[n % len(receivers)]
                ].unit_time.denominator
                for n in range(lcm(len(senders), len(receivers)))
            },
        )


def _shortened(names: Sequence[str], most: int = _FEW) -> list[str]:
    """Give the first of some names, and say that there are more."""
    return [*names[:most], "..."] if len(names) > most else list(names)


def _listed(names: Collection[str]) -> str:
    """List some names, or the first of them and how many more there are."""
    if len(names) <= _FEW:
        return ", ".join(map(repr, names))
    first = ", ".join(map(repr, islice(names, _FEW - 1)))
    return f"{first} and {len(names) - _FEW + 1:,} more"
