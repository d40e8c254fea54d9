"""Scenarios of scenario-aware graphs: which there are, and the one that a document is read in.

A graph of this sort goes from scenario to scenario, with other rates and times in each. It is read as
if it stayed in one of them for ever.

Source: Theelen, Geilen, Basten, Voeten, Gheorghita, Stuijk, "A scenario-aware data flow model for
combined long-run average and worst-case performance analysis", MEMOCODE 2006; for scenarios with a
graph each, Stuijk, Geilen, Theelen, Basten, "Scenario-aware dataflow", SAMOS 2011.
"""

from collections.abc import Mapping
from typing import NamedTuple
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from steadygrid.domain.errors import InstanceError
from steadygrid.formats import xml
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.xml import MAX_DEPTH, parse

_MOST_LISTED = 20


class Scenario(NamedTuple):
    """A scenario, and the graph that its actors run in."""

    name: str
    graph: str


class _Scenarios(ContentHandler):
    """Finds the root's type, and all elements ``scenario`` below ``scenarios``."""

    def __init__(self) -> None:
        super().__init__()
        self.type = ""
        self.line = 1
        self.graphs: dict[str, str] = {}
        self._within: list[str] = []

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Read one start tag."""
        line = self._locator.getLineNumber()  # type: ignore[attr-defined]
        if len(self._within) >= MAX_DEPTH:
            detail = f"line {line}: elements are nested deeper than {MAX_DEPTH}"
            raise refusal("invalid_sdf3", detail)
        if not self._within and name == "sdf3":
            self.type, self.line = attrs.get("type", "").strip(), line
        elif name == "scenario" and self._within[-1:] == ["scenarios"] and attrs.get("name"):
            self.graphs.setdefault(attrs["name"], attrs.get("graph", ""))
        self._within.append(name)

    def endElement(self, _name: str) -> None:  # noqa: N802
        """Leave an element."""
        self._within.pop()


def find_scenario(data: bytes, asked: str | None, notes: Notes) -> tuple[str, Scenario | None]:
    """Give the type of a document, and the scenario to read it in where each has a graph.

    Parameters
    ----------
    data
        The document as it was sent.
    asked
        Name of the scenario. None where none was named.
    notes
        Gets a line that says what is left out.

    Raises
    ------
    InstanceError
        If no scenario is named and there are some, or one is named that is not there.
    """
    found = _Scenarios()
    # Most documents are no such graphs, and need not be read twice.
    if b"sadf" in data:
        parse(data, found)
    if found.type == "fsmsadf":
        name = chosen(found.graphs, asked, found.line, notes)
        return found.type, Scenario(name, found.graphs[name])
    if asked is not None and found.type != "sadf":
        raise refusal(
            "invalid_parameter", "scenario: the graph has no scenarios: leave the parameter out"
        )
    return found.type, None


def chosen(known: Mapping[str, object], asked: str | None, line: int, notes: Notes) -> str:
    """Give the scenario that was asked for.

    Parameters
    ----------
    known
        All scenarios, by name.
    asked
        Name of the scenario. None where none was named.
    line
        Of the graph.
    notes
        Gets a line that says what is left out.

    Raises
    ------
    InstanceError
        If no scenario is named, or one that is not there; it lists them.
    """
    if not known:
        raise refusal("invalid_sdf3", f"line {line}: a scenario-aware graph has no scenario")
    listed = ", ".join(name[:80] for name in [*known][:_MOST_LISTED])
    if len(known) > _MOST_LISTED:
        listed += f" and {len(known) - _MOST_LISTED:,} more"
    if asked is None:
        raise refusal(
            "scenario_missing",
            f"line {line}: the rates and times of this graph depend on a scenario: choose one by the"
            f" parameter scenario, of {listed}",
        )
    if asked not in known:
        raise refusal("invalid_parameter", f"scenario: one of {listed}, not {asked!r:.80}")
    notes.say(
        f"the graph stays in scenario {asked[:80]} for ever. How it goes from one to another is left out"
    )
    return asked


def refusal(code: str, detail: str) -> InstanceError:
    """Make the error for one fault.

    Parameters
    ----------
    code
        Stable name of the fault.
    detail
        A sentence.
    """
    return xml.refusal([detail], code)
