"""Platforms and applications of files, ours or in a foreign format, and mappings."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from os import PathLike, fspath
from typing import Any, TypeVar, cast

from steadygrid.documents import AnyPath, naming, plain, read_bytes, read_json
from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, InstanceError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.formats import Importer, Noun, find_importer, guess_importer, named_importer
from steadygrid.formats.graphs import read_object
from steadygrid.formats.mappings import parse_mapping
from steadygrid.submissions.submission import MAX_FAULTS, parse_model

N = TypeVar("N", Platform, Application)


class LossyFormatWarning(UserWarning):
    """A foreign document says what a platform or an application of ours cannot say."""


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
        What is in a file is told by its content, not by its name. Tables may be in several files: give
        all of them.
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
        For each kind of thing that a platform of ours cannot represent.

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
    return _read(
        "platform", Platform, platform_faults, path, format, _texts(parameters), limits or Limits()
    )


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
        What is in a file is told by its content, not by its name.
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
        For each kind of thing that an application of ours cannot represent.

    Raises
    ------
    InstanceError, LimitError
        With every fault found.
    OSError
        If the file cannot be read.
    """
    return _read(
        "application",
        Application,
        application_faults,
        path,
        format,
        _texts(parameters),
        limits or Limits(),
    )


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
    return _checked(Platform, platform_faults, _without_nothing(document))


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
    return _checked(Application, application_faults, _without_nothing(document))


def _without_nothing(document: Mapping[str, Any]) -> Any:
    return plain({name: value for name, value in document.items() if value not in (None, ())})


def platform_from_graph(
    graph: Any,
    named: Mapping[str, str | None],
    parameters: Mapping[str, str],
    limits: Limits | None = None,
) -> Platform:
    """Make a platform of a graph of networkx; see `Platform.from_networkx`.

    Parameters
    ----------
    graph
        Of networkx, or built alike.
    named
        Names of attributes; None: the usual ones.
    parameters
        As of GraphML.
    limits
        How large it may be.
    """
    return cast(Platform, _of_graph("platform", graph, named, parameters, limits))


def application_from_graph(
    graph: Any,
    named: Mapping[str, str | None],
    parameters: Mapping[str, str],
    limits: Limits | None = None,
) -> Application:
    """Make an application of a graph of networkx; see `Application.from_networkx`.

    Parameters
    ----------
    graph
        Of networkx, or built alike.
    named
        Names of attributes; None: the usual ones.
    parameters
        As of GraphML.
    limits
        How large it may be.
    """
    return cast(Application, _of_graph("application", graph, named, parameters, limits))


def _of_graph(
    noun: Noun,
    graph: Any,
    named: Mapping[str, str | None],
    parameters: Mapping[str, str],
    limits: Limits | None,
) -> Platform | Application:
    given = {**parameters, **{name: value for name, value in named.items() if value is not None}}
    imported = read_object(noun, graph, given, limits or Limits())
    for sentence in imported.warnings:
        warnings.warn(sentence, LossyFormatWarning, stacklevel=4)
    return imported.document


def read_mapping(path: AnyPath, *, limits: Limits | None = None) -> dict[str, list[str]]:
    """Read which processors run each task: a CSV table, or a JSON object.

    Parameters
    ----------
    path
        A table has the columns ``task`` and ``processor``, and may have others; copies of a task have
        a line each. An object gives each task the id of a processor, or a list of them; a result, as
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


def _read(
    noun: Noun,
    model: type[N],
    faults_of: Callable[[N, Pointer], Iterable[Fault]],
    given: AnyPath | Sequence[AnyPath],
    format_name: str | None,
    parameters: dict[str, str],
    limits: Limits,
) -> N:
    paths = [given] if isinstance(given, str | PathLike) else list(given)
    with naming(paths[0] if len(paths) == 1 else None, f"the {noun}"):
        files = [read_bytes(path, limits.max_body_bytes) for path in paths]
        importer = _importer(noun, model, files[0], fspath(paths[0]), format_name)
        if importer is None:
            return _ours(model, faults_of, files[0], parameters)
        imported = importer.read(files, parameters, limits)
    for sentence in imported.warnings:
        warnings.warn(sentence, LossyFormatWarning, stacklevel=3)
    return cast(N, imported.document)


def _texts(parameters: Mapping[str, str | int | bool]) -> dict[str, str]:
    """Write the values as a query would have them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in parameters.items()
    }


def _importer(
    noun: Noun, model: type[N], data: bytes, name: str, format_name: str | None
) -> Importer | None:
    """Tell by its content, then by its name, which format a file is in; None: ours."""
    if format_name is not None:
        return named_importer(noun, format_name)
    found = find_importer(noun, data)
    if found is not None or _is_ours(model, data):
        return found
    return guess_importer(noun, name)


def _is_ours(model: type[N], data: bytes) -> bool:
    """Whether a document that has the name of a foreign one has members of ours."""
    try:
        document = parse_json(data)
    except MalformedJSONError:
        return False
    members = model.model_fields.keys() - {"name"}
    return isinstance(document, dict) and not members.isdisjoint(document)


def _ours(
    model: type[N],
    faults_of: Callable[[N, Pointer], Iterable[Fault]],
    data: bytes,
    parameters: dict[str, str],
) -> N:
    for name in parameters:
        detail = f"only foreign formats have parameters, such as {name!r}; the file says it itself"
        raise InstanceError(detail, [Fault((), "unknown_parameter", detail)])
    return _checked(model, faults_of, read_json(data))


def _checked(model: type[N], faults_of: Callable[[N, Pointer], Iterable[Fault]], body: Any) -> N:
    document = parse_model(model, body)
    faults = list(islice(faults_of(document, ()), MAX_FAULTS))
    if faults:
        raise InstanceError(faults=faults)
    return document
