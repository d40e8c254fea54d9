"""Large documents are read as small ones are, but for what is too much."""

import gc
import json
import weakref
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.bounded_json import LongList, parse_counted
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import LimitError

MOST: dict[Any, int] = {("a", "b"): 2, ("c",): 3}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
)


def told(read: Any) -> Any:
    try:
        return read()
    except MalformedJSONError as error:
        return str(error)


@given(VALUES, st.sampled_from([None, 1]))
def test_a_document_is_what_it_is_to_the_plain_reader(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    read = parse_counted(text, {("a",): 100, ("a", "b"): 100, ("b",): 100})
    assert read == parse_json(text)


@given(VALUES, st.integers(0, 60), st.sampled_from(["", "x", ",", "]", "}", '"', ":", " 1"]))
def test_a_broken_document_is_refused_in_the_same_words(value: Any, at: int, junk: str) -> None:
    text = json.dumps(value)
    text = text[:at] + junk + text[at + 1 :]
    expected = told(lambda: parse_json(text))
    assert told(lambda: parse_counted(text, {("a",): 100, ("b", "c"): 100})) == expected


def test_a_long_list_keeps_its_beginning_and_its_length() -> None:
    read = parse_counted('{"a": {"b": [1, 2, 3, 4, 5]}, "c": [1, 2, 3]}', MOST)
    assert len(read["a"]["b"]) == 5
    assert list.__len__(read["a"]["b"]) == 3
    assert isinstance(read["a"]["b"], LongList)
    assert read["c"] == [1, 2, 3]


def test_a_name_given_twice_is_refused_everywhere() -> None:
    for text in ('{"a": 1, "a": 2}', '{"a": {"b": [{"x": 1, "x": 2}]}}', '{"a": {"b": 1, "b": 1}}'):
        with pytest.raises(MalformedJSONError, match="twice"):
            parse_counted(text, MOST)


@pytest.mark.parametrize(
    "text",
    ["[" + "[]," * 1_000_001, "0," * 6_000_001, '"",' * 6_000_001, '["' + "x" * 200_000 + '"]'],
    ids=["lists", "values", "texts", "one text"],
)
def test_more_than_any_instance_has_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(LimitError, match="the body holds"):
        parse_counted(text, MOST)


@pytest.mark.parametrize(
    "text",
    [
        '{"x": {' + ",".join(f'"k{i}" : 1' for i in range(100_010)) + "}}",
        '{"x": [' + ",".join(f'{{"k{i}":1}}' for i in range(100_010)) + "]}",
        '{"x": {' + ",".join(['"k": 1'] * 100_010) + "}}",
    ],
    ids=["one object", "many objects", "one name"],
)
def test_more_names_than_anything_has_are_refused(text: str) -> None:
    with pytest.raises(LimitError, match="more names"):
        parse_counted(text, MOST)


def test_there_may_be_a_name_for_each_entry_of_the_longest_list() -> None:
    named = {f"P{i}": i for i in range(100_010)}
    assert parse_counted(json.dumps({"times": named}), {("a", "b"): 100})["times"] == named


def test_objects_are_counted_unless_they_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steadygrid.domain.bounded_json._MOST_OBJECTS", 10)
    dropped = '{"c": [' + "{}," * 50 + "{}]}"
    assert len(parse_counted(dropped, MOST)["c"]) == 51
    with pytest.raises(LimitError, match="more values"):
        parse_counted('{"x": [' + "{}," * 50 + "{}]}", MOST)


def test_the_text_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Any]] = []
    reader: Any = __import__("steadygrid.domain.bounded_json", fromlist=["_Reader"])._Reader

    class Kept:
        """Something that a document's reader holds."""

    class Watched(reader):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.kept = Kept()
            made.append(weakref.ref(self.kept))

    monkeypatch.setattr("steadygrid.domain.bounded_json._Reader", Watched)
    gc.disable()
    try:
        parse_counted("[{}]", MOST)
        assert made[0]() is None
    finally:
        gc.enable()
