"""SDF3 to actors and channels, element by element."""

import re
from collections.abc import Callable, Sequence
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats import xml
from steadygrid.formats.sdf3.graph import SdfActor, SdfChannel, SdfGraph
from steadygrid.formats.sdf3.initial_phases import fire_initial_phases, split_phases
from steadygrid.formats.sdf3.processes import read_processes
from steadygrid.formats.sdf3.scenarios import Scenario, find_scenario
from steadygrid.formats.sdf3.sequences import times, whole_numbers
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml import MAX_DEPTH, Element, Misread, parse

_MOST_FAULTS = 20
_MOST_VALUES = 2_000_000
"""Rates and times of a document, written out."""
_LEFT_OUT = {
    "tokenSize": "sizes of tokens are left out",
    "memory": "memories are left out",
    "stateSize": "memories are left out",
    "bandwidth": "bandwidths are left out",
    "latency": "latencies are left out",
    "bufferSize": "buffer sizes of channel properties are left out. What limits a channel is its own size",
    "timeConstraints": "constraints are left out",
    "throughput": "constraints are left out",
    "architectureGraph": "architectures are left out",
    "mapping": "mappings are left out",
    "messagesSet": "messages are left out",
    "systemUsage": "loads of systems are left out",
    "storageDistributions": "buffer sizes of scenarios are left out",
}
_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)


def refusal(details: Sequence[str], code: str = "invalid_sdf3") -> InstanceError:
    """Make the error for one or more faults, each a sentence that begins with its line.

    Parameters
    ----------
    details
        A sentence for each fault, which begins with its line.
    code
        Stable name of the fault.
    """
    return xml.refusal(details, code)


def read_graph(data: bytes, limits: Limits, notes: Notes, scenario: str | None = None) -> SdfGraph:
    """Read a document.

    Parameters
    ----------
    data
        The document as it was sent.
    limits
        Largest document, and number of rates and times, to accept.
    notes
        Gets a line for each sort of thing that is changed or left out.
    scenario
        Name of the scenario in which a scenario-aware graph is read.

    Raises
    ------
    InstanceError
        The XML is malformed, breaks a rule of the format, or is a scenario-aware graph without the
        name of one of its scenarios.
    LimitError
        More bytes, or more rates and times, than are accepted.
    """
    if len(data) > limits.max_body_bytes:
        raise _limit_error(len(data), "bytes", limits.max_body_bytes)
    sort, found = find_scenario(data, scenario, notes)
    if sort == "sadf":
        return read_processes(data, scenario, notes)
    reader = _Reader(notes, found)
    parse(data, reader)
    if not reader.faults and not reader.graph.actors:
        where = (
            "<sdf> or <csdf> in <sdf3>" if found is None else f"scenario graph {found.graph!r:.80}"
        )
        reader.faults.append(f"line 1: there is no actor: a graph is {where}")
    reader.check_ends()
    reader.faults += [] if reader.faults else fire_initial_phases(reader.graph)
    if reader.faults:
        raise refusal(reader.faults[:_MOST_FAULTS])
    return reader.graph


def _limit_error(number: int, noun: str, limit: int) -> LimitError:
    detail = f"{number:,} {noun}. At most {limit:,} are accepted"
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])


