"""Places that tenants share: who gets one, and in which order; no clock decides anything here."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import product

import pytest

from app.http.fair_places import SHARE, FairPlaces, NoPlaceError, room_for

PATIENCE = 30.0
FOR_EVER = 3600.0
AT_ONCE = 0.001


def played(scene: Callable[[], Awaitable[None]]) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE):
            await scene()

    asyncio.run(play())


async def settled() -> None:
    """Let all tasks go on that can."""
    for _ in range(5):
        await asyncio.sleep(0)


def filled(places: FairPlaces, tenant: str) -> int:
    taken = 0
    while places.take(tenant):
        taken += 1
    return taken


class Crowd:
    """Requests that wait, and whose turn it was."""

    def __init__(self, places: FairPlaces) -> None:
        self.places = places
        self.served: list[str] = []

    async def ask(self, tenant: str, name: str = "") -> "asyncio.Task[None]":
        async def wait() -> None:
            await self.places.wait(tenant, FOR_EVER)
            self.served.append(name or tenant)

        asking = asyncio.create_task(wait())
        await settled()
        return asking


@pytest.mark.parametrize("total", range(60))
def test_one_tenant_has_up_to_nine_tenths_and_at_least_one(total: int) -> None:
    held = 0
    while room_for(held, total - held):
        held += 1
    assert held == room_for(0, total) == max(min(total, 1), total * 9 // 10)


def test_what_greedy_tenants_leave_is_enough_for_one_more() -> None:
    """However greedy tenants are: of a thousand places the fourth one still gets one."""
    free, got = 1000, []
    for _ in range(5):
        got.append(room_for(0, free))
        free -= got[-1]
    assert got == [900, 90, 9, 1, 0]


def test_several_at_once_are_as_many_as_one_by_one() -> None:
    for held, free in product(range(12), range(60)):
        one_by_one = 0
        while room_for(held + one_by_one, free - one_by_one):
            one_by_one += 1
        assert room_for(held, free) == one_by_one


def test_who_is_alone_has_all_places() -> None:
    assert filled(FairPlaces(10, shared=False), "a") == 10
    assert filled(FairPlaces(10, shared=True), "a") == 9
    assert SHARE == 9


def test_a_tenant_that_comes_late_finds_a_place() -> None:
    places = FairPlaces(10, shared=True)
    filled(places, "a")
    assert places.take("b")
    assert not places.take("b")
    assert not places.take("c")
    places.leave("a")
    assert places.take("c")
    assert places.held == 10


def test_free_places_go_to_the_tenant_with_the_fewest_then_the_longest_wait() -> None:
    places = FairPlaces(2, shared=True, waiting=20)
    crowd = Crowd(places)

    async def scene() -> None:
        assert filled(places, "a") == 1
        for number in range(4):
            await crowd.ask("a", f"a{number}")
        await crowd.ask("b", "b0")  # at once: the place is kept for others
        assert crowd.served == ["b0"]
        for name in ("b1", "c0", "c1", "d0"):
            await crowd.ask(name[0], name)
        for expected in (["c0"], ["d0"], ["a0"]):
            places.leave({"c0": "a", "d0": "b", "a0": "c"}[expected[0]])
            await settled()
            crowd.served[:1] = []
            assert crowd.served == expected
        places.leave("d")
        await settled()
        assert crowd.served[1:] == ["b1"]

    played(scene)


def test_one_place_goes_round() -> None:
    places = FairPlaces(1, shared=True, waiting=100)
    crowd = Crowd(places)

    async def scene() -> None:
        assert places.take("a")
        for number in range(6):
            await crowd.ask("a", f"a{number}")
        for number in range(3):
            await crowd.ask("b", f"b{number}")
        await crowd.ask("c", "c0")
        holder = "a"
        for number in range(10):
            places.leave(holder)
            await settled()
            holder = crowd.served[number][0]
        assert crowd.served == ["b0", "c0", "a0", "b1", "a1", "b2", "a2", "a3", "a4", "a5"]

    played(scene)


def test_who_comes_while_its_own_wait_is_behind_them() -> None:
    places = FairPlaces(3, shared=True, waiting=10)
    crowd = Crowd(places)

    async def scene() -> None:
        assert filled(places, "a") == 2
        await crowd.ask("a", "first")
        await crowd.ask("a", "second")
        assert places.take("b")
        places.leave("b")
        assert not places.take("a")
        places.leave("a")
        await settled()
        assert crowd.served == ["first"]

    played(scene)


def test_waiting_places_are_shared_too() -> None:
    places = FairPlaces(1, shared=True, waiting=10)
    crowd = Crowd(places)

    async def scene() -> None:
        assert places.take("a")
        for _ in range(9):
            await crowd.ask("a")
        with pytest.raises(NoPlaceError):
            await places.wait("a", FOR_EVER)
        await crowd.ask("b")
        with pytest.raises(NoPlaceError):
            await places.wait("c", FOR_EVER)
        places.leave("a")
        await settled()
        assert crowd.served == ["b"]

    played(scene)


def test_no_client_waits_where_there_are_no_waiting_places() -> None:
    places = FairPlaces(1, shared=False)

    async def scene() -> None:
        await places.wait("a", FOR_EVER)
        with pytest.raises(NoPlaceError):
            await places.wait("a", FOR_EVER)
        places.leave("a")
        assert places.take("a")

    played(scene)


def test_who_waits_in_vain_leaves_nothing_behind() -> None:
    places = FairPlaces(1, shared=True, waiting=4)

    async def scene() -> None:
        assert places.take("a")
        with pytest.raises(NoPlaceError):
            await places.wait("b", AT_ONCE)
        assert not places.wanted("a")
        places.leave("a")
        assert places.held == 0
        assert places.take("c")

    played(scene)


def test_others_are_seen_to_wait_and_one_s_own_are_not() -> None:
    places = FairPlaces(1, shared=True, waiting=10)
    crowd = Crowd(places)

    async def scene() -> None:
        assert places.take("a")
        await crowd.ask("a")
        assert not places.wanted("a")
        asking = await crowd.ask("b")
        assert places.wanted("a")
        assert places.wanted("b")
        asking.cancel()
        await settled()
        assert not places.wanted("a")

    played(scene)


def test_a_turn_that_was_given_up_goes_to_the_next_one() -> None:
    """The place comes free after one request has given up, and before `places` knows that."""
    places = FairPlaces(1, shared=True, waiting=10)
    crowd = Crowd(places)

    async def scene() -> None:
        assert places.take("a")
        first = await crowd.ask("b", "first")
        await crowd.ask("c", "second")
        first.cancel()
        places.leave("a")
        await settled()
        assert first.cancelled()
        assert crowd.served == ["second"]
        places.leave("c")
        assert places.held == 0

    played(scene)


def test_a_place_that_comes_too_late_is_given_back() -> None:
    """One gives up after it was given the place, and before it knows that."""
    places = FairPlaces(1, shared=True, waiting=10)
    crowd = Crowd(places)

    async def scene() -> None:
        assert places.take("a")
        first = await crowd.ask("b", "first")
        await crowd.ask("c", "second")
        places.leave("a")
        first.cancel()
        await settled()
        assert first.cancelled()
        assert crowd.served == ["second"]

    played(scene)


def test_a_place_is_kept_for_a_block() -> None:
    places = FairPlaces(2, shared=True)
    with places.taken("a") as one, places.taken("a") as another:
        assert (one, another) == (True, False)
        assert places.held == 1
    assert places.held == 0
