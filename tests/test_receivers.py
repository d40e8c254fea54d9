"""Where webhooks may be sent: every address of every host that is not public is refused."""

from ipaddress import ip_address

import pytest

from app.receivers import AllowedReceiver, ReceiverError, Rules, is_public
from app.settings import Settings

INSIDE = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "64:ff9b:1:a00:0:100:808:808",
    "100::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
"""Loopback, private, link-local, metadata, multicast, and all of that in addresses of IPv6."""
PUBLIC = [
    "1.1.1.1",
    "192.0.9.1",
    "::ffff:1.1.1.1",
    "64:ff9b::101:101",
    "2002:101:101::1",
    "2606:4700:4700::1111",
]
HIDDEN = [
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://127.1/",
    "https://0177.0.0.1/",
    "https://1.2.3.4.5/",
    "https://[::1%25eth0]/",
    "https://[::1%eth0]/",
    "https://[v1.a]/",
    "https://ex\xe4mple.org/",
    "https://\uff11\uff12\uff17.0.0.1/",
    "https://a\\@127.0.0.1/",
    "https://a\t.example/",
    "https://a\r\nHost:b/",
    "https:///a",
    "https:a",
    "https://a:0/",
    "https://a:99999/",
    "https://a:/",
    "ftp://a.example/",
    "file:///etc/passwd",
    "//a.example/",
    "https://-a.example/",
    "https://a..example/",
    "gopher://a/",
    "a.example",
]


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_inside_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))
    receiver = Rules().read("https://hooks.example.org/")
    with pytest.raises(ReceiverError) as refused:
        Rules().judge(receiver, ["1.1.1.1", address])
    assert refused.value.code == "address_refused"


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_is(address: str) -> None:
    receiver = Rules().read("https://hooks.example.org/")
    assert Rules().judge(receiver, [address, address]) == [ip_address(address)]


@pytest.mark.parametrize("address", ["fe80::1%eth0", "2606:4700::1%1", "no address", ""])
def test_an_address_with_a_zone_or_none_at_all_is_refused(address: str) -> None:
    with pytest.raises(ReceiverError):
        Rules().judge(Rules().read("https://a.example/"), [address])
    with pytest.raises(ReceiverError):
        Rules().judge(Rules().read("https://a.example/"), [])


@pytest.mark.parametrize("url", HIDDEN)
def test_an_address_that_hides_what_it_is_is_refused(url: str) -> None:
    with pytest.raises(ReceiverError):
        Rules(http=True).read(url)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://a.example/", "https_needed"),
        ("https://user@a.example/", "url_with_user"),
        ("https://user:word@a.example/", "url_with_user"),
        ("https://a.example/#b", "url_with_user"),
        ("https://a.example:8443/", "port_refused"),
        ("https://a.example:80/", "port_refused"),
        (f"https://a.example/{'a' * 2_000}", "invalid_url"),
    ],
)
def test_what_the_operator_does_not_allow_is_refused_with_a_reason(url: str, code: str) -> None:
    with pytest.raises(ReceiverError) as refused:
        Rules().read(url)
    assert refused.value.code == code


def test_what_is_asked_is_what_was_written() -> None:
    receiver = Rules().read("https://A.Example./b/c?d=e")
    assert (receiver.host, receiver.port, receiver.target) == ("a.example", 443, "/b/c?d=e")
    assert receiver.authority == "a.example"
    assert Rules().read("https://[2606:4700::1]").authority == "[2606:4700::1]"


def test_an_exception_is_for_a_name_a_port_and_a_network() -> None:
    rules = Settings(
        webhook_receivers="hooks.inside=10.1.0.0/16, a.inside:8443=10.2.0.0/16"
    ).receivers
    plain = rules.read("https://hooks.inside/")
    assert rules.judge(plain, ["10.1.2.3"]) == [ip_address("10.1.2.3")]
    other = rules.read("https://a.inside:8443/")
    assert rules.judge(other, ["10.2.0.1", "1.1.1.1"])
    for receiver, address in (
        (plain, "10.2.0.1"),
        (plain, "127.0.0.1"),
        (other, "10.1.2.3"),
        (rules.read("https://hooks.inside.example/"), "10.1.2.3"),
        (rules.read("https://a.inside/"), "10.2.0.1"),
    ):
        with pytest.raises(ReceiverError):
            rules.judge(receiver, [address])
    for url in ("https://hooks.inside:8443/", "https://a.inside:8444/", "http://hooks.inside/"):
        with pytest.raises(ReceiverError):
            rules.read(url)


@pytest.mark.parametrize(
    "entry",
    ["10.0.0.0/8", "hooks.inside", "hooks.inside=", "=10.0.0.0/8", "a=10.0.0.1/8", "a:b=::/0"],
)
def test_a_malformed_exception_names_the_form(entry: str) -> None:
    with pytest.raises(ValueError, match="write name=network"):
        AllowedReceiver.read(entry)
    with pytest.raises(ValueError, match="write name=network"):
        Settings(webhook_receivers=entry)
