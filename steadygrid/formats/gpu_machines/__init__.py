"""Machines with GPUs: the topology files of NCCL (XML), and what ``nvidia-smi topo -m`` prints.

What becomes of what:

===================== ====================================================================
In the file           platform, in GB/s
===================== ====================================================================
GPU                   processor without a speed, ``gpu0`` and so on
NVSwitches            one switch, to which each GPU has all its links; with ``nvls`` a
                      processor, which may copy and combine
NVLink to a GPU       a link of one direction; two that are equal are one link
PCI bridge, CPU       switch
network card          switch, with a link to the fabric where there are several boxes
===================== ====================================================================

A GPU without a ``dev`` is numbered by its bus, as the driver does. Switches that join only two links
are contracted, and those with one are left out, unless ``simplify`` is false.

The numbers of ``constants=nccl`` are those of NCCL (``src/graph/topo.h`` and ``topo.cc``), the default
those of data sheets: an optimum that a run beats is no optimum.
"""

from steadygrid.formats.importer import Importer, later
from steadygrid.formats.sniffing import has_line, has_root

_BOXES = {
    "name": "the platform's name (default: that of the format)",
    "net_speed": (
        "Mbit/s of network cards that do not say theirs, such as 400000 (default: refused where it"
        " is needed)"
    ),
    "boxes": "how many of these boxes the platform has, joined by a fabric (default: 1)",
    "fabric": (
        "switch or rails (default: switch, which joins all cards). Rails are a switch for the first"
        " cards of all boxes, one for the second, ..."
    ),
    "constants": "nominal, of data sheets, or nccl, those that NCCL computes with (default: nominal)",
    "peer_pci": "false: no route between GPUs over sockets (default: true)",
    "nvls": (
        "true: the NVSwitch may copy and combine, which is a bound from above (default: false)"
    ),
    "simplify": "false: switches that join only two links stay (default: true)",
}
_GENERATION = "a100, h100, h200 or b200: how many NVLinks a GPU has, and which"

NCCL = Importer(
    noun="platform",
    name="nccl",
    content_type="application/nccl+xml",
    title="a topology of NCCL",
    suffixes=("-topo.xml",),
    root="system",
    convert=later("steadygrid.formats.gpu_machines.conversion:import_nccl"),
    sniff=has_root("system"),
    parameters={
        **_BOXES,
        "gpu": f"{_GENERATION} (default: refused where the file does not say)",
        "sm": "compute capability, such as 90, of GPUs that do not say theirs (default: as gpu)",
        "nvlinks": (
            "NVLinks from each GPU to the NVSwitch, where the file has none; 0: none (default: as gpu)"
        ),
    },
)
TOPO = Importer(
    noun="platform",
    name="nvidia_topo",
    content_type="text/nvidia-topo",
    title="what nvidia-smi topo -m prints",
    suffixes=(),
    convert=later("steadygrid.formats.gpu_machines.conversion:import_topo"),
    sniff=has_line(r"\A\s*(?:\x1b\[[0-9;]*m)*GPU0\b"),
    parameters={
        **_BOXES,
        "gpu": f"{_GENERATION} (no default)",
        "socket_bandwidth": "GB/s between two sockets (default: 10, with a warning)",
    },
)
