"""A span for each request, where there are traces."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.identity import known_tenant
from app.tracing import CURRENT, Tracing, fail

_UNTRACED = ("/livez", "/readyz", "/metrics", "/static/", "/docs")
_OWN_FAULT = 500


class TraceRequests:
    """Has a span for each request, but for those of probes and for files of pages.

    Parameters
    ----------
    app
        The application inside.
    tracing
        Makes the spans.
    """

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self._app = app
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"].startswith(_UNTRACED):
            await self._app(scope, receive, send)
            return
        parent = Headers(scope=scope).get("traceparent")
        span = self._tracing.start(scope["method"], parent, kind="server")
        token = CURRENT.set(self._tracing.traceparent(span))

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                span.set_attribute("http.response.status_code", status)
                if status >= _OWN_FAULT:
                    fail(span, str(status))
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            CURRENT.reset(token)
            route = getattr(scope.get("route"), "path", None)
            if route is not None:
                span.update_name(f"{scope['method']} {route}")
                span.set_attribute("http.route", route)
            span.set_attribute("http.request.method", scope["method"])
            tenant = known_tenant(scope)
            if tenant is not None:
                span.set_attribute("steadygrid.tenant", tenant)
            span.end()
