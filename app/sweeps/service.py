"""What can be done with sweeps; sync, for the thread pool."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.ids import is_id
from app.db.jobs import JobRecord
from app.db.models import Doom
from app.db.pages import Page, decode_token, encode_token
from app.db.sweeps import OF_SWEEPS, NewSweep, SweepRecord
from app.db.unit import Unit
from app.http.bodies import Body
from app.http.idempotency import Keyed, Reading, Same, asked_under, make_once, read_once
from app.http.long_running import LongRunning, Made, Purgeable, Seen
from app.http.pages import page_token_checked
from app.http.quotas import places_left, take_places
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.sources import Sources
from app.http.watcher import Sighting
from app.jobs import service as jobs
from app.jobs.references import use_references
from app.sweep_creation import LEASE_SECONDS, make_jobs
from app.sweeps.checking import check, check_document, read_document
from app.sweeps.documents import can_retry, sweep_document
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Outcome
from steadygrid.kinds import SOLVES
from steadygrid.studies.sweep import CheckedSweep
from steadygrid.submissions.submission import restore_submission

FIRST_SECONDS = 1.0
"""So long a request makes, cancels or deletes jobs. A thread does the rest."""
TURN_SECONDS = 1.0
"""So long the thread is at one sweep before it looks at others."""
PIECE = 100
"""Jobs that are cancelled or deleted in one unit: others write in between."""
RETRIED_AT_ONCE = 500
MOST_RETRIED = 1_000
"""Failed jobs that one request tries again."""

SWEEPS: LongRunning[SweepRecord] = LongRunning(
    noun="sweep",
    prefix=OF_SWEEPS,
    below=" with all of its jobs",
    find=lambda unit, sweep_id: unit.sweeps.get(sweep_id),
    read=lambda parts, tenant, sweep_id: _seen(whole(parts, tenant, sweep_id)),
    cancel=lambda unit, sweep_id: unit.sweeps.ask_cancel(sweep_id),
    cancel_more=lambda parts, sweep_id: _cancel_jobs(parts, sweep_id),
    delete=lambda unit, sweep_id: unit.sweeps.doom(sweep_id, Doom.DELETED),
    delete_more=lambda parts, sweep_id: _remove_jobs(parts, sweep_id),
)


class ReadySweep(NamedTuple):
    """A sweep ready to be stored."""

    sweep: NewSweep
    asked: Keyed | None
    references: Mapping[str, str]
    """See `CheckedSweep`."""


def validation(parts: Sources, tenant: str, body: Body) -> dict[str, Any]:
    """Write what a sweep would be. See `check`."""
    return {"valid": True} | check(parts, tenant, body).sizing.document()


def read(
    parts: Sources, tenant: str, body: Body, key: str | None
) -> ReadySweep | Made[SweepRecord]:
    """Make a body a sweep that is ready to be stored, unless its key has made one already.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    key
        The idempotency key. None: there is none.

    Raises
    ------
    Refusal, InstanceError, LimitError
        See `check`, and `read_once` for keys.
    """
    reading = Reading(
        "sweep",
        partial(read_document, parts, body),
        partial(check_document, parts, tenant),
        CheckedSweep.meant,
        _request_comparison,
    )
    found = read_once(parts, tenant, SWEEPS, key, reading)
    if isinstance(found, Made):
        return found
    checked, asked = found
    request, plan = checked.request, checked.plan
    told = plan.document() | {"warnings": list(checked.sizing.warnings)}
    sweep = NewSweep.create(checked.sizing.kind, plan.jobs, told, request.labels, request.name)
    return ReadySweep(sweep, asked, checked.references)


def submit(parts: Resources, tenant: str, ready: ReadySweep) -> Made[SweepRecord]:
    """Store a sweep and make its first jobs, unless its idempotency key has made one meanwhile.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    ready
        The sweep, ready to be stored.

    Raises
    ------
    Refusal
        See `make_once` for keys and `take_places` for a full queue.
    LimitError
        See `take_places`.
    DatabaseUnavailableError
        See `make_once`.
    """
    sweep = ready.sweep

    def add(unit: Unit) -> None:
        take_places(parts.settings, unit, sweep.jobs, sweep.packed_bytes)
        use_references(unit, ready.references)
        unit.sweeps.add(sweep, LEASE_SECONDS)

    made = make_once(parts, tenant, SWEEPS, ready.asked, sweep.id, add)
    if made.replayed:
        return made

    def go_on() -> bool:
        return _make(parts, sweep.id, TURN_SECONDS)

    try:
        left = _make(parts, sweep.id, FIRST_SECONDS)
    except DatabaseUnavailableError:
        return made  # it is stored, and the sweeper makes its jobs
    if left:
        parts.background.go_on(go_on)
    return made


def _request_comparison(checked: CheckedSweep) -> Same:
    """Compare a request with that of a sweep, of whichever version, as this version reads it."""

    def read_stored(unit: Unit, sweep_id: str) -> Callable[[], bool]:
        record, plan = unit.sweeps.get(sweep_id), unit.sweeps.plan(sweep_id)

        def same() -> bool:
            if record is None or plan is None:
                return False
            try:
                template = restore_submission(plan["template"]).document()
            except (InstanceError, KeyError):
                return False
            asked, request = checked.plan.document(), checked.request
            made = {name: plan[name] for name in asked} | {"template": template}
            named = (record.name, record.labels) == (request.name, dict(request.labels))
            return named and made == asked

        return same

    return read_stored


def _make(parts: Resources, sweep_id: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    return make_jobs(parts.database, sweep_id, LEASE_SECONDS, until, lambda _: wake(parts))


def wake(parts: Resources) -> None:
    """Wake a worker for the jobs of a sweep. A worker that finds one wakes the next."""
    parts.broker.wake(SOLVES)


class Whole(NamedTuple):
    """A sweep with what it takes longer to read."""

    record: SweepRecord
    plan: Mapping[str, Any]
    outcomes: Mapping[Outcome, int]
    study: Mapping[str, Any] | None = None
    """What a what-if lists."""
    tries: Sequence[JobRecord] = ()
    """The last tries of its jobs."""


def whole(parts: Resources, tenant: str, sweep_id: str) -> Whole:
    """Give a sweep with its plan, its outcomes and what a what-if lists; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        record = SWEEPS.existing(unit, sweep_id)
        plan, outcomes = plan_of(unit, sweep_id), unit.sweeps.outcomes(sweep_id)
        study = unit.sweeps.study(sweep_id)
        tries = () if study is None else unit.sweeps.last_tries(sweep_id, 0, record.jobs)
        return Whole(record, plan, outcomes, study, tries)


