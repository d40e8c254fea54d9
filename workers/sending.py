"""One delivery: signed by the Standard Webhooks specification, and sent where it may be sent."""

import asyncio
import base64
import hashlib
import hmac
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any

import httpcore2

from app.db.deliveries import Answered, Claimed
from app.db.webhooks import SECRET_PREFIX
from app.receivers import Address, Receiver, ReceiverError, Rules

SECONDS = 15.0
"""For all of one attempt."""
_CONNECT_SECONDS = 5.0
"""For one address of a host, where it may have another."""
_READ_BYTES = 4_096
"""Of an answer, so that the receiver can end it. Nothing of it is kept."""
_COMING_BYTES = 32_768
"""Of all that a receiver says in one attempt, header fields and interim answers among it."""
PAUSES = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds after the first failure, the second, and so on; then always the last."""
_JITTER = 0.2
_GONE = 410

_UNCONNECTED = (httpcore2.ConnectError, httpcore2.ConnectTimeout)

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host."""


def signature(secret: str, message: str, timestamp: int, payload: str) -> str:
    """Sign a message: ``v1`` and the HMAC-SHA256 of its id, its time and its payload.

    Parameters
    ----------
    secret
        ``whsec_`` and the key in base64.
    message
        Its id.
    timestamp
        Seconds since the epoch.
    payload
        The body.
    """
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message}.{timestamp}.{payload}".encode()
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def pause_after(failures: int) -> float:
    """Give the seconds until the next attempt, a little different each time.

    Parameters
    ----------
    failures
        How many attempts have failed, this one among them.
    """
    usual = PAUSES[min(failures, len(PAUSES)) - 1]
    return min(PAUSES[-1], usual * random.uniform(1 - _JITTER, 1 + _JITTER))


def asked_pause(field: str | None) -> float:
    """Read ``Retry-After``, seconds or a date, up to a day; 0 if it says nothing sensible."""
    text = (field or "").strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text[:9]), PAUSES[-1]))
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return 0.0
    moment = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
    return min(max((moment - datetime.now(UTC)).total_seconds(), 0.0), PAUSES[-1])


class _Stream(httpcore2.AsyncNetworkStream):
    """A connection on which so many bytes may come, and no more."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, left: int) -> None:
        self._stream = stream
        self._left = left

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 the interface has it
        piece = await self._stream.read(min(max_bytes, _READ_BYTES), timeout)
        self._left -= len(piece)
        if self._left < 0:
            raise httpcore2.ReadError("the receiver says too much")
        return piece

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        inner = await self._stream.start_tls(ssl_context, server_hostname, timeout)
        return _Stream(inner, self._left)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Network(httpcore2.AnyIOBackend):
    """Connects, and reads little: a receiver that says much would keep the sender busy."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await super().connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream, _COMING_BYTES)


