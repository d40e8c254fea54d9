"""What every answer says of its participants, for any messages."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.kinds.divisible_star.schemas import DivisibleStarResult
from steadygrid.verification.findings import Findings


def check_idle(
    computing: Mapping[str, Fraction],
    makespan: Fraction,
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    """Check the participants, and how long they compute and wait.

    Parameters
    ----------
    computing
        Time by participant: the master, then in the order.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ====================
    1  the participants are those that have shares: the master, then in the    `wrong_participants`
       order
    2  they compute as long as their shares take, and are idle for the rest of `wrong_idle`
       the makespan
    == ======================================================================= ====================
    """
    if result.participants != list(computing):
        findings.add(
            ("result", "participants"),
            "wrong_participants",
            "The participants are the processors that have shares: the master, then in the order.",
        )
    right = [(id_, time, makespan - time) for id_, time in computing.items()]
    if [(entry.processor, entry.computing, entry.idle) for entry in result.idle] != right:
        findings.add(
            ("result", "idle"), "wrong_idle", "The idle times are not those of the timeline."
        )
