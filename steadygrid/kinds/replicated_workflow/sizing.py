"""Method and size of a `replicated_workflow` instance, before anything is built."""

from collections.abc import Iterator, Sequence
from math import lcm, log10

from steadygrid.domain.cards import unused_cards
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.job import Options
from steadygrid.domain.platform import has_latencies
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_memory
from steadygrid.kinds.replicated_workflow.faults import num_leaves
from steadygrid.kinds.replicated_workflow.limits import MOST_CYCLE_NODES, MOST_TURN_OPERATIONS
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.kinds.replicated_workflow.stages import (
    able_on_all,
    files_between,
    listed_stages,
    num_nodes,
    rows_of,
)
from steadygrid.kinds.shared.collection import (
    odd_units_of,
    part_sizes,
    unused_memory_of_tasks,
    unused_times,
)
from steadygrid.kinds.shared.elimination import MOST_ENTRIES
from steadygrid.kinds.shared.single_ports import requires_with_tasks

SINCE = 5
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
ORDERS_SINCE = 13
"""Workers that solve less do not know orders of service."""
_LONG = 10**24


def requires(instance: ReplicatedWorkflowInstance, options: Options) -> int:
    """Say how new a version has to be that knows this kind.

    Parameters
    ----------
    instance
        Well-formed.
    options
        `latencies` is read.
    """
    ordered = instance.order is not None or instance.service is not None
    return max(ORDERS_SINCE if ordered else SINCE, requires_with_tasks(instance, options))


def sizing(instance: ReplicatedWorkflowInstance, options: Options) -> Sizing:
    """Choose the method and count what it has to handle.

    A mapping has `operations` per data set, repeats after so many `rows`, and its first graph has so
    many `nodes`: operations by residue of the data set. A search has the program of all allocations
    to bound it by, with so many `coefficients`, and ``exact`` so many `leaves`.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.

    Raises
    ------
    LimitError
        If a mapping has more rows than `max_rows`, or more nodes than are accepted.
    """
    stages = listed_stages(instance)
    between = files_between(instance, stages)
    sizes = {
        "stages": len(stages),
        "processors": len(instance.platform.processors),
        "operations": len(stages) + sum(map(len, between.values())),
    }
    remedy = ""
    method = instance.method
    if instance.mapping is not None:
        method = "evaluate"
        copies = [len(stage.processors) for stage in instance.mapping]
        sizes |= {"rows": rows_of(copies), "nodes": num_nodes(copies, between)}
        _check_rows(instance, copies, sizes["rows"])
        _check_nodes(instance, sizes)
    else:
        method = "portfolio" if method == "auto" else method
        able = able_on_all(instance, stages)
        if method == "exact":
            sizes["leaves"] = num_leaves(instance, able)
        labels = sum(map(len, able))
        resources = part_sizes(instance)["resources"]
        per_column = min(resources, len(stages) + 4 * len(instance.files))
        size = resources * per_column + labels + sizes["processors"] ** 2
        sizes["coefficients"] = min(size, MOST_ENTRIES)
        remedy = "allow the tasks on fewer processors, or leave out processors"
    return Sizing(method, sizes, tuple(_unused(instance)), remedy)


def _check_rows(instance: ReplicatedWorkflowInstance, copies: Sequence[int], rows: int) -> None:
    """Refuse too many rows; name the stage whose copies multiply them most, and what does not."""
    if rows <= instance.max_rows:
        return
    after = [1]
    for count in reversed(copies):
        after.append(lcm(after[-1], count))
    before, worst = 1, (1, 0, 1)
    for k, count in enumerate(copies):
        others = lcm(before, after[len(copies) - 1 - k])
        worst = max(worst, (lcm(others, count) // others, -k, others), key=lambda w: w[:2])
        before = lcm(before, count)
    factor, place, others = worst
    k = -place
    nearest = min(
        (c for c in range(1, 2 * copies[k]) if others % c == 0),
        key=lambda c: (abs(c - copies[k]), c),
    )
    stage = instance.mapping[k].tasks[0] if instance.mapping is not None else ""
    detail = (
        f"the mapping repeats after {_count(rows)} data sets, the least common multiple of the numbers"
        f" of processors, and max_rows is {instance.max_rows:,}: the {copies[k]} processors of the stage"
        f" of {stage!r} multiply it by {_count(factor)}, {nearest} would not. Name as many, or raise max_rows"
    )
    raise LimitError(detail, [Fault(("problem", "mapping"), "too_many_rows", detail)])


def _count(number: int) -> str:
    return f"{number:,}" if number < _LONG else f"about 10^{int(log10(number))}"


def _check_nodes(instance: ReplicatedWorkflowInstance, sizes: dict[str, int]) -> None:
    """Refuse what can neither be solved round by round nor played turn by turn."""
    if sizes["nodes"] <= MOST_CYCLE_NODES:
        return
    turns = sizes["rows"] * sizes["operations"]
    if instance.ports == "no_overlap" and turns <= MOST_TURN_OPERATIONS:
        return
    detail = (
        f"the operations have {sizes['nodes']:,} places to run, and at most {MOST_CYCLE_NODES:,} are"
        " accepted: name fewer processors, or numbers of them with common factors"
    )
    raise LimitError(detail, [Fault(("problem", "mapping"), "limit_exceeded", detail)])


def _unused(instance: ReplicatedWorkflowInstance) -> Iterator[str]:
    """Name what was given but is not used."""
    yield from odd_units_of(instance)
    platform = instance.platform
    if has_latencies(platform):
        yield "latencies are not used: a file takes the time of its link, and nothing before"
    if any(p.bandwidth_in is not None or p.bandwidth_out is not None for p in platform.processors):
        yield f"bandwidth_in and bandwidth_out are not used under {instance.ports}"
    if platform.media:
        yield f"media are not used under {instance.ports}"
    if platform.routes:
        yield "routes are not used: every file goes over the link between its two processors"
    yield from unused_cards(platform)
    yield from unused_times(instance)
    yield from unused_memory(instance.platform)
    yield from unused_memory_of_tasks(instance)
    stages = listed_stages(instance)
    left = {i for listed in files_between(instance, stages).values() for i in listed}
    inside = [file for i, file in enumerate(instance.application.files) if i not in left]
    if inside:
        verb = (
            "file stays inside its stage and takes"
            if len(inside) == 1
            else ("files stay inside their stages and take")
        )
        named = "" if len(inside) == 1 else "such as "
        yield f"{len(inside)} {verb} no time: {named}{inside[0].source} -> {inside[0].target}"
    if instance.mapping is not None:
        busy = {name for stage in instance.mapping for name in stage.processors}
        idle = [p.id for p in platform.processors if p.id not in busy]
        if len(idle) == 1:
            yield f"1 processor takes no part: {idle[0]}"
        elif idle:
            yield f"{len(idle)} processors take no part, such as {idle[0]}"
