"""The matrix that ``nvidia-smi topo -m`` prints to a box."""

import re
from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.wording import shown
from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.gpu_machines.box import Box
from steadygrid.formats.gpu_machines.constants import GENERATIONS, nvlink_bandwidth, pcie_bandwidth
from steadygrid.formats.gpu_machines.system import SWITCH, net_speed
from steadygrid.formats.measures import RATE, Unreadable
from steadygrid.formats.simgrid.notes import Notes

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NAMES = re.compile(r"(?:GPU|NIC|mlx|bnxt|hfi|efa|irdma|hns)\w*")
_NEAR = ("PIX", "PXB")
"""Over bridges of PCIe alone."""
_WITHIN = (*_NEAR, "PHB", "NODE")
"""Without leaving the socket."""
_BETWEEN = Fraction(10)
_FEW = 4
"""NVLinks between all pairs of at most so many GPUs need no switch."""
Cells = Mapping[tuple[str, str], str]


def read_matrix(
    data: bytes, parameters: Mapping[str, str], nominal: bool, nvls: bool, notes: Notes
) -> Box:
    """Read the text.

    Parameters
    ----------
    data
        As it is printed, with the legend or without.
    parameters
        ``gpu``, ``net_speed`` and ``socket_bandwidth``.
    nominal
        Whether numbers are those of data sheets.
    nvls
        Whether the NVSwitch is a processor.
    notes
        Gets what is assumed.

    Raises
    ------
    InstanceError
        ``missing_parameter``, ``malformed_table`` with the line, and others.
    """
    generation = GENERATIONS.get(parameters.get("gpu", "").lower())
    if generation is None:
        code = "invalid_parameter" if "gpu" in parameters else "missing_parameter"
        detail = f"the text does not say which GPUs these are: say one of {', '.join(GENERATIONS)}"
        if "gpu" in parameters:
            named = shown(parameters["gpu"])
            detail = f"{named} is none of {', '.join(GENERATIONS)}, whose links are known"
        raise refused("gpu", code, detail)
    names, cells, affinities = _cells(data)
    gpus = [name for name in names if name.startswith("GPU")]
    rate = pcie_bandwidth(generation.pcie, 16, nominal)
    box = Box()
    hubs = _hubs(names, cells, affinities, box, rate)
    for name in names:
        box.add(name.lower(), switch=name not in gpus)
        box.join(name.lower(), hubs[name], rate)
    _join_sockets(box, parameters, notes)
    notes.say(
        f"PCIe distances (PIX, PXB, PHB, NODE) have no numbers: 16 lanes of {generation.pcie} GT/s to"
        " each GPU and card"
    )
    cards = [name for name in names if name not in gpus]
    if cards:
        speed = net_speed(parameters)
        if speed is None:
            detail = "the text does not say how fast the cards are: say Mbit/s, such as 400000"
            raise refused("net_speed", "missing_parameter", detail)
        box.cards = [(name.lower(), speed / 8000) for name in cards]
    each = nvlink_bandwidth(generation.sm, nominal)
    _join_gpus(box, gpus, cells, each, generation.nvlinks, nvls)
    return box


