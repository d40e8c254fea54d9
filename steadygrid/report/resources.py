"""The resources of an answer: how busy each is, what it does, and how much of the optimum hangs on it.

What is *in use* and *done* is of the schedule that runs. Prices and shares are of the optimum. Pages,
the API and its CSV read this one list, so they cannot disagree.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import compute_resource, link_resource
from steadygrid.domain.timetable import Firing
from steadygrid.domain.view import Measure
from steadygrid.report.folding import Facts, facts_of, fold
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.occupation import Resource, prices_of
from steadygrid.report.quantities import decimal_text
from steadygrid.report.report import Report

KINDS = ("processor", "link", "medium", "actor", "set", "other")
"""What a row is: ``set`` is links that share something, ``other`` what only a proof speaks of."""


class Planned(NamedTuple):
    """The speed or bandwidth that one member has by the question.

    Attributes
    ----------
    field
        ``speed`` or ``bandwidth``: work, or data, per time unit.
    pointer
        Where the question says it. None where its platform is written otherwise.
    """

    field: str
    value: Fraction
    text: str
    pointer: Pointer | None


class Port(NamedTuple):
    """One thing that a resource can be busy with.

    Attributes
    ----------
    name
        As in certificates.
    port
        ``compute``, ``send``, ``link``, ...
    busy
        Of one member: part of the time, or of the bandwidth. None where no schedule says it.
    price, share
        Of all members together: the price, and its part of the bound. None without prices.
    """

    name: str
    port: str
    card: str | None
    busy: Fraction | None
    price: Fraction | None
    share: Fraction | None


@dataclass(frozen=True)
class ResourceRow:
    """A resource, or twins.

    Attributes
    ----------
    key
        Names the row in addresses: ``processor:P1``. The first member stands for all.
    names
        Of all resources of the row, as in certificates.
    per_period, does
        What all members do in a period, and its part of what all do. None where that is not known.
    share
        The part of the bound that the prices of all members add up to. None without prices.
    at_most
        A throughput that nothing exceeds where all of this row is twice as much. None without.
    used
        Whether the schedule or a price concerns it, or it has a role.
    """

    key: str
    kind: str
    label: str
    members: tuple[str, ...]
    names: tuple[str, ...]
    planned: Planned | None
    ports: tuple[Port, ...]
    per_period: Fraction | None
    does: Fraction | None
    share: Fraction | None
    at_most: Fraction | None
    used: bool

    @property
    def busy(self) -> Fraction:
        """The greatest use of its ports."""
        return max((port.busy for port in self.ports if port.busy is not None), default=Fraction(0))

    @property
    def weight(self) -> Fraction:
        """The share, 0 if there is none: to rank by."""
        return Fraction(0) if self.share is None else self.share

    @property
    def limits(self) -> bool:
        """Whether a price names it; without prices, whether it is always busy."""
        return self.busy == 1 if self.share is None else self.share > 0


@dataclass(frozen=True)
class ResourceList:
    """All resources of an answer.

    Attributes
    ----------
    basis
        ``schedule``: what is in use is of the schedule that runs; ``none``: there is none, or it is
        too long to be read here.
    throughput
        Of the schedule that runs. None where the value is none.
    optimum
        The best possible. None where it is not known.
    idle_processors
        Those that neither the schedule nor a price concerns, and that have no role.
    """

    basis: str
    throughput: Fraction | None
    optimum: Fraction | None
    period: Fraction | None
    rows: tuple[ResourceRow, ...]
    idle_processors: int

    @property
    def limiting(self) -> tuple[ResourceRow, ...]:
        """Rows that limit, those on which most hangs first."""
        return tuple(sorted((row for row in self.rows if row.limits), key=lambda row: -row.weight))


def resource_list(report: Report, *, folded: bool = True) -> ResourceList:
    """List the resources of an answer.

    Parameters
    ----------
    folded
        Whether twins are one row.

    Returns
    -------
    ResourceList
        Rows in the platform's order: processors, links, media, sets; without any row for a kind
        that has no resources.

    Notes
    -----
    Where prices prove the bound of a throughput, the shares of all rows add up to 1 exactly: what
    is priced and is no resource of the platform has a row of its own. O(processors + links +
    resources).
    """
    schedule, objective = report.schedule, report.result.objective
    platform = report.platform
    measured = _Measured(report)
    if platform is None:
        rows, idle = [*_actors(report), *measured.other_rows(())], 0
    else:
        listed = _OnPlatform(report, platform, measured, folded=folded)
        rows = [*listed.rows()]
        rows += measured.other_rows([name for row in rows for name in row.names])
        idle = sum(len(r.members) for r in rows if r.kind == "processor" and not r.used)
    value = None if objective is None or objective.minimised else objective.value
    return ResourceList(
        "none" if report.found is None or not _is_read(report) else "schedule",
        value if schedule is None else schedule.throughput,
        value if report.is_best else None,
        None if schedule is None else schedule.period,
        tuple(rows),
        idle,
    )


def resource_facts(report: Report, platform: Platform) -> Facts:
    """Gather what an answer says of its platform, as far as its schedule is at hand.

    Parameters
    ----------
    platform
        The report's.
    """
    facts = facts_of(report, platform)
    return facts if _is_read(report) else replace(facts, shares=None)


class _Measured:
    """What the prices of a certificate say, where they prove the bound of a throughput."""

    def __init__(self, report: Report) -> None:
        result, objective = report.result, report.result.objective
        prices = prices_of(report)
        proves = (
            result.certificate.adds_up
            and result.bound is not None
            and result.bound.exact
            and not (objective is not None and objective.minimised)
        )
        self.prices: Mapping[str, Fraction] | None = prices if proves and prices else None
        self.total = sum(prices.values(), Fraction(0))
        self._doubled = report.view.doubled

    def price_of(self, names: Sequence[str]) -> Fraction | None:
        """Give the price of resources together."""
        if self.prices is None:
            return None
        return sum((self.prices.get(name, Fraction(0)) for name in names), Fraction(0))

    def share(self, names: Sequence[str]) -> Fraction | None:
        """Give the part of the bound that the prices of resources are."""
        price = self.price_of(names)
        return None if price is None else price / self.total

    def doubled_bound(self, names: Sequence[str]) -> Fraction | None:
        """Give what no schedule exceeds with twice of these.

        Halving what a resource takes and doubling its price leaves every allocation worth at
        least 1, so the bound grows by the price.
        """
        if self.prices is None:
            return None
        priced = [name for name in names if name in self.prices]
        if not priced or any(name.rpartition(".")[2] not in self._doubled for name in priced):
            return None
        return self.total + sum((self.prices[name] for name in priced), Fraction(0))

    def other_rows(self, listed: Sequence[str]) -> Iterator[ResourceRow]:
        """Give what is priced and not listed."""
        known = frozenset(listed)
        for name in self.prices or ():
            if name not in known:
                price, share = self.price_of([name]), self.share([name])
                port = Port(name, name.rpartition(".")[2], None, None, price, share)
                row = ResourceRow(
                    f"other:{name}",
                    "other",
                    printable(name),
                    (name,),
                    (name,),
                    None,
                    (port,),
                    None,
                    None,
                    share,
                    None,
                    used=True,
                )
                yield row


class _OnPlatform:
    """The resources of a platform, twins as one."""

    def __init__(
        self, report: Report, platform: Platform, measured: _Measured, *, folded: bool
    ) -> None:
        self._report, self._platform, self._measured = report, platform, measured
        self._facts = resource_facts(report, platform)
        alone = [(processor.id,) for processor in platform.processors]
        twins = [node.members for node in fold(platform, self._facts).nodes] if folded else alone
        self._groups: Sequence[tuple[str, ...]] = twins
        self._first = {member: group[0] for group in twins for member in group}
        self._sizes = {group[0]: len(group) for group in twins}
        self._done = _done(report)
        self._whole = sum(self._done.values(), Fraction(0))
        self._inline = "platform" in report.submission.problem.instance.model_fields
        self._link_at: dict[tuple[str, str], int] = {}
        for position, link in enumerate(platform.links):
            self._link_at[link.source, link.target] = position
            if link.duplex != "simplex":
                self._link_at[link.target, link.source] = position
        self._crossed = {
            end
            for one in self._facts.resources
            if one.what in ("link", "half") and any(self._facts.use(one.name))
            for end in one.ends
        }

    def rows(self) -> Iterator[ResourceRow]:
        """Give processors, links, media and sets, each in the platform's order."""
        of_processor: defaultdict[str, list[Resource]] = defaultdict(list)
        of_link: defaultdict[tuple[str, ...], list[Resource]] = defaultdict(list)
        alone: list[Resource] = []
        for one in self._facts.resources:
            if one.what in ("link", "half"):
                of_link[one.what, *(self._first[end] for end in one.ends)].append(one)
            elif one.ends and one.what != "odd":
                of_processor[self._first[one.ends[0]]].append(one)
            else:
                alone.append(one)
        for group in self._groups:
            yield self._processor(group, of_processor[group[0]])
        for (what, *_), listed in of_link.items():
            yield self._link(what, listed)
        for one in alone:
            yield self._medium(one) if one.what == "medium" else self._set(one)

    def _processor(self, group: tuple[str, ...], resources: Sequence[Resource]) -> ResourceRow:
        first = group[0]
        position = self._platform.index_by_id[first]
        processor = self._platform.processors[position]
        time, planned = processor.time_per_work, None
        if time is not None:
            field = "unit_time" if processor.speed is None else "speed"
            planned = self._planned("speed", 1 / time, ("processors", position, field))
        row = self._row(f"processor:{first}", "processor", self._label(first), group, resources)
        done = sum((self._done.get(one, Fraction(0)) for one in group), Fraction(0))
        facts = self._facts
        return replace(
            row,
            planned=planned,
            per_period=done if self._whole and self._report.schedule is not None else None,
            does=done / self._whole if self._whole else None,
            used=row.used
            or bool(done)
            or any(
                one in facts.roles or one in facts.side or one in self._crossed for one in group
            ),
        )

    def _link(self, what: str, listed: Sequence[Resource]) -> ResourceRow:
        ends = listed[0].ends
        position = self._link_at[ends[0], ends[1]]
        link = self._platform.links[position]
        field = "unit_time" if link.bandwidth is None else "bandwidth"
        sign, join = (UNICODE.to, "->") if what == "link" else ("\N{LEFT RIGHT ARROW}", "--")
        sides = [self._label(self._first[end]) for end in ends]
        members = tuple(join.join(one.ends) for one in listed)
        row = self._row(
            f"link:{members[0]}", "link", f"{sides[0]} {sign} {sides[1]}", members, listed
        )
        time = link.unit_time
        bandwidth = link.bandwidth if time is None else 1 / time
        assert bandwidth is not None
        planned = self._planned("bandwidth", bandwidth, ("links", position, field))
        doubled = list(row.names)
        if link.duplex == "full":
            doubled += [link_resource(one.ends[1], one.ends[0]) for one in listed]
        at_most = self._measured.doubled_bound(doubled) if row.weight > 0 else None
        return replace(row, planned=planned, at_most=at_most)

    def _medium(self, one: Resource) -> ResourceRow:
        name = one.medium or ""
        position = next(i for i, m in enumerate(self._platform.media) if m.id == name)
        bandwidth = self._platform.media[position].bandwidth
        planned = self._planned("bandwidth", bandwidth, ("media", position, "bandwidth"))
        label = self._report.names.name_of(name)
        return replace(
            self._row(f"medium:{name}", "medium", label, (name,), [one]), planned=planned
        )

    def _set(self, one: Resource) -> ResourceRow:
        label = " with ".join(self._report.names.name_of(end) for end in one.ends)
        return self._row(f"set:{'--'.join(one.ends)}", "set", label, one.ends, [one])

    def _row(
        self,
        key: str,
        kind: str,
        label: str,
        members: tuple[str, ...],
        resources: Sequence[Resource],
    ) -> ResourceRow:
        ports: dict[tuple[str, str | None], list[str]] = {}
        for one in resources:
            ports.setdefault((one.what, one.card), []).append(one.name)
        names = tuple(one.name for one in resources)
        return ResourceRow(
            key,
            kind,
            label,
            members,
            names,
            None,
            tuple(self._port(what, card, named) for (what, card), named in ports.items()),
            None,
            None,
            self._measured.share(names),
            self._measured.doubled_bound(names),
            used=any(any(self._facts.use(name)) for name in names),
        )

    def _port(self, what: str, card: str | None, names: Sequence[str]) -> Port:
        shares = self._facts.shares
        busy = None if shares is None else shares.get(names[0], Fraction(0))
        return Port(
            names[0], what, card, busy, self._measured.price_of(names), self._measured.share(names)
        )

    def _label(self, first: str) -> str:
        size = self._sizes[first]
        return self._report.names.name_of(first) + (f" … ×{size:,}" if size > 1 else "")

    def _planned(self, field: str, value: Fraction, at: tuple[str | int, ...]) -> Planned:
        units = self._platform.units
        amount, time = (None, None) if units is None else (units.data, units.time)
        if units is not None and field == "speed":
            amount = units.work
        unit = f" {printable(amount)}/{printable(time)}" if amount and time else ""
        pointer = ("problem", "platform", *at) if self._inline else None
        return Planned(field, value, decimal_text(value, 4) + unit, pointer)