def _seen(found: Whole) -> Seen:
    record = found.record
    document = partial(sweep_document, *found)
    return Seen(record.id, record.state.final, record.id, document)


def plan_of(unit: Unit, sweep_id: str) -> Mapping[str, Any]:
    """Give a sweep's plan; `Refusal` ``not_found`` if it has been deleted since."""
    found: Mapping[str, Any] | None = unit.sweeps.plan(sweep_id)
    if found is None:
        raise SWEEPS.missing(unit, sweep_id)
    return found


def listed(parts: Resources, tenant: str, limit: int, token: str | None) -> Page[SweepRecord]:
    """List sweeps, the newest first; `Refusal` ``invalid_request`` for a malformed page token.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        return unit.sweeps.page(limit, token)


def jobs_listed(
    parts: Resources, tenant: str, sweep_id: str, limit: int, token: str | None
) -> Page[JobRecord]:
    """List the last tries of a sweep's jobs by their index; refused as `whole` and `listed` are.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        SWEEPS.existing(unit, sweep_id)
        first = 0 if token is None else decode_token(token, (int,))[0]
        found = list(unit.sweeps.last_tries(sweep_id, first, limit + 1))
    further = encode_token([found[limit].sweep_index]) if len(found) > limit else None
    return Page(found[:limit], further)


def _cancel_jobs(parts: Resources, sweep_id: str) -> None:
    def some() -> bool:
        with parts.database.write_all() as unit:
            return unit.sweep_work.cancel_some(sweep_id, PIECE) > 0

    _for_a_moment(parts, some)
    parts.broker.nudge()


def _remove_jobs(parts: Resources, sweep_id: str) -> None:
    def some() -> bool:
        with parts.database.write_all() as unit:
            return unit.sweep_work.remove_some(sweep_id, PIECE) > 0

    _for_a_moment(parts, some)


