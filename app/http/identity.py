"""Who asks: the one place that says whose rows a request sees, and what it may do."""

from dataclasses import dataclass

from fastapi import Request
from starlette.types import Scope as Connection

from app.db.models import LOCAL_TENANT
from app.db.scopes import Scope

_PLACE = "steadygrid.identity"


@dataclass(frozen=True)
class Identity:
    """A caller that may ask."""

    tenant: str
    scopes: frozenset[Scope]
    actor: str
    """For audit lines, such as ``key ab12cd34``."""


ANY_CALLER = Identity(LOCAL_TENANT, frozenset(Scope), "anybody")
"""Who asks a service without keys."""


def identify(connection: Connection, identity: Identity) -> None:
    """Say who asks, before any endpoint is reached.

    Parameters
    ----------
    connection
        The request.
    identity
        Who asks.
    """
    connection[_PLACE] = identity


def known(request: Request) -> Identity | None:
    """Give who asks, on pages that are open to every caller."""
    return request.scope.get(_PLACE)


def known_tenant(connection: Connection) -> str | None:
    """Give the tenant of a connection, if it is known who asks."""
    identity: Identity | None = connection.get(_PLACE)
    return None if identity is None else identity.tenant


def identity_of(request: Request) -> Identity:
    """Give who asks. What is open to every caller must not want to know."""
    identity: Identity = request.scope[_PLACE]
    return identity


def tenant_of(request: Request) -> str:
    """Give the tenant of a request."""
    return identity_of(request).tenant


def is_alone(identity: Identity) -> bool:
    """Say whether the caller has the service to itself: where no keys are asked for."""
    return identity == ANY_CALLER
