"""What people read about allocations that were given."""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.domain.job import Outcome
from steadygrid.domain.view import Amount, Column, Measure, Phrase, Section, Table
from steadygrid.kinds.task_graph.schemas import (
    MissingAllocation,
    RestrictedCertificate,
    TaskGraphInstance,
    TaskGraphResult,
)


def facts_of_given(
    instance: TaskGraphInstance, result: TaskGraphResult
) -> Iterator[tuple[str, Phrase]]:
    """Say which rates these are, what limits them, and whether other allocations would do more.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.

    Returns
    -------
    iterator of pair
        Name of the fact and its text. None where no allocations were given.
    """
    if result.given_rates is None or result.objective is None:
        return
    yield "rates", _rates(instance, result)
    if result.distance is not None and result.distance > 0:
        yield "distance", (Amount(result.distance, Measure.SHARE), " below the bound")
    if (missing := result.missing) is not None:
        worth = Amount(missing.cost, Measure.NUMBER)
        least = "" if missing.cheapest else ", the cheapest that a search found"
        yield (
            "missing",
            (
                "an allocation that costs ",
                worth,
                f" at these prices, less than 1{least}: see below",
            ),
        )
    elif result.outcome is Outcome.OPTIMAL:
        yield "missing", ("nothing: no other allocation would do more",)


def sections_of_given(instance: TaskGraphInstance, result: TaskGraphResult) -> Iterator[Section]:
    """List the rate of each allocation, and the one that is missing.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.

    Returns
    -------
    iterator of Section
        None where no allocations were given.
    """
    if result.given_rates is None:
        return
    rows = []
    for number, rate in enumerate(result.given_rates):
        before = (instance.allocations or ())[number].rate
        given = () if result.factor is None else (before,)
        rows.append((str(number), *given, rate))
    rate_given = () if result.factor is None else (Column("rate given", Measure.RATE),)
    columns = (Column("allocation", Measure.TEXT), *rate_given, Column("rate", Measure.RATE))
    yield Section(
        "The allocations that were given", table=Table(columns, tuple(rows), "allocations")
    )
    if result.missing is not None:
        yield _missing(result.missing)


def proof_of_given(result: TaskGraphResult) -> Section | None:
    """Say why no rates of these allocations do more, where others might."""
    certificate = result.certificate
    if not isinstance(certificate, RestrictedCertificate):
        return None
    prices = certificate.prices
    if not prices and result.bound is None:
        return None
    if not prices:
        proved = result.bound is not None and result.bound.exact
        return Section(
            "",
            (
                "Why the bound: "
                + (
                    "it is proved by prices of its own (bound_prices in the certificate)"
                    if proved
                    else "it is a search's word"
                )
                + "; it says nothing of the rates, which are as they were given.",
            ),
        )
    total = Amount(sum(prices.values(), Fraction(0)), Measure.RATE)
    ranked = sorted(prices, key=lambda name: (-prices[name], name))
    table = Table(
        (Column("resource", Measure.TEXT), Column("price", Measure.PRICE)),
        tuple((name, prices[name]) for name in ranked),
        "resources",
    )
    return Section(
        "",
        (
            "Why these allocations do no more than ",
            total,
            ": give every resource its price below (0 if it is not listed). Each of the given"
            " allocations uses what is worth at least 1; all resources together are worth as much per"
            " time unit. Of other allocations this says nothing.",
        ),
        table,
    )


def _rates(instance: TaskGraphInstance, result: TaskGraphResult) -> Phrase:
    if result.factor is not None:
        largest = Amount(result.factor, Measure.NUMBER)
        return ("those given, all times ", largest, ", the largest factor that fits")
    running = sum(map(bool, result.given_rates or ()))
    number = len(instance.allocations or ())
    used: Phrase = (
        Amount(Fraction(running), Measure.COUNT),
        " of the ",
        Amount(Fraction(number), Measure.COUNT),
        " allocations that were given run",
    )
    if number == 1:
        used = ("the allocation that was given runs",)
    total = sum(result.certificate.prices.values(), Fraction(0))
    value = Fraction(0) if result.objective is None else result.objective.value
    proved = "; no rates of them do more" if total == value else ""
    return (*used, proved)


def _missing(missing: MissingAllocation) -> Section:
    paths = {tuple(t.file): [" > ".join(t.path)] for t in missing.transfers}
    for transfer in missing.transfers:
        route = " > ".join(transfer.path)
        if route not in paths[transfer.file]:
            paths[transfer.file].append(route)
    arriving = {
        task: ", ".join(
            route for file, routes in paths.items() if file[1] == task for route in routes
        )
        for task in missing.tasks
    }
    return Section(
        "The allocation that is missing most",
        (
            "One instance of it uses what is worth ",
            Amount(missing.cost, Measure.NUMBER),
            " at the prices; added to those given, it may raise the throughput.",
        ),
        Table(
            (
                Column("task", Measure.TASK),
                Column("processor", Measure.TEXT),
                *((Column("its files come over", Measure.TEXT, optional=True),) if paths else ()),
            ),
            tuple(
                (task, place, *((arriving[task],) if paths else ()))
                for task, place in missing.tasks.items()
            ),
            "tasks",
        ),
    )
