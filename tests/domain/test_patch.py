"""A patch changes what its targets name, exactly, and nothing else."""

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.patch import Change, apply_patch, places, read_patch, target_of

NAMES = ["a", "b", "id", "*", "[", '"', "a/b", "~", "", "0", "1", "x]", "x,y=z", " c"]
TEXTS = st.sampled_from([*NAMES, "1/2", "é\n"])
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | TEXTS | st.just(0.5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=25,
)
EVERY = object()
STEPS = st.one_of(
    st.sampled_from(NAMES),
    st.integers(0, 3),
    st.just(EVERY),
    st.dictionaries(st.sampled_from(["a", "id", "b"]), TEXTS, min_size=1, max_size=2),
)


def written(steps: list[Any]) -> str:
    return "".join("/*" if step is EVERY else target_of(step) for step in steps)


def nodes(document: Any, walk: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield walk, document
    if isinstance(document, dict):
        for name, member in document.items():
            yield from nodes(member, (*walk, name))
    if isinstance(document, list):
        for i, member in enumerate(document):
            yield from nodes(member, (*walk, i))


def at(document: Any, walk: tuple[Any, ...]) -> Any:
    for step in walk:
        document = document[step]
    return document


def fits(document: Any, walk: tuple[Any, ...], steps: list[Any]) -> bool:
    if len(walk) != len(steps):
        return False
    for depth, (name, step) in enumerate(zip(walk, steps, strict=True)):
        member = at(document, walk[: depth + 1])
        if isinstance(step, dict):
            if not isinstance(member, dict):
                return False
            for key, text in step.items():
                told = member.get(key)
                if isinstance(told, bool) or str(told) != text or told is None:
                    return False
                if not isinstance(told, str | int) or (isinstance(told, int) and told < 0):
                    return False
        elif step is not EVERY and (
            str(name) != str(step) or (isinstance(name, int) and str(step) == "")
        ):
            return False
    return True


@given(DOCUMENTS, st.lists(STEPS, min_size=1, max_size=4))
def test_a_target_leads_where_trying_every_place_does(document: Any, steps: list[Any]) -> None:
    expected = [walk for walk, _ in nodes(document) if fits(document, walk, steps)]
    try:
        found = places(document, written(steps))
    except InstanceError as error:
        (fault,) = error.faults
        at(document, fault.pointer)  # it is a place of the document
        strict = steps[: steps.index(EVERY)] if EVERY in steps else steps
        assert not expected or any(isinstance(step, dict) for step in strict)
        return
    assert found == expected
    assert found


@given(DOCUMENTS, st.data())
def test_every_place_has_a_target_that_leads_to_it_alone(document: Any, data: Any) -> None:
    walks = [walk for walk, _ in nodes(document) if walk]
    if walks:
        walk = data.draw(st.sampled_from(walks))
        assert places(document, target_of(*walk)) == [walk]


@given(DOCUMENTS, st.lists(st.tuples(st.lists(STEPS, min_size=1, max_size=3), DOCUMENTS)))
def test_what_is_not_changed_is_shared_and_the_document_stays(document: Any, sets: Any) -> None:
    before = deepcopy(document)
    expected = deepcopy(document)
    patch, put = [], []
    for steps, value in sets:
        try:
            walks = places(expected, written(steps), may_add=True)
        except InstanceError:
            continue
        patch.append(Change(at=written(steps), value=value))
        put += walks
        for walk in walks:
            at(expected, walk[:-1])[walk[-1]] = deepcopy(value)
    values = deepcopy([change.value for change in patch])
    changed = apply_patch(document, patch)
    assert changed == expected
    assert json.dumps(document) == json.dumps(before)
    assert [change.value for change in patch] == values
    for walk, node in nodes(document):
        met = any(walk[: len(other)] == other[: len(walk)] for other in put)
        if isinstance(node, dict | list):
            assert met or at(changed, walk) is node


def test_untouched_parts_are_the_same_objects() -> None:
    document: dict[str, Any] = {
        "p": {"processors": [{"id": "A", "speed": "1"}, {"id": "B"}], "links": [{}]}
    }
    changed = apply_patch(document, [Change(scale="/p/processors/*/speed", value="1/3")])
    assert changed["p"]["processors"] == [{"id": "A", "speed": "1/3"}, {"id": "B"}]
    assert changed["p"]["processors"][1] is document["p"]["processors"][1]
    assert changed["p"]["links"] is document["p"]["links"]
    assert document["p"]["processors"][0] == {"id": "A", "speed": "1"}


def test_a_value_put_in_two_places_can_be_changed_in_one() -> None:
    value = {"speed": 1}
    patch = [Change(at="/l/*", value=value), Change(scale="/l/0/speed", value=2)]
    assert apply_patch({"l": [0, 0]}, patch) == {"l": [{"speed": "2"}, {"speed": 1}]}
    assert value == {"speed": 1}
    assert apply_patch([value, value], [Change(at="/*/speed", value=2)]) == [{"speed": 2}] * 2
    assert value == {"speed": 1}


@given(
    st.fractions(0, 10**9, max_denominator=10**9),
    st.fractions(0, 10**9, max_denominator=10**9),
    st.sampled_from([str, lambda q: q.numerator if q.denominator == 1 else str(q)]),
)
def test_scaling_is_exact_and_canonical(value: Fraction, factor: Fraction, write: Any) -> None:
    changed = apply_patch([write(value)], [Change(scale="/0", value=write(factor))])
    assert changed == [str(value * factor)]


def test_a_decimal_number_is_scaled_as_it_is_written() -> None:
    assert apply_patch([0.1, "7.5e-1"], [Change(scale="/*", value=3)]) == ["3/10", "9/4"]
    assert apply_patch([3], [Change(scale="/0", value=0.1)]) == ["3/10"]


@pytest.mark.parametrize("value", [None, True, "fast", {}, [], -1, float("inf"), float("nan"), ""])
def test_what_is_no_quantity_is_not_scaled(value: Any) -> None:
    with pytest.raises(InstanceError) as refused:
        apply_patch({"speed": value}, [Change(scale="/speed", value=2)])
    (fault,) = refused.value.faults
    assert (fault.pointer, fault.code) == (("speed",), "not_a_quantity")


def test_a_product_that_no_quantity_may_be_is_refused_where_it_stands() -> None:
    with pytest.raises(InstanceError) as refused:
        apply_patch({"a": [10**63]}, [Change(scale="/a/0", value=10)])
    assert refused.value.faults[0][:2] == (("a", 0), "rational_too_long")


def test_a_change_may_add_the_last_member_and_no_more() -> None:
    assert apply_patch({"o": {}}, [Change(at="/o/t", value=None)]) == {"o": {"t": None}}
    for document, target, pointer in (
        ({}, "/o/t", ()),
        ({"l": []}, "/l/0", ("l",)),
        ({"l": []}, "/l/-", ("l",)),
        ({"l": [{}]}, "/l/*/t", ("l", 0)),
        ({"t": "text"}, "/t/x", ("t",)),
    ):
        with pytest.raises(InstanceError) as refused:
            apply_patch(document, [Change(at=target, value=1)])
        assert refused.value.faults[0][:2] == (pointer, "leads_nowhere")
    with pytest.raises(InstanceError):
        apply_patch({"o": {}}, [Change(scale="/o/t", value=2)])


def test_a_selector_picks_all_that_are_so_and_each_has_to_have_the_rest() -> None:
    links = [
        {"source": "A", "target": "B", "bandwidth": 1},
        {"source": "A", "target": "C", "bandwidth": 2},
        {"source": "B", "target": "C", "unit_time": 3},
    ]
    document = {"links": links}
    assert places(document, "/links/[source=A]/bandwidth") == [
        ("links", 0, "bandwidth"),
        ("links", 1, "bandwidth"),
    ]
    assert places(document, "/links/[source=A, target=C]") == [("links", 1)]
    assert places([{"n": 1}, {"n": "1"}, {"n": True}], "/[n=1]") == [(0,), (1,)]
    assert places({"~1": 0, "/": 0}, "/~01") == [("~1",)]
    with pytest.raises(InstanceError) as refused:
        places(document, "/links/[target=C]/bandwidth")
    assert refused.value.faults[0].pointer == ("links", 2)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("/processors/[id=p2]/speed", "Did you mean 'P2'"),
        ("/processors/0/sped", "Did you mean 'speed'"),
        ("/processors/7/speed", "there are 2, counted from 0"),
        ("/processors/P2/speed", "no entry of a list"),
        ("/processors/01/speed", "no entry of a list"),
        ("/processors/0/speed/x", "here is a number"),
        ("/media/*/bandwidth", "this list has none"),
    ],
)
def test_a_target_that_leads_nowhere_is_told_what_there_is(target: str, sentence: str) -> None:
    document = {"processors": [{"id": "P1", "speed": 1}, {"id": "P2", "speed": 2}], "media": []}
    with pytest.raises(InstanceError, match=sentence):
        places(document, target)


