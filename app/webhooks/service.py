"""What can be done with webhooks; sync, for the thread pool, but for the look at a receiver."""

import asyncio
import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from app.db.announcements import OF_DELIVERIES, TEST
from app.db.audit import Action
from app.db.ids import is_id, new_id
from app.db.pages import Page
from app.db.unit import Unit
from app.db.webhook_tables import DeliveryState, Disabled
from app.db.webhooks import OF_WEBHOOKS, SECRET_PREFIX, DeliveryRecord, WebhookRecord
from app.http.answers import moment
from app.http.bodies import Body, read_json
from app.http.fair_places import FairPlaces, NoPlaceError
from app.http.idempotency import Read, Reading, make_once, read_once
from app.http.identity import Identity
from app.http.long_running import Made, Purgeable
from app.http.pages import page_token_checked
from app.http.refusals import Refusal, refused_pointers
from app.http.resources import Resources
from app.http.sources import Sources
from app.receivers import Receiver, ReceiverError, Rules, SystemResolver
from app.webhooks.schemas import WebhookChange, WebhookRequest
from steadygrid.domain.errors import Fault
from steadygrid.submissions.submission import parse_model

SECRET_BYTES = 32
MOST_TESTS = 5
"""Tests of one webhook that are yet to be sent."""
LOOK_SECONDS = 5.0
"""For the name of a receiver, when it is chosen."""
_LOOKS_AT_A_TIME, _LOOKS_WAITING = 8, 64
resolve = SystemResolver(_LOOKS_AT_A_TIME)
_places = FairPlaces(_LOOKS_AT_A_TIME, shared=True, waiting=_LOOKS_WAITING)
_COLLECTIONS = {"job_": "jobs", "swp_": "sweeps", "rpl_": "replans"}


@dataclass(frozen=True)
class _Webhooks(Purgeable[WebhookRecord]):
    def purged_with_key(self) -> Refusal:
        """Say that it was deleted at the very moment; its key is free again."""
        return Refusal(
            "not_found", "The webhook of this Idempotency-Key was deleted in the meantime."
        )


WEBHOOKS = _Webhooks(
    noun="webhook", prefix=OF_WEBHOOKS, find=lambda unit, webhook_id: unit.webhooks.get(webhook_id)
)


def read_new(
    parts: Sources, tenant: str, body: Body, key: str | None
) -> Read[WebhookRequest] | Made[WebhookRecord]:
    """Read the body of a new webhook, unless its key has made one already.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.
    key
        The idempotency key; None: there is none.

    Raises
    ------
    InstanceError, Refusal
        With every fault; see `read_once` for keys.
    """
    reading = Reading(
        "webhook",
        lambda: read_json(body, {}),
        partial(parse_model, WebhookRequest),
        lambda asked: {"url": asked.url, "events": _ordered(asked.events)},
    )
    return read_once(parts, tenant, WEBHOOKS, key, reading)


def read_change(_parts: Sources, _tenant: str, body: Body) -> WebhookChange:
    """Read what is to be changed of a webhook; `InstanceError` with every fault."""
    return parse_model(WebhookChange, read_json(body, {}))


async def check_receiver(rules: Rules, tenant: str, url: str) -> None:
    """Refuse an address where nothing may be sent, as far as can be told now.

    Parameters
    ----------
    rules
        Of the operator.
    tenant
        Who asks.
    url
        As it was sent.

    Raises
    ------
    Refusal
        ``invalid_request``, with a pointer to the address; ``unavailable`` if too many names are being
        looked up.
    """
    try:
        receiver = rules.read(url)
        rules.judge(receiver, await _addresses(receiver, tenant))
    except ReceiverError as error:
        raise Refusal(
            "invalid_request",
            f"Nothing can be sent to this address: {error.detail}.",
            errors=refused_pointers([Fault(("url",), error.code, error.detail)]),
        ) from None


async def _addresses(receiver: Receiver, tenant: str) -> Sequence[str]:
    """Look up a name. No time limit ends a look, so its place is taken until it has ended."""
    try:
        await _places.wait(tenant, LOOK_SECONDS)
    except NoPlaceError:
        raise Refusal(
            "unavailable",
            "Too many names of receivers are being looked up. Send the request again.",
            headers={"Retry-After": f"{LOOK_SECONDS:.0f}"},
        ) from None
    look = asyncio.ensure_future(resolve(receiver.host, receiver.port))
    look.add_done_callback(partial(_end_look, tenant))
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await asyncio.shield(look)
    except (OSError, TimeoutError):
        return ()


