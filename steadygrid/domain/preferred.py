"""What an answer says of a second objective: which of all optimal solutions it is."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.judging import NOT_JUDGED
from steadygrid.domain.rational import ExactRational

PreferredName = Literal["least_traffic"]


class Preferred(BaseModel):
    """The second objective of an answer, and what proves it.

    With `worth` and `prices`, each instance costs at least `worth` where a time unit of a resource
    costs its price and a time unit of traffic costs 1. So instances at the throughput make at least
    ``worth * throughput - sum of prices`` of traffic, in any schedule.
    """

    model_config = ConfigDict(extra="forbid")

    name: PreferredName = Field(description="what is least, where the throughput is greatest")
    value: ExactRational = Field(
        description="least_traffic: the time per time unit for which links carry files, summed up"
        " over all directions of all links"
    )
    before: Annotated[ExactRational, NOT_JUDGED] = Field(
        description="the value of the optimal rates that were found first"
    )
    proof: Literal["exact", "none"] = Field(
        description="exact: no optimal rates have less, which worth and prices prove. None: a note"
        " says why nothing was proved"
    )
    worth: ExactRational | None = Field(None, description="null where nothing is proved")
    prices: dict[str, ExactRational] = Field(
        default_factory=dict, description="by resource. Zero ones left out"
    )

    @property
    def numbers(self) -> list[Fraction]:
        """All that it says."""
        worth = () if self.worth is None else (self.worth,)
        return [self.value, self.before, *worth, *self.prices.values()]

    @classmethod
    def unproved(cls, name: PreferredName, value: Fraction) -> "Preferred":
        """Say what the value is where nothing better was looked for.

        Parameters
        ----------
        name
            Of the second objective.
        value
            Of the answer.
        """
        return cls(name=name, value=value, before=value, proof="none")