@pytest.mark.parametrize(
    "target",
    [
        *("", "a", "#/a", "/a/~2", "/a/~", "/[", "/[]", "/[id]", "/[id=]x", "/[id=a/b]", "/[=a]"),
        *('/[id="a]', '/[id="a"b]', "/[id=a,]", '/"a', '/"a"b', "/[id=a", "/a" * 65),
        "/" + "a" * 20_001,
    ],
)
def test_what_is_no_path_is_refused(target: str) -> None:
    with pytest.raises(InstanceError) as refused:
        read_patch([{"at": "/a", "value": 1}, {"scale": target, "value": 1}], ("patch",))
    (fault,) = refused.value.faults
    assert (fault.pointer, fault.code) == (("patch", 1, "scale"), "invalid_target")
    with pytest.raises(InstanceError):
        places({"a": 1}, target)


@given(DOCUMENTS | st.lists(st.fixed_dictionaries({"at": DOCUMENTS, "value": DOCUMENTS})))
def test_a_patch_of_anything_is_read_or_refused_at_a_place_of_it(document: Any) -> None:
    try:
        assert [change.document() for change in read_patch(document)] == document
    except InstanceError as error:
        for fault in error.faults:
            at(document, fault.pointer if fault.code != "missing" else fault.pointer[:-1])


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"value": 1}, (0,), "one_of_at_and_scale"),
        ({"at": "/a", "scale": "/a", "value": 1}, (0,), "one_of_at_and_scale"),
        ({"at": "/a"}, (0, "value"), "missing"),
        ({"at": "/a", "value": 1, "to": 1}, (0, "to"), "extra_forbidden"),
        ({"scale": "/a", "value": -1}, (0, "value"), "negative_rational"),
        ({"scale": "/a", "value": "1/0"}, (0, "value"), "zero_denominator"),
        ({"scale": "/a", "value": {}}, (0, "value"), "not_a_rational"),
        ([], (0,), "model_type"),
    ],
)
def test_a_change_says_one_target_and_a_value(change: Any, pointer: Any, code: str) -> None:
    with pytest.raises(InstanceError) as refused:
        read_patch([change])
    assert [fault[:2] for fault in refused.value.faults] == [(pointer, code)]


def test_a_platform_of_thousands_is_scaled_without_a_copy_of_the_rest() -> None:
    processors = [{"id": f"P{i}", "speed": "1000000007/3"} for i in range(1_600)]
    links = [{"source": "P0", "target": f"P{i}", "bandwidth": 10} for i in range(1, 50_000)]
    document = {"problem": {"platform": {"processors": processors, "links": links}}}
    change = [Change(scale="/problem/platform/processors/*/speed", value="1/2")]
    changed = apply_patch(document, change)
    assert changed["problem"]["platform"]["links"] is links
    assert changed["problem"]["platform"]["processors"][-1]["speed"] == "1000000007/6"
    assert len(places(document, "/problem/platform/links/*/*")) == 3 * 49_999
    with pytest.raises(InstanceError):
        places(document, "/problem/platform/links/[source=Q]/bandwidth")
    with pytest.raises(InstanceError):
        places(document, "/problem/platform/links/*/nothing/*/x")
