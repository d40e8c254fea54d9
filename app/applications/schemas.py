"""Stored applications as answers."""

from app.domain.application import Application
from app.http.stored_schemas import StoredDocument


class StoredApplication(StoredDocument):
    """A stored application with its record."""

    application: Application