def _for_a_moment(parts: Resources, step: Callable[[], bool]) -> None:
    """Do a step again and again, for a moment here and then in the background."""
    until = time.monotonic() + FIRST_SECONDS
    try:
        while step():
            if time.monotonic() >= until:
                parts.background.go_on(step)
                return
    except DatabaseUnavailableError:
        pass  # the wish is stored, and the sweeper does the rest


class Retried(NamedTuple):
    """What a request to try again has done, and whether there is more to do."""

    sweep_id: str
    retried: int
    more: bool


def retry(parts: Resources, tenant: str, sweep_id: str, key: str | None) -> Made[Retried]:
    """Make new jobs in place of those that have failed, up to `MOST_RETRIED`.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.
    key
        The idempotency key. None: there is none.

    Raises
    ------
    Refusal
        ``sweep_cancelled``; as `whole` and `make_once` do, and `take_place` where there is no room.
    """
    SWEEPS.get(parts, tenant, sweep_id)
    first: list[int] = []

    def add(unit: Unit) -> None:
        first.append(_retry_some(parts, unit, sweep_id, key, 0))

    def find_again(unit: Unit, resource_id: str) -> Retried | None:
        of_sweep, _, number = resource_id.partition(":")
        record = unit.sweeps.get(of_sweep)
        return None if record is None else Retried(of_sweep, int(number), can_retry(record))

    asked = asked_under(key, "retry", {"sweep": sweep_id})
    if asked is not None:
        asked = asked.with_meaning({"sweep": sweep_id})
    retries = Purgeable(noun=SWEEPS.noun, prefix=SWEEPS.prefix, find=find_again)
    made = make_once(parts, tenant, retries, asked, f"{sweep_id}:0", add, findable=False)
    if made.replayed:
        return made
    done = last = first[0]
    try:
        while last == RETRIED_AT_ONCE and done < MOST_RETRIED:
            with parts.database.write(tenant) as unit:
                last = _retry_some(parts, unit, sweep_id, key, done)
            done += last
    except (Refusal, DatabaseUnavailableError):
        pass  # what is done is done; `more` says to ask again
    if done:
        wake(parts)
    return Made(Retried(sweep_id, done, can_retry(SWEEPS.get(parts, tenant, sweep_id))), False)


def _retry_some(parts: Resources, unit: Unit, sweep_id: str, key: str | None, done: int) -> int:
    """Make some new jobs, and let the key remember how many there are with those of before."""
    if SWEEPS.existing(unit, sweep_id).cancelled_at is not None:
        raise Refusal("sweep_cancelled", "The sweep was cancelled. Post it again.")
    left = places_left(parts.settings, unit, min(RETRIED_AT_ONCE, MOST_RETRIED - done))
    made = unit.sweep_work.retry_some(unit.tenant, sweep_id, left)
    if key is not None:
        unit.idempotency.rebind(key, f"{sweep_id}:{done + made}")
    return made


class News(NamedTuple):
    """How a sweep stands."""

    record: SweepRecord
    outcomes: Mapping[Outcome, int]


def news(parts: Resources, tenant: str, sweep_id: str, known: News | None = None) -> News:
    """Say how a sweep stands. What is known is given back where nothing has changed.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.
    known
        What was said before. None: nothing.
    """
    with parts.database.read(tenant) as unit:
        record = SWEEPS.existing(unit, sweep_id)
        if known is not None and known.record == record:
            return known
        return News(record, unit.sweeps.outcomes(sweep_id))


def look(database: Database, ids: Collection[str]) -> Mapping[str, Sighting]:
    """Look at the jobs and sweeps that clients wait for, of all owners.

    Parameters
    ----------
    database
        Where the service stores everything.
    ids
        Of jobs and sweeps. Those that do not exist are left out.
    """
    of_sweeps = [one for one in ids if is_id(OF_SWEEPS, one)]
    found = dict(jobs.look(database, set(ids).difference(of_sweeps)))
    if of_sweeps:
        with database.read_all() as unit:
            found |= {
                sweep: Sighting(ended, 0) for sweep, ended in unit.watch.sweeps(of_sweeps).items()
            }
    return found
