"""The service below a path of another host's address, behind a proxy that takes the path off."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visits, expect
from tests.http.processes import free_port, served

pytestmark = pytest.mark.browser

ROOT = "/grid"


class Proxy:
    """Passes requests below `ROOT` on, one per connection, as bytes."""

    def __init__(self, service: int) -> None:
        self._service = service
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            head, _, rest = _head(client).partition(b"\r\n\r\n")
            first, *fields = head.split(b"\r\n")
            method, path, version = first.split(b" ")
            root = ROOT.encode()
            assert path.startswith(root + b"/"), path
            kept = [one for one in fields if not one.lower().startswith((b"host:", b"connection:"))]
            host = f"Host: 127.0.0.1:{self._service}".encode()
            lines = [
                b" ".join((method, path.removeprefix(root), version)),
                host,
                b"Connection: close",
            ]
            with socket.create_connection(("127.0.0.1", self._service)) as service:
                service.sendall(b"\r\n".join([*lines, *kept, b"", rest]))
                threading.Thread(target=_pass_on, args=(client, service), daemon=True).start()
                _pass_on(service, client)

    def close(self) -> None:
        self._listener.close()


def _head(client: socket.socket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        piece = client.recv(2**16)
        if not piece:
            raise ConnectionError
        read += piece
    return read


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(2**16):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    with closing(Proxy(port)) as proxy:
        public = f"http://127.0.0.1:{proxy.port}{ROOT}"
        settings: dict[str, Any] = {"public_url": public, "insecure": "true"}
        with served(tmp_path, "serve", covered=False, port=port, **settings):
            yield public


def test_an_example_is_solved_and_followed_below_a_path(address: str, visits: Visits) -> None:
    visit = visits(address)
    page = visit.page
    visit.go("/")
    page.locator("[data-run=master_worker]").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    assert page.url.startswith(f"{address}/jobs/job_")
    expect(page.locator("svg.platform")).to_be_visible()
    page.locator(".tabs").get_by_role("link", name="Proof").click()
    expect(page.locator("#proof")).to_be_visible()
    assert page.url.endswith("/proof")
    page.get_by_role("link", name="Jobs", exact=True).first.click()
    made = page.request.post(f"{address}/v1/jobs", data=PROBLEMS["master_worker"].example)
    location = made.headers["location"]
    assert location.startswith(f"{ROOT}/v1/jobs/job_")
    row = page.locator(f"tr[data-job={location.rpartition('/')[2]}]")
    expect(row).to_have_attribute("data-state", "succeeded")
