from fractions import Fraction

from steadygrid.report.glyphs import ASCII, UNICODE, bar, glyphs_for, pad, printable, shorten

F = Fraction


def test_the_alphabet_follows_the_encoding() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("ascii") is ASCII
    assert glyphs_for("latin-1") is ASCII
    assert glyphs_for("no such encoding") is ASCII
    assert glyphs_for(None) is ASCII


def test_a_name_cannot_steer_the_terminal() -> None:
    assert printable("a\x1b[31mb") == "a\\x1b[31mb"
    assert printable("a\u202eb") == "a\\u202eb"
    assert printable("P1 é 計") == "P1 é 計"


def test_a_long_name_loses_its_middle() -> None:
    assert shorten("short", 16, UNICODE) == "short"
    assert shorten("c-117.griffon.grid.fr", 12, UNICODE) == "c-117.…id.fr"
    assert shorten("c-117.griffon.grid.fr", 12, ASCII) == "c-117..id.fr"
    assert shorten("計算機計算機", 7, UNICODE) == "計算…機"
    assert shorten("abcdef", 2, UNICODE) == "ab"


def test_wide_letters_take_two_cells_of_a_column() -> None:
    assert pad("計算", 6) == "計算  "
    assert pad("7", 3, right=True) == "  7"


def test_a_bar_is_never_longer_than_its_column_and_shows_the_smallest_share() -> None:
    assert bar(F(1), 10, UNICODE) == "██████████"
    assert bar(F(2), 10, ASCII) == "##########"
    assert bar(F(1, 4), 10, UNICODE) == "██▌"
    assert bar(F(1, 10**9), 10, UNICODE) == "▏"
    assert bar(F(1, 10**9), 10, ASCII) == "#"
    assert bar(F(0), 10, UNICODE) == ""
