"""What whole chunks are, what they cost, and why an operation of them takes no less time."""

from fractions import Fraction
from math import ceil, gcd, lcm

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.collective.certificates import ChunkCut, WholeChunksCertificate
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import ChunksOut, CollectiveInstance, CollectiveResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

_AT: Pointer = ("result", "chunks")
_CUT: Pointer = ("result", "certificate", "chunk_cut")
_BUSY = "Some link has carried {} whole chunks after {}, which is less than {}: that may be enough."


def check_chunks(
    network: Network,
    movement: Movement,
    instance: CollectiveInstance,
    result: CollectiveResult,
    findings: Findings,
) -> None:
    r"""Check what is said of whole chunks, and that each is on one tree.

    With :math:`b_e` the bandwidth of a link, n chunks that have to leave a set S (in reductions, enter
    it) and T the least time, per unit of the size of a chunk:

    .. math:: \sum_{e \text{ leaves } S} (\lceil T b_e \rceil - 1) < n \tag{23}

    In less time than T a link carries no more than :math:`\lceil T b_e \rceil - 1` whole chunks. And an
    operation takes as long as some link needs for a whole number of them.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their routes.
    instance
        Without faults.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =====================
    1  only where whole chunks are asked for, a certificate is of them     `chunks_of_nothing`
    2  chunks are told where they are asked for and there is a bound, and  `wrong_chunks`
       nowhere else
    3  there are as many of the smallest part as asked, or some            `wrong_count`
    4  a chunk has its size                                                `wrong_size`
    5  the least time is that of the bound                                 `wrong_least_time`
    6  the unlimited throughput is the bound, unless a set proves that     `wrong_unlimited`
    7  the loss is the part of it that the value lacks                     `wrong_loss`
    8  each allocation carries whole chunks of its message                 `broken_chunk`
    9  the set holds processors of the platform                            `unknown_processor`
    10 its direction is that of the operation                              `wrong_direction`
    11 (23): fewer chunks cross it in less time than have to               `wide_cut`
    12 without a set, links limit each by itself, and none has carried a   `whole_chunk_before`
       whole number of chunks at a time that is less, but that the
       unlimited throughput allows
    == =================================================================== =====================

    As many operations as links. That prices and cuts prove the unlimited throughput is asked by
    `check_bound`.
    """
    certificate, told = result.certificate, result.chunks
    if isinstance(certificate, WholeChunksCertificate) and (
        instance.chunks is None or told is None
    ):
        findings.add(
            ("result", "certificate", "type"),
            "chunks_of_nothing",
            "A set of whole chunks proves something where whole chunks are asked for.",
        )
        return
    if (told is not None) != (instance.chunks is not None and result.bound is not None):
        findings.add(
            _AT,
            "wrong_chunks",
            "Results have chunks only if chunks are asked for and there is a bound.",
        )
    if told is None or result.bound is None or instance.chunks is None:
        return
    if told.count < 1 or instance.chunks not in ("auto", told.count):
        findings.add(
            (*_AT, "count"),
            "wrong_count",
            f"{told.count} chunks are stated, but {instance.chunks} are asked for.",
        )
        return
    numbers = _chunks_of_messages(movement, told.count)
    _check_numbers(movement, numbers, told, result, findings)
    _check_whole(numbers, result, findings)
    bound = result.bound.value
    if isinstance(certificate, WholeChunksCertificate) and bound > 0:
        if certificate.chunk_cut is not None:
            _check_cut(network, movement, numbers, bound, certificate.chunk_cut, findings)
        elif told.unlimited:
            _check_times(network, told, bound, findings)


def _chunks_of_messages(movement: Movement, count: int) -> dict[str, int]:
    """Give the number of chunks of each message: of an allreduce, `count` for each participant."""
    if movement.spread:
        return {name: count * len(each.sources) for name, each in movement.messages.items()}
    sizes = [message.size for message in movement.messages.values()]
    common = lcm(*(size.denominator for size in sizes))
    part = gcd(*(int(size * common) for size in sizes))
    return {
        name: count * int(message.size * common) // part
        for name, message in movement.messages.items()
    }


