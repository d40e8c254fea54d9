"""The commands that start the service."""

from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli.terminal import Refusal
from workers.commands.environment import settings


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 is any free one.", min=0, max=65535)] = 8000,
    data_dir: Annotated[
        Path | None,
        typer.Option(help="Folder of the jobs. Default: STEADYGRID_DATA_DIR or .steadygrid."),
    ] = None,
) -> None:
    """Run the API and a worker on an embedded database, with nothing else to install."""
    # The server and the database take a second to load; the other commands need not wait.
    from workers.commands.serving import serve_until_signal, settings_for

    serve_until_signal(settings_for(settings(), data_dir), host, port)


def api(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 is any free one.", min=0, max=65535)] = 8000,
    processes: Annotated[
        int,
        typer.Option(
            help="Processes behind this port. More than 1 need PostgreSQL and Redis.", min=1, max=64
        ),
    ] = 1,
) -> None:
    """Run the API alone, on the database and the broker that the settings name."""
    from workers.commands.serving import serve_api_until_signal

    serve_api_until_signal(settings(), host, port, processes)


def worker(
    concurrency: Annotated[int, typer.Option(help="Jobs at a time.", min=1, max=1024)] = 1,
) -> None:
    """Run a production worker: Celery on the broker that STEADYGRID_REDIS_URL names."""
    chosen = settings()
    if chosen.redis_url is None:
        raise Refusal(
            "STEADYGRID_REDIS_URL is not set, and a production worker needs a broker:"
            " `steadygrid serve` needs none"
        )
    from workers.commands.serving import check_for_work

    check_for_work(chosen)
    from workers.tasks import run_worker

    run_worker(concurrency)


def sender() -> None:
    """Send webhooks where workers do not: see STEADYGRID_WORKER_SENDERS."""
    chosen = settings()
    from workers.commands.serving import check_for_sending

    check_for_sending(chosen)
    from workers.sender import send_until_signal

    send_until_signal(chosen)
