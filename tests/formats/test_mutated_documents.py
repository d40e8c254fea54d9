"""Documents with random faults: each is read, or refused as ours are, never with another exception."""

import random
from contextlib import suppress

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats import IMPORTERS, Noun
from tests.formats.foreign import checked
from tests.formats.test_gpu_machines import DUMPED, TOPO
from tests.formats.test_graphs import (
    SAGA_NETWORK,
    SAGA_TASKS,
    ZOO,
    dag,
    graphml,
    network,
    node_link,
)
from tests.formats.test_tables import HOSTS, LINKS, MATRIX
from tests.formats.test_workflows import DAX, PEGASUS, STG, TGFF

DAGGEN = 'digraph G {\n 1 [size="12000", alpha="0.20"]\n 2 [size=3e4];\n 1 -> {2; "3"} [size="7"] }'
NET = (
    'graph net { edge [bandwidth="1 Gbit/s"]; A [speed=2]; A -- B -- "C"; subgraph x { D E } -- A }'
)
DOCUMENTS: list[tuple[Noun, str, str | bytes, dict[str, str]]] = [
    ("platform", "text/csv", f"{HOSTS}\n{LINKS}", {}),
    ("platform", "text/csv", MATRIX, {"bandwidth_unit": "MB/s"}),
    ("platform", "application/graphml+xml", ZOO, {}),
    ("platform", "application/graphml+xml", graphml(network()), {"speed": "1"}),
    ("platform", "text/vnd.graphviz", NET, {"bandwidth": "1 GB/s"}),
    ("platform", "application/node-link+json", node_link(network()), {"bandwidth": "1"}),
    ("platform", "application/saga+json", str(SAGA_NETWORK).replace("'", '"'), {}),
    ("platform", "application/nccl+xml", DUMPED, {"boxes": "2", "gpu": "a100"}),
    ("platform", "text/nvidia-topo", TOPO, {"gpu": "a100", "net_speed": "100000"}),
    ("application", "application/graphml+xml", graphml(dag()), {"work": "1"}),
    ("application", "text/vnd.graphviz", DAGGEN, {"work": "1"}),
    ("application", "application/node-link+json", node_link(dag()), {}),
    ("application", "application/saga+json", str(SAGA_TASKS).replace("'", '"'), {}),
    ("application", "application/dax+xml", DAX, {"runtime": "1", "file_size": "1"}),
    ("application", "application/pegasus+yaml", PEGASUS, {"runtime": "1", "file_size": "1"}),
    ("application", "text/stg", STG, {"drop_dummies": "true"}),
    ("application", "text/tgff", TGFF, {"arc_size": "1"}),
]
PIECES = [
    b"", b"0", b"-1", b"1e9", b"1e999", b"9" * 80, b"1/0", b"\xff", b"\0", b'"', b"<", b">", b"{", b"}",
    b"[", b"]", b",", b";", b"\n", b"\n\n", b"--", b"->", b"NaN", b"null", b"true", b"x" * 300, b"&a;",
    b" ", b"\t", b"GB/s", b"Gb/s", b"#", b":", b"&x", b"*x", "µ".encode(),
]  # fmt: skip
LIMITS = Limits(max_body_bytes=20_000, max_processors=40, max_links=60, max_tasks=40, max_files=60)


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Replace, double or leave out a few pieces of a document."""
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(data) + 1)
        end = min(len(data), start + draw.choice((0, 1, 1, 2, 5, 20)))
        piece = draw.choice((*PIECES, data[start:end] * 2))
        data = data[:start] + piece + data[end:]
    return data


@pytest.mark.parametrize("case", range(len(DOCUMENTS)))
def test_a_mutated_document_is_read_or_refused(case: int) -> None:
    noun, content_type, text, parameters = DOCUMENTS[case]
    importer = IMPORTERS[noun, content_type]
    data = text.encode() if isinstance(text, str) else text
    checked(importer.read(data, parameters, LIMITS))
    draw = random.Random(case)
    read = 0
    for _ in range(600):
        document = mutated(data, draw)
        importer.sniff(document)
        with suppress(InstanceError, LimitError):
            checked(importer.read(document, parameters, LIMITS))
            read += 1
    assert 0 < read < 600, "mutations should do harm, but not always"
