"""What views of periodic kinds have in common: the answer in a sentence, and what doubles what."""

from collections.abc import Mapping
from types import MappingProxyType

from steadygrid.domain.platform import PortModel
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.telling import TOO_MANY_TO_IMAGINE
from steadygrid.domain.view import Amount, Measure, Phrase

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
"""Under ``one_port`` a faster link would relieve ports as well; a second one does not."""


def doubled(ports: PortModel, *, fixed_routes: bool = False) -> Mapping[str, str]:
    """Say what doubles a resource of the platform, and nothing else, by what the resource is."""
    words = _TWICE if ports == "multiport" else _SECOND
    if not fixed_routes:
        return words
    return {
        what: f"{word}, if no route changes" if what in ("link", "half") else word
        for what, word in words.items()
    }


def noun_of(num_tasks: int) -> str:
    """Say what is counted: tasks, or instances where an instance has several tasks."""
    return "instance" if num_tasks > 1 else "task"


def periodic_headline(schedule: Schedule | None, noun: str) -> Phrase:
    """Say how much is done how often."""
    if schedule is None:
        return ()
    done = Amount(schedule.instances_per_period, Measure.INSTANCES)
    if not schedule.instances_per_period:
        fits = f"no {noun} fits into so short a period"
        return (fits,) if schedule.optimal_throughput else (done, ", ever")
    if schedule.instances_per_period >= TOO_MANY_TO_IMAGINE:
        return (Amount(schedule.throughput, Measure.ROUNDED_RATE),)
    return (done, " every ", Amount(schedule.period, Measure.INTERVAL))
