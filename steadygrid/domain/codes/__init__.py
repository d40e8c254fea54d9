"""Every code of an error, with its title, cause and remedy: what ``steadygrid explain`` prints.

A code never changes its name or its meaning. A new code gets an entry in the file of its area.
"""

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from steadygrid.domain.codes import (
    documents,
    formats,
    loads,
    mappings,
    messages,
    pipelines,
    platforms,
    referee_parts,
    referee_proofs,
    referee_schedules,
    service,
)
from steadygrid.domain.codes.text import CodeText

AREAS: Mapping[str, Mapping[str, CodeText]] = {
    "The service": service.CODES,
    "Documents": documents.CODES,
    "Platforms and applications": platforms.CODES,
    "Foreign formats": formats.CODES,
    "Mappings and allocations": mappings.CODES,
    "Messages and bags of tasks": messages.CODES,
    "Divisible loads": loads.CODES,
    "Actors and layers": pipelines.CODES,
    "The referee: schedules": referee_schedules.CODES,
    "The referee: proofs": referee_proofs.CODES,
    "The referee: parts of a result": referee_parts.CODES,
}
"""The codes by area."""

CODES: Mapping[str, CodeText] = MappingProxyType(
    dict(sorted(chain.from_iterable(texts.items() for texts in AREAS.values())))
)
"""The text of each code, in the order of the alphabet."""
