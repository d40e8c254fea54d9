"""The XML of NCCL to a box."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.gpu_machines.box import Box
from steadygrid.formats.gpu_machines.constants import (
    ASSUMED_RATE,
    DEFAULT_NET,
    GENERATIONS,
    SKIPPED,
    knows_rate,
    nvlink_bandwidth,
    pcie_bandwidth,
    socket_bandwidth,
)
from steadygrid.formats.measures import RATE, Unreadable, exact, whole_parameter
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml_tree import XMLNode

SWITCH = "nvswitch"
_GPU, _CARD, _NVSWITCH, _CPU = "0x03", "0x02", "0x0680", "0x068001"
_WHOLE = re.compile(r"(?:0[xX][0-9a-fA-F]{1,8}|[0-9]{1,9})")


class SystemReader:
    """Reads the elements of one document.

    Parameters
    ----------
    parameters
        ``gpu``, ``sm``, ``nvlinks`` and ``net_speed``.
    nominal
        Whether numbers are those of data sheets.
    nvls
        Whether the NVSwitch is a processor.
    notes
        Gets what is assumed.
    """

    def __init__(
        self, parameters: Mapping[str, str], nominal: bool, nvls: bool, notes: Notes
    ) -> None:
        self._nominal = nominal
        self._nvls = nvls
        self._notes = notes
        self._faults = FaultList()
        generation = GENERATIONS.get(parameters.get("gpu", "").lower())
        if "gpu" in parameters and generation is None:
            raise refused(
                "gpu",
                "invalid_parameter",
                f"{parameters['gpu'][:40]!r} is none of {', '.join(GENERATIONS)}: say sm and nvlinks",
            )
        self._sm = generation.sm if generation else None
        self._count = generation.nvlinks if generation else None
        if "sm" in parameters:
            self._sm = whole_parameter(parameters, "sm", 0, 1)
        if "nvlinks" in parameters:
            self._count = whole_parameter(parameters, "nvlinks", 0, 0)
        self._net_speed = net_speed(parameters)
        self.box = Box()
        self.num_hosts = 1
        self._before = ""
        self._gpus: list[tuple[str, XMLNode, str]] = []
        """Name, its element of the bus, and the socket that it hangs on."""
        self._name_by_bus: dict[str, str] = {}

    def read(self, root: XMLNode) -> Box:
        """Read a document.

        Parameters
        ----------
        root
            The element ``system``.

        Raises
        ------
        InstanceError
            With every fault found, each with its line.
        """
        if root.tag != "system":
            raise refused(root.line, "missing", "the root element of NCCL's topology is <system>")
        sockets = list(root.children_named("cpu"))
        hosts = list(dict.fromkeys(socket.get("host_hash") for socket in sockets))
        self.num_hosts = max(1, len(hosts))
        order = self._numbers_by_bus(sockets)
        if not order:
            raise refused(
                "gpu",
                "missing_parameter",
                "no element of the file is a GPU (class 0x03...), so nothing is known of this machine:"
                " let a running NCCL write its topology (NCCL_TOPO_DUMP_FILE)",
            )
        last: dict[str, list[tuple[str, Fraction]]] = {}
        for socket in sockets:
            host = socket.get("host_hash")
            self._before = f"host{hosts.index(host)}." if len(hosts) > 1 else ""
            name = self.box.add(f"{self._before}cpu{socket.get('numaid')}")
            rate = self._socket_rate(socket)
            for other, its in last.setdefault(host, []):
                self.box.join(other, name, min(rate, its))
            last[host].append((name, rate))
            self.box.sockets.append(name)
            for child in socket.children_named("pci"):
                self._read_bus(child, name, name, order)
            for nic in socket.children_named("nic"):
                self._read_own_card(nic, name)
        if any(len(each) > 1 for each in last.values()):
            self._notes.say(
                "between sockets the constants of NCCL are taken, by vendor and model: measure them if"
                " they count"
            )
        self._read_nvlinks()
        self._faults.stop()
        return self.box

    def _numbers_by_bus(self, sockets: list[XMLNode]) -> dict[str, int]:
        """Give each GPU its number by its bus, as the driver does."""
        buses = [
            (element.get("busid").lower(), element.line)
            for socket in sockets
            for element in _buses(socket)
            if _is_gpu(element)
        ]
        order = {bus: i for i, bus in enumerate(sorted({bus for bus, _ in buses}))}
        seen: set[str] = set()
        for bus, line in buses:
            if bus in seen or not bus:
                self._faults.add(
                    line, "duplicate_processor", f"busid {bus[:40]!r} is no bus of its own"
                )
            seen.add(bus)
        self._faults.stop()
        return order

    def _socket_rate(self, socket: XMLNode) -> Fraction:
        found = socket_bandwidth(
            socket.get("arch"),
            socket.get("vendor"),
            self._whole(socket, "familyid"),
            self._whole(socket, "modelid"),
        )
        if found is not None:
            return found
        self._notes.add(
            "sockets of an unknown sort never limit, as NCCL has it", f"line {socket.line}"
        )
        return SKIPPED

    # --- PCIe ----------------------------------------------------------------------------

    def _read_bus(
        self, element: XMLNode, parent: str, socket: str, order: Mapping[str, int]
    ) -> None:
        bus = element.get("busid")
        rate = self._pcie(element)
        nic = element.first("nic")
        if _is_gpu(element):
            gpu = element.first("gpu")
            number = order[bus.lower()]
            if gpu is not None and gpu.get("dev"):
                number = self._whole(gpu, "dev")
            name = f"{self._before}gpu{number}"
            if name in self.box.switches:
                detail = f"two GPUs are number {number}: each has a dev of its own"
                self._faults.add(element.line, "duplicate_processor", detail)
                return
            self.box.add(name, switch=False)
            self._name_by_bus[bus.lower()] = name
            self.box.join(name, parent, rate)
            self._gpus.append((name, element, socket))
        elif nic is not None or element.get("class").lower().startswith(_CARD):
            name = self.box.add(f"{self._before}card-{bus}")
            self.box.join(name, parent, rate)
            self._read_nets(element, nic, name)
        else:
            name = self.box.add(f"{self._before}pci-{bus}")
            self.box.join(name, parent, rate)
            for child in element.children_named("pci"):
                self._read_bus(child, name, socket, order)

    def _pcie(self, element: XMLNode) -> Fraction:
        lanes = self._whole(element, "link_width")
        if not lanes:
            lanes = 16
            self._notes.add(
                "without a link_width there are 16 lanes, as NCCL has it", element.get("busid")
            )
        words = element.get("link_speed").split()
        try:
            rate = exact(words[0]) if words else Fraction(0)
        except Unreadable:
            rate = Fraction(0)
        if not knows_rate(rate):
            rate = ASSUMED_RATE
            self._notes.add(
                "without a link_speed that is known PCIe has 8 GT/s, as NCCL has it",
                element.get("busid"),
            )
        return pcie_bandwidth(rate, lanes, self._nominal)

    def _read_own_card(self, nic: XMLNode, socket: str) -> None:
        for net in nic.children_named("net"):
            name = self.box.add(f"{self._before}card-{net.get('name') or net.get('dev')}")
            self.box.join(name, socket, SKIPPED)
            self._read_net(net, name)

    def _read_nets(self, element: XMLNode, nic: XMLNode | None, name: str) -> None:
        nets = list(nic.children_named("net")) if nic is not None else []
        for net in nets:
            self._read_net(net, name)
        if nets:
            return
        if self._net_speed is None:
            raise refused(
                element.line,
                "missing_parameter",
                f"network card {element.get('busid')[:40]} does not say its speed: say net_speed in"
                " Mbit/s, such as 400000",
            )
        self.box.cards.append((name, self._net_speed / 8000))

    def _read_net(self, net: XMLNode, name: str) -> None:
        text = net.get("speed").strip()
        speed = Fraction(0) if text.startswith("-") else Fraction(self._whole(net, "speed"))
        if not speed:
            speed = DEFAULT_NET
            self._notes.add("cards without a speed have 10 Gbit/s, as NCCL has it", net.get("name"))
        self.box.cards.append((name, speed / 8000))

    # --- NVLinks -------------------------------------------------------------------------

    def _read_nvlinks(self) -> None:
        told = {name: self._nvlinks(element) for name, element, _ in self._gpus}
        if not any(told.values()):
            self._say_nvlinks()
            return
        for name, element, socket in self._gpus:
            if not told[name]:
                self._notes.add(
                    "a GPU has no NVLink, and others have: a known cause of slow runs", name
                )
            for nvlink in told[name]:
                self._read_nvlink(name, element, socket, nvlink)
        for name, element, socket in self._gpus:
            gpu = element.first("gpu")
            for chip in gpu.children_named("c2c") if gpu is not None else ():
                rate = Fraction(self._whole(chip, "bw") * self._whole(chip, "count"), 1000)
                if rate:
                    self.box.join(name, socket, rate)
                self._notes.add("c2c is read as a link to the CPU", name)

    @staticmethod
    def _nvlinks(element: XMLNode) -> list[XMLNode]:
        gpu = element.first("gpu")
        return list(gpu.children_named("nvlink")) if gpu is not None else []

    def _say_nvlinks(self) -> None:
        """Take NVLinks that the file does not say, but the parameters do."""
        if self._count is None:
            raise refused(
                "gpu",
                "missing_parameter",
                f"the {len(self._gpus)} GPUs have no nvlink, as NCCL finds them while it runs: say gpu"
                f" ({', '.join(GENERATIONS)}), or nvlinks=0 for PCIe alone",
            )
        if not self._count:
            return
        self._notes.say(
            f"NVLinks are not in the file: {self._count} from each GPU to one NVSwitch, as said"
        )
        for name, element, _ in self._gpus:
            self._to_switch(name, self._count * self._link_rate(name, element))

    def _link_rate(self, name: str, element: XMLNode) -> Fraction:
        gpu = element.first("gpu")
        sm = self._whole(gpu, "sm") if gpu is not None and gpu.get("sm") else self._sm
        if sm is None:
            raise refused(
                element.line, "missing_parameter", f"{name} does not say its sm: say sm, such as 90"
            )
        return nvlink_bandwidth(sm, self._nominal)

    def _to_switch(self, name: str, rate: Fraction) -> None:
        self.box.join(name, self.box.add(SWITCH, switch=not self._nvls), rate)

    def _read_nvlink(self, name: str, element: XMLNode, socket: str, nvlink: XMLNode) -> None:
        rate = self._whole(nvlink, "count") * self._link_rate(name, element)
        target, sort = nvlink.get("target").lower(), nvlink.get("tclass").lower()
        if not rate:
            return
        if sort.startswith(_GPU):
            other = self._name_by_bus.get(target)
            if other == name:
                self._notes.add("an NVLink of a GPU to itself is left out", name)
            elif other is None:
                self._notes.add("an NVLink to a GPU that is not in the file is left out", name)
            else:
                self.box.join(name, other, rate, Fraction(0))
        elif sort.startswith(_CPU):
            self.box.join(name, socket, rate)
        elif sort.startswith(_NVSWITCH):
            self._to_switch(name, rate)
        else:
            detail = f"tclass {sort[:40]!r} is neither a GPU, a CPU nor an NVSwitch"
            self._faults.add(nvlink.line, "unknown_class", detail)

    def _whole(self, element: XMLNode, name: str) -> int:
        """Give an attribute that is a whole number; 0 where it is left out."""
        text = element.get(name).strip()
        if not text:
            return 0
        if not _WHOLE.fullmatch(text):
            detail = f"{name}={text[:40]!r} is no whole number"
            self._faults.add(element.line, "not_a_rational", detail)
            return 0
        return int(text, 0) if text[:2].lower() == "0x" else int(text)


def net_speed(parameters: Mapping[str, str]) -> Fraction | None:
    """Give the Mbit/s of cards that are said. None where nothing is.

    Parameters
    ----------
    parameters
        May have ``net_speed``: a number, or one with a unit.
    """
    if "net_speed" not in parameters:
        return None
    try:
        found = RATE.read(parameters["net_speed"])
    except Unreadable as error:
        raise refused("net_speed", "invalid_parameter", str(error)) from None
    speed = found.value * 8 / 10**6 if found.has_unit else found.value
    if not speed:
        raise refused("net_speed", "invalid_parameter", "it is greater than zero")
    return speed


def _is_gpu(element: XMLNode) -> bool:
    return element.first("gpu") is not None or element.get("class").lower().startswith(_GPU)


def _buses(socket: XMLNode) -> Iterator[XMLNode]:
    for child in socket.children_named("pci"):
        yield child
        yield from _buses(child)
