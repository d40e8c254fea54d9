"""SimGrid's own routes, by its Python module, which need not be there.

    python -m tests.formats.simgrid_module FILE

prints a line of JSON for each pair of hosts: source, target, and the links of the route from the one
to the other; null where there is none, and "crash" where SimGrid ends instead of answering. The
module is that of SimGrid 4.1 (``pip install simgrid``, which compiles it); it keeps one platform for
the life of a process, and ends the process where it finds a fault, so that it is asked in children.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from random import Random
from typing import IO, Any

MISSING = (
    None
    if find_spec("simgrid")
    else "SimGrid's Python module is not installed (pip install simgrid compiles it);"
    " the routes that it gave are compared with those stored"
)
"""Why SimGrid cannot be asked; None if it can."""

_BUG = (
    "Please report that bug",
    "deficient gateway",
    "unordered_map::at",
    "There can't be route in an Empty zone",
)
"""What SimGrid 4.1 says where a gateway is not directly in the zone of the host: no statement on
routes, since the versions before found one."""
_MEMORY = 2 * 2**30
_SECONDS = 20


def routes(
    path: Path, most: int | None = None, seed: int = 0
) -> dict[tuple[str, str], tuple[str, ...] | None]:
    """Ask for the links of all routes of a document, or of some; pairs of which it crashes are left out.

    Parameters
    ----------
    most
        Pairs to ask for; None: all.
    """
    command = [sys.executable, "-m", __name__, str(path), str(most or 0), str(seed)]
    listed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    told = map(json.loads, listed.splitlines())
    return {
        (source, target): None if links is None else tuple(links)
        for source, target, links in told
        if links != "crash"
    }


def _main(path: str, most: int, seed: int) -> None:
    with os.fdopen(os.dup(1), "w") as answers, tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        import simgrid  # type: ignore[import-not-found]

        engine = simgrid.Engine(["routes", "--log=root.thresh:critical"])
        engine.load_platform(path)
        engine.netzone_root.seal()
        hosts = {host.name: host for host in engine.all_hosts}
        pairs = _pairs(list(hosts), most, seed)
        while pairs:
            answered = 0
            for line in _answers(hosts, pairs, said):
                answers.write(line)
                answered += 1
            pairs = pairs[answered:]


def _pairs(names: Sequence[str], most: int, seed: int) -> list[tuple[str, str]]:
    if not most or len(names) ** 2 <= most:
        return list(permutations(names, 2))
    random = Random(seed)
    return [(one, other) for one, other in (random.sample(names, 2) for _ in range(most))]


def _answers(hosts: Any, pairs: Sequence[tuple[str, str]], said: IO[bytes]) -> Iterator[str]:
    """Ask a child, which gives the answers up to the one that ends it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _ask(hosts, pairs, writing)
    os.close(writing)
    answered = 0
    with os.fdopen(reading) as lines:
        for line in lines:
            answered += 1
            yield line
    _, status = os.waitpid(child, 0)
    if answered < len(pairs):
        said.seek(0)
        last = said.read()[-2000:].decode(errors="replace")
        aborted = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT
        told = None if aborted and not any(bug in last for bug in _BUG) else "crash"
        yield json.dumps([*pairs[answered], told]) + "\n"


def _ask(hosts: Any, pairs: Sequence[tuple[str, str]], writing: int) -> None:
    import simgrid

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    with os.fdopen(writing, "w") as answers:
        for source, target in pairs:
            try:
                links, _ = hosts[source].route_to(hosts[target])
                told: Any = [link.name for link in links] or None
            except (RuntimeError, ValueError, IndexError, simgrid.AssertionError) as fault:
                told = "crash" if any(bug in str(fault) for bug in _BUG) else None
            answers.write(json.dumps([source, target, told]) + "\n")
            answers.flush()
    os._exit(0)


if __name__ == "__main__":
    _main(sys.argv[1], *(int(number) for number in [*sys.argv[2:], "0", "0"][:2]))
