"""A kind declares its certificates; the envelope asks them what they prove and may carry."""

from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import Field, ValidationError

from steadygrid.domain.certificate import (
    Certificate,
    DualityCertificate,
    NoCertificate,
    Proves,
    SearchCertificate,
    certificate_types,
)
from steadygrid.domain.errors import Fault
from steadygrid.domain.job import Bound, Objective, Outcome, Proof, Result, proof_of
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds import PROBLEMS
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.findings import Findings

KINDS = sorted(PROBLEMS)
PROVED = [kind for kind in KINDS if not PROBLEMS[kind].simulated]
ONE = Fraction(1)


class EnumerationCertificate(Certificate):
    proves = Proves.BOUND
    priced = True

    type: Literal["enumeration"] = "enumeration"


class RatioCertificate(Certificate):
    proves = Proves.BOUND

    type: Literal["ratio"] = "ratio"
    state: list[int] | None = None


class UnreachableCertificate(Certificate):
    proves = Proves.INFEASIBLE

    type: Literal["unreachable"] = "unreachable"
    processors: tuple[str, ...] = ()


class ToyResult(Result):
    kind: Literal["toy"] = "toy"
    certificate: Annotated[
        EnumerationCertificate
        | RatioCertificate
        | UnreachableCertificate
        | SearchCertificate
        | NoCertificate,
        Field(discriminator="type"),
    ]


class Asked(NamedTuple):
    kind: str = "toy"
    method: str = "method"


def toy(outcome: Outcome, certificate: Certificate, *, exact: bool = True) -> ToyResult:
    known = outcome is not Outcome.INFEASIBLE
    return ToyResult(
        outcome=outcome,
        method="method",
        objective=Objective.throughput(ONE) if known else None,
        bound=Bound.from_value(ONE, exact=exact) if known else None,
        gap=Fraction(0) if known else None,
        certificate=certificate,
    )


def faults(result: Result) -> list[Fault]:
    findings = Findings()
    schedule = None if result.objective is None else Timeline("one_port", ONE, ())
    check_envelope(Asked(), result, schedule, findings)
    return findings.faults


def codes(result: Result) -> list[str]:
    return [fault.code for fault in faults(result)]


def test_a_type_of_the_kind_s_own_proves_the_bound() -> None:
    for own in (EnumerationCertificate(nodes=4), RatioCertificate(state=[1, 2])):
        result = toy(Outcome.OPTIMAL, own)
        assert codes(result) == []
        assert proof_of(result) is Proof.EXACT


def test_prices_stand_only_with_types_that_may_carry_them() -> None:
    prices = {"P.send": ONE}
    assert codes(toy(Outcome.OPTIMAL, EnumerationCertificate(prices=prices))) == []
    for other in (RatioCertificate(prices=prices), SearchCertificate(prices=prices)):
        (fault,) = faults(toy(Outcome.FEASIBLE, other, exact=False))
        assert fault.pointer == ("result", "certificate", "prices")
        assert fault.code == "wrong_certificate"
        assert repr(other.type) in fault.detail


def test_what_proves_that_there_is_no_schedule_stands_only_with_infeasible() -> None:
    unreachable = UnreachableCertificate(processors=("P",))
    infeasible = toy(Outcome.INFEASIBLE, unreachable)
    assert codes(infeasible) == []
    assert proof_of(infeasible) is Proof.EXACT
    both = ["unproved_bound", "wrong_certificate"]
    assert codes(toy(Outcome.FEASIBLE, unreachable, exact=False)) == both
    assert codes(toy(Outcome.OPTIMAL, unreachable)) == both


def test_a_search_s_word_makes_no_bound_exact() -> None:
    searched = SearchCertificate(nodes=7, solver="HiGHS")
    assert codes(toy(Outcome.OPTIMAL, searched, exact=False)) == []
    assert codes(toy(Outcome.OPTIMAL, searched)) == ["unproved_bound"]
    assert proof_of(toy(Outcome.OPTIMAL, searched, exact=False)) is Proof.SEARCH


def test_a_type_that_the_kind_has_not_declared_is_refused() -> None:
    foreign = toy(Outcome.OPTIMAL, NoCertificate()).model_copy(
        update={"certificate": DualityCertificate()}
    )
    assert codes(foreign) == ["unproved_bound", "wrong_certificate"]
    with pytest.raises(ValidationError, match="lp_duality"):
        ToyResult.model_validate(foreign.model_dump(warnings=False))


def test_a_type_reads_back_what_it_adds() -> None:
    result = toy(Outcome.OPTIMAL, RatioCertificate(state=[3]))
    again = ToyResult.model_validate(result.model_dump(mode="json"))
    assert again.certificate == RatioCertificate(state=[3])


def test_what_is_simulated_proves_nothing() -> None:
    (kind,) = set(KINDS) - set(PROVED)
    assert [*certificate_types(PROBLEMS[kind].result)] == ["none"]


@pytest.mark.parametrize("kind", PROVED)
def test_every_kind_declares_its_types_and_tells_them_apart_by_type(kind: str) -> None:
    result = PROBLEMS[kind].result
    assert result.model_fields["certificate"].discriminator == "type"
    declared = certificate_types(result)
    assert declared["none"] is NoCertificate
    assert any(each.proves is not Proves.NOTHING for each in declared.values())
    assert [declared[name].model_fields["type"].default for name in declared] == [*declared]


ADDED: dict[str, dict[str, Any]] = {
    "unreachable": {"message": "m", "processors": []},
    "completion_cut": {"processors": [], "sources": [], "receivers": []},
    "whole_chunks": {"chunk_cut": None},
    "cover": {"clauses": []},
    "rows": {"rows": []},
    "deadlock": {"circuit": [{"actor": "a", "firing": 0, "channel": None, "tokens": None}]},
}
"""What some types need besides."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_certificate_has_the_members_that_all_have(kind: str) -> None:
    for name, declared in certificate_types(PROBLEMS[kind].result).items():
        document: dict[str, Any] = declared(**ADDED.get(name, {})).model_dump(mode="json")
        shared = {"type": name, "prices": {}, "nodes": None, "solver": None}
        assert list(document)[:4] == list(shared)
        assert document.items() >= shared.items()


@pytest.mark.parametrize("kind", PROVED)
def test_the_schema_of_a_result_shows_the_certificates_of_its_kind(kind: str) -> None:
    schema = PROBLEMS[kind].result.model_json_schema(mode="serialization")
    told = schema["properties"]["certificate"]["discriminator"]
    assert told["propertyName"] == "type"
    assert told["mapping"].keys() == certificate_types(PROBLEMS[kind].result).keys()


def test_a_search_carries_prices_only_where_its_kind_says_so() -> None:
    carry = {
        kind
        for kind in KINDS
        for name, declared in certificate_types(PROBLEMS[kind].result).items()
        if name == "search" and declared.priced
    }
    assert carry == {"task_graph"}
