"""Foreign formats to ours: the registry that HTTP and ``steadygrid convert`` share."""

from collections.abc import Mapping

from steadygrid.formats import simgrid, wfformat
from steadygrid.formats.importer import Imported, Importer, Noun

__all__ = ["IMPORTERS", "Imported", "Importer", "Noun", "guess_importer"]

IMPORTERS: Mapping[tuple[Noun, str], Importer] = {
    (importer.noun, importer.content_type): importer
    for importer in (simgrid.IMPORTER, wfformat.IMPORTER)
}
"""By what comes out and the content type of what goes in."""


def guess_importer(noun: Noun, file_name: str) -> Importer | None:
    """Find the importer whose files are named like this one; None if there is none.

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
