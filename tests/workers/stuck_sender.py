"""A sender whose name server never answers: ``python -m ...``, with the settings of the environment."""

import threading
from collections.abc import Sequence

from app import receivers
from app.settings import Settings
from workers.sender import send_until_signal


def never(host: str, port: int) -> Sequence[str]:
    print(host, flush=port > 0)
    threading.Event().wait()
    return ()


if __name__ == "__main__":
    receivers.addresses_of = never
    send_until_signal(Settings(log_level="CRITICAL"))
