"""What the files are that a user wants to have solved: told by what is in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from steadygrid.cli.json_files import fault_lines, read_input
from steadygrid.cli.terminal import STANDARD_INPUT, Refusal, complain, shown
from steadygrid.domain.application import Application
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.formats import IMPORTERS, Importer, ambiguity, fitting_importers
from steadygrid.formats.importer import Imported, ImportedBody, InstanceImporter
from steadygrid.formats.mappings import parse_mapping
from steadygrid.formats.markup import is_markup, root_element
from steadygrid.formats.sniffing import is_structured
from steadygrid.report.glyphs import printable
from steadygrid.submissions.foreign_documents import still_wrapped
from steadygrid.submissions.imports import INSTANCE_IMPORTERS
from steadygrid.submissions.submission import parse_model

_PLATFORM = Platform.model_fields.keys() - Application.model_fields.keys()
_APPLICATION = Application.model_fields.keys() - Platform.model_fields.keys()


_READERS: tuple[Importer | InstanceImporter, ...] = (
    *IMPORTERS.values(),
    *INSTANCE_IMPORTERS.values(),
)


class Sort(Enum):
    """What is in a file."""

    BODY = "a whole problem"
    PLATFORM = "a platform"
    APPLICATION = "an application"
    RESULT = "a result"
    SCHEDULE = "a schedule"
    UNKNOWN = "something else"


@dataclass(frozen=True)
class GivenFile:
    """A file, read but not judged."""

    name: str
    sort: Sort
    data: bytes
    document: Any = None
    """The JSON in it. None where it is in another format."""
    importer: Importer | InstanceImporter | None = None
    """Of a foreign format."""
    why: str = ""
    """What an unknown document is not, as the rest of a sentence."""
    more: tuple[bytes, ...] = ()
    """Further files of the same document."""
    fitting: tuple[Importer, ...] = ()
    """Importers of the formats that it may be in, where there are several."""

    @property
    def shown(self) -> str:
        """Its name in a message."""
        return shown(self.name)

    def read(self, parameters: Mapping[str, str], limits: Limits) -> tuple[Any, list[str]]:
        """Give what is in it as a document of steadygrid, and what was lost, line by line.

        Parameters
        ----------
        parameters
            What the format cannot say. The keys are those of the importer.
        limits
            How large a problem may be.

        Raises
        ------
        Refusal
            With every fault of a document in a foreign format. Those of steadygrid are read with
            the body.
        """
        if self.importer is None:
            return self.document, []
        try:
            if isinstance(self.importer, Importer):
                files = (self.data, *self.more)
                found: Imported | ImportedBody = self.importer.read(files, parameters, limits)
            else:
                found = self.importer.read(self.data, parameters, limits)
        except (InstanceError, LimitError) as error:
            faults = fault_lines(self.name, error.faults)
            raise Refusal(
                faults if error.faults else f"{self.shown}: {printable(error.detail)}",
                coded=bool(error.faults),
            ) from None
        warnings = [f"warning: {printable(warning)}" for warning in found.warnings]
        if not isinstance(found, Imported):
            return found.body, warnings
        document = found.document.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        return document, warnings


def read_files(names: Sequence[str], limits: Limits) -> list[GivenFile]:
    """Read the files, and tell what each of them is.

    Parameters
    ----------
    names
        Of the files, ``-`` for standard input.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        One cannot be read or is no document, or several are standard input.
    """
    if names.count(STANDARD_INPUT) > 1:
        raise Refusal("only one of the files can be standard input")
    files = [_identify_file(name, read_input(name, limits.max_body_bytes)) for name in names]
    return _resolve_nouns(_joined(files))


def read_problem_files(
    names: Sequence[str], limits: Limits
) -> tuple[list[GivenFile], Sequence[str]]:
    """Read the files that make a problem, and give the names of those that do not.

    Parameters
    ----------
    names
        Of the files, ``-`` for standard input.
    limits
        How large a problem may be.

    Returns
    -------
    list of GivenFile
        A whole problem, or the parts of one.
    list of str
        What stands behind a whole problem. None of it is read.
    """
    first = _identify_file(names[0], read_input(names[0], limits.max_body_bytes))
    if first.sort is Sort.BODY:
        return [first], names[1:]
    others = [_identify_file(name, read_input(name, limits.max_body_bytes)) for name in names[1:]]
    return _resolve_nouns(_joined([first, *others])), ()


def _joined(files: Sequence[GivenFile]) -> list[GivenFile]:
    """Make one of all files of a format whose documents may be in several."""
    joined: dict[str | int, GivenFile] = {}
    for i, file in enumerate(files):
        importer = file.importer
        several = isinstance(importer, Importer) and importer.several
        key = importer.name if several and importer is not None else i
        there = joined.get(key)
        if there is None:
            joined[key] = file
        else:
            name = f"{there.name} + {file.name}"
            joined[key] = replace(there, name=name, more=(*there.more, file.data))
    return list(joined.values())


def _resolve_nouns(files: Sequence[GivenFile]) -> list[GivenFile]:
    """Decide for a file that may be a platform or an application by what else is given.

    A platform is needed in any case: alone the file is the platform.
    """
    settled = []
    for i, file in enumerate(files):
        others = {other.sort for j, other in enumerate(files) if j != i}
        wanted = "platform"
        if Sort.PLATFORM in others:
            wanted = "application"
        elif len(files) > 1 and Sort.APPLICATION not in others:
            wanted = ""
        chosen = [importer for importer in file.fitting if importer.noun == wanted]
        if file.fitting and len(chosen) != 1:
            raise Refusal(
                f"{file.shown}: {ambiguity(file.fitting).detail} (`steadygrid convert {file.shown}"
                " --to platform --format NAME` writes JSON of steadygrid)"
            )
        if file.fitting:
            sort = Sort(_article(wanted))
            file = replace(file, sort=sort, importer=chosen[0], fitting=())
        settled.append(file)
    return settled


def platform_of(file: GivenFile, parameters: Mapping[str, str], limits: Limits) -> Platform:
    """Read a platform, alone or as part of a whole problem, and print the warnings.

    Parameters
    ----------
    file
        A platform or a whole problem.
    parameters
        What a foreign format cannot say.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        With every fault of it, or there is none.
    """
    document, warnings = file.read(parameters, limits)
    complain(warnings)
    if file.sort is Sort.BODY:
        problem = document.get("problem", document) if isinstance(document, dict) else None
        document = problem.get("platform") if isinstance(problem, dict) else None
        if not isinstance(document, dict):
            raise Refusal(f"{file.shown}: this problem holds no platform")
    try:
        platform = parse_model(Platform, document)
        if faults := list(platform_faults(platform, ())):
            raise InstanceError(faults=faults)
    except (InstanceError, LimitError) as error:
        raise Refusal(fault_lines(file.name, error.faults), coded=True) from None
    return platform


def read_given_mapping(name: str, limits: Limits) -> tuple[dict[str, list[str]], GivenFile]:
    """Read a file that says which processors run each task.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        It cannot be read, or is no mapping.
    """
    data = read_input(name, limits.max_body_bytes)
    try:
        return parse_mapping(data), GivenFile(name, Sort.UNKNOWN, data)
    except InstanceError as error:
        raise Refusal(fault_lines(name, error.faults), coded=True) from None


def _foreign_file(name: str, data: bytes) -> GivenFile | None:
    """Take a file that looks like one of a foreign format of platforms or applications."""
    fitting = fitting_importers(data)
    if not fitting:
        return None
    if len(fitting) > 1:
        return GivenFile(name, Sort.UNKNOWN, data, fitting=tuple(fitting))
    return GivenFile(name, Sort(_article(fitting[0].noun)), data, importer=fitting[0])


def _identify_file(name: str, data: bytes) -> GivenFile:
    if is_markup(data):
        return _told_markup(name, data)
    if not is_structured(data) and (foreign := _foreign_file(name, data)):
        return foreign
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise Refusal(f"{shown(name)}: not a JSON document: {error}") from None
    return _told_json(name, data, document)


def _told_markup(name: str, data: bytes) -> GivenFile:
    if root := root_element(data):
        for reader in INSTANCE_IMPORTERS.values():
            if reader.root == root:
                return GivenFile(name, Sort.BODY, data, importer=reader)
        if foreign := _foreign_file(name, data):
            return foreign
        known = ", ".join(f"<{reader.root}> ({reader.title})" for reader in _READERS if reader.root)
        why = f"its root element is <{root}>, and those that are read here are {known}"
        return GivenFile(name, Sort.UNKNOWN, data, why=why)
    try:
        document = parse_json(data)
    except MalformedJSONError as error:
        raise Refusal(f"{shown(name)}: not a JSON document: {error}") from None
    return _told_json(name, data, document)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _told_json(name: str, data: bytes, document: Any) -> GivenFile:
    members = document.keys() if isinstance(document, dict) else set[str]()
    if "outcome" in members and "certificate" in members:
        return GivenFile(name, Sort.RESULT, data, document)
    if members & {"problem", "kind"}:
        return GivenFile(name, Sort.BODY, data, document)
    if members & {"runs", "slots", "events", "rows"}:
        return GivenFile(name, Sort.SCHEDULE, data, document)
    if foreign := _foreign_file(name, data):
        return foreign
    platform, application = bool(members & _PLATFORM), bool(members & _APPLICATION)
    if platform != application:
        sort = Sort.PLATFORM if platform else Sort.APPLICATION
        return GivenFile(name, sort, data, document)
    listed = ", ".join(f'"{i.member}" ({i.title})' for i in IMPORTERS.values() if i.member)
    why = f'a platform has "processors", an application has "tasks", or {listed}'
    if wrapped := still_wrapped("platform", document) or still_wrapped("application", document):
        why = wrapped.detail.replace("send", "give", 1)
    return GivenFile(name, Sort.UNKNOWN, data, document, why=why)
