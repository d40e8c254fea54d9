"""TGFF to an application: tasks of types, and tables of how long a type takes on each processor."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, refused
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import check_bytes, make_application
from steadygrid.formats.measures import SIZE, Unreadable, exact, parameter
from steadygrid.formats.simgrid.notes import Notes

_BLOCK = re.compile(r"@(?P<name>\w+)(?:[ \t]+(?P<number>[0-9]+))?[ \t]*\{[ \t]*")
_TASK = re.compile(r"TASK\s+(?P<name>\S+)\s+TYPE\s+(?P<type>[0-9]+)")
_ARC = re.compile(
    r"ARC\s+\S+\s+FROM\s+(?P<source>\S+)\s+TO\s+(?P<target>\S+)\s+TYPE\s+(?P<type>[0-9]+)"
)
_GRAPHS = ("GRAPH", "TASK_GRAPH")
_TIMES = ("exec_time", "execution_time", "task_time")
_SIZES = ("size", "bytes", "quantity", "volume", "data")


@dataclass
class _Block:
    name: str
    number: str
    line: int
    lines: list[tuple[int, str]] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Its name as that of a processor."""
        return f"{self.name}{self.number}"


def import_tgff(data: bytes, parameters: Mapping[str, str], limits: Limits) -> Imported:
    """Turn a graph of TGFF into an `Application`.

    Parameters
    ----------
    data
        The text.
    parameters
        ``name``, ``graph`` and ``arc_size``.
    limits
        `max_body_bytes`, `max_tasks`, `max_files`.

    Raises
    ------
    InstanceError
        ``malformed_tgff`` and others, each with its line; ``missing_parameter``.
    """
    check_bytes(data, limits)
    notes, faults = Notes(), FaultList()
    blocks = list(_blocks(data.decode("utf-8", "replace"), faults))
    faults.stop()
    graph = _graph(blocks, parameters, notes)
    times: dict[str, dict[str, Fraction]] = {}
    sizes: dict[str, Fraction] = {}
    for block in blocks:
        if block.name not in _GRAPHS:
            _read_table(block, times, sizes, notes, faults)
    tasks, arcs = _read_graph(graph, notes, faults)
    faults.stop()
    if not times:
        detail = f"no table says how long a type takes: name a column type and one {_TIMES[0]}"
        raise refused("", "missing", detail)
    ids, places = usable_ids(tasks, notes), usable_ids(times, notes)
    documents = []
    for task, (kind, line) in tasks.items():
        own = {places[p]: table[kind] for p, table in times.items() if kind in table}
        if not own:
            detail = f"no table has a time of type {kind}, so task {task[:80]!r} cannot run"
            faults.add(line, "unknown_type", detail)
        documents.append({"id": ids[task], "times": own})
    files = _files(arcs, sizes, tasks, parameters, notes, faults)
    faults.stop()
    name = parameters.get("name", f"{graph.name} {graph.number}".strip())
    application = make_application(
        name,
        documents,
        [{"source": ids[a], "target": ids[b], "size": size} for (a, b), size in files.items()],
        limits,
    )
    return Imported(application, notes.sentences())


def _blocks(text: str, faults: FaultList) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if block is None:
            found = _BLOCK.match(stripped)
            if found is not None:
                block = _Block(found["name"], found["number"] or "", number)
                stripped = stripped[found.end() :]
        if block is None or not stripped:
            continue
        if not stripped.startswith("#") and stripped.endswith("}"):
            block.lines.append((number, stripped[:-1].strip()))
            yield block
            block = None
        else:
            block.lines.append((number, stripped))
    if block is not None:
        faults.add(block.line, "malformed_tgff", f"@{block.name} does not end: a }} is missing")


def _graph(blocks: list[_Block], parameters: Mapping[str, str], notes: Notes) -> _Block:
    graphs = [block for block in blocks if block.name in _GRAPHS]
    wanted = parameters.get("graph")
    chosen = [block for block in graphs if wanted in (None, block.number)]
    if not chosen:
        numbers = ", ".join(block.number for block in graphs[:20]) or "none"
        place = "graph" if graphs else ""
        raise refused(place, "missing", f"there is no such graph. Those of the file: {numbers}")
    if len(graphs) > 1:
        notes.say(f"{len(graphs) - 1} other graphs of the file are left out: say graph")
    return chosen[0]


