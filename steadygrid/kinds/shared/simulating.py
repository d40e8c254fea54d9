"""Simulating a schedule with its job: which kinds can, and which workers know the option."""

from collections.abc import Collection

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Use

SINCE = 13
"""Workers that solve less do not know `simulate`, see `steadygrid.kinds.SOLVES`."""
USE = Use(("simulate",))
NOT_SIMULATED = Use(("simulate",), by=(), otherwise="schedules of this kind are not simulated")


def used_by(methods: Collection[str]) -> Use:
    """Say which methods give schedules that are simulated.

    Parameters
    ----------
    methods
        Names of methods of the kind.
    """
    return Use(("simulate",), by=methods, otherwise="{method} gives no schedule")


def requires(options: Options) -> int:
    """Say how new a version has to be that can read what is asked."""
    return SINCE if options.simulate is not None else 0
