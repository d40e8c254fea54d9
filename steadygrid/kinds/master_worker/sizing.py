"""Faults, method and size of a `master_worker` instance, before anything is built."""

from collections.abc import Iterator
from dataclasses import dataclass

from steadygrid.domain.cards import cards_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import (
    Arc,
    Platform,
    arc_uses,
    computing_resource,
    media_faults,
    no_processor,
    platform_faults,
)
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_parts
from steadygrid.kinds.master_worker.holders import Holders
from steadygrid.kinds.master_worker.pools import pooled_instance, pools_of
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.shared.reaching import reachable
from steadygrid.kinds.shared.scale import odd_units
from steadygrid.kinds.shared.start_ups import start_up_faults, vain_options


def faults(instance: MasterWorkerInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of the platform hold.
    2. The master is known and no switch.
    3. Exactly one of `work` and `times` is given. `times` are of known processors that are no
       switches.
    4. Media are given only with ``multiport``, and cards only where `cards_faults` says so.
    5. Latencies can be paid where they are to be.
    6. The throughput is bounded.
    7. The platform is a tree where ``bandwidth_centric`` is asked for.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `latencies` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    platform = instance.platform
    platform_is_sound = True
    for fault in platform_faults(platform, (*at, "platform")):
        platform_is_sound = False
        yield fault
    master = platform.index_by_id.get(instance.master)
    if master is None:
        detail = no_processor(instance.master, Known(platform.running))
        if any(one.members is not None for one in platform.processors):
            detail += ". If it is one of those that a processor stands for, read the platform with it apart"
        yield Fault((*at, "master"), "unknown_processor", detail)
    elif platform.processors[master].switch:
        yield Fault(
            (*at, "master"),
            "switch_master",
            "a switch only forwards and holds no tasks: leave out `switch` to make it a router",
        )
    times_are_sound = True
    for fault in _task_faults(instance, (*at, "task")):
        times_are_sound = False
        yield fault
    yield from media_faults(platform, instance.ports, (*at, "platform"))
    yield from cards_faults(platform, instance.ports, (*at, "platform"))
    yield from start_up_faults(instance, options, at)
    if not platform_is_sound or master is None or not times_are_sound:
        return
    reach = Reach.from_instance(instance)
    if instant := _instant_worker(instance, reach):
        yield Fault(
            (*at, "task"),
            "unbounded_throughput",
            f"processor {instant!r} computes the task in no time and its files travel in no time:"
            " give the task some work, or its files a size",
        )
    if instance.method == "bandwidth_centric" and (reason := why_not_bandwidth_centric(instance)):
        yield Fault((*at, "method"), "method_not_applicable", f'{reason}: use "lp" or "auto"')


def _task_faults(instance: MasterWorkerInstance, at: Pointer) -> Iterator[Fault]:
    task = instance.task
    if (task.work is None) == (task.times is None):
        yield Fault(at, "ambiguous_work", "give exactly one of work and times")
    processors = instance.platform.index_by_id
    known = Known(instance.platform.running)
    for name in task.times or ():
        here = (*at, "times", name)
        if name not in processors:
            yield Fault(here, "unknown_processor", no_processor(name, known))
        elif instance.platform.processors[processors[name]].switch:
            yield Fault(here, "switch_computes", "a switch only forwards: it runs no task")


@dataclass(frozen=True)
class Reach:
    """The part of the platform that can matter, by indices in platform order."""

    workers: tuple[int, ...]
    """Processors that can get the input, compute, and, if results return, send them back."""
    input_arcs: tuple[Arc, ...]
    """Arcs within reach of the master, none of them back into it."""
    output_arcs: tuple[Arc, ...]
    """Arcs from which the master can be reached, none of them out of it."""

    @classmethod
    def from_instance(cls, instance: MasterWorkerInstance) -> "Reach":
        """Search the platform forwards and, if results return, backwards from the master."""
        platform = instance.platform
        master = platform.index_by_id[instance.master]
        returns = instance.task.output_size > 0
        forwards = reachable(platform, master)
        backwards = reachable(platform, master, backwards=True) if returns else forwards
        return cls(
            tuple(
                i
                for i, time in enumerate(instance.compute_times)
                if time is not None and i in forwards and i in backwards
            ),
            tuple(a for a in platform.arcs if a.source in forwards and a.target != master),
            tuple(
                a for a in platform.arcs if returns and a.target in backwards and a.source != master
            ),
        )

    @property
    def is_tree(self) -> bool:
        """Whether the links within reach of the master, or that lead there, are a tree.

        Where the routing is fixed, files may take all its paths unless routes are missing.
        """
        arcs = self.input_arcs + self.output_arcs
        links = {(min(a.source, a.target), max(a.source, a.target)) for a in arcs}
        nodes = {node for link in links for node in link}
        return len(links) == max(len(nodes), 1) - 1


def _instant_worker(instance: MasterWorkerInstance, reach: Reach) -> str | None:
    files_travel_free = not instance.task.input_size and not instance.task.output_size
    for i in reach.workers:
        processor = instance.platform.processors[i].id
        at_master = processor == instance.master
        if instance.compute_times[i] == 0 and (at_master or files_travel_free):
            return processor
    return None


def why_not_bandwidth_centric(instance: MasterWorkerInstance) -> str | None:
    """Say why the tree algorithm does not apply. None if it does."""
    if instance.ports != "one_port":
        return "bandwidth_centric knows the one-port model only"
    if instance.task.output_size:
        return "bandwidth_centric knows no output files"
    platform = instance.platform
    reach = Reach.from_instance(instance)
    if instance.routing == "fixed" and platform.missing_routes:
        return "bandwidth_centric knows no routes that are missing"
    if any(platform.processors[end].switch for arc in reach.input_arcs for end in arc[1:3]):
        return "bandwidth_centric knows no switches"
    if any(platform.processors[end].has_cards for arc in reach.input_arcs for end in arc[1:3]):
        return "bandwidth_centric knows one network card for each processor"
    return None if reach.is_tree else "what the master reaches is not a tree"


def sizing(instance: MasterWorkerInstance, options: Options) -> Sizing:
    """Choose the method and count variables, constraints and coefficients of the program.

    It is that of the platform on which interchangeable processors are pools. The tree algorithm
    knows all processors.

    Parameters
    ----------
    instance
        Without faults.
    options
        `prefer` is read, and those of latencies, to warn of what is not used.
    """
    method = instance.method
    if method == "auto":
        by_tree = options.prefer != "least_traffic" and not why_not_bandwidth_centric(instance)
        method = "bandwidth_centric" if by_tree else "lp"
    reach = Reach.from_instance(instance)
    pools = pools_of(instance) if method == "lp" else None
    classes = 0 if pools is None else len(pools.classes)
    known = instance if pools is None else pooled_instance(instance, pools)
    return Sizing(
        method,
        {
            "processors": len(instance.platform.processors),
            "links": len(instance.platform.links),
            "workers": len(reach.workers),
            "classes": classes,
            **_counted(known, reach if known is instance else Reach.from_instance(known)),
        },
        (
            *_out_of_reach(instance, reach),
            *_without_route(instance, reach),
            *odd_units(
                instance.platform,
                [instance.task.work],
                (instance.task.times or {}).values(),
                instance.file_sizes.values(),
            ),
            *_unused(instance.platform, instance, options),
        ),
    )


def _counted(instance: MasterWorkerInstance, reach: Reach) -> dict[str, int]:
    """Count what the program over a platform has."""
    arcs = reach.input_arcs + reach.output_arcs
    ids = [processor.id for processor in instance.platform.processors]
    resources = {computing_resource(ids[i], instance.ports) for i in reach.workers}
    uses = 0
    for arc in arcs:
        taken = {use.resource for use in arc_uses(instance.platform, arc, instance.ports)}
        resources |= taken
        uses += len(taken)
    files = len(instance.file_sizes)
    flows = len(arcs)
    if instance.routing == "fixed" and not (reach.is_tree and not instance.platform.missing_routes):
        legs, hops = Holders.from_instance(instance).count(instance.platform)
        flows = files * legs
        uses = files * hops * uses // max(len(arcs), 1)
    return {
        "variables": len(reach.workers) + flows,
        "constraints": len(resources) + files * (len(ids) - 1),
        "coefficients": uses + 2 * flows + (1 + files) * len(reach.workers),
    }


def _out_of_reach(instance: MasterWorkerInstance, reach: Reach) -> Iterator[str]:
    """Say how much of the platform the master's tasks cannot use, and why."""
    able = [i for i, time in enumerate(instance.compute_times) if time is not None]
    lost = sorted(set(able) - set(reach.workers))
    if not lost:
        return
    back = " and back" if instance.task.output_size else ""
    example = instance.platform.processors[lost[0]].id
    yield (
        f"no links lead from {instance.master!r} to {len(lost)} of the {len(able)} processors that"
        f" can compute{back}, such as {example!r}: they get no tasks"
    )


def _without_route(instance: MasterWorkerInstance, reach: Reach) -> Iterator[str]:
    """Say to which workers the master has no route, where that is said of them."""
    if instance.routing == "free":
        return
    names = [instance.platform.processors[i].id for i in reach.workers]
    missing = instance.platform.missing_routes
    there = [name for name in names if (instance.master, name) in missing]
    back = [name for name in names if (name, instance.master) in missing]
    for closed, direction in (
        (there, "from {} to"),
        (back if instance.task.output_size else [], "to {} from"),
    ):
        if closed:
            yield (
                f"the platform has no route {direction.format(repr(instance.master))} {len(closed)} of the"
                f" {len(names)} workers, such as {closed[0]!r}: their files are relayed by others, or"
                " they get no tasks"
            )


def _unused(platform: Platform, instance: MasterWorkerInstance, options: Options) -> Iterator[str]:
    """Name what was given but is not used."""
    yield from unused_parts(platform, instance.ports, pays=options.latencies == "paid")
    yield from vain_options(platform, options)
    if platform.routes and instance.routing == "free":
        yield (
            'routes are not used: "routing": "free" chooses the routes itself, "fixed" keeps to them'
        )
    if instance.task.times is not None and any(
        p.time_per_work is not None for p in platform.processors
    ):
        yield "the processors' speeds are not used: task.times gives the times"
