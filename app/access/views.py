"""Views of single jobs: a caller with the token of one reads that page, and nothing else."""

import hashlib
import re
import secrets
from datetime import datetime
from typing import NamedTuple

from starlette.types import Scope as Connection

from app.db.engine import Database
from app.db.unit import AllTenants
from app.db.views import ViewRecord
from app.http.paths import own_path
from app.http.refusals import Refusal

BELOW = "/view/"
"""The token stands behind it in an address."""
_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


class NewView(NamedTuple):
    """A view that has begun. Its token is reported once."""

    token: str
    expires_at: datetime

    @property
    def path(self) -> str:
        """Of its page."""
        return f"{BELOW}{self.token}"


def is_view(connection: Connection) -> bool:
    """Say whether a request asks for the page of a view."""
    return own_path(connection).startswith(BELOW)


def token_of(connection: Connection) -> str:
    """Give the token of such a request."""
    return own_path(connection).removeprefix(BELOW)


def begin(unit: AllTenants, tenant: str, job_id: str, seconds: int) -> NewView | None:
    """Begin a view. None if there is no such job.

    Parameters
    ----------
    tenant
        Whose job it is.
    job_id
        The job that it shows.
    seconds
        For which it is there.
    """
    token = secrets.token_urlsafe(_BYTES)
    end = unit.views.begin(_digest(token), tenant, job_id, seconds)
    return None if end is None else NewView(token, end)


def find(database: Database, token: str) -> ViewRecord | None:
    """Give what a view shows. None if it has ended, or never was.

    Parameters
    ----------
    database
        Where the service stores everything.
    token
        As the address has it.
    """
    if not _TOKEN.fullmatch(token):
        return None
    with database.read_all() as unit:
        return unit.views.find(_digest(token))


def ended() -> Refusal:
    """Refuse to show a view that there is not."""
    return Refusal("not_found", "This view has ended, or there has never been one here.")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
