"""Scenarios like those of the thesis: subsets of grids, layered graphs and recorded workflows.

Every scenario is drawn from its seed. Real platforms and workflows are read where they lie
(beside the repository in ``../shared/data``, or where ``STEADYGRID_SHARED_DATA`` points);
where they are missing, platforms and graphs like them are drawn instead.
"""

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

from steadygrid.domain.application import Application, File, Task
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Medium, Platform, Processor
from steadygrid.formats.simgrid.conversion import import_platform
from steadygrid.formats.wfformat.conversion import import_application
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.shared.routes import fixed_routes

RATIOS = tuple(
    Fraction(ratio)
    for ratio in ("1/1000", "3/1000", "1/100", "3/100", "1/10", "3/10", "1", "3", "10")
)
"""Communication-to-computation ratios."""
GRIDS = ("griffon", "g5k")
WORKFLOWS: Mapping[str, tuple[str, ...]] = {
    "small": ("helloworld-forkjoin-10-chameleon", "bacass-dirt02-001"),
    "large": (
        "epigenomics-chameleon-hep-1seq-100k-001",
        "hic-dirt02-001",
        "blast-chameleon-small-001",
        "fetchngs-dirt02-001",
    ),
}
TASKS = {"small": (8, 12), "large": (30, 47)}
"""Fewest and most tasks of a layered graph, the two at its ends included."""
PROCESSORS = {"small": (10, 10), "large": (30, 40)}
GIGABIT = 125_000_000
"""Bytes per second."""
SPEEDS = (4_715_300_000, 8_892_500_000, 16_673_000_000, 20_678_000_000, 23_492_000_000)
"""Flops per second of hosts like those of Grid'5000."""
_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
_LIMITS = Limits(max_processors=5_000, max_links=20_000)


@dataclass(frozen=True)
class Scenario:
    """An application on a platform, before its files are scaled.

    Attributes
    ----------
    work
        By task; for unrelated times, before each processor's own factor.
    """

    name: str
    platform: Platform
    application: Application
    work: Mapping[str, Fraction]
    source: str

    def ratio(self) -> Fraction:
        """Give the communication-to-computation ratio as the thesis does, section 4.5.2.

        The sum of all file sizes by the mean bandwidth of the links, over the sum of all works
        by the mean speed of the processors.
        """
        speeds = [p.speed for p in self.platform.processors if p.speed is not None]
        bandwidths = [link.bandwidth for link in self.platform.links if link.bandwidth is not None]
        computing = sum(self.work.values(), Fraction(0)) * len(speeds) / sum(speeds)
        sizes = sum((file.size for file in self.application.files), Fraction(0))
        return sizes * len(bandwidths) / sum(bandwidths) / computing

    def instance(self, ratio: Fraction) -> MonoAllocationInstance:
        """Scale the files to a ratio, up to rounding them to whole bytes."""
        factor = ratio / self.ratio()
        files = tuple(
            File(source=file.source, target=file.target, size=Fraction(round(file.size * factor)))
            for file in self.application.files
        )
        return MonoAllocationInstance(
            kind="mono_allocation",
            platform=self.platform,
            application=self.application.model_copy(update={"files": files}),
            source=self.source,
        )


