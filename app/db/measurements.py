"""Speeds and bandwidths as they were measured, of stored platforms."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)

from app.db.clock import before_days
from app.db.errors import PageTokenError
from app.db.grid_tables import measured_platforms, measurements
from app.db.models import platforms
from app.db.packing import pack, unpack
from app.db.pages import Page, decode_token, encode_token
from app.db.upsert import conflict_insert

T = TypeVar("T")

_AT_ONCE = 500
"""Rows of one statement."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Reading(NamedTuple):
    """One measured value."""

    resource: str
    """``processor:P1``, ``link:P1->P2`` or ``medium:wan``."""
    at: datetime
    value: str
    """Exact: work or data per time unit; 0: it is gone."""


@dataclass(frozen=True)
class Measurements:
    """The newest value of each resource of a platform."""

    version: int = 0
    """Rises with each change."""
    latest: Mapping[str, Reading] = field(default_factory=dict)

    @property
    def measured_at(self) -> datetime | None:
        """The newest moment of a measurement."""
        return max((one.at for one in self.latest.values()), default=None)


class Recorded(NamedTuple):
    """What became of some measurements."""

    new: int
    replaced: int
    known: int
    version: int
    """Of the platform's measurements, afterwards."""


class MeasurementRepository:
    """One tenant's measurements."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def _conditions(self, platform_id: str) -> ColumnElement[bool]:
        table = measurements.c
        return (table.tenant == self._tenant) & (table.platform_id == platform_id)

    def _row(self, platform_id: str) -> ColumnElement[bool]:
        table = measured_platforms.c
        return (table.tenant == self._tenant) & (table.platform_id == platform_id)

    def latest(self, platform_id: str) -> Measurements:
        """Give the newest value of each resource.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        """
        table = measured_platforms.c
        row = self._connection.execute(
            select(table.version, table.packed).where(self._row(platform_id))
        ).first()
        return Measurements() if row is None else Measurements(row.version, _read(row.packed))

    def record(self, platform_id: str, readings: Sequence[Reading], most: int) -> Recorded | None:
        """Store measurements. The same resource at the same moment has one value, the last.

        None: there is no such platform.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        readings
            Of each resource at most one at a moment.
        most
            Rows that are kept of this platform. The oldest ones go.
        """
        if not hold_platform(self._connection, self._tenant, platform_id):
            return None
        table = measured_platforms.c
        mine = {"tenant": self._tenant, "platform_id": platform_id}
        self._connection.execute(
            conflict_insert(self._connection, measured_platforms)
            .values(**mine, version=0, rows=0, packed=pack({}))
            .on_conflict_do_nothing()
        )
        row = self._connection.execute(
            select(table.version, table.rows, table.packed)
            .where(self._row(platform_id))
            .with_for_update()
        ).one()
        known = self._known(platform_id, readings)
        new = [one for one in readings if (one.resource, one.at) not in known]
        other = [
            one for one in readings if known.get((one.resource, one.at), one.value) != one.value
        ]
        version = int(row.version)
        if new or other:
            self._write(mine, new, other)
            kept = self._trim(platform_id, row.rows + len(new), most)
            version += 1
            latest = _with_newer(_read(row.packed), (*new, *other))
            self._connection.execute(
                update(measured_platforms)
                .where(self._row(platform_id))
                .values(
                    version=version,
                    rows=kept,
                    packed=_packed(latest),
                    measured_at=Measurements(version, latest).measured_at,
                )
            )
        return Recorded(len(new), len(other), len(readings) - len(new) - len(other), version)

    def _known(
        self, platform_id: str, readings: Sequence[Reading]
    ) -> dict[tuple[str, datetime], str]:
        table = measurements.c
        found: dict[tuple[str, datetime], str] = {}
        for some in _in_pieces(readings):
            keys = [(one.resource, one.at) for one in some]
            rows = self._connection.execute(
                select(table.resource, table.at, table.value).where(
                    self._conditions(platform_id), tuple_(table.resource, table.at).in_(keys)
                )
            )
            found |= {(row.resource, row.at): row.value for row in rows}
        return found

    def _write(
        self, mine: Mapping[str, str], new: Iterable[Reading], other: Iterable[Reading]
    ) -> None:
        added = [{**mine, **one._asdict()} for one in new]
        if added:
            self._connection.execute(insert(measurements), added)
        table = measurements.c
        changed = [{"of": one.resource, "then": one.at, "measured": one.value} for one in other]
        if changed:
            self._connection.execute(
                update(measurements)
                .where(
                    self._conditions(mine["platform_id"]),
                    table.resource == bindparam("of"),
                    table.at == bindparam("then"),
                )
                .values(value=bindparam("measured")),
                changed,
            )

    def _trim(self, platform_id: str, rows: int, most: int) -> int:
        """Delete the oldest rows above a number; give how many are left."""
        if rows > most:
            rows -= self._delete_oldest(platform_id, self._conditions(platform_id), rows - most)
        return rows

    def _delete_oldest(self, platform_id: str, which: ColumnElement[bool], limit: int) -> int:
        table = measurements.c
        oldest = (
            select(table.resource, table.at)
            .where(which)
            .order_by(table.at, table.resource)
            .limit(limit)
        )
        return self._connection.execute(
            delete(measurements).where(
                self._conditions(platform_id), tuple_(table.resource, table.at).in_(oldest)
            )
        ).rowcount

    def forget(self, platform_id: str) -> bool:
        """Delete all measurements of a platform; False if there are none."""
        row = measured_platforms.c
        found = self._connection.execute(
            select(row.version).where(self._row(platform_id)).with_for_update()
        ).scalar()
        if found is None:
            return False
        self._connection.execute(delete(measurements).where(self._conditions(platform_id)))
        self._connection.execute(
            update(measured_platforms)
            .where(self._row(platform_id))
            .values(version=found + 1, rows=0, packed=pack({}), measured_at=None)
        )
        return True

    def purge(self, platform_id: str, days: int, limit: int) -> int:
        """Delete measurements that are older. The newest value of each resource stays known.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        days
            Least age of those that are deleted.
        limit
            Most that are deleted in this unit.
        """
        table = measured_platforms.c
        self._connection.execute(select(table.rows).where(self._row(platform_id)).with_for_update())
        old = self._conditions(platform_id) & before_days(measurements.c.at, days)
        gone = self._delete_oldest(platform_id, old, limit)
        if gone:
            self._connection.execute(
                update(measured_platforms)
                .where(self._row(platform_id))
                .values(rows=table.rows - gone)
            )
        return gone

    def page(
        self,
        platform_id: str,
        limit: int,
        token: str | None = None,
        *,
        resource: str,
        begin: datetime | None = None,
        end: datetime | None = None,
    ) -> Page[Reading]:
        """List what was measured of a resource, the newest first.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        limit
            Most on the page.
        token
            Of the page before. None: the first page.
        resource
            By its key.
        begin, end
            Only from a moment on, and only before one. None: all.

        Raises
        ------
        PageTokenError
            If the service did not make the token.
        """
        table = measurements.c
        query = select(table.resource, table.at, table.value).where(
            self._conditions(platform_id), table.resource == resource
        )
        if begin is not None:
            query = query.where(table.at >= begin)
        if end is not None:
            query = query.where(table.at < end)
        if token is not None:
            query = query.where(table.at < _moment(decode_token(token, (str,))[0]))
        rows = self._connection.execute(query.order_by(table.at.desc()).limit(limit + 1))
        found = [Reading(*row) for row in rows]
        more, found = len(found) > limit, found[:limit]
        return Page(found, encode_token([_number(found[-1].at)]) if more else None)

    def series(
        self, platform_id: str, resources: Collection[str], samples: int
    ) -> dict[str, list[Reading]]:
        """Give the last measurements of resources, in the order of time.

        Parameters
        ----------
        platform_id
            Of a stored platform.
        resources
            By their keys.
        samples
            Most of each resource.
        """
        table = measurements.c
        found: dict[str, list[Reading]] = {}
        for some in _in_pieces(sorted(resources)):
            place = func.row_number().over(partition_by=table.resource, order_by=table.at.desc())
            ranked = (
                select(table.resource, table.at, table.value, place.label("place"))
                .where(self._conditions(platform_id), table.resource.in_(some))
                .subquery()
            )
            rows = self._connection.execute(
                select(ranked.c.resource, ranked.c.at, ranked.c.value)
                .where(ranked.c.place <= samples)
                .order_by(ranked.c.resource, ranked.c.at)
            )
            for row in rows:
                found.setdefault(row.resource, []).append(Reading(*row))
        return found


def hold_platform(connection: Connection, tenant: str, platform_id: str) -> bool:
    """Keep a stored platform from being deleted in this unit; False if there is none.

    Parameters
    ----------
    connection
        Inside of a transaction.
    tenant
        Whose it is, by name.
    platform_id
        Of a stored platform.
    """
    mine = (platforms.c.tenant == tenant) & (platforms.c.id == platform_id)
    query = select(platforms.c.id).where(mine).with_for_update(key_share=True, read=True)
    return connection.execute(query).first() is not None


def _in_pieces(entries: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(entries)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


def _with_newer(latest: Mapping[str, Reading], readings: Iterable[Reading]) -> dict[str, Reading]:
    found = dict(latest)
    for one in readings:
        before = found.get(one.resource)
        if before is None or one.at >= before.at:
            found[one.resource] = one
    return found


def _packed(latest: Mapping[str, Reading]) -> bytes:
    return pack({name: [one.at.isoformat(), one.value] for name, one in latest.items()})


def _read(packed: bytes) -> dict[str, Reading]:
    document: dict[str, Any] = unpack(packed)
    return {
        name: Reading(name, datetime.fromisoformat(at), value)
        for name, (at, value) in document.items()
    }


def _number(moment: datetime) -> str:
    """Write a moment as a part of a token."""
    return str((moment - _EPOCH) // _MICROSECOND)


def _moment(number: str) -> datetime:
    if not number.isdecimal():
        raise PageTokenError(PageTokenError.__doc__)  # of another list
    return _EPOCH + int(number) * _MICROSECOND
