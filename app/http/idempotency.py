"""``Idempotency-Key``: the same request twice makes one thing, for every kind of POST."""

from collections.abc import Callable
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from fastapi import Header

from app.db.errors import DatabaseUnavailableError
from app.db.idempotency import KeyRecord
from app.db.unit import Unit
from app.http.fingerprints import Fingerprint
from app.http.long_running import Made, Purgeable
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.sources import Sources

C = TypeVar("C")
R = TypeVar("R")

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=255,
        description="the same key and request make one thing, and give the same, for 7 days",
    ),
]


class Keyed(NamedTuple):
    """What is asked, and the key under which it is."""

    key: str
    fingerprint: Fingerprint

    def with_meaning(self, document: Any) -> "Keyed":
        """Add what was posted, as it has been read; equal for requests that mean the same."""
        return self._replace(fingerprint=self.fingerprint.with_meaning(document))


def asked_under(key: str | None, sort: str, document: Any) -> Keyed | None:
    """Take the fingerprint of a request. None without a key.

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


class Reading(NamedTuple, Generic[C]):
    """How a request is read that makes something."""

    sort: str
    """Of what is to be made: a key stands for one thing of one sort."""
    posted: Callable[[], Any]
    """Gives the JSON that was posted, with what else belongs to the request."""
    check: Callable[[Any], C]
    """Reads that, or refuses it."""
    meaning: Callable[[C], Any]
    """Gives a document that is equal for requests that mean the same."""
    same: Callable[[C], Same] | None = None
    """Compares where fingerprints do not tell, as when they are of different versions."""


class Read(NamedTuple, Generic[C]):
    """A request that has made nothing yet."""

    checked: C
    asked: Keyed | None


def read_once(
    parts: Sources, tenant: str, kept: Purgeable[R], key: str | None, reading: Reading[C]
) -> Read[C] | Made[R]:
    """Read a request, or give what an earlier one has made, before long work is begun.

    What an older version has accepted is answered before it is read, even if this version would
    refuse it. That a key stands for another request is said once the request has been read.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    kept
        What is to be made.
    key
        The idempotency key. None: there is none.
    reading
        How the request is read.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `Purgeable.purged_with_key`. All that `Reading.check` refuses.
    """
    document = reading.posted()
    asked = asked_under(key, reading.sort, document)
    if asked is None:
        return Read(reading.check(document), None)
    made = _made_before(parts, tenant, kept, asked)
    if made is not None:
        return made
    checked = reading.check(document)
    del document  # in memory it is many times as large as what was sent
    asked = asked.with_meaning(reading.meaning(checked))
    same = None if reading.same is None else reading.same(checked)
    return _made_before(parts, tenant, kept, asked, same) or Read(checked, asked)


def make_once(
    parts: Resources,
    tenant: str,
    kept: Purgeable[R],
    asked: Keyed | None,
    resource_id: str,
    add: Callable[[Unit], None],
    *,
    findable: bool = True,
) -> Made[R]:
    """Make something and bind its key to it in one unit; give what an earlier request has made.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    kept
        What is to be made.
    asked
        The idempotency key, and what is asked under it. None: there is no key.
    resource_id
        Of what is to be made.
    add
        Adds it, in a unit that commits afterwards.
    findable
        Whether `Purgeable.find` tells, of a commit with an unknown outcome, that it was kept.

    Raises
    ------
    Refusal
        ``idempotency_key_reused``, `Purgeable.purged_with_key`. All that `add` refuses.
    DatabaseUnavailableError
        Nothing is known to be stored. The same key may be tried again.
    """
    try:
        with parts.database.write(tenant) as unit:
            earlier = _claimed(parts, unit, asked, resource_id)
            if asked is not None and earlier is not None:
                if not asked.fingerprint.equals(Fingerprint.read(earlier.fingerprint)):
                    raise _reused()
                return _replayed(unit, kept, earlier)
            add(unit)
            record = kept.find(unit, resource_id)
        if record is None:
            raise DatabaseUnavailableError("what was made has vanished")
    except DatabaseUnavailableError:
        # The commit may have been kept although it raised.
        if not findable:
            raise
        with parts.database.read(tenant) as unit:
            record = kept.find(unit, resource_id)
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


def _made_before(
    parts: Sources, tenant: str, kept: Purgeable[R], asked: Keyed, same: Same | None = None
) -> Made[R] | None:
    fingerprint = asked.fingerprint
    with parts.database.read(tenant) as unit:
        earlier = unit.idempotency.get(asked.key, parts.settings.idempotency_days)
        if earlier is None:
            return None
        made = Fingerprint.read(earlier.fingerprint)
        if fingerprint.equals(made):
            return _replayed(unit, kept, earlier)
        if fingerprint.meant is None:
            return None
        if same is None or fingerprint.sort != made.sort:
            raise _reused()
        record = kept.find(unit, earlier.resource_id)
        if record is None:
            raise kept.purged_with_key() if made.posted is None else _reused()
        is_same = same(unit, earlier.resource_id)
    if not is_same():
        raise _reused()
    return Made(record, True)


def _replayed(unit: Unit, kept: Purgeable[R], earlier: KeyRecord) -> Made[R]:
    record = kept.find(unit, earlier.resource_id)
    if record is None:
        raise kept.purged_with_key()
    return Made(record, True)


def _reused() -> Refusal:
    return Refusal(
        "idempotency_key_reused",
        "This Idempotency-Key stands for another request. Take a new key.",
    )
