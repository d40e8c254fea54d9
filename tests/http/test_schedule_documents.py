"""A whole schedule in one document: what `check` reads, in memory that does not grow with it."""

import json
import tracemalloc
from fractions import Fraction

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import entries_text, pack, pack_schedule
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.schedules import service
from app.settings import Settings
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import Slot, SlotTransfer
from tests.databases import small_schedule
from tests.http.bodies import BODY, INPUT, claim, finish, schedule
from tests.http.on_sqlite import settings
from tests.http.test_schedules_that_run_once import once

__all__ = ["settings"]


def stored(client: TestClient, database: Database, found: AnySchedule) -> str:
    own = client.post("/v1/jobs", json=BODY).headers["Location"]
    finish(database, claim(database), found)
    path: str = client.get(own).json()["links"]["schedule"]
    return path


def one_slot(transfers: int) -> Schedule:
    """A period in which one slot holds everything, as under `multiport`; made up."""
    one = Fraction(1)
    slot = Slot(Fraction(0), one, (SlotTransfer("M", "W", INPUT, 0, one),) * transfers)
    return Schedule(**{**vars(schedule()), "slots": (slot,)})


@pytest.mark.parametrize("found", [schedule(), small_schedule(5000, 1), one_slot(3000), once()])
def test_the_document_is_the_schedule_as_the_command_line_writes_it(
    client: TestClient, database: Database, found: AnySchedule
) -> None:
    path = stored(client, database, found)
    assert client.get(path).json()["links"]["document"] == f"{path}/document"
    answer = client.get(f"{path}/document")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.json() == json.loads(json.dumps(found.document))
    assert type(found).from_document(answer.json()) == found


def test_a_header_that_says_more_makes_another_document(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{stored(client, database, schedule())}/document"
    older = ("form", "makespan")
    with monkeypatch.context() as before:
        before.setattr(
            "app.db.schedules.whole_header",
            lambda header: {name: header[name] for name in header if name not in older},
        )
        first = client.get(path)
    second = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert second.status_code == 200
    assert {*second.json()} - {*first.json()} == {*older}
    again = client.get(path, headers={"If-None-Match": second.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, second.headers["ETag"])


def test_every_entry_has_a_line_of_its_own(client: TestClient, database: Database) -> None:
    path = stored(client, database, small_schedule(5000, 1))
    lines = client.get(f"{path}/document").text.splitlines()
    assert sum('"duration"' in line for line in lines) == 5000
    assert max(map(len, lines)) < 1000


def test_there_is_no_document_without_a_schedule(client: TestClient) -> None:
    missing = f"/v1/schedules/sch_{'0' * 32}/document"
    assert client.get(missing).json()["code"] == "not_found"
    assert client.get(f"{missing}?numbers=float").status_code == 422


@pytest.fixture
def parts(database: Database, settings: Settings) -> Resources:
    """The only parts of a running service that schedules ask for."""
    return Resources(settings, database, None, None, None, None, None, None, None, None, "")


def put(database: Database, found: AnySchedule) -> str:
    packed = pack_schedule(found)
    with database.write("local") as unit:
        unit.schedules.store(packed)
    return packed.id


def test_a_hundred_thousand_transfers_in_one_slot_take_no_memory_of_their_own(
    database: Database, parts: Resources
) -> None:
    schedule_id = put(database, one_slot(100_000))
    tracemalloc.start()
    length = sum(map(len, service.document(parts, "local", schedule_id)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length > 8_000_000
    assert peak < 2_000_000


def test_a_schedule_that_is_deleted_meanwhile_gives_no_document_that_looks_whole(
    database: Database, parts: Resources
) -> None:
    schedule_id = put(database, small_schedule(5000, 1))
    pieces = service.document(parts, "local", schedule_id)
    next(pieces)
    with database.write("local") as unit:
        unit.schedules.delete_unused(schedule_id)
    with pytest.raises(RuntimeError, match="deleted while it was read"):
        list(pieces)
    with pytest.raises(Refusal):
        service.document(parts, "local", schedule_id)


def test_a_chunk_that_is_cut_off_is_no_document() -> None:
    whole = pack(list(range(100)))
    assert b"".join(entries_text(whole)) == json.dumps([*range(100)], separators=(",", ":"))[
        1:-1
    ].encode("ascii")
    with pytest.raises(ValueError, match="cut off"):
        list(entries_text(whole[:-20]))
