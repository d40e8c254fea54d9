"""Rules for the part of a result that all kinds share."""

from collections.abc import Collection
from fractions import Fraction
from math import inf
from typing import Protocol, get_args

from pydantic import BaseModel

from steadygrid.domain.certificate import (
    Certificate,
    Proves,
    SearchCertificate,
    certificate_types,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import WHY_NO_SCHEDULE, Outcome, Proof, Result
from steadygrid.domain.schedule import Schedule
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


class InstanceOfKind(Protocol):
    """What the instances of all kinds have."""

    @property
    def kind(self) -> str:
        """Name of the kind."""

    @property
    def method(self) -> str:
        """One of the kind's methods, or ``auto``."""


def check_envelope(
    asked: InstanceOfKind,
    result: Result,
    schedule: AnySchedule | None,
    findings: Findings,
    mip_gap: Fraction = Fraction(0),
    *,
    optimised: str = "throughput",
    scheduled: bool = True,
    may_find_nothing: Collection[str] = (),
    may_lack_bound: bool = False,
    may_lack_proof: bool = False,
    one_run: bool = False,
) -> None:
    """Check that outcome, objective, bound, gap, certificate and schedule go together.

    Which certificates there are, what they prove and which carry prices, says the kind: its
    result declares their types, see `steadygrid.domain.certificate`. With a `SearchCertificate` a
    solver has finished a mixed-integer program: the bound is not exact, and yet the outcome may
    be ``optimal``.

    Parameters
    ----------
    mip_gap
        As asked for. An ``optimal`` outcome of a search may leave it.
    optimised
        Name of the objective.
    scheduled
        Whether this method makes schedules; one that does not has a note instead.
    may_find_nothing
        Methods whose outcome may be ``unknown``: they can miss what there is.
    may_lack_bound
        Whether what is ``feasible`` may have neither bound nor gap, because none was asked for, or
        there was no time for one.
    may_lack_proof
        Whether a bound that is not exact may have a certificate that proves nothing, since the kind
        judges the bound without one.
    one_run
        Whether the value is that of one run, which is ``feasible`` however good it is.

    Notes
    -----
    Rules, in this order:

    == ========================================================================= ===================
    1  the result is of the kind of the instance                                 `wrong_kind`
    2  its method is the one asked, or where that is ``auto`` any other of the   `wrong_method`
       kind
    3  the value is of what was optimised                                        `wrong_objective`
    4  the outcome has the value, bound and gap that it must have, and no others `wrong_outcome`
    5  there is a schedule only where there is a value                           `wrong_outcome`
    6  a value above 0 has a schedule, or a reason why not                       `no_schedule`
    7  what is ``unknown`` has a note                                            `no_note`
    8  a value of 0 has a note                                                   `no_note`
    9  what is ``unknown`` is by a method that may find nothing                  `never_unknown`
    10 `counts` of a schedule are what it lists                                  `wrong_counts`
    11 `interruptions` of a schedule are those of its runs                       `wrong_interruptions`
    12 neither value nor bound is negative                                       `negative_value`
    13 `approx` of each is the nearest double                                    `wrong_approx`
    14 a value that is minimised is not below its bound                          `below_bound`
    15 a value that is maximised is not above its bound                          `above_bound`
    16 the gap is the distance over the bound                                    `wrong_gap`
    17 what is ``optimal`` leaves no gap, or after a search at most `mip_gap`    `not_optimal`
    18 what is ``feasible`` leaves a gap where the bound is exact                `not_feasible_only`
    19 `proof`, if it is said, is what the bound rests on                        `wrong_proof`
    20 a bound has a certificate that proves it, or is not exact and rests on a  `unproved_bound`
       search
    21 the bound of what is ``optimal`` is exact, unless it is of a search       `unproved_bound`
    22 the certificate is of a type of the kind                                  `wrong_certificate`
    23 one that proves that there is no schedule stands with ``infeasible``      `wrong_certificate`
    24 prices stand in certificates that may carry them                          `wrong_certificate`
    == ========================================================================= ===================

    Rule 4: ``optimal`` and ``feasible`` have a value, a bound and a gap, ``bound_only`` a bound,
    ``infeasible`` and ``unknown`` none of them. Rule 6: a reason is a note of `WHY_NO_SCHEDULE`,
    and then the outcome is ``feasible``. A method that makes no schedules has any note. With such a
    note, or for the value of one run, rule 18 is not asked.
    """
    if result.kind != asked.kind:
        findings.add(
            ("result", "kind"),
            "wrong_kind",
            f"The result is of kind {result.kind!r}, not {asked.kind}.",
        )
    _check_method(asked, result, findings)
    if result.objective is not None and result.objective.name != optimised:
        findings.add(
            ("result", "objective", "name"),
            "wrong_objective",
            f"The value is a {result.objective.name}, but the {optimised} was optimised.",
        )
    _check_presence(
        result, schedule is not None, scheduled, findings, may_lack_bound=may_lack_bound
    )
    if result.outcome is Outcome.UNKNOWN and result.method not in may_find_nothing:
        findings.add(
            ("result", "outcome"),
            "never_unknown",
            f"{result.method} always finds something, or that there is nothing.",
        )
    if schedule is not None:
        _check_counts(schedule, findings)
    declared = certificate_types(type(result)).get(result.certificate.type)
    searched = declared is not None and issubclass(declared, SearchCertificate)
    _check_values(result, findings, mip_gap if searched else Fraction(0))
    if not one_run:
        _check_modesty(result, findings)
    _check_proof(result, findings)
    rests = searched or may_lack_proof
    _check_bound(result, declared, findings, searched=searched, rests=rests)
    _check_certificate(result, declared, findings)


def _check_method(asked: InstanceOfKind, result: Result, findings: Findings) -> None:
    if asked.method == "auto":
        assert isinstance(asked, BaseModel)
        known = {*get_args(type(asked).model_fields["method"].annotation)} - {"auto"}
    else:
        known = {asked.method}
    if result.method not in known:
        findings.add(
            ("result", "method"),
            "wrong_method",
            _wrong_method(asked, result.method, known),
        )


def _wrong_method(asked: InstanceOfKind, method: str, known: Collection[str]) -> str:
    if asked.method == "auto":
        return f"{method!r} is no method of {asked.kind}: {' or '.join(sorted(known))}."
    return f"This is an answer of {method!r}, but {asked.method} was asked."


def _check_counts(schedule: AnySchedule, findings: Findings) -> None:
    stated, listed = schedule.stated_counts, schedule.counts
    if stated is not None and stated != listed:
        name = next(n for n in (*listed, *stated) if stated.get(n) != listed.get(n))
        findings.add(
            ("schedule", "counts", name),
            "wrong_counts",
            f"The counts say {stated.get(name)} {name}, the schedule lists {listed.get(name)}.",
        )
    if isinstance(schedule, Schedule) and schedule.stated_interruptions is not None:
        found = schedule.interruptions
        if schedule.stated_interruptions != found:
            findings.add(
                ("schedule", "interruptions"),
                "wrong_interruptions",
                f"The header says another number of interruptions. The runs have {found}.",
            )


_NEEDS = {
    Outcome.OPTIMAL: (True, True, True),
    Outcome.FEASIBLE: (True, True, True),
    Outcome.BOUND_ONLY: (False, True, False),
    Outcome.INFEASIBLE: (False, False, False),
    Outcome.UNKNOWN: (False, False, False),
}


def _check_presence(
    result: Result,
    has_schedule: bool,
    scheduled: bool,
    findings: Findings,
    *,
    may_lack_bound: bool,
) -> None:
    parts = (("objective", result.objective), ("bound", result.bound), ("gap", result.gap))
    needs = _NEEDS[result.outcome]
    if may_lack_bound and result.outcome is Outcome.FEASIBLE and result.bound is None:
        needs = (True, False, False)
    for (name, part), needed in zip(parts, needs, strict=True):
        if (part is not None) != needed:
            findings.add(
                ("result", name),
                "wrong_outcome",
                f"The outcome is {result.outcome.value}, but the {name} is"
                f" {'missing' if needed else 'there'}.",
            )
    value = None if result.objective is None else result.objective.value
    if value is None and has_schedule:
        findings.add(("result",), "wrong_outcome", "There is a schedule without an objective.")
    if value is not None and value > 0 and not has_schedule:
        _check_absence(result, scheduled, findings)
    if result.outcome is Outcome.UNKNOWN and not result.notes:
        findings.add(("result", "notes"), "no_note", "What was not found needs a note.")
    if value == 0 and not result.notes:
        findings.add(("result", "notes"), "no_note", "A throughput of 0 needs a note.")


def _check_absence(result: Result, scheduled: bool, findings: Findings) -> None:
    """Check that there is a reason for a value above 0 without a schedule."""
    said = not set(WHY_NO_SCHEDULE).isdisjoint(result.notes)
    late = result.outcome is Outcome.FEASIBLE and said
    if not (late if scheduled else result.notes):
        findings.add(
            ("schedule",),
            "no_schedule",
            "There is a value, but no schedule.",
        )


def _check_values(result: Result, findings: Findings, most_gap: Fraction) -> None:
    for name, part in (("objective", result.objective), ("bound", result.bound)):
        if part is None:
            continue
        if part.value < 0:
            findings.add(("result", name), "negative_value", f"The {name} is negative.")
        if part.approx != _nearest(part.value):
            findings.add(
                ("result", name, "approx"),
                "wrong_approx",
                f"The {name} {show(part.value)} is not approximately {part.approx}.",
            )
    if result.objective is None or result.bound is None:
        return
    value, bound = result.objective.value, result.bound.value
    if result.objective.minimised and value < bound:
        findings.add(
            ("result", "objective"),
            "below_bound",
            f"The value {show(value)} is below the bound {show(bound)}.",
        )
    if value > bound and not result.objective.minimised:
        findings.add(
            ("result", "objective"),
            "above_bound",
            f"The value {show(value)} is above the bound {show(bound)}.",
        )
    gap = abs(bound - value) / bound if bound else Fraction(0)
    if result.gap is not None and result.gap != gap:
        findings.add(("result", "gap"), "wrong_gap", f"The gap is {show(gap)}.")
    if result.outcome is Outcome.OPTIMAL and gap > most_gap:
        findings.add(
            ("result", "outcome"),
            "not_optimal",
            f"The value {show(value)} is not proved optimal by the bound {show(bound)}.",
        )


def _check_modesty(result: Result, findings: Findings) -> None:
    """Check that what is proved to be the best is not said to be ``feasible`` only."""
    if result.outcome is not Outcome.FEASIBLE or result.objective is None or result.bound is None:
        return
    reached = result.bound.exact and result.objective.value == result.bound.value
    if reached and set(WHY_NO_SCHEDULE).isdisjoint(result.notes):
        findings.add(
            ("result", "outcome"),
            "not_feasible_only",
            f"The value {show(result.objective.value)} reaches a bound that is exact: the outcome"
            " is optimal.",
        )


def _nearest(value: Fraction) -> float | None:
    try:
        nearest = value.numerator / value.denominator
    except OverflowError:
        nearest = inf
    return None if nearest == inf or (nearest == 0 and value) else nearest


def _rests_on(result: Result) -> Proof:
    """Say what the bound rests on or, if there is none, that nothing can be done."""
    word = Proof.SEARCH if isinstance(result.certificate, SearchCertificate) else Proof.NONE
    if result.bound is not None:
        return Proof.EXACT if result.bound.exact else word
    proved_anew = result.outcome is Outcome.INFEASIBLE and word is Proof.NONE
    return Proof.EXACT if proved_anew else word


def _reason(result: Result, rests_on: Proof) -> str:
    claim = "that there is no schedule" if result.bound is None else "the bound"
    if rests_on is Proof.EXACT:
        return f"{claim} is proved exactly"
    if rests_on is Proof.SEARCH:
        return f"{claim} is the word of a search"
    return "the certificate proves nothing"


def _check_proof(result: Result, findings: Findings) -> None:
    rests_on = _rests_on(result)
    if result.proof not in (None, rests_on):
        findings.add(
            ("result", "proof"),
            "wrong_proof",
            f"The proof must be {rests_on.value!r}: {_reason(result, rests_on)}.",
        )


def _check_bound(
    result: Result,
    declared: type[Certificate] | None,
    findings: Findings,
    *,
    searched: bool,
    rests: bool,
) -> None:
    bound = result.bound
    if bound is None:
        return
    proved = declared is not None and declared.proves is Proves.BOUND
    claimed = result.outcome is Outcome.OPTIMAL and not searched
    if not proved and (bound.exact or claimed or not rests):
        findings.add(
            ("result", "bound"),
            "unproved_bound",
            "The bound is said to be exact, but has no certificate."
            if bound.exact
            else "The bound has no certificate that proves it, and rests on no search.",
        )
    if claimed and not bound.exact:
        findings.add(
            ("result", "bound", "exact"),
            "unproved_bound",
            "The outcome is optimal, but the bound is not exact.",
        )


def _check_certificate(
    result: Result, declared: type[Certificate] | None, findings: Findings
) -> None:
    given = result.certificate
    if declared is None:
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            f"A {given.type!r} certificate proves nothing of this kind.",
        )
        return
    if declared.proves is Proves.INFEASIBLE and result.outcome is not Outcome.INFEASIBLE:
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            f"A {given.type!r} certificate proves that there is no schedule, but the outcome is"
            f" {result.outcome.value}.",
        )
    if given.prices and not declared.priced:
        findings.add(
            ("result", "certificate", "prices"),
            "wrong_certificate",
            f"Prices do not belong to a certificate of type {given.type!r}.",
        )
