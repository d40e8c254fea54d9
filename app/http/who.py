"""Who asks: the one place that says whose rows a request sees, and what it may do."""

from dataclasses import dataclass
from enum import StrEnum

from fastapi import Request
from starlette.types import Scope as Connection

from app.db.models import LOCAL_TENANT

_PLACE = "steadygrid.identity"


class Scope(StrEnum):
    """What a key may be allowed."""

    READ = "read"
    SUBMIT = "submit"
    ADMIN = "admin"


@dataclass(frozen=True)
class Identity:
    """Somebody who may ask."""

    tenant: str
    scopes: frozenset[Scope]
    actor: str
    """For audit lines, such as ``key ab12cd34``."""


EVERYBODY = Identity(LOCAL_TENANT, frozenset(Scope), "anybody")
"""Who asks a service without keys."""


def identify(connection: Connection, identity: Identity) -> None:
    """Say who asks, before any endpoint is reached."""
    connection[_PLACE] = identity


def identity_of(request: Request) -> Identity:
    """Give who asks; everybody is the same one where nobody was asked for a key."""
    identity: Identity = request.scope.get(_PLACE, EVERYBODY)
    return identity


def who(request: Request) -> str:
    """Give the tenant of a request."""
    return identity_of(request).tenant


def is_alone(tenant: str) -> bool:
    """Say whether a tenant shares the service with nobody: without keys there is no other."""
    return tenant == LOCAL_TENANT
