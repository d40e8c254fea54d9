"""``steadygrid audit``: who changed what."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from steadygrid.cli.terminal import emit
from steadygrid.report.glyphs import printable
from workers.commands.database import DataDir, opened
from workers.commands.operating import seconds_of

if TYPE_CHECKING:
    from app.db.audit import AuditLine
    from app.db.engine import Database

_AT_ONCE = 1_000


def audit(
    of: Annotated[
        str | None,
        typer.Option("--tenant", metavar="NAME", help="Only what was done for this tenant."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Only the last 7d, 12h, 30m.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print exactly one JSON document.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """List who changed what, the oldest first."""
    seconds = None if since is None else seconds_of(since, "--since")
    with opened(data_dir) as database:
        pages = _pages(database, of, seconds)
        if as_json:
            _emit_array(pages)
        else:
            for lines in pages:
                emit("".join(f"{row}\n" for row in _rows(lines)))


def _pages(
    database: "Database", of: str | None, seconds: float | None
) -> "Iterator[Sequence[AuditLine]]":
    token = None
    while True:
        with database.read_all() as unit:
            page = unit.audit.page(_AT_ONCE, token, of=of, since_seconds=seconds)
        yield page.items
        token = page.next_token
        if token is None:
            return


def _rows(lines: "Sequence[AuditLine]") -> Iterator[str]:
    """Write lines for people, what is alike in columns."""
    cells = [
        [
            line.at.strftime("%Y-%m-%d %H:%M:%S UTC"),
            *map(printable, (line.tenant, line.actor, line.action, line.subject)),
        ]
        for line in lines
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(map(str.ljust, row, widths)).rstrip()


def _emit_array(pages: "Iterator[Sequence[AuditLine]]") -> None:
    """Write one JSON document, however many lines there are."""
    opening = "["
    for lines in pages:
        if lines:
            emit(opening + ",".join(f"\n{json.dumps(_document(line))}" for line in lines))
            opening = ","
    emit("[]\n" if opening == "[" else "\n]\n")


def _document(line: "AuditLine") -> dict[str, str]:
    return {**asdict(line), "at": line.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
