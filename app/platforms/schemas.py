"""Stored platforms as answers."""

from app.http.stored_schemas import StoredDocument
from steadygrid.domain.platform import Platform


class StoredPlatform(StoredDocument):
    """A stored platform with its record."""

    platform: Platform
