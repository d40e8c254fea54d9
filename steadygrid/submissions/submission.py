"""From a posted body to an instance that can be solved, or to the list of its faults."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from steadygrid.domain.application import Application
from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.job import JobName, Labels, Options, Priority
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import nearest
from steadygrid.domain.platform import Platform
from steadygrid.domain.problem import Problem, Sizing
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.domain.showing import shown_line
from steadygrid.domain.text import Frozen
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.wording import described
from steadygrid.kinds import PROBLEMS, RUNS_SINCE, TRANSIENT_SINCE
from steadygrid.kinds.shared import preferring, simulating
from steadygrid.kinds.shared.members import member_faults, told_of_members
from steadygrid.kinds.shared.piecewise import Finding, findings_by_pieces, findings_of
from steadygrid.kinds.shared.readable import faults_of_readable_part, faults_of_readable_problem
from steadygrid.submissions.changes import ChangedBody, changed_body
from steadygrid.submissions.counts import check_counts, limit_error
from steadygrid.submissions.foreign_documents import proper_place, still_wrapped, stranger

if TYPE_CHECKING:
    from steadygrid.submissions.common_parts import Known

M = TypeVar("M", bound=BaseModel)

MAX_FAULTS = 100
"""Most faults reported at once."""

_STORED: Mapping[str, type[Frozen]] = {"platform": Platform, "application": Application}
"""What can be stored, by the name of the member that may refer to it."""

ANSWERED_JOB = "job"
"""The member of an instance that may be the id of a job that succeeded."""

_SHORTER_STREAM = "ask for a shorter stream, or fewer seeds"
_SMALLER_RUNS = "ask for fewer instances, seeds, executions or values of noise"
_UNKNOWN_AT_FIRST = ("latencies", "latency_loss", "run", "total_instances", "simulate")
"""Options that workers of the first version refuse, with any value."""


class _Envelope(Frozen):
    """The body of ``POST /v1/jobs``, the kind's own part still unread."""

    problem: dict[str, Any]
    options: Options = Options()
    labels: Labels = Field(default_factory=dict)
    name: JobName | None = None
    priority: Priority = 0
    transient: bool = False


@dataclass(frozen=True)
class Submission:
    """A well-formed body without faults."""

    problem: Problem[Any, Any]
    instance: Any
    options: Options
    labels: Mapping[str, str]
    name: str | None = None
    """For people. The answer does not depend on it."""
    priority: int = 0
    """Of the jobs of one tenant, those of greater priority are done first. Nothing else."""
    transient: bool = False
    """Whether the job is for a look at its answer only: in no list, and gone soon after its end."""

    def __repr__(self) -> str:
        name = () if self.name is None else (repr(self.name[:80]),)
        return shown_line("Submission", repr(self.kind), *name)

    @property
    def kind(self) -> str:
        """The kind of the problem."""
        return self.problem.kind

    @property
    def requires(self) -> int:
        """How new a version has to be that solves it. See `steadygrid.kinds.SOLVES`."""
        since = RUNS_SINCE if self.options.run is not None else 0
        of_options = max(
            since, preferring.requires(self.options), simulating.requires(self.options)
        )
        if self.transient:
            of_options = max(of_options, TRANSIENT_SINCE)
        return max(of_options, self.problem.requires(self.instance, self.options))

    def document(self) -> dict[str, Any]:
        """Give the canonical body: JSON-ready, defaults filled in, equal when parsed again."""
        return self.stored_document() | name_and_priority(self.name, self.priority)

    def stored_document(self) -> dict[str, Any]:
        """Give the canonical body without what `name_and_priority` gives."""
        return {
            "problem": self.instance.model_dump(mode="json", exclude_none=True),
            "options": self._options(),
            "labels": dict(self.labels),
        }

    def _options(self) -> dict[str, Any]:
        """Give the options, without those at their defaults that older workers do not know."""
        written = self.options.model_dump(mode="json", exclude_none=True)
        usual = Options().model_dump(mode="json")
        return {
            name: value
            for name, value in written.items()
            if name not in _UNKNOWN_AT_FIRST or value != usual[name]
        }


