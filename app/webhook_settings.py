"""The settings of webhooks."""

from pydantic import BaseModel, Field, field_validator

from app.receivers import AllowedReceiver, Rules
from steadygrid.domain.limits import Count


class WebhookSettings(BaseModel):
    """Where webhooks may be sent, by whom, and for how long that is remembered."""

    webhook_http: bool = Field(False, description="whether webhooks may have addresses without TLS")
    webhook_receivers: str = Field(
        "",
        description="receivers of webhooks on networks that are not public, or at other ports than 443:"
        " name=network or name:port=network, separated by commas",
    )
    webhook_days: Count = Field(
        30, description="days for which it is kept what was sent to webhooks"
    )
    tenant_webhooks: Count = Field(20, description="webhooks that one tenant may have")
    worker_senders: bool = Field(
        True,
        description="whether each worker starts a process that sends webhooks; false where `steadygrid"
        " sender` does",
    )

    @field_validator("webhook_receivers")
    @classmethod
    def _receivers_only(cls, value: str) -> str:
        for receiver in listed(value):
            AllowedReceiver.read(receiver)
        return value

    @property
    def receivers(self) -> Rules:
        """Where webhooks may be sent: `webhook_http` and `webhook_receivers`."""
        allowed = [AllowedReceiver.read(one) for one in listed(self.webhook_receivers)]
        return Rules(self.webhook_http, allowed)


def listed(value: str) -> list[str]:
    """Read what is separated by commas."""
    return [part for part in (piece.strip() for piece in value.split(",")) if part]
