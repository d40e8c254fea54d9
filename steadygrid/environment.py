"""What the environment says to those who solve: variables that begin with ``STEADYGRID_``."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated

from pydantic import Field, ValidationError

from steadygrid.domain.limits import Count, Limits

PREFIX = "STEADYGRID_"
OF_THE_SERVICE = frozenset(
    [
        "allowed_hosts",
        "assets_dir",
        "audit_days",
        "auth",
        "body_bytes_per_second",
        "body_seconds",
        "body_turn_seconds",
        "cancel_grace_seconds",
        "cancel_poll_seconds",
        "cors_origins",
        "data_dir",
        "database_busy_seconds",
        "database_url",
        "drain_seconds",
        "embedded_workers",
        "guide_dir",
        "header_seconds",
        "heartbeat_seconds",
        "idempotency_days",
        "insecure",
        "jwt_audience",
        "jwt_create_tenants",
        "jwt_issuer",
        "jwt_keys_url",
        "jwt_scope_claim",
        "jwt_tenant_claim",
        "lease_seconds",
        "log_json",
        "log_level",
        "max_connections",
        "max_failures",
        "max_queued_jobs",
        "measurement_days",
        "pages",
        "picture_memory_bytes",
        "picture_seconds",
        "pipeline",
        "platform_measurements",
        "public_url",
        "reading_memory_bytes",
        "reading_processes",
        "reading_seconds",
        "redis_url",
        "retention_days",
        "solver_jobs",
        "sweep_seconds",
        "tenant_priority",
        "tenant_queued_jobs",
        "tenant_requests_per_minute",
        "tenant_running_jobs",
        "tenant_solver_seconds_per_day",
        "tenant_stored_bytes",
        "tenant_sweep_jobs",
        "tenant_time_limit",
        "tenant_waiting_requests",
        "tenant_webhooks",
        "traces_url",
        "trusted_proxies",
        "wanted_body_bytes_per_second",
        "view_origins",
        "webhook_days",
        "webhook_http",
        "webhook_receivers",
        "worker_senders",
    ]
)
"""Settings that the service reads. The library knows their names only, so that a misspelt
variable is distinguished from one that is meant for the service."""
_NO_SETTINGS = re.compile(
    # The tests' own, and what Kubernetes tells about services whose names begin like those of steadygrid.
    r"(TEST_\w+|HYPOTHESIS|SHARED_DATA|(\w+_)?SERVICE_(HOST|PORT(_\w+)?)"
    r"|(\w+_)?PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)",
    re.ASCII,
)
_WORDS = {
    "greater_than": "it must be greater than 0",
    "int_parsing": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_parsing": "it must be a number",
    "finite_number": "it must be a finite number",
    "bool_parsing": "it must be true or false",
}

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class SettingsError(Exception):
    """The settings are wrong. The arguments say why, a line for each variable."""


class SolveSettings(Limits):
    """What a solve may take, besides the limits of a submission."""

    hard_stop_grace_seconds: Seconds = Field(
        30.0, description="seconds past the time limit, then a solve is killed"
    )
    solver_memory_bytes: Count = Field(
        4 * 2**30, description="bytes of address space of a solver process"
    )
    solver_cores: Count | None = Field(
        None,
        description="cores that one solve computes on, where its search has two halves. Each has a process"
        " that may take as much memory. None: 1 of a worker, and for a command 2 where the machine has"
        " them",
    )

    @property
    def limits(self) -> Limits:
        """The limits alone."""
        return Limits.model_validate({name: getattr(self, name) for name in Limits.model_fields})


def read_solve_settings() -> SolveSettings:
    """Read the settings from the environment.

    Raises
    ------
    SettingsError
        A value cannot be, or a variable with our prefix is not a setting.
    """
    own = SolveSettings.model_fields.keys()
    faults = list(unknown_variables(os.environ, own | OF_THE_SERVICE))
    variables = {name.upper(): value for name, value in os.environ.items()}
    given = {
        name: variables[variable]
        for name in own
        if (variable := f"{PREFIX}{name}".upper()) in variables
    }
    try:
        settings = SolveSettings.model_validate(given)
    except ValidationError as error:
        faults += wrong_values(error)
    else:
        if not faults:
            return settings
    raise SettingsError(*faults)


def wrong_values(error: ValidationError) -> Iterator[str]:
    """Say for each finding which variable has a wrong value, and what it must be."""
    for finding in error.errors(include_url=False, include_input=False):
        name = f"{PREFIX}{finding['loc'][0]}: ".upper() if finding["loc"] else ""
        message = finding["msg"].removeprefix("Value error, ")
        yield name + _WORDS.get(finding["type"], message)


def unknown_variables(environment: Mapping[str, str], settings: Iterable[str]) -> Iterator[str]:
    """Find the variables with our prefix that are no settings, and the nearest that is one.

    Parameters
    ----------
    environment
        All variables.
    settings
        The names of the settings, without the prefix.
    """
    known = {name.upper() for name in settings}
    for variable, value in sorted(environment.items()):
        name = variable.upper().removeprefix(PREFIX)
        told_by_kubernetes = name.endswith("PORT") and value.startswith(("tcp://", "udp://"))
        if (
            not variable.upper().startswith(PREFIX)
            or name in known
            or _NO_SETTINGS.fullmatch(name)
            or told_by_kubernetes
        ):
            continue
        near = get_close_matches(name, known, 1)
        yield (
            f"{variable}: there is no such setting"
            + (f". Did you mean {PREFIX}{near[0]}?" if near else "")
        )
