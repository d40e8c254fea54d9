"""What the processes that tests start find in their environment."""

import os
from typing import Any


def bare(*, covered: bool = False, **settings: Any) -> dict[str, str]:
    """Give the environment of this process without any setting of steadygrid.

    Parameters
    ----------
    covered
        Whether the coverage sees the process, which makes it slower and larger.
    **settings
        Those that it gets, by their names in `Settings`.
    """
    unwanted = ("STEADYGRID_",) if covered else ("STEADYGRID_", "COV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return kept | {f"STEADYGRID_{name.upper()}": str(value) for name, value in settings.items()}
