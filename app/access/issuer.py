"""The keys of the site's issuer: fetched at the same time as the requests, kept, and never asked for too often."""

import asyncio
import json
import math
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, build_opener

from fastapi.concurrency import run_in_threadpool

from app.http.refusals import Refusal
from app.logs import Outage

KEPT_SECONDS = 3600.0
"""For so long keys are used while the issuer is away."""
RENEWED_SECONDS = 600.0
"""After so long keys are fetched anew, so that one that the issuer has withdrawn ends."""
PAUSE_SECONDS = 60.0
"""Between two fetches, for every key that a token names."""
RETRY_SECONDS = 5.0
"""Between two fetches while there are no keys."""
FETCH_SECONDS = 5.0
MOST_BYTES = 2**20
KEY_TYPES = ("RSA", "EC", "OKP")
"""Of public keys. What is shared with the issuer (``oct``) verifies nothing here."""

Key = Mapping[str, Any]
"""A public key as a JSON Web Key."""


class IssuerKeys:
    """The public keys of an issuer.

    Its methods are called on the event loop, which never waits for the issuer.

    Parameters
    ----------
    url
        Of the JSON Web Key Set.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: Sequence[Key] = ()
        self._fetched = -math.inf
        self._next = -math.inf
        self._fetching: asyncio.Task[None] | None = None
        self._outage = Outage("issuer")

    async def find(self, key_id: str | None, algorithm: str, key_type: str) -> Key | None:
        """Give the key that a token names. None if the issuer has no such key.

        Parameters
        ----------
        key_id
            None: the issuer has to have one key only that fits.

        Raises
        ------
        Refusal
            ``issuer_unavailable``: there are no keys, or none that are young enough.
        """
        now = asyncio.get_running_loop().time()
        if now - self._fetched > RENEWED_SECONDS:
            self._fetch()
        if self._usable():
            found = self._fitting(key_id, algorithm, key_type)
            if found is not None:
                return found
        self._fetch()
        if self._fetching is not None:
            # Others wait for the same fetch; a caller that goes away does not end it.
            await asyncio.shield(self._fetching)
        if not self._usable():
            raise Refusal(
                "issuer_unavailable",
                "The keys of the issuer of tokens cannot be had, so no token can be checked.",
                headers={"Retry-After": str(math.ceil(RETRY_SECONDS))},
            )
        return self._fitting(key_id, algorithm, key_type)

    def _usable(self) -> bool:
        return asyncio.get_running_loop().time() - self._fetched <= KEPT_SECONDS

    def _fitting(self, key_id: str | None, algorithm: str, key_type: str) -> Key | None:
        found = [
            key
            for key in self._keys
            if key["kty"] == key_type
            and key.get("alg", algorithm) == algorithm
            and (key_id is None or key.get("kid") == key_id)
        ]
        return found[0] if len(found) == 1 else None

    def _fetch(self) -> None:
        """Begin to fetch the keys, unless that goes on or was done lately."""
        if self._fetching is None and asyncio.get_running_loop().time() >= self._next:
            self._fetching = asyncio.ensure_future(self._renew())

    async def _renew(self) -> None:
        clock = asyncio.get_running_loop().time
        try:
            self._keys = await run_in_threadpool(fetched, self._url)
            self._fetched = clock()
            self._outage.end()
        except (
            OSError,
            HTTPException,
            LookupError,
            TypeError,
            ValueError,
            RecursionError,
        ) as error:
            self._outage.noticed(type(error).__name__)
        finally:
            self._next = clock() + (PAUSE_SECONDS if self._usable() else RETRY_SECONDS)
            self._fetching = None


class _NoRedirects(HTTPRedirectHandler):
    """Keys come from where the operator has said, and from nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


def fetched(url: str) -> Sequence[Key]:
    """Fetch a JSON Web Key Set, and give those of its keys that verify signatures.

    Raises
    ------
    OSError, HTTPException, LookupError, TypeError, ValueError, RecursionError
        It cannot be had in time, or is none.
    """
    end = time.monotonic() + FETCH_SECONDS
    content = b""
    with _opened(url) as answer:
        while piece := answer.read1(2**16):
            content += piece
            if len(content) > MOST_BYTES or time.monotonic() > end:
                raise ValueError("the key set is too long, or comes too slowly")
    document = json.loads(content)
    keys = document["keys"]
    if not isinstance(keys, list):
        raise TypeError("this is no key set")
    return [key for key in keys if isinstance(key, dict) and _verifies(key)]


def _opened(url: str) -> HTTPResponse:
    try:
        answer: HTTPResponse = build_opener(_NoRedirects).open(url, timeout=FETCH_SECONDS)
    except HTTPError as error:
        error.close()
        raise
    return answer


def _verifies(key: Key) -> bool:
    return key.get("kty") in KEY_TYPES and key.get("use", "sig") == "sig"
