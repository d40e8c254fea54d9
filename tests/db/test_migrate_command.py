import pytest

from app.db.engine import Database
from app.db.migrate import check, main


def test_the_command_creates_the_tables_of_the_database_that_the_settings_name(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", database_url)
    main()
    main()
    database = Database.open(database_url)
    check(database)
    database.close()
