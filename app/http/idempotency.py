"""``Idempotency-Key``: the same request twice makes one thing, whatever it is that a POST makes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple, TypeVar

from fastapi import Header

from app.db.errors import DatabaseUnavailableError
from app.db.idempotency import KeyRecord
from app.db.unit import Unit
from app.http.refusals import Refusal
from app.http.resources import Resources

R = TypeVar("R")

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=255,
        description="the same key and request make one thing, and give the same, for 7 days",
    ),
]
REPLAYED = {"Idempotent-Replayed": "`true` if an earlier request had made it"}


@dataclass(frozen=True)
class Making(Generic[R]):
    """What a request makes, unless an earlier one has made it."""

    id: str
    """Of what is to be made."""
    fingerprint: str
    """The same for requests that mean the same; names the sort of what is made, too."""
    add: Callable[[Unit], None]
    """Adds it, in a unit that commits afterwards."""
    find: Callable[[Unit, str], R | None]
    """Gives by its id what has been made; None if it is not there any more."""
    purged: Refusal
    """Tells that what the key stands for is not there any more."""
    findable: bool = True
    """Whether `find` tells, of a commit of which nobody knows, that it was kept."""


class Made(NamedTuple, Generic[R]):
    """What a request has made, or an earlier one."""

    record: R
    replayed: bool


def make_once(parts: Resources, tenant: str, key: str | None, making: Making[R]) -> Made[R]:
    """Make something and bind its key to it in one unit; give what an earlier request has made.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `Making.purged`; whatever `Making.add` refuses.
    DatabaseUnavailableError
        Nothing is known to be stored; the same key may be tried again.
    """
    try:
        with parts.database.write(tenant) as unit:
            earlier = _claimed(parts, unit, key, making)
            if earlier is not None:
                return Made(
                    _found(unit, earlier, making.fingerprint, making.find, making.purged), True
                )
            making.add(unit)
            record = making.find(unit, making.id)
        if record is None:
            raise DatabaseUnavailableError("what was made has vanished")
    except DatabaseUnavailableError:
        # The commit may have been kept although it raised.
        if not making.findable:
            raise
        with parts.database.read(tenant) as unit:
            record = making.find(unit, making.id)
        if record is None:
            raise
    return Made(record, False)


def _claimed(parts: Resources, unit: Unit, key: str | None, making: Making[R]) -> KeyRecord | None:
    if key is None:
        return None
    keep = parts.settings.idempotency_days
    return unit.idempotency.claim(key, making.fingerprint, making.id, keep)


def made_before(
    parts: Resources,
    tenant: str,
    key: str | None,
    fingerprint: str,
    find: Callable[[Unit, str], R | None],
    purged: Refusal,
) -> Made[R] | None:
    """Give what an earlier request has made, before long work is begun; None if there is nothing.

    Parameters
    ----------
    fingerprint, find, purged
        As of `Making`.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `purged`.
    """
    if key is None:
        return None
    with parts.database.read(tenant) as unit:
        earlier = unit.idempotency.get(key, parts.settings.idempotency_days)
        if earlier is None:
            return None
        return Made(_found(unit, earlier, fingerprint, find, purged), True)


def _found(
    unit: Unit,
    earlier: KeyRecord,
    fingerprint: str,
    find: Callable[[Unit, str], R | None],
    purged: Refusal,
) -> R:
    if earlier.fingerprint != fingerprint:
        raise Refusal(
            "idempotency_key_reused",
            "This Idempotency-Key stands for another request; take a new key.",
        )
    record = find(unit, earlier.resource_id)
    if record is None:
        raise purged
    return record