class Post:
    """Sends deliveries.

    Parameters
    ----------
    rules
        Where they may be sent.
    resolve
        Gives the addresses of a host.
    seconds
        For all of one attempt.
    trusted
        Which certificates are believed. None: those that the system believes.
    """

    def __init__(
        self,
        rules: Rules,
        resolve: Resolver,
        seconds: float = SECONDS,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._rules = rules
        self._resolve = resolve
        self._seconds = seconds
        self._trusted = trusted or ssl.create_default_context()
        self._looks: dict[tuple[str, int], asyncio.Future[Sequence[str]]] = {}
        """By delivery and attempt, the names that are being looked up."""
        self._agent = f"steadygrid/{version('steadygrid-service')}"

    async def __call__(self, claimed: Claimed) -> Answered:
        """Send one delivery, and say what became of it."""
        seen = _Seen()
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(claimed, seen)
        except TimeoutError:
            if seen.status is None:
                seen.error = "timeout"
        except ReceiverError as error:
            seen.error = error.code
        except ssl.SSLError:
            seen.error = "tls_failed"
        except (*_UNCONNECTED, OSError) as error:
            seen.error = "tls_failed" if _is_of_tls(error) else "connection_failed"
        except (httpcore2.NetworkError, httpcore2.ProtocolError):
            if seen.status is None:
                seen.error = "no_http_answer"
        return seen.answered(claimed.failures + 1)

    async def settle(self, claimed: Claimed) -> None:
        """Wait until nothing of an attempt goes on: no time limit ends the look for a name.

        Parameters
        ----------
        claimed
            The delivery, with the number of the attempt.
        """
        look = self._looks.get((claimed.id, claimed.attempt))
        if look is not None:
            with suppress(OSError):
                await look

    async def _addresses(self, claimed: Claimed, receiver: Receiver) -> Sequence[str]:
        key = claimed.id, claimed.attempt
        look = asyncio.ensure_future(self._resolve(receiver.host, receiver.port))
        self._looks[key] = look
        look.add_done_callback(lambda _: self._looks.pop(key, None))
        return await asyncio.shield(look)

    async def _send(self, claimed: Claimed, seen: "_Seen") -> None:
        receiver = self._rules.read(claimed.url)
        try:
            found = await self._addresses(claimed, receiver)
        except OSError:
            raise ReceiverError(
                "host_unknown", "the name of the host leads to no address"
            ) from None
        addresses = self._rules.judge(receiver, found)
        for address in addresses:
            try:
                await self._send_to(claimed, receiver, address, seen)
            except _UNCONNECTED:
                if address == addresses[-1]:
                    raise
            else:
                return

    async def _send_to(
        self, claimed: Claimed, receiver: Receiver, address: Address, seen: "_Seen"
    ) -> None:
        # A pool of its own, so that no connection outlives the delivery. Nothing here follows a
        # redirect, keeps a cookie, unpacks an answer or asks a proxy of the environment.
        address_of_the_web = httpcore2.URL(
            scheme=receiver.scheme.encode(),
            host=str(address).encode(),
            port=receiver.port,
            target=receiver.target.encode(),
        )
        async with (
            httpcore2.AsyncConnectionPool(
                ssl_context=self._trusted, network_backend=_Network()
            ) as pool,
            pool.stream(
                "POST",
                address_of_the_web,
                content=claimed.payload.encode(),
                headers=self._fields(claimed, receiver),
                extensions={
                    "sni_hostname": receiver.host,
                    "timeout": {"connect": _CONNECT_SECONDS},
                },
            ) as response,
        ):
            seen.take(response.status, _text_of(response.headers))
            read = 0
            async for piece in response.aiter_stream():
                read += len(piece)
                if read >= _READ_BYTES:
                    return

    def _fields(self, claimed: Claimed, receiver: Receiver) -> dict[bytes | str, bytes | str]:
        timestamp = int(time.time())
        return {
            "Host": receiver.authority,
            "User-Agent": self._agent,
            "Content-Type": "application/json",
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            "webhook-id": claimed.message,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(
                signature(secret, claimed.message, timestamp, claimed.payload)
                for secret in claimed.secrets
            ),
        }


class _Seen:
    """What is known of an attempt, as soon as it is known."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.error: str | None = None
        self._asked = 0.0

    def take(self, status: int, fields: Mapping[str, str]) -> None:
        """Read an answer's status and what it asks for."""
        self.status = status
        if not 200 <= status < 300:
            self.error = "redirected" if 300 <= status < 400 else "refused"
            self._asked = asked_pause(fields.get("retry-after"))
        if status == _GONE:
            self.error = "gone"

    def answered(self, failures: int) -> Answered:
        if self.error is None:
            return Answered(self.status, None)
        pause = max(pause_after(failures), self._asked)
        return Answered(self.status, self.error, pause, gone=self.status == _GONE)


def _text_of(fields: Iterable[tuple[bytes, bytes]]) -> Mapping[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in fields}


def _is_of_tls(error: BaseException) -> bool:
    return any(isinstance(cause, ssl.SSLError) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
