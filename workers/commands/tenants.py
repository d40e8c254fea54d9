"""``steadygrid tenants``: who may have jobs, and how many."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.text import Text

from app.db.errors import NamesakeError
from app.db.quotas import NAME_RULE, QUOTAS, TENANT_NAME, Quotas, TenantRecord, Use
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal
from steadygrid.domain.job import MOST_PRIORITY
from steadygrid.domain.nearest import nearest
from steadygrid.report.glyphs import printable
from workers.commands.database import DataDir, opened
from workers.commands.environment import settings
from workers.commands.operating import AsJson, actor, print_answer

if TYPE_CHECKING:
    from app.db.engine import Database
    from app.db.unit import AllTenants

AT_ONCE = 50
"""Rows that are deleted in one unit: a unit that waits for its locks does not wait long."""
_USUAL = ("default", "none")


class _Range(NamedTuple):
    """Whole numbers that a quota may be set to."""

    least: int
    most: int


_RANGES = {
    "queued-jobs": _Range(0, 10**9),
    "sweep-jobs": _Range(0, 10**9),
    "running-jobs": _Range(0, 10**9),
    "requests-per-minute": _Range(0, 10**9),
    "waiting-requests": _Range(0, 10**9),
    "solver-seconds-per-day": _Range(0, 10**9),
    "stored-bytes": _Range(0, 10**18),
    "time-limit": _Range(1, 3600),
    "priority": _Range(0, MOST_PRIORITY),
    "retention-days": _Range(0, 100_000),
    "weight": _Range(1, 10),
}


class _Found(NamedTuple):
    """A tenant, and what it uses."""

    record: TenantRecord
    use: Use
    seconds: float
    """That workers have spent on its jobs today."""


Name = Annotated[str, typer.Argument(metavar="NAME", help=f"Its name: {NAME_RULE}.")]

tenants = typer.Typer(
    name="tenants",
    help="Who may have jobs here, and how many.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@tenants.command()
def create(name: Name, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Make a tenant. `steadygrid keys create` gives a user a key to it."""
    check_name(name)
    with opened(data_dir, migrate=True) as database, database.write_all() as unit:
        created = make(unit, name)
    if not created:
        raise Refusal(f"there is a tenant {name} already")
    print_answer({"name": name}, f"made tenant {name}", as_json=as_json)


def check_name(name: str) -> None:
    """Return if a tenant may have this name; `Refusal` if not."""
    if TENANT_NAME.fullmatch(name) is None:
        raise Refusal(f"{printable(name)!r} is no name of a tenant: it has {NAME_RULE}")


def make(unit: "AllTenants", name: str) -> bool:
    """Make a tenant; False if there is one.

    Parameters
    ----------
    unit
        Of all tenants.
    name
        Of the tenant.

    Raises
    ------
    Refusal
        It would see what is left of a former tenant of this name.
    """
    from app.db.audit import Action

    try:
        created = unit.tenants.create(name)
    except NamesakeError:
        raise Refusal(
            f"something is left of a former tenant {name}, which the new one would see:"
            f" `steadygrid tenants delete {name} --with-jobs` deletes it"
        ) from None
    if created:
        unit.audit.write(name, actor(), Action.TENANT_CREATED, name)
    return created


@tenants.command("list")
def list_all(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List all tenants with what they have."""
    with opened(data_dir) as database, database.read_all() as unit:
        seconds = unit.tenants.solver_seconds()
        found = [
            _Found(record, unit.tenants.use(record.name), seconds.get(record.name, 0.0))
            for record in unit.tenants.all()
        ]
    usual = Quotas.usual(settings())
    if as_json:
        emit_json([_document(one, usual) for one in found])
    else:
        emit_lines(lambda *_: list(_table(found)))


@tenants.command()
def show(name: Name, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Say how much a tenant may have, and how much it has."""
    with opened(data_dir) as database, database.read_all() as unit:
        record = unit.tenants.get(name)
        if record is None:
            raise _no_tenant(name, [one.name for one in unit.tenants.all()])
        found = _Found(record, unit.tenants.use(name), unit.tenants.solver_day(name).used)
    usual = Quotas.usual(settings())
    if as_json:
        emit_json(_document(found, usual))
    else:
        emit_lines(lambda *_: list(_details(found, usual)))


@tenants.command("set")
def change(
    name: Name,
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="QUOTA=VALUE",
            help=f"What it may have: {', '.join(_RANGES)}. A whole number, or `default`: as for all.",
        ),
    ],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Set how much a tenant may have, where it is not what the settings say for all.

    Requests are counted by it within five seconds, all else at once.
    """
    # The database takes half a second to load; other commands need not wait.
    from app.db.audit import Action

    values = _changes(changes)
    with opened(data_dir) as database, database.write_all() as unit:
        if not unit.tenants.change(name, values):
            raise _no_tenant(name, [one.name for one in unit.tenants.all()])
        unit.audit.write(name, actor(), Action.TENANT_CHANGED, " ".join((name, *changes)))
    print_answer({"name": name, "changed": dict(values)}, f"changed tenant {name}", as_json=as_json)


def _changes(texts: Sequence[str]) -> Mapping[str, int | None]:
    """Read what is to be changed, by column."""
    found: dict[str, int | None] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in _RANGES:
            close = nearest(name, _RANGES)
            meant = f". Did you mean {close}?" if close else ""
            raise Refusal(
                f"{printable(text)}: give QUOTA=VALUE with one of {', '.join(_RANGES)}{meant}"
            )
        column = name.replace("-", "_")
        if column in found:
            raise Refusal(f"{name} is given twice")
        found[column] = None if value in _USUAL else _number(name, value)
    return found


def _number(name: str, text: str) -> int:
    least, most = _RANGES[name]
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
    if number is None or not least <= number <= most:
        raise Refusal(
            f"{name}={printable(text)}: it must be a whole number from {least} to {most:,},"
            " or `default`"
        )
    return number


@tenants.command()
def delete(
    name: Name,
    with_jobs: Annotated[
        bool,
        typer.Option(
            "--with-jobs", help="Delete its jobs, platforms and applications too, for good."
        ),
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a tenant that has nothing any more, its keys and sessions too."""
    # The database takes half a second to load; other commands need not wait.
    from app.db.models import LOCAL_TENANT

    if name == LOCAL_TENANT:
        raise Refusal(f"{name} is whose jobs are where no keys are asked for. It stays")
    with opened(data_dir) as database:
        deleted = _delete(database, name, with_jobs=with_jobs)
    print_answer(
        {"name": name, "deleted_rows": deleted},
        f"deleted tenant {name}{f' and {deleted:,} rows of it' if deleted else ''}",
        as_json=as_json,
    )


