"""Receivers of webhooks that misbehave, each on a loopback port."""

import datetime as dt
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Behaviour = Callable[[socket.socket, "Received"], None]


class Received:
    """One request: its fields in lower case, and its body to the byte."""

    def __init__(self, line: str, fields: dict[str, str], body: bytes) -> None:
        self.line = line
        self.fields = fields
        self.body = body


class Receiver:
    """A server that answers every request by its behaviour."""

    def __init__(self, behaviour: Behaviour, context: ssl.SSLContext | None = None) -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.behaviour = behaviour
        self._context = context
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._over.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=[one], daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with suppress(OSError), plain:
            one = plain
            if self._context is not None:
                one = self._context.wrap_socket(plain, server_side=True)
            with one:
                request = _read(one)
                if request is not None:
                    self.received.append(request)
                    self.behaviour(one, request)


def _read(one: socket.socket) -> Received | None:
    told = b""
    while b"\r\n\r\n" not in told:
        piece = one.recv(65_536)
        if not piece:
            return None
        told += piece
    head, _, body = told.partition(b"\r\n\r\n")
    line, *lines = head.decode("ascii").split("\r\n")
    fields = dict(field.split(": ", 1) for field in lines)
    fields = {name.lower(): value for name, value in fields.items()}
    while len(body) < int(fields["content-length"]):
        body += one.recv(65_536)
    return Received(line, fields, body)


def answers(status: str, *fields: str, body: bytes = b"") -> Behaviour:
    """Answer at once."""
    lines = (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", "")

    def behave(one: socket.socket, _request: Received) -> None:
        one.sendall("\r\n".join(lines).encode() + body)

    return behave


def hangs(one: socket.socket, _request: Received) -> None:
    """Say nothing, until the other side has had enough."""
    one.recv(1)


def drips(one: socket.socket, _request: Received) -> None:
    """Answer a byte at a time."""
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"a" * 10_000:
        one.sendall(bytes([byte]))
        time.sleep(0.02)


def floods(one: socket.socket, _request: Received) -> None:
    """Answer well, and never stop."""
    one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
    while True:
        one.sendall(b"a" * 65_536)


def hints(one: socket.socket, _request: Received) -> None:
    """Say without end that an answer will come."""
    while True:
        one.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100)


@contextmanager
def receiving(behaviour: Behaviour, context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    receiver = Receiver(behaviour, context)
    try:
        yield receiver
    finally:
        receiver.close()


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Make a certificate for a name; give what serves with it, and what believes it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    serves = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serves.load_cert_chain(file)
    return serves, ssl.create_default_context(cafile=str(file))
