"""Platforms and applications of files, steadygrid's or in a foreign format, and mappings."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike, fspath
from typing import Any, Generic, TypeVar, cast

from steadygrid.documents import AnyPath, naming, plain, read_bytes, read_json
from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.formats import (
    Importer,
    Noun,
    find_importer,
    guess_importer,
    named_importer,
    refuse_other_nouns,
)
from steadygrid.formats.graphs import read_object
from steadygrid.formats.importer import Imported
from steadygrid.formats.mappings import parse_mapping
from steadygrid.submissions.submission import MAX_FAULTS, parse_model

N = TypeVar("N", Platform, Application)


class LossyFormatWarning(UserWarning):
    """A foreign document says what a platform or an application of steadygrid cannot say."""


def read_platform(
    path: AnyPath | Sequence[AnyPath],
    *,
    format: str | None = None,
    limits: Limits | None = None,
    **parameters: str | int | bool,
) -> Platform:
    """Read a platform: our JSON, or a file in a foreign format.

    Parameters
    ----------
    path
        What is in a file is recognised by its content, not by its name. Tables may be in several
        files: give all of them.
    format
        Name of the foreign format, where the content does not tell.
    limits
        How large it may be, if not as large as by default.
    **parameters
        What the foreign format cannot say, such as the ``name`` of the platform.

    Returns
    -------
    Platform
        Can stand in a problem wherever a platform can.

    Warns
    -----
    LossyFormatWarning
        For each kind of thing that a platform of steadygrid cannot represent.

    Raises
    ------
    InstanceError, LimitError
        With every fault found.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from steadygrid import read_platform, solve
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     platform = read_platform("examples/three_sites.xml", name="three sites")
    >>> platform.name, len(platform.processors)
    ('three sites', 24)
    >>> task = {"work": "20e9", "input_size": "25e6"}
    >>> problem = {"kind": "master_worker", "platform": platform, "master": "shore-1", "task": task}
    >>> solve(problem | {"ports": "multiport"}).outcome.value
    'optimal'
    """
    return _PLATFORM.read(path, format, parameters, limits or Limits())


def read_application(
    path: AnyPath,
    *,
    format: str | None = None,
    limits: Limits | None = None,
    **parameters: str | int | bool,
) -> Application:
    """Read an application: our JSON, or a file in a foreign format.

    Parameters
    ----------
    path
        What is in a file is recognised by its content, not by its name.
    format
        Name of the foreign format, where the content does not tell.
    limits
        How large it may be, if not as large as by default.
    **parameters
        What the foreign format cannot say, such as ``name`` and ``reference_speed``;
        ``steadygrid formats`` explains them.

    Returns
    -------
    Application
        Can stand in a problem wherever an application can.

    Warns
    -----
    LossyFormatWarning
        For each kind of thing that an application of steadygrid cannot represent.

    Raises
    ------
    InstanceError, LimitError
        With every fault found.
    OSError
        If the file cannot be read.
    """
    return _APPLICATION.read(path, format, parameters, limits or Limits())


def platform_of_document(document: Mapping[str, Any]) -> Platform:
    """Make a platform of its parts.

    Parameters
    ----------
    document
        Numbers may be objects of Python's.

    Raises
    ------
    InstanceError
        With every fault found.
    """
    return _PLATFORM.checked(_without_nothing(document))


def application_of_document(document: Mapping[str, Any]) -> Application:
    """Make an application of its parts.

    Parameters
    ----------
    document
        Numbers may be objects of Python's.

    Raises
    ------
    InstanceError
        With every fault found.
    """
    return _APPLICATION.checked(_without_nothing(document))


def _without_nothing(document: Mapping[str, Any]) -> Any:
    return plain({name: value for name, value in document.items() if value not in (None, ())})


def platform_from_graph(
    graph: Any,
    named: Mapping[str, str | None],
    parameters: Mapping[str, str],
    limits: Limits | None = None,
) -> Platform:
    """Make a platform of a graph of networkx. See `Platform.from_networkx`.

    Parameters
    ----------
    graph
        Of networkx, or built alike.
    named
        Names of attributes. None: the usual ones.
    parameters
        As of GraphML.
    limits
        How large it may be.
    """
    return _PLATFORM.from_graph(graph, named, parameters, limits or Limits())


def application_from_graph(
    graph: Any,
    named: Mapping[str, str | None],
    parameters: Mapping[str, str],
    limits: Limits | None = None,
) -> Application:
    """Make an application of a graph of networkx. See `Application.from_networkx`.

    Parameters
    ----------
    graph
        Of networkx, or built alike.
    named
        Names of attributes. None: the usual ones.
    parameters
        As of GraphML.
    limits
        How large it may be.
    """
    return _APPLICATION.from_graph(graph, named, parameters, limits or Limits())


def read_mapping(path: AnyPath, *, limits: Limits | None = None) -> dict[str, list[str]]:
    """Read which processors run each task: a CSV table, or a JSON object.

    Parameters
    ----------
    path
        A table has the columns ``task`` and ``processor``, and may have others; copies of a task have
        a line each. An object gives each task the id of a processor, or a list of them. A result, as
        ``steadygrid solve --json`` prints it, has such an object in it.
    limits
        How large it may be, if not as large as by default.

    Returns
    -------
    dict
        The processors of each task: the ``mapping`` of a ``mono_allocation`` with ``method: given``.

    Raises
    ------
    InstanceError, LimitError
        With every fault found, each with its line or its task.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from steadygrid import problems, read_mapping, solve
    >>> body = problems()["mono_allocation"].example["problem"]
    >>> mapping = read_mapping("examples/camera-as-it-runs.csv")
    >>> mapping["detect"]
    ['small']
    >>> answer = solve({**body, "method": "given", "mapping": mapping}, in_process=True)
    >>> answer.objective, answer.result.distance
    (Fraction(1, 18), Fraction(2, 3))
    """
    with naming(path, "the mapping"):
        return parse_mapping(read_bytes(path, (limits or Limits()).max_body_bytes))


def _texts(parameters: Mapping[str, str | int | bool]) -> dict[str, str]:
    """Write the values as a query would have them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in parameters.items()
    }


