"""Boxes with GPUs to a platform."""

from collections.abc import Mapping

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import limit_error, refused
from steadygrid.formats.gpu_machines.box import Box
from steadygrid.formats.gpu_machines.matrix import read_matrix
from steadygrid.formats.gpu_machines.system import SystemReader
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import check_bytes, make_platform
from steadygrid.formats.measures import choice_parameter, flag_parameter, whole_parameter
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml_tree import read_tree

_NVLS = (
    "the NVSwitch may copy and combine: a bound from above, as it sends a combined piece to all GPUs at"
    " once, and hardware gives it to one GPU first. It is a processor then, so name the GPUs as participants"
)


def import_nccl(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a topology of NCCL into a `Platform` in GB and seconds.

    Parameters
    ----------
    data
        The XML document.
    parameters
        See `NCCL`.
    limits
        `max_body_bytes`, `max_processors`, `max_links`.

    Raises
    ------
    InstanceError
        With every fault found; ``missing_parameter`` for what the file does not say.
    """
    notes = Notes()
    root = read_tree(data, limits)
    reader = SystemReader(
        parameters,
        choice_parameter(parameters, "constants", ("nominal", "nccl")) == "nominal",
        flag_parameter(parameters, "nvls"),
        notes,
    )
    box = reader.read(root)
    if reader.num_hosts > 1 and whole_parameter(parameters, "boxes", 1, 1) > 1:
        raise refused(
            "boxes",
            "invalid_parameter",
            f"the file has {reader.num_hosts} hosts (host_hash) already: leave it out",
        )
    return _finish(box, "NCCL topology", parameters, limits, notes)


def import_topo(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn what ``nvidia-smi topo -m`` prints into a `Platform` in GB and seconds.

    Parameters
    ----------
    data
        The text.
    parameters
        See `TOPO`.
    limits
        `max_body_bytes`, `max_processors`, `max_links`.

    Raises
    ------
    InstanceError
        With every fault found; ``missing_parameter`` for what the text does not say.
    """
    check_bytes(data, limits)
    notes = Notes()
    nominal = choice_parameter(parameters, "constants", ("nominal", "nccl")) == "nominal"
    box = read_matrix(data, parameters, nominal, flag_parameter(parameters, "nvls"), notes)
    return _finish(box, "nvidia-smi topology", parameters, limits, notes)


def _finish(
    box: Box, name: str, parameters: Mapping[str, str], limits: Limits, notes: Notes
) -> Imported:
    if not flag_parameter(parameters, "peer_pci", default=True):
        box = box.remove_nodes(box.sockets)
    boxes = whole_parameter(parameters, "boxes", 1, 1)
    fabric = choice_parameter(parameters, "fabric", ("switch", "rails"))
    if boxes * len(box.switches) > limits.max_processors:
        raise limit_error(boxes * len(box.switches), "processors", limits.max_processors)
    if boxes > 1:
        if not box.cards:
            raise refused("boxes", "invalid_parameter", "no card joins these boxes: leave it out")
        box = box.copies(boxes, fabric)
        notes.say(f"{boxes} boxes are joined by a fabric that never limits ({fabric})")
    if flag_parameter(parameters, "nvls"):
        notes.say(_NVLS)
    if flag_parameter(parameters, "simplify", default=True):
        box = box.simplified()
    processors, links = box.documents()
    ids = usable_ids([processor["id"] for processor in processors], notes)
    platform = make_platform(
        parameters.get("name", name),
        [{**processor, "id": ids[processor["id"]]} for processor in processors],
        [{**e, "source": ids[e["source"]], "target": ids[e["target"]]} for e in links],
        {"time": "s", "data": "GB"},
        limits,
    )
    return Imported(platform, notes.sentences())
