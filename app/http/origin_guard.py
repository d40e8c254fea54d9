"""Who may ask: requests under a foreign name, and pages of other origins, are refused.

A browser sends to this service every request that any page tells it to. A page whose name was made
to lead to this machine (DNS rebinding) shows itself by its name in ``Host``, a page of another
origin by ``Origin``. Programs send no ``Origin``, and no cookie.
"""

from collections.abc import Callable, Sequence

from fastapi import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.http.authorities import (
    Authority,
    is_loopback,
    origin_of,
    read_authority,
    read_origin,
    same_place,
)
from app.http.refusals import Refusal
from app.settings import PREFIX, Settings

UNCHECKED = frozenset(("/livez", "/metrics", "/readyz"))
"""What probes and Prometheus ask by address, wherever `allowed_hosts` is set."""
READING = frozenset(("GET", "HEAD", "OPTIONS"))
_ANY = "*"


class OriginGuard:
    """Refuse a foreign ``Host`` with 421, and what a foreign page would change with 403.

    Without `allowed_hosts` the host is checked only where the connection's own address is a
    loopback one: there it has to be a name of the machine itself.

    Parameters
    ----------
    app
        The application inside.
    settings
        `allowed_hosts`, `public_url`, `cors_origins`.
    refuse
        Writes a refusal as a response.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, refuse: Callable[[Refusal], Response]
    ) -> None:
        self._app = app
        self._refuse = refuse
        self._public = origin_of(settings.public_url) if settings.public_url else None
        self._any_host = _ANY in settings.hosts
        self._hosts = {read_authority(one) for one in settings.hosts if one != _ANY}
        self._any_origin = _ANY in settings.origins
        self._origins = {read_origin(one) for one in settings.origins if one != _ANY}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await self._refuse(refusal)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Refusal | None:
        hosts = _values(scope, b"host")
        host = read_authority(hosts[0]) if len(hosts) == 1 else None
        if self._checks_host(scope) and not self._mine(host):
            return Refusal(
                "foreign_host",
                "This service does not go by the name that the request gives it. Its operator"
                f" names its hosts in {PREFIX}ALLOWED_HOSTS.",
            )
        if scope["method"] not in READING and not self._may_change(scope, host):
            return Refusal(
                "foreign_origin",
                "Pages of other origins may change nothing here. The operator of the service names"
                f" its own address in {PREFIX}PUBLIC_URL, and other origins in"
                f" {PREFIX}CORS_ORIGINS.",
            )
        return None

    def _checks_host(self, scope: Scope) -> bool:
        if self._any_host or self._hosts:
            return scope["path"] not in UNCHECKED
        server = scope.get("server")
        return server is not None and is_loopback(server[0])

    def _mine(self, host: Authority | None) -> bool:
        if host is None:
            return False
        if self._public is not None and host.host == self._public.host:
            return True
        if self._any_host or self._hosts:
            return self._any_host or host._replace(port=None) in self._hosts
        return host.local

    def _may_change(self, scope: Scope, host: Authority | None) -> bool:
        origins, cookie = _values(scope, b"origin"), bool(_values(scope, b"cookie"))
        if not origins:
            return not cookie
        origin = read_origin(origins[0]) if len(origins) == 1 else None
        if origin is None:
            return False
        if origin == self._public or (host is not None and same_place(origin, host)):
            return True
        return not cookie and (self._any_origin or origin in self._origins)


def _values(scope: Scope, name: bytes) -> Sequence[str]:
    return [value.decode("latin-1") for field, value in scope["headers"] if field == name]
