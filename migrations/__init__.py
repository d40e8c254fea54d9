"""The history of the tables; `app.db.migrate.upgrade` runs it."""
