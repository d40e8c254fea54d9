"""What a forgery is made of, and how an answer is passed off as the best there is."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.forgery.papers import Document, Papers, certificates, claimed, scaled
from tests.forgery.subjects import SUBJECTS, narrower, other, right


class Case(NamedTuple):
    """A right answer, and answers to other problems."""

    right: Papers
    narrower: tuple[Papers, ...]
    """Whose schedules are schedules of the problem, too."""
    others: tuple[Papers, ...]

    @property
    def optimum(self) -> Fraction:
        """The best value that is known."""
        best = self.right.result
        if best["outcome"] == "optimal":
            return self.right.value
        return self.right.bound


Forgery = Callable[[Case], Iterator[Papers]]
"""Gives forged answers to the problem of the right one: none where it does not apply."""

FORGERIES: dict[str, Forgery] = {}


def forgery(make: Forgery) -> Forgery:
    """Add a forgery to the list."""
    FORGERIES[make.__name__] = make
    return make


@cache
def case(name: str) -> Case:
    """Give what there is to forge an answer to a problem."""
    subject = SUBJECTS[name]
    return Case(
        right(name),
        tuple(narrower(name, how) for how in subject.narrower),
        tuple(other(name, how) for how in subject.others),
    )


WORDS: Mapping[str, Document] = {
    "mono_allocation": {"bound_source": "search", "messages": [], "weights": {}},
    "divisible_star": {"bound_source": "search", "order_proof": "search"},
}
"""Members of results that go with a search's word."""


def passed_off(case: Case, worse: Papers) -> Iterator[Papers]:
    """Pass a right answer of a worse value off as the best there is, by every certificate.

    Its own, with prices that sum to the value; a search's word; an enumeration; none, and then a bound
    that it nearly reaches, and that the optimum is beyond.
    """
    value, best = worse.value, case.optimum
    if value == best or (value < best) == worse.minimised:
        return
    worse = worse._replace(asked=case.right.asked)
    worse = worse.with_result(method=case.right.result["method"])
    missing = worse.result.get("missing")
    if missing is not None:
        worse = worse.with_result(missing=None)
    near = (value + best) / 2
    yield from _by_prices(case, worse)
    if "search" in certificates(worse.kind):
        yield from _by_word(case, worse, near)
    if "enumeration" in certificates(worse.kind):
        yield from _by_enumeration(worse)
    told = claimed(worse, value, near, "none")
    yield worse.with_result(**told, certificate={"type": "none"})
    if worse.result["certificate"]["type"] == "restricted":
        alone = worse.result["certificate"] | {"bound_prices": {}, "bound_classes": []}
        yield worse.with_result(**told, missing=missing, certificate=alone)


def _by_prices(case: Case, worse: Papers) -> Iterator[Papers]:
    """With what proves the bound of the right answer, or of the worse one, fitted to the value."""
    value = worse.value
    claims = claimed(worse, value, value, "exact")
    for given in (case.right.result, worse.result):
        certificate = given["certificate"]
        told = claims | {name: given[name] for name in _BESIDE & given.keys()}
        total = sum(map(Fraction, certificate.get("prices", {}).values()), Fraction(0))
        factor = Fraction(1) if worse.minimised or not total else value / total
        fitted = scaled(certificate, {"prices"}, factor)
        yield worse.with_result(**told, certificate=fitted)
        if "cuts" in certificate:
            names = {"prices", "weight", "potentials", "potentials_in"}
            yield worse.with_result(**told, certificate=scaled(certificate, names, factor))
        if fitted["type"] == "restricted":
            yield worse.with_result(
                **told, certificate={"type": "lp_duality", "prices": fitted["prices"]}
            )
        if "iterations" in given:
            far = Fraction(given["iterations"]) * value / Fraction(given["bound"]["value"])
            circuit = {"critical_circuit": given["critical_circuit"], "iterations": str(far)}
            yield worse.with_result(**told, **circuit, certificate=certificate)


def _by_word(case: Case, worse: Papers, near: Fraction) -> Iterator[Papers]:
    value, beside = worse.value, WORDS.get(worse.kind, {})
    claims = beside | claimed(worse, value, value, "search")
    yield worse.with_result(**claims, certificate={"type": "search"})
    if worse.kind == "task_graph":
        for given in (case.right, worse):
            prices = given.result["certificate"].get("prices", {})
            total = sum(map(Fraction, prices.values()), Fraction(0))
            word = {"type": "search", "prices": prices}
            yield worse.with_result(**claims, certificate=scaled(word, {"prices"}, value / total))
    claims = beside | claimed(worse, value, near, "search")
    if "order_proof" in claims:
        yield worse.with_result(**claims | {"order_proof": "none"}, certificate={"type": "search"})
    yield worse.with_result(**claims, certificate={"type": "search"})


def _by_enumeration(worse: Papers) -> Iterator[Papers]:
    claims = claimed(worse, worse.value, worse.value, "exact") | {"bound_source": "search"}
    for proof in ("search", "exhaustive", "theorem", worse.result["order_proof"]):
        yield worse.with_result(
            **claims | {"order_proof": proof}, certificate={"type": "enumeration"}
        )


_BESIDE = frozenset({"bound_source", "order_proof", "weights", "cases"})
"""Members of results that belong to a certificate."""
