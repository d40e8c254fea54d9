"""How much a tenant may have: what is beyond it is refused."""

from collections.abc import Iterator

from app.db.quotas import Quotas, TenantRecord
from app.db.unit import Unit
from app.http.refusals import Refusal
from app.settings import Settings
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.problems.submission import Submission

RETRY_QUEUE_SECONDS = 10
RETRY_STORED_SECONDS = 3600


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
    """Refuse a further job where too many are queued; until the unit ends nobody else adds one.

    Raises
    ------
    Refusal
        ``quota_exceeded`` where it is the tenant who has too much; where the whole service has
        too many jobs, ``queue_full`` if all are this tenant's, else
        ``temporary_reduced_capacity``.
    """
    found = unit.tenants.lock(unit.tenant)
    quotas = quotas_of(settings, found)
    _check_stored(quotas, found)
    own = unit.tenants.use(unit.tenant).queued
    if quotas.queued_jobs is not None and own >= quotas.queued_jobs:
        raise _again_later(
            "quota_exceeded",
            f"At most {quotas.queued_jobs:,} jobs of this tenant are queued at a time.",
            RETRY_QUEUE_SECONDS,
        )
    most = settings.max_queued_jobs
    if unit.queue.pending() >= most:
        raise _again_later(
            "queue_full" if own >= most else "temporary_reduced_capacity",
            f"{most:,} jobs are queued already.",
            RETRY_QUEUE_SECONDS,
        )


def check_stored(settings: Settings, unit: Unit) -> None:
    """Refuse to store more for a tenant who had too much stored when that was last measured.

    Raises
    ------
    Refusal
        ``quota_exceeded``.
    """
    found = unit.tenants.get(unit.tenant)
    _check_stored(quotas_of(settings, found), found)


def _check_stored(quotas: Quotas, tenant: TenantRecord | None) -> None:
    most, stored = quotas.stored_bytes, None if tenant is None else tenant.measured_bytes
    if most is not None and stored is not None and stored > most:
        raise _again_later(
            "quota_exceeded",
            f"{stored:,} bytes of this tenant are stored, and at most {most:,} may be: delete jobs,"
            " platforms or applications. An hour later at the latest that is measured.",
            RETRY_STORED_SECONDS,
        )


def _again_later(code: str, detail: str, seconds: int) -> Refusal:
    return Refusal(code, detail, headers={"Retry-After": str(seconds)})
