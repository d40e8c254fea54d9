"""Rules for the ways of a message that is copied or combined: they are trees."""

from collections import Counter

from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.findings import Findings


def check_tree(allocation: Allocation, findings: Findings, at: Pointer) -> None:
    """Check what `check_allocation`, with relays, leaves open: nothing comes to anybody by two ways.

    That has every way carry the whole message over existing links, begin at the origin or where another
    ends, on one who may copy, end at a receiver or where another begins, and in all of them once. So
    each end of a way is reached from the origin by one sequence of ways. A way may pass others, who
    forward the message, whether they may copy or not, and two ways may take the same link, which then
    carries it twice. Where the message is combined on its way, all that goes for each of its data.
    """
    entered = Counter((t.file, t.path[-1]) for t in allocation.transfers if t.path)
    for i, transfer in enumerate(allocation.transfers):
        if transfer.path and entered[transfer.file, transfer.path[-1]] > 1:
            findings.add(
                (*at, "transfers", i),
                "entered_twice",
                f"Allocation {allocation.index}: several ways end at {transfer.path[-1]!r}.",
            )
