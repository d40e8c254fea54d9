"""Answers as papers: what was asked, and what is answered, as documents that a test can edit."""

from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any, NamedTuple

import steadygrid
from steadygrid.domain.certificate import certificate_types
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.rational import approximate
from steadygrid.kinds import PROBLEMS
from tests.solved import solve

Document = dict[str, Any]
Edit = Callable[[Document], None]
"""Changes a document in place."""


class Papers(NamedTuple):
    """A body, a result and a schedule, as JSON has them."""

    asked: Document
    result: Document
    schedule: Document | None

    @property
    def kind(self) -> str:
        kind: str = self.asked["problem"]["kind"]
        return kind

    @property
    def value(self) -> Fraction:
        return Fraction(self.result["objective"]["value"])

    @property
    def bound(self) -> Fraction:
        """The bound; the value where there is none."""
        return Fraction((self.result["bound"] or self.result["objective"])["value"])

    @property
    def minimised(self) -> bool:
        return bool(self.result["objective"]["name"] != "throughput")

    @property
    def is_periodic(self) -> bool:
        """Whether the schedule has slots, or runs of links."""
        return self.schedule is not None and self.schedule["form"] == "periodic"

    @property
    def sent(self) -> str:
        """The part of a periodic schedule that tells what is sent."""
        assert self.schedule is not None
        return "runs" if "runs" in self.schedule else "slots"

    @property
    def is_table(self) -> bool:
        """Whether the schedule has rows."""
        return self.schedule is not None and "rows" in self.schedule

    def with_result(self, **members: Any) -> "Papers":
        return self._replace(result={**self.result, **members})

    def with_schedule(self, **members: Any) -> "Papers":
        assert self.schedule is not None
        return self._replace(schedule={**self.schedule, **members})

    def copy(self) -> "Papers":
        return Papers(*map(deepcopy, self))

    def codes(self) -> list[str]:
        """Give the codes of what the referee finds, through the public interface."""
        try:
            steadygrid.check(self.asked, self.result, self.schedule)
        except InvalidScheduleError as error:
            return [fault.code for fault in error.faults]
        return []


def answered(body: Mapping[str, Any]) -> Papers:
    """Solve a body; the referee accepts the answer."""
    result, schedule = solve(body)
    return Papers(
        deepcopy(dict(body)),
        result.model_dump(mode="json"),
        None if schedule is None else schedule.document,
    )


def rewritten(document: Any, names: Collection[str], change: Callable[[str], Any]) -> Any:
    """Change every number in a member of one of these names, or in a list or object there."""
    if isinstance(document, dict):
        return {
            name: _numbers(member, names, change)
            if name in names
            else rewritten(member, names, change)
            for name, member in document.items()
        }
    if isinstance(document, list):
        return [rewritten(member, names, change) for member in document]
    return document


def _numbers(member: Any, names: Collection[str], change: Callable[[str], Any]) -> Any:
    if isinstance(member, dict):
        return {name: _numbers(each, names, change) for name, each in member.items()}
    if isinstance(member, list) and not any(isinstance(each, dict) for each in member):
        return [_numbers(each, names, change) for each in member]
    return change(member) if isinstance(member, str) else rewritten(member, names, change)


def scaled(document: Any, names: Collection[str], factor: Fraction) -> Any:
    """Multiply every number that stands, however deep, in a member of one of these names."""
    return rewritten(document, names, lambda number: str(Fraction(number) * factor))


def valued(name: str, value: Fraction) -> Document:
    """Give an objective."""
    return {"name": name, "value": str(value), "approx": approximate(value)}


def bounded(value: Fraction, *, exact: bool) -> Document:
    """Give a bound."""
    return {"value": str(value), "approx": approximate(value), "exact": exact}


def claimed(papers: Papers, value: Fraction, bound: Fraction, proof: str) -> Document:
    """Give the members of a result that say how good it is, all of them in agreement.

    Parameters
    ----------
    proof
        As in results: ``exact``, ``search`` or ``none``.
    """
    gap = abs(bound - value) / bound if bound else Fraction(0)
    beside = {"distance": str(gap)} if "distance" in papers.result else {}
    return beside | {
        "objective": valued(papers.result["objective"]["name"], value),
        "bound": bounded(bound, exact=proof == "exact"),
        "gap": str(gap),
        "outcome": "feasible" if gap else "optimal",
        "proof": proof,
    }


def certificates(kind: str) -> frozenset[str]:
    """Name the certificates that results of a kind may have."""
    return frozenset(certificate_types(PROBLEMS[kind].result))


def renamed(document: Any, names: Mapping[str, str]) -> Any:
    """Put other names in the places of processors (or actors), in those of resources, too.

    Where two members of an object get one name, their numbers are added up.
    """
    if isinstance(document, dict):
        found: Document = {}
        for name, member in document.items():
            here, there = _named(name, names), renamed(member, names)
            found[here] = _sum(found[here], there) if here in found else there
        return found
    if isinstance(document, list):
        return [renamed(member, names) for member in document]
    return _named(document, names) if isinstance(document, str) else document


def _sum(one: Any, other: Any) -> Any:
    return str(Fraction(one) + Fraction(other)) if isinstance(one, str) else one


def _named(text: str, names: Mapping[str, str]) -> str:
    """Rename ``A``, ``A.compute``, ``A->B.link``, ``A--B.half``."""
    if text in names:
        return names[text]
    stem, dot, rest = text.rpartition(".")
    if not dot:
        return text
    for joint in ("->", "--"):
        ends = stem.split(joint)
        if len(ends) == 2 and names.keys() & set(ends):
            return joint.join(names.get(end, end) for end in ends) + dot + rest
    return names.get(stem, stem) + dot + rest


def parts(document: Any) -> Iterator[Document]:
    """Give every object in a document, itself included."""
    if isinstance(document, dict):
        yield document
        document = list(document.values())
    if isinstance(document, list):
        for member in document:
            yield from parts(member)
