"""DOT (Graphviz) to a graph: its grammar but for text in HTML and ports, which do not describe machines."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import limit_error, refused
from steadygrid.formats.graphs.graph import Graph, GraphEdge

MAX_DEPTH = 64
"""Deepest nesting of subgraphs."""
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n\ufeff]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")'
    r"|(?P<arrow>->|--)"
    r"|(?P<number>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?))(?![A-Za-z_])"
    r"|(?P<word>[A-Za-z0-9_\x80-\U0010ffff][\w.]*)"
    r"|(?P<sign>[{}\[\];,=:+])",
    re.DOTALL,
)
_KEYWORDS = ("strict", "graph", "digraph", "node", "edge", "subgraph")
_OPENING = re.compile(
    r"(?:\s|//[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*(strict\s+)?(di)?graph\b[^;=]*?\{",
    re.IGNORECASE,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def looks_like_dot(data: bytes) -> bool:
    """Whether a document begins as a graph in DOT.

    Parameters
    ----------
    data
        The document.
    """
    return _OPENING.match(data[:65536].decode("utf-8-sig", "replace")) is not None


def looks_directed(data: bytes) -> bool:
    """Whether a document begins as a directed graph in DOT.

    Parameters
    ----------
    data
        The document.
    """
    found = _OPENING.match(data[:65536].decode("utf-8-sig", "replace"))
    return found is not None and found[2] is not None


def read_dot(data: bytes, limits: Limits) -> Graph:
    """Read the first graph of a document.

    Parameters
    ----------
    data
        UTF-8.
    limits
        `max_body_bytes`; `max_links` bounds the edges.

    Raises
    ------
    InstanceError
        ``malformed_dot``, with the line.
    LimitError
        There are too many edges.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _malformed(line, "this is no text in UTF-8: save it as that") from None
    return _Parser(text, limits).parse()


def _malformed(line: int, detail: str) -> InstanceError:
    return refused(line, "malformed_dot", detail)


def _tokens(text: str) -> Iterator[_Token]:
    at, line, size = 0, 1, len(text)
    while at < size:
        if text[at] == "#" and (at == 0 or text[at - 1] == "\n"):
            at = end if (end := text.find("\n", at)) >= 0 else size
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            hint = ": text in HTML is not read" if text[at] == "<" else ""
            raise _malformed(line, f"{text[at]!r} is not expected here{hint}")
        kind = found.lastgroup or ""
        if kind != "space":
            yield _Token(kind, found[0], line)
        line += found[0].count("\n")
        at = found.end()
    yield _Token("end", "", line)


class _Parser:
    def __init__(self, text: str, limits: Limits) -> None:
        self._tokens = _tokens(text)
        self._next = next(self._tokens)
        self._most = limits.max_links
        self._graph = Graph(directed=False)

    def parse(self) -> Graph:
        self._take_word("strict")
        if self._take_word("digraph"):
            self._graph.directed = True
        elif not self._take_word("graph"):
            raise _malformed(self._next.line, "expected graph or digraph")
        if not self._sees("{"):
            self._graph.name = self._name()
        self._block({}, {}, 0)
        return self._graph

    # --- statements ----------------------------------------------------------------------

    def _block(self, nodes: Mapping[str, str], edges: Mapping[str, str], depth: int) -> list[str]:
        """Read what stands in braces; give the nodes that it names."""
        if depth >= MAX_DEPTH:
            raise _malformed(self._next.line, f"at most {MAX_DEPTH} subgraphs are nested")
        self._expect("{")
        defaults = {"node": dict(nodes), "edge": dict(edges), "graph": {}}
        named: dict[str, None] = {}
        while not self._sees("}"):
            if self._next.kind == "end":
                raise _malformed(self._next.line, "the graph does not end: a } is missing")
            if self._sees(";") or self._sees(","):
                self._advance()
                continue
            named |= dict.fromkeys(self._statement(defaults, depth))
        self._advance()
        return list(named)

    def _statement(self, defaults: dict[str, dict[str, str]], depth: int) -> list[str]:
        word = self._next.text.lower() if self._next.kind == "word" else ""
        if word in defaults:
            self._advance()
            if self._sees("="):
                self._advance()
                self._name()
            else:
                defaults[word] |= self._attributes()
            return []
        ends, is_subgraph, line = self._ends(defaults, depth)
        if self._sees("=") and not is_subgraph:
            self._advance()
            self._name()
            return []
        groups = [ends]
        while self._next.kind == "arrow":
            if (self._next.text == "->") != self._graph.directed:
                wanted = "->" if self._graph.directed else "--"
                raise _malformed(self._next.line, f"expected {wanted} in this sort of graph")
            self._advance()
            groups.append(self._ends(defaults, depth)[0])
        attributes = self._attributes()
        named = [name for group in groups for name in group]
        for name in named:
            own = attributes if len(groups) == 1 and not is_subgraph else {}
            there = name in self._graph.nodes
            self._graph.add_node(name, own if there else defaults["node"] | own, line)
        for sources, targets in pairwise(groups):
            self._join(sources, targets, defaults["edge"] | attributes, line)
        return named

    def _join(
        self, sources: list[str], targets: list[str], attributes: Mapping[str, str], line: int
    ) -> None:
        if len(self._graph.edges) + len(sources) * len(targets) > self._most:
            raise limit_error(
                len(self._graph.edges) + len(sources) * len(targets), "edges", self._most
            )
        self._graph.edges += [GraphEdge(a, b, attributes, line) for a in sources for b in targets]

    def _ends(
        self, defaults: Mapping[str, Mapping[str, str]], depth: int
    ) -> tuple[list[str], bool, int]:
        """Read one side of an edge: a node, or all nodes of a subgraph."""
        line = self._next.line
        if self._take_word("subgraph"):
            if not self._sees("{"):
                self._name()
            return self._block(defaults["node"], defaults["edge"], depth + 1), True, line
        if self._sees("{"):
            return self._block(defaults["node"], defaults["edge"], depth + 1), True, line
        name = self._name()
        for _ in range(2):  # a port, and where on it
            if self._sees(":"):
                self._advance()
                self._name()
        return [name], False, line

    def _attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self._sees("["):
            self._advance()
            while not self._sees("]"):
                if self._sees(",") or self._sees(";"):
                    self._advance()
                    continue
                name = self._name()
                value = "true"
                if self._sees("="):
                    self._advance()
                    value = self._name()
                found[name] = value
            self._advance()
        return found

    # --- tokens --------------------------------------------------------------------------

    def _name(self) -> str:
        token = self._next
        if token.kind not in ("word", "number", "quoted"):
            shown = repr(token.text) if token.text else "the end"
            raise _malformed(token.line, f"expected a name, not {shown}")
        self._advance()
        if token.kind != "quoted":
            return token.text
        text = _unquoted(token.text)
        while self._sees("+"):
            self._advance()
            if self._next.kind != "quoted":
                raise _malformed(self._next.line, "expected text in quotes behind +")
            text += _unquoted(self._next.text)
            self._advance()
        return text

    def _take_word(self, word: str) -> bool:
        if self._next.kind == "word" and self._next.text.lower() == word:
            self._advance()
            return True
        return False

    def _sees(self, sign: str) -> bool:
        return self._next.kind == "sign" and self._next.text == sign

    def _expect(self, sign: str) -> None:
        if not self._sees(sign):
            raise _malformed(self._next.line, f"expected {sign}, not {self._next.text[:40]!r}")
        self._advance()

    def _advance(self) -> None:
        self._next = next(self._tokens, self._next)


def _unquoted(text: str) -> str:
    return text[1:-1].replace("\\\n", "").replace('\\"', '"')
