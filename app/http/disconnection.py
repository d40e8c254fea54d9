"""Clients that go away while they are waited on."""

from contextlib import suppress

from fastapi import Request

from app.http.refusals import Refusal


async def disconnected(request: Request) -> None:
    """Return when the client of a request whose body has been read has gone away."""
    # A client that cannot end the body of its GET is answered without waiting.
    with suppress(Refusal):
        while (await request.receive())["type"] != "http.disconnect":
            pass


def client_gone() -> Refusal:
    """Refuse what is no longer waited for.

    The answer reaches no client. Its status tells logs and metrics that the service is well.
    """
    return Refusal("client_gone", "The client has closed the connection before the answer.")
