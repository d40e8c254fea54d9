"""SimGrid platform XML to a platform, step by step."""

from collections.abc import Mapping

from steadygrid.domain.limits import Limits
from steadygrid.formats.importer import Imported
from steadygrid.formats.simgrid.fixed import find_host_routes, with_routes
from steadygrid.formats.simgrid.folding import settle_hosts
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.reader import read_declarations
from steadygrid.formats.simgrid.shape import shape_platform
from steadygrid.formats.simgrid.zones import build_layout


def import_platform(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn SimGrid platform XML into a `Platform` in seconds, bytes and flops.

    Parameters
    ----------
    data
        The XML document. It may refer to SimGrid's own DTD, which is never fetched.
    parameters
        ``name``: the platform's name; ``apart``: hosts that are never folded.
    limits
        `max_body_bytes`, `max_processors` (hosts, routers and switches of steadygrid; where there
        would be more, interchangeable hosts are one), `max_links`.

    Raises
    ------
    InstanceError
        Each fault says its line; also where SimGrid itself refuses the file.
    LimitError
        Raised before anything is expanded, with the number and the limit.
    """
    notes = Notes()
    declarations = read_declarations(data, limits, notes)
    apart = [name.strip() for name in parameters.get("apart", "").split(",") if name.strip()]
    settle_hosts(declarations, limits, notes, apart)
    layout = build_layout(declarations, notes)
    host_routes = find_host_routes(declarations, layout, notes)
    name = parameters.get("name", declarations.zones[0].id)
    platform = shape_platform(layout.network, name, limits, notes)
    if host_routes is not None:
        platform = with_routes(platform, host_routes, layout.network, limits, notes)
    return Imported(platform, notes.sentences())
