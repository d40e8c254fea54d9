"""From the files and options of ``steadygrid solve`` to a body of ``POST /v1/jobs``."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from steadygrid.cli.drafts import GIVEN, Draft, evaluating
from steadygrid.cli.files_given import GivenFile, Sort, read_files, read_given_mapping
from steadygrid.cli.solve_options import SolveRequest
from steadygrid.cli.terminal import STANDARD_INPUT, Refusal
from steadygrid.domain.application import Application
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform
from steadygrid.domain.quantity import DATA, TIME, WORK, Dimension, parse_quantity
from steadygrid.domain.rational import EXACT, as_number
from steadygrid.formats import Importer
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import printable
from steadygrid.submissions.submission import Submission

_NEEDED = {
    "--master": "the processor that holds the tasks",
    "--work": "the work of a task, such as 20Gf",
    "--input": "what a task needs from the master, such as 25MB; 0 for nothing",
}
_PARTS = {"platform": Platform, "application": Application}
_TASK = {"work", "input_size", "output_size"}


def _members(model: Any) -> set[str]:
    return set(getattr(model, "model_fields", ()))


def _needing(*parts: str) -> tuple[str, ...]:
    """Name the kinds that need these parts, and nothing else."""
    fields_of = {kind: problem.instance.model_fields for kind, problem in PROBLEMS.items()}
    return tuple(
        kind
        for kind, fields in fields_of.items()
        if {name for name, told in fields.items() if told.is_required()} == {"kind", *parts}
        and all(fields[name].annotation is _PARTS.get(name) for name in parts if name in _PARTS)
        and ("task" not in parts or _members(fields["task"].annotation) >= _TASK)
    )


@cache
def graphs() -> tuple[str, ...]:
    """Name the kinds that are asked for by two files."""
    return _needing("platform", "application")


@cache
def bag() -> str:
    """Name the kind that is asked for by a platform and a description of a task."""
    return _needing("platform", "master", "task")[0]


_APART = "apart"
"""The parameter of a format that says which hosts stay by themselves."""
_MOST_EXACT = 2**53
_FILE_NAME = re.compile(r"\.[A-Za-z]\w*$", re.ASCII)


class Question(NamedTuple):
    """What is to be solved."""

    body: Any
    """Of ``POST /v1/jobs``, as short as it can be said."""
    submission: Submission
    notes: tuple[str, ...]
    """What was decided without being asked for, and what foreign files lost."""


def read_question(names: Sequence[str], asked: SolveRequest, limits: Limits) -> Question:
    """Read what is to be solved: a whole problem, or one made of files and options.

    Parameters
    ----------
    names
        Of the files, ``-`` for standard input; at most two.
    asked
        What the options of the command say.
    limits
        How large a problem may be.

    Raises
    ------
    Refusal
        With every fault found, each with the file or the option that it is in.
    """
    if asked.mapping is not None and [*names, asked.mapping].count(STANDARD_INPUT) > 1:
        raise Refusal("only one of the files can be standard input")
    files = read_files(names, limits)
    if len(files) > 2:
        raise Refusal(
            f"{len(files)} files are given, and at most two are taken: a platform and an application"
        )
    return question_of(files, asked, limits)


def question_of(files: Sequence[GivenFile], asked: SolveRequest, limits: Limits) -> Question:
    """Make a question of files that are read, as `read_question` does.

    Parameters
    ----------
    files
        What was read, and what each of them is.
    asked
        What the options of the command say.
    limits
        How large a problem may be.
    """
    if len(files) == 1 and files[0].sort not in (Sort.PLATFORM, Sort.APPLICATION):
        return _whole(files[0], asked, limits)
    found = _sorted(files)
    platform = found[Sort.PLATFORM]
    if asked.mapping is not None and Sort.APPLICATION not in found:
        raise Refusal("--mapping: it places the tasks of an application: give the file of one, too")
    draft = _graph(found, asked) if Sort.APPLICATION in found else _bag(platform, asked)
    settings = dict(asked.settings)
    if platform.importer is not None and _APART in platform.importer.parameters:
        named = [settings[_APART]] if _APART in settings else []
        settings[_APART] = ",".join([*named, *_hosts_named(found, asked)])
    for noun, file in zip(_PARTS, found.values(), strict=False):
        document, warnings = file.read(_parameters(file, files, settings, draft), limits)
        draft.notes += warnings
        draft.problem[noun] = document
        draft.places["problem", noun] = file
    units = _units(draft.problem["platform"])
    if draft.problem["kind"] == bag():
        _say_task(draft, asked, units, platform)
    _say_routing(draft, asked, platform)
    for name, value in settings.items():
        draft.set(name, value)
    _say_mapping(draft, asked, limits)
    _say_options(draft, asked, units, platform)
    return Question(draft.body, draft.read(limits), tuple(draft.notes))


def _hosts_named(found: Mapping[Sort, GivenFile], asked: SolveRequest) -> list[str]:
    """List the processors that a question names, as far as that can be seen before it is read."""
    named = [asked.master] if asked.master else []
    application = found[Sort.APPLICATION].document if Sort.APPLICATION in found else None
    tasks = application.get("tasks") if isinstance(application, dict) else None
    for task in tasks if isinstance(tasks, list) else ():
        for part in (task.get("times"), task.get("allowed")) if isinstance(task, dict) else ():
            if isinstance(part, dict | list):
                named += [name for name in part if isinstance(name, str) and name not in named]
    return named


def _whole(file: GivenFile, asked: SolveRequest, limits: Limits) -> Question:
    """Take a file that holds a whole problem; options of all kinds go before its own."""
    if file.importer is not None:
        return _whole_foreign(file, asked, limits)
    given = asked.of_problem
    if given and file.sort is Sort.BODY:
        raise Refusal(
            f"{_listed(given)}: {file.shown} is a whole problem, which says that itself: change it"
            f" there{_output_hint(asked)}"
        )
    if file.why and (given or file.document is None):
        raise Refusal(f"{file.shown}: neither a problem nor a part of one: {file.why}")
    if given:
        raise Refusal(f"{_listed(given)}: {file.shown} is {file.sort.value}, and no platform")
    draft = Draft(file)
    for name, value in asked.settings.items():
        draft.set(name, value)
    document = file.document if isinstance(file.document, dict) else {}
    _say_mapping(draft, asked, limits)
    problem = document.get("problem", document)
    platform = problem.get("platform") if isinstance(problem, dict) else None
    _say_options(draft, asked, _units(platform), file)
    return Question(draft.body, draft.read(limits), ())


def _whole_foreign(file: GivenFile, asked: SolveRequest, limits: Limits) -> Question:
    """Take a file of a foreign format for whole problems; options say what it does not."""
    if asked.bag:
        raise Refusal(
            f"{_listed(asked.bag)}: for a bag of identical tasks, and {file.shown} is none"
        )
    draft, settings = Draft(), dict(asked.settings)
    known = file.importer.parameters if file.importer else {}
    document, warnings = file.read({n: settings.pop(n) for n in known if n in settings}, limits)
    draft.problem = dict(document["problem"])
    draft.options = dict(document.get("options", {}))
    draft.notes += warnings
    draft.places["problem",] = file
    kind = draft.problem["kind"]
    if asked.kind not in (None, kind):
        raise Refusal(f"--kind {printable(repr(asked.kind))}: what is in {file.shown} is a {kind}")
    if asked.kind is None and file.importer is not None:
        draft.notes.append(f"note: taken as {kind}, as {file.shown} is {file.importer.title}")
    _say_choices(draft, asked)
    for name, value in settings.items():
        draft.set(name, value)
    _say_mapping(draft, asked, limits)
    _say_options(draft, asked, {}, file)
    return Question(draft.body, draft.read(limits), tuple(draft.notes))


def _sorted(files: Sequence[GivenFile]) -> dict[Sort, GivenFile]:
    """Tell the platform from the application; anything else is refused."""
    for file, other in zip(files, reversed(files), strict=True):
        if file.sort is Sort.BODY:
            part = other.sort.value.split()[-1]
            into = f"`steadygrid convert {other.shown} --to {part} --into {file.shown} | steadygrid solve -`"
            raise Refusal(
                f"{file.shown}: a whole problem is solved alone"
                + (
                    f"; {into} puts {other.shown} into it"
                    if other.importer and not file.importer
                    else ""
                )
            )
        if file.sort is Sort.UNKNOWN:
            raise Refusal(f"{file.shown}: neither a platform nor an application: {file.why}")
        if file.sort not in (Sort.PLATFORM, Sort.APPLICATION):
            raise Refusal(
                f"{file.shown}: {file.sort.value} is neither a platform nor an application"
            )
    found: dict[Sort, GivenFile] = {
        file.sort: file
        for sort in (Sort.PLATFORM, Sort.APPLICATION)
        for file in files
        if file.sort is sort
    }
    if len(found) < len(files):
        what = files[0].sort.value.split()[-1]
        raise Refusal(
            f"{files[0].shown} and {files[1].shown} are two {what}s: give one platform, and one"
            " application or --master, --work and --input"
        )
    if Sort.PLATFORM not in found:
        raise Refusal(
            f"{files[0].shown} is an application, and does not say where it runs: give the file of a"
            " platform, too"
        )
    return found


def _graph(found: Mapping[Sort, GivenFile], asked: SolveRequest) -> Draft:
    application = found[Sort.APPLICATION].shown
    if asked.bag:
        raise Refusal(
            f"{_listed(asked.bag)}: for a bag of identical tasks on a platform alone, and"
            f" {application} is an application. Leave out one or the other" + _output_hint(asked)
        )
    if asked.kind == bag():
        raise Refusal(f"--kind {bag()}: it has no application: leave out {application}")
    kind = asked.kind or (graphs()[0] if asked.mapping is None else evaluating()[0])
    if kind not in graphs():
        raise _no_such_kind(kind)
    draft = _chosen(kind, asked)
    if asked.kind is None and asked.mapping is None:
        others = " or ".join(other for other in graphs() if other != kind)
        draft.notes.append(
            f"note: taken as {kind}, any mix of allocations, as a platform and an application are"
            f" given. --kind {others} makes something else of them"
        )
    return draft


def _bag(platform: GivenFile, asked: SolveRequest) -> Draft:
    if asked.kind in graphs():
        raise Refusal(f"--kind {asked.kind}: it runs an application: give its file, too")
    if asked.kind not in (None, bag()):
        raise _no_such_kind(str(asked.kind))
    missing = [f"{flag} ({what})" for flag, what in _NEEDED.items() if flag not in asked.bag]
    if missing and (asked.bag or asked.kind):
        raise Refusal(f"a bag of identical tasks on {platform.shown} also needs {_listed(missing)}")
    if missing:
        raise Refusal(
            [
                f"{platform.shown} is a platform, and does not say what to do on it",
                f"  for a bag of identical tasks ({bag()}) give {_listed(missing)}",
                f"  for a task graph ({', '.join(graphs())}) give the file of an application, too",
            ]
        )
    draft = _chosen(bag(), asked)
    if asked.kind is None:
        draft.notes.append(
            f"note: taken as {bag()}, a bag of identical tasks, as a platform and --master are given."
            " For a task graph give the file of an application instead"
        )
    return draft


def _no_such_kind(kind: str) -> Refusal:
    of_files = (bag(), *graphs())
    if kind in PROBLEMS:
        return Refusal(
            f"--kind {kind}: files and options are made into {', '.join(of_files)} only. For this kind"
            f" write a body (`steadygrid problems {kind} --example` prints one), and `steadygrid"
            " convert --into` puts a platform into it"
        )
    return Refusal(
        f"--kind {printable(repr(kind))}: there is no such kind. Files and options are made into"
        f" {', '.join(of_files)}{Known(of_files).hint(kind)}"
    )


def _chosen(kind: str, asked: SolveRequest) -> Draft:
    draft = Draft()
    draft.say("kind", kind)
    _say_choices(draft, asked)
    return draft


def _say_choices(draft: Draft, asked: SolveRequest) -> None:
    kind = draft.problem["kind"]
    for name, value in asked.choices.items():
        if name not in PROBLEMS[kind].instance.model_fields:
            raise Refusal(f"--{name}: {kind} has no such choice")
        draft.say(name, value)


def _parameters(
    file: GivenFile, files: Sequence[GivenFile], settings: dict[str, str], draft: Draft
) -> dict[str, str]:
    """Take the parameters of a foreign format out of the settings."""
    found = {}
    for name in file.importer.parameters if file.importer else ():
        if name not in settings:
            continue
        others = [f.importer.title for f in files if f.importer and name in f.importer.parameters]
        if len(others) > 1 or name in draft.fields:
            raise Refusal(
                f"--set {name}: this may be said of more than one thing here ({', '.join(others)}):"
                f" let `steadygrid convert {file.shown} --set {name}=...` write JSON of steadygrid"
                " first"
            )
        found[name] = settings[name]
    for name in found:
        del settings[name]
    return found


def _say_task(
    draft: Draft, asked: SolveRequest, units: Mapping[str, str], platform: GivenFile
) -> None:
    draft.say("master", asked.master)
    task: dict[str, Any] = {}
    for name, flag, dimension in (
        ("work", "--work", WORK),
        ("input_size", "--input", DATA),
        ("output_size", "--return", DATA),
    ):
        text = asked.bag.get(flag)
        if text is not None:
            label = units.get(dimension.name)
            hint = _output_hint(asked) if flag == "--return" else ""
            task[name] = _plain(_quantity(flag, text, dimension, label, platform, hint))
            draft.places["problem", "task", name] = flag
    draft.problem["task"] = task
    draft.places["problem", "task"] = "--work, --input"


def _quantity(
    flag: str, text: str, dimension: Dimension, label: str | None, file: GivenFile, hint: str = ""
) -> Fraction:
    try:
        return parse_quantity(text, dimension, label, file.shown)
    except ValueError as error:
        raise Refusal(f"{flag}: {error}{hint}") from None


def _plain(value: Fraction) -> int | str:
    """Write a number so that no reader of JSON rounds it."""
    return int(value) if value.denominator == 1 and value < _MOST_EXACT else str(value)


def _output_hint(asked: SolveRequest) -> str:
    if not _FILE_NAME.search(asked.output_size or ""):
        return ""
    return (
        ". --return is the size of a task's results: --schedule FILE and --json > FILE write files"
    )


def _say_routing(draft: Draft, asked: SolveRequest, platform: GivenFile) -> None:
    """Keep files to the routes of a foreign platform, unless something else is asked."""
    fields = PROBLEMS[draft.problem["kind"]].instance.model_fields
    importer = platform.importer
    if not (isinstance(importer, Importer) and importer.routed):
        return
    if "routing" not in fields or asked.routing is not None:
        return
    if fields["routing"].default != "fixed":
        draft.say("routing", "fixed")
        draft.notes.append(
            f"note: files keep to the routes of {platform.shown}. --routing free lets them take any"
            " path"
        )


def _say_mapping(draft: Draft, asked: SolveRequest, limits: Limits) -> None:
    """Ask what a mapping does, where one is given."""
    if asked.mapping is None:
        return
    if asked.method not in (None, GIVEN):
        raise Refusal(
            f"--method {printable(asked.method)}: --mapping asks what a mapping does, by the method"
            f" {GIVEN}: leave out one or the other"
        )
    mapping, file = read_given_mapping(asked.mapping, limits)
    draft.evaluate(mapping, file)


def _say_options(
    draft: Draft, asked: SolveRequest, units: Mapping[str, str], file: GivenFile
) -> None:
    """Take the options of all kinds. A limit of time is in seconds, for all units of platforms."""
    if asked.time_limit is not None:
        limit = _quantity("--time-limit", asked.time_limit, TIME, "s", file)
        draft.choose("time_limit", as_number(limit))
    if asked.max_period == EXACT:
        draft.choose("max_period", EXACT)
    elif asked.max_period is not None:
        label = units.get(TIME.name)
        longest = _quantity("--max-period", asked.max_period, TIME, label, file)
        draft.choose("max_period", _plain(longest))
    _say_run(draft, asked, units, file)
    if asked.latencies is not None:
        draft.choose("latencies", asked.latencies)
    if asked.prefer is not None:
        draft.choose("prefer", asked.prefer)


def _say_run(draft: Draft, asked: SolveRequest, units: Mapping[str, str], file: GivenFile) -> None:
    """Say what the schedule is for: a number of instances, or a horizon."""
    if asked.instances is not None and asked.horizon is not None:
        raise Refusal("--instances and --horizon: a run has one of them: leave out the other")
    if asked.instances is not None:
        if not asked.instances.isascii() or not asked.instances.isdecimal():
            raise Refusal(
                f"--instances {printable(asked.instances)}: expected a whole number in digits, at"
                " least 1, such as 10000"
            )
        draft.choose("run", {"instances": int(asked.instances)}, "--instances")
    elif asked.horizon is not None:
        horizon = _quantity("--horizon", asked.horizon, TIME, units.get(TIME.name), file)
        draft.choose("run", {"horizon": _plain(horizon)}, "--horizon")


def _units(platform: Any) -> dict[str, str]:
    """Give the labels of a platform's units that can be read."""
    units = platform.get("units") if isinstance(platform, dict) else None
    if not isinstance(units, dict):
        return {}
    return {name: label for name, label in units.items() if isinstance(label, str)}


def _listed(things: Iterable[str]) -> str:
    *others, last = things
    return f"{', '.join(others)} and {last}" if others else last
