"""Foreign formats to steadygrid's: the registry that HTTP, the library and the commands share."""

from collections.abc import Mapping, Sequence

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.formats import gpu_machines, graphs, simgrid, tables, wfformat, workflows
from steadygrid.formats.importer import Imported, Importer, Noun

__all__ = [
    "IMPORTERS",
    "Imported",
    "Importer",
    "Noun",
    "ambiguity",
    "find_importer",
    "fitting_importers",
    "guess_importer",
    "named_importer",
    "refuse_other_nouns",
]

IMPORTERS: Mapping[tuple[Noun, str], Importer] = {
    (importer.noun, importer.content_type): importer
    for importer in (
        simgrid.IMPORTER,
        tables.IMPORTER,
        *graphs.PLATFORMS,
        gpu_machines.NCCL,
        gpu_machines.TOPO,
        wfformat.IMPORTER,
        *graphs.APPLICATIONS,
        *workflows.APPLICATIONS,
    )
}
"""By what comes out and the content type of what goes in."""


def fitting_importers(data: bytes, noun: Noun | None = None) -> list[Importer]:
    """List the importers whose documents look like this one.

    Parameters
    ----------
    data
        The document.
    noun
        What it is to give. None: anything.
    """
    return [i for i in IMPORTERS.values() if noun in (None, i.noun) and i.sniff(data)]


def find_importer(noun: Noun, data: bytes) -> Importer | None:
    """Find the importer of a document by what is in it. None if none fits.

    Parameters
    ----------
    noun
        What it is to give, such as a platform.
    data
        The document.

    Raises
    ------
    InstanceError
        ``ambiguous_format``: several fit.
    """
    fitting = fitting_importers(data, noun)
    if len(fitting) > 1:
        raise InstanceError(faults=[ambiguity(fitting)])
    return fitting[0] if fitting else None


def refuse_other_nouns(noun: Noun, data: bytes) -> None:
    """Refuse a document of something else, such as an application where a platform is asked for.

    Parameters
    ----------
    noun
        What it is to give.
    data
        The document. No importer of this noun fits.

    Raises
    ------
    InstanceError
        ``unknown_format``: it gives something else.
    """
    for other in fitting_importers(data):
        given = {"platform": "a platform", "application": "an application"}[other.noun]
        detail = f"this looks like {other.title}, which gives {given}, and no {noun}"
        raise InstanceError(faults=[Fault((), "unknown_format", detail)])


def ambiguity(fitting: Sequence[Importer]) -> Fault:
    """Make the fault of a document that looks like several formats.

    Parameters
    ----------
    fitting
        Their importers.
    """
    names = " and ".join(f"{importer.name} ({importer.title})" for importer in fitting)
    detail = f"it may be in several formats, {names}: name the one that is meant as format"
    return Fault((), "ambiguous_format", detail)


def named_importer(noun: Noun, name: str) -> Importer:
    """Find the importer of a format that is named.

    Parameters
    ----------
    noun
        What the file is to give, such as a platform.
    name
        Of the format, or its content type.

    Raises
    ------
    InstanceError
        ``unknown_format``: there is none of this name.
    """
    known = [importer for importer in IMPORTERS.values() if importer.noun == noun]
    for importer in known:
        if name in (importer.name, importer.content_type):
            return importer
    names = ", ".join(importer.name for importer in known)
    detail = f"no format {name[:80]!r} gives {noun}s. Known: {names}"
    raise InstanceError(detail, [Fault((), "unknown_format", detail)])


def guess_importer(noun: Noun, file_name: str) -> Importer | None:
    """Find the importer whose files are named like this one. None if there is none.

    Parameters
    ----------
    noun
        What the file is to give, such as a platform.
    file_name
        With its ending.
    """
    for importer in IMPORTERS.values():
        if importer.noun == noun and importer.matches(file_name):
            return importer
    return None
