"""Certificates: why a bound holds, or that nothing is feasible.

The types that no kind owns. A kind's result declares which certificates it may have, its own
among them, as a union discriminated by `type`::

    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")]
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational, Whole


class Proves(StrEnum):
    """What a referee can add up from a certificate, without believing any result."""

    BOUND = "bound"
    """No schedule beats the bound."""
    INFEASIBLE = "infeasible"
    """There is no schedule."""
    NOTHING = "nothing"


class Certificate(BaseModel):
    """Why the bound holds. Every type has these members. A kind's own may add others.

    Attributes
    ----------
    proves
        What follows from a certificate of this type.
    priced
        Whether it may carry prices.
    adds_up
        Whether these prove the bound of a throughput by themselves: they sum up to it, and every
        execution of what is counted costs at least 1.
    """

    model_config = ConfigDict(extra="forbid")

    proves: ClassVar[Proves] = Proves.NOTHING
    priced: ClassVar[bool] = False
    adds_up: ClassVar[bool] = False

    type: str
    prices: dict[str, ExactRational] = Field(
        default_factory=dict, description="by resource or constraint. Zero ones left out"
    )
    nodes: Annotated[Whole | None, NOT_JUDGED] = Field(None, description="of the search tree")
    solver: Annotated[str | None, NOT_JUDGED] = Field(
        None, description="name of the solver that searched. Null where none is named"
    )


class DualityCertificate(Certificate):
    """Prices that no schedule can undercut. Where the objective is a throughput, their sum bounds it."""

    proves = Proves.BOUND
    priced = True
    adds_up = True

    type: Literal["lp_duality"] = Field("lp_duality", description="names this type of certificate")


class FarkasCertificate(Certificate):
    """A ray: prices at which nothing better than the bound fits on the resources."""

    proves = Proves.BOUND
    priced = True

    type: Literal["farkas"] = Field("farkas", description="names this type of certificate")


class SearchCertificate(Certificate):
    """A solver's word, or a program's, that its search was complete; it proves nothing."""

    type: Literal["search"] = Field("search", description="names this type of certificate")


class CycleRatioCertificate(Certificate):
    """A cycle of operations that cannot run faster: its time over how far it advances.

    The cycle itself is a member of the result, or the turn of one resource. The schedule, whose
    starts are potentials, attains its ratio. Where a cycle is too long to be listed, the state is
    given in its place.
    """

    proves = Proves.BOUND

    type: Literal["cycle_ratio"] = Field(
        "cycle_ratio", description="names this type of certificate"
    )
    state: dict[str, ExactRational] | None = Field(
        None,
        description="when each resource is free: one turn later, none is free more than one period"
        " later, and all that depend on each other in some part exactly one period later. Null where"
        " a critical cycle is listed",
    )


class NoCertificate(Certificate):
    """Nothing is proved, or the referee proves it by itself."""

    type: Literal["none"] = Field("none", description="names this type of certificate")


def certificate_types(result: type[BaseModel]) -> Mapping[str, type[Certificate]]:
    """Give the certificates that a kind's result declares, by their `type`."""
    annotation = result.model_fields["certificate"].annotation
    declared = get_args(annotation) or (annotation,)
    return {one.model_fields["type"].default: one for one in declared}
