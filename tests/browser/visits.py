"""Pages that a person looks at in a browser, on which nothing may go wrong unseen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 60_000.0
"""Milliseconds after which what has not come will not come."""


class Faults:
    """What must not happen on any page: requests elsewhere, messages, errors and dialogs."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.found: list[str] = []

    def watch(self, context: Any) -> None:
        """Look at all pages of a browser's context."""
        context.on("page", self._watch_page)
        context.on("request", self._asked)

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Expect that the service does not answer, of which the browser tells the console."""
        before = len(self.found)
        yield
        away = "error: Failed to load resource: net::ERR_"
        self.found[before:] = [one for one in self.found[before:] if not one.startswith(away)]

    def _asked(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.found.append(f"asked {request.url}")

    def _watch_page(self, page: Any) -> None:
        # A breach of the policy is a message on the console, too.
        page.on("console", lambda said: self.found.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.found.append(f"error: {error}"))
        page.on("dialog", self._opened)

    def _opened(self, dialog: Any) -> None:
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()


class Visit:
    """Pages of one service, seen by one person.

    Attributes
    ----------
    page
        Of Playwright.
    """

    def __init__(self, page: Any, base: str, faults: Faults) -> None:
        self.page = page
        self.base = base
        self.faults = faults

    def go(self, path: str) -> None:
        """Open a page by its path."""
        answer = self.page.goto(self.base + path)
        assert answer.ok, answer.status

    def beside(self, path: str) -> "Visit":
        """Open a page in another tab of the same browser."""
        other = Visit(self.page.context.new_page(), self.base, self.faults)
        other.go(path)
        return other

    def post(self, path: str, body: Any) -> Any:
        """Ask the API in place of a person."""
        answer = self.page.request.post(self.base + path, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def solved(self, body: Any) -> str:
        """Have a job done, and give the path of its page."""
        job = self.post("/v1/jobs?wait=30", body)
        assert job["state"] == "succeeded", job
        return f"/jobs/{job['id']}"

    @contextmanager
    def refused(self, status: int) -> Iterator[None]:
        """Expect that the service refuses one request, of which the browser tells the console."""
        before = len(self.faults.found)
        yield
        new = self.faults.found[before:]
        told = f"error: Failed to load resource: the server responded with a status of {status} "
        assert [fault.startswith(told) for fault in new] == [True], new
        del self.faults.found[before:]


Visits = Callable[..., Visit]


def expect(found: Any) -> Any:
    """Expect something of a locator or a page, soon."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE)
    return expected(found)
