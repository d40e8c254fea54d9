"""Forgeries of time: the same work in another time, or more often than is possible."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from steadygrid.domain.job import NO_TIME_FOR_SCHEDULE
from tests.forgery.cases import Case, forgery, passed_off
from tests.forgery.papers import Document, Papers, claimed, scaled

RATES = frozenset(
    {
        "algorithmic_bandwidth",
        "computed",
        "distribution_bound",
        "distribution_prices",
        "empirical_bound",
        "given_rates",
        "greatest",
        "least",
        "optimal_throughput",
        "rate",
        "rate_per_priority",
        "throughput",
        "throughput_by_bag",
    }
)
"""Members that hold so much per time unit."""

TIMES = frozenset(
    {
        "any_rounds_bound",
        "completion",
        "compute",
        "computing",
        "duration",
        "end",
        "every",
        "idle",
        "largest",
        "latency_time",
        "makespan",
        "makespan_with_startup",
        "mct",
        "period",
        "proved_bound",
        "receive",
        "send",
        "start",
        "state",
        "time",
    }
)
"""Members that hold times."""

COUNTS = frozenset({"count", "instances_per_period"})
HALF, TWICE = Fraction(1, 2), Fraction(2)


def clocked(papers: Papers, pace: Fraction, names: frozenset[str] = TIMES) -> Papers:
    """Let all that an answer tells happen so many times as fast, its certificate included."""
    value = papers.value / pace if papers.minimised else papers.value * pace
    bound = papers.bound
    bound = bound / pace if papers.minimised else bound * pace
    rates = RATES if papers.minimised else RATES | {"prices", "bound_prices", "factor"}
    both: list[Any] = [
        scaled(scaled(document, names, 1 / pace), rates, pace)
        for document in (papers.result, papers.schedule)
    ]
    told, schedule = both
    proof = papers.result["proof"]
    return Papers(papers.asked, told | claimed(papers, value, bound, proof), schedule)


@forgery
def a_faster_clock(case: Case) -> Iterator[Papers]:
    """Everything takes half the time, and the prices are twice as high."""
    yield clocked(case.right, TWICE)


@forgery
def a_slower_clock(case: Case) -> Iterator[Papers]:
    """Everything takes twice the time, and the prices are half as high."""
    yield clocked(case.right, HALF)


@forgery
def a_shorter_period(case: Case) -> Iterator[Papers]:
    """The same work in half the period: what the schedule lists keeps its times."""
    if case.right.is_periodic or case.right.is_table:
        yield clocked(case.right, TWICE, frozenset({"period", "every"}))


@forgery
def a_period_cut_in_half(case: Case) -> Iterator[Papers]:
    """Half a period, with all that is sent cut in half, and yet all instances of a whole one."""
    if not case.right.is_periodic:
        return
    papers = clocked(case.right, TWICE, frozenset({"period", "duration", "start", "end"}))
    assert papers.schedule is not None
    sent = scaled(papers.schedule[papers.sent], {"count", "time"}, HALF)
    computations = scaled(papers.schedule["computations"], {"time"}, HALF)
    half = papers.with_schedule(**{papers.sent: sent})
    yield half.with_schedule(computations=computations)
    done = scaled(computations, {"count"}, HALF)
    yield half.with_schedule(computations=done)
    yield half.with_schedule(computations=done, preempted=True)


@forgery
def counts_and_rates_doubled(case: Case) -> Iterator[Papers]:
    """Twice as many instances in a period of the same length."""
    if not case.right.is_periodic:
        return
    papers = clocked(case.right, TWICE, frozenset())
    yield papers._replace(schedule=scaled(papers.schedule, COUNTS, TWICE))
    computations = scaled(case.right.schedule["computations"], COUNTS | {"time"}, TWICE)
    doubled = papers._replace(schedule=scaled(papers.schedule, COUNTS, TWICE))
    yield doubled.with_schedule(computations=computations)


@forgery
def rows_without_times(case: Case) -> Iterator[Papers]:
    """A table of rows that take no time, and come again twice as often."""
    if case.right.is_table:
        papers = clocked(case.right, TWICE)
        yield papers._replace(schedule=scaled(papers.schedule, {"time"}, Fraction(0)))


@forgery
def all_slots_at_once(case: Case) -> Iterator[Papers]:
    """All transfers in one slot, and a period no longer than the longest slot or computation."""
    if not case.right.is_periodic or len(case.right.schedule.get("slots", ())) < 2:
        return
    schedule = case.right.schedule
    slots = schedule["slots"]
    longest = max(
        *(Fraction(slot["duration"]) for slot in slots),
        *(Fraction(one["time"]) for one in schedule["computations"] or [{"time": "0"}]),
    )
    moved = [transfer for slot in slots for transfer in slot["transfers"]]
    one = {"start": "0", "duration": str(longest), "transfers": moved}
    counts = schedule["counts"] | {"slots": 1}
    pace = Fraction(schedule["period"]) / longest
    papers = case.right if pace == 1 else clocked(case.right, pace, frozenset())
    yield papers.with_schedule(period=str(longest), slots=[one], counts=counts)


@forgery
def all_runs_at_once(case: Case) -> Iterator[Papers]:
    """All runs of links begin with the period, which is no longer than it has to be then."""
    if not case.right.is_periodic or case.right.sent != "runs":
        return
    schedule = case.right.schedule
    runs = [
        run | {"start": "0", "end": str(Fraction(run["end"]) - Fraction(run["start"]))}
        for run in schedule["runs"]
    ]
    if all(run["start"] == "0" for run in schedule["runs"]):
        return
    told = {"runs": runs, "counts": None}
    yield case.right.with_schedule(**told)
    longest = max(
        *(Fraction(run["end"]) for run in runs),
        *(Fraction(one["time"]) for one in schedule["computations"] or [{"time": "0"}]),
    )
    pace = Fraction(schedule["period"]) / longest
    if pace != 1:
        papers = clocked(case.right, pace, frozenset())
        yield papers.with_schedule(period=str(longest), **told)


@forgery
def one_run_told_as_two(case: Case) -> Iterator[Papers]:
    """A link is said to be interrupted between two files; interruptions and counts agree."""
    if not case.right.is_periodic or not case.right.schedule.get("runs"):
        return
    schedule = case.right.schedule
    for place, run in enumerate(schedule["runs"]):
        first = run["cargo"][0]
        count, time = Fraction(first["count"]), Fraction(first["time"])
        if count.denominator == 1 < count:
            one = first | {"count": "1", "time": str(time / count)}
            rest = first | {"count": str(count - 1), "time": str(time - time / count)}
            cut = str(Fraction(run["start"]) + time / count)
            begun = run | {"end": cut, "cargo": [one]}
            ended = run | {"start": cut, "cargo": [rest, *run["cargo"][1:]]}
            runs = [*schedule["runs"][:place], begun, ended, *schedule["runs"][place + 1 :]]
            yield case.right.with_schedule(
                runs=sorted(runs, key=lambda one: Fraction(one["start"])),
                interruptions=schedule["interruptions"] + 1,
                counts=None,
            )
            return


@forgery
def cargo_in_less_time(case: Case) -> Iterator[Papers]:
    """Links carry files in half their time, in shorter runs or twice as many of them."""
    if not case.right.is_periodic or not case.right.schedule.get("runs"):
        return
    runs = scaled(case.right.schedule["runs"], {"time"}, HALF)
    yield case.right.with_schedule(runs=runs)
    shorter = [
        run
        | {"end": str(sum((Fraction(one["time"]) for one in run["cargo"]), Fraction(run["start"])))}
        for run in runs
    ]
    yield case.right.with_schedule(runs=shorter, counts=None)
    twice = scaled(case.right.schedule["runs"], {"count"}, TWICE)
    yield case.right.with_schedule(runs=twice)


@forgery
def half_the_work_for_the_best(case: Case) -> Iterator[Papers]:
    """What can be kept, half as often as it could, and a bound that says that this is the best."""
    if case.right.schedule is not None:
        slow = slowed(case.right)
        yield from passed_off(case, slow)
        yield from passed_off(case, slow._replace(schedule=None))


def slowed(papers: Papers) -> Papers:
    """Give what an answer does at half its pace: right but for what is said of bounds."""
    if papers.minimised:
        return _delayed(papers)
    slow = clocked(papers, HALF, frozenset({"period", "every"}))
    slow = slow.with_result(certificate=papers.result["certificate"])
    assert slow.schedule is not None
    if papers.is_table:
        return slow.with_schedule(rows=[_later(row) for row in slow.schedule["rows"]])
    if slow.schedule["ports"] == "multiport":
        return slow.with_schedule(slots=scaled(slow.schedule["slots"], {"duration"}, TWICE))
    return slow


def _later(row: Document) -> Document:
    spacing = Fraction(row["every"]) / int(row["modulus"]) / 2
    return row | {"start": str(Fraction(row["start"]) + int(row["residue"]) * spacing)}


def _delayed(papers: Papers) -> Papers:
    """Let everything happen later by as much as the value."""
    delay = papers.value

    def late(document: Any) -> Any:
        names = ("start", "end", "makespan", "completion", "idle")
        return _moved(document, names, delay)

    value = papers.value + delay
    claims = claimed(papers, value, value, papers.result["proof"])
    return Papers(papers.asked, late(papers.result) | claims, late(papers.schedule))


def _moved(document: Any, names: tuple[str, ...], delay: Fraction) -> Any:
    if isinstance(document, list):
        return [_moved(member, names, delay) for member in document]
    if not isinstance(document, dict):
        return document
    return {
        name: str(Fraction(member) + delay)
        if name in names and isinstance(member, str)
        else _moved(member, names, delay)
        for name, member in document.items()
    }


@forgery
def faster_without_a_schedule(case: Case) -> Iterator[Papers]:
    """Twice the rates, with a note that there was no time for a schedule."""
    papers = clocked(case.right, TWICE)
    bound = papers.value * (HALF if papers.minimised else TWICE)
    notes = [NO_TIME_FOR_SCHEDULE]
    late = papers.with_result(notes=notes, **claimed(papers, papers.value, bound, "none"))
    late = late.with_result(certificate={"type": "none"})
    yield late._replace(schedule=None)
    yield (
        case.right.with_result(outcome="optimal", notes=notes)._replace(schedule=None)
        if (not case.right.minimised)
        else late
    )
