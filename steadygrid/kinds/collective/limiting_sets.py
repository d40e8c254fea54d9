"""Sets of processors whose links limit all, in words: what they let through, and what has to cross."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from steadygrid.domain.certificate import Certificate
from steadygrid.domain.resources import link_resource
from steadygrid.domain.view import Amount, Measure, Phrase, Section
from steadygrid.kinds.collective.certificates import WeighedCuts, WholeChunksCertificate
from steadygrid.kinds.collective.schemas import COMBINING, CollectiveInstance, CollectiveResult


def cut_told(instance: CollectiveInstance, result: CollectiveResult, noun: str) -> Phrase:
    """Say of a set of processors what its links can send to the rest, and what messages need.

    It is reported only where the links of this set alone are the whole bound: they limit under
    ``multiport``. The set is one of the certificate's cuts or, where it has none, what can be reached
    at no price from where data comes. Where each of several processors alone is as narrow, their number
    is reported.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    noun
        Of one operation.
    """
    if instance.ports != "multiport":
        return ()
    for side, home, capacity, needed in _tight_sets(instance, result):
        listed, receives = _smaller(instance, side, home=home)
        alike = alike_processors(instance, result)
        verb, end = ("receive", "from") if receives else ("send", "to")
        return (
            f"{_group_text(alike) or _listed_text(listed)} can {verb} ",
            Amount(capacity, Measure.NUMBER),
            f" per time unit {end} the rest; each {noun} needs ",
            Amount(needed, Measure.NUMBER),
        )
    return ()


def alike_processors(instance: CollectiveInstance, result: CollectiveResult) -> tuple[str, ...]:
    """List the processors each of which alone limits as the set of the certificate does.

    Empty where that set has several who take part on both sides.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    """
    taking_part = frozenset(instance.taking_part)
    certificate = result.certificate
    if isinstance(certificate, WholeChunksCertificate):
        if certificate.chunk_cut is None:
            return ()
        cut = certificate.chunk_cut
        sides = [(frozenset(cut.processors), cut.direction == "in")]
    else:
        sides = [(side, home) for side, home, *_ in _tight_sets(instance, result)]
    for side, home in sides[:1]:
        listed, receives = _smaller(instance, side, home=home)
        if len(taking_part.intersection(listed)) != 1:
            return ()
        one_each = ((name, frozenset({name})) for name in instance.taking_part)
        return tuple(
            name for name, alone in one_each if _limits(instance, result, alone, home=receives)
        )
    return ()


def _limits(
    instance: CollectiveInstance, result: CollectiveResult, side: frozenset[str], *, home: bool
) -> bool:
    """Tell whether a set alone proves the bound."""
    if result.bound is None:
        return False
    if isinstance(result.certificate, WholeChunksCertificate):
        through, needed = _chunks_crossing(instance, result, side, home=home)
        return through < needed
    data = _data_crossing(instance, side, home=home)
    capacity = _capacity(instance, side, home=home)
    return data > 0 and capacity / data == result.bound.value


def alike_told(instance: CollectiveInstance, result: CollectiveResult) -> str:
    """Say how many processors limit alike, or the links of which set; empty where prices say it.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    """
    alike = alike_processors(instance, result)
    certificate = result.certificate
    if len(alike) < 2 and isinstance(certificate, WholeChunksCertificate):
        if certificate.chunk_cut is None:
            return "the links whose next whole chunk comes first"
        home = certificate.chunk_cut.direction == "in"
        inside = frozenset(certificate.chunk_cut.processors)
        listed, receives = _smaller(instance, inside, home=home)
        verb = "lead to" if receives else "leave"
        return f"the links that {verb} {_listed_text(listed)}, together"
    if len(alike) < 2 or instance.ports != "multiport":
        return ""
    return f"the links of each of {len(alike):,} processors ({_listed_text(alike)}), all alike"


def chunk_proof(
    instance: CollectiveInstance, result: CollectiveResult, noun: str, rivals: str
) -> Section | None:
    """Say why an operation of whole chunks takes no less time.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    noun
        Of one operation.
    rivals
        What the bound holds for, in the singular.
    """
    told = chunks_told(instance, result, noun)
    return Section("", (f"Why no {rivals} is faster: ", *told, ".")) if told else None


def chunks_told(instance: CollectiveInstance, result: CollectiveResult, noun: str) -> Phrase:
    """Tell what keeps an operation of whole chunks from taking less time. A sentence without its end.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    noun
        Of one operation.
    """
    certificate, bound, chunks = result.certificate, result.bound, result.chunks
    if not isinstance(certificate, WholeChunksCertificate) or bound is None or chunks is None:
        return ()
    time = Amount(1 / bound.value, Measure.DURATION)
    if certificate.chunk_cut is None:
        return (
            f"with any number of chunks, each {noun} takes ",
            Amount(1 / chunks.unlimited, Measure.DURATION),
            " at least; from then on, before ",
            time,
            ", no link has carried another whole number of chunks",
        )
    cut = certificate.chunk_cut
    side, home = frozenset(cut.processors), cut.direction == "in"
    through, needed = _chunks_crossing(instance, result, side, home=home)
    listed, receives = _smaller(instance, side, home=home)
    alike = alike_processors(instance, result)
    verb, let = ("enter", "in") if receives else ("leave", "out")
    owner = "its" if len(listed) == 1 or len(alike) > 1 else "their"
    return (
        f"in each {noun} {needed:,} chunk{'s' if needed > 1 else ''} must {verb}"
        f" {_group_text(alike) or _listed_text(listed)}; before ",
        time,
        f" {owner} links let {let} {through:,}",
    )


def _chunks_crossing(
    instance: CollectiveInstance, result: CollectiveResult, side: frozenset[str], *, home: bool
) -> tuple[int, int]:
    """Count the whole chunks that links let cross in less than the least time, and those that have to."""
    assert result.chunks is not None
    assert result.bound is not None
    size, time = result.chunks.size, 1 / result.bound.value
    through = sum(ceil(time * b / size) - 1 for b in _bandwidths_across(instance, side, home=home))
    return through, int(_data_crossing(instance, side, home=home) / size)


def _smaller(
    instance: CollectiveInstance, side: frozenset[str], *, home: bool
) -> tuple[list[str], bool]:
    """List the smaller side of a set, and tell whether data enters it: the same links in either direction."""
    rest = instance.platform.index_by_id.keys() - side
    if len(rest) < len(side):
        return sorted(rest), not home
    return sorted(side), home


def _listed_text(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def _group_text(names: Sequence[str]) -> str:
    return f"each of {len(names):,} processors ({_listed_text(names)})" if len(names) > 1 else ""


def tight_cut(instance: CollectiveInstance, result: CollectiveResult) -> frozenset[str]:
    """Give the smaller side of the set that `cut_told` or `chunk_proof` describes.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    """
    if result.bound is None or not result.bound.exact or not result.bound.value:
        return frozenset()
    certificate = result.certificate
    if isinstance(certificate, WholeChunksCertificate) and certificate.chunk_cut is not None:
        return frozenset(
            _smaller(instance, frozenset(certificate.chunk_cut.processors), home=False)[0]
        )
    for side, *_ in _tight_sets(instance, result):
        rest = frozenset(instance.platform.index_by_id.keys() - side)
        return min(side, rest, key=len)
    return frozenset()


def _tight_sets(
    instance: CollectiveInstance, result: CollectiveResult
) -> Iterator[tuple[frozenset[str], bool, Fraction, Fraction]]:
    """List the sets whose links are the whole bound, with capacity and need, as `_sides` does.

    No port model lets a link carry more than its bandwidth, so they may be so under each.
    """
    if result.bound is None:
        return
    for side, home in _sides(instance, result.certificate):
        capacity, needed = (
            _capacity(instance, side, home=home),
            _data_crossing(instance, side, home=home),
        )
        if needed and capacity / needed == result.bound.value:
            yield side, home, capacity, needed


def _sides(
    instance: CollectiveInstance, certificate: Certificate
) -> Iterator[tuple[frozenset[str], bool]]:
    """List the sets that may be told of, and whether it is of what they receive."""
    if isinstance(certificate, WeighedCuts):
        for cut in certificate.cuts:
            yield frozenset(cut.processors), cut.direction == "in"
        return
    home = instance.operation == "gather" or instance.operation in COMBINING
    platform = instance.platform
    priced = {name for name, price in certificate.prices.items() if price}
    if not instance.messages or not all(name.endswith(".link") for name in priced):
        return
    ids = [processor.id for processor in platform.processors]
    around = platform.arcs_in if home else platform.arcs_out
    queue = [platform.index_by_id[instance.taking_part[0]]]
    inside = set(queue)
    for here in queue:
        for arc in around[here]:
            other = arc.source if home else arc.target
            link = link_resource(ids[arc.source], ids[arc.target])
            if other not in inside and link not in priced:
                inside.add(other)
                queue.append(other)
    yield frozenset(ids[i] for i in inside), home


def _bandwidths_across(
    instance: CollectiveInstance, side: frozenset[str], *, home: bool
) -> Iterator[Fraction]:
    """List the bandwidths of the links out of a set, or into it."""
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    for arc in platform.arcs:
        if (ids[arc.source] in side, ids[arc.target] in side) == (not home, home):
            yield 1 / arc.unit_time


def _capacity(instance: CollectiveInstance, side: frozenset[str], *, home: bool) -> Fraction:
    """Give the data per time unit that links carry out of a set, or into it."""
    return sum(_bandwidths_across(instance, side, home=home), Fraction(0))


def _data_crossing(instance: CollectiveInstance, side: frozenset[str], *, home: bool) -> Fraction:
    """Give the data of an operation that has to cross."""
    needed = Fraction(0)
    for message in instance.messages:
        near, far = message.sources, message.receivers
        if home:
            near, far = far, near
        if not side.isdisjoint(near) and not side.issuperset(far):
            needed += message.size
    return needed