def _end_look(tenant: str, look: asyncio.Future[Sequence[str]]) -> None:
    _places.leave(tenant)
    if not look.cancelled():
        look.exception()  # else asyncio would report it where the request is gone


class Shown(NamedTuple):
    """A webhook with its secret, as the request is answered that makes it."""

    document: dict[str, Any]
    replayed: bool
    """Whether an earlier request has made it."""


def create(
    parts: Resources, by: Identity, ready: Read[WebhookRequest] | Made[WebhookRecord]
) -> Shown:
    """Store a webhook whose address has been checked, unless its key has made one.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks; the audit line names them.
    ready
        The request, or what an earlier one has made.

    Raises
    ------
    Refusal
        ``webhooks_too_many``; see `make_once` for keys.
    """
    made = ready if isinstance(ready, Made) else _stored(parts, by, ready)
    with parts.database.read(by.tenant) as unit:
        # Who repeats the request has not seen the answer with the secret.
        record = _existing(unit, made.record.id)
        document = webhook_document(record) | {"secret": unit.webhooks.secret(record.id)}
    return Shown(document, made.replayed)


def _stored(parts: Resources, by: Identity, ready: Read[WebhookRequest]) -> Made[WebhookRecord]:
    webhook_id, asked, most = new_id(OF_WEBHOOKS), ready.checked, parts.settings.tenant_webhooks

    def add(unit: Unit) -> None:
        unit.tenants.take_turn(by.tenant)
        if unit.webhooks.count() >= most:
            raise Refusal(
                "webhooks_too_many",
                f"There are {most:,} webhooks, and no more may be: delete one, or let one listen to"
                " more.",
            )
        unit.webhooks.add(webhook_id, asked.url, _ordered(asked.events), _new_secret())
        _write_line(unit, by, Action.WEBHOOK_CREATED, webhook_id)

    return make_once(parts, by.tenant, WEBHOOKS, ready.asked, webhook_id, add)


def listed(parts: Resources, tenant: str, limit: int, token: str | None) -> Page[WebhookRecord]:
    """List webhooks, the newest first; `Refusal` for a wrong page token.

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
        return unit.webhooks.page(limit, token)


def shown(parts: Resources, tenant: str, webhook_id: str) -> dict[str, Any]:
    """Give a webhook; `Refusal` ``not_found``."""
    with parts.database.read(tenant) as unit:
        return webhook_document(_existing(unit, webhook_id))


def change(parts: Resources, by: Identity, webhook_id: str, asked: WebhookChange) -> dict[str, Any]:
    """Change a webhook, whose new address has been checked; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks. The audit line names them.
    webhook_id
        Of the webhook.
    asked
        The request.
    """
    changes: dict[str, Any] = {}
    given = asked.model_fields_set
    if "url" in given:
        changes["url"] = asked.url
    if "events" in given:
        changes["events"] = _ordered(asked.events)
    if "enabled" in given:
        changes["disabled"] = None if asked.enabled else Disabled.OWNER.value
    with parts.database.write(by.tenant) as unit:
        _existing(unit, webhook_id)
        if changes:
            unit.webhooks.change(webhook_id, changes)
            _write_line(unit, by, Action.WEBHOOK_CHANGED, webhook_id)
        return webhook_document(_existing(unit, webhook_id))


def rotate(parts: Resources, by: Identity, webhook_id: str) -> dict[str, Any]:
    """Give a webhook a new secret, and show it; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks. The audit line names them.
    webhook_id
        Of the webhook.
    """
    secret = _new_secret()
    with parts.database.write(by.tenant) as unit:
        _existing(unit, webhook_id)
        unit.webhooks.rotate(webhook_id, secret)
        _write_line(unit, by, Action.WEBHOOK_ROTATED, webhook_id)
        return webhook_document(_existing(unit, webhook_id)) | {"secret": secret}


def forget(parts: Resources, by: Identity, webhook_id: str) -> None:
    """Delete a webhook with all deliveries to it and its key; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks. The audit line names them.
    webhook_id
        Of the webhook.
    """
    with parts.database.write(by.tenant) as unit:
        _existing(unit, webhook_id)
        unit.webhooks.delete(webhook_id)
        unit.idempotency.let_go(webhook_id)
        _write_line(unit, by, Action.WEBHOOK_DELETED, webhook_id)


def test(parts: Resources, tenant: str, webhook_id: str) -> dict[str, Any]:
    """Ask for a message that is a trial.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    webhook_id
        Of the webhook.

    Raises
    ------
    Refusal
        ``not_found``, ``webhook_disabled``, ``tests_too_many``.
    """
    with parts.database.write(tenant) as unit:
        _enabled(unit, webhook_id)
        delivery_id = unit.webhooks.test(webhook_id, MOST_TESTS)
        if delivery_id is None:
            raise Refusal(
                "tests_too_many",
                f"{MOST_TESTS} tests of this webhook are yet to be sent: see its deliveries.",
            )
        return delivery_document(_delivery(unit, webhook_id, delivery_id))


def deliveries(
    parts: Resources,
    tenant: str,
    webhook_id: str,
    limit: int,
    token: str | None,
    state: DeliveryState | None,
) -> Page[DeliveryRecord]:
    """List what is delivered to a webhook, the newest first; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    webhook_id
        Of the webhook.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    state
        Only those in this state. None: all.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        _existing(unit, webhook_id)
        return unit.webhooks.deliveries(webhook_id, limit, token, state)


