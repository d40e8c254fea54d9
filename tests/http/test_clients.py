"""Which client a request comes from: only proxies that are named are believed."""

from ipaddress import ip_network
from typing import Any

import pytest

from app.http.clients import client_address

PROXIES = [ip_network("10.0.0.0/24"), ip_network("2001:db8::/32")]


@pytest.mark.parametrize(
    ("client", "told", "address"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["203.0.113.9", "198.51.100.1 ,  10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("::ffff:192.0.2.1", ["198.51.100.1"], "::ffff:192.0.2.1"),
        ("2001:db8::1", ["198.51.100.1,2001:db8::2"], "198.51.100.1"),
        *(("10.0.0.1", [odd], "10.0.0.1") for odd in ("", "unknown", "1.2.3.4:5", "\xe9", "a, ")),
        ("10.0.0.1", ["198.51.100.1, unknown"], "10.0.0.1"),
    ],
)
def test_the_address_is_the_last_that_a_trusted_proxy_tells(
    client: str, told: list[str], address: str
) -> None:
    fields = [(b"x-forwarded-for", one.encode("latin-1")) for one in told]
    connection: Any = {"client": (client, 5000), "headers": [(b"host", b"x"), *fields]}
    assert client_address(connection, PROXIES) == address
    assert client_address(connection, []) == client
    assert client_address(connection | {"client": None}, PROXIES) == ""
