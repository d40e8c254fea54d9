"""What envelope and schedule tell people of every kind: sentences like those of a view.

All code that draws answers shares them, and writes their numbers in its own form.
"""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.domain.job import Bound, Objective, Outcome, Result
from steadygrid.domain.run import RunPromise
from steadygrid.domain.schedule import Grouping, Schedule
from steadygrid.domain.view import Amount, Measure, Phrase, View, plural, with_article

TOO_MANY_TO_IMAGINE = 10**7
"""Instances of a period."""


def course(schedule: Schedule, noun: str) -> Iterator[tuple[str, Phrase]]:
    """Tell run, period, start-up and latency, each with its label, of a schedule that does something.

    Parameters
    ----------
    noun
        What is counted, in the singular.
    """
    if schedule.run is not None:
        yield "run", _run(schedule.run, noun)
    yield "period", (Amount(schedule.period, Measure.DURATION), *_sent(schedule))
    if schedule.grouping is not None:
        yield from _grouped(schedule, schedule.grouping)
    many = schedule.instances_per_period >= TOO_MANY_TO_IMAGINE
    if many and not schedule.loss and schedule.grouping is None:
        yield "", ("a shorter one costs little: set max_period in the options",)
    if schedule.prologue_periods:
        filled = (*_periods(schedule.prologue_periods, schedule), " until every part works")
        yield "start-up", (*filled, " at full rate")
    else:
        yield "start-up", ("none: every part works at full rate from the first period on",)
    yield (
        "latency",
        (f"{with_article(noun)} is done within ", *_periods(schedule.latency_periods, schedule)),
    )


def _run(run: RunPromise, noun: str) -> Phrase:
    """Tell when the instances of a run are complete, and how near that is to the earliest time."""
    if run.horizon is not None:
        done, most = run.instances_at_least, run.instances_at_most
        within: Phrase = (*_counted(done, noun), " within ", Amount(run.horizon, Measure.DURATION))
        if most is None:
            return within
        return (
            *within,
            "; no schedule completes more than ",
            Amount(Fraction(most), Measure.NUMBER),
        )
    wanted, end, before = run.instances, run.completion_time_at_most, run.no_schedule_before
    if end is None:
        return (*_counted(wanted, noun), " are never complete: this schedule does nothing")
    told: Phrase = (*_counted(wanted, noun), " within ", Amount(end, Measure.DURATION))
    if before is None:
        return told
    least = Amount(before, Measure.DURATION)
    told = (*told, "; any schedule needs at least ", least)
    if not before or before == end:
        return told
    return (
        *told,
        ", so this one takes at most ",
        Amount(end / before - 1, Measure.SHARE),
        " longer",
    )


def _grouped(schedule: Schedule, grouping: Grouping) -> Iterator[tuple[str, Phrase]]:
    """Tell how latencies are paid."""
    steady = (schedule.period - grouping.latency_time) / grouping.periods
    each = Amount(steady, Measure.DURATION)
    paid = Amount(grouping.latency_time, Measure.DURATION)
    part = Amount(grouping.latency_time / schedule.period, Measure.SHARE)
    periods = _counted(grouping.periods, "period")
    yield "latencies", (*periods, " of ", each, " and ", paid, " for latencies, ", part)


def _sent(schedule: Schedule) -> Phrase:
    counts, stops = schedule.counts, schedule.interruptions
    if not (schedule.slots or schedule.runs) and schedule.stated_counts is not None:
        # Too many were listed to read them all.
        counts = {**counts, **schedule.stated_counts}
        stops = schedule.stated_interruptions
    transfers = counts["transfers"]
    if not transfers:
        return (", nothing is sent",)
    if schedule.ports == "multiport":
        return (", ", *_counted(transfers, "transfer"), " side by side at constant rates")
    whole = "some files move in parts" if schedule.preempted else "whole files"
    if stops is None:
        moves = _counted(transfers, "transfer")
        return (", ", *_counted(counts["slots"], "slot"), " with ", *moves, f", {whole}")
    stopped = _counted(stops, "interruption") if stops else ("none interrupted",)
    return (", ", *_counted(counts["runs"], "run"), " of links, ", *stopped, f", {whole}")


def _periods(count: int, schedule: Schedule) -> Phrase:
    taken = Amount(count * schedule.period, Measure.DURATION)
    return (*_counted(count, "period"), " (", taken, ")")


def _counted(count: int, noun: str) -> Phrase:
    return (Amount(Fraction(count), Measure.NUMBER), f" {noun if count == 1 else plural(noun)}")


def explain_bound(result: Result, view: View) -> Phrase:
    """Say why no schedule does better, up to the first colon in short. Nothing where it is unknown.

    What has a price or a weight is listed in the certificate.

    Parameters
    ----------
    result
        The answer, with its certificate.
    view
        What the kind says of it.
    """
    proof, bound, objective = result.certificate, result.bound, result.objective
    match proof.type:
        case "lp_duality" if bound is not None and objective is not None and objective.minimised:
            return _why_no_less(result, view, bound, objective)
        case _ if proof.adds_up and bound is not None:
            return _why_no_more(result, view, bound)
        case _ if view.proof is not None:
            return view.proof.text
        case "farkas" if bound is not None:
            return (
                "Why no allocation does more than ",
                Amount(bound.value, Measure.RATE),
                ": one that did would keep every resource for less than ",
                Amount(1 / bound.value, Measure.DURATION),
                ", so no task and no transfer in it takes as long. Give every resource its price"
                " below (0 if it is not listed). Every remaining allocation uses what is worth at"
                " least 1, and all resources together are worth ",
                _worth(result),
                ".",
            )
        case "farkas":
            return (
                "Why no schedule exists: add up the constraints, each as often as its weight below"
                " says, and they contradict each other.",
            )
        case "search":
            ended = "closed" if result.outcome is Outcome.OPTIMAL else "stopped"
            return (
                f"Why: a search was {ended}, by its own word. Its bound is a floating-point number,"
                " not a proof in exact arithmetic.",
            )
        case _:
            return ()


def _why_no_more(result: Result, view: View, bound: Bound) -> Phrase:
    """Explain a bound on a throughput: every execution of an instance costs at least 1."""
    head: Phrase = ("Why no schedule does more than ", Amount(bound.value, Measure.RATE), ": ")
    noun = with_article(view.noun)
    if not result.certificate.prices:
        return (*head, f"there is no way at all to do {noun}.")
    cost = view.cost or f"However {noun} is done, what it uses is worth at least 1"
    return (
        *head,
        f"give every resource its price below (0 if it is not listed). {cost}; all resources"
        " together are worth ",
        _worth(result),
        ". A price also says how much the throughput can gain, at most, from one more of that"
        " resource.",
    )


def _why_no_less(result: Result, view: View, bound: Bound, objective: Objective) -> Phrase:
    """Explain why nothing gets below a bound: the prices of what has to wait for what."""
    name = objective.name.replace("_", " ")
    least = Amount(bound.value, Measure.DURATION)
    head: Phrase = (f"Why no {view.rivals or 'schedule'} has a {name} below ", least, ": ")
    if result.certificate.prices:
        return (
            *head,
            f"add up the constraints below, each as often as its price says, and the {name} is at"
            " least that. A price says how much later the end comes, at most, for each time unit"
            " by which the constraint is tightened.",
        )
    if view.unpriced:
        return (*head, *view.unpriced, ".")
    if bound.value:
        return (*head, "until then no processor is available that can do some part.")
    return (*head, "nothing can be negative.")


def _worth(result: Result) -> Amount:
    return Amount(sum(result.certificate.prices.values(), Fraction(0)), Measure.WORTH)
