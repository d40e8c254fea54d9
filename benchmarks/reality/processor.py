"""One processor: a process that sends over its links, passes on what comes, and computes.

``python -m benchmarks.reality.processor PORT NAME`` connects to the conductor on a loopback port. Both
say JSON objects, one a line. The conductor says who the neighbours are and what to begin; the
processor says what has ended. Data travel in chunks over one socket for each direction of a link.
"""

import asyncio
import hashlib
import json
import struct
import sys
import time
from collections.abc import Mapping
from typing import Any

from benchmarks.reality.buckets import TokenBucket

LOOPBACK = "127.0.0.1"
HEAD = struct.Struct("!IIIB")
"""Of a chunk: the operation, the bytes that follow after the path, the number of bytes of the whole
operation, and the length of the path that is left."""
BLOCK = bytes(2**16)
"""That real work hashes."""


class Link:
    """One direction of a link: a socket behind a token bucket.

    Parameters
    ----------
    writer
        To the neighbour.
    bucket
        In bytes.
    chunk
        Seconds that a chunk keeps it busy, about.
    """

    def __init__(self, writer: asyncio.StreamWriter, bucket: TokenBucket, chunk: float) -> None:
        self._writer, self._bucket = writer, bucket
        self.chunk = max(1, round(bucket.rate * chunk))
        """Bytes of a chunk."""
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self.task = asyncio.ensure_future(self._send())

    def send(self, operation: int, data: bytes, total: int, path: bytes) -> None:
        """Queue a chunk; `path` is what follows after the neighbour."""
        self._waiting.put_nowait(HEAD.pack(operation, len(data), total, len(path)) + path + data)

    async def _send(self) -> None:
        while True:
            chunk = await self._waiting.get()
            passed = self._bucket.passing(len(chunk), time.monotonic())
            await sleep_until(passed)
            self._writer.write(chunk)
            await self._writer.drain()


class Processor:
    """What a process does.

    Parameters
    ----------
    reader, writer
        From and to the conductor.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._links: dict[int, Link] = {}
        self._came: dict[int, int] = {}
        self._running: set[asyncio.Future[None]] = set()

    async def serve(self, name: str) -> None:
        """Do what the conductor says until it hangs up."""
        server = await asyncio.start_server(self._listen, LOOPBACK, 0)
        self._say(name=name, port=server.sockets[0].getsockname()[1])
        async for line in self._reader:
            asked = json.loads(line)
            if "links" in asked:
                await self._connect(asked["links"])
                self._say(ready=True)
            else:
                does = self._transfer if "path" in asked else self._compute
                task = asyncio.ensure_future(does(asked))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    def _say(self, **said: Any) -> None:
        self._writer.write(json.dumps(said).encode() + b"\n")

    async def _connect(self, links: list[Mapping[str, Any]]) -> None:
        for link in links:
            _, writer = await asyncio.open_connection(LOOPBACK, link["port"])
            bucket = TokenBucket(link["rate"], link["depth"])
            self._links[link["to"]] = Link(writer, bucket, link["chunk"])

    async def _listen(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        """Take what a neighbour sends, and pass on what is for others."""
        try:
            while True:
                operation, length, total, left = HEAD.unpack(await reader.readexactly(HEAD.size))
                path = await reader.readexactly(left)
                data = await reader.readexactly(length)
                if path:
                    self._links[path[0]].send(operation, data, total, path[1:])
                else:
                    self._take(operation, length, total)
        except asyncio.IncompleteReadError:
            return

    def _take(self, operation: int, length: int, total: int) -> None:
        self._came[operation] = self._came.get(operation, 0) + length
        if self._came[operation] == total:
            del self._came[operation]
            self._say(ended=operation, bytes=total)

    async def _transfer(self, asked: Mapping[str, Any]) -> None:
        """Send so many bytes from a date on, as fast as the operation may flow."""
        path, total = bytes(asked["path"]), asked["bytes"]
        link = self._links[path[0]]
        sent = 0
        while sent < total:
            await sleep_until(asked["start"] + sent / total * asked["seconds"])
            data = bytes(min(link.chunk, total - sent))
            sent += len(data)
            link.send(asked["operation"], data, total, path[1:])

    async def _compute(self, asked: Mapping[str, Any]) -> None:
        """Sleep from a date on, or hash so many blocks."""
        if "blocks" in asked:
            await asyncio.get_running_loop().run_in_executor(None, hash_blocks, asked["blocks"])
        else:
            await sleep_until(asked["start"] + asked["seconds"])
        self._say(ended=asked["operation"], bytes=0)


def hash_blocks(number: int) -> None:
    """Compute: hash so many blocks."""
    digest = hashlib.sha256()
    for _ in range(number):
        digest.update(BLOCK)


async def sleep_until(date: float) -> None:
    """Sleep until a date of the monotonic clock, which all processes of a machine share."""
    await asyncio.sleep(max(0.0, date - time.monotonic()))


async def _main(port: int, name: str) -> None:
    await Processor(*await asyncio.open_connection(LOOPBACK, port)).serve(name)


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), sys.argv[2]))
