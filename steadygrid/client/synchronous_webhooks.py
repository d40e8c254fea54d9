"""Webhooks of the service; made by `tests.client.sync_writer`."""

from collections.abc import Iterator, Sequence
from typing import Any

from steadygrid.client.synchronous_connection import Connection


class Webhooks:
    """Receivers that the service informs of what ends.

    What makes or sends something is not repeated after an answer that was lost: the error then has
    the code ``answer_lost``.
    """

    def __init__(self, client: Connection) -> None:
        self._client = client

    def add(self, url: str, events: Sequence[str]) -> dict[str, Any]:
        """Register a receiver, and give its webhook with the ``secret``, which is shown once.

        Parameters
        ----------
        url
            Of the receiver.
        events
            Such as ``job.succeeded``.

        Raises
        ------
        RefusedRequest
            Nothing may be sent to this address, or there are too many webhooks.
        ServiceUnavailable
            With the code ``answer_lost``: see `all` for a webhook whose secret you do not have.
        """
        made: dict[str, Any] = self._client.post_once(
            "/v1/webhooks", {"url": url, "events": events}
        )
        return made

    def all(self) -> Iterator[dict[str, Any]]:
        """Go through the webhooks, the newest first."""
        for one in self._client.items("/v1/webhooks", {}):
            yield one

    def get(self, webhook_id: str) -> dict[str, Any]:
        """Give a webhook, without its secret.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        """
        told: dict[str, Any] = self._client.get(_path(webhook_id))
        return told

    def change(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        events: Sequence[str] | None = None,
        enabled: bool | None = None,
    ) -> dict[str, Any]:
        """Change a webhook, and give it as it is then.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        url, events
            The new ones. None: as they are.
        enabled
            Whether it is sent anything. None: as it is.
        """
        asked = {"url": url, "events": events, "enabled": enabled}
        body = {name: value for name, value in asked.items() if value is not None}
        answer = self._client.request("PATCH", _path(webhook_id), json=body)
        told: dict[str, Any] = answer.json()
        return told

    def delete(self, webhook_id: str) -> None:
        """Delete a webhook, with what is yet to be delivered to it.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        """
        self._client.request("DELETE", _path(webhook_id))

    def rotate(self, webhook_id: str) -> dict[str, Any]:
        """Give a webhook a new ``secret``, which is shown once.

        For a day messages are signed with the former one, too.

        Parameters
        ----------
        webhook_id
            Of the webhook.

        Raises
        ------
        ServiceUnavailable
            With the code ``answer_lost``: rotate again within the day, and give the receiver the
            new secret at once, as messages are no longer signed with the one that it has.
        """
        told: dict[str, Any] = self._client.post_once(f"{_path(webhook_id)}/rotate")
        return told

    def test(self, webhook_id: str) -> dict[str, Any]:
        """Send a webhook a message of type ``webhook.test``, and give the delivery.

        Parameters
        ----------
        webhook_id
            Of the webhook.

        Raises
        ------
        ServiceUnavailable
            With the code ``answer_lost``: see `deliveries`.
        """
        told: dict[str, Any] = self._client.post_once(f"{_path(webhook_id)}/test")
        return told

    def deliveries(self, webhook_id: str, state: str | None = None) -> Iterator[dict[str, Any]]:
        """Go through what was sent to a webhook, and what is yet to be sent, the newest first.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        state
            Of the only ones to give, such as ``pending``. None: all.
        """
        for one in self._client.items(f"{_path(webhook_id)}/deliveries", {"state": state}):
            yield one

    def delivery(self, webhook_id: str, delivery_id: str) -> dict[str, Any]:
        """Give a delivery.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        delivery_id
            Of the delivery.
        """
        told: dict[str, Any] = self._client.get(f"{_path(webhook_id)}/deliveries/{delivery_id}")
        return told

    def redeliver(self, webhook_id: str, delivery_id: str) -> dict[str, Any]:
        """Send a delivery again, now, with the same message id.

        Parameters
        ----------
        webhook_id
            Of the webhook.
        delivery_id
            Of the delivery.

        Raises
        ------
        ServiceUnavailable
            With the code ``answer_lost``: see the ``attempts`` of the `delivery`.
        """
        told: dict[str, Any] = self._client.post_once(
            f"{_path(webhook_id)}/deliveries/{delivery_id}/redeliver"
        )
        return told


def _path(webhook_id: str) -> str:
    return f"/v1/webhooks/{webhook_id}"
