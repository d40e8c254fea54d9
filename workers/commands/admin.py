"""``steadygrid admin``: what operators look at and do while a service runs."""

from typing import Annotated

import typer

from workers.commands.database import DataDir
from workers.commands.operating import AsJson

admin = typer.Typer(
    name="admin",
    help="Look at the queue and the workers, and act on them, while the service runs.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
# The database takes a while to load; other commands need not wait, so each of these loads it.
Tenant = Annotated[
    str | None, typer.Option("--tenant", metavar="NAME", help="Only jobs of this tenant.")
]
Code = Annotated[
    str | None, typer.Option(help="Only failed jobs with this code, such as `poison`.")
]
Names = Annotated[
    list[str] | None, typer.Argument(metavar="[WORKER]...", help="As `admin workers` lists them.")
]
Here = Annotated[bool, typer.Option("--here", help="All workers of this machine.")]


@admin.command()
def jobs(of: Tenant = None, as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Count jobs by tenant, kind and state, and failed jobs by code."""
    from workers.commands import administration

    administration.tell_jobs(of, data_dir, as_json=as_json)


@admin.command()
def failed(
    code: Code = None,
    of: Tenant = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Most jobs that are listed.")] = 50,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """List failed jobs with their codes, the newest first. Poisoned jobs have the code `poison`."""
    from workers.commands import administration

    administration.tell_failed(code, of, limit, data_dir, as_json=as_json)


@admin.command()
def requeue(
    job: Annotated[
        list[str] | None, typer.Argument(metavar="[JOB]...", help="Ids of failed jobs.")
    ] = None,
    code: Code = None,
    of: Tenant = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Most jobs of a code.")] = 50,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Queue failed jobs once more, as new jobs with the same body.

    A failed job stays as it is. The new job names it in `retry_of`, and it names the new job. Jobs of
    sweeps are tried again by `POST /v1/sweeps/{id}/retry`.
    """
    from workers.commands import administration

    administration.requeue(job or [], code, of, limit, data_dir, as_json=as_json)


@admin.command()
def workers(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List the workers seen in the last two minutes, and how many jobs each one holds."""
    from workers.commands import administration

    administration.tell_workers(data_dir, as_json=as_json)


@admin.command()
def drain(
    worker: Names = None,
    here: Here = False,
    wait: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Wait until they hold no job, for so long at most. Default:"
            " STEADYGRID_DRAIN_SECONDS.",
        ),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Let workers finish their jobs and take no others. A worker that starts anew takes jobs.

    Exit code 1 means that a job was still running when the time was over. Stopping the worker then
    gives it back, and another worker starts it again.
    """
    from workers.commands import administration

    administration.drain(worker or [], wait, data_dir, here=here, as_json=as_json)


@admin.command()
def resume(
    worker: Names = None, here: Here = False, as_json: AsJson = False, data_dir: DataDir = None
) -> None:
    """Let drained workers take jobs again."""
    from workers.commands import administration

    administration.resume(worker or [], data_dir, here=here, as_json=as_json)


@admin.command()
def check(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Print each setting with its source, and all faults that can be found. Changes nothing.

    Exit code 1 means that there are faults. Values that may hold a password are not printed.
    """
    from workers.commands import settings_check

    settings_check.check(data_dir, as_json=as_json)
