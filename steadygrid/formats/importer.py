"""What an importer of a foreign format promises."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

from steadygrid.domain.application import Application
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform

Noun = Literal["platform", "application"]


def later(place: str) -> Callable[..., Any]:
    """Give a function that loads its module when it is called first.

    Parameters
    ----------
    place
        ``module:name``.
    """
    module, _, name = place.partition(":")

    def call(*given: Any) -> Any:
        return getattr(import_module(module), name)(*given)

    return call


class Imported(NamedTuple):
    """A foreign document in our terms, and what got lost in between."""

    document: Platform | Application
    """Free of faults, in seconds, bytes and flops. It survives JSON unchanged."""
    warnings: tuple[str, ...]
    """One sentence for each kind of thing that we cannot represent or had to read our form."""


@dataclass(frozen=True)
class Importer:
    """One foreign format."""

    noun: Noun
    """What comes out."""
    name: str
    """Of the format, as ``--format`` knows it."""
    content_type: str
    title: str
    suffixes: tuple[str, ...]
    """Ends of the names of such files: a hint, where nothing in a file says what it is."""
    convert: Callable[[Any, Mapping[str, str], Limits], Imported]
    """Of a document; of a sequence of them where the format takes `several`."""
    sniff: Callable[[bytes], bool]
    """Whether a document begins, or is built, as one of these."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Query parameters, each with a sentence that documents it and its default."""
    root: str | None = None
    """The root element by which an XML document is recognised as one of these."""
    member: str | None = None
    """The member by which a JSON document is."""
    several: bool = False
    """Whether one document may be in several files."""
    routed: bool = False
    """Whether the routes are those of the document, and no others are ever taken."""

    def read(
        self,
        data: bytes | Sequence[bytes],
        parameters: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> Imported:
        """Turn a foreign document into one of steadygrid.

        Parameters
        ----------
        data
            The document as it was sent; or all files of it, where the format takes `several`.
        parameters
            What the format cannot say. The keys are those of `parameters`.
        limits
            Largest document, number of processors and number of links to accept.

        Raises
        ------
        InstanceError
            The document is malformed, breaks a rule of its format or cannot be represented.
            Each fault names its line. Also for a parameter that the format does not have.
        LimitError
            The document, or the platform it describes, is too large. Nothing was expanded.
        """
        given = parameters or {}
        check_parameters(self.title, self.parameters, given)
        files = [data] if isinstance(data, bytes) else list(data)
        if len(files) > 1 and not self.several:
            detail = f"{self.title}: one file at a time is read; {len(files)} are given"
            raise InstanceError(detail, [Fault((), "several_files", detail)])
        return self.convert(files if self.several else files[0], given, limits or Limits())

    def matches(self, file_name: str) -> bool:
        """Whether a file's name looks like this format."""
        return PurePath(file_name).name.lower().endswith(self.suffixes)


class ImportedBody(NamedTuple):
    """A foreign document as something to solve, and what got lost in between."""

    body: Mapping[str, Any]
    """Of ``POST /v1/jobs``."""
    warnings: tuple[str, ...]
    """As of `Imported`."""


@dataclass(frozen=True)
class InstanceImporter:
    """One foreign format for the instances of one kind."""

    name: str
    """Of the format, as ``--format`` knows it."""
    kind: str
    content_type: str
    title: str
    convert: Callable[[bytes, Mapping[str, str], Limits], ImportedBody]
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Each with a sentence that documents it and its default."""
    root: str | None = None
    """The root element by which a document is recognised as one of these."""

    def read(
        self, data: bytes, parameters: Mapping[str, str] | None = None, limits: Limits | None = None
    ) -> ImportedBody:
        """Turn a foreign document into a body of ``POST /v1/jobs``.

        Parameters, and what is raised, are those of `Importer.read`. The body has the right form.
        What is wrong with what it asks is said when it is submitted.

        Parameters
        ----------
        data, parameters, limits
            As of `Importer.read`.
        """
        given = parameters or {}
        check_parameters(self.title, self.parameters, given)
        return self.convert(data, given, limits or Limits())


def check_parameters(title: str, known: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Refuse a parameter that a format does not have; `InstanceError` ``unknown_parameter``.

    Parameters
    ----------
    title
        Of the format.
    known
        Its parameters.
    given
        What was said.
    """
    unknown = sorted(set(given) - set(known))
    if unknown:
        names = ", ".join(sorted(known)) or "none"
        detail = f"{title} has no parameter {unknown[0][:200]!r} (it has: {names})"
        raise InstanceError(detail, [Fault((), "unknown_parameter", detail)])
