"""What kinds whose schedules can pay latencies say of them."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Protocol

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform, PortModel, has_latencies
from steadygrid.domain.problem import Use

SINCE = 2
"""Workers that solve less pay no latencies, see `steadygrid.kinds.SOLVES`."""
USE = Use(("latencies", "latency_loss", "total_instances"))
MOST_DIGITS = 300
"""Of the common denominator of all latencies, in which the times of a schedule are written."""


class Placed(Protocol):
    """An instance on a platform."""

    @property
    def platform(self) -> Platform:
        """Where it runs."""

    @property
    def ports(self) -> PortModel:
        """What limits the transfers of a processor."""


def requires(options: Options) -> int:
    """Say how new a version has to be that pays what is to be paid."""
    return SINCE if options.latencies == "paid" else 0


def start_up_faults(instance: Placed, options: Options, at: Pointer) -> Iterator[Fault]:
    """Refuse latencies that cannot be paid.

    Rules, in order: not with a longest period, which would contradict `latency_loss`. Under
    ``no_overlap`` no processor has a latency, since a task that is cut would pay it again;
    latencies with a common denominator of at most `MOST_DIGITS` digits.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `latencies` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if options.latencies != "paid":
        return
    if options.longest_period is not None:
        yield Fault(
            ("options", "max_period"),
            "options_disagree",
            "paid latencies make as many periods one as it takes: leave out max_period, or ask"
            " latency_loss",
        )
    platform, unit = instance.platform, 1
    for i, processor in enumerate(platform.processors):
        here = (*at, "platform", "processors", i, "latency")
        if processor.latency and instance.ports == "no_overlap":
            yield Fault(
                here,
                "latency_not_applicable",
                "under no_overlap a computation may be cut between transfers, and would pay this"
                " latency again: leave it out, or add it to the times of the tasks",
            )
            break
    listed: list[tuple[Pointer, Fraction]] = [
        *((("processors", i), each.latency) for i, each in enumerate(platform.processors)),
        *((("links", i), each.latency) for i, each in enumerate(platform.links)),
    ]
    for place, latency in listed:
        unit = lcm(unit, latency.denominator)
        if unit >= 10**MOST_DIGITS:
            yield Fault(
                (*at, "platform", *place, "latency"),
                "no_common_unit",
                f"the latencies up to here have a common denominator of more than {MOST_DIGITS}"
                " digits, and no time of the schedule could be read: round them",
            )
            break


def vain_options(platform: Platform, options: Options) -> Iterator[str]:
    """Name what was asked of latencies and changes nothing.

    Parameters
    ----------
    platform
        Of the instance.
    options
        `latencies`, `latency_loss` and what is said of a run are read.

    Returns
    -------
    iterator of str
        Warnings, each a clause.
    """
    loss = options.latency_loss != Options().latency_loss
    if options.total_instances is not None:
        yield "total_instances is an older name of run.instances, which is used instead"
    if options.latencies == "ignored":
        if loss:
            yield 'without "latencies": "paid", latency_loss is not used'
        return
    if options.asked_run is not None and loss:
        yield "with a run, latency_loss is not used"
    if not has_latencies(platform):
        yield "no link and no processor has a latency: there is nothing to pay"
