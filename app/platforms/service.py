"""Where platforms are kept."""

from operator import attrgetter

from app.http.stored import Shelf
from steadygrid.domain.platform import Platform, platform_faults

SHELF = Shelf(
    noun="platform",
    path="/v1/platforms",
    prefix="plt",
    model=Platform,
    faults=platform_faults,
    most={
        "processors": "max_processors",
        "links": "max_links",
        "media": "max_links",
        "routes": "max_links",
    },
    repository=attrgetter("platforms"),
    drawn=True,
)
