"""``python -m steadygrid`` is the ``steadygrid`` command."""

from steadygrid.cli.__main__ import main

if __name__ == "__main__":
    main()
