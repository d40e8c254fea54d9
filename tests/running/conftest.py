from tests.databases import database, postgres

__all__ = ["database", "postgres"]