def _cells(data: bytes) -> tuple[list[str], Cells, dict[str, str]]:
    """Give the names, what stands between each two, and the cores next to each."""
    lines = _COLOURS.sub("", data.decode("utf-8", "replace")).splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    header = lines[start].split() if start < len(lines) else []
    names = []
    for word in header:
        if not _NAMES.fullmatch(word):
            break
        names.append(word)
    if not names or len(set(names)) < len(names):
        detail = "the first line names GPUs and cards, each once: GPU0 GPU1 ... NIC0"
        raise refused(start + 1, "malformed_table", detail)
    cells: dict[tuple[str, str], str] = {}
    affinities: dict[str, str] = {}
    faults = FaultList()
    for number, line in enumerate(lines[start + 1 :], start + 2):
        words = line.split()
        if not words or words[0] not in names:
            if any(a == names[-1] for a, _ in cells):
                break
            continue
        if len(words) <= len(names):
            detail = f"{len(names)} cells are expected, not {len(words) - 1}"
            faults.add(number, "malformed_table", detail)
            continue
        for name, cell in zip(names, words[1:], strict=False):
            if not re.fullmatch(r"X|NV[0-9]{1,3}|PIX|PXB|PHB|NODE|SYS", cell):
                detail = f"{cell[:40]!r} is none of X, NV#, PIX, PXB, PHB, NODE, SYS"
                faults.add(number, "malformed_table", detail)
            cells[words[0], name] = cell
        affinities[words[0]] = words[len(names) + 1] if len(words) > len(names) + 1 else ""
    for name in names:
        if (name, name) not in cells:
            faults.add("", "malformed_table", f"there is no line of {name}")
    faults.stop()
    return names, cells, affinities


def _hubs(
    names: list[str], cells: Cells, affinities: Mapping[str, str], box: Box, rate: Fraction
) -> dict[str, str]:
    """Give the switch that each device hangs on: one of PCIe, below one of a socket.

    NV# hides the distance between two GPUs: they are at one socket if the same cores are next to
    both.
    """
    seen = {
        (a, b): "NODE" if cell.startswith("NV") and affinities[a] == affinities[b] else cell
        for (a, b), cell in cells.items()
    }
    near, within = _groups(names, cells, _NEAR), _groups(names, seen, _WITHIN)
    sockets = {root: f"cpu{i}" for i, root in enumerate(dict.fromkeys(within.values()))}
    box.sockets = [box.add(name) for name in sockets.values()]
    sizes: dict[str, int] = {}
    for root in near.values():
        sizes[root] = sizes.get(root, 0) + 1
    hubs: dict[str, str] = {}
    bridges: dict[str, str] = {}
    for name in names:
        socket = sockets[within[name]]
        if sizes[near[name]] == 1:
            hubs[name] = socket
            continue
        if near[name] not in bridges:
            bridges[near[name]] = box.add(f"pci{len(bridges)}")
            box.join(bridges[near[name]], socket, rate)
        hubs[name] = bridges[near[name]]
    return hubs


def _groups(names: list[str], cells: Cells, joining: tuple[str, ...]) -> dict[str, str]:
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for (a, b), cell in cells.items():
        if cell in joining:
            parent[max(root(a), root(b))] = min(root(a), root(b))
    return {name: root(name) for name in names}


def _join_sockets(box: Box, parameters: Mapping[str, str], notes: Notes) -> None:
    if len(box.sockets) < 2:
        return
    between = _BETWEEN
    if "socket_bandwidth" in parameters:
        try:
            found = RATE.read(parameters["socket_bandwidth"])
        except Unreadable as error:
            raise refused("socket_bandwidth", "invalid_parameter", str(error)) from None
        between = found.value / 10**9 if found.has_unit else found.value
        if not between:
            raise refused("socket_bandwidth", "invalid_parameter", "it is greater than zero")
    else:
        notes.say(f"between sockets (SYS) {between} GB/s are taken: say socket_bandwidth")
    for i, name in enumerate(box.sockets):
        for other in box.sockets[:i]:
            box.join(other, name, between)


def _join_gpus(
    box: Box, gpus: list[str], cells: Cells, each: Fraction, nvlinks: int, nvls: bool
) -> None:
    counts = {
        (a, b): int(cell[2:])
        for (a, b), cell in cells.items()
        if cell.startswith("NV") and a in gpus and b in gpus
    }
    all_pairs = len(counts) == len(gpus) * (len(gpus) - 1)
    if len(gpus) > _FEW and all_pairs and set(counts.values()) == {nvlinks}:
        hub = box.add(SWITCH, switch=not nvls)
        for name in gpus:
            box.join(name.lower(), hub, nvlinks * each)
        return
    for (a, b), count in counts.items():
        box.join(a.lower(), b.lower(), count * each, Fraction(0))
