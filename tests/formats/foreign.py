"""What tests of foreign formats share."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.application import Application, application_faults
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform, platform_faults
from steadygrid.formats import Noun, find_importer, named_importer
from steadygrid.formats.importer import Imported


def load(noun: Noun, *texts: str | bytes, limits: Limits | None = None, **parameters: Any) -> Any:
    """Read a document whose format is told by its content; check what comes out."""
    files = [text.encode() if isinstance(text, str) else text for text in texts]
    name = parameters.pop("format", None)
    importer = named_importer(noun, name) if name else find_importer(noun, files[0])
    assert importer is not None, "no format fits"
    found = importer.read(files, parameters, limits)
    checked(found)
    return found


def checked(found: Imported) -> None:
    """What comes out has no faults and survives JSON."""
    document = found.document
    if isinstance(document, Platform):
        assert not list(platform_faults(document, ()))
    else:
        assert not list(application_faults(document, ()))
    again = type(document).model_validate(document.model_dump(mode="json", exclude_none=True))
    assert again == document
    assert all(isinstance(sentence, str) and sentence for sentence in found.warnings)


def faults(noun: Noun, *texts: str | bytes, **parameters: Any) -> list[tuple[str, str]]:
    """Codes and sentences of what is refused."""
    try:
        load(noun, *texts, **parameters)
    except InstanceError as error:
        return [(fault.code, fault.detail) for fault in error.faults]
    raise AssertionError("nothing was refused")


def speeds(platform: Platform) -> dict[str, Fraction | None]:
    return {processor.id: processor.speed for processor in platform.processors}


def bandwidths(platform: Platform) -> dict[tuple[str, str], Fraction]:
    """Bandwidths by direction."""
    found = {}
    for link in platform.links:
        found[link.source, link.target] = link.bandwidth
        if link.duplex != "simplex":
            found[link.target, link.source] = link.bandwidth
    return found


def works(application: Application) -> dict[str, Fraction | None]:
    return {task.id: task.work for task in application.tasks}


def sizes(application: Application) -> dict[tuple[str, str], Fraction]:
    return {(file.source, file.target): file.size for file in application.files}
