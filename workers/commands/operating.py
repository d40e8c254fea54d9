"""What commands for the operator of the service share: durations, who asks, and what is reported."""

import os
import pwd
import re
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, emit

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION = re.compile(r"([1-9][0-9]{0,8})([smhd])", re.ASCII)


def actor() -> str:
    """Name who runs a command, for audit lines."""
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)
    return f"command line ({name})"


def print_answer(document: Mapping[str, Any], *sentences: str, as_json: bool) -> None:
    """Print what was done, as JSON or in sentences.

    Parameters
    ----------
    document
        What programs read.
    sentences
        What people read, a line each.
    as_json
        Which of the two.
    """
    if as_json:
        emit_json(document)
    else:
        emit("".join(f"{sentence}\n" for sentence in sentences))


def seconds_of(duration: str, option: str) -> float:
    """Read a duration such as ``90d``, ``12h``, ``30m`` or ``45s``.

    Parameters
    ----------
    duration
        As it was typed.
    option
        With its hyphens, for the message.

    Raises
    ------
    Refusal
        It is none. The message names the option.
    """
    found = _DURATION.fullmatch(duration)
    if found is None:
        raise Refusal(
            f"{option} {duration!r} is no duration: write a whole number and s, m, h or d, such as"
            " 90d or 12h"
        )
    return float(int(found[1]) * _SECONDS[found[2]])