def parse_submission(body: Any, limits: Limits, known: "Known | None" = None) -> Submission:
    """Read the body of ``POST /v1/jobs``, whose references are resolved already.

    Parameters
    ----------
    body
        As JSON has it.
    limits
        How large the problem may be.
    known
        The problem of a body before: the parts that this one shares with it are not read again.
        None: there is none.

    Raises
    ------
    LimitError
        If something is listed more often than `limits` allow, and nothing else is read then; or
        an option asks for more.
    InstanceError
        With every fault found (at most `MAX_FAULTS`). Its pointers walk `body`. What a change has
        put is found at the change.
    """
    if not isinstance(body, Mapping):
        detail = f"expected a JSON object, not {described(body)}"
        raise InstanceError(faults=[Fault((), "invalid_type", detail)])
    changed = changed_body(body)
    try:
        return _parse(changed, limits, known)
    except (InstanceError, LimitError) as error:
        raise changed.blamed(error) from None


def _parse(changed: ChangedBody, limits: Limits, known: "Known | None") -> Submission:
    body = changed.body
    if fault := stranger(body):
        raise InstanceError(faults=[fault])
    check_counts(body, limits)
    without = {**body, "problem": {}} if isinstance(body.get("problem"), dict) else body
    envelope, faults = _read(_Envelope, without)
    problem, unread = _problem(body)
    if problem is None:
        places = {fault.pointer for fault in unread}
        faults = [fault for fault in faults if fault.pointer not in places] + unread
        raise InstanceError(faults=faults[:MAX_FAULTS])
    instance = None
    if not unread:
        if known is not None:
            instance = known.read(problem.instance, body["problem"])
        if instance is None:
            instance, unread = _read(problem.instance, body, ("problem",))
    else:
        places = {fault.pointer for fault in unread}
        _, others = _read(problem.instance, body, ("problem",))
        unread += [fault for fault in others if fault.pointer not in places]
    fields = problem.instance.model_fields
    faults = [proper_place(fault, fields) for fault in faults + unread]
    more: Iterable[Fault]
    if envelope is not None and instance is not None:
        more = chain(
            _run_faults(problem, envelope.options),
            problem.faults(instance, envelope.options, ("problem",)),
            member_faults(problem, instance, envelope.options, ("problem",)),
        )
    else:
        more = faults_of_readable_problem(problem, body["problem"], faults, ("problem",))
    faults = list(islice(chain(faults, more), MAX_FAULTS))
    if faults or envelope is None or instance is None:
        raise InstanceError(faults=faults)
    entries, most = envelope.options.max_labelling_entries, limits.max_labelling_entries
    if entries is not None and most is not None and entries > most:
        raise limit_error(("options", "max_labelling_entries"), entries, most, "entries")
    return _submission(problem, instance, envelope)


def _run_faults(problem: Problem[Any, Any], options: Options) -> Iterator[Fault]:
    """Refuse a run of what does not repeat, and one that is given twice.

    Rules, in order: a kind whose schedules repeat; `total_instances` is another name of a run's
    instances.
    """
    if options.run is None:
        return
    if problem.form is not Schedule:
        why = (
            "runs once, and its makespan is the answer"
            if problem.form is Timeline
            else "is a timetable, with no period to choose"
        )
        detail = f"a schedule of {problem.kind} {why}: leave it out"
        yield Fault(("options", "run"), "not_periodic", detail)
    if options.total_instances is not None:
        yield Fault(
            ("options", "total_instances"),
            "invalid_request",
            "total_instances is an older name of run.instances: give run only",
        )


def _submission(problem: Problem[Any, Any], instance: Any, envelope: _Envelope) -> Submission:
    return Submission(
        problem,
        instance,
        envelope.options,
        envelope.labels,
        envelope.name,
        envelope.priority,
        envelope.transient,
    )


def name_and_priority(name: str | None, priority: int) -> dict[str, Any]:
    """Give the members of a body that do not change the answer, where they are not the default.

    They stand in the job's row and not in its stored body: workers of versions before refuse them.

    Parameters
    ----------
    name
        Of the job. None: it has none.
    priority
        Of the job; 0 is usual.
    """
    named = {} if name is None else {"name": name}
    return named | ({"priority": priority} if priority else {})


