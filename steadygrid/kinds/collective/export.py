"""Collective operations as algorithms of MSCCL."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.nearest import Known
from steadygrid.formats.exporter import Answer, Exported, Exporter, Instances
from steadygrid.formats.msccl.algorithm import Alternative, write_trees
from steadygrid.formats.msccl.dialects import DIALECTS, ONE_ROOT, Operation
from steadygrid.formats.msccl.document import Settings
from steadygrid.formats.msccl.fitting import Collective
from steadygrid.formats.msccl.network import Network, network_of
from steadygrid.formats.msccl.settings import PARAMETERS, read_settings
from steadygrid.kinds.collective.exported_programs import (
    ANOTHER_PLAN,
    TREES,
    Chosen,
    bandwidth_told,
    choose_trees,
    plan_of,
    trees_of_program,
)
from steadygrid.kinds.collective.exported_trees import refused, tree_of
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    CollectiveInstance,
    CollectiveResult,
    MessageAllocation,
)

_RATES = (
    "these are the rates of the result. Where its schedule has a bounded period, give the"
    " schedule too"
)
_PIECES = "the time that was found is of chunks in {pieces} pieces; MSCCL cuts them by its buffers instead"


def to_msccl(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write a collective operation as MSCCL XML.

    Written is the program that runs best (`CollectiveResult.execution`), by its plan. Where nothing
    is predicted, or with ``trees=schedule``, a chunk is one instance of an allocation in the
    smallest period. That is what the schedule does in one, or the rates of the result, divided by
    what they have in common. Routes through switches are one hop. Of a completion the plan is taken
    where parameters do not say otherwise.

    Parameters
    ----------
    answer
        Of this kind.
    parameters
        Values by name, as they were sent with the request.

    Raises
    ------
    InstanceError
        The format has no such operation, messages are not of one size, nothing was found, a
        processor that is no rank copies, or a parameter is wrong.
    LimitError
        MSCCL does not take so much.
    """
    result: CollectiveResult = answer.result
    chosen = choose_trees(result, parameters)
    settings = read_settings(parameters, chosen.plan)
    operation = _operation(result, settings)
    ranks = _ranks(_participants(result), parameters.get("rank", ()), operation in ONE_ROOT)
    instance = answer.instance
    notes = []
    numbers, network = _numbered(instance, result, ranks, settings)
    if chosen.program is None:
        chunks = _chunks(result.allocations, answer.instances)
        messages = {message.message: message for message in result.messages}
        trees = [
            tree_of(one, messages.get(one.message), result.operation, count, numbers, ranks)
            for one, count in zip(result.allocations, chunks, strict=True)
            if count
        ]
        own = _own(result, chunks)
        if answer.instances is None and result.plan is None:
            notes.append(_RATES)
    else:
        trees = trees_of_program(chosen.program, numbers)
        own = sum(tree.chunks for tree in trees) // len(result.messages)
        notes += chosen.notes if settings.plan == chosen.plan else (ANOTHER_PLAN,)
        if answer.instances is not None and "trees" not in parameters:
            notes.append("the schedule is not read: trees=schedule takes its trees")
    rank_of = {numbers[name]: rank for name, rank in ranks.items()}
    collective = Collective(operation, rank_of, settings.inplace, settings.dialect)
    text = write_trees(trees, collective, settings, network, _alternatives(chosen, result, numbers))
    notes.insert(0, f"ranks: {len(ranks)}, chunks of each: {own}, trees: {len(trees)}")
    if operation in ONE_ROOT:
        notes.append(f"rank 0 is the root, {next(iter(ranks))!r}: the format has no other")
    if result.plan is not None:
        notes.append(_PIECES.format(pieces=result.plan.pieces))
    return Exported(text, tuple(notes))


def _alternatives(
    chosen: Chosen, result: CollectiveResult, numbers: Mapping[str, int]
) -> list[Alternative]:
    """List the programs of the answer, for trees that do not fit."""
    told = result.execution
    if told is None or chosen.program is not None:
        return []
    row = told.predicted[-1]
    program = told.programs[row.program]
    remedy = f"take trees: program, which fits: predicted {bandwidth_told(row)}"
    return [Alternative(remedy, trees_of_program(program, numbers), plan_of(program))]


MSCCL = Exporter(
    name="msccl",
    kind="collective",
    content_type="application/msccl+xml",
    title="MSCCL XML",
    convert=to_msccl,
    parameters={**PARAMETERS, **TREES},
    takes_instance=True,
)


def _operation(result: CollectiveResult, settings: Settings) -> Operation:
    """Give the operation, if the format can say it."""
    names = DIALECTS[settings.dialect].names
    operation = next((name for name in names if name == result.operation), None)
    if operation is None:
        others = [name for name, one in DIALECTS.items() if result.operation in one.names]
        remedy = f", but the dialect {others[0]} can say it" if others else ""
        raise refused(
            "not_in_format",
            f"{DIALECTS[settings.dialect].title} has no {result.operation}{remedy}. What can be"
            f" exported is: {', '.join(names)}",
        )
    if not result.allocations or not result.messages:
        raise refused(
            "nothing_to_export",
            f"the outcome is {result.outcome.value}, and there are no trees to export",
        )
    if any(allocation.tasks for allocation in result.allocations):
        raise refused(
            "not_in_format",
            "combinations that have places of their own (combine, or an order that is fixed) have"
            " no form in MSCCL: leave them out of the problem",
        )
    sizes = {message.size for message in result.messages}
    if len(sizes) > 1:
        least, most = min(sizes), max(sizes)
        raise refused(
            "unequal_sizes",
            f"messages have sizes from {least} to {most}, and all ranks of an algorithm of MSCCL"
            " have buffers of one size: leave out sizes",
        )
    if settings.inplace and result.operation == "all_to_all":
        detail = (
            "an all_to_all is never in place: what is received would take the place of what is sent"
        )
        raise InstanceError(detail, [Fault(("inplace",), "not_in_format", detail)])
    return operation


