from alembic import command
from sqlalchemy import inspect

from app.db.engine import Database
from app.db.migrate import alembic_config, check, upgrade
from app.db.models import metadata


def test_the_migrations_make_the_tables_that_the_code_declares(database: Database) -> None:
    check(database)


def test_upgrading_again_changes_nothing(database: Database) -> None:
    upgrade(database)
    check(database)


def test_the_migrations_can_be_taken_back(database: Database) -> None:
    with database.engine.connect() as connection:
        command.downgrade(alembic_config(connection.execution_options(writes=True)), "base")
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    upgrade(database)


def test_every_table_has_a_tenant() -> None:
    assert all("tenant" in table.c for table in metadata.tables.values())
