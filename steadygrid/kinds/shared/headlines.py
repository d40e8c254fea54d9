"""What views of periodic kinds have in common: the answer in a sentence, and what doubles what."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol

from steadygrid.domain.job import Bound
from steadygrid.domain.platform import Platform, PortModel
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.sentences import TOO_MANY_TO_IMAGINE
from steadygrid.domain.slots import FileName
from steadygrid.domain.view import Amount, Measure, Phrase, View, with_article

_TWICE = MappingProxyType(
    {
        "compute": "twice its speed",
        "medium": "twice its bandwidth",
        "in": "twice its bandwidth",
        "out": "twice its bandwidth",
        "link": "twice its bandwidth",
        "half": "twice its bandwidth",
    }
)
_SECOND = MappingProxyType(
    {
        "compute": "twice its speed",
        "send": "a second such port",
        "receive": "a second such port",
        "link": "a second such link",
        "half": "a second such link",
    }
)
"""Under ``one_port`` a faster link would relieve ports as well. A second one does not."""
_MORE_CARDS = "twice as many such cards"


class Runs(Protocol):
    """What the instances of periodic kinds have."""

    @property
    def platform(self) -> Platform:
        """Where it runs."""

    @property
    def ports(self) -> PortModel:
        """By which port model."""

    @property
    def file_sizes(self) -> Mapping[FileName, Fraction]:
        """Data of each file of an instance."""


def periodic_view(
    instance: Runs,
    schedule: Schedule | None,
    bound: Bound | None,
    tasks: Iterable[str] = (),
    *,
    fixed_routes: bool = False,
    noun: str = "",
) -> View:
    """Say how much is done how often, and what more of each resource would be.

    Parameters
    ----------
    bound
        Of the answer. That nothing is ever done is only said where it is 0.
    tasks
        Ids of the tasks, in order. None where all tasks are one.
    fixed_routes
        Whether files travel over the platform's routes only.
    noun
        What is counted; left out, an instance, or a task where all tasks are one.
    """
    names = tuple(tasks)
    noun = noun or ("instance" if len(names) > 1 else "task")
    return View(
        instance.platform,
        instance.ports,
        instance.file_sizes,
        noun,
        names,
        headline=_headline(schedule, bound, noun),
        doubled=_doubled(instance, fixed_routes=fixed_routes),
    )


def _doubled(instance: Runs, *, fixed_routes: bool) -> Mapping[str, str]:
    """Say what doubles a resource of the platform, and nothing else, by what the resource is."""
    words: Mapping[str, str] = _TWICE if instance.ports == "multiport" else _SECOND
    if any(processor.has_cards for processor in instance.platform.processors):
        words = {**words, "send": _MORE_CARDS, "receive": _MORE_CARDS}
    if not fixed_routes:
        return words
    return {
        what: f"{word}, if no route changes" if what in ("link", "half") else word
        for what, word in words.items()
    }


def _headline(schedule: Schedule | None, bound: Bound | None, noun: str) -> Phrase:
    """Say how much is done how often, or in the run that was asked for."""
    if schedule is None:
        return ()
    done = Amount(schedule.instances_per_period, Measure.INSTANCES)
    if not schedule.instances_per_period:
        if schedule.optimal_throughput:
            return (f"no {noun} fits into so short a period",)
        if bound is not None and not bound.value:
            return (done, ", ever")
        return (f"no schedule was found that does {with_article(noun)}",)
    run = schedule.run
    if run is not None and run.horizon is not None:
        complete = Amount(Fraction(run.instances_at_least), Measure.INSTANCES)
        return (complete, " within ", Amount(run.horizon, Measure.DURATION))
    if run is not None and run.completion_time_at_most is not None:
        wanted = Amount(Fraction(run.instances), Measure.INSTANCES)
        return (wanted, " within ", Amount(run.completion_time_at_most, Measure.DURATION))
    if schedule.instances_per_period >= TOO_MANY_TO_IMAGINE:
        return (Amount(schedule.throughput, Measure.ROUNDED_RATE),)
    return (done, " every ", Amount(schedule.period, Measure.INTERVAL))
