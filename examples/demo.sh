#!/usr/bin/env bash
# Two problems from file to certificate: figure 3 of RR-4870, and a grid of three sites whose
# clusters sit behind shared wide-area links, read from a SimGrid platform file.
set -euo pipefail
cd "$(dirname "$0")"
bin=${BIN:-../.venv/bin}
[ -d "$bin" ] || bin=../$bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n\033[1m%s\033[0m\n\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n\n' "$*"; }

say '$ steadygrid solve examples/rr4870-figure-3.json'
"$bin/steadygrid" solve rr4870-figure-3.json

say '$ steadygrid convert examples/three_sites.xml --to platform'
"$bin/steadygrid" convert three_sites.xml --to platform --output "$work/platform.json"

# The task: 20 Gflop on 8 MB of input, with 1 MB of results; the platform counts in bytes and flops.
"$bin/python" - "$work" <<'PYTHON'
import json, pathlib, sys

work = pathlib.Path(sys.argv[1])
body = json.loads(pathlib.Path("three-sites.json").read_text())
body["problem"]["platform"] = json.loads((work / "platform.json").read_text())
(work / "three-sites.json").write_text(json.dumps(body))
PYTHON

say '$ steadygrid solve three-sites.json'
"$bin/steadygrid" solve "$work/three-sites.json" --json --schedule "$work/schedule.json" \
    > "$work/result.json"
"$bin/steadygrid" solve "$work/three-sites.json"

say '$ steadygrid check three-sites.json result.json schedule.json'
"$bin/steadygrid" check "$work/three-sites.json" "$work/result.json" "$work/schedule.json"
