"""Stored platforms as answers."""

from app.domain.platform import Platform
from app.http.stored_schemas import StoredDocument


class StoredPlatform(StoredDocument):
    """A stored platform with its record."""

    platform: Platform
