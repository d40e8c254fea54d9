"""A connection to the service that repeats requests; `tests.client.sync_writer` makes the one that blocks of it."""

from asyncio import sleep
from collections.abc import AsyncIterator, Mapping
from time import monotonic
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from steadygrid.client.bodies import (
    AGAIN,
    LONGEST_POLL,
    address_of,
    find_http,
    headers_of,
    pause_after,
)
from steadygrid.client.refusals import no_answer, refusal_of
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.limits import Limits


class AsyncConnection:
    """What the client sends, and how often."""

    def __init__(
        self, url: str | None, key: str | None, timeout: float, limits: Limits, transport: Any
    ) -> None:
        self.http = find_http()
        """What speaks HTTP."""
        self.limits = limits
        """How large problems may be that are read."""
        self._timeout = timeout
        self._client = self.http.AsyncClient(
            base_url=address_of(url), headers=headers_of(key), transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, **parameters: Any) -> Any:
        """Fetch a JSON document.

        Parameters
        ----------
        path
            Below the address of the service.
        **parameters
            Of the query. None: left out.
        """
        given = {name: value for name, value in parameters.items() if value is not None}
        return (await self.request("GET", path, params=given)).json()

    async def put_document(self, path: str, body: Any) -> Any:
        """Put a JSON document, and give what the service answers.

        Parameters
        ----------
        path
            Below the address of the service.
        body
            JSON-ready.
        """
        return (await self.request("PUT", path, json=body)).json()

    async def post_once(self, path: str, body: Any = None) -> Any:
        """Post what must not be done twice, and that no ``Idempotency-Key`` guards.

        It is repeated only where the service has certainly not done it.

        Parameters
        ----------
        path
            Below the address of the service.
        body
            JSON-ready. None: nothing is sent.

        Raises
        ------
        ServiceUnavailable
            With the code ``answer_lost`` where it may have been done.
        """
        return (await self.request("POST", path, once=True, json=body)).json()

    async def make(self, path: str, body: Any) -> Any:
        """Post a JSON document so that it makes one thing, however often it is sent.

        Parameters
        ----------
        path
            Below the address of the service.
        body
            JSON-ready.
        """
        fields = {"Idempotency-Key": uuid4().hex}
        return (await self.request("POST", path, json=body, headers=fields)).json()

    async def items(self, path: str, filters: Mapping[str, Any]) -> AsyncIterator[Any]:
        """Go through the pages of a list.

        Parameters
        ----------
        path
            Of the list.
        filters
            Of the query.
        """
        token = None
        while True:
            more: dict[str, Any] = {} if token is None else {"page_token": token}
            page = await self.get(path, **filters, **more)
            for item in page["items"]:
                yield item
            token = page["next_page_token"]
            if token is None:
                return

    async def ended(self, path: str, states: tuple[str, ...], timeout: float | None) -> Any:
        """Poll a document until its state is one of some.

        Parameters
        ----------
        path
            Of the document.
        states
            In which it stays.
        timeout
            Seconds. None: for ever.

        Raises
        ------
        TimeoutError
            It has not ended.
        """
        end = None if timeout is None else monotonic() + timeout
        while True:
            left = LONGEST_POLL if end is None else min(LONGEST_POLL, max(0.0, end - monotonic()))
            wait = {"wait": int(left)} if left >= 1 else {}
            asked = monotonic()
            answer = await self.request("GET", path, params=wait, waits=left)
            document = answer.json()
            if document["state"] in states:
                return document
            if end is not None and monotonic() >= end:
                raise TimeoutError(f"{path} is {document['state']} after {timeout} s, and goes on")
            if not wait:
                await sleep(left)
            elif monotonic() - asked < left / 2:  # the service has no place to wait for it
                pause = pause_after(1, answer.headers.get("Retry-After"))
                await sleep(min(left, pause))

    async def request(
        self, method: str, path: str, *, waits: float = 0, once: bool = False, **sent: Any
    ) -> Any:
        """Send a request, and repeat it as `AsyncClient` says.

        A repeated ``DELETE`` finds nothing where only the first answer was lost: this is no fault.

        Parameters
        ----------
        method, path, **sent
            As httpx2 takes them.
        waits
            Seconds that the service may wait before it answers.
        once
            Whether it is not repeated where the service may have done it.

        Raises
        ------
        SchedulingError
            It was refused.
        """
        end = monotonic() + self._timeout + waits
        attempt = 0
        perhaps_done = False
        refused: SchedulingError
        while True:
            attempt += 1
            left = max(0.001, end - monotonic())
            try:
                answer = await self._client.request(method, path, timeout=left, **sent)
            except self.http.TransportError as error:
                unsent = isinstance(error, self.http.ConnectError | self.http.ConnectTimeout)
                refused = no_answer(error, lost=once and not unsent)
                pause = pause_after(attempt, None)
            else:
                gone = method == "DELETE" and answer.status_code in (404, 410)
                if answer.is_success or (perhaps_done and gone):
                    return answer
                refused = refusal_of(answer.status_code, document_of(answer))
                if answer.status_code not in AGAIN:
                    raise refused
                unsent = answer.status_code == 429
                pause = pause_after(attempt, answer.headers.get("Retry-After"))
            perhaps_done = perhaps_done or not unsent
            if (once and perhaps_done) or monotonic() + pause >= end:
                raise refused
            await sleep(pause)

    def stream(self, path: str, fields: Mapping[str, str]) -> Any:
        """Open a stream of server-sent events.

        Parameters
        ----------
        path
            Of the stream.
        fields
            Of the header.
        """
        timeout = self.http.Timeout(self._timeout, read=2 * LONGEST_POLL)
        return self._client.stream("GET", path, headers=fields, timeout=timeout)


def document_of(answer: Any) -> Any:
    """Give the JSON document of an answer. None where it is none."""
    try:
        return answer.json()
    except ValueError:
        return None
