"""How much a tenant may have: what is beyond it is refused."""

from collections.abc import Iterator

from app.db.quotas import Quotas, TenantRecord
from app.db.tenants import AGAIN_SECONDS
from app.db.unit import Unit
from app.http.refusals import Refusal
from app.settings import Settings
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.problems.submission import Submission

RETRY_QUEUE_SECONDS = 10


def quotas_of(settings: Settings, tenant: TenantRecord | None) -> Quotas:
    """Say how much a tenant may have."""
    usual = Quotas.usual(settings)
    return usual if tenant is None else tenant.quotas(usual)


def check_asked(quotas: Quotas, submission: Submission) -> None:
    """Refuse a job that asks for more than its tenant may.

    Raises
    ------
    LimitError
        For a time limit or a priority, with its pointer.
    """
    faults = list(_beyond(quotas, submission))
    if faults:
        raise LimitError(faults=faults)


def _beyond(quotas: Quotas, submission: Submission) -> Iterator[Fault]:
    asked, most = submission.options.time_limit, quotas.time_limit
    if asked > most:
        detail = f"a time limit of {asked:g} s, and this tenant's jobs may take at most {most:g} s"
        yield Fault(("options", "time_limit"), "limit_exceeded", detail)
    if submission.priority > quotas.priority:
        detail = (
            f"priority {submission.priority}, and this tenant's jobs have at most {quotas.priority}"
        )
        yield Fault(("priority",), "limit_exceeded", detail)


def take_place(settings: Settings, unit: Unit) -> None:
    """Refuse a further job where too many are queued, before the unit adds one.

    Raises
    ------
    Refusal
        ``quota_exceeded`` where it is the tenant who has too much; where the whole service has
        too many jobs, ``queue_full`` if all are this tenant's, else
        ``temporary_reduced_capacity``.
    """
    most = check_stored(settings, unit).queued_jobs
    again = _after(RETRY_QUEUE_SECONDS)
    if most is not None:
        unit.tenants.take_turn(unit.tenant)
        if _queued(unit) >= most:
            said = f"At most {most:,} jobs of this tenant are queued at a time."
            raise Refusal("quota_exceeded", said, headers=again)
    if unit.queue.pending() >= settings.max_queued_jobs:
        said = f"{settings.max_queued_jobs:,} jobs are queued already."
        if _queued(unit) >= settings.max_queued_jobs:
            raise Refusal("queue_full", said, headers=again)
        raise Refusal("temporary_reduced_capacity", said, headers=again)


def _queued(unit: Unit) -> int:
    return unit.tenants.use(unit.tenant).queued


def check_stored(settings: Settings, unit: Unit) -> Quotas:
    """Refuse to store more for a tenant who had too much stored when that was last measured.

    Returns
    -------
    Quotas
        How much the tenant may have, who is there as long as the unit is.

    Raises
    ------
    Refusal
        ``quota_exceeded``; ``unauthorized`` where there is no such tenant any more.
    """
    found = unit.tenants.hold(unit.tenant)
    if found is None:
        gone = "There is no such tenant any more."
        raise Refusal("unauthorized", gone, headers={"WWW-Authenticate": "Bearer"})
    quotas = quotas_of(settings, found)
    most, stored = quotas.stored_bytes, None if found is None else found.measured_bytes
    if most is not None and stored is not None and stored > most:
        raise Refusal(
            "quota_exceeded",
            f"{stored:,} bytes of this tenant are stored, and at most {most:,} may be: delete jobs,"
            " platforms or applications. An hour later at the latest that is measured.",
            headers=_after(AGAIN_SECONDS),
        )
    return quotas


def _after(seconds: int) -> dict[str, str]:
    return {"Retry-After": str(seconds)}
