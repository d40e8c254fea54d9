"""Scenario-aware graphs of kernels and detectors, read in one scenario.

A detector draws its subscenarios, and tells others theirs by the values of control tokens. Here all
detectors that nothing controls stay in the subscenario that was chosen. A value chooses the scenario
of who takes it, and the only subscenario of a detector under it. A process runs one firing at a time.

Source: Theelen, Geilen, Basten, Voeten, Gheorghita, Stuijk, "A scenario-aware data flow model for
combined long-run average and worst-case performance analysis", MEMOCODE 2006.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from steadygrid.formats import xml
from steadygrid.formats.sdf3.graph import SdfActor, SdfChannel, SdfGraph
from steadygrid.formats.sdf3.scenarios import chosen
from steadygrid.formats.sdf3.sequences import times, whole_numbers
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml import Element, Misread, parse

_MOST_FAULTS = 20
PROFILE = "profile"
"""Stands for the processor whose times are taken: there are no others."""


@dataclass
class _Mode:
    """What a process does in a scenario: tokens by channel, values by control channel, times."""

    taken: dict[str, int] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    times: list[Fraction] = field(default_factory=list)


@dataclass
class _Process:
    name: str
    line: int
    detects: bool
    modes: dict[str, _Mode] = field(default_factory=dict)
    chains: dict[str, list[str]] = field(default_factory=dict)
    """Of a detector: by the value that it gets, the subscenarios that may follow."""


@dataclass
class _Channel:
    line: int
    source: str
    target: str
    controls: bool
    tokens: int = 0


def read_processes(data: bytes, scenario: str | None, notes: Notes) -> SdfGraph:
    """Read a document of type ``sadf`` in one scenario.

    Parameters
    ----------
    data
        The document as it was sent.
    scenario
        A subscenario of the detectors that nothing controls. None where none was named.
    notes
        Gets a line for each sort of thing that is changed or left out.

    Raises
    ------
    InstanceError
        The document breaks a rule of the format, no scenario of it is named, or the scenario leaves
        open what some process does.
    """
    reader = _Reader()
    parse(data, reader)
    if not reader.processes:
        reader.faults.append("line 1: there is no process: a graph has <kernel> in <structure>")
    reader.refuse_faults()
    first = [
        one for one in reader.processes.values() if one.detects and not reader.is_controlled(one)
    ]
    known = {name: None for one in first for name in one.modes}
    for one in first:
        known = {name: None for name in known if name in one.modes}
    name = ""
    if first or scenario is not None:
        name = chosen(known, scenario, first[0].line if first else 1, notes)
    modes = _modes(reader, [one.name for one in first], name)
    reader.refuse_faults()
    graph = _graph(reader, modes, notes)
    reader.refuse_faults()
    return graph


def _modes(reader: "_Reader", first: list[str], scenario: str) -> dict[str, _Mode]:
    """Say what each process does; follow what detectors tell others."""
    modes = {name: reader.processes[name].modes[scenario] for name in first}
    told: dict[str, dict[str, str]] = {}
    waiting = [*first]
    for name in waiting:
        for channel, value in modes[name].values.items():
            if not modes[name].made[channel]:
                continue
            other = reader.channels[channel].target
            told.setdefault(other, {})[channel] = value
            if other in modes:
                continue
            process = reader.processes[other]
            mode = _told_mode(process, value)
            if mode is None:
                reader.faults.append(
                    f"line {process.line}: scenario {scenario[:80]!r} does not say what {other!r:.80}"
                    f" does when it is told {value[:80]!r}: choose another scenario"
                )
                return modes
            modes[other] = mode
            if process.detects:
                waiting.append(other)
    for name, process in reader.processes.items():
        if len({*told.get(name, {}).values()}) > 1 < len(process.modes):
            reader.faults.append(
                f"line {process.line}: {name!r:.80} is told different scenarios at once, which is not"
                " represented"
            )
        if name not in modes and len(process.modes) == 1 and not reader.is_controlled(process):
            (modes[name],) = process.modes.values()
    return modes


def _told_mode(process: _Process, value: str) -> _Mode | None:
    """Give what a process does under a value. None where that is open.

    A kernel that does not know a scenario takes its token, and nothing else.
    """
    if not process.detects:
        return process.modes.get(value, _Mode())
    following = process.chains.get(value, [])
    return process.modes.get(following[0]) if len(following) == 1 else None


def _graph(reader: "_Reader", modes: dict[str, _Mode], notes: Notes) -> SdfGraph:
    """Give the actors that run in the scenario, and the channels on which tokens move."""
    graph = SdfGraph(name=reader.name, concurrency="sequential")
    for name, channel in reader.channels.items():
        ends = (channel.source, "out"), (channel.target, "in")
        made, taken = modes.get(channel.source), modes.get(channel.target)
        rates = [
            0 if made is None else made.made.get(name, 0),
            # A firing takes one token from each channel that controls it.
            0 if taken is None else 1 if channel.controls else taken.taken.get(name, 0),
        ]
        if rates == [0, 0]:
            notes.add("channels without tokens in the scenario are left out", name)
            continue
        if 0 in rates:
            done = (
                "takes tokens of {} and makes none"
                if rates[1]
                else "makes tokens of {} and takes none"
            )
            reader.faults.append(
                f"line {channel.line}: the scenario {done.format(repr(name[:80]))}: no graph can stay in it."
                " Choose another scenario"
            )
            continue
        ports = []
        for (end, direction), rate in zip(ends, rates, strict=True):
            process = reader.processes[end]
            actor = graph.actors.setdefault(end, SdfActor(end, process.line))
            port = f"{name}.{direction}"
            actor.ports[port] = direction, (rate,)
            ports.append((end, port))
        graph.channels[name] = SdfChannel(
            name, channel.line, ports[0], ports[1], channel.tokens, None
        )
    for name in reader.processes:
        if name not in graph.actors:
            notes.add("processes that never run in the scenario are left out", name)
    graph.actors = {name: graph.actors[name] for name in reader.processes if name in graph.actors}
    for name, actor in graph.actors.items():
        profile = modes[name].times if name in modes else []
        if len({*profile}) > 1:
            notes.add("of several execution times the longest is taken", name)
        actor.times[PROFILE] = (max(profile, default=Fraction(0)),)
    return graph


class _Reader(ContentHandler):
    """One method for each element that says something, named after it."""

    def __init__(self) -> None:
        super().__init__()
        self.name = ""
        self.processes: dict[str, _Process] = {}
        self.channels: dict[str, _Channel] = {}
        self.faults: list[str] = []
        self._process: _Process | None = None
        self._mode: _Mode | None = None
        self._mode_name = ""
        self._chain: list[str] = []
        self._read = {
            "sadf": self._sadf,
            "kernel": self._kernel,
            "detector": self._kernel,
            "channel": self._channel,
            "kernel_properties": self._properties,
            "detector_properties": self._properties,
            "channel_properties": self._channel_properties,
            "scenario": self._scenario,
            "subscenario": self._scenario,
            "consume": self._consume,
            "produce": self._produce,
            "profile": self._profile,
            "markov_chain": self._markov_chain,
            "state": self._state,
        }

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Read one start tag."""
        line = self._locator.getLineNumber()  # type: ignore[attr-defined]
        element = Element(name, attrs, line)
        read = self._read.get(name)
        try:
            if read is not None:
                read(element)
        except Misread as error:
            self.faults.append(f"line {line}: {element}: {error}")
            if len(self.faults) >= _MOST_FAULTS:
                self.refuse_faults()

    def is_controlled(self, process: _Process) -> bool:
        """Tell whether a process takes its scenario from others."""
        return any(one.controls and one.target == process.name for one in self.channels.values())

    def refuse_faults(self) -> None:
        """Raise what was found."""
        if self.faults:
            raise _refusal(self.faults[:_MOST_FAULTS])

    def _sadf(self, element: Element) -> None:
        self.name = element.optional("name")

    def _kernel(self, element: Element) -> None:
        name = element.text("name")
        if name in self.processes:
            raise Misread("a process of this name is there already")
        self.processes[name] = _Process(name, element.line, element.tag == "detector")

    def _channel(self, element: Element) -> None:
        name = element.text("name")
        if name in self.channels:
            raise Misread("a channel of this name is there already")
        ends = element.text("source"), element.text("destination")
        for end in ends:
            if end not in self.processes:
                raise Misread(f"there is no process {end!r:.80} above")
        controls = element.choice("type", ("data", "control"), "data") == "control"
        self.channels[name] = _Channel(element.line, *ends, controls)

    def _properties(self, element: Element) -> None:
        self._mode = None
        self._process = self.processes.get(element.text(element.tag.partition("_")[0]))
        if self._process is None:
            raise Misread("there is no such process above")

    def _channel_properties(self, element: Element) -> None:
        channel = self._channel_of(element)
        channel.tokens = _single_number("number_of_initial_tokens", element, "0")

    def _scenario(self, element: Element) -> None:
        name = element.text("name")
        if self._process is None:
            raise Misread("a scenario belongs to the properties of a process")
        if name in self._process.modes:
            raise Misread("a scenario of this name is there already")
        self._mode_name = name
        self._mode = self._process.modes[name] = _Mode()

    def _consume(self, element: Element) -> None:
        self._moved(element, "target")

    def _produce(self, element: Element) -> None:
        channel = self._moved(element, "source")
        if channel.controls and self._mode is not None:
            self._mode.values[element.text("channel")] = (
                element.optional("value") or self._mode_name
            )

    def _moved(self, element: Element, end: str) -> _Channel:
        channel = self._channel_of(element)
        if self._mode is None or self._process is None:
            raise Misread("tokens are moved in a scenario")
        if getattr(channel, end) != self._process.name:
            raise Misread(f"the process is not the {end} of this channel")
        moved = self._mode.taken if end == "target" else self._mode.made
        moved[element.text("channel")] = _single_number("tokens", element, "1")
        return channel

    def _channel_of(self, element: Element) -> _Channel:
        channel = self.channels.get(element.text("channel"))
        if channel is None:
            raise Misread("there is no such channel above")
        return channel

    def _profile(self, element: Element) -> None:
        if self._mode is None:
            raise Misread("an execution time belongs to a scenario")
        self._mode.times += times("execution_time", element.text("execution_time"))

    def _markov_chain(self, element: Element) -> None:
        if self._process is None or not self._process.detects:
            raise Misread("a Markov chain belongs to the properties of a detector")
        self._chain = self._process.chains.setdefault(element.optional("scenario"), [])

    def _state(self, element: Element) -> None:
        self._chain.append(element.text("subscenario"))


def _single_number(name: str, element: Element, default: str) -> int:
    numbers = whole_numbers(name, element.optional(name, default))
    if len(numbers) != 1:
        raise Misread(f"{name} is one number")
    return numbers[0]


def _refusal(details: list[str]) -> Exception:
    return xml.refusal(details, "invalid_sdf3")
