"""Every code of an error that the source raises has a text, and no text is without its code."""

import re
from functools import cache

from app.settings import PREFIX, Settings
from steadygrid.domain.codes import AREAS, CODES
from tests import codes
from tests.tree import ROOT, modules, name_of

STORED = ROOT / "tests" / "stored" / "codes.txt"
"""Codes that were published: they keep their names."""
VERBS = re.compile(
    r"Add|Allow|Ask|Begin|Cancel|Change|Check|Choose|Correct|Cut|Delete|Empty|End|Exchange|Fill|Flatten"
    r"|Give|Go|Install|Join|Keep|Leave|Lengthen|List|Make|Map|Measure|Move|Name|Place|Post|Print"
    r"|Put|Raise|Read|Remove|Repeat|Report|Round|Run|Save|Send|Set|Shorten|Solve|Start|Submit|Take"
    r"|Use|Wait|Write"
)

RULE = re.compile(r" `([a-z_]+)`$", re.MULTILINE)
"""The code at the end of a line in a table of rules."""


@cache
def raised() -> dict[str, str]:
    return codes.codes_of_source()


def test_every_code_of_the_source_has_a_text() -> None:
    lacking = sorted(raised().keys() - CODES.keys())
    lines = [
        f'{raised()[code]} raises "{code}": add \'"{code}": CodeText(title, cause, remedy),\' to the'
        " file of its area in steadygrid/domain/codes/ (`of_referee(title, cause)` for a rule of"
        " the referee)"
        for code in lacking
    ]
    assert not lines, "\n".join(lines)


def test_every_rule_of_the_referee_has_a_text() -> None:
    lacking = set()
    for path in modules("steadygrid"):
        text = path.read_text(encoding="utf-8")
        rules = set(RULE.findall(text)) if "Rules, in this order" in text else set()
        lacking |= {(name_of(path), code) for code in rules - CODES.keys() if f'"{code}"' in text}
    assert not lacking, f"add these codes of tables of rules to steadygrid/domain/codes/: {lacking}"


def test_every_text_belongs_to_a_code_of_the_source() -> None:
    stray = sorted(CODES.keys() - raised().keys())
    assert not stray, (
        f"nothing raises {', '.join(stray)}: remove the entry from steadygrid/domain/codes/, or, if"
        " an f-string makes the code, add its word to MADE in tests/codes.py"
    )


def test_every_f_string_that_makes_codes_is_known() -> None:
    unknown = [
        place for place in codes.scan() if "{" in place.code and not codes.made_by(place.code)
    ]
    assert not unknown, f"add the words of these f-strings to MADE in tests/codes.py: {unknown}"


def test_published_codes_remain() -> None:
    stored = STORED.read_text(encoding="utf-8").split()
    assert stored == sorted(set(stored))
    lost = [code for code in stored if code not in CODES]
    assert not lost, f"codes were published and keep their names: put {', '.join(lost)} back"


def test_no_code_has_two_texts() -> None:
    assert sum(map(len, AREAS.values())) == len(CODES)


def test_texts_are_sentences_and_remedies_imperatives() -> None:
    for code, text in CODES.items():
        assert text.title[0].isupper(), code
        assert not text.title.endswith("."), code
        assert text.cause.endswith("."), code
        assert text.remedy.endswith("."), code
        assert VERBS.match(text.remedy), (code, text.remedy)


def test_settings_in_texts_exist() -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    named = {
        name
        for text in CODES.values()
        for part in text
        for name in re.findall(r"STEADYGRID_\w+", part)
    }
    assert named
    assert named <= known


def test_the_scan_sees_a_planted_code() -> None:
    places = {(place.file, place.code) for place in codes.scan()}
    assert ("steadygrid/domain/cards.py", "duplicate_card") in places
    assert ("steadygrid/verification/findings.py", "more_faults") in places
    assert ("steadygrid/formats/simgrid/xml.py", "invalid_platform") in places
    assert ("steadygrid/pictures/errors.py", "pictures_not_installed") in places
    assert ("steadygrid/domain/patch.py", "leads_nowhere") in places
    assert ("steadygrid/verification/transfers.py", "from_nowhere") in places
    assert not [name_of(path) for path in modules("tests") if (name_of(path), "cycle") in places]
