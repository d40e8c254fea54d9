"""The pages that a service has, and how each is seen whole."""

from collections.abc import Iterator
from typing import Any

from app.pages.tabs import TITLES
from tests.browser.visits import Visit, expect
from tests.pages.site import Site

THEMES = ("light", "dark")
LISTS = ("/", "/jobs", "/sweeps", "/replans", "/platforms", "/applications", "/operations")
ERRORS = {"/jobs/none": 404, "/jobs?state=lost": 422}
"""With their status."""
STATES = (
    *("queued", "running", "cancelling", "cancelled", "failed"),
    *("master_worker", "feasible", "bound_only", "unknown", "infeasible", "long", "hostile"),
)
"""Jobs in every state, and with every outcome."""


def pages(site: Site) -> list[str]:
    """Give the paths of all sorts of pages."""
    first, second = site.jobs["feasible"], site.jobs["hostile"]
    return [
        *LISTS,
        f"/platforms/{site.platform}",
        f"/applications/{site.application}",
        *(f"/sweeps/{site.what_if}", f"/replans/{site.replan}"),
        *("/new", "/problems", "/problems/mono_allocation"),
        f"/compare?job={first}&job={second}",
        *(f"/jobs/{site.jobs[name]}" for name in STATES),
        *(f"/jobs/{first}/{tab}" for tab in TITLES if tab),
    ]


def drawn(visit: Visit) -> Iterator[Any]:
    """Give the figures of the page, each when it has become one that can be pointed at."""
    for figure in visit.page.locator("figure[data-picture]").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".drawing :is(svg, canvas)").first).to_be_visible()
        yield figure
