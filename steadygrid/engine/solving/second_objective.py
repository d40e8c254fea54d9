"""How long a second objective may take, and what is said where it takes longer."""

from steadygrid.engine.solving.control import Control

LEAST_SECONDS = 1.0
SHARE = 0.3
"""Of what the job has taken."""

NO_TIME = (
    "prefer: the second program took longer than the time for it (1 s, or 30 % of what the job had"
    " taken): these are the optimal rates that were found first"
)
NO_PROOF = (
    "prefer: the second program could not be solved exactly: these are the optimal rates that were"
    " found first"
)

MORE_ALLOCATIONS = (
    "prefer: the optimal rates of least traffic take {:,} allocations, and those that were found"
    " first take {:,} and are kept; least_traffic asks for the others, any for no search"
)
TOO_LONG = (
    "prefer: what proves the least value are numbers too long to be read: it is given without proof"
)


def time_for_second(control: Control) -> float:
    """Give the seconds that a search for a second objective may take.

    The larger of `LEAST_SECONDS` and `SHARE` of what the job has taken, and at most half of what
    the time limit leaves: the schedule needs the rest.

    Parameters
    ----------
    control
        Of the whole solve.
    """
    return min(max(LEAST_SECONDS, SHARE * control.elapsed), control.remaining / 2)
