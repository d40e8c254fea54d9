"""The processes of a platform, and how the conductor speaks with them."""

import asyncio
import json
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from fractions import Fraction
from typing import Any, NamedTuple

from benchmarks.reality.processor import LOOPBACK

SECONDS_TO_START = 30.0


class Scale(NamedTuple):
    """How the model's units are those of this machine.

    Attributes
    ----------
    tick
        Seconds of a time unit.
    data
        Bytes of a unit of data.
    chunk
        Seconds that a chunk keeps a link busy, about.
    depth
        Seconds that all token buckets save.
    """

    tick: float
    data: float
    chunk: float = 0.004
    depth: float = 0.02


class Machines:
    """Processes, one for each processor of a platform.

    Parameters
    ----------
    names
        Of processors.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._numbers = {name: i for i, name in enumerate(names)}
        self._writers: dict[str, asyncio.StreamWriter] = {}
        self._said: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self._ports: dict[str, int] = {}

    async def ended(self, seconds: float) -> Mapping[str, Any]:
        """Give what a process says next; TimeoutError if all are silent for so long."""
        return await asyncio.wait_for(self._said.get(), seconds)

    def say(self, name: str, **said: Any) -> None:
        """Tell a process something."""
        self._writers[name].write(json.dumps(said).encode() + b"\n")

    def send(
        self, path: Sequence[str], operation: int, total: int, start: float, seconds: float
    ) -> None:
        """Let the first processor of a path send bytes to the last one."""
        numbers = [self._numbers[name] for name in path[1:]]
        asked = {"bytes": total, "start": start, "seconds": seconds}
        self.say(path[0], operation=operation, path=numbers, **asked)

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Listen to a process."""
        first = json.loads(await reader.readline())
        self._writers[first["name"]], self._ports[first["name"]] = writer, first["port"]
        self._said.put_nowait(first)
        async for line in reader:
            self._said.put_nowait(json.loads(line))

    async def close(self) -> None:
        """Hang up."""
        for writer in self._writers.values():
            writer.close()
        for writer in self._writers.values():
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def connect(self, hops: Mapping[tuple[str, str], Fraction], scale: Scale) -> None:
        """Wait for all processes, and let them connect."""
        for _ in self.names:
            await self.ended(SECONDS_TO_START)
        for name in self.names:
            links = [
                {
                    "to": self._numbers[receiver],
                    "port": self._ports[receiver],
                    "rate": scale.data / (float(unit_time) * scale.tick),
                    "depth": scale.depth,
                    "chunk": scale.chunk,
                }
                for (sender, receiver), unit_time in hops.items()
                if sender == name
            ]
            self.say(name, links=links)
        for _ in self.names:
            await self.ended(SECONDS_TO_START)


@asynccontextmanager
async def started(
    names: Sequence[str], hops: Mapping[tuple[str, str], Fraction], scale: Scale
) -> AsyncIterator[Machines]:
    """Start a process for each processor, and end them at the end.

    Parameters
    ----------
    names
        Of processors.
    hops
        Time of a unit of data on each direction of a link.
    scale
        Of the model.
    """
    machines = Machines(names)
    server = await asyncio.start_server(machines.meet, LOOPBACK, 0)
    port = str(server.sockets[0].getsockname()[1])
    module = "benchmarks.reality.processor"
    processes: list[Process] = []
    try:
        for name in names:
            command = (sys.executable, "-m", module, port, name)
            processes.append(await asyncio.create_subprocess_exec(*command))
        await machines.connect(hops, scale)
        yield machines
    finally:
        server.close()
        for process in processes:
            process.kill()
        for process in processes:
            await process.wait()
        await machines.close()
