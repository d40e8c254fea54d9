"""What cuts and prices prove, and what they do not."""

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Outcome
from steadygrid.kinds.collective import referee_bounds
from steadygrid.kinds.collective.certificates import UnreachableCertificate
from tests.draws import draws
from tests.kinds.collective.bodies import F, body, turned_round
from tests.kinds.collective.by_hand import Answer, bounded, cuts
from tests.verification.test_cheapest_trees import cheapest_of_all

SWITCHED = "s>w 1, w>a 1, w>b 1"
MULTIPORT = {"ports": "multiport"}


def switched(potential: Any = "1/2", weight: Any = "1/2", **problem: Any) -> Answer:
    """Prove that the way to a switch is gone twice."""
    given = body(SWITCHED, "broadcast", switches="w", source="s", **MULTIPORT, **problem)
    listed = {"s w a": weight, "s w b": weight}
    return bounded(given, cuts({"s->w.link": F(1, 2)}, listed, {"w": potential}), "trees")


def reduced() -> Answer:
    """Prove the same with all links turned round; data enters, and potentials fall."""
    given = body(turned_round(SWITCHED), "reduce", switches="w", target="s", **MULTIPORT)
    listed = {"s w a": F(1, 2), "s w b": F(1, 2)}
    proof = cuts({"w->s.link": F(1, 2)}, listed, {"w": F(1, 2)}, "in")
    return bounded(given, proof, "trees")


def scattered() -> Answer:
    """Prove that parts of 1 for A and 2 for B pass from C to A, where they are combined from all."""
    listed = turned_round("A>B 1, B>C 1, C>A 1")
    given = body(listed, "reduce_scatter", sizes={"A": 1, "B": 2, "C": 0}, **MULTIPORT)
    return bounded(given, cuts({"C->B.link": F(1, 3)}, {"A B": F(1, 3)}, None, "in"), "trees")


def spread() -> Answer:
    """Prove that a multicast leaves s once, whichever processors copy it."""
    given = body("s>h 1, h>a 1, h>b 1", "multicast", source="s", targets=["a", "b"], **MULTIPORT)
    return bounded(given, DualityCertificate(prices={"s->h.link": F(1)}), "trees")


def odd() -> Answer:
    """Prove an allgather of three by their odd set, which carries one message at a time."""
    members = {"duplex": "full"}
    given = body("A>B 1, B>C 1, C>A 1", "allgather", ports="send_or_receive", members=members)
    pairs = dict.fromkeys(("A B", "A C", "B C"), F(1, 6))
    return bounded(given, cuts({"A--B--C.odd": F(1, 6)}, pairs), "trees")


RIGHT = [switched(), reduced(), scattered(), spread(), odd()]


@pytest.mark.parametrize("right", RIGHT)
def test_what_is_right_by_hand_is_accepted(right: Answer) -> None:
    assert right.faults() == []
    prices = right.result.certificate.prices
    assert right.change("result/certificate", DualityCertificate(prices=prices)).faults() == []


CERTIFICATE = "result/certificate"
FIRST = f"{CERTIFICATE}/cuts/0"

PLANTED: list[tuple[set[str], str, Answer, str, Any]] = [
    ({"heavy_cuts"}, "'s' to 'w' crosses weigh 0, more than its price and the potentials of its ends, -1/2", switched(potential=1, weight="1/2"), "instance/kind", "collective"),
    ({"heavy_cuts"}, "'w' to 'a' crosses weigh 1/2, more than its price and the potentials of its ends, 0", switched(potential=0), "instance/kind", "collective"),
    ({"cheap_operation"}, "worth 5/6, less than 1", switched(weight="5/12"), "instance/kind", "collective"),
    ({"cheap_operation"}, "worth 1/2, less than 1", switched(), "instance/size", F(1, 2)),
    ({"cheap_operation"}, "worth 0", switched(), f"{CERTIFICATE}/cuts", []),
    ({"potential_of_copier"}, "'w' may copy", switched(), "instance/copying", "all"),
    ({"unknown_processor"}, "'x'", switched(), f"{CERTIFICATE}/potentials", lambda given: given | {"x": F(1)}),
    ({"unknown_processor"}, "'x'", switched(), f"{FIRST}/processors", ["s", "w", "x"]),
    ({"no_cut"}, "all processors", switched(), f"{FIRST}/processors", ["a", "b", "s", "w"]),
    ({"no_cut"}, "or none", switched(), f"{FIRST}/processors", []),
    ({"negative_weight"}, "negative", switched(), f"{FIRST}/weight", F(-1)),
    ({"wrong_direction"}, "goes out, not in", switched(), f"{FIRST}/direction", "in"),
    ({"wrong_direction"}, "goes in, not out", reduced(), f"{FIRST}/direction", "out"),
    ({"heavy_cuts"}, "'a' to 'w'", reduced(), f"{CERTIFICATE}/potentials", {"w": F(-1, 2)}),
    ({"cheap_operation"}, "worth 1/3", scattered(), "instance/sizes", {"A": F(1), "B": F(0)}),
    ({"cheap_operation"}, "worth 2/3", scattered(), f"{FIRST}/processors", ["B"]),
    ({"prices_miss_bound"}, "1/3", switched(), f"{CERTIFICATE}/prices", {"s->w.link": F(1, 3)}),
    ({"ghost_resource"}, "'s.send'", switched(), f"{CERTIFICATE}/prices", {"s.send": F(1, 2)}),
    ({"negative_price"}, "'w->a.link'", switched(), f"{CERTIFICATE}/prices", {"s->w.link": F(1), "w->a.link": F(-1, 2)}),
    ({"cheap_operation"}, "costs 1/2", spread(), "instance/size", F(1, 2)),
    ({"cheap_operation"}, "worth 0", spread(), CERTIFICATE, cuts({"s->h.link": 1}, {"a b s": 1})),
    ({"cheap_operation"}, "costs 0", spread().change("instance/targets", ("b",)), f"{CERTIFICATE}/prices", {"h->a.link": F(1)}),
]  # fmt: skip


