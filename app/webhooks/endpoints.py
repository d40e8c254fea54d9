"""``/v1/webhooks``."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.db.webhook_tables import DeliveryState
from app.http.answers import json_answer
from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.identity import identity_of, tenant_of
from app.http.openapi import READS_BODY, answer, problems, reference, request_body
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_size
from app.http.paths import root_of
from app.http.resources import resources_of
from app.webhooks import service

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

_LONGEST = 2**14
"""Bytes of a request."""
_WebhookBody = Annotated[Body, Depends(body_reader([JSON], _LONGEST))]

_SECRET = {"Cache-Control": "no-store"}

OfState = Annotated[DeliveryState | None, Query(description="only those in this state")]


@router.post(
    "",
    status_code=201,
    openapi_extra=request_body({JSON: reference("WebhookRequest")}),
    responses={
        201: answer(
            "The webhook, with its secret.", "WebhookWithSecret", {"Location": "the webhook"}
        ),
        **problems(*READS_BODY, 409),
    },
)
async def create_webhook(request: Request, body: _WebhookBody) -> Response:
    """Register a receiver for what ends. Its secret is shown once.

    It hears of jobs and sweeps that are submitted from now on.
    """
    parts = resources_of(request)
    asked = await process_body(request, body, service.read_new)
    await service.check_receiver(parts.settings.receivers, tenant_of(request), asked.url)
    document = await run_in_threadpool(service.create, parts, identity_of(request), asked)
    headers = {"Location": root_of(request.scope) + document["links"]["self"]} | _SECRET
    return json_answer(document, 201, headers)


@router.get(
    "",
    responses={200: answer("A page of webhooks, the newest first.", "WebhookPage"), **problems()},
)
def list_webhooks(
    request: Request, limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None
) -> Response:
    """List webhooks, the newest first."""
    page = service.listed(resources_of(request), tenant_of(request), page_size(limit), page_token)
    items = [service.webhook_document(one) for one in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get(
    "/{webhook_id}",
    responses={200: answer("The webhook, without its secret.", "Webhook"), **problems(404)},
)
def get_webhook(request: Request, webhook_id: str) -> Response:
    """Give a webhook."""
    return json_answer(service.shown(resources_of(request), tenant_of(request), webhook_id))


@router.patch(
    "/{webhook_id}",
    openapi_extra=request_body({JSON: reference("WebhookChange")}),
    responses={
        200: answer("The webhook as it is now.", "Webhook"),
        **problems(*READS_BODY, 404),
    },
)
async def change_webhook(request: Request, webhook_id: str, body: _WebhookBody) -> Response:
    """Change the address, the events, or whether the webhook is enabled."""
    parts, by = resources_of(request), identity_of(request)
    asked = await process_body(request, body, service.read_change)
    await run_in_threadpool(service.shown, parts, by.tenant, webhook_id)
    if "url" in asked.model_fields_set:
        await service.check_receiver(parts.settings.receivers, by.tenant, asked.url)
    return json_answer(await run_in_threadpool(service.change, parts, by, webhook_id, asked))


@router.delete(
    "/{webhook_id}",
    status_code=204,
    responses={204: answer("The webhook is gone."), **problems(404)},
)
def delete_webhook(request: Request, webhook_id: str) -> Response:
    """Delete a webhook with what is yet to be delivered to it."""
    service.forget(resources_of(request), identity_of(request), webhook_id)
    return Response(status_code=204)


@router.post(
    "/{webhook_id}/rotate",
    responses={
        200: answer("The webhook, with its new secret.", "WebhookWithSecret"),
        **problems(404),
    },
)
def rotate_webhook(request: Request, webhook_id: str) -> Response:
    """Give a webhook a new secret; for a day messages are signed with the former one, too."""
    document = service.rotate(resources_of(request), identity_of(request), webhook_id)
    return json_answer(document, headers=_SECRET)


@router.post(
    "/{webhook_id}/test",
    status_code=202,
    responses={202: answer("The delivery.", "Delivery"), **problems(404, 409)},
)
def test_webhook(request: Request, webhook_id: str) -> Response:
    """Send a webhook a message of type `webhook.test`."""
    document = service.test(resources_of(request), tenant_of(request), webhook_id)
    return json_answer(document, 202)


@router.get(
    "/{webhook_id}/deliveries",
    responses={
        200: answer("A page of deliveries, the newest first.", "DeliveryPage"),
        **problems(404),
    },
)
def list_deliveries(
    request: Request,
    webhook_id: str,
    state: OfState = None,
    limit: Limit = DEFAULT_LIMIT,
    page_token: PageToken = None,
) -> Response:
    """List what was sent to a webhook, and what is yet to be sent, the newest first."""
    page = service.deliveries(
        resources_of(request),
        tenant_of(request),
        webhook_id,
        page_size(limit),
        page_token,
        state,
    )
    items = [service.delivery_document(one) for one in page.items]
    return json_answer(page_document(items, page.next_token))


@router.get(
    "/{webhook_id}/deliveries/{delivery_id}",
    responses={200: answer("The delivery.", "Delivery"), **problems(404)},
)
def get_delivery(request: Request, webhook_id: str, delivery_id: str) -> Response:
    """Give a delivery."""
    parts, tenant = resources_of(request), tenant_of(request)
    return json_answer(service.shown_delivery(parts, tenant, webhook_id, delivery_id))


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/redeliver",
    status_code=202,
    responses={
        202: answer("The delivery, which is pending again.", "Delivery"),
        **problems(404, 409),
    },
)
def repeat_delivery(request: Request, webhook_id: str, delivery_id: str) -> Response:
    """Send a delivery again, now, with the same message id."""
    parts, tenant = resources_of(request), tenant_of(request)
    return json_answer(service.redeliver(parts, tenant, webhook_id, delivery_id), 202)
