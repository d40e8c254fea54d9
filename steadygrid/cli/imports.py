"""Platforms, applications and bodies in files, in foreign formats.

A body of ``POST /v1/jobs`` may get its platform or application from another file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from steadygrid.cli.json_files import fault_lines, read_input, read_json
from steadygrid.cli.terminal import Refusal, complain, shown
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats import (
    IMPORTERS,
    Importer,
    Noun,
    find_importer,
    guess_importer,
    named_importer,
    refuse_other_nouns,
)
from steadygrid.formats.importer import Imported, ImportedBody, InstanceImporter
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import printable

D = TypeVar("D", Imported, ImportedBody)
_FIXED = (
    '"routing": "fixed" is written into the body: files keep to the routes of the imported platform.'
    ' With "routing": "free" they may take any route, also such as are never taken where routes are'
    " static, and the throughput may be more than can be had there"
)


def imported(
    names: Sequence[str],
    noun: Noun,
    format_name: str | None,
    body: str | None,
    parameters: Mapping[str, str],
    limits: Limits,
) -> Any:
    """Read a platform or an application from a file, and list what cannot be represented.

    Parameters
    ----------
    names
        Of the file; of all files of one document where the format takes several.
    format_name
        None to tell it by what is in the file.
    body
        The file of a body of ``POST /v1/jobs`` to put it into, if there is one.

    Returns
    -------
    Any
        The document, or the body with it.

    Raises
    ------
    Refusal
        With every fault found.
    """
    used: list[Importer] = []

    def read(files: Sequence[bytes]) -> Imported:
        used.append(_importer(noun, names[0], files[0], format_name))
        return used[0].read(files, parameters, limits)

    found = _read(names, read, limits)
    document = found.document.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    if body is None:
        return document
    filled, notes = insert_document(
        read_json(body, limits.max_body_bytes), noun, document, routed=used[0].routed
    )
    complain([f"warning: {note}" for note in notes])
    return filled


def imported_body(
    name: str,
    importer: InstanceImporter,
    format_name: str | None,
    parameters: Mapping[str, str],
    limits: Limits,
) -> Any:
    """Read a body of ``POST /v1/jobs`` from a file, and list what cannot be represented.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    importer
        Of the kind of problem that is asked for.
    format_name
        The one that was named. None: none was.
    parameters
        What the format cannot say. The keys are those of the importer.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        With every fault found.
    """
    if format_name not in (None, importer.name, importer.content_type):
        raise Refusal(
            f"no format {printable(format_name or '')!r} gives a {importer.kind}. Known: {importer.name}"
        )
    return _read([name], lambda files: importer.read(files[0], parameters, limits), limits).body


def _read(names: Sequence[str], read: Callable[[Sequence[bytes]], D], limits: Limits) -> D:
    name = names[0] if len(names) == 1 else " + ".join(names)
    try:
        found = read([read_input(name, limits.max_body_bytes) for name in names])
    except (InstanceError, LimitError) as error:
        faults = fault_lines(name, error.faults)
        raise Refusal(
            faults if error.faults else f"{shown(name)}: {printable(error.detail)}"
        ) from None
    complain([f"warning: {printable(warning)}" for warning in found.warnings])
    return found


def _importer(noun: Noun, file: str, data: bytes, format_name: str | None) -> Importer:
    if format_name is not None:
        return named_importer(noun, format_name)
    found = find_importer(noun, data)
    if found is None:
        refuse_other_nouns(noun, data)
        found = guess_importer(noun, file)
    if found is None:
        known = ", ".join(i.name for i in IMPORTERS.values() if i.noun == noun)
        raise Refusal(
            f"{shown(file)}: cannot tell its format by what is in it: give --format, one of: {known}"
        )
    return found


def insert_document(
    body: Any, noun: Noun, document: Mapping[str, Any], *, routed: bool
) -> tuple[Any, list[str]]:
    """Put an imported platform or application into a body.

    Where routes are those of the imported platform, they are meant: a kind that knows fixed
    routing is asked for it, unless the body says something else.

    Parameters
    ----------
    body
        As JSON has it.
    noun
        ``platform`` or ``application``.
    document
        The imported one.
    routed
        Whether the routes are those of the imported platform alone.

    Returns
    -------
    tuple
        The body, and what was written into it without being asked for.

    Raises
    ------
    Refusal
        If the body has no problem that the document could be a part of.
    """
    problem = body.get("problem") if isinstance(body, Mapping) else None
    if not isinstance(problem, Mapping):
        raise Refusal('--into: the body needs a member "problem", with a "kind"')
    known = PROBLEMS.get(str(problem.get("kind")))
    if known is None or noun not in known.instance.model_fields:
        kinds = ", ".join(k for k, p in PROBLEMS.items() if noun in p.instance.model_fields)
        raise Refusal(f"--into: its kind has no {noun}. Those that have one: {kinds}")
    filled = {**problem, noun: document}
    notes = []
    knows_routing = routed and "routing" in known.instance.model_fields
    if noun == "platform" and knows_routing and "routing" not in problem:
        filled["routing"] = "fixed"
        notes.append(_FIXED)
    return {**body, "problem": filled}, notes
