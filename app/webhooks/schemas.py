"""Webhooks as they are asked for, and as answers."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from app.db.announcements import EventType
from app.db.webhook_tables import DeliveryState, Disabled
from app.jobs.schemas import Answer
from app.receivers import LONGEST_URL
from steadygrid.domain.text import Frozen

Url = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_URL,
        description="where the receiver is, such as https://hooks.example.org/steadygrid",
    ),
]
Events = Annotated[
    tuple[Annotated[EventType, Field(strict=False)], ...],
    Field(strict=False, min_length=1, max_length=len(EventType), description="what it hears of"),
]


class WebhookRequest(Frozen):
    """The body of ``POST /v1/webhooks``."""

    url: Url
    events: Events


class WebhookChange(Frozen):
    """The body of ``PATCH /v1/webhooks/{webhook_id}``: what is left out stays as it is."""

    url: Url = Field(default_factory=str)
    events: Events = Field(default_factory=tuple)
    enabled: bool = Field(default_factory=bool, description="false: it is sent nothing for now")


class WebhookLinks(Answer):
    """Where the rest of a webhook is."""

    self: str
    deliveries: str
    test: str
    rotate: str


class Webhook(Answer):
    """A receiver that hears of what has ended."""

    id: str
    url: str
    events: list[EventType]
    enabled: bool
    disabled: Disabled | None = Field(
        description="why it is not enabled: `gone` if its receiver has answered 410"
    )
    former_secret_until: datetime | None = Field(
        description="until then messages are signed with the former secret, too"
    )
    created_at: datetime
    links: WebhookLinks


class WebhookWithSecret(Webhook):
    """A webhook with the secret that signs. It is shown here and never again."""

    secret: str = Field(description="`whsec_` and the key in base64")


class WebhookPage(Answer):
    """Some webhooks, the newest first."""

    items: list[Webhook]
    next_page_token: str | None


class DeliveryLinks(Answer):
    """Where the rest of a delivery is."""

    self: str
    webhook: str
    redeliver: str
    subject: str | None = Field(description="what has ended; null for a test")


class Delivery(Answer):
    """One message to one webhook."""

    id: str
    message: str = Field(description="the field `webhook-id`, the same at every attempt")
    event: str
    state: DeliveryState
    attempts: int
    status: int | None = Field(description="of the last answer")
    error: str | None = Field(description="why the last attempt failed")
    payload: str = Field(description="what is sent, to the byte")
    created_at: datetime
    tried_at: datetime | None
    due_at: datetime | None = Field(description="when it is tried next, while it is pending")
    finished_at: datetime | None
    links: DeliveryLinks


class DeliveryPage(Answer):
    """Some deliveries, the newest first."""

    items: list[Delivery]
    next_page_token: str | None