def options_within(options: Options, limits: Limits) -> Options:
    """Give what is solved with: where nothing was asked, or more than is accepted now, the limit.

    Parameters
    ----------
    options
        As they were asked.
    limits
        What is accepted now.
    """
    asked, most = options.max_labelling_entries, limits.max_labelling_entries
    entries = min((each for each in (asked, most) if each is not None), default=None)
    return options.model_copy(update={"max_labelling_entries": entries})


def _read(model: type[M], body: Any, at: Pointer = ()) -> tuple[M | None, list[Fault]]:
    """Read the part of a body at a place; else list what is wrong with its form.

    Long documents are looked at in pieces first: pydantic collects all faults before it shows
    one.
    """
    part = body
    for step in at:
        part = part[step]
    early = list(islice(findings_by_pieces(model, part), MAX_FAULTS))
    if len(early) == MAX_FAULTS:
        return None, list(_faults(early, body, at))
    try:
        return model.model_validate(part), []
    except ValidationError as error:
        return None, list(validation_faults(model, error, body, at))


def restore_submission(document: Mapping[str, Any]) -> Submission:
    """Read back what `Submission.document` gave for an accepted body.

    Its faults and counts are not looked for again: for a large platform that takes as long as
    reading it, and what was accepted is solved, even under other limits now.

    Raises
    ------
    InstanceError
        If an older version accepted what this one refuses.
    """
    problem = PROBLEMS[document["problem"]["kind"]]
    try:
        envelope = _Envelope.model_validate(document)
        instance = problem.instance.model_validate(document["problem"])
    except ValidationError as error:
        _, faults = _read(_Envelope, document)
        _, more = _read(problem.instance, document, ("problem",))
        raise InstanceError(faults=[*faults, *more]) from error
    return _submission(problem, instance, envelope)


def schedule_limits(limits: Limits) -> ScheduleLimits:
    """Pick what bounds the description of a schedule, for reconstruction and referee."""
    return ScheduleLimits(limits.max_period_digits, limits.max_slot_transfers)


def size_submission(submission: Submission, limits: Limits) -> Sizing:
    """Estimate the program's size, choose the method and say what is given but not used.

    Parameters
    ----------
    submission
        What was asked, with its options.
    limits
        How large a problem may be.

    Raises
    ------
    LimitError
        If the program would have more coefficients than `limits` allow, or the streams more tasks,
        or a simulation more operations.
    """
    problem, instance = submission.problem, submission.instance
    sizing = problem.sizing(instance, options_within(submission.options, limits))
    for name, most, noun, at, remedy in (
        ("coefficients", limits.max_coefficients, "coefficients", (), sizing.remedy),
        ("stream", limits.max_stream_tasks, "tasks", ("stream",), _SHORTER_STREAM),
        ("simulated_operations", limits.max_simulated_operations, "operations", (), _SMALLER_RUNS),
    ):
        count = sizing.sizes.get(name, 0)
        if count > most:
            raise limit_error(("problem", *at), count, most, noun, remedy)
    return replace(
        sizing,
        warnings=(
            *sizing.warnings,
            *told_of_members(instance),
            *problem.unused(instance, submission.options, sizing),
        ),
    )


