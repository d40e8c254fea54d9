"""Jobs and the files that they make and use, to an application."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import FaultList, limit_error, refused
from steadygrid.formats.graphs.graph import Place
from steadygrid.formats.identifiers import usable_ids
from steadygrid.formats.importer import Imported
from steadygrid.formats.making import make_application
from steadygrid.formats.measures import SIZE, TIME, Measure, Unreadable, exact, parameter
from steadygrid.formats.reference_speeds import reference_speed
from steadygrid.formats.simgrid.notes import Notes


@dataclass
class Job:
    """A task as the document has it."""

    place: Place
    runtime: Fraction | None = None
    makes: dict[str, Fraction | None] = field(default_factory=dict)
    """Sizes of files. None where the document does not say."""
    uses: dict[str, Fraction | None] = field(default_factory=dict)


class Workflow:
    """What a document of Pegasus says, however it is written."""

    def __init__(self, parameters: Mapping[str, str], limits: Limits, notes: Notes) -> None:
        self.jobs: dict[str, Job] = {}
        self.parents: dict[tuple[str, str], Place] = {}
        """Who is before whom, and where that is said."""
        self.faults = FaultList()
        self.notes = notes
        self._parameters = parameters
        self._limits = limits
        self._runtime = parameter(parameters, "runtime", TIME)
        self._file_size = parameter(parameters, "file_size", SIZE)

    def add_job(self, name: str, place: Place) -> Job:
        """Add a job.

        Parameters
        ----------
        name
            Its id.
        place
            Where it stands.
        """
        if name in self.jobs:
            detail = f"job {name[:80]!r} is given twice: give each an id of its own"
            self.faults.add(place, "duplicate_task", detail)
        if len(self.jobs) >= self._limits.max_tasks:
            raise limit_error(len(self.jobs) + 1, "tasks", self._limits.max_tasks)
        job = self.jobs[name] = Job(place)
        return job

    def add_file(self, job: Job, name: str, link: str, size: Any, place: Place) -> None:
        """Add a file that a job makes or uses.

        Parameters
        ----------
        job
            The job.
        name
            Of the file.
        link
            ``input``, ``output`` or ``inout``. Other files are none of data.
        size
            As the document has it. None where it does not say.
        place
            Where it stands.
        """
        bytes_ = None if size in (None, "") else self.number(size, place)
        if link in ("output", "inout"):
            job.makes[name] = bytes_
        if link in ("input", "inout"):
            job.uses[name] = bytes_

    def number(self, value: Any, place: Place, measure: Measure | None = None) -> Fraction:
        """Read a number without a unit; note the fault of what is none.

        Parameters
        ----------
        value
            As the document has it.
        place
            Where it stands.
        measure
            What it is of, where a unit may follow.
        """
        try:
            return exact(value) if measure is None else measure.read(value).value
        except Unreadable as error:
            self.faults.add(place, error.code, str(error))
            return Fraction(0)

    def finish(self, name: str | None) -> Imported:
        """Make the application.

        Parameters
        ----------
        name
            As the document has it.
        """
        for (parent, child), place in self.parents.items():
            for job in (parent, child):
                if job not in self.jobs:
                    self.faults.add(place, "unknown_task", f"there is no job {job[:80]!r}")
        self.faults.stop()
        if not self.jobs:
            raise refused("", "too_short", "there is no job")
        runtimes = self._runtimes()
        sizes = self._sizes()
        speed = reference_speed(self._parameters, self.notes)
        ids = usable_ids(self.jobs, self.notes)
        application = make_application(
            self._parameters.get("name", name),
            [{"id": ids[job], "work": runtimes[job] * speed} for job in self.jobs],
            [{"source": ids[a], "target": ids[b], "size": s} for (a, b), s in sizes.items()],
            self._limits,
        )
        return Imported(application, self.notes.sentences())

    def _runtimes(self) -> dict[str, Fraction]:
        missing = [name for name, job in self.jobs.items() if job.runtime is None]
        if missing and self._runtime is None:
            raise refused(
                "runtime",
                "missing_parameter",
                f"{len(missing):,} of {len(self.jobs):,} jobs do not say how long they ran, such as"
                f" {missing[0][:80]!r}: say runtime in seconds, such as 60",
            )
        for name in missing:
            self.notes.add("jobs without a runtime have the one that is said", name)
        default = self._runtime.value if self._runtime else Fraction(0)
        return {n: default if j.runtime is None else j.runtime for n, j in self.jobs.items()}

    def _sizes(self) -> dict[tuple[str, str], Fraction]:
        """Give the size of what goes from each job to another."""
        makers: dict[str, list[str]] = {}
        for name, job in self.jobs.items():
            for file in job.makes:
                makers.setdefault(file, []).append(name)
        doubled = [file for file, listed in makers.items() if len(listed) > 1]
        for file in doubled:
            self.notes.add("files of several producers go along said parents only", file)
        sizes = dict.fromkeys(self.parents, Fraction(0))
        carried: set[tuple[str, str]] = set()
        unsaid: dict[str, None] = {}
        for name, job in self.jobs.items():
            for file, size in job.uses.items():
                for maker in makers.get(file, ()):
                    pair = maker, name
                    if maker == name:
                        continue
                    if pair not in sizes:
                        if len(makers[file]) > 1:
                            continue
                        self.notes.add(
                            "who is before whom is said by files only", f"{maker} to {name}"
                        )
                    sizes[pair] = sizes.get(pair, Fraction(0)) + self._size_of(
                        file, self.jobs[maker].makes[file], size, unsaid
                    )
                    carried.add(pair)
                    if len(sizes) > self._limits.max_files:
                        raise limit_error(len(sizes), "files", self._limits.max_files)
        self._say_sizes(unsaid)
        for pair in sizes:
            if pair not in carried:
                what = "parents without a common file give files of size 0"
                self.notes.add(what, f"{pair[0]} to {pair[1]}")
        self._say_external(makers)
        return sizes

    def _size_of(
        self, file: str, made: Fraction | None, used: Fraction | None, unsaid: dict[str, None]
    ) -> Fraction:
        if made is not None and used is not None and made != used:
            self.notes.add(
                "files have another size where they are used: the producer's is taken", file
            )
        size = used if made is None else made
        if size is not None:
            return size
        unsaid[file] = None
        return Fraction(0) if self._file_size is None else self._file_size.value

    def _say_sizes(self, unsaid: Mapping[str, None]) -> None:
        if unsaid and self._file_size is None:
            raise refused(
                "file_size",
                "missing_parameter",
                f"{len(unsaid):,} files that go from job to job do not say their size, such as"
                f" {next(iter(unsaid))[:80]!r}: say file_size, such as 25MB",
            )
        for file in unsaid:
            self.notes.add("files without a size have the one that is said", file)

    def _say_external(self, makers: Mapping[str, list[str]]) -> None:
        used = {file for job in self.jobs.values() for file in job.uses}
        outside, kept = used - makers.keys(), makers.keys() - used
        if outside:
            self.notes.say(f"external inputs are where they are used: {len(outside):,} files")
        if kept:
            self.notes.say(f"external outputs stay where they are made: {len(kept):,} files")
