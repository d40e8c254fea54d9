"""Attempts to log in are counted by address, those of the last minute."""

from app.access import attempts
from app.access.attempts import MOST, Attempts


class Clock:
    now: float = 0

    def __call__(self) -> float:
        return self.now


def test_attempts_come_back_one_by_one() -> None:
    clock = Clock()
    counted = Attempts(clock)
    for number in range(MOST):
        clock.now = number
        assert counted.wait("10.0.0.1") == 0
    for second, wait in ((MOST, 60 - MOST), (59.5, 1)):
        clock.now = second
        assert counted.wait("10.0.0.1") == wait
        assert counted.wait("10.0.0.2") == 0, "addresses do not count for each other"
    clock.now = 60.0
    assert counted.wait("10.0.0.1") == 0
    assert counted.wait("10.0.0.1") == 1, "what is refused does not count"


def test_a_network_of_ipv6_is_one_address() -> None:
    counted = Attempts(Clock())
    for number in range(MOST):
        assert counted.wait(f"2001:db8::{number:x}") == 0
    assert counted.wait("2001:db8::ffff:1") > 0
    assert counted.wait("2001:db8:0:1::1") == 0
    for number in range(MOST):
        assert counted.wait(f"::ffff:10.0.0.{number}") == 0, "these are of IPv4"
    for number in range(MOST - 1):
        assert counted.wait("10.0.0.0") == 0, number
    assert counted.wait("::ffff:10.0.0.0") > 0


def test_only_so_many_addresses_are_remembered(monkeypatch) -> None:
    monkeypatch.setattr(attempts, "MOST_ADDRESSES", 3)
    counted = Attempts(Clock())
    for _ in range(MOST):
        counted.wait("a")
    for name in "bc":
        counted.wait(name)
    assert counted.wait("a") > 0
    for name in "bcd":
        counted.wait(name)
    assert counted.wait("a") == 0, "forgotten as the one that has tried least lately"
