"""Request targets in absolute form, ``GET http://grid.example.org/v1/info``, as proxies are asked."""

import re
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

_ABSOLUTE = re.compile(rb"https?://([^/]*)(/.*)?", re.IGNORECASE)


def in_origin_form(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Give a request as if it had named its host in ``Host`` alone.

    The host of the target counts, even if the field differs (RFC 9112, section 3.2.2).
    """
    found = _ABSOLUTE.fullmatch(scope["raw_path"])
    if found is None:
        return scope
    raw_path = found[2] or b"/"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {
        **scope,
        "raw_path": raw_path,
        "path": unquote(raw_path.decode("ascii")),
        "headers": [(b"host", found[1]), *others],
    }
