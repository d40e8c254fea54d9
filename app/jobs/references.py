"""Stored platforms and applications that a body refers to by their ids."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from app.db.engine import Database
from app.db.unit import Unit
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.submissions.submission import stored_parts

_REFERENCE = re.compile(r"(plt|app)_[0-9a-f]{32}", re.ASCII)


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
    """
    problem = document.get("problem") if isinstance(document, dict) else None
    if not isinstance(problem, dict):
        return document, {}
    references = {
        name: problem[name]
        for name in stored_parts(str(problem.get("kind")))
        if isinstance(problem.get(name), str) and _REFERENCE.fullmatch(problem[name])
    }
    if not references:
        return document, {}
    with database.read(tenant) as unit:
        stored = {name: _documents(unit, name).document(key) for name, key in references.items()}
    found = {name: value for name, value in stored.items() if value is not None}
    resolved = {**document, "problem": {**problem, **found}}
    return resolved, {name: references[name] for name in found}


def _documents(unit: Unit, name: str) -> Any:
    return unit.platforms if name == "platform" else unit.applications


def at_references(
    error: InstanceError | LimitError, references: Collection[str]
) -> InstanceError | LimitError:
    """Cut pointers into resolved documents off at the reference: the rest was not sent.

    Parameters
    ----------
    error
        Its pointers walk the body with the documents in it.
    references
        Names of the members that are documents.
    """
    faults = [
        fault._replace(pointer=fault.pointer[:2])
        if fault.pointer[:1] == ("problem",)
        and fault.pointer[1:2]
        and fault.pointer[1] in references
        else fault
        for fault in error.faults
    ]
    return type(error)(faults=dict.fromkeys(faults))


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
        _documents(unit, name).use(document_id)
