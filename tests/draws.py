"""How many random instances a test draws."""

import os


def draws(usual: int, searching: int) -> int:
    """Give the usual number, or that of ``STEADYGRID_HYPOTHESIS=search``, which looks further."""
    return searching if os.environ.get("STEADYGRID_HYPOTHESIS") == "search" else usual
