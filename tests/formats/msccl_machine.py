"""MSCCL XML read back: the rules of both parsers, their limits, and what the ranks end with.

Ranks run their blocks in any order, with real numbers in their buffers. A send puts what it reads
into a queue of its connection, from which a receive takes it. Each access of a place has to come
after all earlier ones that matter, by what its block has waited for: so no order of blocks can
give anything else.
"""

import random
import re
from collections import Counter, deque
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
PEERS = {"s": (True, False), "r": (False, True), "rrc": (False, True), "cpy": (False, False)}
SHARED = {"allgather", "allreduce", "broadcast", "reduce", "alltoall"}
KNOWN = {
    "msccl": (SHARED | {"reduce_scatter"}, 216),
    "executor": (SHARED | {"reducescatter", "scatter", "gather"}, 1024),
}
LOOPS = 2


class Broken(Exception):
    """It is not what MSCCL reads, or does not do what it says."""


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


def check(text: str, dialect: str = "msccl", runs: int = 1, seed: int = 0) -> Element:
    """Check all rules and limits, and run it with queues of one place, and of two.

    Raises
    ------
    Broken
        It says why.
    """
    algorithm = read(text)
    check_head(algorithm, dialect)
    for gpu in algorithm.children:
        check_blocks(algorithm, gpu, KNOWN[dialect][1])
        for block in gpu.children:
            check_steps(gpu, block)
        check_dependencies(gpu)
    check_connections(algorithm)
    for number in range(runs):
        for places in (1, 2):
            Machine(algorithm, places, random.Random(f"{seed} {number}")).run()
    return algorithm


def check_head(algorithm: Element, dialect: str) -> None:
    a = algorithm
    need(re.fullmatch(r"[A-Za-z0-9_.-]{1,63}", a.name) is not None, "name")
    need(a.proto in ("Simple", "LL", "LL128"), "proto")
    need(a.coll in KNOWN[dialect][0], "coll")
    need((a.inplace, a.outofplace) in ((0, 1), (1, 0)), "inplace")
    need(0 <= a.minBytes <= a.maxBytes < 2**63, "bytes")
    need(1 <= a.nchannels <= 32, "nchannels")
    need([gpu.id for gpu in a.children] == list(range(a.ngpus)), "gpus")
    need(a.nchunksperloop > 0, "chunks")
    for gpu in a.children:
        sizes = gpu.i_chunks, gpu.o_chunks
        need(sizes == Buffers(a).sizes(gpu.id), "chunks of", gpu.id, sizes)
        need(max(*sizes, gpu.s_chunks) <= 2**15, "chunks of", gpu.id)
        if dialect == "msccl":
            times = [a.ngpus if a.coll == name else 1 for name in ("allgather", "reduce_scatter")]
            for size, factor in zip(sizes, times, strict=True):
                need(size <= 0 or size * factor == a.nchunksperloop, "inconsistency", gpu.id)
        elements = 1 + a.ngpus + sum(1 + len(block.children) for block in gpu.children)
        need(elements < 2**12, "elements")


def check_blocks(algorithm: Element, gpu: Element, most: int) -> None:
    need([block.id for block in gpu.children] == list(range(len(gpu.children))), "block ids")
    need(len(gpu.children) <= most, "blocks")
    used: Counter[Any] = Counter()
    for block in gpu.children:
        need(0 <= block.chan < algorithm.nchannels, "channel")
        for side, peer in (("send", block.send), ("recv", block.recv)):
            need(-1 <= peer < algorithm.ngpus and peer != gpu.id, "peer")
            if peer >= 0:
                used[side, block.chan, peer] += 1
                used[side, block.chan] += 1
    for key, number in used.items():
        need(number <= (1 if len(key) == 3 else 32), "too often", key)


