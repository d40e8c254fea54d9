"""Measurements of stored platforms: reading, storing and telling them; sync."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from app.db.audit import Action
from app.db.measurements import Measurements, Reading, Recorded
from app.db.packing import unpack
from app.db.pages import Page
from app.http import stored
from app.http.bodies import Body, read_json
from app.http.identity import Identity
from app.http.pages import page_token_checked
from app.http.quotas import check_stored
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources
from app.http.sources import Sources
from app.platforms.service import SHELF
from steadygrid.domain.moments import read_moment
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import as_number, parse_exact
from steadygrid.studies.measurements import measurable, read_measurements


class ReadyMeasurements(NamedTuple):
    """Measurements ready to be stored."""

    readings: list[Reading]


class Series(NamedTuple):
    """Which measurements are wanted."""

    resource: str
    begin: str | None
    end: str | None


def read(parts: Sources, tenant: str, body: Body, platform_id: str) -> ReadyMeasurements:
    """Read measurements of a stored platform.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Who asks.
    body
        As it was sent.
    platform_id
        Of the stored platform.

    Raises
    ------
    Refusal
        ``not_found``, ``malformed_json``.
    InstanceError, LimitError
        With every fault found; pointers walk the body.
    """
    platform = stored_platform(parts, tenant, platform_id)
    document = read_json(body, {})
    found = read_measurements(document, platform, datetime.now(UTC), parts.settings.limits)
    return ReadyMeasurements([Reading(one.resource, one.at, str(one.value)) for one in found])


def stored_platform(parts: Sources, tenant: str, platform_id: str) -> Platform:
    """Give a stored platform; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The settings and the database.
    tenant
        Who asks.
    platform_id
        Of the stored platform.
    """
    return _platform(stored.packed(parts, tenant, SHELF, platform_id))


@lru_cache(4)
def _platform(packed: bytes) -> Platform:
    return Platform.model_validate(unpack(packed))


def record(
    parts: Resources, tenant: str, platform_id: str, ready: ReadyMeasurements
) -> dict[str, Any]:
    """Store measurements, all in one unit, and tell what became of them.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    platform_id
        Of the stored platform.
    ready
        The measurements.

    Raises
    ------
    Refusal
        ``not_found``; ``quota_exceeded`` where the tenant has stored too much already.
    """
    with parts.database.write(tenant) as unit:
        check_stored(parts.settings, unit, 0)
        unit.platforms.use(platform_id)
        most = parts.settings.platform_measurements
        recorded = unit.measurements.record(platform_id, ready.readings, most)
    if recorded is None:
        raise _no_platform()
    return _recorded(platform_id, recorded)


def _recorded(platform_id: str, recorded: Recorded) -> dict[str, Any]:
    return {
        "platform": platform_id,
        "stored": recorded.new,
        "replaced": recorded.replaced,
        "known": recorded.known,
        "version": recorded.version,
    }


def latest(parts: Resources, tenant: str, platform_id: str, numbers: str) -> dict[str, Any]:
    """Tell the newest value of each resource that was measured; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    platform_id
        Of the stored platform.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    stored.must_exist(parts, tenant, SHELF, platform_id)
    with parts.database.read(tenant) as unit:
        found = unit.measurements.latest(platform_id)
    return latest_document(platform_id, found, numbers)


def latest_document(platform_id: str, found: Measurements, numbers: str) -> dict[str, Any]:
    """Write the newest values as the contract shows them.

    Parameters
    ----------
    platform_id
        Of the stored platform.
    found
        The newest values.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    return {
        "platform": platform_id,
        "version": found.version,
        "measured_at": written(found.measured_at),
        "items": [reading_document(one, numbers) for _, one in sorted(found.latest.items())],
    }


def reading_document(reading: Reading, numbers: str) -> dict[str, Any]:
    """Write a measured value as the contract shows it.

    Parameters
    ----------
    reading
        As it is stored.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    return {
        "resource": reading.resource,
        "at": written(reading.at),
        "value": with_numbers(reading.value, numbers),
    }


def written(at: datetime | None) -> str | None:
    """Write a moment in UTC, exactly. None stays None."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")


def with_numbers(text: str | None, numbers: str) -> Any:
    """Write an exact number, as a JSON number on demand.

    Parameters
    ----------
    text
        Exact. None: there is none.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    return as_number(parse_exact(text)) if numbers == "float" and text is not None else text


def series(
    parts: Resources, tenant: str, platform_id: str, wanted: Series, limit: int, token: str | None
) -> Page[Reading]:
    """List what was measured of one resource, the newest first.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    platform_id
        Of the stored platform.
    wanted
        Of which resource, and when.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` for a parameter.
    """
    begin, end = _moment_of("from", wanted.begin), _moment_of("to", wanted.end)
    if begin is not None and end is not None and end < begin:
        raise refused_parameter("to", "window_backwards", "the window ends before it begins")
    with page_token_checked(token), parts.database.read(tenant) as unit:
        page = unit.measurements.page(
            platform_id, limit, token, resource=wanted.resource, begin=begin, end=end
        )
    if page.items or token is not None:
        return page
    # Either nothing was measured, or the name is wrong: only then the platform is read.
    platform = stored_platform(parts, tenant, platform_id)
    if all(one.key != wanted.resource for one in measurable(platform)):
        detail = "the platform has no such resource: the list that is asked for without `resource` has the names"
        raise refused_parameter("resource", "unknown_resource", detail)
    return page


def _moment_of(name: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    found = read_moment(text)
    if found is None or not 1970 <= found.year < 9000:
        detail = "expected a moment such as 2026-11-23T00:00:00Z (a + in an address is written %2B)"
        raise refused_parameter(name, "not_a_moment", detail)
    return found


def forget(parts: Resources, by: Identity, platform_id: str) -> None:
    """Delete all measurements of a platform; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks. The audit line names them.
    platform_id
        Of the stored platform.
    """
    stored.must_exist(parts, by.tenant, SHELF, platform_id)
    with parts.database.write(by.tenant) as unit:
        if unit.measurements.forget(platform_id):
            unit.audit.write(by.tenant, by.actor, Action.MEASUREMENTS_DELETED, platform_id)


def _no_platform() -> Refusal:
    return Refusal("not_found", "There is no such platform.")
