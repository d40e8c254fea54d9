"""Faults, method and size of a `bag_of_tasks` instance, before anything is built."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from steadygrid.domain.cards import cards_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import (
    arc_uses,
    media_faults,
    no_processor,
    platform_faults,
)
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.unused import unused_parts
from steadygrid.domain.wording import shown
from steadygrid.kinds.bag_of_tasks.grid import MOST_CELLS, grid_of, num_cells
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED
from steadygrid.kinds.bag_of_tasks.schemas import Bag, BagOfTasksInstance, UniformTasks
from steadygrid.kinds.bag_of_tasks.streams import stream_faults, stream_length
from steadygrid.kinds.shared.scale import odd_units
from steadygrid.kinds.shared.single_ports import requires_to_read
from steadygrid.kinds.shared.start_ups import start_up_faults, vain_options

SINCE = 4
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
_LONGEST_SUM = 60
"""Digits of a sum of probabilities that is shown exactly."""
CELL_METHODS = ("means", "approximation")
LONGEST_BATCH = 3_000
"""Digits of the fewest tasks in proportion; answers repeat them, and programs read 4,300."""


def requires(instance: BagOfTasksInstance, options: Options) -> int:
    """Say from which version on it can be solved.

    Parameters
    ----------
    instance
        Well-formed.
    options
        Not read.
    """
    return max(SINCE, requires_to_read(instance, options))


def faults(instance: BagOfTasksInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of the platform hold, and the master is known.
    2. Media are given only with ``multiport``, and cards only where `cards_faults` says so.
    3. Latencies can be paid where they are to be.
    4. Bags are named once. Each has either classes or tasks with probabilities that sum to 1, or
       uniform sizes and works in intervals that geometric grids cover.
    5. A batch of tasks can be printed.
    6. The platform is a star around the master, without switches.
    7. Each processor that computes has a link from the master. Some processor computes.
    8. The throughput is bounded.
    9. What `stream_faults` says holds.

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
    is_sound = True
    for fault in platform_faults(platform, (*at, "platform")):
        is_sound = False
        yield fault
    if instance.master not in platform.index_by_id:
        is_sound = False
        detail = no_processor(instance.master, Known(platform.running))
        yield Fault((*at, "master"), "unknown_processor", detail)
    yield from media_faults(platform, instance.ports, (*at, "platform"))
    yield from cards_faults(platform, instance.ports, (*at, "platform"))
    yield from start_up_faults(instance, options, at)
    for fault in _bag_faults(instance, (*at, "bags")):
        is_sound = False
        yield fault
    if not is_sound:
        return
    for fault in _method_faults(instance, at):
        is_sound = False
        yield fault
    if _is_batch_long(instance):
        is_sound = False
        yield Fault(
            (*at, "bags"),
            "batch_too_long",
            "the fewest tasks in proportion to priorities and probabilities are a number of more"
            f" than {LONGEST_BATCH:,} digits. Write both with common denominators, such as"
            " multiples of 1/1000",
        )
    for fault in _star_faults(instance, (*at, "platform")):
        is_sound = False
        yield fault
    if is_sound and _is_unbounded(instance):
        yield Fault(
            (*at, "bags"),
            "unbounded_throughput",
            "no task of any bag costs anything where it is cheapest, so there is no greatest"
            " throughput: give a class some work"
            + (", or take away the master's speed" if _master_computes(instance) else " or a size"),
        )
        return
    if is_sound:
        yield from stream_faults(instance, at)


def _bag_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    seen: set[str] = set()
    for k, bag in enumerate(instance.bags):
        if bag.id in seen:
            yield Fault((*at, k, "id"), "duplicate_bag", f"bag {shown(bag.id)} is given twice")
        seen.add(bag.id)
        yield from _distribution_faults(bag, (*at, k))


def _distribution_faults(bag: Bag, at: Pointer) -> Iterator[Fault]:
    if sum(given is not None for given in (bag.classes, bag.tasks, bag.uniform)) != 1:
        yield Fault(at, "one_distribution", "give exactly one of classes, tasks and uniform")
    elif bag.uniform is not None:
        yield from _uniform_faults(bag.uniform, (*at, "uniform"))
    elif bag.classes is not None:
        total = sum((one.probability for one in bag.classes), Fraction(0))
        if total != 1:
            yield Fault(
                (*at, "classes"),
                "probabilities",
                f"the probabilities sum to {_sum(total)}, not to 1: give them as fractions,"
                ' such as "1/3", or give tasks with their counts',
            )


def chosen_method(instance: BagOfTasksInstance) -> str:
    """Take the program over classes where these are not too many, else cells with their means."""
    if instance.method != "auto":
        return instance.method
    is_finite = not any(bag.uniform for bag in instance.bags)
    return "lp" if is_finite and len(instance.classes) <= MOST_CELLS else "means"


def _method_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    if chosen_method(instance) == "lp":
        if any(bag.uniform for bag in instance.bags):
            yield Fault(
                (*at, "method"),
                "method_not_applicable",
                "lp deals with a finite number of classes: ask means or approximation, or give"
                " classes or tasks in place of uniform",
            )
    elif chosen_method(instance) in CELL_METHODS and _num_cells(instance) is None:
        yield Fault(
            (*at, "epsilon"),
            "too_many_cells",
            f"the grid has more than {MOST_CELLS:,} cells, or bounds of very many digits: give a"
            " larger epsilon, or one of fewer digits such as 1/20",
        )


def _num_cells(instance: BagOfTasksInstance) -> int | None:
    """Count the cells of all grids. None if they are too many to list."""
    is_exact = chosen_method(instance) == "approximation"
    found = 0
    for bag in instance.bags:
        grid = grid_of(bag, instance.epsilon, is_exact=is_exact)
        if grid is None:
            return None
        found += num_cells(bag, grid)
        if found > MOST_CELLS:
            return None
    return found


def _uniform_faults(uniform: UniformTasks, at: Pointer) -> Iterator[Fault]:
    for name in ("input_size", "work"):
        least, greatest = getattr(uniform, name)
        if least > greatest:
            detail = f"the least, {least}, is above the greatest, {greatest}: exchange them"
            yield Fault((*at, name), "empty_interval", detail)
        elif not least and greatest:
            yield Fault(
                (*at, name),
                "minimum_zero",
                "a geometric grid does not reach 0: give a least value above it, or classes",
            )
    if uniform.correlation > 1:
        yield Fault((*at, "correlation"), "correlation", "give a number from 0 to 1")


def _is_batch_long(instance: BagOfTasksInstance) -> bool:
    """Tell whether the least common multiple of the shares' denominators is very long."""
    batch = 1
    total = Fraction(0)
    for bag in instance.bags:
        total += bag.priority
        if num_digits(total) > LONGEST_BATCH:
            return True
    for one in instance.classes:
        batch = lcm(batch, one.share.denominator)
        if num_digits(Fraction(batch)) > LONGEST_BATCH:
            return True
    return False


