"""Stored platforms, applications and jobs that a body refers to by their ids."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from app.db.engine import Database
from app.db.packing import unpack
from app.db.unit import Unit
from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.forms import form_of
from steadygrid.submissions.submission import (
    ANSWERED_JOB,
    name_and_priority,
    refers_to_job,
    stored_parts,
)

_REFERENCE = re.compile(r"(plt|app|job)_[0-9a-f]{32}", re.ASCII)
BASE = "base"
"""The member of a body that names the job whose problem it takes."""
_LONGEST = 2**23
"""Bytes of the schedule of a job that is referred to, as they are stored."""


def on_base(database: Database, tenant: str, document: Any) -> Any:
    """Give a body the problem, the options and the rest of the job that it names as its base.

    What the body has itself goes before; of options, each by itself.

    Parameters
    ----------
    database
        Where jobs are stored.
    tenant
        Whose jobs.
    document
        The body as it was sent. It stays as it is.

    Raises
    ------
    InstanceError
        ``unknown_job``; ``problem_given`` where there is a problem besides it.
    """
    if not isinstance(document, dict) or BASE not in document:
        return document
    if "problem" in document:
        detail = "'base' takes the problem of that job: leave the problem out, and give 'changes'"
        raise InstanceError(faults=[Fault(("problem",), "problem_given", detail)])
    own = {name: value for name, value in document.items() if name != BASE}
    job_id = document[BASE]
    found = None
    if isinstance(job_id, str):
        with database.read(tenant) as unit:
            record, found = unit.jobs.get(job_id), unit.jobs.instance(job_id)
    if found is None or record is None:
        detail = "there is no such job: give the id of a job that is kept, or a problem"
        raise InstanceError(faults=[Fault((BASE,), "unknown_job", detail)])
    options = own.get("options", {})
    if isinstance(options, dict):
        own["options"] = {**found["options"], **options}
    return {**found, **name_and_priority(record.name, record.priority), **own}


def resolve_references(
    database: Database, tenant: str, document: Any
) -> tuple[Any, dict[str, str]]:
    """Replace the ids of stored documents by the documents; unknown ids stay.

    Gives the body, and by the names of the members of its problem the ids that were replaced.

    Parameters
    ----------
    database
        Where jobs are stored.
    tenant
        Whose documents.
    document
        The body as it was sent.

    Raises
    ------
    LimitError
        The schedule of a job that is referred to is too long to be copied.
    """
    problem = document.get("problem") if isinstance(document, dict) else None
    if not isinstance(problem, dict):
        return document, {}
    references = _named(problem)
    if not references:
        return document, {}
    with database.read(tenant) as unit:
        stored = {
            name: _documents(unit, name).document(key)
            for name, key in references.items()
            if name != ANSWERED_JOB
        }
        answer = _answer(unit, references.get(ANSWERED_JOB))
    found = {name: value for name, value in stored.items() if value is not None}
    resolved = {**document, "problem": {**problem, **found, **answer}}
    named = {*found, *([ANSWERED_JOB] if answer else [])}
    return resolved, {name: key for name, key in references.items() if name in named}


def names_only_stored(unit: Unit, document: Any) -> bool:
    """Whether all that a body names by its id is stored.

    Parameters
    ----------
    unit
        Of the tenant.
    document
        As it was accepted once.
    """
    if BASE in document:
        return unit.jobs.get(document[BASE]) is not None
    problem = document["problem"]
    for name, key in _named(problem).items():
        kept = unit.jobs.get(key) if name == ANSWERED_JOB else _documents(unit, name).get(key)
        if kept is None:
            return False
    return True


def _named(problem: Mapping[str, Any]) -> dict[str, str]:
    """Give the ids that members of a problem are, by the names of these."""
    kind = str(problem.get("kind"))
    return {
        name: problem[name]
        for name in (*stored_parts(kind), *([ANSWERED_JOB] if refers_to_job(kind) else []))
        if isinstance(problem.get(name), str) and _REFERENCE.fullmatch(problem[name])
    }


def _answer(unit: Unit, job_id: str | None) -> dict[str, Any]:
    """Copy what a job asked and was answered. Nothing of one that has not succeeded.

    Deleting that job later changes nothing for who refers to it.
    """
    record = None if job_id is None else unit.jobs.get(job_id)
    if record is None:
        return {}
    if record.schedule_id is not None:
        length = sum(unit.schedules.packed_bytes(record.schedule_id).values())
        if length > _LONGEST:
            detail = (
                f"its schedule is stored in {length:,} bytes, and at most {_LONGEST:,} are copied: ask"
                " for a shorter max_period"
            )
            raise LimitError(detail, [Fault(_AT_JOB, "limit_exceeded", detail)])
    stored = unit.jobs.stored_answer(record.id)
    if stored is None or stored.schedule is None:
        return {}
    header = stored.schedule.header
    parts: dict[str, list[Any]] = {name: [] for name in form_of(header).parts_in(header)}
    for chunk in stored.schedule.chunks:
        parts[chunk.part] += unpack(chunk.packed)
    return {
        "instance": unpack(stored.instance),
        "result": unpack(stored.result),
        "schedule": header | parts,
    }


_AT_JOB: Pointer = ("problem", ANSWERED_JOB)
_COPIED = ("instance", "result", "schedule")
"""Members of a problem that are copied of the job that it refers to."""


def _documents(unit: Unit, name: str) -> Any:
    return unit.platforms if name == "platform" else unit.applications


def at_references(
    error: InstanceError | LimitError, references: Collection[str]
) -> InstanceError | LimitError:
    """Cut pointers into resolved documents off at the reference, and say what the rest of them is.

    Parameters
    ----------
    error
        Its pointers walk the body with the documents in it.
    references
        Names of the members that are documents.
    """
    faults = (_at_reference(fault, references) for fault in error.faults)
    return type(error)(faults=dict.fromkeys(faults))


def _at_reference(fault: Fault, references: Collection[str]) -> Fault:
    if fault.pointer[:1] != ("problem",):
        return fault
    if BASE in references:
        return fault.moved((BASE,))
    reference, rest = fault.pointer[:2], fault.pointer[2:]
    member = str(reference[-1])
    if member in _COPIED and ANSWERED_JOB in references:
        return fault._replace(pointer=_AT_JOB)
    if member in references:
        return fault._replace(pointer=rest).moved(reference, f"stored {member}")
    return fault


def use_references(unit: Unit, references: Mapping[str, str]) -> None:
    """Note that stored documents have been used, in the unit that adds what refers to them.

    Parameters
    ----------
    unit
        In which the job is added.
    references
        Ids of documents, by the member that they stand for.
    """
    for name, document_id in references.items():
        if name != ANSWERED_JOB:
            _documents(unit, name).use(document_id)
