"""Who waits for a picture, how many may, and what becomes of their places."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.http.identity import ANY_CALLER, Identity, identify
from app.http.pictures import MOST_WAITING, MOST_WAITING_OF_A_TENANT, Order, Studio
from app.http.refusals import Refusal
from app.http.shutdown import Shutdown
from steadygrid.domain.errors import Fault
from steadygrid.pictures.errors import (
    NoSuchPicture,
    PictureError,
    PictureFailed,
    PicturesNotInstalled,
    UnfitPicture,
)

PATIENCE = 60.0


class Pencil:
    """Draws what it is told to, each picture when it is let."""

    def __init__(self, held: bool = True) -> None:
        self.begun: list[str] = []
        self.let = threading.Semaphore(0 if held else 1000)
        self.closed = threading.Event()
        self.error: Exception | None = None

    def draw(self, message: dict[str, Any], payload: bytes) -> bytes:
        self.begun.append(message["name"])
        while not self.let.acquire(timeout=0.01):
            if self.closed.is_set():
                raise PictureFailed("Drawing was stopped.")
        if self.error is not None:
            raise self.error
        return payload

    def close(self) -> None:
        self.closed.set()


class Client:
    """A client that waits until it goes away."""

    def __init__(self, tenant: str | None = None) -> None:
        self.gone = asyncio.Event()
        self.scope: dict[str, Any] = {}
        known = Identity(tenant, frozenset(), "key") if tenant else ANY_CALLER
        identify(self.scope, known)

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Room:
    """A studio, and who asks it."""

    def __init__(self, pencil: Pencil) -> None:
        self.shutdown = Shutdown()
        self.studio = Studio(pencil, self.shutdown)

    def ask(self, name: str, tenant: str | None = None) -> "tuple[Client, asyncio.Task[bytes]]":
        client: Any = Client(tenant)
        order = Order({"name": name}, name.encode())
        asking = self.studio.drawn(client, lambda: order)
        return client, asyncio.ensure_future(asking)


def with_room(pencil: Pencil, scene: Callable[[Room], Awaitable[None]]) -> None:
    async def play() -> None:
        room = Room(pencil)
        async with asyncio.timeout(PATIENCE):
            try:
                await scene(room)
            finally:
                pencil.closed.set()
                await room.studio.close()

    asyncio.run(play())


async def until(what: Callable[[], bool]) -> None:
    while not what():  # noqa: ASYNC110 - a thread makes it true
        await asyncio.sleep(0.005)


async def refused(asking: Awaitable[bytes]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await asking
    return caught.value


def test_pictures_are_drawn_one_at_a_time_in_the_order_of_their_requests() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        asked = [room.ask(name)[1] for name in "abc"]
        await until(lambda: pencil.begun == ["a"])
        await asyncio.sleep(0.05)
        assert pencil.begun == ["a"]
        pencil.let.release(3)
        assert await asyncio.gather(*asked) == [b"a", b"b", b"c"]
        assert pencil.begun == ["a", "b", "c"]

    with_room(pencil, scene)


def test_eight_wait_and_the_next_one_is_told_when_to_come_back() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        asked = [room.ask(str(number))[1] for number in range(1 + MOST_WAITING)]
        error = await refused(room.ask("late")[1])
        assert error.code == "too_many_pictures"
        assert error.headers == {"Retry-After": "5"}
        pencil.let.release()
        assert await asked[0] == b"0"
        late = room.ask("late")[1]
        pencil.let.release(1 + MOST_WAITING)
        assert await late == b"late"

    assert MOST_WAITING == 8
    with_room(pencil, scene)


def test_no_tenant_takes_the_places_of_the_others() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        drawn = room.ask("first", "a")[1]
        mine = [room.ask(str(number), "a")[1] for number in range(MOST_WAITING_OF_A_TENANT)]
        assert (await refused(room.ask("third", "a")[1])).code == "too_many_pictures"
        other = room.ask("other", "b")[1]
        pencil.let.release(10)
        assert await asyncio.gather(drawn, *mine, other) == [b"first", b"0", b"1", b"other"]

    assert MOST_WAITING_OF_A_TENANT == 2
    with_room(pencil, scene)


def test_a_client_that_goes_away_frees_its_place() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        asked = [room.ask(str(number)) for number in range(1 + MOST_WAITING)]
        await until(lambda: pencil.begun == ["0"])
        client, asking = asked[4]
        client.gone.set()
        assert (await refused(asking)).code == "client_gone"
        late = room.ask("late")[1]
        await asyncio.sleep(0)
        assert not late.done()
        pencil.let.release(20)
        assert await late == b"late"
        assert pencil.begun == ["0", "1", "2", "3", "5", "6", "7", "8", "late"]

    with_room(pencil, scene)


def test_what_is_being_drawn_when_its_client_goes_away_keeps_the_others_waiting() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        client, asking = room.ask("a")
        await until(lambda: pencil.begun == ["a"])
        client.gone.set()
        await refused(asking)
        after = room.ask("b")[1]
        await asyncio.sleep(0.05)
        assert pencil.begun == ["a"]
        pencil.let.release(2)
        assert await after == b"b"

    with_room(pencil, scene)


def test_the_end_of_the_service_releases_all_clients() -> None:
    pencil = Pencil()

    async def scene(room: Room) -> None:
        asked = [room.ask(name)[1] for name in "ab"]
        await until(lambda: pencil.begun == ["a"])
        room.shutdown.event.set()
        assert [(await refused(one)).code for one in asked] == ["unavailable"] * 2
        await room.studio.close()
        assert pencil.begun == ["a"]

    with_room(pencil, scene)


def test_an_order_that_cannot_be_made_draws_nothing() -> None:
    pencil = Pencil(held=False)

    async def scene(room: Room) -> None:
        def order() -> Order:
            raise Refusal("not_found", "There is no such job.")

        client: Any = Client()
        assert (await refused(room.studio.drawn(client, order))).code == "not_found"
        assert pencil.begun == []
        assert await room.ask("next")[1] == b"next"

    with_room(pencil, scene)


WIDE = Fault(("lanes", 3), "unknown", "there is no resource 'x'")
EARLY = Fault(("begin",), "before", "nothing is that early")
LARGE = Fault((), "too_large", "ask for the table")


@pytest.mark.parametrize(
    ("error", "code", "parameters"),
    [
        (PictureFailed("It ended."), "picture_failed", []),
        (NoSuchPicture("it has gantt."), "no_such_picture", []),
        (PicturesNotInstalled(), "pictures_not_installed", []),
        (UnfitPicture(faults=[WIDE, EARLY]), "invalid_request", ["lanes", "from"]),
        (UnfitPicture(faults=[LARGE]), "invalid_request", ["format"]),
    ],
)
def test_an_error_of_the_process_is_a_refusal(
    error: PictureError, code: str, parameters: list[str]
) -> None:
    pencil = Pencil(held=False)
    pencil.error = error

    async def scene(room: Room) -> None:
        found = await refused(room.ask("a")[1])
        assert found.code == code
        assert found.detail == error.detail
        assert [part.parameter for part in found.errors] == parameters

    with_room(pencil, scene)


def test_a_fault_of_ours_shows_nothing_of_what_was_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = ""

    class Log:
        def error(self, event: str, **values: Any) -> None:
            nonlocal written
            written += f"{event} {values}"

    monkeypatch.setattr("app.http.pictures.log", Log())
    pencil = Pencil(held=False)
    pencil.error = error = PictureFailed("KeyError: 'secret id'")
    error.add_note(
        "Traceback:\n  File \"/x/gantt.py\", line 3, in picture\n    raise\nKeyError: 'secret id'"
    )

    async def scene(room: Room) -> None:
        found = await refused(room.ask("a")[1])
        assert found.code == "picture_failed"
        assert "secret" not in found.detail

    with_room(pencil, scene)
    assert '/x/gantt.py", line 3, in picture' in written
    assert "secret" not in written
