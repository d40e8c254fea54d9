"""What people read about the time of one operation."""

from fractions import Fraction

from steadygrid.domain.view import Amount, Measure, Phrase, Section
from steadygrid.kinds.collective.execution import CompletionCutCertificate
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult

RIVALS = "program"
_LISTED = 3
_ORDERS = {"depth": "by depth", "start": "by the order of starts"}
_SPLITS = {
    "arc": "each pair of ranks",
    "halves": "each pair of ranks and half of all depths",
    "thirds": "each pair of ranks and third of all depths",
    "depth": "each pair of ranks and depth",
}


def completion_headline(result: CollectiveResult, noun: str) -> Phrase:
    """Say when one operation is complete.

    Parameters
    ----------
    result
        The answer.
    noun
        Of the operation.
    """
    if result.objective is None:
        return ()
    return (f"one {noun} is complete after ", Amount(result.objective.value, Measure.DURATION))


def completion_facts(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple[tuple[str, Phrase], ...]:
    """Tell the plan, and the cut that limits.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer.
    """
    told: list[tuple[str, Phrase]] = []
    plan = result.plan
    if plan is not None:
        sizes = {message.name: message.size for message in instance.messages}
        chunks = sum(
            (each.rate * sizes[each.message] / plan.chunk for each in result.allocations),
            Fraction(0),
        )
        program: Phrase = (
            *_counted(chunks, "chunk"),
            " of ",
            Amount(plan.chunk, Measure.NUMBER),
            ", each in ",
            *_counted(Fraction(plan.pieces), "piece"),
        )
        if plan.instances > 1:
            program += (f" by each of {plan.instances} instances",)
        told.append(("program", program))
        ranks: Phrase = (
            f"hops {_ORDERS[plan.order]}, a channel for {_SPLITS[plan.split]}; ",
            Amount(Fraction(plan.blocks), Measure.COUNT),
            f" of {instance.execution_settings.blocks} blocks on the busiest rank",
        )
        told.append(("ranks", ranks))
    if (cut := _crossing(instance, result)) is not None:
        wide, needed, _ = cut
        given = result.certificate
        assert isinstance(given, CompletionCutCertificate)
        limit: Phrase = (
            f"{_short_names(given.receivers)} need{'s' if len(given.receivers) == 1 else ''} ",
            Amount(needed, Measure.NUMBER),
            f" from {_short_names(given.sources)}, and links carry at most ",
            Amount(wide, Measure.NUMBER),
            " per time unit across",
        )
        told.append(("limit", limit))
    return tuple(told)


def completion_proof(instance: CollectiveInstance, result: CollectiveResult) -> Section | None:
    """Say why no program ends before the bound.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer.
    """
    cut = _crossing(instance, result)
    if cut is None or result.bound is None:
        return None
    _, needed, links = cut
    return Section(
        "",
        (
            "Why no program ends before ",
            Amount(result.bound.value, Measure.DURATION),
            ": ",
            Amount(needed, Measure.NUMBER),
            " of data has to cross ",
            *_counted(Fraction(links), "link"),
            ". Each carries what is of use only from the least latency of a route to it on, and until"
            " the least latency from it is left; all together they carry no more until then.",
        ),
    )


def completion_cut(instance: CollectiveInstance, result: CollectiveResult) -> frozenset[str]:
    """Give the smaller side of the cut.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer.
    """
    given = result.certificate
    if not isinstance(given, CompletionCutCertificate):
        return frozenset()
    inside = frozenset(given.processors)
    return min(inside, frozenset(instance.platform.index_by_id) - inside, key=len)


def _crossing(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple[Fraction, Fraction, int] | None:
    """Give bandwidth of the cut, data that crosses it, and its links. None if there is none."""
    given = result.certificate
    if not isinstance(given, CompletionCutCertificate):
        return None
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    inside = set(given.processors)
    crossing = [
        1 / arc.unit_time
        for arc in platform.arcs
        if ids[arc.source] in inside and ids[arc.target] not in inside
    ]
    needed = [
        message.size
        for message in instance.messages
        if not set(message.sources).isdisjoint(given.sources)
        and not set(message.receivers).isdisjoint(given.receivers)
    ]
    return sum(crossing, Fraction(0)), sum(needed, Fraction(0)), len(crossing)


def _short_names(names: list[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _counted(count: Fraction, noun: str) -> Phrase:
    return (Amount(count, Measure.COUNT), f" {noun}{'' if count == 1 else 's'}")
