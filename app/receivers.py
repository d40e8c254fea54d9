"""Where webhooks may be sent: addresses of the web, and which hosts they may lead to.

A tenant chooses the address, and the service calls it: so nothing may be reached that only the
service can reach. The name is resolved once, each of its addresses is judged, and one of these very
addresses is connected to.
"""

import asyncio
import re
import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from queue import Empty, SimpleQueue
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from steadygrid.environment import PREFIX

LONGEST_URL = 2_000
_SETTING = f"{PREFIX}WEBHOOK_RECEIVERS"
_PORTS = {"https": 443, "http": 80}
_PRINTABLE = re.compile(r"[\x21-\x7e]+", re.ASCII)
_LABEL = r"(?!-)[a-z0-9_-]{1,63}(?<!-)"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_ENTRY = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:=\s]+)(:(?P<port>[0-9]{1,5}))?=(?P<net>\S+)")

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""NAT64: the last four bytes are an address of IPv4."""
_COMPATIBLE = IPv6Network("::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NOT_PUBLIC = (
    IPv4Network("192.0.0.0/24"),  # of protocols, and what a cloud tells its own machines
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("168.63.129.16/32"),  # what a cloud tells its own machines
    IPv6Network("3fff::/20"),  # documentation
)

Address = IPv4Address | IPv6Address


class ReceiverError(ValueError):
    """Nothing may be sent there. The message says why, and what to do.

    Parameters
    ----------
    code
        Stable; with underscores.
    detail
        A sentence for people.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True)
class Receiver:
    """The address of a webhook, in parts."""

    scheme: str
    host: str
    """In lower case. An address of IPv6 without brackets."""
    port: int
    target: str
    """Path and query."""

    @property
    def is_usual(self) -> bool:
        """Whether the port is that of the scheme."""
        return self.port == _PORTS[self.scheme]

    @property
    def authority(self) -> str:
        """The field `Host`."""
        return _authority(self.host, None if self.is_usual else self.port)


def _authority(host: str, port: int | None) -> str:
    shown = f"[{host}]" if ":" in host else host
    return shown if port is None else f"{shown}:{port}"


