"""Allgathers as algorithms of MSCCL."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.nearest import Known
from steadygrid.formats.exporter import Answer, Exported, Exporter, Instances
from steadygrid.formats.msccl import (
    PARAMETERS,
    Tree,
    allgather,
    read_settings,
    write_algorithm,
)
from steadygrid.kinds.collective.schemas import CollectiveResult, MessageAllocation

_RATES = (
    "these are the rates of the result; where its schedule has a bounded period, give the"
    " schedule too"
)


def to_msccl(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write an allgather as MSCCL XML.

    A chunk is one instance of an allocation in the smallest period: what the schedule does in one, or
    the rates of the result, divided by what they have in common. Ways through switches are one hop.

    Parameters
    ----------
    answer
        Of this kind.
    parameters
        Values by name, as they were sent with the request.

    Raises
    ------
    InstanceError
        It is no allgather of messages of one size, nothing was found, a processor that is no rank
        copies, or a parameter is wrong.
    LimitError
        MSCCL does not take so much.
    """
    result: CollectiveResult = answer.result
    settings = read_settings(parameters)
    _check_operation(result)
    participants = [message.message for message in result.messages]
    ranks = _ranks(participants, parameters.get("rank", ()))
    chunks = _chunks(result.allocations, answer.instances)
    trees = [
        _tree(one, count, ranks)
        for one, count in zip(result.allocations, chunks, strict=True)
        if count
    ]
    own = _own(trees, len(ranks))
    program = allgather(len(ranks), trees, settings.inplace)
    notes = [f"ranks: {len(ranks)}, chunks of each: {own}, trees: {len(trees)}"]
    if answer.instances is None:
        notes.append(_RATES)
    return Exported(write_algorithm(program, settings, own), tuple(notes))


MSCCL = Exporter(
    name="msccl",
    kind="collective",
    content_type="application/msccl+xml",
    title="MSCCL XML",
    convert=to_msccl,
    parameters=PARAMETERS,
)


def _refused(code: str, detail: str) -> InstanceError:
    return InstanceError(detail, [Fault((), code, detail)])


def _check_operation(result: CollectiveResult) -> None:
    if result.operation != "allgather":
        raise _refused(
            "not_an_allgather",
            f"the operation is {result.operation}, and only an allgather can be exported",
        )
    if not result.allocations or len(result.messages) < 2:
        raise _refused(
            "nothing_to_export",
            f"the outcome is {result.outcome.value}, and there are no trees to export",
        )
    sizes = {message.size for message in result.messages}
    if len(sizes) > 1:
        least, most = min(sizes), max(sizes)
        raise _refused(
            "unequal_sizes",
            f"messages have sizes from {least} to {most}, and all ranks of an MSCCL allgather have"
            " buffers of one size: leave out sizes",
        )


def _ranks(participants: Sequence[str], order: Sequence[str]) -> dict[str, int]:
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
        detail = f"every participant has a rank; without one: {listed}"
        faults.append(Fault(("rank",), "missing_participant", detail))
    if faults:
        raise InstanceError(faults=faults[:100])
    return ranks or {name: number for number, name in enumerate(participants)}


def _chunks(allocations: Iterable[MessageAllocation], instances: Instances | None) -> list[int]:
    """Count the instances of each allocation in the smallest period."""
    if instances is None:
        amounts = [allocation.rate for allocation in allocations]
    else:
        try:
            amounts = [instances[allocation.index] for allocation in allocations]
        except KeyError:
            raise _refused("another_schedule", "the schedule is not that of this result") from None
    return _smallest(amounts)


def _smallest(amounts: Sequence[Fraction]) -> list[int]:
    """Give the smallest whole numbers in the same proportions."""
    unit = lcm(*(amount.denominator for amount in amounts))
    whole = [int(amount * unit) for amount in amounts]
    common = gcd(*whole)
    if not common:
        raise _refused("nothing_to_export", "the period of the schedule holds no instance")
    return [count // common for count in whole]


def _tree(allocation: MessageAllocation, chunks: int, ranks: Mapping[str, int]) -> Tree:
    """List the hops of a tree between ranks, from its root on; others only forward."""
    below: dict[str, list[str]] = {}
    if allocation.root not in ranks or not all(t.path for t in allocation.transfers):
        raise _no_tree(allocation)
    for transfer in allocation.transfers:
        below.setdefault(transfer.path[0], []).append(transfer.path[-1])
    hops = []
    queue = [(allocation.root, allocation.root)]
    reached = {allocation.root}
    for here, sender in queue:
        nexts = below.get(here, [])
        if here not in ranks and len(nexts) > 1:
            raise _refused(
                "copies_outside_ranks",
                f"{here!r} copies and is no rank: ask the problem for copying: participants",
            )
        for receiver in nexts:
            if receiver in reached:
                raise _no_tree(allocation)
            reached.add(receiver)
            if receiver in ranks:
                hops.append((ranks[sender], ranks[receiver]))
            queue.append((receiver, receiver if receiver in ranks else sender))
    if not ranks.keys() <= reached or len(reached) <= len(allocation.transfers):
        raise _no_tree(allocation)
    return Tree(ranks[allocation.root], chunks, tuple(hops))


def _no_tree(allocation: MessageAllocation) -> InstanceError:
    return _refused(
        "not_a_tree",
        f"allocation {allocation.index} is no tree to all participants; `steadygrid check` says"
        " what is wrong with the result",
    )


def _own(trees: Sequence[Tree], ranks: int) -> int:
    """Give how many chunks every rank has."""
    sums = dict.fromkeys(range(ranks), 0)
    for tree in trees:
        sums[tree.root] += tree.chunks
    if len(set(sums.values())) > 1:
        raise _refused(
            "unequal_rates",
            "the rates of the messages differ; `steadygrid check` says what is wrong",
        )
    return sums[0]
