"""The settings of those who solve, where the service may not be installed."""

import subprocess
import sys

import pytest

from app.settings import Settings
from steadygrid import solving
from steadygrid.domain.limits import Limits
from steadygrid.environment import (
    OF_THE_SERVICE,
    SettingsError,
    SolveSettings,
    read_solve_settings,
)


def refused(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[str]:
    """Why the environment is refused with these variables."""
    for name, value in variables.items():
        monkeypatch.setenv(f"STEADYGRID_{name}", value)
    with pytest.raises(SettingsError) as raised:
        read_solve_settings()
    return list(raised.value.args)


def test_the_environment_sets_limits_memory_and_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_PROCESSORS", "7")
    monkeypatch.setenv("steadygrid_solver_memory_bytes", "1000")
    monkeypatch.setenv("STEADYGRID_HARD_STOP_GRACE_SECONDS", "0.5")
    settings = read_solve_settings()
    assert settings.limits == Limits(max_processors=7)
    assert (settings.solver_memory_bytes, settings.hard_stop_grace_seconds) == (1000, 0.5)


def test_the_environment_sets_the_cores_of_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_solve_settings().solver_cores is None
    monkeypatch.setenv("STEADYGRID_SOLVER_CORES", "2")
    assert read_solve_settings().solver_cores == 2
    monkeypatch.undo()
    assert refused(monkeypatch, SOLVER_CORES="0") == [
        "STEADYGRID_SOLVER_CORES: it must be greater than 0"
    ]


def test_the_library_and_the_command_have_the_same_defaults() -> None:
    settings = SolveSettings()
    assert (settings.solver_memory_bytes, settings.hard_stop_grace_seconds) == (
        solving.MEMORY,
        solving.GRACE,
    )


@pytest.mark.parametrize(
    ("value", "reason"),
    [("0", "it must be greater than 0"), ("many", "it must be a whole number")],
)
def test_a_wrong_value_is_told_in_the_words_of_the_service(
    monkeypatch: pytest.MonkeyPatch, value: str, reason: str
) -> None:
    assert refused(monkeypatch, MAX_LINKS=value) == [f"STEADYGRID_MAX_LINKS: {reason}"]


@pytest.mark.parametrize(
    ("name", "near"), [("MAX_PROCESORS", "MAX_PROCESSORS"), ("LEASE_SECOND", "LEASE_SECONDS")]
)
def test_a_misspelt_variable_is_refused_with_the_nearest_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    assert refused(monkeypatch, **{name: "1"}) == [
        f"STEADYGRID_{name}: there is no such setting. Did you mean STEADYGRID_{near}?"
    ]


def test_settings_of_the_service_are_left_to_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEADYGRID_LEASE_SECONDS", "never")
    assert read_solve_settings() == SolveSettings()


def test_the_names_of_the_settings_of_the_service_are_known() -> None:
    assert Settings.model_fields.keys() - SolveSettings.model_fields.keys() == OF_THE_SERVICE


def test_no_library_of_the_service_is_needed() -> None:
    code = (
        "import sys\n"
        "for name in ('pydantic_settings', 'app'): sys.modules[name] = None\n"
        "from steadygrid.cli.solve_settings import settings\n"
        "print(settings().max_links)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == Limits().max_links
