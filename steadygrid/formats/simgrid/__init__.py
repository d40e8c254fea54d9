"""SimGrid platform XML, versions 4 and 4.1.

The steps, each a module:

1. `reader` makes XML declarations, with bounds. `attributes` and `clusters` read elements.
2. `folding` makes hosts that are declared together hosts, or one that stands for them. `groups`
   finds them by name.
3. `zones` makes declarations a network of arcs and the resources that each uses, and the parts of
   SimGrid's routes. `fabrics` makes tori, fat trees and dragonflies, of which `topologies` knows
   the sizes.
4. `fixed` gives SimGrid's routes, which `static` puts together, and those that the platform must
   state.
5. `shape` makes the network a `Platform`, and says which resource is a medium, and which a plain
   bandwidth.

`units` reads quantities exactly.

What becomes of what:

======================= ==================================================================
SimGrid                 platform
======================= ==================================================================
host                    processor; speed of one core times the number of cores
router                  switch
cluster, Cluster zone   hub switch that carries the zone's id (the router itself where there
                        is exactly one, and no backbone that is shared or takes time). Host to
                        hub: limiter, up link, backbone. Hub to host: down link, limiter. Router
                        to hub: backbone
torus, fat tree,        switches and links between them; each host hangs on one, or in a fat
dragonfly               tree on as many as it has parents
interchangeable hosts   where there would be too many: one processor with `members`
route                   one link between its ends: least bandwidth, all media, summed latency
zoneRoute               the same between its gateways
bypassRoute             the path of routes that uses just its links, in their order; where there
                        is none, as a route, and over a switch of its own where its ends are
                        joined already
no route                a route that is `missing`, where links join the two hosts
link, ``SHARED``        one capacity for both directions
link, ``SPLITDUPLEX``   one capacity for each direction, named ``id_UP`` and ``id_DOWN``
link, ``FATPIPE``       caps each link of the platform that uses it, and is shared by none; on
                        a route its latency counts once
======================= ==================================================================

A capacity is a medium where several links of the platform use it. Where one link alone uses it, it
is the bandwidth of that link. Where both directions of this link use it, the link is half-duplex.
"""

from steadygrid.formats.importer import Importer, later
from steadygrid.formats.sniffing import has_root

IMPORTER = Importer(
    noun="platform",
    name="simgrid",
    content_type="application/simgrid+xml",
    title="SimGrid platform XML",
    suffixes=(".xml",),
    root="platform",
    routed=True,
    sniff=has_root("platform"),
    convert=later("steadygrid.formats.simgrid.conversion:import_platform"),
    parameters={
        "name": "the platform's name (default: the id of the outermost zone)",
        "apart": (
            "hosts, separated by commas, that stay processors of their own where interchangeable hosts"
            " become one (default: the first of each cluster)"
        ),
    },
)
