from tests.databases import database, postgres, sqlite_file

__all__ = ["database", "postgres", "sqlite_file"]
