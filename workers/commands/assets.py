"""``steadygrid assets``: what pages load and takes seconds to make, made before a client waits."""

from pathlib import Path
from typing import Annotated

import typer

from steadygrid.cli.answering import FAILED, interruptible
from steadygrid.cli.picturing import check_installed, pictures_target, refusing
from steadygrid.cli.terminal import Refusal, complain, emit, shown
from steadygrid.pictures import bundle
from steadygrid.pictures.drawn import javascript
from workers.commands.environment import settings


def assets(
    directory: Annotated[
        Path | None,
        typer.Option(
            "--directory",
            metavar="DIR",
            help="The folder, made if needed. Default: STEADYGRID_ASSETS_DIR, or assets in the data"
            " directory, which the service reads.",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", hidden=True)] = None,
) -> None:
    """Make the JavaScript that draws pictures in pages, so that no visitor waits for it.

    Needs the extra `pictures`. What is there already is left as it is.
    """
    if output is not None:
        complain(
            ["note: --output DIR is called --directory DIR. The next release does not read it"]
        )
    chosen = output if directory is None else directory
    folder = settings().assets_folder if chosen is None else chosen
    with interruptible(), refusing():
        check_installed()
        kept = bundle.find(folder)
        if kept is not None:
            emit(f"{shown(str(folder / kept[0]))}: is there already\n")
            return
        pictures_target(folder)
        content = javascript().encode()
        try:
            path = bundle.keep(folder, content)
        except OSError as error:
            raise Refusal(f"{shown(str(folder))}: {error.strerror or error}", FAILED) from None
    emit(f"{shown(str(path))}: made\n")
