"""Mappings as tables and objects: read as they are meant, or refused with the line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import InstanceError
from steadygrid.formats.mappings import parse_mapping

EXPECTED = {"a": ["P1"], "b": ["P2", "P1"]}


@pytest.mark.parametrize(
    "text",
    [
        "task,processor\na,P1\nb,P2\nb,P1\n",
        "\ufefftask,processor\r\na,P1\r\nb,P2\r\nb,P1",
        "Processor;when; Task \nP1;1;a\n\nP2;2;b\n;;\nP1;3;b;more\n",
        'task\tprocessor\n"a"\tP1\nb\tP2\nb\t"P1"\n',
        '{"a": "P1", "b": ["P2", "P1"]}',
        ' {"mapping": {"a": ["P1"], "b": ["P2", "P1"]}, "method": "given"}',
    ],
)
def test_a_mapping_is_read_however_it_is_written(text: str) -> None:
    assert parse_mapping(text.encode()) == EXPECTED


def test_names_with_delimiters_and_lines_are_quoted() -> None:
    table = 'task,processor\n"a,b","P\n1"\n'
    assert parse_mapping(table.encode()) == {"a,b": ["P\n1"]}


def test_a_task_may_be_called_mapping() -> None:
    assert parse_mapping(b'{"mapping": ["P1"]}') == {"mapping": ["P1"]}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", ["line 1: the first line names the columns, and task and processor are to be there"]),
        (b"task,host\na,P1\n", ["line 1: the first line names the columns, and processor is to be"]),
        (b"task,processor,task\na,P1,b\n", ["line 1: the first line names the columns, and task is"]),
        (b"task,processor\n", ["line 2: there is no line below"]),
        (b"task,processor\na\n\n,P1\n,\t\n", ["line 2: there is no processor", "line 4: there is no task"]),
        (b"task,processor\na,P1\n\na,P1\n", ["line 4: task 'a' is on 'P1' already"]),
        (b'task,processor\n"a\nb",P1\nc,\n', ["line 4: there is no processor"]),
        (b'task,processor\na,"P1\n', ["line 2: no line of a table"]),
        (b"task,processor\na,P\xff\n", ["line 2: this is no text in UTF-8"]),
        (b'{"a": 1}', ["task 'a': expected the id of a processor, not a number"]),
        (b'{"a": ["P1", null]}', ["task 'a': expected the id of a processor, not null"]),
        (b'["P1"]', ["expected an object"]),
        (b'{"a": }', ["not a JSON document: "]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(data: bytes, told: list[str]) -> None:
    with pytest.raises(InstanceError) as refused:
        parse_mapping(data)
    details = [fault.detail for fault in refused.value.faults]
    assert len(details) == len(told)
    for detail, beginning in zip(details, told, strict=True):
        assert detail.startswith(beginning)


def test_a_table_of_faults_is_cut() -> None:
    with pytest.raises(InstanceError) as refused:
        parse_mapping(b"task,processor\n" + b"a,\n" * 1000)
    assert len(refused.value.faults) == 100


@given(st.one_of(st.binary(), st.text().map(lambda text: f"task,processor\n{text}".encode())))
def test_anything_is_read_or_refused(data: bytes) -> None:
    found = {}
    with suppress(InstanceError):
        found = parse_mapping(data)
    assert all(isinstance(name, str) for names in found.values() for name in names)