@dataclass(frozen=True)
class AllowedReceiver:
    """A receiver that the operator allows, by its name, its port and the network it is in."""

    host: str
    port: int | None
    """None: that of the scheme."""
    network: IPv4Network | IPv6Network

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``name=network`` or ``name:port=network``.

        Raises
        ------
        ValueError
            It is none. The message says what one looks like.
        """
        found = _ENTRY.fullmatch(text.lower())
        try:
            if found is None:
                raise ValueError
            port = None if found["port"] is None else int(found["port"])
            return cls(_read_host(found["host"]), port, ip_network(found["net"]))
        except ValueError:
            raise ValueError(
                f"{text!r} is no receiver: write name=network or name:port=network, such as"
                " hooks.example.org:8443=10.1.0.0/16"
            ) from None

    def fits(self, receiver: Receiver) -> bool:
        """Whether a receiver has this name and port."""
        port_fits = receiver.is_usual if self.port is None else receiver.port == self.port
        return self.host == receiver.host and port_fits


@dataclass(frozen=True)
class Rules:
    """What the operator lets tenants choose."""

    http: bool = False
    """Whether connections without TLS are allowed."""
    allowed: Sequence[AllowedReceiver] = ()

    def read(self, url: str) -> Receiver:
        """Read the address of a webhook.

        Raises
        ------
        ReceiverError
            It is none, or one that is refused without looking at its host.
        """
        if len(url) > LONGEST_URL or _PRINTABLE.fullmatch(url) is None or "\\" in url:
            raise _malformed()
        try:
            parts = urlsplit(url)
            port = parts.port
            host = _read_host(parts.netloc.rpartition("@")[2].removesuffix(f":{port}").lower())
        except ValueError:
            raise _malformed() from None
        if parts.scheme not in _PORTS or port == 0:
            raise _malformed()
        if "@" in parts.netloc or parts.fragment or "#" in url:
            raise ReceiverError(
                "url_with_user",
                "leave the user, the password and what follows # out of the address",
            )
        if parts.scheme == "http" and not self.http:
            raise ReceiverError(
                "https_needed", "write https: the operator of this service allows nothing else"
            )
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        receiver = Receiver(parts.scheme, host, port or _PORTS[parts.scheme], target)
        if not receiver.is_usual and not self._fitting(receiver):
            raise ReceiverError(
                "port_refused",
                f"leave the port out; the operator may allow this name and port in {_SETTING}",
            )
        return receiver

    def judge(self, receiver: Receiver, addresses: Iterable[str]) -> Sequence[Address]:
        """Read the addresses of a receiver's host, if all of them may be connected to.

        Raises
        ------
        ReceiverError
            One of them may not, or there is none.
        """
        found = [self._judged(receiver, one) for one in dict.fromkeys(addresses)]
        if not found:
            raise ReceiverError("host_unknown", "the name of the host leads to no address")
        return found

    def _judged(self, receiver: Receiver, text: str) -> Address:
        try:
            address = ip_address(text)
        except ValueError:
            address = None
        if address is not None and getattr(address, "scope_id", None) is None:
            networks = [one.network for one in self._fitting(receiver)]
            if is_public(address) or any(address in network for network in networks):
                return address
        raise ReceiverError(
            "address_refused",
            "the host has an address that is not public; the operator may allow this name with its"
            f" network in {_SETTING}",
        )

    def _fitting(self, receiver: Receiver) -> list[AllowedReceiver]:
        return [one for one in self.allowed if one.fits(receiver)]


class SystemResolver:
    """Asks the system for the addresses of hosts, in threads of its own.

    No time limit ends a look. A process that ends does not wait for one either, so the threads are none
    that the interpreter joins.

    Parameters
    ----------
    threads
        How many hosts at a time: a name server that hangs holds up no more.
    """

    def __init__(self, threads: int) -> None:
        self._most = threads
        self._threads: list[threading.Thread] = []
        self._asked: SimpleQueue[_Look | None] = SimpleQueue()

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Give the addresses of a host.

        Raises
        ------
        OSError
            The name leads to none.
        """
        look = _Look(host, port, Future())
        self._asked.put(look)
        if len(self._threads) < self._most:
            thread = threading.Thread(target=self._work, name="resolver", daemon=True)
            self._threads.append(thread)
            thread.start()
        return await asyncio.wrap_future(look.found)

    def _work(self) -> None:
        while (look := self._asked.get()) is not None:
            if not look.found.set_running_or_notify_cancel():
                continue
            try:
                addresses = addresses_of(look.host, look.port)
            except Exception as error:  # noqa: BLE001 raised where the look is awaited
                look.found.set_exception(error)
            else:
                look.found.set_result(addresses)

    def close(self) -> None:
        """Ask nothing more."""
        with suppress(Empty):
            while (look := self._asked.get_nowait()) is not None:
                look.found.cancel()
        for _ in self._threads:
            self._asked.put(None)


class _Look(NamedTuple):
    """A host that is looked up."""

    host: str
    port: int
    found: "Future[Sequence[str]]"


def addresses_of(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host. It may take long.

    Parameters
    ----------
    host
        By name, or an address.
    port
        That is to be connected to.

    Raises
    ------
    OSError
        The name leads to none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(str(error)) from None
    return [str(address[0]) for *_, address in found]


def is_public(address: Address) -> bool:
    """Whether an address, and each that it stands for, can be reached from everywhere."""
    return all(_is_public(one) for one in _meant(address))


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not special and not any(address in one for one in _NOT_PUBLIC)


def _meant(address: Address) -> Iterator[Address]:
    """Unwrap addresses of IPv4 in those of IPv6: mapped, compatible, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        yield address
        return
    inner: list[IPv4Address] = []
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    if address in _TRANSLATED:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
        return
    if address.sixtofour is not None:
        inner.append(address.sixtofour)
    if address.teredo is not None:
        inner += address.teredo
    if address in _COMPATIBLE:
        inner.append(IPv4Address(int(address) & 0xFFFFFFFF))
    yield address
    yield from inner


def _read_host(text: str) -> str:
    """Read a name, or an address as it is usually written.

    Raises
    ------
    ValueError
        It is neither, or an address in a notation that hides what it is.
    """
    if text.startswith("[") and "%" not in text:
        return str(IPv6Address(text.removeprefix("[").removesuffix("]")))
    name = text.removesuffix(".")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        return str(IPv4Address(name))
    if _NAME.fullmatch(name) is None:
        raise ValueError
    return name


def _malformed() -> ReceiverError:
    return ReceiverError(
        "invalid_url",
        "write an address such as https://hooks.example.org/steadygrid: scheme, host, path and query,"
        f" ASCII only, up to {LONGEST_URL:,} characters",
    )