def _participants(result: CollectiveResult) -> list[str]:
    """List who takes part. The root first, where there is one."""
    listed: dict[str, None] = {}
    one_root = result.operation in ONE_ROOT
    if one_root and result.operation in ("gather", "reduce"):
        listed.update(dict.fromkeys(result.messages[0].receivers))
    for message in result.messages:
        if message.origin is not None:
            listed[message.origin] = None
        elif result.operation in COMBINING and not one_root:
            listed.update(dict.fromkeys(message.receivers))
    for message in result.messages:
        listed.update(dict.fromkeys((*message.sources, *message.receivers)))
    if result.operation == "reduce":
        (message,) = result.messages
        if not set(message.receivers) <= set(message.sources):
            raise refused(
                "root_without_data",
                f"{message.receivers[0]!r} gives no data of its own, and in a reduce of MSCCL all"
                " ranks do: name it among the sources",
            )
    return list(listed)


def _ranks(participants: Sequence[str], order: Sequence[str], one_root: bool) -> dict[str, int]:
    """Give each participant its rank, in this order if there is one."""
    ranks: dict[str, int] = {}
    faults = []
    known = Known(participants)
    taking_part = set(participants)
    for name in order:
        if name not in taking_part:
            detail = f"{name[:200]!r} is no participant{known.suggestion(name[:200])}"
            faults.append(Fault(("rank",), "not_a_participant", detail))
        elif name in ranks:
            detail = f"{name!r} has rank {ranks[name]} already: name it once"
            faults.append(Fault(("rank",), "duplicate_participant", detail))
        else:
            ranks[name] = len(ranks)
    missing = [name for name in participants if name not in ranks]
    if order and missing and not faults:
        listed = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if missing[5:] else "")
        detail = f"every participant has a rank. Without one: {listed}"
        faults.append(Fault(("rank",), "missing_participant", detail))
    if order and one_root and not faults and order[0] != participants[0]:
        detail = f"rank 0 is the root, and that is {participants[0]!r}: name it first"
        faults.append(Fault(("rank",), "root_is_not_first", detail))
    if faults:
        raise InstanceError(faults=faults[:100])
    return ranks or {name: number for number, name in enumerate(participants)}


def _numbered(
    instance: CollectiveInstance | None,
    result: CollectiveResult,
    ranks: Mapping[str, int],
    settings: Settings,
) -> tuple[Mapping[str, int], Network | None]:
    """Give all processors numbers, and what moves share where their order depends on it."""
    if settings.plan.order == "start":
        if instance is None:
            detail = (
                "moves are ordered by their start, which needs what was asked: give it (--instance"
                " FILE), or take order=depth, which may run slower"
            )
            raise InstanceError(detail, [Fault(("order",), "missing_instance", detail)])
        if instance.ports != "multiport":
            detail = f"under {instance.ports} no run is predicted: take order: depth"
            raise InstanceError(detail, [Fault(("order",), "not_predicted", detail)])
        return instance.platform.index_by_id, network_of(instance.platform)
    names = dict.fromkeys(ranks)
    for allocation in result.allocations:
        for transfer in allocation.transfers:
            names.update(dict.fromkeys(transfer.path))
    for program in () if result.execution is None else result.execution.programs:
        for tree in program.trees:
            for route in (*tree.combined, *tree.spread):
                names.update(dict.fromkeys(route))
    return {name: number for number, name in enumerate(names)}, None


def _chunks(allocations: Iterable[MessageAllocation], instances: Instances | None) -> list[int]:
    """Count the instances of each allocation in the smallest period."""
    if instances is None:
        amounts = [allocation.rate for allocation in allocations]
    else:
        try:
            amounts = [instances[allocation.index] for allocation in allocations]
        except KeyError:
            raise refused("another_schedule", "the schedule is not that of this result") from None
    return _smallest(amounts)


def _smallest(amounts: Sequence[Fraction]) -> list[int]:
    """Give the smallest whole numbers in the same proportions."""
    unit = lcm(*(amount.denominator for amount in amounts))
    whole = [int(amount * unit) for amount in amounts]
    common = gcd(*whole)
    if not common:
        raise refused("nothing_to_export", "the period of the schedule holds no instance")
    return [count // common for count in whole]


def _own(result: CollectiveResult, chunks: Sequence[int]) -> int:
    """Give how many chunks every message has."""
    sums = Counter(dict.fromkeys((message.message for message in result.messages), 0))
    for allocation, count in zip(result.allocations, chunks, strict=True):
        sums[allocation.message] += count
    if len(set(sums.values())) > 1:
        raise refused(
            "unequal_rates",
            "the rates of the messages differ: `steadygrid check` says what is wrong",
        )
    return next(iter(sums.values()))
