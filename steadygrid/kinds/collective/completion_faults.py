"""What is wrong with an instance that asks for one operation, or says how programs run."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.kinds.collective.execution import MOST_HOPS
from steadygrid.kinds.collective.schemas import DIFFERENT, CollectiveInstance

_ONCE = "one operation runs once"


def completion_faults(
    instance: CollectiveInstance, options: Options, at: Pointer
) -> Iterator[Fault]:
    """List what a completion, and the execution of programs, do not go with.

    Rules, in order: sizes of a table increase; where there are some, programs run under ``multiport``, and of messages that
    are copied or combined, without time or order of combinations. A completion needs ``multiport``, such messages, who
    copies among the participants, and no option of periodic schedules.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `run` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if instance.execution is not None:
        yield from _execution_faults(instance, (*at, "execution"))
    if not instance.wants_completion:
        return
    here = (*at, "objective")
    if instance.ports != "multiport":
        yield Fault(
            here,
            "completion_needs_multiport",
            f"a completion is predicted where links share data flows, not under {instance.ports}: ask"
            ' "ports": "multiport"',
        )
    if instance.operation in DIFFERENT:
        yield Fault(
            here,
            "completion_not_offered",
            f"the completion of one operation is found for messages that are copied or combined, and"
            f" those of {instance.operation} differ: ask for objective throughput, with run.instances 1",
        )
    for field in _joining(instance):
        yield Fault(
            (*at, field),
            "field_not_applicable",
            f"leave out `{field}`: in a completion combining takes no time, in any order",
        )
    if instance.copying == "all":
        yield Fault(
            (*at, "copying"),
            "field_not_applicable",
            "only participants run a program: leave out `copying`",
        )
    if instance.chunks is not None:
        yield Fault(
            (*at, "chunks"),
            "field_not_applicable",
            "leave out `chunks`: of a completion, the number that is best is found",
        )
    for option in ("run", "total_instances", "max_period"):
        if getattr(options, option) is not None:
            yield Fault(
                ("options", option),
                "field_not_applicable",
                f"leave out `{option}`: {_ONCE}, and has no period",
            )


def _execution_faults(instance: CollectiveInstance, here: Pointer) -> Iterator[Fault]:
    sizes = instance.execution_settings.sizes
    for i, (before, after) in enumerate(pairwise(sizes), start=1):
        if after <= before:
            yield Fault(
                (*here, "sizes", i),
                "sizes_not_increasing",
                f"{after:,} follows {before:,}: list sizes from the smallest to the largest, each once",
            )
            break
    why = None
    if not instance.predicts:
        return
    if instance.ports != "multiport":
        why = f'programs run under "ports": "multiport", not under {instance.ports}'
    elif instance.operation in DIFFERENT:
        why = f"no program of a {instance.operation} is predicted"
    elif _joining(instance):
        why = "in programs combining takes no time, in any order"
    if why is not None:
        yield Fault(here, "field_not_applicable", f"leave out `execution`: {why}")


def _joining(instance: CollectiveInstance) -> list[str]:
    """Name what makes it matter which operands are combined where."""
    given = {"combine": instance.combine is not None, "order": instance.order == "fixed"}
    return [field for field, asked in given.items() if asked]


def too_many_hops(instance: CollectiveInstance, at: Pointer) -> Fault | None:
    """Refuse a completion whose chunks take more hops than are simulated in little time.

    Parameters
    ----------
    instance
        Without other faults.
    at
        Place of the instance in the submission.
    """
    hops = hops_of_chunks(instance)
    if hops <= MOST_HOPS:
        return None
    equal = len({message.size for message in instance.messages if message.size}) <= 1
    remedy = "name fewer participants" if equal else "give sizes that have a larger common divisor"
    return Fault(
        (*at, "participants" if equal else "sizes"),
        "limit_exceeded",
        f"the chunks of one operation take {hops:,} hops, and at most {MOST_HOPS:,} are accepted:"
        f" {remedy}",
    )


def hops_of_chunks(instance: CollectiveInstance) -> int:
    """Count the hops of all messages, cut into the fewest chunks of one size.

    Of an allreduce each participant combines and spreads a chunk.
    """
    members = len(instance.taking_part)
    if instance.operation == "allreduce":
        return 2 * members * (members - 1)
    sizes = [message.size for message in instance.messages if message.size]
    unit = common_divisor(sizes)
    chunks = sum(int(message.size / unit) for message in instance.messages)
    return chunks * (members - 1)


def common_divisor(sizes: list[Fraction]) -> Fraction:
    """Give the largest size of which all are multiples; 1 if there are none."""
    grain = lcm(1, *(size.denominator for size in sizes))
    return Fraction(gcd(*(int(size * grain) for size in sizes)) or 1, grain)
