"""What bodies are read with, in this process or in another."""

from dataclasses import dataclass

from app.db.engine import Database
from app.error_entries import ErrorEntries
from app.settings import Settings


@dataclass(frozen=True)
class Sources:
    """The settings, and the database that stored documents and quotas are read from."""

    settings: Settings
    database: Database

    @property
    def entries(self) -> ErrorEntries:
        """Where the guide describes errors."""
        return ErrorEntries(self.settings)
