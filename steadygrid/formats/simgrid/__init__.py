"""SimGrid platform XML, versions 4 and 4.1.

The steps, each a module: `reader` (XML to declarations, bounded; `attributes` and `clusters` read
elements), `folding` (hosts that are declared together become hosts, or one that stands for them;
`groups` finds them by name), `zones` (declarations to a network of arcs and the resources that each
uses, and the parts of SimGrid's routes; `fabrics` makes tori, fat trees and dragonflies, of which
`topologies` knows the sizes), `fixed` (SimGrid's routes, which `static` puts together, and
which of them the platform must say) and `shape` (network to `Platform`: which resource is a medium,
which a plain bandwidth). `units` reads quantities exactly.

What becomes of what:

======================= ==================================================================
SimGrid                 platform
======================= ==================================================================
host                    processor; speed of one core times the number of cores
router                  switch
cluster, Cluster zone   hub switch that carries the zone's id (the router itself where there
                        is exactly one, and no backbone that is shared or takes time); host to
                        hub: limiter, up link, backbone; hub to host: down link, limiter; router
                        to hub: backbone
torus, fat tree,        switches and links between them; each host hangs on one, or in a fat
dragonfly               tree on as many as it has parents
interchangeable hosts   where there would be too many: one processor with `members`
route                   one link between its ends: least bandwidth, all media, summed latency
zoneRoute               the same between its gateways
bypassRoute             the same; over a switch of its own where its ends are joined already
no route                a route that is `missing`, where links join the two hosts
link, ``SHARED``        one capacity for both directions
link, ``SPLITDUPLEX``   one capacity for each direction, named ``id_UP`` and ``id_DOWN``
link, ``FATPIPE``       caps each of our links that uses it, and is shared by none; on a route
                        its latency counts once
======================= ==================================================================

A capacity is a medium where several of our links use it; used by one link only it is that
link's bandwidth (by both directions of it: a half-duplex link).
"""

from collections.abc import Mapping

from steadygrid.domain.limits import Limits
from steadygrid.formats.importer import Imported, Importer
from steadygrid.formats.simgrid.fixed import find_ways, with_routes
from steadygrid.formats.simgrid.folding import settle_hosts
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.reader import read_declarations
from steadygrid.formats.simgrid.shape import shape_platform
from steadygrid.formats.simgrid.zones import build_layout

__all__ = ["IMPORTER", "import_platform"]


def import_platform(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn SimGrid platform XML into a `Platform` in seconds, bytes and flops.

    Parameters
    ----------
    data
        The XML document; it may refer to SimGrid's own DTD, which is never fetched.
    parameters
        ``name``: the platform's name; ``apart``: hosts that are never folded.
    limits
        `max_body_bytes`, `max_processors` (hosts, routers and switches of our own; where there
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
    ways = find_ways(declarations, layout, notes)
    name = parameters.get("name", declarations.zones[0].id)
    platform = shape_platform(layout.network, name, limits, notes)
    if ways is not None:
        platform = with_routes(platform, ways, layout.network, limits, notes)
    return Imported(platform, notes.sentences())


IMPORTER = Importer(
    noun="platform",
    content_type="application/simgrid+xml",
    title="SimGrid platform XML",
    suffixes=(".xml",),
    root="platform",
    convert=import_platform,
    parameters={
        "name": "the platform's name (default: the id of the outermost zone)",
        "apart": (
            "hosts, separated by commas, that stay processors of their own where interchangeable hosts"
            " become one (default: the first of each cluster)"
        ),
    },
)
