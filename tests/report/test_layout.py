from fractions import Fraction

import pytest
from rich.cells import cell_len

from steadygrid.report.glyphs import ASCII, UNICODE, Glyphs
from steadygrid.report.layout import Column, break_lines, table, titled

COLUMNS = [
    Column("processor"),
    Column("per period", right=True),
    Column("per time unit", right=True, optional=True),
    Column("", bar=True),
    Column("what it does"),
]
ROWS: list[list[str | Fraction]] = [
    ["P1", "10", "0.25", Fraction(1, 2), "sends everything that it has got to P2"]
]


def lines_of(width: int, glyphs: Glyphs = UNICODE) -> list[str]:
    return [line.plain for line in table(COLUMNS, ROWS, width, glyphs)]


def test_where_there_is_room_headings_stand_in_one_line() -> None:
    head, row = lines_of(100)
    assert "per period  per time unit" in head
    assert "███" in row


def test_headings_are_folded_before_columns_are_left_out() -> None:
    *heads, row = lines_of(70)
    assert len(heads) == 3
    assert [head.split() for head in heads] == [
        ["per"],
        ["per", "time"],
        ["processor", "period", "unit", "what", "it", "does"],
    ]
    assert row.split()[:3] == ["P1", "10", "0.25"]


@pytest.mark.parametrize(("glyphs", "end"), [(UNICODE, "…"), (ASCII, "..")])
def test_an_optional_column_goes_before_the_last_one_is_cut(glyphs: Glyphs, end: str) -> None:
    *_, row = lines_of(40, glyphs)
    assert "0.25" not in row
    assert row.endswith(end)
    assert 38 < cell_len(row) <= 40


def test_texts_are_cut_before_numbers_that_come_last() -> None:
    columns = [Column("actor"), Column("waits for"), Column("time", right=True)]
    lines = table(columns, [["a", "the firing before", "25"]], 24, UNICODE)
    assert [line.plain for line in lines] == [
        "  actor  waits for  time",
        "  a      the firi…    25",
    ]


def test_a_number_keeps_its_per_cent_sign() -> None:
    assert break_lines("at most 43 % more", 10) == ["at most", "43 % more"]


def test_lines_of_wide_characters_are_not_wider_than_they_may_be() -> None:
    assert break_lines("計算 計算機 計", 7) == ["計算", "計算機", "計"]
    assert break_lines("計算計算計算", 8) == ["計算計算", "計算"]
    assert break_lines("P計算計算計算", 8) == ["P計算計", "算計算"]


@pytest.mark.parametrize(
    ("count", "noun", "last"),
    [
        (10, "rows", "x"),
        (11, "rows", "  and 1 more row"),
        (11, "resources in use", "  and 1 more resource in use"),
        (1012, "rows", "  and 1,002 more rows"),
    ],
)
def test_what_a_table_leaves_out_is_counted(count: int, noun: str, last: str) -> None:
    shown = table([Column("", right=True)], [["x"]], 40, UNICODE, headings=False)
    assert titled("T", shown, count, noun, 40)[-1].plain.strip() == last.strip()
