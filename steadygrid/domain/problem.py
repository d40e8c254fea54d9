"""What the contract half of a problem kind declares."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from steadygrid.domain.codes.text import CodeText
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.exported_program import ExportedProgram
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Options, Result
from steadygrid.domain.rational import MOST_EXACT
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.domain.text import Frozen
from steadygrid.domain.unrolling import Unrolling
from steadygrid.domain.view import View

I = TypeVar("I", bound=Frozen)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Use:
    """Who uses an option, or a member of the instance that only some methods know.

    Attributes
    ----------
    names
        One, or those of which a warning speaks together.
    by
        The methods that use them. None: all.
    otherwise
        Why the others do not, with ``{method}`` for their name; empty: they do not.
    """

    names: tuple[str, ...]
    by: Collection[str] | None = None
    otherwise: str = ""

    def warning(self, method: str) -> str:
        """Say that they are given but not used."""
        names = " and ".join(self.names)
        verb = "are" if len(self.names) > 1 else "is"
        if self.otherwise:
            return f"{names} {verb} not used: {self.otherwise.format(method=method)}"
        return f"{names} {verb} not used by {method}"


class Tile(NamedTuple):
    """What people ask, in their words."""

    title: str
    question: str


@dataclass(frozen=True)
class Sizing:
    """What a submission will cost, known before anything is built."""

    method: str
    """The method that ``auto`` takes, or the one that was asked for."""
    sizes: Mapping[str, int]
    """Named counts: processors, links, variables, constraints, coefficients, ..."""
    warnings: tuple[str, ...] = ()
    """What was given but is not used."""
    remedy: str = ""
    """What to ask instead, should this be larger than the limits allow."""
    idle: frozenset[str] = frozenset()
    """Options that the method uses, but not for this instance."""

    def sizes_document(self) -> dict[str, int | str]:
        """Give the counts JSON-ready: strings where a double does not hold them."""
        return {
            name: size if size <= MOST_EXACT else str(size) for name, size in self.sizes.items()
        }


def _priced(_instance: Any, _result: Any) -> str:
    return ""


def _nothing_new(_instance: Any, _options: Options) -> int:
    return 0


@dataclass(frozen=True)
class Problem(Generic[I, R]):
    """One line of the registry: everything but the solving."""

    kind: str
    title: str
    description: str
    instance: type[I]
    result: type[R]
    methods: Mapping[str, str]
    """A sentence for each method that can be asked for."""
    sources: tuple[str, ...]
    example: Mapping[str, Any]
    """A small body that can be posted as it is."""
    faults: Callable[[I, Options, Pointer], Iterable[Fault]]
    """Semantic faults of a well-formed instance, with pointers below the given one."""
    sizing: Callable[[I, Options], Sizing]
    """Method and sizes; cheap, and called only for an instance without faults."""
    validate: Callable[[I, Options, R, Any, ScheduleLimits], None]
    """The exact referee: returns, or raises `InvalidScheduleError` with every fault found. It gets
    a schedule of this kind's form, or None, and the limits within which an exact one is due."""
    uses: tuple[Use, ...]
    """Of every option but the time limit, which all methods keep, and of members of the instance
    that only some methods know."""
    view: Callable[[I, Options, R, Any], View]
    """What people read about an answer. It gets a schedule of this kind's form, or None."""
    form: type[AnySchedule] = Schedule
    """Of this kind's schedules: whether they repeat, or run once."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Sizes of this kind that are refused beyond so many, under all settings. See ``/v1/info``."""
    requires: Callable[[I, Options], int] = _nothing_new
    """How new a version has to be that can solve an instance with these options; older workers
    leave the job to newer ones. See `steadygrid.kinds.SOLVES`."""
    views: Callable[[I, R], Any] | None = None
    """What each allocation of a periodic schedule runs on the platform, as the referee sees it:
    `steadygrid.verification.steady.Views`. None where schedules have another form, or there is no
    platform."""
    unrolled: Callable[[I, R, Any], Unrolling | list[Fault]] | None = None
    """What waits for what in a schedule, instance by instance; or why it does not hold. None where `views`
    say it, or nothing simulates them."""

    programs: Callable[[I, R], Sequence[ExportedProgram]] | None = None
    """The programs that an answer exports with a predicted time, by size. None where a kind exports none."""

    validate_in_time: (
        Callable[[I, Options, R, Any, ScheduleLimits, Callable[[], None]], None] | None
    ) = None
    """As `validate`, where the searches of the referee may be long: before each it calls what it is
    given, which may raise. None: there are no such searches."""

    optimum_alone: Callable[[I, bool], I] | None = None
    """Gives the instance without what is found besides its optimum and takes long: of studies, which ask for
    many optima. Told is whether that is left out even where the instance asks for it. None: there is no
    such thing."""

    codes: Mapping[str, CodeText] = field(default_factory=dict)
    """Texts of the codes of errors that only a kind of another distribution has."""

    tile: Tile | None = None
    """What people ask, on the first page. None: they find it in the list of kinds."""

    simulated: bool = False
    """Whether its values are simulated: they prove nothing, and no schedule comes of them."""

    takes_members: bool = False
    """Whether one processor may stand for several interchangeable ones."""

    unpriced: Callable[[I, R], str] = _priced
    """Why prices by `lp_duality` do not hold for every schedule, as a clause; empty: they do. Where they do,
    they say what no schedule exceeds on a platform that is faster somewhere."""

    def unused(self, instance: I, options: Options, sizing: Sizing) -> Iterator[str]:
        """Warn of what was given, other than its default, and is not used.

        Parameters
        ----------
        instance
            What is asked.
        options
            As they were given.
        sizing
            Of the same instance and options. It says which method is used.

        Yields
        ------
        str
            A sentence.
        """
        for use in self.uses:
            used = use.by is None or sizing.method in use.by
            if used and sizing.idle.isdisjoint(use.names):
                continue
            if any(_is_given(name, options, instance) for name in use.names):
                yield use.warning(sizing.method)


def _is_given(name: str, *places: Frozen) -> bool:
    place = next(place for place in places if name in type(place).model_fields)
    return bool(getattr(place, name) != type(place).model_fields[name].default)
