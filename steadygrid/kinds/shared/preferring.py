"""Second objectives: which kinds have them, and which workers know the option."""

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Use

SINCE = 11
"""Workers that solve less do not know `prefer`, see `steadygrid.kinds.SOLVES`."""
NO_SECOND_OBJECTIVE = Use(("prefer",), by=(), otherwise="only master_worker has a second objective")


def requires(options: Options) -> int:
    """Say how new a version has to be that can read what is preferred."""
    return SINCE if options.prefer is not None else 0