def check_steps(gpu: Element, block: Element) -> None:
    need(0 < len(block.children) <= 256, "steps")
    sizes = {"i": gpu.i_chunks, "o": gpu.o_chunks, "s": gpu.s_chunks}
    for number, step in enumerate(block.children):
        need(step.s == number, "s")
        need(PEERS[step.type] == (block.send >= 0, block.recv >= 0), "peers of", step.type)
        need(1 <= step.cnt <= 71, "count")
        places = [(step.srcbuf, step.srcoff)] if step.type != "r" else []
        places += [(step.dstbuf, step.dstoff)] if step.type != "s" else []
        for buffer, offset in places:
            need(0 <= offset <= sizes[buffer] - step.cnt, "offset", gpu.id, step)
        need({step.srcbuf, step.dstbuf} <= set("ios"), "buffer")
        need((step.depid == -1) == (step.deps == -1), "dependency")


def check_dependencies(gpu: Element) -> None:
    awaited = set()
    for block in gpu.children:
        for step in block.children:
            if step.depid >= 0:
                need(step.depid <= 127 and step.depid != block.id, "depid")
                need(0 <= step.deps < len(gpu.children[step.depid].children), "deps")
                awaited.add((step.depid, step.deps))
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


class Buffers:
    """What the library promises for each operation: sizes in chunks, and what ends where."""

    def __init__(self, algorithm: Element) -> None:
        self.coll = algorithm.coll.replace("reducescatter", "reduce_scatter")
        self.ranks = algorithm.ngpus
        self.inplace = bool(algorithm.inplace)
        whole = algorithm.nchunksperloop
        many = self.coll in ("allgather", "reduce_scatter", "alltoall")
        need(not many or whole % self.ranks == 0, "chunks per loop")
        self.own = whole // self.ranks if many else whole

    def sizes(self, rank: int) -> tuple[int, int]:
        own, whole = self.own, self.own * self.ranks
        return {
            "allgather": (own, whole),
            "reduce_scatter": (whole, own),
            "alltoall": (whole, whole),
            "scatter": (0 if rank else whole, own),
            "gather": (own, 0 if rank else whole),
        }.get(self.coll, (own, own))

    def address(self, rank: int, buffer: str, offset: int) -> tuple[str, int]:
        """Give the place itself: in place, one that has two names."""
        if self.inplace and buffer == "o" and self.coll in ("reduce_scatter", "scatter"):
            if self.coll == "reduce_scatter" or rank == 0:
                return "i", offset + (rank * self.own if self.coll == "reduce_scatter" else 0)
        elif self.inplace and buffer == "i":
            if self.coll in ("allgather", "gather"):
                return ("i", offset) if rank and self.coll == "gather" else (
                    "o", rank * self.own + offset)  # fmt: skip
            if self.coll not in ("reduce_scatter", "scatter"):
                return "o", offset
        return buffer, offset

    def ends(self, rank: int, given: list[list[int]]) -> list[int]:
        """Say what is to be in the output of a rank."""
        own = slice(rank * self.own, (rank + 1) * self.own)
        sums = [sum(column) for column in zip(*given, strict=True)] if self.adds else []
        gathered = [value for one in given for value in one]
        if self.coll == "reduce":
            return [] if rank else sums
        if self.coll == "gather":
            return [] if rank else gathered
        return {
            "allgather": gathered,
            "allreduce": sums,
            "reduce_scatter": sums[own],
            "broadcast": given[0],
            "alltoall": [value for one in given for value in one[own]],
            "scatter": given[0][own],
        }[self.coll]

    @property
    def adds(self) -> bool:
        return self.coll in ("reduce", "allreduce", "reduce_scatter")


Clock = dict[tuple[int, int], int]
"""By block of a rank, how many of its steps are known to be done."""


