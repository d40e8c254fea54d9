import pytest

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
        ("<platform/>", "it looks like XML; `steadygrid convert FILE --to platform`"),
    ],
)
def test_what_is_no_json_is_told_where_and_why(text: str, told: str) -> None:
    with pytest.raises(MalformedJSONError) as refusal:
        parse_json(text)
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize("text", ["[1,]", '{"a": 1,}'])
def test_a_comma_too_many_is_found(text: str) -> None:
    with pytest.raises(MalformedJSONError, match="line 1, column"):
        parse_json(text)
