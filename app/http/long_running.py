"""Resources that take their time: jobs, sweeps, what-ifs (which are sweeps) and replans.

How they are found, made, waited for, read by version, cancelled, deleted and remembered is the same
for all, and stands here. `LongRunning` says what is their own.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from app.db.audit import Action
from app.db.ids import is_id
from app.db.unit import Unit
from app.http.answers import ASK_AGAIN, json_answer, to_json
from app.http.conditions import conditional, weak_tag
from app.http.disconnection import client_gone, disconnected
from app.http.identity import Identity, identity_of, tenant_of
from app.http.long_poll import LATER, SOON, place_if_any
from app.http.openapi import READS_BODY, Responses, answer, problems
from app.http.paths import root_of
from app.http.refusals import Refusal
from app.http.resources import Resources, resources_of
from app.http.sources import Sources
from app.http.turns import end_turn

R = TypeVar("R")
T = TypeVar("T")

REPLAYED = {"Idempotent-Replayed": "`true` if an earlier request had made it"}


@dataclass(frozen=True)
class Purgeable(Generic[R]):
    """What has an id, and is deleted when it is too old; for a while that is remembered."""

    noun: str
    prefix: str
    """Of the ids."""
    find: Callable[[Unit, str], R | None]
    """Gives the row with an id. None if it is not there."""
    since: str = "ended"
    """What it did so long ago."""
    below: str = ""
    """What is deleted with it."""

    def get(self, parts: Sources, tenant: str, resource_id: str) -> R:
        """Give its row, from a unit of its own; refused as `existing` does."""
        with parts.database.read(tenant) as unit:
            return self.existing(unit, resource_id)

    def existing(self, unit: Unit, resource_id: str) -> R:
        """Give its row; `Refusal` ``not_found``, or ``job_purged`` and the like."""
        found = self.find(unit, resource_id) if is_id(self.prefix, resource_id) else None
        if found is None:
            raise self.missing(unit, resource_id)
        return found

    def missing(self, unit: Unit, resource_id: str) -> Refusal:
        """Say that it is not there, or not any more."""
        if is_id(self.prefix, resource_id) and unit.tombstones.exists(resource_id):
            return self._purged(f"The {self.noun}", self.below)
        return Refusal("not_found", f"There is no such {self.noun}.")

    def purged_with_key(self) -> Refusal:
        """Say that what a key stands for is not there any more."""
        again = ": take a new key to ask again"
        return self._purged(f"The {self.noun} of this Idempotency-Key", again)

    def _purged(self, subject: str, more: str) -> Refusal:
        return Refusal(
            f"{self.noun}_purged",
            f"{subject} {self.since} longer ago than jobs are kept here, and has been deleted{more}.",
        )


class Made(NamedTuple, Generic[R]):
    """What a request has made, or an earlier one."""

    record: R
    replayed: bool


class Seen(NamedTuple):
    """How a resource stands."""

    id: str
    final: bool
    awaited: str
    """The job or the sweep with which it ends."""
    document: Callable[[str], Mapping[str, Any]]
    """Writes it, with numbers as they are asked for; in a thread, for it may take long."""


class Row(Protocol):
    """What is stored of a resource, at least."""

    @property
    def id(self) -> str:
        """Its id."""


S = TypeVar("S", bound=Row)


@dataclass(frozen=True, kw_only=True)
class LongRunning(Purgeable[S]):
    """A resource that takes its time, and how its endpoints answer."""

    read: Callable[[Resources, str, str], Seen]
    """Sees it, by tenant and id; refused as `Purgeable.existing` does."""
    see: Callable[[Resources, S], Seen] | None = None
    """Sees it by its row, where that says all: then nothing is read after a commit."""
    cancel: Callable[[Unit, str], bool] = lambda _unit, _id: False
    """Asks for its end; False if it stays as it is."""
    cancel_more: Callable[[Resources, str], None] = lambda _parts, _id: None
    """Goes on with that after the commit, unless it has ended."""
    delete: Callable[[Unit, str], bool]
    """Deletes it with its keys; False if it is not there, or has not ended."""
    delete_more: Callable[[Resources, str], None] = lambda _parts, _id: None
    """Goes on with that after the commit."""

    def _seen(self, parts: Resources, tenant: str, row: S) -> Seen:
        return self.read(parts, tenant, row.id) if self.see is None else self.see(parts, row)

    async def answer_post(
        self,
        request: Request,
        ready: T | Made[S],
        store: Callable[[Resources, str, T], Made[S]],
        numbers: str,
        seconds: float,
    ) -> Response:
        """Store what is ready, and wait for its end if that is asked.

        Parameters
        ----------
        request
            Of the client. It says which tenant asks.
        ready
            What is to be stored, or what an earlier request has made.
        store
            Stores it, unless an earlier request has made it meanwhile.
        numbers
            ``exact``: numbers are strings; ``float``: the nearest doubles.
        seconds
            How long to wait at most.
        """
        parts, tenant = resources_of(request), tenant_of(request)
        if isinstance(ready, Made):
            made = ready
        else:
            made = await run_in_threadpool(store, parts, tenant, ready)
        if self.see is None:
            seen = await run_in_threadpool(self.read, parts, tenant, made.record.id)
        else:
            seen = self.see(parts, made.record)
        with place_if_any(request) if seconds else nullcontext(False) as place:
            seen, headers = await self._waited(request, seen, seconds, place=place)
        if self.see is None:
            document = await run_in_threadpool(seen.document, numbers)
        else:
            document = seen.document(numbers)
        headers["Location"] = f"{root_of(request.scope)}{document['links']['self']}"
        if made.replayed:
            headers["Idempotent-Replayed"] = "true"
        known = made.replayed or (seen.final and seconds > 0)
        return json_answer(document, 200 if known else 202, headers)

    async def answer_get(
        self, request: Request, resource_id: str, numbers: str, seconds: float
    ) -> Response:
        """Show it, as soon as it has ended or the time is over; 304 where that is known."""
        parts = resources_of(request)
        seen = await run_in_threadpool(self.read, parts, tenant_of(request), resource_id)
        with place_if_any(request) if seconds else nullcontext(False) as place:
            seen, headers = await self._waited(request, seen, seconds, place=place)

        def write() -> bytes:
            return to_json(seen.document(numbers))

        content = await run_in_threadpool(write) if self.see is None else write()
        headers["Cache-Control"] = ASK_AGAIN
        return conditional(request, content, weak_tag(content), headers)

    async def _waited(
        self, request: Request, seen: Seen, seconds: float, *, place: bool
    ) -> tuple[Seen, dict[str, str]]:
        waited = place or not seconds
        if place and not seen.final:
            await _wait_for_end(request, seen.awaited, seconds)
            parts = resources_of(request)
            seen = await run_in_threadpool(self.read, parts, tenant_of(request), seen.id)
        return seen, {} if seen.final else _retry_after(waited)

    def answer_cancel(self, request: Request, resource_id: str, numbers: str) -> Response:
        """Ask for its end, and show how it stands then."""
        parts, by = resources_of(request), identity_of(request)
        with parts.database.write(by.tenant) as unit:
            self._change(unit, by, resource_id, self.cancel, "cancelled")
            row = self.existing(unit, resource_id)
        seen = self._seen(parts, by.tenant, row)
        if not seen.final:
            self.cancel_more(parts, resource_id)
            seen = self._seen(parts, by.tenant, row)
        document = seen.document(numbers)
        return json_answer(document) if seen.final else json_answer(document, 202, _retry_after())

    def answer_delete(self, request: Request, resource_id: str) -> Response:
        """Delete it if it has ended; `Refusal` ``job_active`` and the like."""
        parts, by = resources_of(request), identity_of(request)
        with parts.database.write(by.tenant) as unit:
            if not self._change(unit, by, resource_id, self.delete, "deleted"):
                self.existing(unit, resource_id)
                detail = f"The {self.noun} has not ended. Cancel it first."
                raise Refusal(f"{self.noun}_active", detail)
        self.delete_more(parts, resource_id)
        return Response(status_code=204)

    def _change(
        self,
        unit: Unit,
        by: Identity,
        resource_id: str,
        change: Callable[[Unit, str], bool],
        done: str,
    ) -> bool:
        changed = is_id(self.prefix, resource_id) and change(unit, resource_id)
        if changed:
            unit.audit.write(by.tenant, by.actor, Action(f"{self.noun}.{done}"), resource_id)
        return changed

    def post_responses(
        self, made: str, model: str, validations: Sequence[str], *statuses: int
    ) -> Responses:
        """Document what `answer_post` answers.

        Parameters
        ----------
        made
            A sentence on what is made.
        model
            Name of the schema of the resource.
        validations
            Names of the schemas of what `validate_only` gives.
        *statuses
            More refusals.
        """
        place = {"Location": f"the {self.noun}"}
        again = {"Retry-After": "seconds until it is worth asking again"}
        known = (
            f"The {self.noun} as an earlier request has made it or, with `wait`, its end."
            " With `validate_only` what it would be."
        )
        return {
            202: answer(made, model, place | again),
            200: answer(known, (model, *validations), place | REPLAYED),
            **problems(*READS_BODY, *statuses, 410),
        }

    def get_responses(self, *models: str) -> Responses:
        """Document what `answer_get` answers: one of these models, or nothing new."""
        tag = {"ETag": f"weak: the {self.noun}'s version"}
        again = {"Retry-After": "while it has not ended"}
        same = f"The {self.noun} is still what `If-None-Match` names."
        return {
            200: answer(f"The {self.noun}.", models, tag | again),
            304: answer(same, None, tag),
            **problems(404, 410),
        }


async def _wait_for_end(request: Request, awaited: str, seconds: float) -> None:
    """Wait for as long as the client does; `Refusal` ``client_gone`` where it has gone."""
    end_turn(request)
    ended = asyncio.ensure_future(resources_of(request).watcher.ended(awaited, seconds))
    gone = asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait((ended, gone), return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            raise client_gone()
    finally:
        ended.cancel()
        gone.cancel()


def _retry_after(waited: bool = True) -> dict[str, str]:
    return {"Retry-After": str(SOON if waited else LATER)}
