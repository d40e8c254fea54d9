"""How often a tenant may ask: counted before anything is done, and told in every answer."""

from collections.abc import Callable

from fastapi import Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.meter import Meter
from app.http.identity import identity_of
from app.http.long_poll import set_quota
from app.http.paths import own_path
from app.http.rate_fields import LEFT, Counted, rate_fields
from app.http.refusals import Refusal
from app.http.resources import resources_of


class Rates:
    """Refuse the requests of a tenant who asks too often, with 429; streams and waits count once.

    The answers to the others have ``RateLimit`` and ``RateLimit-Policy``, also for solver seconds.

    Parameters
    ----------
    app
        The application inside.
    meter
        Counts. Its creator closes it.
    is_free
        Whether a path may be asked for at any time.
    refuse
        Writes a refusal as a response to a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        meter: Meter,
        is_free: Callable[[str], bool],
        refuse: Callable[[Request, Refusal], Response],
    ) -> None:
        self._app = app
        self._meter = meter
        self._is_free = is_free
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or self._is_free(own_path(scope)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        tenant = identity_of(request).tenant
        counted = await self._meter.count(resources_of(request).database, tenant)
        seconds = self._meter.solver_seconds(tenant)
        set_quota(scope, self._meter.waiting_requests(tenant))
        if counted is not None and counted.left < 0:
            refusal = _too_often(counted)
            await self._refuse(request, refusal)(
                scope, receive, _add_fields(send, counted, seconds)
            )
        elif counted is None and seconds is None:
            await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, _add_fields(send, counted, seconds))


def _too_often(counted: Counted) -> Refusal:
    return Refusal(
        "quota_exceeded",
        f"This tenant may ask {counted.most:,} times a minute. Ask again in {counted.seconds} s.",
        headers={"Retry-After": str(counted.seconds)},
    )


def _add_fields(send: Send, requests: Counted | None, solver_seconds: Counted | None) -> Send:
    """Pass an answer on with what is left of the quotas; one that says it of seconds knows better."""

    async def send_told(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            known = [requests, None if LEFT in headers else solver_seconds]
            for name, text in rate_fields(one for one in known if one is not None).items():
                said = headers.get(name)
                headers[name] = text if said is None else f"{text}, {said}"
        await send(message)

    return send_told
