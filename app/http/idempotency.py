"""``Idempotency-Key``: the same request twice makes one thing, for every kind of POST."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from fastapi import Header

from app.db.errors import DatabaseUnavailableError
from app.db.idempotency import KeyRecord
from app.db.unit import Unit
from app.http.fingerprints import Fingerprint
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.sources import Sources

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


class Keyed(NamedTuple):
    """What is asked, and the key under which it is."""

    key: str
    fingerprint: Fingerprint

    def with_meaning(self, document: Any) -> "Keyed":
        """Add what was posted, as it has been read; equal for requests that mean the same."""
        return self._replace(fingerprint=self.fingerprint.with_meaning(document))


def asked_under(key: str | None, sort: str, document: Any) -> Keyed | None:
    """Take the fingerprint of a request; None without a key.

    Parameters
    ----------
    sort
        Of what is to be made: a key stands for one thing of one sort.
    document
        The JSON that was posted, and what else belongs to the request.
    """
    return None if key is None else Keyed(key, Fingerprint.of_posted(sort, document))


Same = Callable[[Unit, str], Callable[[], bool]]
"""Reads in a unit what has been made, and says afterwards whether that is what is asked now."""


@dataclass(frozen=True)
class Making(Generic[R]):
    """What a request makes, unless an earlier one has made it."""

    id: str
    """Of what is to be made."""
    add: Callable[[Unit], None]
    """Adds it, in a unit that commits afterwards."""
    find: Callable[[Unit, str], R | None]
    """Gives by its id what has been made; None if it is not there any more."""
    purged: Refusal
    """Tells that what the key stands for is not there any more."""
    findable: bool = True
    """Whether `find` tells, of a commit with an unknown outcome, that it was kept."""


class Made(NamedTuple, Generic[R]):
    """What a request has made, or an earlier one."""

    record: R
    replayed: bool


def make_once(parts: Resources, tenant: str, asked: Keyed | None, making: Making[R]) -> Made[R]:
    """Make something and bind its key to it in one unit; give what an earlier request has made.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    asked
        The idempotency key, and what is asked under it; None: there is no key.
    making
        What is to be made, and how.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `Making.purged`; all that `Making.add` refuses.
    DatabaseUnavailableError
        Nothing is known to be stored; the same key may be tried again.
    """
    try:
        with parts.database.write(tenant) as unit:
            earlier = _claimed(parts, unit, asked, making.id)
            if asked is not None and earlier is not None:
                if not asked.fingerprint.equals(Fingerprint.read(earlier.fingerprint)):
                    raise _reused()
                return Made(_found(unit, earlier, making.find, making.purged), True)
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


def _claimed(
    parts: Resources, unit: Unit, asked: Keyed | None, resource_id: str
) -> KeyRecord | None:
    if asked is None:
        return None
    keep = parts.settings.idempotency_days
    return unit.idempotency.claim(asked.key, asked.fingerprint.text, resource_id, keep)


def made_before(
    parts: Sources,
    tenant: str,
    asked: Keyed | None,
    find: Callable[[Unit, str], R | None],
    purged: Refusal,
    same: Same | None = None,
) -> Made[R] | None:
    """Give what an earlier request has made, before long work is begun; None if there is nothing.

    Asked before the request is read, this answers what an older version has accepted, even if this
    version would refuse it. That a key stands for another request is said once the request has been read.

    Parameters
    ----------
    find, purged
        As of `Making`.
    same
        Where the fingerprints do not tell, as when they are of different versions.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `purged`.
    """
    if asked is None:
        return None
    fingerprint = asked.fingerprint
    with parts.database.read(tenant) as unit:
        earlier = unit.idempotency.get(asked.key, parts.settings.idempotency_days)
        if earlier is None:
            return None
        made = Fingerprint.read(earlier.fingerprint)
        if fingerprint.equals(made):
            return Made(_found(unit, earlier, find, purged), True)
        if fingerprint.meant is None:
            return None
        if same is None or fingerprint.sort != made.sort:
            raise _reused()
        record = find(unit, earlier.resource_id)
        if record is None:
            raise purged if made.posted is None else _reused()
        is_same = same(unit, earlier.resource_id)
    if not is_same():
        raise _reused()
    return Made(record, True)


def _found(
    unit: Unit, earlier: KeyRecord, find: Callable[[Unit, str], R | None], purged: Refusal
) -> R:
    record = find(unit, earlier.resource_id)
    if record is None:
        raise purged
    return record


def _reused() -> Refusal:
    return Refusal(
        "idempotency_key_reused",
        "This Idempotency-Key stands for another request; take a new key.",
    )
