from collections.abc import Callable
from typing import Any

import pytest

from steadygrid.domain.bounded_json import parse_counted
from steadygrid.domain.document import MalformedJSONError, parse_json


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x: 1", "line 1, column 1: a value is expected here"),
        ("{a: 1}", "line 1, column 2: a name in double quotes is expected here"),
        ('{"a" 1}', 'line 1, column 6: a ":" is expected here'),
        ("[1\n 2]", 'line 2, column 2: a "," or the end of the list or object is expected here'),
        ('["a', "line 1, column 2: the text that begins here does not end"),
        ('["a\n"]', "line 1, column 4: a text cannot hold a control character as it is"),
        ('["\\x"]', "line 1, column 3: there is no such escape sequence"),
        ('["\\u12"]', "line 1, column 4: there is no such escape sequence"),
        ("1 2", "line 1, column 3: the document has ended before this"),
        ("<platform/>", "it looks like XML. `steadygrid convert FILE --to platform`"),
    ],
)
def test_what_is_no_json_is_told_where_and_why(text: str, told: str) -> None:
    with pytest.raises(MalformedJSONError) as refusal:
        parse_json(text)
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize("read", [parse_json, lambda text: parse_counted(text, {})])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a":{"b":1,"b":2}}', "line 1, column 13: the name 'b' is given twice in one object"),
        ('{"b":1,\n "a":{"b":1},\n "b" : 2}', "line 3, column 2: the name 'b' is given twice"),
        ('{"a":"{\\"b\\":","b":"{","b":1}', "line 1, column 24: the name 'b' is given twice"),
        ('[{"b":1},{"b":[{"b":1}]},{"\\u0062":1,"b":2}]', "line 1, column 38: the name 'b'"),
        ('{"a":1,"c":{"b":1,"b":1},"a":1}', "line 1, column 19: the name 'b'"),
        ('{"a":1,"a":{"b":1,"b":1}}', "line 1, column 8: the name 'a'"),
        ('{"a":[1,\n"NaN","-Infinity",\n -Infinity]}', "line 3, column 2: -Infinity is not a"),
        ('{"NaN": NaN}', "line 1, column 9: NaN is not a JSON number"),
    ],
)
def test_what_the_decoder_does_not_place_is_told_where(
    read: Callable[[str], Any], text: str, told: str
) -> None:
    with pytest.raises(MalformedJSONError) as refusal:
        read(text)
    assert str(refusal.value).startswith(told)


def test_a_byte_that_is_no_utf_8_is_told_where() -> None:
    with pytest.raises(MalformedJSONError, match="line 2, column 3: the document is not UTF-8"):
        parse_json(b'{\n"\xc3\xa9\xff"}')


@pytest.mark.parametrize("text", ["[1,]", '{"a": 1,}'])
def test_a_comma_too_many_is_found(text: str) -> None:
    with pytest.raises(MalformedJSONError, match="line 1, column"):
        parse_json(text)
