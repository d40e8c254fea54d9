"""The tasks of a WfFormat document and the data between them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Fault
from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.wfformat.reader import MOST_FAULTS, Job, Reader, limit_error, refusal


class Graph:
    """Tasks and the data between them.

    Attributes
    ----------
    jobs
        By name, in the document's order.
    data
        Bytes by producer and user.
    external, results
        Bytes by the tasks that use files no task makes, or make files no task uses, and the
        files themselves.
    places
        Processors of the tasks that were added for external files.
    """

    def __init__(self, reader: Reader, limits: Limits, notes: Notes) -> None:
        self.jobs = reader.jobs
        self.sizes = reader.sizes
        self.data: Amounts[tuple[str, str]] = Amounts()
        self.external: dict[str, list[str]] = {}
        self.results: dict[str, list[str]] = {}
        self.places: dict[str, str] = {}
        self._copies: Counter[str] = Counter()
        self._limits = limits
        parents = self._parents()
        producers: dict[str, list[str]] = {}
        for name, job in self.jobs.items():
            for file in dict.fromkeys(job.outputs):
                producers.setdefault(file, []).append(name)
        for name, job in self.jobs.items():
            for file in dict.fromkeys(job.inputs):
                self._add_input(name, file, producers.get(file, []), parents[name], notes)
        for name, job in self.jobs.items():
            unused = [f for f in dict.fromkeys(job.outputs) if f not in self._copies]
            if unused:
                self.results[name] = unused
        for name, listed in parents.items():
            for parent in listed:
                if (parent, name) not in self.data:
                    self._add((parent, name), Fraction(0))
                    notes.add("parents without a common file give files of size 0", name)

    def _parents(self) -> dict[str, dict[str, None]]:
        """Give the declared parents of each task, whichever side declared them."""
        parents: dict[str, dict[str, None]] = {name: {} for name in self.jobs}
        faults: list[Fault] = []
        for name, job in self.jobs.items():
            for member, listed in (("parents", job.parents), ("children", job.children)):
                for j, other in enumerate(listed):
                    if other not in self.jobs:
                        pointer = (*job.at, member, j)
                        detail = f"there is no task {other[:80]!r}"
                        faults.append(Fault(pointer, "unknown_task", detail))
                    elif member == "parents":
                        parents[name][other] = None
                    else:
                        parents[other][name] = None
            if len(faults) >= MOST_FAULTS:
                break
        if faults:
            raise refusal(faults)
        return parents

    def _add_input(
        self,
        user: str,
        file: str,
        producers: Sequence[str],
        parents: Mapping[str, None],
        notes: Notes,
    ) -> None:
        others = [name for name in producers if name != user]
        if len(others) > 1:
            others = [name for name in others if name in parents]
            if not others:
                detail = (
                    f"file {file[:80]!r} is made by several tasks, and none of them is a parent:"
                    " name the one that is meant among the parents"
                )
                raise refusal([Fault(self.jobs[user].at, "ambiguous_file", detail)])
            if len(others) > 1:
                notes.add("files that several parents make come from each of them", file)
        if not others:
            if producers:
                notes.add("files that only their own maker uses stay there and are left out", file)
                self._copies.setdefault(file, 0)
            else:
                self.external.setdefault(user, []).append(file)
            return
        self._copies[file] += 1
        for producer in others:
            self._add((producer, user), self.sizes[file])

    def _add(self, pair: tuple[str, str], size: Fraction) -> None:
        self.data[pair] += size
        if len(self.data) > self._limits.max_files:
            raise limit_error(("workflow",), len(self.data), "files", self._limits.max_files)

    def tie_inputs(self, name: str, place: str) -> None:
        """Add a task from which all external inputs come.

        Parameters
        ----------
        name
            Of the new task.
        place
            Processor on which it runs.
        """
        self._add_end(name, place)
        for user, files in self.external.items():
            self._add((name, user), self.total(files))
            for file in files:
                self._copies[file] += 1

    def tie_outputs(self, name: str, place: str) -> None:
        """Add a task to which all files go that no task uses.

        Parameters
        ----------
        name
            Of the new task.
        place
            Processor on which it runs.
        """
        self._add_end(name, place)
        for producer, files in self.results.items():
            self._add((producer, name), self.total(files))

    def _add_end(self, name: str, place: str) -> None:
        self.jobs[name] = Job(name, ())
        self.places[name] = place

    def total(self, files: Iterable[str]) -> Fraction:
        """Give the bytes of different files together."""
        return sum((self.sizes[file] for file in files), Fraction(0))

    def note_copies(self, notes: Notes) -> None:
        """Say what it costs that every user gets a copy of its own."""
        shared = {file: copies for file, copies in self._copies.items() if copies > 1}
        if not shared:
            return
        saved = sum((self.sizes[f] * (copies - 1) for f, copies in shared.items()), Fraction(0))
        total = sum(self.data.values(), Fraction(0))
        part = f" ({float(saved / total):.1%})" if saved else ""
        first = max(shared, key=lambda file: shared[file])
        notes.add(
            f"every user of a file gets a copy: multicast would save {saved} of {total} bytes per"
            f" instance{part}. Files with several users: {len(shared):,}. Most copies",
            f"{first!r} ({shared[first]:,})",
        )