@pytest.mark.parametrize(("codes", "words", "right", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    codes: set[str], words: str, right: Answer, place: str, value: Any
) -> None:
    told = right.change(place, value).faults()
    assert codes <= {fault.code for fault in told}
    assert any(words in fault.detail for fault in told if fault.code in codes)


def test_prices_alone_prove_nothing_where_the_table_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(referee_bounds, "MOST_ENTRIES", 35)
    assert spread().codes() == {"not_proved"}
    monkeypatch.setattr(referee_bounds, "MOST_ENTRIES", 36)
    assert spread().codes() == set()


@pytest.mark.parametrize(
    ("operation", "alone", "closed"),
    [("multicast", "s>a 1, b>a 1", ["s", "a"]), ("reduce", "a>s 1, a>b 1", ["s", "a"])],
)
def test_who_cannot_be_reached_is_proved_by_a_closed_set(
    operation: str, alone: str, closed: list[str]
) -> None:
    ends: dict[str, Any] = {"source": "s", "targets": ["a", "b"]}
    if operation == "reduce":
        ends = {"target": "s", "sources": ["a", "b"]}
    given = bounded(body(alone, operation, **ends), DualityCertificate(), "trees")
    told = {
        "outcome": Outcome.INFEASIBLE,
        "bound": None,
        "certificate": UnreachableCertificate(message="data", processors=closed),
    }
    right = given._replace(result=given.result.model_copy(update=told))
    assert right.faults() == []
    assert right.change(f"{CERTIFICATE}/processors", ["s"]).codes() == {"not_closed"}
    assert right.change(f"{CERTIFICATE}/processors", ["a"]).codes() >= {"proves_nothing"}
    every = right.change(f"{CERTIFICATE}/processors", ["s", "a", "b"])
    assert every.codes() == {"proves_nothing"}
    assert right.change(f"{CERTIFICATE}/message", "s").codes() == {"unknown_message"}


NAMES = "ABCD"
HOPS = [(a, b) for a in NAMES for b in NAMES if a != b]


@pytest.mark.parametrize("operation", ["multicast", "reduce"])
def test_what_cuts_prove_is_what_the_cheapest_tree_costs_at_least(operation: str) -> None:
    """Let prices be what cuts and potentials ask for: then no tree costs less than they weigh."""
    random, tight = Random(operation), 0
    sets = [set(s) for n in (1, 2, 3) for s in combinations(NAMES, n)]
    home = operation == "reduce"
    for _ in range(draws(50, 5_000)):
        forwards = random.choice(["", "D", "CD"])
        ends = [name for name in "BC" if name not in forwards]
        weights = {" ".join(sorted(s)): F(random.randint(0, 3)) for s in random.sample(sets, 4)}
        needed = sum(w for s, w in weights.items() if "A" in s and not set(ends) <= set(s.split()))
        if not needed:
            continue
        weights = {s: w / needed for s, w in weights.items()}
        raised = {name: F(random.randint(-2, 2)) / needed for name in forwards}
        prices = {}
        for a, b in HOPS:
            crossed = sum((w for s, w in weights.items() if a in s and b not in s), F(0))
            prices[a, b] = max(F(0), crossed - raised.get(a, F(0)) + raised.get(b, F(0)))
        listed = ", ".join(f"{a}>{b} 1" for a, b in HOPS)
        asked: dict[str, Any] = {"source": "A", "targets": ends}
        if home:
            asked = {"target": "A", "sources": ends}
        given = body(listed, operation, switches=forwards, **asked, **MULTIPORT)
        named = {f"{b}->{a}.link" if home else f"{a}->{b}.link": p for (a, b), p in prices.items()}
        direction = "in" if home else "out"
        right = bounded(given, cuts(named, weights, raised, direction), "trees")
        assert right.faults() == []
        copiers = "".join(name for name in NAMES if name not in forwards)
        cost = cheapest_of_all(prices, "A", "".join(ends), copiers)
        assert cost is not None
        assert cost >= 1
        alone = right.change(
            CERTIFICATE, DualityCertificate(prices=right.result.certificate.prices)
        )
        assert alone.faults() == []
        less = {name: price / cost for name, price in right.result.certificate.prices.items()}
        exact = bounded(given, DualityCertificate(prices=less), "trees")
        assert exact.faults() == []
        less = {name: price * Fraction(99, 100) for name, price in less.items()}
        assert bounded(given, DualityCertificate(prices=less), "trees").codes() == {
            "cheap_operation"
        }
        tight += cost == 1
    assert tight
