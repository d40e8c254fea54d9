"""Paths of requests: where a proxy has put the service, and as the service itself knows them."""

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from app.settings import Settings


def root_of(scope: Scope) -> str:
    """Give the path below which a proxy has put the service, without a slash at its end."""
    # A mounted application has the path of its mount in its own root_path.
    return str(scope.get("app_root_path", scope.get("root_path", ""))).rstrip("/")


def own_path(scope: Scope) -> str:
    """Give the path below the one where a proxy has put the service."""
    return str(scope["path"]).removeprefix(root_of(scope))


class PublicPath:
    """Serve below the path of `public_url`, which the proxy has taken off.

    Parameters
    ----------
    app
        The application inside.
    settings
        `public_url`.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._root = urlsplit(settings.public_url or "").path.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._root and scope["type"] == "http":
            # In place, so that what is around knows it too when it reports an error.
            scope["root_path"] = self._root
            scope["path"] = self._root + scope["path"]
        await self._app(scope, receive, send)
