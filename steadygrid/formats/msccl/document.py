"""Programs as XML, as the parser of MSCCL wants it.

That parser knows no entities, no declaration, and nothing but one blank between attributes.
"""

from collections.abc import Mapping
from io import StringIO
from typing import Literal, NamedTuple, get_args
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from steadygrid.formats.msccl.blocks import Block, Layout, Step
from steadygrid.formats.msccl.dialects import DIALECTS, DialectName
from steadygrid.formats.msccl.fitting import Plan

Protocol = Literal["Simple", "LL", "LL128"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)


class Settings(NamedTuple):
    """What an algorithm says besides its steps."""

    name: str = ""
    """Empty: `steadygrid_` and the operation."""
    proto: Protocol = "Simple"
    inplace: bool = False
    min_bytes: int = 0
    max_bytes: int = 2**40
    """Buffers for which it is taken; always written, since versions differ in their defaults."""
    dialect: DialectName = "msccl"
    plan: Plan = Plan()


def write_algorithm(layout: Layout, settings: Settings) -> str:
    """Write an algorithm.

    Parameters
    ----------
    layout
        By rank, its thread blocks.
    settings
        Name, protocol, dialect, in place or not, and sizes of buffers.
    """
    text = StringIO()
    writer = _Writer(text)
    buffers = layout.buffers
    channels = 1 + max(block.channel for blocks in layout.blocks for block in blocks)
    writer.start(
        "algo",
        name=settings.name or f"steadygrid_{buffers.operation}",
        proto=settings.proto,
        nchannels=channels,
        nchunksperloop=buffers.per_loop,
        ngpus=buffers.ranks,
        coll=DIALECTS[settings.dialect].names[buffers.operation],
        inplace=int(settings.inplace),
        outofplace=int(not settings.inplace),
        minBytes=settings.min_bytes,
        maxBytes=settings.max_bytes,
    )
    for rank, blocks in enumerate(layout.blocks):
        writer.start(
            "gpu",
            id=rank,
            i_chunks=buffers.inputs(rank),
            o_chunks=buffers.outputs(rank),
            s_chunks=layout.scratch[rank],
        )
        for number, block in enumerate(blocks):
            _write_block(writer, number, block)
        writer.end("gpu")
    writer.end("algo")
    return text.getvalue()


def _write_block(writer: "_Writer", number: int, block: Block) -> None:
    writer.start("tb", id=number, send=block.send, recv=block.receive, chan=block.channel)
    for index, step in enumerate(block.steps):
        writer.start("step", **_step(index, step))
        writer.end("step", inside=False)
    writer.end("tb")


def _step(index: int, step: Step) -> Mapping[str, object]:
    block, number = step.after or (-1, -1)
    return {
        "s": index,
        "type": step.type,
        "srcbuf": step.source[0],
        "srcoff": step.source[1],
        "dstbuf": step.target[0],
        "dstoff": step.target[1],
        "cnt": step.count,
        "depid": block,
        "deps": number,
        "hasdep": int(step.awaited),
    }


class _Writer:
    """Elements on lines of their own."""

    def __init__(self, text: StringIO) -> None:
        self._text = text
        self._generator = XMLGenerator(text, "utf-8", short_empty_elements=True)
        self._depth = 0

    def start(self, tag: str, **attributes: object) -> None:
        if self._depth:
            self._generator.ignorableWhitespace("\n" + "  " * self._depth)
        named = {name: str(value) for name, value in attributes.items()}
        self._generator.startElement(tag, AttributesImpl(named))
        self._depth += 1

    def end(self, tag: str, inside: bool = True) -> None:
        self._depth -= 1
        if inside:
            self._generator.ignorableWhitespace("\n" + "  " * self._depth)
        self._generator.endElement(tag)
        if not self._depth:
            self._text.write("\n")