class Machine:
    """Ranks that run their blocks, loop after loop, each with memory of its own."""

    def __init__(self, algorithm: Element, places: int, draw: random.Random) -> None:
        self.buffers = Buffers(algorithm)
        self.places, self.draw = places, draw
        self.blocks = {(g.id, b.id): b for g in algorithm.children for b in g.children}
        self.done = dict.fromkeys(self.blocks, 0)
        self.clocks: dict[Any, Clock] = {key: {} for key in self.blocks}
        self.marks: dict[Any, Clock] = {}
        self.queues: dict[Any, deque[Any]] = {}
        self.memory: dict[Any, int] = {}
        self.written: dict[Any, tuple[Any, int]] = {}
        self.reads: dict[Any, list[tuple[Any, int]]] = {}
        self.given = [
            [[draw.getrandbits(60) for _ in range(gpu.i_chunks)] for gpu in algorithm.children]
            for _ in range(LOOPS)
        ]
        for loop, ranks in enumerate(self.given):
            for rank, values in enumerate(ranks):
                for offset, value in enumerate(values):
                    self.memory[loop, rank, *self.buffers.address(rank, "i", offset)] = value

    def run(self) -> None:
        ready = list(self.blocks)
        while ready:
            self.draw.shuffle(ready)
            moved = [key for key in ready if self.advance(key)]
            if not moved:
                break
            ready = [key for key in self.blocks if not self.over(key)]
        for key in self.blocks:
            need(self.over(key), "deadlock in", key)
        for loop, given in enumerate(self.given):
            for rank in range(self.buffers.ranks):
                for offset, value in enumerate(self.buffers.ends(rank, given)):
                    place = (loop, rank, *self.buffers.address(rank, "o", offset))
                    need(self.memory.get(place) == value, "rank", rank, "ends with something else")

    def over(self, key: Any) -> bool:
        return self.done[key] == LOOPS * len(self.blocks[key].children)

    def advance(self, key: tuple[int, int]) -> bool:
        """Run the next step of a block, if it can run now."""
        if self.over(key):
            return False
        rank, block = key[0], self.blocks[key]
        loop, index = divmod(self.done[key], len(block.children))
        step = block.children[index]
        clock = self.clocks[key]
        if step.depid >= 0:
            other = rank, step.depid
            known = loop * len(self.blocks[other].children) + step.deps + 1
            if self.done[other] < known:
                return False
            merge(clock, self.marks[other, known])
        if step.type == "s":
            queue = self.queues.setdefault((rank, block.send, block.chan), deque())
            if len(queue) == self.places:
                return False
            values = self.load(key, loop, step)
            self.step_on(key, step)
            queue.append((values, dict(clock)))
            return True
        if step.type == "cpy":
            values = self.load(key, loop, step)
        else:
            queue = self.queues.get((block.recv, rank, block.chan), deque())
            if not queue:
                return False
            values, known_there = queue.popleft()
            need(len(values) == step.cnt, "counts of a transfer differ")
            merge(clock, known_there)
            if step.type == "rrc":
                here = self.load(key, loop, step)
                values = [a + b for a, b in zip(values, here, strict=True)]
        self.store(key, loop, step, values)
        self.step_on(key, step)
        return True

    def step_on(self, key: tuple[int, int], step: Element) -> None:
        self.done[key] += 1
        self.clocks[key][key] = self.done[key]
        if step.hasdep:
            self.marks[key, self.done[key]] = dict(self.clocks[key])

    def load(self, key: tuple[int, int], loop: int, step: Element) -> list[int]:
        values = []
        for offset in range(step.srcoff, step.srcoff + step.cnt):
            place = (loop, key[0], *self.buffers.address(key[0], step.srcbuf, offset))
            need(place in self.memory, "nothing was written to", place)
            self.after(key, self.written.get(place))
            self.reads.setdefault(place, []).append((key, self.done[key] + 1))
            values.append(self.memory[place])
        return values

    def store(self, key: tuple[int, int], loop: int, step: Element, values: list[int]) -> None:
        for offset, value in enumerate(values, step.dstoff):
            place = (loop, key[0], *self.buffers.address(key[0], step.dstbuf, offset))
            self.after(key, self.written.get(place))
            for reader in self.reads.pop(place, ()):
                self.after(key, reader)
            self.memory[place] = value
            self.written[place] = key, self.done[key] + 1

    def after(self, key: tuple[int, int], event: tuple[Any, int] | None) -> None:
        if event is not None and event[0] != key:
            need(self.clocks[key].get(event[0], 0) >= event[1], "nothing waits for", event, key)


def merge(clock: Clock, other: Clock) -> None:
    for key, number in other.items():
        if number > clock.get(key, 0):
            clock[key] = number
