"""``steadygrid keys``: who may ask a service, made where its database can be reached."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from app.db.scopes import Scope
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.report.glyphs import printable
from workers.commands.database import DataDir, opened
from workers.commands.operating import AsJson, actor, print_answer, seconds_of
from workers.commands.tenants import check_name, make

if TYPE_CHECKING:
    from app.db.keys import KeyRecord

LONGEST_DAYS = 36_500
"""Until a key expires; beyond the year 9999 databases know no dates."""
_ID = re.compile(r"(?:sk_)?([a-z]{8})(?:_[A-Za-z0-9]*)?", re.ASCII)

keys = typer.Typer(
    name="keys",
    help="Make, list and revoke the keys of a service.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@keys.command()
def create(
    tenant: Annotated[
        str,
        typer.Option(help="Tenant of the key. A new tenant is made if there is none of this name."),
    ],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(
            help="What the key allows: read (default), submit (default) for all changes, admin for"
            " metrics of the whole service. May be repeated."
        ),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION", help="When the key expires, such as 90d or 12h. Default: never."
        ),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Make a key and print it. It is shown only once."""
    from app.db.audit import Action

    check_name(tenant)
    seconds = None if expires is None else seconds_of(expires, "--expires")
    if seconds is not None and seconds > LONGEST_DAYS * 86_400:
        raise Refusal(
            f"--expires {expires}: at most {LONGEST_DAYS}d. Without --expires, a key does not expire"
        )
    scopes = frozenset(scope or (Scope.READ, Scope.SUBMIT))
    with opened(data_dir, migrate=True) as database, database.write_all() as unit:
        new = make(unit, tenant)
        key = unit.keys.create(tenant, scopes, seconds)
        own = key.split("_")[1]
        unit.audit.write(tenant, actor(), Action.KEY_CREATED, f"key {own}")
    whose = f"the new tenant {tenant}" if new else f"the tenant {tenant}"
    until = "" if expires is None else f", for {expires}"
    document = {
        "id": own,
        "key": key,
        "tenant": tenant,
        "new_tenant": new,
        "scopes": sorted(scopes),
        "expires_in_seconds": seconds,
    }
    print_answer(document, key, as_json=as_json)
    complain(
        [
            f"steadygrid: a key of {whose} ({', '.join(sorted(scopes))}{until}), in"
            f" {printable(database.place)}",
            "  keep it: it cannot be shown again",
        ]
    )


@keys.command("list")
def list_keys(
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List all keys. Their secrets are not stored."""
    with opened(data_dir) as database, database.read_all() as unit:
        found = unit.keys.all()
    if as_json:
        emit_json([_document(key) for key in found])
        return
    rows = [_HEAD, *(_row(key) for key in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    emit_lines(lambda _width, _glyphs: [Text(lines[0], style="bold"), *map(Text, lines[1:])])


@keys.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="ID", help="As `steadygrid keys list` shows it.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Refuse a key from now on, within five seconds in every process and every open stream."""
    from app.db.audit import Action

    named = _ID.fullmatch(key)
    with opened(data_dir) as database, database.write_all() as unit:
        record = unit.keys.get(named[1]) if named else None
        if record is None:
            raise Refusal(
                f"there is no key {printable(key)!r} in {printable(database.place)}:"
                " `steadygrid keys list` shows those there are"
            )
        revoked = unit.keys.revoke(record.id)
        if revoked:
            unit.audit.write(record.tenant, actor(), Action.KEY_REVOKED, f"key {record.id}")
    said = "is revoked: no process takes it any more in five seconds" if revoked else _BEFORE
    print_answer(
        {"id": record.id, "tenant": record.tenant, "revoked_before": not revoked},
        f"key {record.id} of the tenant {record.tenant} {said}",
        as_json=as_json,
    )


_BEFORE = "was revoked before"
_HEAD = ("id", "tenant", "scopes", "state", "made", "expires", "last used")


def _state(key: "KeyRecord") -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= datetime.now(UTC):
        return "expired"
    return "valid"


def _row(key: "KeyRecord") -> tuple[str, ...]:
    moments = (key.created_at, key.expires_at, key.used_at)
    return (
        *(key.id, key.tenant, " ".join(sorted(key.scopes)), _state(key)),
        *("-" if at is None else f"{at:%Y-%m-%d %H:%M}Z" for at in moments),
    )


def _document(key: "KeyRecord") -> dict[str, Any]:
    moments = {
        name: at and at.isoformat()
        for name, at in (
            ("created_at", key.created_at),
            ("expires_at", key.expires_at),
            ("revoked_at", key.revoked_at),
            ("used_at", key.used_at),
        )
    }
    return {
        "id": key.id,
        "tenant": key.tenant,
        "scopes": sorted(key.scopes),
        "state": _state(key),
    } | moments
