"""Where whole chunks are not offered."""

from collections.abc import Iterator

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.wording import shown
from steadygrid.kinds.collective.choice import obstacle_to_chunks
from steadygrid.kinds.collective.chunking import MOST_CHUNKS, units_in_all
from steadygrid.kinds.collective.schemas import DIFFERENT, CollectiveInstance


def chunk_faults(instance: CollectiveInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """Refuse whole chunks where they are not offered.

    Rules, in order:

    1. `chunk_loss` is given only with ``auto``.
    2. Messages are copied or combined, by processors that are no switches, at no time, and in any
       order.
    3. Each processor that copies takes part.
    4. There are no ports of one transfer at a time. Where more than links limits, chunks are a
       number.
    5. There is no longest period.
    6. There are at most `MOST_CHUNKS` in all.

    Parameters
    ----------
    instance
        Without other faults.
    options
        `max_period` is read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    here = (*at, "chunks")
    if instance.chunk_loss is not None and instance.chunks != "auto":
        yield Fault(
            (*at, "chunk_loss"),
            "field_not_applicable",
            'leave out `chunk_loss`: it says what "chunks": "auto" may lose',
        )
    if instance.chunks is None:
        return
    for because in _not_applicable(instance):
        yield Fault(here, "field_not_applicable", f"leave out `chunks`: {because}")
        return
    if (obstacle := obstacle_to_chunks(instance)) is not None:
        yield Fault(here, "chunks_not_offered", obstacle)
        return
    if options.longest_period is not None:
        yield Fault(
            ("options", "max_period"),
            "chunks_with_max_period",
            "whole chunks make a short period already: leave out max_period, or chunks",
        )
    units = units_in_all(instance)
    number = units * (1 if instance.chunks == "auto" else instance.chunks)
    if number > MOST_CHUNKS:
        most = MOST_CHUNKS // units
        remedy = f"ask at most {most:,}" if most else "choose sizes with a larger common divisor"
        yield Fault(
            here,
            "limit_exceeded",
            f"{number:,} chunks in all, and at most {MOST_CHUNKS:,} are accepted: {remedy}",
        )


def _not_applicable(instance: CollectiveInstance) -> Iterator[str]:
    if instance.operation in DIFFERENT:
        yield "the messages differ, and a path is not cut: ask max_period for a short period"
    if instance.copying == "all":
        yield "switches copy, and the best trees are not known: that needs another `copying`"
    if instance.combine is not None:
        yield "combining takes time"
    if instance.order == "fixed":
        yield "the order of the operands is fixed"
    if instance.method not in ("auto", "least_cut", "cutting_planes", "trees"):
        yield f"method {shown(instance.method)} does not grow trees of chunks"
