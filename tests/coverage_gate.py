"""Refuse coverage by quick tests below the thresholds: branches in total, and whole files."""

import fnmatch
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TOTAL = 95.0
WHOLE = (
    "steadygrid/verification/*.py",
    "steadygrid/kinds/*/validator.py",
    "steadygrid/engine/exact/*.py",
)


def main() -> int:
    """Print what is missing and give the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        command = [
            sys.executable,
            "-m",
            "coverage",
            "json",
            "-q",
            "--fail-under=0",
            "-o",
            str(report),
        ]
        subprocess.run(command, check=True)
        document = json.loads(report.read_text())
    faults: list[str] = []
    for name, measured in sorted(document["files"].items()):
        share = measured["summary"]["percent_covered"]
        whole = any(fnmatch.fnmatch(name, pattern) for pattern in WHOLE)
        if whole and share < 100:
            lines = measured["missing_lines"] + measured["missing_branches"]
            faults.append(f"{name}: {share:.1f} %, must be 100 %; missing {lines}")
        elif share < TOTAL:
            print(f"{name}: {share:.1f} %, missing {measured['missing_lines']}")
    total = document["totals"]["percent_covered"]
    print(f"total: {total:.2f} % of lines and branches")
    if total < TOTAL:
        faults.append(f"the total must be {TOTAL} %")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
