"""Schedules by content, in chunks, shared by the jobs that found them."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select

from app.db.clock import current_time
from app.db.models import jobs, schedule_chunks, schedules
from app.db.packing import CHUNK_LINES, PackedSchedule, unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.stored_answers import WHOLE, StoredChunk, StoredSchedule, Window
from app.db.upsert import conflict_insert_of
from steadygrid.domain.forms import AnySchedule, form_of, schedule_from_document, whole_header
from steadygrid.domain.rational import parse_exact

PAGE_TRANSFERS = 5 * CHUNK_LINES
"""Transfers after which a page of slots or runs ends early."""


_CHUNKS = insert(schedule_chunks)


@cache
def _putting(dialect: str) -> Any:
    statement = conflict_insert_of(dialect, schedules).values(created_at=current_time())
    return statement.on_conflict_do_nothing().returning(schedules.c.id)


@dataclass(frozen=True)
class ScheduleRecord:
    """A stored schedule without its parts."""

    id: str
    header: dict[str, Any]
    created_at: datetime


class ScheduleRepository:
    """One tenant's schedules. They never change; equal ones are stored once."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def _mine(self, schedule_id: str) -> ColumnElement[bool]:
        return (schedules.c.tenant == self._tenant) & (schedules.c.id == schedule_id)

    def store(self, schedule: PackedSchedule) -> None:
        """Store a schedule unless it is there, and keep it there until this unit ends."""
        kept = None
        while kept is None:
            putting = _putting(self._connection.dialect.name)
            given = {"tenant": self._tenant, "id": schedule.id, "header": schedule.header}
            if self._connection.execute(putting, given).first() is not None:
                self._add_chunks(schedule)
                return
            # Another process may be deleting it with its last job: wait for that, then look again.
            kept = self._connection.execute(
                select(schedules.c.id)
                .where(self._mine(schedule.id))
                .with_for_update(read=True, key_share=True)
            ).first()

    def _add_chunks(self, schedule: PackedSchedule) -> None:
        mark = {"tenant": self._tenant, "schedule_id": schedule.id}
        if schedule.chunks:
            self._connection.execute(_CHUNKS, [mark | chunk._asdict() for chunk in schedule.chunks])

    def get(self, schedule_id: str) -> ScheduleRecord | None:
        """Give a schedule's header, or None if there is none."""
        row = self._connection.execute(
            select(schedules.c.id, schedules.c.header, schedules.c.created_at).where(
                self._mine(schedule_id)
            )
        ).first()
        if row is None:
            return None
        return ScheduleRecord(row.id, whole_header(row.header), row.created_at)

    def periods(self, schedule_ids: Collection[str]) -> dict[str, str | None]:
        """Give the periods of many schedules by their ids. None where a schedule runs once."""
        rows = self._connection.execute(
            select(schedules.c.id, schedules.c.header).where(
                schedules.c.tenant == self._tenant, schedules.c.id.in_(list(schedule_ids))
            )
        )
        return {row.id: whole_header(row.header)["period"] for row in rows}

    def page(
        self, schedule_id: str, part: str, limit: int, token: str | None = None
    ) -> Page[dict[str, Any]]:
        """List a part's entries in order, reading only the chunks that hold them.

        A page of slots or runs ends early after `PAGE_TRANSFERS` transfers, but has at least one
        entry if there is one. An unknown schedule has no entries.

        Parameters
        ----------
        schedule_id
            Of the schedule.
        part
            Name of a list of the schedule, such as ``slots``.
        limit
            Most entries on the page.
        token
            `Page.next_token` of the page before. None: the first page.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        first = 0 if token is None else decode_token(token, (int,))[0]
        items: list[dict[str, Any]] = []
        transfers = 0
        for entry in self.items(schedule_id, part, first):
            transfers += len(entry.get("transfers", entry.get("cargo", ())))
            if len(items) >= limit or (items and transfers > PAGE_TRANSFERS):
                return Page(items, encode_token([first + len(items)]))
            items.append(entry)
        return Page(items, None)

    def items(self, schedule_id: str, part: str, first: int = 0) -> Iterator[dict[str, Any]]:
        """Yield a part's entries from index `first` on; inside the unit, chunk by chunk.

        Parameters
        ----------
        schedule_id
            Of the schedule.
        part
            Name of a list of the schedule, such as ``slots``.
        first
            Index of the first entry, from 0.
        """
        where = self._chunks_of(schedule_id, part)
        numbers = self._connection.execute(
            select(schedule_chunks.c.number, schedule_chunks.c.first)
            .where(where, schedule_chunks.c.first + schedule_chunks.c.length > first)
            .order_by(schedule_chunks.c.number)
        ).all()
        for number, begin in numbers:
            packed = self._connection.execute(
                select(schedule_chunks.c.packed).where(where, schedule_chunks.c.number == number)
            ).scalar_one()
            yield from unpack(packed)[max(0, first - begin) :]

    def chunk(self, schedule_id: str, part: str, number: int) -> tuple[int, bytes] | None:
        """Give a chunk's number of entries and its packed text. None if there is none.

        Parameters
        ----------
        schedule_id
            Of the schedule.
        part
            Name of a list of the schedule, such as ``slots``.
        number
            Of the chunk, from 0.
        """
        row = self._connection.execute(
            select(schedule_chunks.c.length, schedule_chunks.c.packed).where(
                self._chunks_of(schedule_id, part), schedule_chunks.c.number == number
            )
        ).first()
        return None if row is None else (row.length, row.packed)

    def stored(
        self, schedule_id: str, leave: Collection[str] = (), window: Window = WHOLE
    ) -> StoredSchedule | None:
        """Give a schedule packed as it is. None if there is none.

        Parameters
        ----------
        leave
            Parts that are left where they are.
        window
            Slots are given as far as their chunks meet it.
        """
        record = self.get(schedule_id)
        if record is None:
            return None
        first, last = self._meeting(schedule_id, window)
        number = schedule_chunks.c.number
        rows = self._connection.execute(
            select(schedule_chunks.c.part, number, schedule_chunks.c.packed)
            .where(
                schedule_chunks.c.tenant == self._tenant,
                schedule_chunks.c.schedule_id == schedule_id,
                schedule_chunks.c.part.not_in(leave),
                (schedule_chunks.c.part != "slots") | number.between(first, last),
            )
            .order_by(schedule_chunks.c.part, number)
        )
        return StoredSchedule(record.header, tuple(StoredChunk(*row) for row in rows))

    def _meeting(self, schedule_id: str, window: Window) -> tuple[int, int]:
        """Give the numbers of the first and the last chunk of slots that meet a window."""
        starts = [moment for _, moment in self._starts(schedule_id, "slots")]
        begin, end = window
        first = 0 if begin is None else max(bisect_right(starts, begin) - 1, 0)
        return first, (len(starts) if end is None else bisect_left(starts, end)) - 1

    def index_at(self, schedule_id: str, part: str, moment: Fraction) -> int:
        """Give an index in the chunk that holds a moment of the period.

        For parts whose entries follow each other in time: slots. Entries from that index on may
        still end before the moment, those before it do.

        Parameters
        ----------
        schedule_id
            Of the schedule.
        part
            Name of a list of the schedule, such as ``slots``.
        moment
            In time units, from the start of the period.
        """
        starts = self._starts(schedule_id, part)
        index = bisect_right(starts, moment, key=lambda start: start[1])
        return starts[index - 1][0] if index else 0

    def _starts(self, schedule_id: str, part: str) -> list[tuple[int, Fraction]]:
        """Give for each chunk of a part in time the index of its first entry, and when it begins."""
        rows = self._connection.execute(
            select(schedule_chunks.c.first, schedule_chunks.c.start)
            .where(self._chunks_of(schedule_id, part), schedule_chunks.c.start.is_not(None))
            .order_by(schedule_chunks.c.number)
        )
        return [(row.first, parse_exact(row.start)) for row in rows]

    def _chunks_of(self, schedule_id: str, part: str) -> ColumnElement[bool]:
        return (
            (schedule_chunks.c.tenant == self._tenant)
            & (schedule_chunks.c.schedule_id == schedule_id)
            & (schedule_chunks.c.part == part)
        )

    def packed_bytes(self, schedule_id: str) -> dict[str, int]:
        """Give the bytes that each part takes as it is stored. Nothing is read for that."""
        rows = self._connection.execute(
            select(schedule_chunks.c.part, func.sum(func.length(schedule_chunks.c.packed)))
            .where(
                (schedule_chunks.c.tenant == self._tenant)
                & (schedule_chunks.c.schedule_id == schedule_id)
            )
            .group_by(schedule_chunks.c.part)
        )
        return {part: int(length) for part, length in rows}

    def load(self, schedule_id: str, leave: Collection[str] = ()) -> AnySchedule | None:
        """Read a schedule back. None if there is none.

        Parameters
        ----------
        leave
            Parts that are left where they are; `stated_counts` says how long they are.
        """
        record = self.get(schedule_id)
        if record is None:
            return None
        parts = {
            part: [] if part in leave else list(self.items(schedule_id, part))
            for part in form_of(record.header).parts_in(record.header)
        }
        return schedule_from_document(record.header | parts)

    def lock(self, *schedule_ids: str) -> None:
        """Keep others from referring to schedules until this unit ends; locked in order."""
        self._connection.execute(
            select(schedules.c.id)
            .where(schedules.c.tenant == self._tenant, schedules.c.id.in_(schedule_ids))
            .order_by(schedules.c.id)
            .with_for_update()
        )

    def delete_unused(self, schedule_id: str) -> None:
        """Delete a schedule unless a job has it.

        `lock` it first: a job that is about to refer to it waits then, or is seen here.
        """
        used = exists().where(jobs.c.tenant == self._tenant, jobs.c.schedule_id == schedule_id)
        self._connection.execute(delete(schedules).where(self._mine(schedule_id), ~used))
