"""The database's own clock, so that workers on different machines agree on leases."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, DateTime, Double, bindparam, cast, literal, select
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

DAY_SECONDS = 86_400


class Timestamp(TypeDecorator[datetime]):
    """A moment in UTC: ``TIMESTAMP WITH TIME ZONE``, on SQLite text that sorts."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Drop the time zone where the database has none.

        Parameters
        ----------
        value
            With a time zone. None is NULL.
        dialect
            Of the database.
        """
        if value is None or dialect.name != "sqlite":
            return value
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(  # the base class calls by position
        self, value: datetime | None, _dialect: Dialect
    ) -> datetime | None:
        """Give an aware moment in UTC.

        Parameters
        ----------
        value
            As the database gives it.
        """
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def wire_moment(value: datetime) -> str:
    """Write a moment in UTC, to the millisecond, as answers have it."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Moment(FunctionElement[datetime]):
    """The present by the database's clock, shifted by seconds."""

    name = "moment"
    type = Timestamp()
    inherit_cache = True


def current_time(seconds: float = 0.0) -> Moment:
    """Give the present, shifted into the future or, if negative, into the past."""
    return Moment(cast(literal(float(seconds)), Double()))


def later(parameter: str) -> Moment:
    """Give the present, shifted by a parameter of the statement, in seconds.

    Parameters
    ----------
    parameter
        Its name.
    """
    return Moment(cast(bindparam(parameter, type_=Double()), Double()))


def before_days(moment: ColumnElement[datetime], days: int) -> ColumnElement[bool]:
    """Say that a moment was so many days ago, or longer.

    Parameters
    ----------
    moment
        A column with a time.
    days
        Least age.
    """
    # In a subquery the limit is a constant, so that PostgreSQL takes an index.
    return moment < select(current_time(-days * DAY_SECONDS)).scalar_subquery()


@compiles(Moment, "postgresql")
def _on_postgresql(element: Moment, compiler: SQLCompiler, **kw: Any) -> str:
    # now() would be the transaction's start; a lease must not begin in the past.
    return f"(clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **kw)}))"


@compiles(Moment, "sqlite")
def _on_sqlite(element: Moment, compiler: SQLCompiler, **kw: Any) -> str:
    # SQLite 3.40 has no 'subsec'; the zeros make its milliseconds look like SQLAlchemy's.
    shift = f"printf('%+f seconds', {compiler.process(element.clauses, **kw)})"
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', {shift})"
