"""What the declarations of all tables share: the metadata, and types of columns."""

import json
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, MetaData, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

LOCAL_TENANT = "local"
"""The tenant of a service without tenants."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Json(TypeDecorator[Any]):
    """A small JSON document as ASCII text: no database ever meets a NUL or a surrogate."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        """Write the document. None is NULL."""
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        """Read the document back."""
        return None if value is None else json.loads(value)


class Name(TypeDecorator[str]):
    """A short text that may come from a URL: what no database can hold matches nothing."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, _dialect: Dialect) -> str | None:
        """Replace NUL and lone surrogates."""
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def membership_condition(column: str, values: type[StrEnum]) -> str:
    """Write that a column has one of some values."""
    return f"{column} IN ({', '.join(repr(value.value) for value in values)})"


def tenant_column(*, primary_key: bool = False) -> Column[str]:
    """Make the column that says whose a row is."""
    return Column(
        "tenant",
        Name(63),
        primary_key=primary_key,
        nullable=False,
        server_default=LOCAL_TENANT,
    )
