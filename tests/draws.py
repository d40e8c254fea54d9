"""How many random instances a test draws, and how many faults a drill has."""

import os
import time
from collections.abc import Iterator


def draws(usual: int, searching: int) -> int:
    """Give the usual number, or that of ``STEADYGRID_HYPOTHESIS=search``, which looks further."""
    return searching if os.environ.get("STEADYGRID_HYPOTHESIS") == "search" else usual


def faults(usual: int, searching: int) -> Iterator[int]:
    """Number the faults of a drill.

    ``STEADYGRID_FAULTS`` names another number of them, and ``STEADYGRID_FAULT_SECONDS`` the time after
    which no more begins.
    """
    most = int(os.environ.get("STEADYGRID_FAULTS") or draws(usual, searching))
    end = time.monotonic() + float(os.environ.get("STEADYGRID_FAULT_SECONDS") or "inf")
    for number in range(most):
        if time.monotonic() > end:
            return
        yield number


def rest_seconds(usual: float) -> float:
    """Give how long a drill waits until all is done; ``STEADYGRID_REST_SECONDS`` names another time."""
    return float(os.environ.get("STEADYGRID_REST_SECONDS") or usual)
