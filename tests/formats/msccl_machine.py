"""MSCCL XML read back: the rules of its parser, its limits, and what the ranks end with."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from defusedxml import ElementTree

ATTRIBUTES = {
    "algo": "name proto nchannels nchunksperloop ngpus coll inplace outofplace minBytes maxBytes",
    "gpu": "id i_chunks o_chunks s_chunks",
    "tb": "id send recv chan",
    "step": "s type srcbuf srcoff dstbuf dstoff cnt depid deps hasdep",
}
TEXTS = {"name", "proto", "coll", "type", "srcbuf", "dstbuf"}
LINE = re.compile(r' *<(/[a-z]+|[a-z]+( [A-Za-z_]+="[A-Za-z0-9_.-]*")+/?)>')


class Broken(Exception):
    """It is not what MSCCL reads, or not an allgather."""


def need(condition: bool, *said: object) -> None:
    if not condition:
        raise Broken(*said)


class Element(NamedTuple):
    values: dict[str, Any]
    children: list["Element"]

    def __getattr__(self, name: str) -> Any:
        return self.values[name]


def read(text: str) -> Element:
    """Read what that parser takes: no declaration, entity or comment, one blank between attributes."""
    for line in text.splitlines():
        need(LINE.fullmatch(line) is not None, "line", line)
    return element(ElementTree.fromstring(text), iter(ATTRIBUTES))


def element(node: Any, tags: Iterator[str]) -> Element:
    expected, *rest = tags
    need(node.tag == expected, "tag", node.tag)
    need(" ".join(node.attrib) == ATTRIBUTES[expected], "attributes", node.attrib)
    values = {n: v if n in TEXTS else int(v) for n, v in node.attrib.items()}
    return Element(values, [element(child, iter(rest)) for child in node])


def check(text: str) -> Element:
    """Check all rules and limits, and run it.

    Raises
    ------
    Broken
        It says why.
    """
    algorithm = read(text)
    check_head(algorithm)
    for gpu in algorithm.children:
        check_blocks(algorithm, gpu)
        for block in gpu.children:
            check_steps(gpu, block)
        check_reads(gpu)
    check_connections(algorithm)
    run(algorithm)
    return algorithm


def check_head(algorithm: Element) -> None:
    a = algorithm
    need(re.fullmatch(r"[A-Za-z0-9_.-]{1,63}", a.name) is not None, "name")
    need(a.proto in ("Simple", "LL", "LL128"), "proto")
    need(a.coll == "allgather", "coll")
    need((a.inplace, a.outofplace) in ((0, 1), (1, 0)), "inplace")
    need(0 <= a.minBytes <= a.maxBytes < 2**63, "bytes")
    need(1 <= a.nchannels <= 32, "nchannels")
    need([gpu.id for gpu in a.children] == list(range(a.ngpus)), "gpus")
    need(0 < a.nchunksperloop <= 2**15, "chunks")
    for gpu in a.children:
        need(gpu.i_chunks * a.ngpus == a.nchunksperloop == gpu.o_chunks, "chunks of", gpu.id)
        need(gpu.s_chunks == 0, "scratch")
        elements = 1 + a.ngpus + sum(1 + len(block.children) for block in gpu.children)
        need(elements < 2**12, "elements")


def check_blocks(algorithm: Element, gpu: Element) -> None:
    need([block.id for block in gpu.children] == list(range(len(gpu.children))), "block ids")
    need(len(gpu.children) <= 216, "blocks")
    used: Counter[Any] = Counter()
    for block in gpu.children:
        need(0 <= block.chan < algorithm.nchannels, "channel")
        for way, peer in (("send", block.send), ("recv", block.recv)):
            need(-1 <= peer < algorithm.ngpus and peer != gpu.id, "peer")
            if peer >= 0:
                used[way, block.chan, peer] += 1
                used[way, block.chan] += 1
    for key, number in used.items():
        need(number <= (1 if len(key) == 3 else 32), "too often", key)


def check_steps(gpu: Element, block: Element) -> None:
    need(0 < len(block.children) <= 256, "steps")
    sizes = {"i": gpu.i_chunks, "o": gpu.o_chunks}
    peers = {"s": (True, False), "r": (False, True), "cpy": (False, False)}
    for number, step in enumerate(block.children):
        need(step.s == number, "s")
        need(peers[step.type] == (block.send >= 0, block.recv >= 0), "peers of", step.type)
        need(1 <= step.cnt <= 71, "count")
        for buffer, offset in ((step.srcbuf, step.srcoff), (step.dstbuf, step.dstoff)):
            need(0 <= offset <= sizes[buffer] - step.cnt, "offset")
        need((step.depid == -1) == (step.deps == -1), "dependency")


def check_reads(gpu: Element) -> None:
    """What is read was there before: steps of the same rank have waited for it; nothing is lost."""
    written: dict[int, tuple[int, int]] = {}
    for block in gpu.children:
        for step in block.children:
            if step.type != "s":
                for place in range(step.dstoff, step.dstoff + step.cnt):
                    need(step.dstbuf == "o" and place not in written, "written twice")
                    written[place] = block.id, step.s
    awaited = set()
    for block in gpu.children:
        seen: dict[int, int] = defaultdict(lambda: -1)
        for step in block.children:
            if step.depid >= 0:
                need(step.depid <= 127 and step.depid != block.id, "depid")
                need(0 <= step.deps < len(gpu.children[step.depid].children), "deps")
                awaited.add((step.depid, step.deps))
                seen[step.depid] = max(seen[step.depid], step.deps)
            if step.type == "s" and step.srcbuf == "o":
                for place in range(step.srcoff, step.srcoff + step.cnt):
                    by, index = written.get(place, (block.id, -1))
                    need(by == block.id or seen[by] >= index, "nobody waits for", gpu.id, place)
    marked = {(b.id, s.s) for b in gpu.children for s in b.children if s.hasdep}
    need(marked == awaited, "hasdep")


def check_connections(algorithm: Element) -> None:
    ends: dict[str, Counter[Any]] = {"send": Counter(), "recv": Counter()}
    for gpu in algorithm.children:
        for block in gpu.children:
            if block.send >= 0:
                ends["send"][gpu.id, block.send, block.chan] += 1
            if block.recv >= 0:
                ends["recv"][block.recv, gpu.id, block.chan] += 1
    need(ends["send"] == ends["recv"], "connections")


class Machine:
    """Ranks that run their blocks; a send waits until it is received."""

    def __init__(self, algorithm: Element) -> None:
        self.own = algorithm.nchunksperloop // algorithm.ngpus
        self.inplace = bool(algorithm.inplace)
        self.blocks = {(g.id, b.id): b for g in algorithm.children for b in g.children}
        self.next = dict.fromkeys(self.blocks, 0)
        self.receivers = {
            (b.recv, rank, b.chan): (rank, number)
            for (rank, number), b in self.blocks.items()
            if b.recv >= 0
        }
        self.output: list[list[Any]] = [
            [None] * algorithm.nchunksperloop for _ in range(algorithm.ngpus)
        ]
        if self.inplace:
            for rank, chunks in enumerate(self.output):
                chunks[rank * self.own : (rank + 1) * self.own] = self.input(rank)

    def input(self, rank: int) -> list[Any]:
        return [(rank, chunk) for chunk in range(self.own)]

    def ready(self, key: tuple[int, int]) -> Element | None:
        steps = self.blocks[key].children
        if self.next[key] == len(steps):
            return None
        step = steps[self.next[key]]
        done = step.depid < 0 or self.next[key[0], step.depid] > step.deps
        return step if done else None

    def loaded(self, rank: int, step: Element) -> list[Any]:
        buffer = self.input(rank) if step.srcbuf == "i" else self.output[rank]
        return buffer[step.srcoff : step.srcoff + step.cnt]

    def advance(self, key: tuple[int, int]) -> list[tuple[int, int]]:
        """Run the next step of a block that sends or copies; give the blocks that moved."""
        step, block = self.ready(key), self.blocks[key]
        if step is None or step.type == "r":
            return []
        moved, target, receipt = [key], key[0], step
        if step.type == "s":
            other = self.receivers[key[0], block.send, block.chan]
            found = self.ready(other)
            if found is None:
                return []
            need(found.cnt == step.cnt, "counts of a transfer differ")
            moved, target, receipt = [key, other], block.send, found
        place = slice(receipt.dstoff, receipt.dstoff + receipt.cnt)
        self.output[target][place] = self.loaded(key[0], step)
        for one in moved:
            self.next[one] += 1
        return moved


def run(algorithm: Element) -> None:
    machine = Machine(algorithm)
    queue = deque(machine.blocks)
    senders = {other: key for key, other in pairs(machine)}
    while queue:
        for key in machine.advance(queue.popleft()):
            # Whoever waits for this block, or sends to one that does.
            queue.extend(senders.get(one, one) for one in machine.blocks if one[0] == key[0])
    for key, block in machine.blocks.items():
        need(machine.next[key] == len(block.children), "deadlock in", key)
    everything = [chunk for gpu in algorithm.children for chunk in machine.input(gpu.id)]
    for rank, output in enumerate(machine.output):
        need(output == everything, "rank", rank, "ends with something else")


def pairs(machine: Machine) -> Iterator[tuple[Any, Any]]:
    for (rank, number), block in machine.blocks.items():
        if block.send >= 0:
            yield (rank, number), machine.receivers[rank, block.send, block.chan]
