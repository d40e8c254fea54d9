"""Paths of requests as the service knows them."""

from starlette.types import Scope


def own_path(scope: Scope) -> str:
    """Give the path below the one where a proxy has put the service."""
    return str(scope["path"]).removeprefix(scope.get("root_path", "").rstrip("/"))