def shown_delivery(
    parts: Resources, tenant: str, webhook_id: str, delivery_id: str
) -> dict[str, Any]:
    """Give a delivery; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    webhook_id
        Of the webhook.
    delivery_id
        Of the delivery.
    """
    with parts.database.read(tenant) as unit:
        _existing(unit, webhook_id)
        return delivery_document(_delivery(unit, webhook_id, delivery_id))


def redeliver(parts: Resources, tenant: str, webhook_id: str, delivery_id: str) -> dict[str, Any]:
    """Let a delivery be sent again, with the same message id; `Refusal` ``webhook_disabled``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    webhook_id
        Of the webhook.
    delivery_id
        Of the delivery.
    """
    with parts.database.write(tenant) as unit:
        _enabled(unit, webhook_id)
        _delivery(unit, webhook_id, delivery_id)
        unit.webhooks.redeliver(webhook_id, delivery_id)
        return delivery_document(_delivery(unit, webhook_id, delivery_id))


def webhook_document(record: WebhookRecord) -> dict[str, Any]:
    """Write a webhook, without its secret."""
    place = _place(record.id)
    return {
        "id": record.id,
        "url": record.url,
        "events": record.events,
        "enabled": record.disabled is None,
        "disabled": record.disabled,
        "former_secret_until": moment(record.former_until),
        "created_at": moment(record.created_at),
        "links": {"self": place}
        | {name: f"{place}/{name}" for name in ("deliveries", "test", "rotate")},
    }


def delivery_document(record: DeliveryRecord) -> dict[str, Any]:
    """Write a delivery."""
    webhook = _place(record.webhook_id)
    place = f"{webhook}/deliveries/{record.id}"
    pending = record.state is DeliveryState.PENDING
    return {
        "id": record.id,
        "message": record.message,
        "event": record.event,
        "state": record.state,
        "attempts": record.attempt,
        "status": record.status,
        "error": record.error,
        "payload": record.payload,
        "created_at": moment(record.created_at),
        "tried_at": moment(record.tried_at),
        "due_at": moment(record.due_at) if pending else None,
        "finished_at": moment(record.finished_at),
        "links": {
            "self": place,
            "webhook": webhook,
            "redeliver": f"{place}/redeliver",
            "subject": _subject(record),
        },
    }


def _subject(record: DeliveryRecord) -> str | None:
    if record.event == TEST:
        return None
    return f"/v1/{_COLLECTIONS[record.subject[:4]]}/{record.subject}"


def _place(webhook_id: str) -> str:
    return f"/v1/webhooks/{webhook_id}"


def _new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def _ordered(events: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(str(event) for event in events))


def _existing(unit: Unit, webhook_id: str) -> WebhookRecord:
    found = unit.webhooks.get(webhook_id) if is_id(OF_WEBHOOKS, webhook_id) else None
    if found is None:
        raise Refusal("not_found", "There is no such webhook.")
    return found


def _enabled(unit: Unit, webhook_id: str) -> None:
    if _existing(unit, webhook_id).disabled is not None:
        raise Refusal(
            "webhook_disabled",
            'The webhook is not enabled: send {"enabled": true} with PATCH first.',
        )


def _delivery(unit: Unit, webhook_id: str, delivery_id: str) -> DeliveryRecord:
    known = is_id(OF_DELIVERIES, delivery_id)
    found = unit.webhooks.delivery(webhook_id, delivery_id) if known else None
    if found is None:
        raise Refusal("not_found", "There is no such delivery.")
    return found


def _write_line(unit: Unit, by: Identity, action: Action, webhook_id: str) -> None:
    unit.audit.write(by.tenant, by.actor, action, webhook_id)
