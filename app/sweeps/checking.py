"""From the body of ``POST /v1/sweeps`` to a plan; sync, for the thread pool."""

from collections.abc import Iterator
from typing import Any

from app.db.quotas import Quotas
from app.http.bodies import Body, read_json
from app.http.quotas import beyond, quotas_of, with_time_limit
from app.http.sources import Sources
from app.jobs.references import on_base, resolve_references
from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.studies.sweep import CheckedSweep, Plan, plan_sweep, read_sweep
from steadygrid.submissions.counts import most_entries
from steadygrid.submissions.submission import MAX_FAULTS

_TIME_LIMIT = ("options", "time_limit")


def check(parts: Sources, tenant: str, body: Body) -> CheckedSweep:
    """Read a request for a sweep, resolve and validate its template, and look at its values.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    body
        As it was sent.

    Raises
    ------
    Refusal
        ``malformed_json``.
    InstanceError, LimitError
        With pointers that walk the body as it was sent, references unresolved.
    """
    return check_document(parts, tenant, read_document(parts, body))


def read_document(parts: Sources, body: Body) -> Any:
    """Read a request for a sweep as JSON; `Refusal` ``malformed_json``.

    Parameters
    ----------
    parts
        The parts of the running application.
    body
        As it was sent.
    """
    return read_json(body, _most_entries(parts.settings.limits))


def check_document(parts: Sources, tenant: str, document: Any) -> CheckedSweep:
    """Do what `check` does, of JSON that has been read.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    document
        As JSON has it, references unresolved.
    """
    limits = parts.settings.limits
    with parts.database.read(tenant) as unit:
        quotas = quotas_of(parts.settings, unit.tenants.get(tenant))
    request = read_sweep(document, limits)

    def resolve(template: Any) -> tuple[Any, dict[str, str]]:
        try:
            whole = on_base(parts.database, tenant, template)
        except InstanceError as error:
            faults = (
                fault._replace(pointer=("template", *fault.pointer)) for fault in error.faults
            )
            raise InstanceError(faults=faults) from None
        return resolve_references(parts.database, tenant, with_time_limit(quotas, whole))

    checked = plan_sweep(request, limits, resolve)
    faults = list(_beyond(quotas, checked.plan))
    if faults:
        raise LimitError(faults=faults[:MAX_FAULTS])
    return checked


def _most_entries(limits: Limits) -> dict[Pointer, int]:
    return {("template", *place): most for place, most in most_entries(limits).items()}


def _beyond(quotas: Quotas, plan: Plan) -> Iterator[Fault]:
    """Find values that ask for more than the tenant may, and what the template asks for itself."""
    of_limits = [
        number
        for number, parameter in enumerate(plan.parameters)
        for target in parameter.targets
        for place in parameter.places(plan.template, target)
        if place in (_TIME_LIMIT[:1], _TIME_LIMIT)
    ]
    first = plan.facts(0)
    usual = 0.0 if of_limits else first.time_limit
    for fault in beyond(quotas, usual, first.priority):
        yield fault._replace(pointer=("template", *fault.pointer))
    for number in of_limits:
        stride = _stride(plan, number)
        for choice in range(len(plan.parameters[number].values)):
            facts = plan.facts(choice * stride)
            for fault in beyond(quotas, facts.time_limit, 0):
                yield fault._replace(pointer=("parameters", number, "values", choice))


def _stride(plan: Plan, number: int) -> int:
    """Give by how much the index of a job rises with a parameter's choice."""
    if plan.mode == "zip":
        return 1
    stride = 1
    for parameter in plan.parameters[number + 1 :]:
        stride *= len(parameter.values)
    return stride
