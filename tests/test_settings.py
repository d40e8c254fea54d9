from pathlib import Path

import pytest
from pydantic import ValidationError

from app.settings import Settings, SettingsError, read_settings
from steadygrid.domain.limits import Limits


def test_the_environment_sets_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_PROCESSORS", "7")
    monkeypatch.setenv("STEADYGRID_LEASE_SECONDS", "41.5")
    settings = Settings()
    assert settings.limits == Limits(max_processors=7)
    assert settings.lease_seconds == 41.5


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_limit_is_a_positive_number(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_LINKS", value)
    with pytest.raises(ValidationError):
        Settings()
    assert refused(monkeypatch) == [
        {
            "0": "STEADYGRID_MAX_LINKS: it must be greater than 0",
            "-1": "STEADYGRID_MAX_LINKS: it must be greater than 0",
            "many": "STEADYGRID_MAX_LINKS: it must be a whole number",
        }[value]
    ]


def refused(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[str]:
    """Why the environment is refused with these variables."""
    for name, value in variables.items():
        monkeypatch.setenv(f"STEADYGRID_{name}", value)
    with pytest.raises(SettingsError) as raised:
        read_settings()
    return list(raised.value.args)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("MAX_PROCESORS", "MAX_PROCESSORS"),
        ("DATABASE", "DATABASE_URL"),
        ("LOGLEVEL", "LOG_LEVEL"),
        ("PIPE_LINE", "PIPELINE"),
    ],
)
def test_a_variable_that_is_no_setting_is_refused_with_the_nearest_one(
    monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    assert refused(monkeypatch, **{name: "1"}) == [
        f"STEADYGRID_{name}: there is no such setting. Did you mean STEADYGRID_{near}?"
    ]


def test_a_variable_like_no_setting_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(monkeypatch, QQ="1") == ["STEADYGRID_QQ: there is no such setting"]


def test_what_others_say_of_us_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "STEADYGRID_PORT": "tcp://10.0.0.1:8000",
        "STEADYGRID_API_PORT": "tcp://10.0.0.1:8000",
        "STEADYGRID_SERVICE_HOST": "10.0.0.1",
        "STEADYGRID_SERVICE_PORT_HTTP": "8000",
        "STEADYGRID_PORT_8000_TCP_ADDR": "10.0.0.1",
        "STEADYGRID_TEST_POSTGRES": "postgresql://a/b",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("steadygrid_max_links", "7")
    assert read_settings().max_links == 7
    assert refused(monkeypatch, PORT="9000")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "steadygrid.db",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "mysql://a/b",
        "postgresql+psycopg2://a/b",
        "postgresql://host:port/name",
        "postgresql:/a",
        "localhost:5432",
    ],
)
def test_a_database_url_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    (line,) = refused(monkeypatch, DATABASE_URL=url)
    assert line.startswith("STEADYGRID_DATABASE_URL: it must ")
    assert "sqlite:////path/to/file" in line


@pytest.mark.parametrize(
    "url", ["sqlite:///a.db", "postgres://h/d", "postgresql+psycopg://u:p%40@[::1]:5433/d"]
)
def test_database_urls_that_are_some_are_taken(url: str) -> None:
    assert Settings(database_url=url).effective_database_url == url


def test_other_values_that_cannot_be_are_refused_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert refused(
        monkeypatch,
        LOG_LEVEL="LOUD",
        LOG_JSON="perhaps",
        REDIS_URL="localhost:6379",
        EMBEDDED_WORKERS="1.5",
        SWEEP_SECONDS="soon",
        CANCEL_GRACE_SECONDS="inf",
        NONSENSE="1",
    ) == [
        "STEADYGRID_NONSENSE: there is no such setting",
        "STEADYGRID_REDIS_URL: it must be a URL such as redis://host:6379/0",
        "STEADYGRID_CANCEL_GRACE_SECONDS: it must be a finite number",
        "STEADYGRID_SWEEP_SECONDS: it must be a number",
        "STEADYGRID_EMBEDDED_WORKERS: it must be a whole number",
        "STEADYGRID_LOG_LEVEL: it must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL",
        "STEADYGRID_LOG_JSON: it must be true or false",
    ]


def test_a_heartbeat_comes_before_the_lease_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = refused(monkeypatch, HEARTBEAT_SECONDS="30")
    assert line == (
        "STEADYGRID_HEARTBEAT_SECONDS (30) must be less than STEADYGRID_LEASE_SECONDS (30),"
        " or every lease would end"
    )
    monkeypatch.setenv("STEADYGRID_LEASE_SECONDS", "31")
    assert read_settings().heartbeat_seconds == 30


@pytest.mark.parametrize("text", ["pages.example.org", "https://a.org/x", "https://a.org, b"])
def test_an_origin_has_scheme_host_and_port_only(text: str) -> None:
    with pytest.raises(ValidationError, match="is not an origin"):
        Settings(cors_origins=text)


def test_the_default_database_is_a_file_in_the_data_directory(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert settings.embedded
    assert settings.effective_database_url == f"sqlite:///{tmp_path}/steadygrid.db"
    assert Settings(database_url="postgresql://a/b").effective_database_url == "postgresql://a/b"


def test_settings_pass_through_the_environment_unchanged(
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