def _problem(body: Mapping[str, Any]) -> tuple[Problem[Any, Any] | None, list[Fault]]:
    """Find the kind, and what stands where a stored document may be named."""
    part = body.get("problem")
    if not isinstance(part, Mapping):
        detail = f"expected a JSON object, not {described(part)}"
        fault = Fault(("problem",), "invalid_type", detail)
        if "problem" not in body:
            fault = Fault(("problem",), "missing", "the field 'problem' is missing")
        return None, [fault]
    kind = part.get("kind")
    if "kind" not in part:
        return None, [Fault(("problem", "kind"), "missing", _known_kinds())]
    if not isinstance(kind, str) or kind not in PROBLEMS:
        trouble = PROBLEMS.trouble(kind) if isinstance(kind, str) else None
        if trouble is not None:
            return None, [Fault(("problem", "kind"), trouble.code, trouble.detail)]
        found = nearest(kind, PROBLEMS) if isinstance(kind, str) else None
        detail = _known_kinds() + (f". Did you mean {found!r}?" if found else "")
        return None, [Fault(("problem", "kind"), "unknown_kind", detail)]
    problem = PROBLEMS[kind]
    faults = []
    for name in _STORED:
        if name in problem.instance.model_fields and isinstance(part.get(name), str):
            fault = Fault(
                ("problem", name),
                f"unknown_{name}",
                f"no {name} is stored under this id: post it first, or give the object",
            )
            if name not in stored_parts(kind):
                fault = Fault(
                    ("problem", name),
                    "not_storable",
                    f"the {name} of this kind cannot be stored: give the object itself",
                )
            faults.append(fault)
    return problem, faults


def stored_parts(kind: str) -> frozenset[str]:
    """Name the members of a kind's instance that may be ids of stored documents.

    None where there is no such kind.
    """
    if kind not in PROBLEMS:
        return frozenset()
    members = PROBLEMS[kind].instance.model_fields
    return frozenset(
        name
        for name, noun in _STORED.items()
        if name in members and members[name].annotation is noun
    )


def refers_to_job(kind: str) -> bool:
    """Tell whether a kind's instance may name a job, whose documents are then copied into it."""
    return kind in PROBLEMS and ANSWERED_JOB in PROBLEMS[kind].instance.model_fields


def _known_kinds() -> str:
    return "the kind is one of: " + ", ".join(PROBLEMS)


def validation_faults(
    model: type[BaseModel], error: ValidationError, body: Any, at: Pointer = ()
) -> Iterator[Fault]:
    """Turn pydantic's first `MAX_FAULTS` findings into faults whose pointers walk `body`.

    Parameters
    ----------
    model, error
        What the part of `body` at `at` should be, and what its ``model_validate`` raised.
    body
        The document as it was sent.
    """
    return _faults(islice(findings_of(model, error), MAX_FAULTS), body, at)


def _faults(findings: Iterable[Finding], body: Any, at: Pointer) -> Iterator[Fault]:
    faults: dict[tuple[Pointer, str], Fault] = {}
    for location, code, detail in findings:
        pointer: list[str | int] = []
        part = body
        for step in (*at, *location):
            try:
                part = _member(part, step)
            except LookupError:
                if code != "missing" or step != location[-1]:
                    continue  # a union's tag, or pydantic's own mark such as "[key]"
            pointer.append(step)
        if code == "too_short" and isinstance(part, list) and part:
            continue  # pydantic counts the entries that are well-formed, not those sent
        faults.setdefault((tuple(pointer), code), Fault(tuple(pointer), code, detail))
    yield from _without_other_alternatives(list(faults.values()))


def _without_other_alternatives(faults: Collection[Fault]) -> Iterator[Fault]:
    """Of the alternatives of a union, keep the faults of the one that was meant.

    That is the object where an object was sent, and the number where none was.
    """
    places = Counter(fault.pointer for fault in faults)
    above = {fault.pointer[:-1] for fault in faults}
    for fault in faults:
        pointer, code, _ = fault
        if code == "not_a_rational" and pointer in above:
            continue
        if code == "model_type" and places[pointer] > 1:
            continue
        yield fault


def _member(part: Any, step: str | int) -> Any:
    if isinstance(part, Mapping):
        return part[step]
    if isinstance(part, list) and isinstance(step, int):
        return part[step]
    raise LookupError(step)


def parse_model(model: type[M], body: Any) -> M:
    """Read one document that is not a job, such as a platform.

    Parameters
    ----------
    model
        What the document should be.
    body
        As JSON has it.

    Raises
    ------
    InstanceError
        With every fault found. Its pointers walk `body`.
    """
    document, faults = _read(model, body)
    if document is not None:
        return document
    if fault := still_wrapped(model.__name__.lower(), body):
        raise InstanceError(faults=[fault])
    more = faults_of_readable_part(model, body, faults, ())
    raise InstanceError(faults=islice(chain(faults, more), MAX_FAULTS))
