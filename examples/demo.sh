#!/usr/bin/env bash
# Two problems from file to certificate: figure 3 of RR-4870, and a grid of three sites whose
# clusters sit behind shared wide-area links, read from a SimGrid platform file.
set -euo pipefail
cd "$(dirname "$0")/.."
steadygrid=.venv/bin/steadygrid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n$ %s\n\n' "$*"; }

say steadygrid solve examples/rr4870-figure-3.json
$steadygrid solve examples/rr4870-figure-3.json

say steadygrid convert examples/three_sites.xml --to platform --output platform.json
$steadygrid convert examples/three_sites.xml --to platform --output "$work/platform.json"

# The platform is in bytes and flops, so the task is too.
task='"work": "20e9", "input_size": "25e6", "output_size": "5e6"'
cat > "$work/three_sites.json" <<JSON
{"problem": {"kind": "master_worker", "master": "shore-1", "ports": "multiport",
             "task": {$task}, "platform": $(cat "$work/platform.json")}}
JSON
echo
echo "three_sites.json: this platform, the master shore-1, ports multiport, the task {$task}"

say steadygrid solve three_sites.json
$steadygrid solve "$work/three_sites.json"

say 'steadygrid solve three_sites.json --json --schedule schedule.json > result.json'
$steadygrid solve "$work/three_sites.json" --json --schedule "$work/schedule.json" \
    > "$work/result.json"
say 'steadygrid check three_sites.json --result result.json --schedule-in schedule.json     # the referee alone'
$steadygrid check "$work/three_sites.json" --result "$work/result.json" --schedule-in "$work/schedule.json"

cat <<'END'

Next: make serve, then open http://127.0.0.1:8000 in a browser. "New" takes examples/rr4870-figure-3.json,
or a file of your own, and shows the same answer as a page with pictures; the API's reference is at /docs.
END
