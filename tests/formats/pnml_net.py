"""PNML read back: its grammar as far as we write it, and how often the net turns."""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from defusedxml import ElementTree

GRAMMAR = "http://www.pnml.org/version-2009/grammar"
NAMESPACE = f"{{{GRAMMAR}/pnml}}"
NCNAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
CONTENT = {
    "pnml": ((), "net+"),
    "net": (("id", "type"), "name toolspecific page"),
    "page": (("id",), "transition* place* arc*"),
    "transition": (("id",), "name toolspecific"),
    "place": (("id",), "name initialMarking?"),
    "arc": (("id", "source", "target"), ""),
    "name": ((), "text"),
    "initialMarking": ((), "text"),
    "toolspecific": (("tool", "version"), "rows|delay"),
    "text": ((), ""),
    "rows": ((), ""),
    "delay": ((), ""),
}


class Place(NamedTuple):
    name: str
    before: str
    after: str
    tokens: int


class Net(NamedTuple):
    name: str
    rows: int
    delays: dict[str, Fraction]
    names: dict[str, str]
    """Of transitions."""
    places: list[Place]


def read(text: str) -> Net:
    """Read a net, each place of which is between two transitions."""
    root = ElementTree.fromstring(text.encode())
    ids: set[str] = set()
    _check(root, ids)
    (net,) = root
    assert net.get("type") == f"{GRAMMAR}/ptnet"
    page = _only(net, "page")
    transitions = list(page.iter(f"{NAMESPACE}transition"))
    into: dict[str, list[str]] = {}
    out: dict[str, list[str]] = {}
    held = {place.get("id"): place for place in page.iter(f"{NAMESPACE}place")}
    known = {transition.get("id") for transition in transitions}
    for arc in page.iter(f"{NAMESPACE}arc"):
        source, target = arc.get("source"), arc.get("target")
        if source in known:
            assert target in held
            into.setdefault(target, []).append(source)
        else:
            assert source in held
            assert target in known
            out.setdefault(source, []).append(target)
    places = []
    for name, place in held.items():
        (before,), (after,) = into[name], out[name]
        marking = place.find(f"{NAMESPACE}initialMarking")
        tokens = 0 if marking is None else int(_text(marking))
        places.append(Place(_text(_only(place, "name")), before, after, tokens))
    return Net(
        _text(_only(net, "name")),
        int(_own(net, "rows")),
        {one.get("id"): Fraction(_own(one, "delay")) for one in transitions},
        {one.get("id"): _text(_only(one, "name")) for one in transitions},
        places,
    )


def _check(element: Any, ids: set[str]) -> None:
    assert element.tag.startswith(NAMESPACE)
    tag = element.tag.removeprefix(NAMESPACE)
    attributes, content = CONTENT[tag]
    assert tuple(element.attrib) == attributes
    children = "".join(f"{child.tag.removeprefix(NAMESPACE)} " for child in element)
    pattern = "".join(
        f"(?:(?:{part.rstrip('*+?')}) ){part[-1] if part[-1] in '*+?' else ''}"
        for part in content.split()
    )
    assert re.fullmatch(pattern, children)
    if "id" in attributes:
        own = element.get("id")
        assert NCNAME.fullmatch(own)
        assert own not in ids
        ids.add(own)
    for child in element:
        _check(child, ids)


def _only(element: Any, tag: str) -> Any:
    (found,) = element.findall(f"{NAMESPACE}{tag}")
    return found


def _text(element: Any) -> str:
    text: str = _only(element, "text").text
    return text


def _own(element: Any, tag: str) -> str:
    tool = _only(element, "toolspecific")
    assert (tool.get("tool"), tool.get("version")) == ("steadygrid", "1")
    text: str = _only(tool, tag).text
    return text


def period(net: Net) -> Fraction:
    """Find the largest ratio of delays to tokens of any circuit, by Karp's theorem.

    From each token to the next ones leads a longest way without tokens; the largest mean weight of
    a cycle of tokens is what is looked for. A circuit without any token would never turn.
    """
    assert {place.tokens for place in net.places} <= {0, 1}
    scale = lcm(*(delay.denominator for delay in net.delays.values()))
    marked = [place for place in net.places if place.tokens]
    order = list(_order(net))
    leaving: dict[str, list[str]] = {name: [] for name in net.delays}
    for place in net.places:
        if not place.tokens:
            leaving[place.before].append(place.after)
    ways: list[list[tuple[int, int]]] = [[] for _ in marked]
    for i, place in enumerate(marked):
        ended = {place.after: int(net.delays[place.after] * scale)}
        for name in order:
            for after in leaving[name] if name in ended else ():
                end = ended[name] + int(net.delays[after] * scale)
                ended[after] = max(end, ended.get(after, end))
        for j, other in enumerate(marked):
            if other.before in ended:
                ways[j].append((i, ended[other.before]))
    longest: list[list[int | None]] = [[0] * len(marked)]
    for _ in marked:
        last = longest[-1]
        longest.append(
            [
                max((last[i] + time for i, time in ways[j] if last[i] is not None), default=None)
                for j in range(len(marked))
            ]
        )
    n = len(marked)
    means = [
        min(Fraction(end - longest[k][j], n - k) for k in range(n) if longest[k][j] is not None)
        for j, end in enumerate(longest[n])
        if end is not None
    ]
    return max(means) / scale


def _order(net: Net) -> Iterator[str]:
    """List the transitions so that places without tokens lead forward."""
    missing = dict.fromkeys(net.delays, 0)
    after: dict[str, list[str]] = {name: [] for name in net.delays}
    for place in net.places:
        if not place.tokens:
            missing[place.after] += 1
            after[place.before].append(place.after)
    ready = [name for name, number in missing.items() if not number]
    for name in ready:
        yield name
        for other in after[name]:
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    assert len(ready) == len(missing)
