from fractions import Fraction

import pytest

from app.db.engine import Database
from app.db.errors import PageTokenError
from app.db.packing import CHUNK_LINES, pack_schedule, unpack
from app.db.pages import encode_token
from app.db.schedules import PAGE_TRANSFERS
from app.db.stored_answers import Window
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.schedule import Schedule
from tests.databases import small_schedule
from tests.domain.test_timeline import ONCE


def stored(database: Database, schedule: Schedule) -> str:
    packed = pack_schedule(schedule)
    with database.write("local") as unit:
        unit.schedules.store(packed)
    return packed.id


def test_a_schedule_reads_back_as_it_was(database: Database) -> None:
    schedule = small_schedule(3, 2)
    schedule_id = stored(database, schedule)
    with database.read("local") as unit:
        assert unit.schedules.load(schedule_id) == schedule
        record = unit.schedules.get(schedule_id)
        assert record is not None
        assert record.header == schedule.header
        assert unit.schedules.load("sch_unknown") is None
        assert unit.schedules.get("sch_unknown") is None


def test_equal_schedules_are_stored_once(database: Database) -> None:
    assert stored(database, small_schedule()) == stored(database, small_schedule())
    with database.read("local") as unit:
        assert unit.schedules.load(pack_schedule(small_schedule()).id) == small_schedule()


@pytest.mark.parametrize("schedule", [small_schedule(3, 2), ONCE], ids=lambda one: one.form)
def test_a_schedule_stored_before_headers_had_forms_is_whole(
    schedule: AnySchedule, database: Database
) -> None:
    packed = pack_schedule(schedule)
    older = {k: v for k, v in packed.header.items() if k != "form" and (k, v) != ("makespan", None)}
    with database.write("local") as unit:
        unit.schedules.store(packed._replace(header=older))
    with database.read("local") as unit:
        record = unit.schedules.get(packed.id)
        assert record is not None
        assert record.header == schedule.header
        assert unit.schedules.load(packed.id) == schedule
    with database.write("local") as unit:
        unit.schedules.store(packed)
    with database.read("local") as unit:
        assert unit.schedules.load(packed.id) == schedule


def test_schedules_are_named_by_all_of_their_content() -> None:
    ids = {pack_schedule(small_schedule(*size)).id for size in ((2, 1), (3, 1), (2, 2))}
    assert len(ids) == 3


def test_long_parts_are_cut_into_chunks() -> None:
    packed = pack_schedule(small_schedule(3 * CHUNK_LINES, 1))
    slots = [chunk for chunk in packed.chunks if chunk.part == "slots"]
    assert [chunk.number for chunk in slots] == list(range(6))
    assert [chunk.first for chunk in slots] == [i * CHUNK_LINES // 2 for i in range(6)]
    assert [chunk.start for chunk in slots] == [str(chunk.first) for chunk in slots]
    assert sum(len(unpack(chunk.packed)) for chunk in slots) == 3 * CHUNK_LINES


def test_pages_give_every_slot_once_in_order(database: Database) -> None:
    schedule_id = stored(database, small_schedule(2 * CHUNK_LINES, 1))
    seen: list[str] = []
    token = None
    while True:
        with database.read("local") as unit:
            page = unit.schedules.page(schedule_id, "slots", 700, token)
        assert len(page.items) <= 700
        seen += [slot["start"] for slot in page.items]
        token = page.next_token
        if token is None:
            break
    assert seen == [str(i) for i in range(2 * CHUNK_LINES)]


def test_a_page_of_full_slots_ends_early_but_is_never_empty(database: Database) -> None:
    many = PAGE_TRANSFERS // 2 + 1
    schedule_id = stored(database, small_schedule(3, many))
    with database.read("local") as unit:
        page = unit.schedules.page(schedule_id, "slots", 50)
    assert [len(slot["transfers"]) for slot in page.items] == [many]
    assert page.next_token is not None


def test_short_parts_have_one_page(database: Database) -> None:
    schedule_id = stored(database, small_schedule())
    with database.read("local") as unit:
        for part in ("allocations", "computations"):
            page = unit.schedules.page(schedule_id, part, 50)
            assert len(page.items) == 1
            assert page.next_token is None
        assert unit.schedules.page("sch_unknown", "slots", 50).items == []
        for token in map(encode_token, (["a"], [-1], [10**40], [True])):
            with pytest.raises(PageTokenError):
                unit.schedules.page(schedule_id, "slots", 50, token)


def test_a_moment_is_found_without_reading_what_is_before(database: Database) -> None:
    schedule_id = stored(database, small_schedule(3 * CHUNK_LINES, 1))
    half = CHUNK_LINES // 2
    with database.read("local") as unit:

        def first(moment: Fraction) -> int:
            return unit.schedules.index_at(schedule_id, "slots", moment)

        assert first(Fraction(0)) == 0
        assert first(Fraction(half)) == half
        assert first(half - Fraction(1, 7)) == 0
        assert first(Fraction(10**9)) == 5 * half
        assert unit.schedules.index_at("sch_unknown", "slots", Fraction(1)) == 0


def test_of_slots_only_chunks_that_meet_a_window_are_given(database: Database) -> None:
    """A slot takes one time unit: chunks begin at 0, 1,000, 2,000, ..."""
    schedule_id = stored(database, small_schedule(3 * CHUNK_LINES, 1))
    half, never = CHUNK_LINES // 2, Fraction(10**9)
    with database.read("local") as unit:

        def numbers(begin: Fraction | None, end: Fraction | None) -> list[int]:
            found = unit.schedules.stored(schedule_id, window=Window(begin, end))
            assert found is not None
            assert {chunk.part for chunk in found.chunks} == {
                "allocations",
                "computations",
                "slots",
            }
            return [chunk.number for chunk in found.chunks if chunk.part == "slots"]

        assert numbers(None, None) == [0, 1, 2, 3, 4, 5]
        assert numbers(Fraction(half), Fraction(2 * half)) == [1]
        assert numbers(half - Fraction(1, 7), 2 * half + Fraction(1, 7)) == [0, 1, 2]
        assert numbers(None, Fraction(1, 7)) == [0]
        assert numbers(Fraction(4 * half), None) == [4, 5]
        assert numbers(never, never + 1) == [5]


def test_other_tenants_schedules_do_not_exist(database: Database) -> None:
    schedule_id = stored(database, small_schedule())
    with database.read("other") as unit:
        assert unit.schedules.get(schedule_id) is None
        assert list(unit.schedules.items(schedule_id, "slots")) == []