def _is_read(report: Report) -> bool:
    """Whether the parts are at hand that say how much a resource is used."""
    return report.unread.keys().isdisjoint(("allocations", "computations", "events", "rows"))


def _done(report: Report) -> Mapping[str, Fraction]:
    """Count what each processor computes: in a period, or of all there is where it runs once."""
    done: Amounts[str] = Amounts()
    schedule = report.schedule
    if not _is_read(report):
        return done
    if schedule is not None:
        graphs = {a.index for a in schedule.allocations if len(a.tasks) > 1}
        for one in schedule.computations:
            if one.time or one.allocation not in graphs:
                done[one.processor] += one.count
    elif report.view.shared is Measure.SHARE:
        for share in report.view.shares:
            done[share.processor] += share.amount
    return done


def _actors(report: Report) -> Iterator[ResourceRow]:
    """List the actors of a dataflow graph, which run in rows."""
    busy: Amounts[str] = Amounts()
    for row in () if report.timetable is None else report.timetable.rows:
        if isinstance(row.operation, Firing):
            busy[row.operation.actor] += row.time / row.every
    for actor, share in busy.items():
        name = compute_resource(actor)
        port = Port(name, "compute", None, share, None, None)
        yield ResourceRow(
            f"actor:{actor}",
            "actor",
            printable(actor),
            (actor,),
            (name,),
            None,
            (port,),
            None,
            None,
            None,
            None,
            used=True,
        )
