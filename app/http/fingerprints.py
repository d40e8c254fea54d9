"""Fingerprints of requests: how a key tells whether the same is asked again, in every version.

A fingerprint of version 2 is ``2.sort.posted.meant``: a digest of the JSON that was posted, and one
of what it meant to the code of that day, defaults filled in. What is posted again is known by the
first, however the models of bodies have changed. What is only written in another form, by the
second.

One of version 1 is ``sort_meant``. Later code has other defaults and other members, so that its own
digest of the same body may differ: then what was made tells whether the same is asked, as it is
stored. See `app.http.idempotency.Reading.same`.
"""

from typing import Any, NamedTuple

from steadygrid.domain.document import content_id

_VERSION = "2"


class Fingerprint(NamedTuple):
    """What a key was used for."""

    sort: str
    """Of what was made, such as ``body`` or ``sweep``."""
    posted: str | None
    """Digest of the JSON that was posted. None in version 1."""
    meant: str | None
    """Digest of what that meant. None as long as it has not been read."""

    @classmethod
    def of_posted(cls, sort: str, document: Any) -> "Fingerprint":
        """Take the digest of JSON as it was posted; not on the event loop.

        Parameters
        ----------
        sort
            Of what is to be made, such as ``body`` or ``sweep``.
        document
            JSON-ready.
        """
        try:
            return cls(sort, _digest(document), None)
        except (ValueError, RecursionError):  # 1e999, or thousands of lists: every body is refused
            return cls(sort, None, None)

    def with_meaning(self, document: Any) -> "Fingerprint":
        """Add the digest of what was posted, as it has been read."""
        return self._replace(meant=_digest(document))

    @classmethod
    def read(cls, text: str) -> "Fingerprint":
        """Read what `text` of this version has written, or a version before."""
        version, *parts = text.split(".")
        if version == _VERSION and len(parts) == 3:
            sort, posted, meant = parts
            return cls(sort, posted or None, meant or None)
        sort, _, meant = text.rpartition("_")
        return cls(sort, None, meant)

    @property
    def text(self) -> str:
        """As it is stored."""
        return ".".join((_VERSION, self.sort, self.posted or "", self.meant or ""))

    def equals(self, earlier: "Fingerprint") -> bool:
        """Say whether the digests show that the same was asked earlier."""
        return self.sort == earlier.sort and (
            (self.posted is not None and self.posted == earlier.posted)
            or (self.meant is not None and self.meant == earlier.meant)
        )


def _digest(document: Any) -> str:
    return content_id("", document).removeprefix("_")