def _read_graph(
    graph: _Block, notes: Notes, faults: FaultList
) -> tuple[dict[str, tuple[str, int]], list[tuple[str, str, str, int]]]:
    """Give the type of each task, and the arcs with their types, each with its line."""
    tasks: dict[str, tuple[str, int]] = {}
    arcs = []
    for line, text in graph.lines:
        if not text or text.startswith("#"):
            continue
        if found := _TASK.match(text):
            if found["name"] in tasks:
                detail = f"task {found['name'][:80]!r} is given twice"
                faults.add(line, "duplicate_task", detail)
            tasks[found["name"]] = found["type"], line
        elif found := _ARC.match(text):
            arcs.append((found["source"], found["target"], found["type"], line))
        elif "DEADLINE" in text or text.startswith(("PERIOD", "HYPERPERIOD")):
            notes.say("periods and deadlines are left out")
        else:
            faults.add(line, "malformed_tgff", f"expected TASK or ARC, not {text[:40]!r}")
    if not tasks:
        faults.add(graph.line, "too_short", "the graph has no task")
    return tasks, arcs


def _read_table(
    block: _Block,
    times: dict[str, dict[str, Fraction]],
    sizes: dict[str, Fraction],
    notes: Notes,
    faults: FaultList,
) -> None:
    """Take what a table says of types: times on a processor, or sizes of arcs."""
    header: list[str] = []
    taken: dict[str, Fraction] = {}
    column, valid, dropped = None, None, False
    for line, text in block.lines:
        if text.startswith("#"):
            words = text.lstrip("# \t").lower().split()
            if words and words[0] == "type":
                header = words
                column = next((words.index(n) for n in (*_TIMES, *_SIZES) if n in words), None)
                valid = words.index("valid") if "valid" in words else None
            continue
        cells = text.split()
        if not cells:
            continue
        if column is None and block.name == "COMMUN_QUANT" and len(cells) == 2:
            header, column = ["type", "quantity"], 1
        if column is None:
            dropped = True
            continue
        if len(cells) <= column:
            detail = f"{len(header)} columns are named, and {len(cells)} are here"
            faults.add(line, "malformed_tgff", detail)
            continue
        if valid is not None and cells[valid : valid + 1] == ["0"]:
            continue
        if cells[0] in taken:
            notes.add("further versions of a type are left out", f"{block.title}, type {cells[0]}")
            continue
        try:
            taken[cells[0]] = exact(cells[column])
        except Unreadable as error:
            faults.add(line, error.code, str(error))
    others = [n for i, n in enumerate(header) if i not in (0, column)]
    if others or dropped:
        notes.add("prices, power and other columns are left out", block.title)
    if not taken:
        return
    if header[column or 0] in _TIMES and not block.name.startswith("COMM"):
        times[block.title] = taken
    else:
        sizes.update(taken)


def _files(
    arcs: list[tuple[str, str, str, int]],
    sizes: Mapping[str, Fraction],
    tasks: Mapping[str, tuple[str, int]],
    parameters: Mapping[str, str],
    notes: Notes,
    faults: FaultList,
) -> dict[tuple[str, str], Fraction]:
    default = parameter(parameters, "arc_size", SIZE)
    files: dict[tuple[str, str], Fraction] = {}
    unsaid = [arc for arc in arcs if arc[2] not in sizes]
    if unsaid and default is None:
        raise refused(
            "arc_size",
            "missing_parameter",
            f"{len(unsaid):,} of {len(arcs):,} arcs have a type that no table gives a size: say"
            " arc_size, such as 25MB",
        )
    if unsaid:
        notes.say(f"arcs whose type has no size have the one that is said: {len(unsaid):,}")
    for source, target, kind, line in arcs:
        for end in (source, target):
            if end not in tasks:
                faults.add(line, "unknown_task", f"there is no task {end[:80]!r}")
                return {}
        size = sizes[kind] if kind in sizes else default.value if default else Fraction(0)
        if (source, target) in files:
            notes.add("parallel arcs are added up", f"{source} to {target}")
        files[source, target] = files.get((source, target), Fraction(0)) + size
    return files
