"""What `one_worker` asks and answers."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import Result
from steadygrid.domain.platform import Platform
from steadygrid.domain.rational import ExactRational
from steadygrid.domain.slots import FileName
from steadygrid.domain.text import Frozen, Identifier

FILE: FileName = ("begin", "task")


class OneWorkerInstance(Frozen):
    """A source, a worker, and a link between them; tasks of work 1, files of size 1."""

    kind: Literal["one_worker"]
    platform: Platform
    source: Identifier = Field(description="the processor that sends")
    worker: Identifier = Field(description="the processor that computes")
    ports: Literal["one_port"] = "one_port"
    method: Literal["lp"] = "lp"

    @property
    def file_sizes(self) -> dict[FileName, Fraction]:
        """Size of the only file."""
        return {FILE: Fraction(1)}


class OneWorkerResult(Result):
    """The certified rate."""

    kind: Literal["one_worker"] = "one_worker"
    certificate: Annotated[DualityCertificate | NoCertificate, Field(discriminator="type")]
    rate: ExactRational = Field(description="tasks per time unit")