class _Reader(ContentHandler):
    """One method for each element that says something, named after it."""

    def __init__(self, notes: Notes, scenario: Scenario | None) -> None:
        super().__init__()
        self.graph = SdfGraph()
        self.faults: list[str] = []
        self._notes, self._scenario = notes, scenario
        self._skipped_from = MAX_DEPTH + 1
        self._depth = 0
        self._actor: SdfActor | None = None
        self._processor: str | None = None
        self._values = 0
        self._graphs = 0
        self._timed: set[tuple[str, str]] = set()
        self._read: dict[str, Callable[[Element], None]] = {
            "sdf3": self._sdf3,
            "applicationGraph": self._application_graph,
            "sdf": self._sdf,
            "csdf": self._sdf,
            "actor": self._an_actor,
            "port": self._port,
            "channel": self._channel,
            "sdfProperties": self._nothing,
            "csdfProperties": self._nothing,
            "actorProperties": self._actor_properties,
            "processor": self._a_processor,
            "executionTime": self._execution_time,
            "channelProperties": self._nothing,
            "graphProperties": self._nothing,
        }
        if scenario is not None:
            nothing = ("fsmsadf", "fsmsadfProperties", "defaultProperties", "scenarios")
            self._read |= dict.fromkeys(nothing, self._nothing)
            self._read |= dict.fromkeys(("scenariograph", "scenario"), self._of_scenario)
            # The note that names the scenario says it.
            self._read |= dict.fromkeys(("fsm", "state", "transition"), self._nothing)

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Read one start tag."""
        self._depth += 1
        line = self._locator.getLineNumber()  # type: ignore[attr-defined]
        element = Element(name, attrs, line)
        if self._depth > MAX_DEPTH:
            raise refusal([f"line {line}: elements are nested deeper than {MAX_DEPTH}"])
        if self._depth == 1 and name != "sdf3":
            raise refusal([f"line {line}: the document is {element}, not <sdf3>"])
        if self._depth > self._skipped_from:
            return
        read = self._read.get(name)
        try:
            if read is None:
                sentence = _LEFT_OUT.get(name, "elements that we do not know are left out")
                self._notes.add(sentence, f"<{name[:40]}> in line {line}")
            else:
                read(element)
        except Misread as error:
            self._fault(f"line {line}: {element}: {error}")

    def endElement(self, name: str) -> None:  # noqa: N802
        """Leave an element."""
        if self._depth == self._skipped_from:
            self._skipped_from = MAX_DEPTH + 1
        self._depth -= 1
        if name in ("actor", "actorProperties"):
            self._actor = None
        elif name == "processor":
            self._processor = None

    def check_ends(self) -> None:
        """Find the ports of all channels, once all actors are known."""
        used: dict[tuple[str, str], str] = {}
        for channel in self.graph.channels.values():
            for end, direction in ((channel.source, "out"), (channel.target, "in")):
                fault = self._fault_of(end, direction)
                if fault is None and end in used:
                    fault = f"port {end[1]!r:.80} already belongs to channel {used[end]!r:.80}"
                if fault is not None:
                    self._fault(f"line {channel.line}: channel {channel.name!r:.80}: {fault}")
                used[end] = channel.name
        for actor in self.graph.actors.values():
            for port in actor.ports:
                if (actor.name, port) not in used:
                    self._notes.add("ports without a channel are left out", f"{actor.name}.{port}")

    def _fault_of(self, end: tuple[str, str], direction: str) -> str | None:
        actor = self.graph.actors.get(end[0])
        if actor is None:
            return f"there is no actor {end[0]!r:.80}"
        port = actor.ports.get(end[1])
        if port is None:
            return f"actor {end[0]!r:.80} has no port {end[1]!r:.80}"
        if port[0] != direction:
            return f"port {end[1]!r:.80} of actor {end[0]!r:.80} is not of type {direction}"
        return None

    def _fault(self, detail: str) -> None:
        self.faults.append(detail)
        if len(self.faults) >= _MOST_FAULTS:
            raise refusal(self.faults)

    def _nothing(self, element: Element) -> None:
        """Look only at what is inside."""

    def _sdf3(self, element: Element) -> None:
        element.choice("type", ("sdf", "csdf", "sadf", "fsmsadf"), "sdf")

    def _application_graph(self, element: Element) -> None:
        self._graphs += 1
        if self._graphs > 1:
            raise Misread("a document has one application graph: split it")
        self.graph.name = element.optional("name")

    def _sdf(self, element: Element) -> None:
        self.graph.name = self.graph.name or element.optional("name")

    def _of_scenario(self, element: Element) -> None:
        """Read the scenario and its graph; skip all others."""
        assert self._scenario is not None
        graph = element.tag == "scenariograph"
        if element.text("name") != (self._scenario.graph if graph else self._scenario.name):
            self._skipped_from = self._depth
        elif not graph:
            # What the scenario says stands in place of what holds for all of them.
            self._timed.clear()

    def _an_actor(self, element: Element) -> None:
        name = element.text("name")
        if name in self.graph.actors:
            raise Misread("an actor of this name is there already")
        self._actor = self.graph.actors[name] = SdfActor(name, element.line)

    def _port(self, element: Element) -> None:
        if self._actor is None:
            raise Misread("a port belongs to an actor")
        name = element.text("name")
        if name in self._actor.ports:
            raise Misread("a port of this name is there already")
        direction = element.choice("type", ("in", "out"), "")
        initial, repeated = split_phases(element.text("rate"))
        rates = whole_numbers("rate", repeated)
        if initial.strip():
            self._actor.initial[name] = whole_numbers("rate", initial)
            self._count(len(self._actor.initial[name]))
            self._notes.add(
                "initial_phases: initial phases are left out. Tokens are those that they leave",
                f"{self._actor.name}.{name}",
            )
        self._count(len(rates))
        self._actor.ports[name] = direction, rates

    def _channel(self, element: Element) -> None:
        name = element.text("name")
        if name in self.graph.channels:
            raise Misread("a channel of this name is there already")
        self.graph.channels[name] = SdfChannel(
            name,
            element.line,
            (element.text("srcActor"), element.text("srcPort")),
            (element.text("dstActor"), element.text("dstPort")),
            _number(element, "initialTokens") or 0,
            _number(element, "size"),
        )

    def _actor_properties(self, element: Element) -> None:
        name = element.text("actor")
        self._actor = self.graph.actors.get(name)
        if self._actor is None:
            if self._scenario is None:
                raise Misread("there is no such actor above")
            # Of another scenario's graph.
            self._skipped_from = self._depth

    def _a_processor(self, element: Element) -> None:
        if self._actor is None:
            raise Misread("the times of a processor belong to the properties of an actor")
        self._processor = element.text("type")
        if element.choice("default", ("true", "false", "1", "0"), "false") in ("true", "1"):
            self._actor.defaults.append(self._processor)

    def _execution_time(self, element: Element) -> None:
        if self._actor is None or self._processor is None:
            raise Misread("an execution time belongs to a processor")
        _, repeated = split_phases(element.text("time"))
        found = times("time", repeated)
        self._count(len(found))
        if (self._actor.name, self._processor) in self._timed:
            raise Misread(
                f"actor {self._actor.name!r:.80} has a time on {self._processor!r:.80} already"
            )
        self._actor.times[self._processor] = found
        self._timed.add((self._actor.name, self._processor))

    def _count(self, values: int) -> None:
        self._values += values
        if self._values > _MOST_VALUES:
            raise _limit_error(self._values, "rates and times", _MOST_VALUES)


def _number(element: Element, name: str) -> int | None:
    text = element.optional(name).strip()
    if not text:
        return None
    if not _WHOLE.fullmatch(text):
        raise Misread(f"{name}={text[:80]!r} is not a whole number of at most 16 digits")
    return int(text)
