"""The jobs of a sweep: one template, and for each job what is changed in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import JobName, Options
from steadygrid.domain.patch import Change, Target, apply_patch, places
from steadygrid.domain.text import Frozen, PlainText
from steadygrid.submissions.job_names import name_in, named_parts

MOST_TARGETS = 100
"""Of one parameter. Each may stand for many places."""

Mode = Literal["product", "zip"]
Targets = Annotated[tuple[Target, ...], Field(strict=False, min_length=1, max_length=MOST_TARGETS)]
_JOB_NAME: TypeAdapter[str] = TypeAdapter(JobName)


class Parameter(Frozen):
    """What changes from job to job: the values that are put, or multiplied, at some places."""

    name: Annotated[PlainText, Field(min_length=1)]
    at: Targets | None = Field(None, description="where each value is put")
    scale: Targets | None = Field(None, description="which quantities are multiplied by each value")
    values: Annotated[tuple[Any, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _has_targets(self) -> "Parameter":
        if (self.at is None) == (self.scale is None):
            raise PydanticCustomError(
                "one_of_at_and_scale",
                "give either 'at', where the values are put, or 'scale', what they multiply",
            )
        return self

    @property
    def target_member(self) -> Literal["at", "scale"]:
        """Which of its members has the targets."""
        return "scale" if self.at is None else "at"

    @property
    def targets(self) -> tuple[str, ...]:
        """All its targets."""
        return (self.scale if self.at is None else self.at) or ()

    def changes(self, choice: int) -> tuple[Change, ...]:
        """Give what its value of this number changes."""
        value = self.values[choice]
        if self.at is None:
            return tuple(Change(scale=target, value=value) for target in self.targets)
        return tuple(Change(at=target, value=value) for target in self.targets)

    def places(self, document: Any, target: str) -> list[Pointer]:
        """Find where one of its targets leads in a body. See `steadygrid.domain.patch.places`.

        Parameters
        ----------
        document
            The body.
        target
            One of its `at` or `scale`.
        """
        return places(document, target, may_add=self.at is not None)


class Facts(NamedTuple):
    """What is known of a job of a sweep before its body is read."""

    kind: str
    name: str | None
    """As `steadygrid.submissions.job_names` makes it."""
    labels: Mapping[str, str]
    priority: int
    time_limit: float
    """In seconds. The usual one where the value put there is none, and the job will fail."""


@dataclass(frozen=True)
class Plan:
    """What a sweep asks. Its jobs are numbered from 0.

    Attributes
    ----------
    template
        A canonical body with references resolved.
    mode
        ``product``: every combination of values, the last parameter changing fastest; ``zip``: the
        first value of each, the second of each, ...
    """

    template: Mapping[str, Any]
    parameters: tuple[Parameter, ...]
    mode: Mode = "product"

    @property
    def jobs(self) -> int:
        """How many there are."""
        return number_of_jobs(self.parameters, self.mode)

    def choice(self, index: int) -> tuple[int, ...]:
        """Give which value of each parameter a job takes.

        Raises
        ------
        IndexError
            If there is no such job.
        """
        if not 0 <= index < self.jobs:
            raise IndexError(f"no job {index}: there are {self.jobs}")
        if self.mode == "zip":
            return (index,) * len(self.parameters)
        chosen: list[int] = []
        for parameter in reversed(self.parameters):
            index, choice = divmod(index, len(parameter.values))
            chosen.append(choice)
        return tuple(reversed(chosen))

    def values(self, index: int) -> tuple[Any, ...]:
        """Give the values of a job, as they were given, in the order of the parameters."""
        pairs = zip(self.parameters, self.choice(index), strict=True)
        return tuple(parameter.values[choice] for parameter, choice in pairs)

    def named_values(self, index: int) -> dict[str, Any]:
        """Give them by the names of the parameters."""
        names = (parameter.name for parameter in self.parameters)
        return dict(zip(names, self.values(index), strict=True))

    def patch(self, index: int) -> tuple[Change, ...]:
        """Give what makes the template the body of a job."""
        return self._patch(index, self.parameters)

    def _patch(self, index: int, some: Sequence[Parameter]) -> tuple[Change, ...]:
        return tuple(
            change
            for parameter, choice in zip(self.parameters, self.choice(index), strict=True)
            if parameter in some
            for change in parameter.changes(choice)
        )

    def facts(self, index: int) -> Facts:
        """Tell what is known of a job; cheap, since only what tells it is changed."""
        if not self._naming_parameters:
            return self._template_facts
        return _facts(apply_patch(self.template, self._patch(index, self._naming_parameters)))

    @cached_property
    def _template_facts(self) -> Facts:
        return _facts(self.template)

    @cached_property
    def _naming_parameters(self) -> tuple[Parameter, ...]:
        """Parameters that change a name or the time limit."""
        parts = named_parts(self.template["problem"]["kind"])
        told = {("name",), ("options",), ("options", "time_limit")}
        told |= {("problem", part) for part in parts} | {
            ("problem", part, "name") for part in parts
        }
        return tuple(
            parameter
            for parameter in self.parameters
            if any(
                place in told
                for target in parameter.targets
                for place in parameter.places(self.template, target)
            )
        )

    def document(self) -> dict[str, Any]:
        """Give what `from_document` reads: JSON-ready."""
        return {
            "template": self.template,
            "mode": self.mode,
            "parameters": [
                {"name": p.name, p.target_member: list(p.targets), "values": list(p.values)}
                for p in self.parameters
            ],
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Plan":
        """Read back what `document` gave. Nothing is checked again."""
        parameters = tuple(map(Parameter.model_validate, document["parameters"]))
        return cls(document["template"], parameters, document["mode"])


def number_of_jobs(parameters: Sequence[Parameter], mode: Mode) -> int:
    """Count the jobs of a sweep; by ``zip`` as many as the first parameter has values.

    Parameters
    ----------
    parameters
        Of the sweep.
    mode
        Whether all combinations are meant, or the first of each, the second of each, and so on.
    """
    counts = [len(parameter.values) for parameter in parameters]
    return prod(counts) if mode == "product" else counts[0]


def _facts(document: Mapping[str, Any]) -> Facts:
    options = document["options"]
    limit = options.get("time_limit") if isinstance(options, dict) else None
    most = Options()
    if isinstance(limit, int | float) and not isinstance(limit, bool) and 0 < limit <= 3600:
        most = Options(time_limit=limit)
    try:
        name = _JOB_NAME.validate_python(name_in(document))
    except ValidationError:
        name = None
    return Facts(
        document["problem"]["kind"],
        name,
        document["labels"],
        document.get("priority", 0),
        most.time_limit,
    )
