"""What an XML document says it is, before anything reads it."""

import re

_OPENING = re.compile(rb"<([A-Za-z_][\w.:-]{0,199})", re.ASCII)
_SKIPPED = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!", b">"))
_MARK = b"\xef\xbb\xbf"


def is_markup(data: bytes) -> bool:
    """Whether a document begins as XML does."""
    return data.removeprefix(_MARK).lstrip()[:1] == b"<"


def root_element(data: bytes) -> str | None:
    """Give the name of the first element. None where none begins.

    Linear time. What stands before it is passed over, not judged.
    """
    at = len(_MARK) if data.startswith(_MARK) else 0
    while True:
        while data[at : at + 1].isspace():
            at += 1
        closing = next((end for start, end in _SKIPPED if data.startswith(start, at)), None)
        if closing is None:
            found = _OPENING.match(data, at)
            return None if found is None else found[1].decode("ascii")
        end = data.find(closing, at)
        if end < 0:
            return None
        at = end + len(closing)
