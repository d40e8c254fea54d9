"""Ten large bodies at once, all refused: how much memory the API takes."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.measurement import Measurement
from benchmarks.service import connect, request, served

BODIES = 10
BYTES = 60_000_000
_HEAD = '{"problem": {"kind": "master_worker", "master": "P0", "task": {"work": 1}, "platform": {'
_TAIL = "]}}}"


def measure() -> Iterator[Measurement]:
    """Post bodies that are too much in one way or another; the peak is the API's alone."""
    for what, body in (
        ("1.9 million processors", _filled('"processors": [', _processor)),
        ("200,000 links that are wrong", _filled('"processors": [], "links": [', _link)),
        ("20 million empty lists", ("[" + "[]," * (BYTES // 3) + "[]]").encode()),
        ("one text", ('{"labels": {"a": "' + "x" * BYTES + '"}}').encode()),
        ("no JSON", b" " * BYTES + b"!"),
    ):
        yield Measurement(
            f"{BODIES} bodies of {BYTES // 10**6} MB at once: {what}",
            _peak_megabytes(body),
            "MB",
            claim=400,
        )


def _processor(number: int) -> str:
    return f'{{"id":"P{number}","unit_time":1}}'


def _link(number: int) -> str:
    return f'{{"source":"P0","target":"Q{number:0250d}","unit_time":"{number}/7"}}'


def _filled(opening: str, entry: Callable[[int], str]) -> bytes:
    entries: list[str] = []
    length = 0
    while length < BYTES:
        entries.append(entry(len(entries)))
        length += len(entries[-1]) + 1
    return (_HEAD + opening + ",".join(entries) + _TAIL).encode()


def _peak_megabytes(body: bytes) -> float:
    with served() as (port, pid, _):

        def post(_number: int) -> int:
            return request(connect(port), "POST", "/v1/jobs", body)[0]

        with ThreadPoolExecutor(BODIES) as pool:
            answers = list(pool.map(post, range(BODIES)))
        if not set(answers) <= {400, 422, 503}:
            raise RuntimeError(f"not all were refused: {answers}")
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        peak = next(line for line in status if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024
