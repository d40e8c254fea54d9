"""One of several API processes behind one port; `workers.api_processes` starts and ends them.

``python -P -m app.api_process PARENT LISTENER READY PROCESSES``: the parent's id, the descriptor of the
socket that all listen on, the one that is written to when this process answers, and how many there are.
"""

import os
import socket
import sys
from contextlib import suppress

from app.http.body_guard import LARGE_AT_A_TIME
from app.http.starting import settings_or_exit
from app.main import create_app
from app.server.capacity import part, share_of
from app.server.run import GuardedServer
from steadygrid.processes.lifeline import die_with_parent


def main() -> None:
    """Answer requests until SIGTERM, or until the parent dies."""
    parent, listener, ready, processes = map(int, sys.argv[1:])
    die_with_parent(parent)
    settings = share_of(settings_or_exit(), processes)

    def greet() -> None:
        with suppress(BrokenPipeError):
            os.write(ready, b"!")

    server = GuardedServer(
        settings,
        create_app(settings, part(LARGE_AT_A_TIME, processes)),
        greet,
        accepted=1,  # else one process takes all connections of a burst
    )
    server.serve_on(socket.socket(fileno=listener))
    sys.exit(0 if server.started else 1)


if __name__ == "__main__":
    main()
