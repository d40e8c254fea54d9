"""What people are told about the throughput of a graph."""

from fractions import Fraction

from steadygrid.domain.job import Outcome
from steadygrid.domain.sentences import explain_bound
from steadygrid.domain.view import Amount, Phrase, View
from steadygrid.kinds.dataflow.view import view
from tests.kinds.dataflow.bodies import graph, two
from tests.kinds.dataflow.unfolded import Answer, answer, unknown

F = Fraction


def told(phrase: Phrase) -> str:
    return "".join(str(p.value) if isinstance(p, Amount) else p for p in phrase)


def seen(given: Answer | None) -> tuple[View, str]:
    """Give the view, and why nothing does better."""
    assert given is not None
    found = view(*given)
    return found, told(explain_bound(given.result, found))


def test_the_critical_circuit_is_told() -> None:
    found, proof = seen(answer(two(concurrency="auto")))
    assert told(found.headline) == "an iteration takes 3"
    limit = (
        "a and b wait for each other over b--a (2 tokens at the beginning) and a--b:"
        " 2 firings, one after the other, in 3, for 1 iteration"
    )
    assert {label: told(phrase) for label, phrase in found.facts} == {"limit": limit}
    assert proof == (
        "Why no schedule does more than 1/3: each firing of the critical circuit waits for the one before"
        " it. So in every schedule, 1 iteration cannot take less than these firings, 3."
    )
    actors, circuit, buffers = found.sections
    assert actors.table is not None
    assert actors.table.rows == (("b", 2, 4, F(4, 3)), ("a", 1, 1, F(1, 3)))
    assert circuit.table is not None
    assert circuit.table.rows == (("a", 0, "b--a", 0, 1), ("b", 0, "a--b", 0, 2))
    assert buffers.table is not None
    assert buffers.table.rows == (("a--b", 2, 2, 0), ("b--a", 2, 2, 2))


def test_an_actor_that_is_never_idle_is_told() -> None:
    asked = graph({"a": [1, 2], "b": 1}, "a 1>1 b")
    found, _ = seen(answer(asked))
    (limit,) = (told(phrase) for _, phrase in found.facts)
    assert limit == "a is never idle: 2 firings, one after the other, in 3, for 1 iteration"
    table = found.sections[1].table
    assert table is not None
    assert [row[2:4] for row in table.rows] == [("the firing before", None)] * 2


def test_an_actor_that_waits_for_its_own_tokens_is_told() -> None:
    found, _ = seen(answer(graph({"a": 3}, "a 1>1 a 2", concurrency="auto")))
    (limit,) = (told(phrase) for _, phrase in found.facts)
    assert limit == (
        "a waits for itself over a--a (2 tokens at the beginning): 1 firing in 3, for 2 iterations"
    )


def test_long_circuits_are_told_in_short() -> None:
    names = "abcdefgh"
    ring = "; ".join(f"{a} 1>1 {b}" for a, b in zip(names, names[1:] + "a", strict=True)) + " 1"
    found, _ = seen(answer(graph(dict.fromkeys(names, 1), ring)))
    (limit,) = (told(phrase) for _, phrase in found.facts)
    assert "and 2 more wait for each other over" in limit
    assert limit.endswith("and 2 more: 8 firings, one after the other, in 8, for 1 iteration")


def test_a_deadlock_is_told_with_its_remedy() -> None:
    given = answer(graph({"a": 1, "b": 1}, "a 2>3 b 1; b 3>2 a 1", concurrency="auto"))
    found, proof = seen(given)
    assert not found.headline
    assert not found.facts
    assert proof == (
        "Why no schedule exists (deadlock): firing 0 of a and firing 0 of b wait for each other for ever, each for the"
        " one before, over b--a (1 token at the beginning) and a--b (1 token at the beginning); 1 more token"
        " on b--a would free this circuit."
    )
    (actors,) = found.sections
    assert actors.table is not None
    assert actors.table.rows == (("a", 3, 3), ("b", 2, 2))


def test_channels_without_tokens_are_told_in_short() -> None:
    _, proof = seen(answer(graph({"a": 1, "b": 1}, "a 1>1 b; b 1>1 a", concurrency="auto")))
    assert "over a--b and b--a (empty at the beginning); 1 more token on a--b" in proof


def test_the_graph_is_named_and_counted() -> None:
    asked = two()
    named = asked.graph.model_copy(update={"name": "modem"})
    found, _ = seen(answer(asked.model_copy(update={"graph": named})))
    assert (found.subject, found.extent) == ("modem", "2 actors, 2 channels, sequential")


def test_the_remedy_frees_the_circuit() -> None:
    """One token fewer than it says does not."""
    for count, outcome in ((2, Outcome.INFEASIBLE), (3, Outcome.OPTIMAL)):
        given = answer(graph({"a": 1}, f"a 3>3 a {count}"))
        assert given is not None
        assert given.result.outcome is outcome
    _, proof = seen(answer(graph({"a": 1}, "a 3>3 a 1")))
    assert proof == (
        "Why no schedule exists (deadlock): firing 0 of a waits for itself, or for a later one of its kind, for ever,"
        " over a--a (1 token at the beginning); 2 more tokens on a--a would free this circuit."
    )


def test_nothing_is_told_of_what_was_not_found() -> None:
    found, proof = seen(unknown(two()))
    assert (found.headline, found.facts, proof) == ((), (), "")
    assert len(found.sections) == 1