def _sum(total: Fraction) -> str:
    """Write a sum of probabilities, which may have more digits than Python prints."""
    if num_digits(total) <= _LONGEST_SUM:
        return str(total)
    near = float(total)
    return f"about {near:.12g}" if near != 1 else f"nearly 1 ({'more' if total > 1 else 'less'})"


def _star_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    platform, master = instance.platform, instance.master
    for k, link in enumerate(platform.links):
        if master not in (link.source, link.target):
            yield Fault(
                (*at, "links", k),
                "not_a_star",
                f"tasks go from {shown(master)} directly to who computes them, not over a link"
                f" between {shown(link.source)} and {shown(link.target)}: leave it out, and link"
                " them to the master",
            )
    root = platform.index_by_id[master]
    served = {arc.target for arc in platform.arcs_out[root]} | {root}
    computes = False
    for i, processor in enumerate(platform.processors):
        here = (*at, "processors", i)
        if processor.switch:
            yield Fault(
                (*here, "switch"),
                "switch_in_star",
                "a switch forwards to others, which a star does not have: leave it out",
            )
        computes |= processor.time_per_work is not None
        if processor.time_per_work is not None and i not in served:
            yield Fault(
                here,
                "unreachable",
                f"{shown(processor.id)} computes, but no link leads there from {shown(master)}:"
                " add one, or take away its speed",
            )
    if not computes:
        yield Fault(
            (*at, "processors"),
            "no_processor",
            "no processor can compute: give a processor a speed",
        )


def _master_computes(instance: BagOfTasksInstance) -> bool:
    platform = instance.platform
    return platform.processors[platform.index_by_id[instance.master]].time_per_work is not None


def _is_unbounded(instance: BagOfTasksInstance) -> bool:
    at_master = _master_computes(instance)
    tasks = [(one.input_size, one.work) for one in instance.classes]
    tasks += [(u.input_size[1], u.work[1]) for bag in instance.bags if (u := bag.uniform)]
    return all(not work and (at_master or not size) for size, work in tasks)


def sizing(instance: BagOfTasksInstance, options: Options) -> Sizing:
    """Choose the method and count variables, constraints and coefficients of the program.

    Cells are counted as if all tasks had a size and work, and where tasks are uniform, those that
    they only touch are among them; refining adds more.

    Parameters
    ----------
    instance
        Without faults.
    options
        Those of latencies are read, to warn of what is not used.
    """
    platform, classes = instance.platform, instance.classes
    workers = [i for i, p in enumerate(platform.processors) if p.time_per_work is not None]
    root = platform.index_by_id[instance.master]
    uses = [
        {use.resource for use in arc_uses(platform, arc, instance.ports)}
        for arc in platform.arcs_out[root]
        if platform.processors[arc.target].time_per_work is not None
    ]
    uniform = [bag.uniform for bag in instance.bags if bag.uniform is not None]
    method = chosen_method(instance)
    cells = _num_cells(instance) if method in CELL_METHODS else None
    num = len(classes) if cells is None else cells
    sized = sum(1 for one in classes if one.input_size) if cells is None else cells
    worked = sum(1 for one in classes if one.work) if cells is None else cells
    stream = instance.stream if method in SIMULATED else None
    return Sizing(
        method,
        {
            "bags": len(instance.bags),
            "classes": len(classes),
            **({} if cells is None else {"cells": cells}),
            "workers": len(workers),
            "variables": num * len(workers) + 1,
            "constraints": num + len(workers) + len(set().union(*uses)),
            "coefficients": num * (len(workers) + 1)
            + worked * len(workers)
            + sized * sum(map(len, uses)),
        }
        | ({} if stream is None else {"stream": stream_length(instance) * stream.seeds}),
        (
            *odd_units(
                platform,
                [*(one.work for one in classes), *(y for u in uniform for y in u.work)],
                (),
                [*instance.file_sizes.values(), *(x for u in uniform for x in u.input_size)],
            ),
            *unused_parts(platform, instance.ports, pays=options.latencies == "paid"),
            *vain_options(platform, options),
            *(["routes are not used: tasks go directly to the workers"] if platform.routes else []),
        ),
        remedy="put classes together that hardly differ, ask means with a larger epsilon, or leave out"
        " workers",
    )