def _check_numbers(
    movement: Movement,
    numbers: dict[str, int],
    told: ChunksOut,
    result: CollectiveResult,
    findings: Findings,
) -> None:
    size = next(
        message.size / numbers[name] for name, message in movement.messages.items() if message.size
    )
    if told.size != size:
        findings.add(
            (*_AT, "size"), "wrong_size", f"A chunk has {show(size)} units of data, no other size."
        )
    assert result.bound is not None
    bound = result.bound.value
    if told.least_time * size * bound != 1:
        findings.add(
            (*_AT, "least_time"),
            "wrong_least_time",
            f"The least time times the size of a chunk is not one over the bound, {show(bound)}.",
        )
    if not isinstance(result.certificate, WholeChunksCertificate) and told.unlimited != bound:
        findings.add(
            (*_AT, "unlimited"),
            "wrong_unlimited",
            f"No set of the certificate proves less than the unlimited throughput, so that is the"
            f" bound, {show(bound)}.",
        )
    value = Fraction(0) if result.objective is None else result.objective.value
    if (1 - told.loss) * told.unlimited != value:
        findings.add(
            (*_AT, "loss"),
            "wrong_loss",
            "The loss is not the part of the unlimited throughput that the value lacks.",
        )


def _check_whole(numbers: dict[str, int], result: CollectiveResult, findings: Findings) -> None:
    if result.objective is None or not result.objective.value:
        return
    for position, allocation in enumerate(result.allocations):
        number = numbers.get(allocation.message, 0)
        carried = allocation.rate * number / result.objective.value
        if carried.denominator > 1:
            findings.add(
                ("result", "allocations", position, "rate"),
                "broken_chunk",
                f"Allocation {position} carries {show(carried)} chunks in each operation, no whole"
                " number.",
            )


def _check_cut(
    network: Network,
    movement: Movement,
    numbers: dict[str, int],
    bound: Fraction,
    cut: ChunkCut,
    findings: Findings,
) -> None:
    inside = frozenset(cut.processors)
    if unknown := inside - network.processors:
        findings.add(
            (*_CUT, "processors"), "unknown_processor", f"There is no processor {min(unknown)!r}."
        )
        return
    inward = movement.combined and not movement.spread
    if cut.direction != ("in" if inward else "out"):
        findings.add(
            (*_CUT, "direction"),
            "wrong_direction",
            f"What counts is chunks that go {'in' if inward else 'out'}, not {cut.direction}.",
        )
        return
    needed, size = 0, Fraction(0)
    for name, message in movement.messages.items():
        near, far = message.sources, message.receivers
        if inward:
            near, far = far, near
        if not inside.isdisjoint(near) and not inside.issuperset(far):
            needed += numbers[name]
        size = message.size / numbers[name] if numbers[name] else size
    time, crossing = 1 / bound, 0
    for (here, there), hop in network.hops.items():
        leaves = (there, here) if inward else (here, there)
        if leaves[0] in inside and leaves[1] not in inside:
            crossing += ceil(time / (size * hop.unit_time)) - 1
    if crossing >= needed:
        findings.add(
            (*_CUT, "processors"),
            "wide_cut",
            f"In less than {show(time)} the links of the set let {crossing:,} chunks through, and"
            f" {needed:,} have to cross it: it does not prove the bound.",
        )


def _check_times(network: Network, told: ChunksOut, bound: Fraction, findings: Findings) -> None:
    taken = [name for hop in network.hops.values() for name, _ in hop.uses]
    if len(set(taken)) < len(taken) or any(len(hop.uses) != 1 for hop in network.hops.values()):
        findings.add(
            _CUT,
            "whole_chunk_before",
            "Links share resources, which whole chunks of several links keep busy: without a set of"
            " processors nothing is proved.",
        )
        return
    for hop in network.hops.values():
        one = told.size * hop.unit_time
        number = ceil(1 / (told.unlimited * one))
        if number * one * bound < 1:
            findings.add(
                _CUT,
                "whole_chunk_before",
                _BUSY.format(number, show(number * one), show(1 / bound)),
            )
            return
