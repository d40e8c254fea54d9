"""The fixture `database_url`, for databases of older versions."""

from tests.databases import database_url

__all__ = ["database_url"]
