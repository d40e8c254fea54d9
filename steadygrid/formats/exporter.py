"""What an exporter of answers to a foreign format promises."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform
from steadygrid.domain.slots import FileName
from steadygrid.domain.stated_program import StatedProgram

Instances = Mapping[int, Fraction]
"""Instances per period of each allocation, by its index, as a schedule has them."""


class Parameter(NamedTuple):
    """What a format needs to know and an answer does not say."""

    says: str
    """A sentence that documents it and its default."""
    repeated: bool = False
    """Given once for each of several values, whose order counts."""


class Exported(NamedTuple):
    """An answer in a foreign format."""

    text: str
    notes: tuple[str, ...]
    """What was exported, one sentence each."""


class Answer(NamedTuple):
    """What is exported."""

    result: Any
    """Of the kind of the format."""
    instances: Instances | None = None
    """What the schedule of the answer does in a period. Without it, the rates of the result are
    exported, which a schedule of a bounded period only comes near."""
    instance: Any = None
    """What was asked, where the format is `Exporter.of_instance` or `Exporter.of_schedule`, or takes
    it and it is known."""
    schedule: Any = None
    """The whole schedule, where the format is `Exporter.of_schedule`."""
    file_sizes: Mapping[FileName, Fraction] | None = None
    """Of the files that the schedule moves, where it is given."""
    program: StatedProgram | None = None
    """What a solver process has stated, where the format is `Exporter.of_program`."""


class PlatformFormat(NamedTuple):
    """One foreign format for platforms alone."""

    content_type: str
    title: str
    write: Callable[[Platform], Exported]
    """Raises `InstanceError` ``not_in_format`` with what the format cannot say."""


@dataclass(frozen=True)
class Exporter:
    """One foreign format for the answers of one kind."""

    name: str
    """Of the format, as ``?format=`` and ``--to`` know it."""
    kind: str | None
    """Of the answers. None: every kind."""
    content_type: str
    title: str
    convert: Callable[[Answer, Mapping[str, Sequence[str]]], Exported]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    of_instance: bool = False
    """Whether it needs the instance besides the result, and not what the schedule does."""
    takes_instance: bool = False
    """Whether some parameters need the instance, too."""
    of_schedule: bool = False
    """Whether it needs the whole schedule, and the instance."""
    of_schedule_alone: bool = False
    """Whether the schedule is enough where the instance is not known."""
    of_program: bool = False
    """Whether it needs the linear program, and nothing else."""

    def takes(self, kind: str) -> bool:
        """Whether answers of a kind can be written.

        Parameters
        ----------
        kind
            Of the problem.
        """
        return self.kind in (None, kind)

    def write(
        self,
        answer: Answer,
        parameters: Mapping[str, Sequence[str]] | None = None,
    ) -> Exported:
        """Write an answer in this format.

        Parameters
        ----------
        parameters
            Values by name. The keys are those of `parameters`.

        Raises
        ------
        InstanceError, LimitError
            The answer has no such form, or a parameter is wrong: the pointer of a fault is then
            the name of the parameter, else empty.
        """
        given = parameters or {}
        self.check(given)
        return self.convert(answer, given)

    def check(self, given: Mapping[str, Sequence[str]]) -> None:
        """Refuse names of parameters that the format does not have; `InstanceError` with all of them.

        Parameters
        ----------
        given
            Values by name.
        """
        faults = list(self._faults(given))
        if faults:
            raise InstanceError(faults=faults)

    def _faults(self, given: Mapping[str, Sequence[str]]) -> list[Fault]:
        known = Known(sorted(self.parameters))
        has = ", ".join(sorted(self.parameters)) or "none"
        faults = []
        for name, values in given.items():
            parameter = self.parameters.get(name)
            if parameter is None:
                detail = f"{self.title} has no such parameter (it has: {has}){known.hint(name)}"
                faults.append(Fault((name,), "unknown_parameter", detail))
            elif len(values) > 1 and not parameter.repeated:
                faults.append(Fault((name,), "given_twice", "give it once"))
        return faults
