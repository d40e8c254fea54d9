"""What would help: a study of upgrades or of losses, with what solving some of them has shown."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from steadygrid.domain.job import Outcome
from steadygrid.domain.patch import Change
from steadygrid.domain.rational import ExactRational, ExactSigned, Rational, Whole
from steadygrid.domain.text import Frozen


class Exact(NamedTuple):
    """What solving one upgrade has shown.

    Attributes
    ----------
    outcome
        Of its job. None where it did not succeed.
    value
        Of its schedule. None without one.
    job
        Its id, where there is one; also of one that has not ended.
    note
        Why there is no value.
    """

    outcome: Outcome | None
    value: Fraction | None
    job: str | None = None
    note: str | None = None


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Changed(_Part):
    """A place of the body that an upgrade changes."""

    pointer: str = Field(description="into the body of the job")
    before: Annotated[Any, Field(alias="from")] = Field(description="what stands there")
    after: Annotated[Any, Field(alias="to")] = Field(description="null: it is gone")


class Upgrade(Frozen):
    """Something that could be faster, or fail, as a study keeps it.

    Attributes
    ----------
    patch
        Changes of the study's template that make it so.
    sure
        What is known of it without solving: that nothing is done at all.
    """

    resource: str
    names: tuple[str, ...] = Field(strict=False)
    change: tuple[Changed, ...] = Field(strict=False)
    patch: tuple[Change, ...] = Field(strict=False)
    at_most: ExactRational | None = None
    occupation: ExactRational | None = None
    sure: Outcome | None = Field(None, strict=False)
    note: str | None = None


class UpgradeOut(_Part):
    """Something that could be faster, or fail, and what is known of it."""

    index: Whole = Field(description="of its job in the sweep. Stays as it is")
    resource: str = Field(description="what is faster, or fails, by its name in certificates")
    members: Whole = Field(description="how many are the same but for their names")
    names: list[str] = Field(description="of these, the resource itself first")
    change: list[Changed] = Field(description="what it changes in the body of the job")
    occupation: ExactRational | None = Field(
        description="share of the time for which it is busy now. Null without a schedule"
    )
    at_most: ExactRational | None = Field(
        description="no schedule has more throughput then. Null: nothing is proved without solving"
    )
    gain_at_most: ExactSigned | None = Field(
        description="at_most over the value of the job, minus 1"
    )
    exact: ExactRational | None = Field(
        description="the value that solving found. 0: nothing is done at all. Null: not solved"
    )
    gain: ExactSigned | None = Field(
        description="exact over the value of the job, minus 1. Of a makespan the part of it that is"
        " saved. Below 0: a loss"
    )
    outcome: Outcome | None = Field(description="of its job, where that has succeeded")
    job: str | None = Field(description="id of its job")
    note: str | None = None


class StudyOut(_Part):
    """What would help most, as far as it is known."""

    factor: ExactRational = Field(description="how many times faster. 0: what fails")
    twins: str = Field(
        description="one: one of those that are the same but for their names; all: all of them"
    )
    objective: str
    value: ExactRational = Field(description="of the job")
    optimum: ExactRational | None = Field(
        description="the sum of its prices, which no schedule exceeds. Null where they say nothing"
    )
    unpriced: str | None = Field(description="why nothing is proved without solving")
    upgrades: list[UpgradeOut] = Field(
        description="the greatest at_most first, then the busiest. What fails: the greatest loss"
        " first, then the busiest"
    )
    best: str | None = Field(description="the resource with the best exact value")
    proved_best: bool | None = Field(
        description="whether no other single upgrade of the list is better: best is optimal, and"
        " not below next_bound. Null: nothing is known"
    )
    next_bound: ExactRational | None = Field(
        description="the greatest at_most of those that are not solved to the optimum"
    )
    notes: list[str]


class Study(Frozen):
    """What could be faster, or fail, in the order in which it is worth solving.

    Attributes
    ----------
    template
        The body that the patches of the upgrades change.
    solve
        How many are to be solved.
    """

    factor: Rational
    twins: str
    objective: str
    minimised: bool
    value: ExactRational
    optimum: ExactRational | None
    unpriced: str | None
    solve: int
    notes: tuple[str, ...] = Field(strict=False)
    upgrades: tuple[Upgrade, ...] = Field(strict=False)
    template: dict[str, Any]

    @property
    def to_solve(self) -> tuple[int, ...]:
        """Positions of the upgrades to be solved: the first ones of which something is to be found out."""
        open_ = (i for i, one in enumerate(self.upgrades) if one.sure is None and one.note is None)
        return tuple(i for i, _ in zip(open_, range(self.solve), strict=False))

    @property
    def plan(self) -> dict[str, Any]:
        """What `steadygrid.studies.bodies.Bodies` makes bodies of, in the order of `to_solve`."""
        patches = [[one.document() for one in self.upgrades[i].patch] for i in self.to_solve]
        return {"template": self.template, "patches": patches}

    def stored(self) -> dict[str, Any]:
        """Give all but the template, JSON-ready."""
        return self.model_dump(mode="json", by_alias=True, exclude={"template"})

    @classmethod
    def restored(cls, document: Mapping[str, Any], template: Mapping[str, Any]) -> "Study":
        """Read back what `stored` gave.

        Parameters
        ----------
        document
            What `stored` gave.
        template
            The body, which is stored apart from it.
        """
        return cls.model_validate({**document, "template": dict(template)})

    def document(self, solved: Mapping[int, Exact]) -> StudyOut:
        """Tell what is known.

        Parameters
        ----------
        solved
            By position of the upgrade. Those that are not solved may be left out.
        """
        known = {i: self._known(i, solved) for i in range(len(self.upgrades))}
        order = list(known)
        if not self.factor:
            order.sort(key=lambda i: self._loss_first(known[i]))
        best = self._best(known)
        proved, next_bound = self._proved(known, best)
        return StudyOut(
            factor=self.factor,
            twins=self.twins,
            objective=self.objective,
            value=self.value,
            optimum=self.optimum,
            unpriced=self.unpriced,
            upgrades=[self._upgrade_out(i, known[i]) for i in order],
            best=None if best is None else self.upgrades[best].resource,
            proved_best=proved,
            next_bound=next_bound,
            notes=list(self.notes),
        )

    def _known(self, index: int, solved: Mapping[int, Exact]) -> Exact:
        upgrade = self.upgrades[index]
        if upgrade.sure is not None:
            return Exact(upgrade.sure, None if self.minimised else Fraction(0), None, upgrade.note)
        found = solved.get(index, Exact(None, None))
        if found.outcome is Outcome.INFEASIBLE and not self.minimised:
            found = found._replace(value=Fraction(0))
        return found._replace(note=found.note or upgrade.note)

    def _gain(self, value: Fraction | None) -> Fraction | None:
        if value is None or not self.value:
            return None
        return 1 - value / self.value if self.minimised else value / self.value - 1

    def _loss_first(self, one: Exact) -> tuple[int, Fraction]:
        """Give what sorts: where nothing is left to do, then the greatest loss, then what is not known."""
        if one.outcome is Outcome.INFEASIBLE:
            return 0, Fraction(0)
        gain = self._gain(one.value)
        return (2, Fraction(0)) if gain is None else (1, gain)

    def _best(self, known: Mapping[int, Exact]) -> int | None:
        """Give the upgrade with the best value. The least loss is no advice."""
        values = {i: one.value for i, one in known.items() if one.value is not None}
        if not values or not self.factor:
            return None
        sign = -1 if self.minimised else 1
        # Of equal ones, one that is proved to be so.
        return max(
            values, key=lambda i: (sign * values[i], known[i].outcome is Outcome.OPTIMAL, -i)
        )

    def _proved(
        self, known: Mapping[int, Exact], best: int | None
    ) -> tuple[bool | None, Fraction | None]:
        if not self.factor:
            return None, None
        bounds = [*self._open_bounds(known)]
        stated = [bound for bound in bounds if bound is not None]
        next_bound = max(stated, default=None)
        if best is None:
            return None, next_bound
        value = known[best].value
        if len(stated) < len(bounds):
            return None, next_bound
        above = next_bound is not None and (value is None or value < next_bound)
        return known[best].outcome is Outcome.OPTIMAL and not above, next_bound

    def _open_bounds(self, known: Mapping[int, Exact]) -> Iterator[Fraction | None]:
        for i, one in known.items():
            if one.outcome not in (Outcome.OPTIMAL, Outcome.INFEASIBLE):
                yield self.upgrades[i].at_most

    def _upgrade_out(self, index: int, known: Exact) -> UpgradeOut:
        upgrade = self.upgrades[index]
        return UpgradeOut(
            index=index,
            resource=upgrade.resource,
            members=len(upgrade.names),
            names=list(upgrade.names),
            change=list(upgrade.change),
            occupation=upgrade.occupation,
            at_most=upgrade.at_most,
            gain_at_most=self._gain(upgrade.at_most),
            exact=known.value,
            gain=self._gain(known.value),
            outcome=known.outcome,
            job=known.job,
            note=known.note,
        )
