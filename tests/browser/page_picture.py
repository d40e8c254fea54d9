"""The picture of a job's page in docs/first-schedule.md, as a service shows it: ``make browser-picture``."""

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser.visits import Faults, Visit
from tests.http.processes import served
from tests.tree import ROOT

INSTANCE = ROOT / "examples" / "rr4870-figure-3.json"
PICTURE = ROOT / "docs" / "pictures" / "rr4870-figure-3-page.png"
SIZE: Any = {"width": 1000, "height": 880}
MOST_BYTES = 150_000


def main() -> None:
    """Have the example solved, and write what its page looks like."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        TemporaryDirectory() as folder,
        served(Path(folder), "serve", covered=False) as service,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        host = f"127.0.0.1:{service.port}"
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        visit = Visit(page, f"http://{host}", Faults(host))
        visit.go(visit.solved(json.loads(INSTANCE.read_text(encoding="utf-8"))))
        drawn = page.screenshot()
        browser.close()
    if len(drawn) > MOST_BYTES:
        sys.exit(f"the picture has {len(drawn):,} bytes, and at most {MOST_BYTES:,} are kept")
    PICTURE.write_bytes(drawn)


if __name__ == "__main__":
    main()
