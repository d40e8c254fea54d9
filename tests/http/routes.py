"""Every route of the application: API, pages, files."""

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import FastAPI


def paths(app: FastAPI) -> dict[str, set[str]]:
    """Give the methods of each path; those of what is mounted below a path are none."""
    found: dict[str, set[str]] = {}
    for route in _all(app.routes):
        found.setdefault(route.path, set()).update(getattr(route, "methods", None) or ())
    return found


def _all(routes: Iterable[Any]) -> Iterator[Any]:
    for route in routes:
        if hasattr(route, "original_router"):
            yield from _all(route.original_router.routes)
        else:
            yield route
