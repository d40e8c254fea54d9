"""SimGrid's own routes of small documents, kept so that they are there without SimGrid.

    python -m tests.formats.simgrid_stored [NAME...]

asks SimGrid anew, and writes them beside the documents, of all or of some. What it does not answer
stays as it is.
"""

import json
import sys
from pathlib import Path

from tests.formats.simgrid_module import MISSING, routes

FOLDER = Path(__file__).with_name("simgrid_routes")


def documents() -> list[Path]:
    return sorted(FOLDER.glob("*.xml"))


def stored(document: Path) -> dict[tuple[str, str], tuple[str, ...] | None]:
    kept = json.loads(document.with_suffix(".json").read_text())
    return {
        (source, target): None if links is None else tuple(links)
        for source, row in kept.items()
        for target, links in row.items()
    }


def _main(names: list[str]) -> None:
    if MISSING:
        raise SystemExit(MISSING)
    for document in documents():
        if names and document.stem not in names:
            continue
        known = stored(document) if document.with_suffix(".json").exists() else {}
        rows: dict[str, dict[str, tuple[str, ...] | None]] = {}
        for (source, target), links in (known | routes(document)).items():
            rows.setdefault(source, {})[target] = links
        lines = [
            f" {json.dumps(source)}: {{\n"
            + ",\n".join(
                f"  {json.dumps(name)}: {json.dumps(links)}" for name, links in row.items()
            )
            + "\n }"
            for source, row in rows.items()
        ]
        document.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    _main(sys.argv[1:])
