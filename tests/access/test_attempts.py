"""Attempts to log in are counted by address, those of the last minute."""

import asyncio
import secrets

import pytest
from structlog.testing import capture_logs

from app.access import attempts
from app.access.attempts import MOST, Attempts, SharedAttempts
from app.settings import Settings


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


def an_address() -> str:
    return "2001:db8:" + ":".join(secrets.token_hex(2) for _ in range(2)) + "::1"


def test_without_redis_each_counts_for_itself() -> None:
    async def attempt() -> None:
        first, second = SharedAttempts(Settings()), SharedAttempts(Settings())
        for _ in range(MOST):
            assert await first.wait("10.0.0.1") == 0
        assert await first.wait("10.0.0.1") > 0
        assert await second.wait("10.0.0.1") == 0

    asyncio.run(attempt())


@pytest.mark.redis
def test_in_redis_all_count_together(redis_url: str) -> None:
    settings, address = Settings(redis_url=redis_url), an_address()

    async def attempt() -> None:
        first, second = SharedAttempts(settings), SharedAttempts(settings)
        for _ in range(MOST // 2):
            assert await first.wait(address) == 0
            assert await second.wait(address.removesuffix("1") + "2") == 0
        for counted in (first, second):
            assert 0 < await counted.wait(address) <= 60
            assert await counted.wait(an_address()) == 0
            await counted.close()

    asyncio.run(attempt())


def test_while_redis_is_away_each_counts_for_itself() -> None:
    async def attempt() -> None:
        counted = SharedAttempts(Settings(redis_url="redis://127.0.0.1:1/0"))
        for _ in range(MOST):
            assert await counted.wait("10.0.0.1") == 0
        assert await counted.wait("10.0.0.1") > 0
        await counted.close()

    with capture_logs() as lines:
        asyncio.run(attempt())
    assert [line["event"] for line in lines] == ["login_limits_unavailable"]