def scenario(panel: str, seed: int) -> Scenario:
    """Draw a scenario: grids, kinds of graphs and kinds of times take turns.

    Parameters
    ----------
    panel
        ``small`` or ``large``.
    seed
        Two scenarios of one parity have the same grid; each four combine graph and times.
    """
    draw = random.Random(f"{panel} {seed}")
    grid = GRIDS[seed % 2]
    related = seed // 2 % 2 == 0
    platform = subset(read_grid(grid), draw.randint(*PROCESSORS[panel]), draw)
    working = [processor.id for processor in platform.processors if not processor.switch]
    source = draw.choice(working)
    recorded = WORKFLOWS[panel][seed // 4 % len(WORKFLOWS[panel])]
    application = None if (seed + seed // 2) % 2 == 0 else read_workflow(recorded, source)
    name = recorded.split("-")[0]
    if application is None:
        application, name = layered(draw.randint(*TASKS[panel]), source, draw), "layered"
    work = {task.id: task.work or Fraction(0) for task in application.tasks}
    if not related:
        application = _unrelated(application, platform, draw)
    times = "related" if related else "unrelated"
    tasks = len(application.tasks)
    title = f"{panel} {seed}: {name}, {tasks} tasks, {times}, {len(working)} of {grid}"
    return Scenario(title, platform, application, work, source)


def subset(platform: Platform, number: int, draw: random.Random) -> Platform:
    """Reserve some of the hosts, with the shortest paths between them."""
    hosts = [i for i, processor in enumerate(platform.processors) if processor.speed is not None]
    chosen = sorted(draw.sample(hosts, number))
    ways = fixed_routes(platform, chosen, chosen).values()
    used = [platform.arcs[arc] for arc in sorted({arc for way in ways for arc in way})]
    kept = {end for arc in used for end in (arc.source, arc.target)}
    links = [platform.links[link] for link in sorted({arc.link for arc in used})]
    named = {medium for link in links for medium in link.media}
    return Platform(
        name=platform.name,
        processors=tuple(p for i, p in enumerate(platform.processors) if i in kept),
        links=tuple(links),
        media=tuple(medium for medium in platform.media if medium.id in named),
    )


def layered(number: int, source: str, draw: random.Random) -> Application:
    """Draw a layered graph like those of DagGen, between a first and a last task of size 0.

    Layers hold about the square root of the tasks. A task handles 2^20 to 2^25 bytes and works
    64 to 512 times for each of them (DagGen's first kind of complexity); what it makes goes to
    each of its users. It takes files from about half of the layer before it, or, now and then,
    from the one before that.
    """
    inner = number - 2
    width = sqrt(inner)
    layers: list[list[int]] = []
    while sum(map(len, layers)) < inner:
        size = max(1, round(width * draw.uniform(0.5, 1.5)))
        start = sum(map(len, layers))
        layers.append(list(range(start, min(inner, start + size))))
    sizes = [Fraction(draw.randint(2**20, 2**25)) for _ in range(inner)]
    tasks = [Task(id="first", work=Fraction(0), allowed=(source,))]
    tasks += [
        Task(id=f"T{task}", work=size * draw.randint(2**6, 2**9)) for task, size in enumerate(sizes)
    ]
    tasks.append(Task(id="last", work=Fraction(0), allowed=(source,)))
    files: dict[tuple[str, str], Fraction] = {}
    makers: set[int] = set()
    for depth, layer in enumerate(layers):
        for task in layer:
            if depth == 0:
                files["first", f"T{task}"] = sizes[task]
                continue
            before = layers[depth - 1]
            for producer in draw.sample(before, draw.randint(1, max(1, len(before) // 2))):
                jumps = depth > 1 and draw.random() < 0.15
                chosen = draw.choice(layers[depth - 2]) if jumps else producer
                files[f"T{chosen}", f"T{task}"] = sizes[chosen]
                makers.add(chosen)
    for task in range(inner):
        if task not in makers:
            files[f"T{task}", "last"] = sizes[task]
    return Application(
        name="layered",
        tasks=tuple(tasks),
        files=tuple(File(source=s, target=t, size=size) for (s, t), size in files.items()),
    )


def _unrelated(application: Application, platform: Platform, draw: random.Random) -> Application:
    """Multiply each time by a factor between 1/2 and 3/2 of its own."""
    tasks = []
    for task in application.tasks:
        if task.work is None or task.allowed is not None:
            tasks.append(task)
            continue
        times = {
            processor.id: task.work / processor.speed * Fraction(draw.randint(50, 150), 100)
            for processor in platform.processors
            if processor.speed is not None
        }
        tasks.append(Task(id=task.id, times=times))
    return application.model_copy(update={"tasks": tuple(tasks)})


def _shared(name: str) -> bytes | None:
    path = Path(os.environ.get("STEADYGRID_SHARED_DATA", _BESIDE)) / name
    return path.read_bytes() if path.exists() else None


def read_workflow(name: str, source: str | None = None) -> Application | None:
    """Read a recorded workflow, its data on one processor if that is given; None if it is not here."""
    data = _shared(f"wfinstances/{name}.json")
    if data is None:
        return None
    ends = {} if source is None else {"inputs_at": source, "outputs_at": source}
    document = import_application(data, ends, _LIMITS).document
    if not isinstance(document, Application):
        raise TypeError(f"{name} is no application")
    return document


@cache
def read_grid(name: str) -> Platform:
    """Read one of `GRIDS`, or draw one like it if it is not here."""
    data = _shared(f"simgrid-platforms/{name}.xml")
    if data is None:
        if name == "griffon":
            return _like_a_grid({"nancy": [(29, 286_087), (31, 286_087), (32, 286_087)]})
        draw = random.Random(name)
        sites = ("bordeaux", "grenoble", "lille", "lyon", "nancy", "orsay", "rennes", "sophia")
        return _like_a_grid(
            {
                site: [
                    (draw.randint(20, 100), draw.choice(SPEEDS)) for _ in range(draw.randint(2, 4))
                ]
                for site in sites
            }
        )
    document = import_platform(data, {}, _LIMITS).document
    if not isinstance(document, Platform):
        raise TypeError(f"{name} is no platform")
    return document


def _like_a_grid(sites: Mapping[str, Sequence[tuple[int, int]]]) -> Platform:
    """Join sites in a ring: clusters with a shared backbone each, gigabit links to hosts."""
    processors: list[Processor] = []
    links: list[Link] = []
    media: list[Medium] = []
    wide = Fraction(10 * GIGABIT)
    for site, clusters in sites.items():
        processors.append(Processor(id=site, switch=True))
        for number, (hosts, speed) in enumerate(clusters):
            hub = f"{site}-{number}"
            processors.append(Processor(id=hub, switch=True))
            media.append(Medium(id=f"{hub}-backbone", bandwidth=wide))
            shared = (f"{hub}-backbone",)
            links.append(Link(source=hub, target=site, bandwidth=wide, media=shared))
            for host in range(hosts):
                name = f"{hub}-{host}"
                processors.append(Processor(id=name, speed=Fraction(speed)))
                links.append(
                    Link(source=name, target=hub, bandwidth=Fraction(GIGABIT), media=shared)
                )
    ring = list(sites)
    links += [
        Link(source=one, target=other, bandwidth=wide)
        for one, other in {
            (min(pair), max(pair)): None
            for pair in zip(ring, (*ring[1:], ring[0]), strict=True)
            if pair[0] != pair[1]
        }
    ]
    return Platform(processors=tuple(processors), links=tuple(links), media=tuple(media))
