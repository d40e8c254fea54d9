"""The ``steadygrid`` command as it is installed; also ``python -m steadygrid``."""

import gc
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command; Ctrl-C is reported in a line also while it loads, which takes a second."""
    # Else collections walk over all modules while they load: a fifth of the start of a service.
    gc.set_threshold(50_000, 10, 10)
    try:
        from steadygrid.cli.command import main as run
    except KeyboardInterrupt:
        sys.stderr.write("steadygrid: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
