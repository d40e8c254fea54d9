"""Post what a Prometheus exporter measured to a platform of steadygrid.

    python post_measurements.py METRICS RULES SERVICE/v1/platforms/plt_...

METRICS is a file or an address of a page in the text format, such as http://node-7:9100/metrics. RULES is
a JSON list. Each entry names a metric, the labels that a sample must have, a factor, and a resource:
``{"metric": "node_network_speed_bytes", "labels": {"device": "eth0"}, "link": ["P1", "P2"]}``.
Samples that match one rule are added up, so the cores of a processor are one speed. A key of the service,
where it asks for one, is read from the variable STEADYGRID_KEY. Run it by a timer, once a minute.
"""

import json
import math
import os
import sys
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from prometheus_client.parser import text_string_to_metric_families


def read(place: str) -> str:
    """Give the text of a file, or of a page."""
    if place.startswith(("http://", "https://")):
        with urlopen(place, timeout=10) as page:
            return str(page.read(), "utf-8")
    return Path(place).read_text(encoding="utf-8")


def measured(text: str, rules: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the resources that rules name with what was measured of them, as the service takes it."""
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    found: dict[str, Any] = {"processors": {}, "links": [], "media": {}}
    for rule in rules:
        labels = rule.get("labels", {}).items()
        values = [
            Fraction(repr(one.value))
            for one in samples
            if one.name == rule["metric"]
            and labels <= one.labels.items()
            and math.isfinite(one.value)
        ]
        if not values:
            sys.stderr.write(f"nothing measured for {rule}\n")
            continue
        value = str(sum(values) * Fraction(str(rule.get("factor", 1))))
        if "processor" in rule:
            found["processors"][rule["processor"]] = {"speed": value}
        elif "link" in rule:
            source, target = rule["link"]
            found["links"].append({"source": source, "target": target, "bandwidth": value})
        else:
            found["media"][rule["medium"]] = {"bandwidth": value}
    return found


def main(metrics: str, rules: str, platform: str) -> None:
    """Post one measurement, and print what the service says."""
    at = datetime.now(UTC).isoformat()
    found = measured(read(metrics), json.loads(Path(rules).read_text(encoding="utf-8")))
    body = json.dumps({"measurements": [{"at": at, "measured": found}]}).encode()
    fields = {"Content-Type": "application/json"}
    if key := os.environ.get("STEADYGRID_KEY"):
        fields["Authorization"] = f"Bearer {key}"
    with urlopen(Request(f"{platform}/measurements", body, fields), timeout=60) as answer:
        sys.stdout.write(answer.read().decode() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
