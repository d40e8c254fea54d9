"""The library and its command solve where the service is not installed.

`tests/installation/run` starts it in an environment that has the distribution `steadygrid` alone:
``python -P library_alone.py EXAMPLE``.
"""

import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import steadygrid

OF_THE_SERVICE = ("app", "workers", "migrations", "fastapi", "sqlalchemy", "celery", "redis")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command of this environment."""
    script = str(Path(sys.executable).with_name("steadygrid"))
    return subprocess.run([script, *arguments], capture_output=True, text=True, check=False)


def main() -> None:
    """Solve in Python and on the command line, and ask for the service."""
    example = sys.argv[1]
    assert [name for name in OF_THE_SERVICE if find_spec(name) is not None] == []
    assert steadygrid.solve(example).objective == Fraction(21, 40)
    assert steadygrid.solve(example, in_process=True).objective == Fraction(21, 40)
    solved = command("solve", example)
    assert solved.returncode == 0, solved.stderr
    assert "21/40" in solved.stdout, solved.stdout
    refused = command("serve")
    assert refused.returncode == 2, refused.stderr
    assert "pip install 'steadygrid[service]'" in refused.stderr, refused.stderr
    print("the library alone solves, and says how to get the service")


if __name__ == "__main__":
    main()