def _delete(database: "Database", name: str, *, with_jobs: bool) -> int:
    from app.db.audit import Action

    with database.write_all() as unit:
        record, every_tenant = unit.tenants.get(name), unit.tenants.all()
        holds = unit.tenants.has_data(name)
        if record is None and not holds:
            raise _no_tenant(name, [one.name for one in every_tenant])
        if holds and not with_jobs:
            raise Refusal(
                f"tenant {name} has jobs, platforms or applications. --with-jobs deletes them too"
            )
        # First, so that all that is deleted before the end has its line.
        unit.audit.write(name, actor(), Action.TENANT_DELETED, name)
        unit.tenants.shut_out(name)
    deleted = 0
    while True:
        with database.write_all() as unit:
            rows = unit.tenants.delete_some(name, AT_ONCE)
            deleted += rows
            if not rows and (unit.tenants.delete(name) or not unit.tenants.has_data(name)):
                return deleted


def _no_tenant(name: str, known: Sequence[str]) -> Refusal:
    close = nearest(name, known)
    meant = f". Did you mean {close}?" if close else ""
    return Refusal(f"there is no tenant {printable(name)}{meant}")


def _document(found: _Found, usual: Quotas) -> dict[str, Any]:
    record, use, seconds = found
    quotas = record.quotas(usual)
    measured = record.measured_at
    return {
        "name": record.name,
        "created_at": record.created_at.isoformat(timespec="seconds"),
        "quotas": {name: getattr(quotas, name) for name in QUOTAS},
        "overrides": dict(record.overrides),
        "retention_days": record.retention_days,
        "weight": record.weight,
        "queued": use.queued,
        "sweep_jobs": use.sweep_jobs,
        "running": use.running,
        "solver_seconds_today": round(seconds, 3),
        "stored_bytes": record.measured_bytes,
        "measured_at": None if measured is None else measured.isoformat(timespec="seconds"),
    }


def _table(found: Sequence[_Found]) -> Iterator[Text]:
    head = (
        "tenant",
        "queued",
        "of sweeps",
        "running",
        "solver s today",
        "stored bytes",
        "not the default",
    )
    rows = [
        (
            record.name,
            f"{use.queued:,}",
            f"{use.sweep_jobs:,}",
            f"{use.running:,}",
            f"{seconds:,.0f}",
            _format_quota(record.measured_bytes, "not measured"),
            " ".join(f"{_option(name)}={value:g}" for name, value in _own(record).items()),
        )
        for record, use, seconds in found
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        name, *numbers, rest = row
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:-1], strict=True)]
        line = "  ".join((name.ljust(widths[0]), *cells, rest)).rstrip()
        yield Text(line, style="bold" if row is head else "")


def _own(record: TenantRecord) -> dict[str, Any]:
    """Give all that differs from the default."""
    kept = record.retention_days
    own = dict(record.overrides) | ({} if kept is None else {"retention_days": kept})
    return own | ({} if record.weight == 1 else {"weight": record.weight})


def _details(found: _Found, usual: Quotas) -> Iterator[Text]:
    record, use, seconds = found
    quotas = record.quotas(usual)
    has = {
        "queued_jobs": f"has {use.queued:,}",
        "sweep_jobs": f"has {use.sweep_jobs:,}",
        "running_jobs": f"has {use.running:,}",
        "solver_seconds_per_day": f"has used {seconds:,.1f} today, UTC",
        "stored_bytes": f"has {_format_quota(record.measured_bytes, 'not been measured')}",
    }
    yield Text(f"{record.name}, since {record.created_at:%Y-%m-%d}", style="bold")
    for name in QUOTAS:
        value = _format_quota(getattr(quotas, name), "any number")
        said = [has[name]] if name in has else []
        if name in record.overrides:
            said.append(f"usually {_format_quota(getattr(usual, name), 'any number')}")
        yield Text(f"  {_option(name):<22} {value:>20}  {', '.join(said)}".rstrip())
    if record.weight != 1:
        yield Text(f"  {'weight':<22} {record.weight:>20}")
    if record.retention_days is not None:
        kept = "for ever" if record.retention_days == 0 else f"{record.retention_days:,}"
        yield Text(f"  {'retention-days':<22} {kept:>20}")


def _format_quota(value: float | None, none: str) -> str:
    return none if value is None else f"{value:,.15g}"


def _option(name: str) -> str:
    return name.replace("_", "-")
