"""What two processes of steadygrid say to each other.

A frame is a line of JSON and, where its member `size` says so, that many bytes after it.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class Frame(NamedTuple):
    """One message and its bytes."""

    message: dict[str, Any]
    payload: bytes


def encode_frame(message: dict[str, Any], payload: bytes = b"") -> bytes:
    """Write one frame.

    Parameters
    ----------
    message
        JSON-ready, without a ``size``.
    payload
        Bytes that follow the message.
    """
    return encode_head(message, len(payload)) + payload


def encode_head(message: dict[str, Any], size: int) -> bytes:
    """Write the line before a payload of so many bytes.

    Parameters
    ----------
    message
        JSON-ready, without a ``size``.
    size
        Bytes that follow the message.
    """
    head = json.dumps(message | {"size": size}, separators=(",", ":"))
    return head.encode("ascii") + b"\n"


class FrameReader:
    """Puts frames together from the pieces that a pipe gives."""

    def __init__(self) -> None:
        self._pieces = bytearray()
        self._searched = 0
        self._message: dict[str, Any] | None = None
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """Take a piece and yield the frames that it completes."""
        self._pieces += piece
        while self._read_message() and len(self._pieces) >= self._size:
            # One copy: a payload may be as long as the longest body of a request.
            payload = bytes(memoryview(self._pieces)[: self._size])
            del self._pieces[: self._size]
            message, self._message = self._message, None
            assert message is not None
            yield Frame(message, payload)

    def _read_message(self) -> bool:
        if self._message is None:
            end = self._pieces.find(b"\n", self._searched)
            self._searched = 0 if end >= 0 else len(self._pieces)
            if end < 0:
                return False
            message: dict[str, Any] = json.loads(self._pieces[:end])
            self._size = message.pop("size")
            self._message = message
            del self._pieces[: end + 1]
        return True
