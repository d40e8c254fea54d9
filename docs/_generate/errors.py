"""The page of errors: each code with its title, its cause and its remedy."""

from collections.abc import Iterator

from app.main import STATUS_BY_CODE
from steadygrid.domain.codes import AREAS
from steadygrid.domain.codes.text import OF_REFEREE, CodeText, anchor_of

HEAD = f"""---
hide-toc: true
---

# Errors

Programs read `code`, people read `detail`. A code never changes its name or its meaning. `steadygrid explain CODE` prints the same text on the console.

An entry with a status of HTTP is the `code` of a whole answer. Other entries are codes in its list `errors`, each with its place.

An answer that the referee refuses has the code `invalid_schedule`, and its list names the rules. What to do is the same for all rules: {OF_REFEREE[0].lower()}{OF_REFEREE[1:]}
"""


def page() -> str:
    """Write the page, by area."""
    lines = [HEAD]
    for area, texts in AREAS.items():
        lines += [f"## {area}", ""]
        for code, text in sorted(texts.items()):
            lines += _entry(code, text)
    return "\n".join(lines)


def _entry(code: str, text: CodeText) -> Iterator[str]:
    yield from (f"({anchor_of(code)})=", "", f"### `{code}`", "")
    status = f" HTTP status {int(STATUS_BY_CODE[code])}." if code in STATUS_BY_CODE else ""
    remedy = "" if text.remedy == OF_REFEREE else f" {text.remedy}"
    yield from (f"**{text.title}.** {text.cause}{remedy}{status} Since {text.since}.", "")
