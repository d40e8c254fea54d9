"""Second objectives: which kinds have them, and which workers know the option."""

from steadygrid.domain.job import Options
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.problem import Use
from steadygrid.domain.view import Amount, Measure, Phrase

SINCE = 11
"""Workers that solve less do not know `prefer`, see `steadygrid.kinds.SOLVES`."""
NO_SECOND_OBJECTIVE = Use(
    ("prefer",), by=(), otherwise="only master_worker and collective have second objectives"
)


def requires(options: Options) -> int:
    """Say how new a version has to be that can read what is preferred."""
    return SINCE if options.prefer is not None else 0


def traffic_told(preferred: Preferred | None, what: str) -> tuple[tuple[str, Phrase], ...]:
    """Say how long links are busy, and whether that is least, as a fact of a view.

    Parameters
    ----------
    preferred
        Of the answer. None where it says nothing.
    what
        Links carry, in the plural.
    """
    if preferred is None:
        return ()
    value = Amount(preferred.value, Measure.NUMBER)
    busy = f"links carry {what} for ", value, " of the time, summed up"
    told: Phrase = (*busy, ": the least, proved")
    if preferred.proof == "none":
        told = (*busy, "; not proved to be least")
    elif preferred.before != preferred.value:
        told = (*told, "; ", Amount(preferred.before, Measure.NUMBER), " before")
    return (("traffic", told),)
