"""SimGrid platforms read: clusters of many hosts, listed one by one and folded, and fabrics."""

from collections.abc import Iterator

from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.formats import IMPORTERS
from steadygrid.formats.importer import Imported
from steadygrid.submissions.submission import parse_submission

SIMGRID = IMPORTERS["platform", "application/simgrid+xml"]
CROSSBAR = 65_536
"""Hosts of SimGrid's own example of a large cluster."""
WHOLE = Limits(max_processors=CROSSBAR + 10)
"""With which none of them are folded."""


def measure() -> Iterator[Measurement]:
    """Read, solve, and read what is not folded."""
    _read(_cluster(10))  # imports and compiles
    before = peak_gigabytes()
    yield from _timed(
        f"{CROSSBAR:,} hosts of a cluster, folded: read", _cluster(CROSSBAR), claim=0.1
    )
    yield Measurement("memory for that", 1024 * (peak_gigabytes() - before), "MB", claim=10)
    fly = _cluster(CROSSBAR, "DRAGONFLY", "16,4;16,4;16,4;16")
    yield from _timed(f"{CROSSBAR:,} hosts of a dragonfly, folded: read", fly)
    yield from _timed("256 hosts of a fat tree with two levels: read", _fat_tree(16))
    bag = {
        "kind": "master_worker",
        "platform": _read(_cluster(CROSSBAR)).model_dump(mode="json"),
        "master": "n-0",
        "task": {"work": 10**9, "input_size": 10**7},
        "ports": "multiport",
        "routing": "fixed",
    }
    submission = parse_submission({"problem": bag}, Limits())
    pipeline.run(submission, Control(), Limits())  # a worker has imported everything
    with stopwatch() as watch:
        pipeline.run(submission, Control(), Limits())
    yield Measurement(f"{CROSSBAR:,} hosts, folded: answer", watch.seconds, "s", claim=1)
    yield from _timed(
        f"{CROSSBAR:,} hosts of a cluster, one by one: read", _cluster(CROSSBAR), WHOLE
    )
    yield Measurement("peak memory", peak_gigabytes(), "GB")


def _timed(
    what: str, data: bytes, limits: Limits | None = None, claim: float | None = None
) -> Iterator[Measurement]:
    with stopwatch() as watch:
        platform = _read(data, limits)
    sizes = f"{len(platform.processors):,} processors, {len(platform.routes):,} routes"
    yield Measurement(f"{what} ({sizes})", watch.seconds, "s", claim=claim)


def _read(data: bytes, limits: Limits | None = None) -> Platform:
    found: Imported = SIMGRID.read(data, limits=limits)
    if not isinstance(found.document, Platform):
        raise TypeError("the importer gave no platform")
    return found.document


def _fat_tree(arity: int) -> bytes:
    parameters = f"2;{arity},{arity};1,{arity};1,1"
    return _cluster(arity**2, "FAT_TREE", parameters)


def _cluster(hosts: int, topology: str = "FLAT", parameters: str = "") -> bytes:
    return (
        '<platform version="4.1"><zone id="world" routing="Full">'
        f'<cluster id="cluster" prefix="n-" suffix="" radical="0-{hosts - 1}" speed="1Gf"'
        f' bw="125MBps" lat="50us" topology="{topology}" topo_parameters="{parameters}"/>'
        "</zone></platform>"
    ).encode()
