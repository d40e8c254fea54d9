"""Where requests come from, as far as proxies are believed that say so."""

from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from starlette.types import Scope


def client_address(connection: Scope, proxies: Collection[IPv4Network | IPv6Network]) -> str:
    """Give the address that a request comes from; empty where the server knows none.

    Parameters
    ----------
    proxies
        Each is believed about whom it asks for, in ``X-Forwarded-For``.
    """
    client = connection.get("client")
    address = str(client[0]) if client else ""
    fields = [value for name, value in connection["headers"] if name == b"x-forwarded-for"]
    told = b",".join(fields).decode("latin-1").split(",")
    while told and _is_in_networks(address, proxies) and _is_address(told[-1].strip()):
        address = told.pop().strip()
    return address


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_in_networks(address: str, networks: Collection[IPv4Network | IPv6Network]) -> bool:
    if not _is_address(address):
        return False
    known = ip_address(address)
    mapped = known.ipv4_mapped if isinstance(known, IPv6Address) else None
    return any((mapped or known) in network for network in networks)
