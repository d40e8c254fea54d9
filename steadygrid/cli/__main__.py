"""The ``steadygrid`` command as it is installed; also ``python -m steadygrid``."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command; Ctrl-C is reported in a line also while it loads, which takes a second."""
    try:
        from steadygrid.cli.command import main as run
    except KeyboardInterrupt:
        sys.stderr.write("steadygrid: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
