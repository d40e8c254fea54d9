from tests.databases import database, database_url, postgres, sqlite_file

__all__ = ["database", "database_url", "postgres", "sqlite_file"]
