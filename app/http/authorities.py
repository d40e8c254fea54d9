"""Hosts and origins as requests name them: reading and comparing them, nothing else."""

import re
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/?#@\\\s,]+)(?::([0-9]{0,5}))?", re.ASCII)
_ORIGIN = re.compile(r"(https?)://(.+)", re.ASCII)
_BLANKS = " \t"
"""What HTTP takes for white space in a line."""
_LOCALHOST = "localhost"


class Authority(NamedTuple):
    """A host and its port, if one is named.

    Hosts are compared as texts: names are in lower case and without a final dot, addresses of
    IPv6 in brackets and in their shortest form.
    """

    host: str
    port: int | None

    @property
    def local(self) -> bool:
        """Whether the host is a name of the machine itself: localhost or a loopback address."""
        return self.host == _LOCALHOST or is_loopback(self.host.strip("[]"))


def read_authority(text: str) -> Authority | None:
    """Read a ``Host`` field. None if it is none."""
    found = _AUTHORITY.fullmatch(text.strip(_BLANKS).lower())
    host = None if found is None else _read_host(found[1])
    if found is None or host is None:
        return None
    return Authority(host, int(found[2]) if found[2] else None)


def _read_host(text: str) -> str | None:
    if not text.startswith("["):
        return text.removesuffix(".") or None
    try:
        return f"[{IPv6Address(text[1:-1])}]"
    except ValueError:
        return None


def read_origin(text: str) -> Authority | None:
    """Read an ``Origin`` field, its port filled in by its scheme.

    None for ``null`` and for schemes that no page of the service has.
    """
    found = _ORIGIN.fullmatch(text.strip(_BLANKS).lower())
    authority = None if found is None else read_authority(found[2])
    if found is None or authority is None:
        return None
    return authority._replace(
        port=DEFAULT_PORTS[found[1]] if authority.port is None else authority.port
    )


def origin_of(url: str) -> Authority | None:
    """Give the origin of an address such as ``https://grid.example.org/below``."""
    parts = urlsplit(url)
    return read_origin(f"{parts.scheme}://{parts.netloc}")


def same_place(origin: Authority, host: Authority) -> bool:
    """Whether a page of an origin belongs to the host that it asks; schemes do not count.

    TLS may end at a proxy, so a ``Host`` without a port stands for the port of either scheme.

    Parameters
    ----------
    origin
        Of the page.
    host
        That the page asks.
    """
    if host.port is None:
        return origin.host == host.host and origin.port in DEFAULT_PORTS.values()
    return origin == host


def is_loopback(address: str) -> bool:
    """Whether a text is an IP address of the machine itself, mapped into IPv6 or not."""
    try:
        read = ip_address(address)
    except ValueError:
        return False
    if isinstance(read, IPv6Address) and read.ipv4_mapped is not None:
        return read.ipv4_mapped.is_loopback
    return read.is_loopback
