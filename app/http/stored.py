"""Stored documents, named by a hash of their content: what platforms and applications share."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import BaseModel

from app.db.audit import Action
from app.db.documents import DocumentRecord, DocumentRepository
from app.db.ids import is_id
from app.db.packing import pack
from app.db.pages import Page
from app.db.unit import Unit
from app.http.answers import moment
from app.http.bodies import JSON, Body, read_json
from app.http.identity import Identity
from app.http.pages import page_token_checked
from app.http.pictures import pictures_installed
from app.http.quotas import check_stored
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources
from app.http.sources import Sources
from steadygrid.domain.document import content_id
from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.formats import IMPORTERS, Importer, Noun
from steadygrid.submissions.submission import MAX_FAULTS, parse_model


@dataclass(frozen=True)
class Shelf:
    """Where the documents of one noun are kept, and what must hold of them."""

    noun: Noun
    path: str
    prefix: str
    """Of the ids."""
    model: type[BaseModel]
    faults: Callable[[Any, Pointer], Iterable[Fault]]
    most: Mapping[str, str]
    """The limit (a name in `Limits`) of each list of the document."""
    repository: Callable[[Unit], DocumentRepository]
    """It can be pickled, as all of a shelf."""
    drawn: bool = False
    """Whether there are pictures of them."""

    @property
    def importers(self) -> dict[str, Importer]:
        """The foreign formats that can be posted, by content type."""
        return {
            content_type: importer
            for (noun, content_type), importer in IMPORTERS.items()
            if noun == self.noun
        }

    @property
    def content_types(self) -> list[str]:
        """All that can be posted."""
        return [JSON, *self.importers]

    def most_entries(self, limits: Limits) -> dict[Pointer, int]:
        """Give the limit of each list."""
        return {(part,): getattr(limits, limit) for part, limit in self.most.items()}

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """The query parameters of the foreign formats, as OpenAPI describes them."""
        said: dict[str, dict[str, list[str]]] = {}
        for importer in self.importers.values():
            for name, text in importer.parameters.items():
                said.setdefault(name, {}).setdefault(text, []).append(importer.content_type)
        return [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": "; ".join(
                    f"{', '.join(content_types)} only: {text}"
                    for text, content_types in texts.items()
                ),
                "schema": {"type": "string"},
            }
            for name, texts in said.items()
        ]


class PostedDocument(NamedTuple):
    """A document that was posted."""

    document: dict[str, Any]
    """Its record, as a JSON object."""
    created: bool


class ReadyDocument(NamedTuple):
    """A document ready to be stored."""

    id: str
    packed: bytes
    summary: dict[str, Any]
    warnings: tuple[str, ...]


def read(
    parts: Sources, _tenant: str, body: Body, shelf: Shelf, parameters: Mapping[str, str]
) -> ReadyDocument:
    """Read a document, steadygrid's or in a foreign format.

    Parameters
    ----------
    parts
        The parts of the running application.
    body
        As it was sent.
    shelf
        Where documents of this noun are kept.
    parameters
        What the format cannot say. The keys are those of the importer.

    Raises
    ------
    Refusal
        ``malformed_json``, ``invalid_request`` for a parameter of another format.
    InstanceError, LimitError
        With every fault found.
    """
    limits = parts.settings.limits
    importer = shelf.importers.get(body.content_type)
    allowed = importer.parameters if importer is not None else ()
    for name in parameters:
        if name not in allowed:
            raise refused_parameter(
                name, "unknown_parameter", f"{body.content_type} does not have it"
            )
    warnings: tuple[str, ...] = ()
    if importer is None:
        model = _read(shelf, read_json(body, shelf.most_entries(limits)), limits)
    else:
        model, warnings = importer.read(bytes(body.content), parameters, limits)
    document = model.model_dump(mode="json", exclude_none=True)
    summary = {
        "name": document.get("name"),
        "counts": {part: len(document[part]) for part in shelf.most},
        "warnings": list(warnings),
    }
    return ReadyDocument(content_id(shelf.prefix, document), pack(document), summary, warnings)


def keep(parts: Resources, tenant: str, shelf: Shelf, ready: ReadyDocument) -> PostedDocument:
    """Store a document; `Refusal` ``quota_exceeded``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    shelf
        Where documents of this noun are kept.
    ready
        The document, ready to be stored.
    """
    with parts.database.write(tenant) as unit:
        repository = shelf.repository(unit)
        there = repository.get(ready.id) is not None
        check_stored(parts.settings, unit, 0 if there else len(ready.packed))
        created = repository.store(ready.id, ready.packed, ready.summary)
        record = repository.get(ready.id)
    if record is None:
        raise _missing_document(shelf)
    return PostedDocument(_record(shelf, record) | {"warnings": list(ready.warnings)}, created)


def _read(shelf: Shelf, document: Any, limits: Limits) -> Any:
    for part, limit in shelf.most.items():
        listed = document.get(part) if isinstance(document, dict) else None
        most = getattr(limits, limit)
        if isinstance(listed, list) and len(listed) > most:
            detail = f"{len(listed):,} {part}, and at most {most:,} are accepted"
            raise LimitError(detail, [Fault((part,), "limit_exceeded", detail)])
    model = parse_model(shelf.model, document)
    faults: list[Fault] = []
    for fault in shelf.faults(model, ()):
        faults.append(fault)
        if len(faults) == MAX_FAULTS:
            break
    if faults:
        raise InstanceError(faults=faults)
    return model


def _record(shelf: Shelf, record: DocumentRecord) -> dict[str, Any]:
    links = {"self": f"{shelf.path}/{record.id}"}
    if shelf.drawn and pictures_installed():
        links["pictures"] = f"{links['self']}/pictures"
    return {
        "id": record.id,
        **record.summary,
        "created_at": moment(record.created_at),
        "links": links,
    }


def show_document(parts: Resources, tenant: str, shelf: Shelf, document_id: str) -> dict[str, Any]:
    """Give a stored document with its record; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    shelf
        Where documents of this noun are kept.
    document_id
        Of the stored document.
    """
    if not _names(shelf, document_id):
        raise _missing_document(shelf)
    with parts.database.read(tenant) as unit:
        repository = shelf.repository(unit)
        record = repository.get(document_id)
        document = repository.document(document_id)
    if record is None or document is None:
        raise _missing_document(shelf)
    return _record(shelf, record) | {shelf.noun: document}


def must_exist(parts: Resources, tenant: str, shelf: Shelf, document_id: str) -> None:
    """Refuse an id that no stored document has; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    shelf
        Where documents of this noun are kept.
    document_id
        Of the stored document.
    """
    found = False
    if _names(shelf, document_id):
        with parts.database.read(tenant) as unit:
            found = shelf.repository(unit).get(document_id) is not None
    if not found:
        raise _missing_document(shelf)


def packed(parts: Sources, tenant: str, shelf: Shelf, document_id: str) -> bytes:
    """Give a stored document, packed as it is stored; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    shelf
        Where documents of this noun are kept.
    document_id
        Of the stored document.
    """
    found = None
    if _names(shelf, document_id):
        with parts.database.read(tenant) as unit:
            found = shelf.repository(unit).packed(document_id)
    if found is None:
        raise _missing_document(shelf)
    return found


def listed(parts: Resources, tenant: str, shelf: Shelf, limit: int, token: str | None) -> Page[Any]:
    """List records, the newest first; `Refusal` for a wrong page token.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    shelf
        Where documents of this noun are kept.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        page = shelf.repository(unit).page(limit, token)
    return Page([_record(shelf, record) for record in page.items], page.next_token)


def forget(parts: Resources, identity: Identity, shelf: Shelf, document_id: str) -> None:
    """Delete a stored document; `Refusal` ``not_found``. Jobs keep their own copies.

    Parameters
    ----------
    parts
        The parts of the running application.
    identity
        Who asks. The audit line names them.
    shelf
        Where documents of this noun are kept.
    document_id
        Of the stored document.
    """
    deleted = False
    if _names(shelf, document_id):
        with parts.database.write(identity.tenant) as unit:
            deleted = shelf.repository(unit).delete(document_id)
            if deleted:
                action = Action(f"{shelf.noun}.deleted")
                unit.audit.write(identity.tenant, identity.actor, action, document_id)
    if not deleted:
        raise _missing_document(shelf)


def _names(shelf: Shelf, document_id: str) -> bool:
    return is_id(f"{shelf.prefix}_", document_id)


def _missing_document(shelf: Shelf) -> Refusal:
    return Refusal("not_found", f"There is no such {shelf.noun}.")
