"""Stored platforms in foreign formats; sync, for the thread pool."""

from app.db.packing import unpack
from app.http import stored
from app.http.refusals import Refusal, RefusedPart
from app.http.resources import Resources
from app.platforms.service import SHELF
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.platform import Platform
from steadygrid.submissions.exports import write_platform


def export(parts: Resources, tenant: str, platform_id: str, format_name: str) -> str:
    """Write a stored platform in a foreign format.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    platform_id
        Of the platform.
    format_name
        One of `PLATFORM_FORMATS`.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` for an unknown format, or a platform that has what the
        format cannot say; ``limit_exceeded`` for one with too many routes.
    """
    document = unpack(stored.packed(parts, tenant, SHELF, platform_id))
    try:
        return write_platform(format_name, Platform.model_validate(document)).text
    except (InstanceError, LimitError) as error:
        refused = [
            RefusedPart(parameter="format", code=f.code, detail=f.detail) for f in error.faults
        ]
        detail = "The platform is not exported: " + "; ".join(part.detail for part in refused)
        raise Refusal(error.code, detail, errors=refused) from None
