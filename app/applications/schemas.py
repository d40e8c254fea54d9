"""Stored applications as answers."""

from app.http.stored_schemas import StoredDocument
from steadygrid.domain.application import Application


class StoredApplication(StoredDocument):
    """A stored application with its record."""

    application: Application