@dataclass(frozen=True)
class _Sort(Generic[N]):
    """What is read: a platform, or an application."""

    noun: Noun
    model: type[N]
    faults: Callable[[N, Pointer], Iterable[Fault]]

    def read(
        self,
        given: AnyPath | Sequence[AnyPath],
        format_name: str | None,
        parameters: Mapping[str, str | int | bool],
        limits: Limits,
    ) -> N:
        """Read one of a file, or of several in a foreign format."""
        paths = [given] if isinstance(given, str | PathLike) else list(given)
        with naming(paths[0] if len(paths) == 1 else None, f"the {self.noun}"):
            files = [read_bytes(path, limits.max_body_bytes) for path in paths]
            importer = self._importer(files[0], fspath(paths[0]), format_name)
            if importer is None:
                return self._ours(files[0], parameters)
            imported = importer.read(files, _texts(parameters), limits)
        return self._warned(imported, 4)

    def from_graph(
        self,
        graph: Any,
        named: Mapping[str, str | None],
        parameters: Mapping[str, str],
        limits: Limits,
    ) -> N:
        """Make one of a graph of networkx."""
        given = {name: value for name, value in named.items() if value is not None}
        return self._warned(read_object(self.noun, graph, {**parameters, **given}, limits), 5)

    def checked(self, body: Any) -> N:
        """Make one of a document of steadygrid."""
        document = parse_model(self.model, body)
        if faults := list(islice(self.faults(document, ()), MAX_FAULTS)):
            raise InstanceError(faults=faults)
        return document

    def _warned(self, imported: Imported, callers: int) -> N:
        """Say what a foreign document does not, at the line that is so many calls away."""
        for sentence in imported.warnings:
            warnings.warn(sentence, LossyFormatWarning, stacklevel=callers)
        return cast(N, imported.document)

    def _importer(self, data: bytes, name: str, format_name: str | None) -> Importer | None:
        """Tell by its content, then by its name, which format a file is in. None: steadygrid's."""
        if format_name is not None:
            return named_importer(self.noun, format_name)
        found = find_importer(self.noun, data)
        if found is not None or self._is_ours(data):
            return found
        refuse_other_nouns(self.noun, data)
        return guess_importer(self.noun, name)

    def _is_ours(self, data: bytes) -> bool:
        """Whether a document that has the name of a foreign one has members of steadygrid."""
        try:
            document = parse_json(data)
        except MalformedJSONError:
            return False
        members = self.model.model_fields.keys() - {"name"}
        return isinstance(document, dict) and not members.isdisjoint(document)

    def _ours(self, data: bytes, parameters: Mapping[str, Any]) -> N:
        for name in parameters:
            detail = (
                f"only foreign formats have parameters, such as {name!r}. The file says it itself"
            )
            raise InstanceError(detail, [Fault((), "unknown_parameter", detail)])
        return self.checked(read_json(data))


_PLATFORM = _Sort("platform", Platform, platform_faults)
_APPLICATION = _Sort("application", Application, application_faults)
