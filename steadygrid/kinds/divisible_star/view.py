"""What people read about an answer of `divisible_star`."""

from collections.abc import Iterator

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.job import Options
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.view import (
    Amount,
    Cell,
    Column,
    Measure,
    Phrase,
    Section,
    Share,
    Table,
    View,
)
from steadygrid.kinds.divisible_star.schemas import (
    LOAD,
    ComparedStar,
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.kinds.shared.comparison import comparison, methods


def view(
    instance: DivisibleStarInstance,
    options: Options,
    result: DivisibleStarResult,
    schedule: Timeline | None,
) -> View:
    """Say when everything is done, and who computes how much.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    """
    done: Phrase = ()
    if schedule is not None:
        done = ("everything is done after ", Amount(schedule.makespan, Measure.DURATION))
    return View(
        instance.platform,
        instance.ports,
        tasks=(LOAD,),
        headline=done,
        facts=tuple(_bound_for(instance, result)),
        sections=tuple(_shares(instance, result)),
        comparison=_comparison(result),
        methods=methods((row, row.makespan, row.is_answer) for row in _ranked(result)),
        rivals=(rivals := _rivals(instance, result)),
        proof=_proof(result, rivals),
        returned=_returned(instance, result),
        part="round",
        roles={instance.master: "master"},
        shares=tuple(Share(one.processor, "", one.fraction) for one in result.shares),
        shared=Measure.SHARE,
    )


def _returned(
    instance: DivisibleStarInstance, result: DivisibleStarResult
) -> frozenset[tuple[str, str]]:
    """Give the links over which something comes back that went in the other direction before."""
    if not instance.load.return_volume:
        return frozenset()
    links = [event.link for event in result.timeline if event.link is not None]
    place = {link: k for k, link in enumerate(links)}
    return frozenset(link for link in links if place.get(link[::-1], len(links)) < place[link])


def _bound_for(
    instance: DivisibleStarInstance, result: DivisibleStarResult
) -> Iterator[tuple[str, Phrase]]:
    """Tell for which schedules the bound of a load that passes other processors holds."""
    bound = result.bound
    if bound is None or not bound.value or result.bound_source not in ("program", "theorem"):
        return
    if instance.rounds > 1 or result.rounds > 1 or result.certificate.type != "lp_duality":
        return
    words = (
        "schedules in which every processor receives its part, and that of those behind it, in one"
        " message"
    )
    if instance.load.return_volume:
        words += ", and sends all its results in one message, too"
    if instance.load.return_volume and instance.return_orders == "lifo":
        words += "; each receives results in the reverse order of its messages"
    yield "bound for", (words,)


def _rivals(instance: DivisibleStarInstance, result: DivisibleStarResult) -> str:
    """Name what the bound holds for: not always every schedule there is."""
    guarantee = result.guarantee
    if result.bound_source == "any_rounds" or (guarantee and guarantee.of == "single_round"):
        return "schedule"
    many = instance.rounds > 1
    words = f"in {instance.rounds} rounds" if many else "with one message per processor"
    if result.bound_source != "order_free" and result.order_proof == "given":
        words += " in this order"
    back = {"any": "", "fifo": ", results as sent,", "lifo": ", results in reverse order,"}
    if result.return_order is not None and result.bound_source != "order_free":
        chosen = instance.return_orders
        words += back[chosen] if isinstance(chosen, str) else ", results in this order,"
    return f"schedule {words}"


def _proof(result: DivisibleStarResult, rivals: str) -> Section | None:
    """Say why nothing gets below a bound that the referee has found again by itself."""
    if result.certificate.type != "enumeration" or result.bound is None:
        return None
    reasons = {
        "search": "the referee has searched for one by itself, in exact arithmetic, in vain",
        "theorem": "half of what it takes at least with one message per processor is a bound for"
        " any number of them, and the referee has worked it out by itself",
    }
    alone = (
        "that follows from what the processors and links cost, for every order; the referee has"
        " worked it out by itself"
    )
    least = Amount(result.bound.value, Measure.DURATION)
    reason = reasons.get(result.bound_source or "", alone)
    return Section("", (f"Why no {rivals} has a makespan below ", least, f": {reason}."))


def _comparison(result: DivisibleStarResult) -> Section | None:
    """Put the methods that were compared side by side, the best first."""
    if not result.comparison:
        return None
    ranked = [(row, (row.makespan,)) for row in _ranked(result)]
    return comparison(ranked, Column("makespan", Measure.TIME))


def _ranked(result: DivisibleStarResult) -> list[ComparedStar]:
    return sorted(
        result.comparison or (),
        key=lambda row: (row.makespan is None, row.makespan or 0, not row.is_answer),
    )


def _shares(instance: DivisibleStarInstance, result: DivisibleStarResult) -> Iterator[Section]:
    if not result.shares:
        return
    fractions: Amounts[str] = Amounts()
    for share in result.shares:
        fractions[share.processor] += share.fraction
    items = instance.load.items
    columns = (
        Column("processor", Measure.TEXT),
        *([] if items is None else [Column("items", Measure.COUNT)]),
        Column("of the load", Measure.SHARE),
        Column("computing", Measure.TIME),
        Column("idle", Measure.TIME),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.processor,
            *([] if items is None else [fractions[one.processor] * items]),
            fractions[one.processor],
            one.computing,
            one.idle,
        )
        for one in result.idle
    ]
    yield Section("Shares", table=Table(columns, tuple(rows), "processors"))
