"""What a result says and the referee does not judge, in words."""

from collections.abc import Iterable, Iterator

_MEANINGS = {
    "/verified": "the referee's own mark",
    "/schedule": "the name of the schedule",
    "/method": "which of the kind's methods it was",
}


def explained(places: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give what is not judged, each with what it means where the name alone misleads.

    Parameters
    ----------
    places
        JSON pointers into the result.
    """
    return ((place, _MEANINGS.get(place, "")) for place in places)
