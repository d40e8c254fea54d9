"""Rules for the routes of a message that is copied or combined: they are trees."""

from collections import Counter

from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.findings import Findings


def check_tree(
    allocation: Allocation, copiers: frozenset[str], findings: Findings, at: Pointer
) -> None:
    """Check what `check_allocation`, with relays, leaves open.

    That has every route carry the whole message over existing links. It begins at the origin or
    where another ends, and ends at a receiver or where another begins. All receivers are reached
    once, and copies are made on processors that may copy.

    Parameters
    ----------
    allocation
        Moves one message.
    copiers
        Names of the processors that may copy, or combine.
    findings
        Collects the faults that are found.
    at
        Place of the allocation in the answer.

    Notes
    -----
    Rules, in this order:

    == =========================================== ===============
    1  who may copy is on no route but at its ends `passes_copier`
    2  no processor is entered by two routes       `entered_twice`
    == =========================================== ===============

    So each is reached from the origin by one sequence of routes. Two routes may take the same link,
    which then carries the message twice. Where the message is combined on its route, all that goes
    for each of its data.
    """
    entered = Counter((t.file, t.path[-1]) for t in allocation.transfers if t.path)
    for i, transfer in enumerate(allocation.transfers):
        here = (*at, "transfers", i)
        passed = next((name for name in transfer.path[1:-1] if name in copiers), None)
        if passed is not None:
            findings.add(
                here,
                "passes_copier",
                f"Allocation {allocation.index}: route {i} passes {passed!r}, which may copy: routes end"
                " there and begin anew.",
            )
        if transfer.path and entered[transfer.file, transfer.path[-1]] > 1:
            findings.add(
                here,
                "entered_twice",
                f"Allocation {allocation.index}: {transfer.path[-1]!r} is entered by several routes.",
            )
