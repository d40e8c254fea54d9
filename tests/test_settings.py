import io
import json
import sys
from pathlib import Path

import pytest
import structlog
from pydantic import ValidationError

from app.settings import Limits, Settings, configure_logging


def test_the_environment_sets_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_PROCESSORS", "7")
    monkeypatch.setenv("STEADYGRID_LEASE_SECONDS", "1.5")
    settings = Settings()
    assert settings.limits == Limits(max_processors=7)
    assert settings.lease_seconds == 1.5


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_limit_is_a_positive_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_LINKS", value)
    with pytest.raises(ValidationError):
        Settings()


def test_the_default_database_is_a_file_in_the_data_directory(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.embedded
    assert settings.effective_database_url == f"sqlite:///{tmp_path}/steadygrid.db"
    assert Settings(database_url="postgresql://a/b").effective_database_url == "postgresql://a/b"


def test_settings_survive_their_way_through_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, redis_url="redis://a/0", max_links=5, log_json=True)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert Settings() == settings


def test_settings_show_no_secret() -> None:
    settings = Settings(database_url="postgresql://u:secret@h/d", redis_url="redis://:secret@h/0")
    assert "secret" not in repr(settings)
    assert "secret" not in str(settings)


def test_a_log_line_is_one_json_object_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    try:
        configure_logging(Settings(log_json=True, log_level="WARNING"))
        log = structlog.get_logger()
        log.info("too quiet")
        log.warning("job_failed", job="job_1")
        line = json.loads(sys.stderr.getvalue())  # type: ignore[attr-defined]
        assert line["event"] == "job_failed"
        assert (line["job"], line["level"]) == ("job_1", "warning")
        configure_logging(Settings())
        log.info("readable")
        assert "readable" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    finally:
        structlog.reset_defaults()
