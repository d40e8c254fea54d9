"""The body of ``POST /v1/sweeps``, and the faults of its form."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Annotated, Any

from pydantic import Field, ValidationError
from pydantic_core import PydanticCustomError

from steadygrid.domain.document import canonical_json
from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.job import JobName, Labels
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import parse_rational
from steadygrid.domain.text import Frozen
from steadygrid.domain.wording import described
from steadygrid.studies.sweep_plan import Mode, Parameter, number_of_jobs
from steadygrid.submissions.submission import MAX_FAULTS, validation_faults

MOST_PARAMETERS = 8


class SweepRequest(Frozen):
    """The body of ``POST /v1/sweeps``, the template still unread."""

    template: dict[str, Any] = Field(description="the body of ``POST /v1/jobs`` that is varied")
    mode: Mode = Field(
        "product",
        description="product: every combination, the last parameter changing fastest; zip: the"
        " first values together, then the second ones, and so on",
    )
    parameters: Annotated[
        tuple[Parameter, ...], Field(strict=False, min_length=1, max_length=MOST_PARAMETERS)
    ]
    labels: Labels = Field(default_factory=dict)
    name: JobName | None = None


def read_sweep(body: Any, limits: Limits) -> SweepRequest:
    """Read the body of ``POST /v1/sweeps``.

    Parameters
    ----------
    body
        As JSON has it.
    limits
        How many jobs a sweep may have.

    Raises
    ------
    LimitError
        If there are too many jobs.
    InstanceError
        With every fault found in the form of the request, its template left out.
    """
    if not isinstance(body, Mapping):
        detail = f"expected a JSON object, not {described(body)}"
        raise InstanceError(faults=[Fault((), "invalid_type", detail)])
    try:
        request = SweepRequest.model_validate(body)
    except ValidationError as error:
        raise InstanceError(faults=validation_faults(SweepRequest, error, body)) from None
    faults = [*_names_given_twice(request), *_unequal(request)]
    if faults:
        raise InstanceError(faults=faults)
    jobs = number_of_jobs(request.parameters, request.mode)
    if jobs > limits.max_sweep_jobs:
        detail = (
            f"{jobs:,} jobs, and at most {limits.max_sweep_jobs:,} are accepted: give fewer values,"
            " or several sweeps"
        )
        raise LimitError(detail, [Fault(("parameters",), "limit_exceeded", detail)])
    faults = list(islice(_values_of_no_use(request), MAX_FAULTS))
    if faults:
        raise InstanceError(faults=faults)
    return request


def _names_given_twice(request: SweepRequest) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for i, parameter in enumerate(request.parameters):
        first = seen.setdefault(parameter.name, i)
        if first != i:
            detail = f"parameter {first} has this name, too. Columns of the table need one each"
            yield Fault(("parameters", i, "name"), "duplicate_parameter", detail)


def _unequal(request: SweepRequest) -> Iterator[Fault]:
    if request.mode == "zip":
        expected = len(request.parameters[0].values)
        for i, parameter in enumerate(request.parameters):
            if (given := len(parameter.values)) != expected:
                detail = f"{given:,} values, and the first parameter has {expected:,}: zip takes"
                detail += " equally many of each"
                yield Fault(("parameters", i, "values"), "unequal_lengths", detail)


def _values_of_no_use(request: SweepRequest) -> Iterator[Fault]:
    for i, parameter in enumerate(request.parameters):
        for j, value in enumerate(parameter.values):
            try:
                if parameter.target_member == "scale":
                    parse_rational(value)
                canonical_json(value).encode()
            except PydanticCustomError as error:
                yield Fault(("parameters", i, "values", j), error.type, error.message())
            except (RecursionError, ValueError, TypeError):
                detail = "not a value that JSON in UTF-8 can hold, or nested too deeply"
                yield Fault(("parameters", i, "values", j), "malformed_json", detail)
