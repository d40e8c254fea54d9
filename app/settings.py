"""Settings, from environment variables that begin with ``STEADYGRID_``, and the limits."""

import logging
import os
import re
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Network, IPv6Address, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import (
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.origin_settings import OriginSettings
from app.tenant_settings import TenantSettings
from app.tracing import tracing_faults
from app.webhook_settings import WebhookSettings, listed
from steadygrid.domain.limits import Count
from steadygrid.environment import (
    PREFIX,
    Seconds,
    SettingsError,
    SolveSettings,
    unknown_variables,
    wrong_values,
)
from steadygrid.processes.lifeline import MOST_ANSWERED

__all__ = [
    "PREFIX",
    "SOLVE_TASK",
    "AuthMethod",
    "Settings",
    "SettingsError",
    "read_settings",
    "solve_queue",
]

SOLVE_TASK = "steadygrid.solve_job"
"""The Celery task's name: all that the front end knows of the workers."""
_SOLVE_QUEUE = "steadygrid"


def solve_queue(requires: int) -> str:
    """Name the Celery queue of jobs that require so much; older workers do not listen there."""
    return f"{_SOLVE_QUEUE}-{requires}" if requires else _SOLVE_QUEUE


_DATABASES = ("sqlite", "postgres", "postgresql", "postgresql+psycopg")
_COUNTING_BROKERS = ("redis", "rediss", "redis+socket")
_BROKERS = (*_COUNTING_BROKERS, "sentinel")
_HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\\\s,*]+", re.ASCII)
_ADDRESS = re.compile(
    r"https?://(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\\\s,]+)(:[0-9]{1,5})?(/[^\s?#]*)?", re.ASCII
)

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_KEYS_URL = "https://login.example.org/keys"


class AuthMethod(StrEnum):
    """How a caller may be known."""

    OFF = "off"
    KEYS = "keys"
    JWT = "jwt"


class Settings(BaseSettings, SolveSettings, OriginSettings, TenantSettings, WebhookSettings):
    """Everything that an operator may set. Each limit is a setting too.

    Without `database_url` the database is an SQLite file in `data_dir`; without `redis_url`
    there is no broker and the embedded worker takes the jobs from the table.
    """

    model_config = SettingsConfigDict(env_prefix="STEADYGRID_", frozen=True, extra="ignore")

    data_dir: Path = Field(Path(".steadygrid"), description="folder of the embedded database")
    database_url: str | None = Field(
        None,
        repr=False,
        description="sqlite:////path/to/file or postgresql://user@host/name. None: a file in the data directory",
    )
    redis_url: str | None = Field(
        None, repr=False, description="the broker, redis://host:6379/0. None: embedded"
    )

    lease_seconds: Seconds = Field(
        30.0, description="seconds of a worker's claim on a job, unless renewed"
    )
    heartbeat_seconds: Seconds = Field(
        5.0, description="seconds between renewals of the lease. Less than the lease"
    )
    cancel_poll_seconds: Seconds = Field(1.0, description="seconds between looks at cancel flags")
    cancel_grace_seconds: Seconds = Field(3.0, description="seconds for a solver to stop by itself")
    sweep_seconds: Seconds = Field(10.0, description="seconds between sweeps over the jobs table")
    max_queued_jobs: Count = Field(
        100_000, description="jobs that may wait, nine tenths of them of one tenant"
    )
    drain_seconds: Annotated[float, Field(ge=0, le=86_400)] = Field(
        0.0,
        description="seconds for which a worker that stops may finish its job; then the job is given"
        " back. `steadygrid serve` and `steadygrid admin drain` wait so long",
    )
    max_failures: Count = Field(5, description="lost attempts after which a job is poison")
    idempotency_days: Count = Field(7, description="days for which an Idempotency-Key is kept")
    audit_days: Count = Field(365, description="days for which audit lines are kept")
    retention_days: Annotated[int, Field(ge=0, le=100_000)] = Field(
        90,
        description="days for which jobs are kept after their end, and stored documents after their"
        " last use. 0: for ever",
    )
    measurement_days: Count = Field(30, description="days for which measurements are kept")
    platform_measurements: Count = Field(
        100_000, description="measured values that are kept of a platform; the oldest ones go"
    )
    solver_jobs: Count = Field(
        MOST_ANSWERED,
        description="jobs after which a solver process hands over to a fresh one. It also does where"
        " its memory has grown by 256 MiB",
    )
    pipeline: str = Field("steadygrid.engine.pipeline", description="the module whose run() solves")
    embedded_workers: Count = Field(1, description="jobs at a time in embedded mode")
    picture_seconds: Seconds = Field(
        20.0, description="seconds for one picture. Then the process that draws is killed"
    )
    picture_memory_bytes: Count = Field(
        2**30, description="resident bytes of the process that draws. Above, it is killed"
    )
    reading_processes: Count = Field(
        2, description="processes that read long bodies and work on studies, for tenants in turn"
    )
    reading_seconds: Seconds = Field(
        120.0, description="seconds for a body or a study. Then the process that reads is killed"
    )
    reading_memory_bytes: Count = Field(2**31, description="bytes of memory of such a process")
    database_busy_seconds: Seconds = Field(30.0, description="seconds to wait for locks of SQLite")

    max_connections: Count | None = Field(
        None, description="open connections. None: half of the files that may be open, up to 4096"
    )
    header_seconds: Seconds = Field(
        10.0, description="seconds for a client to send its header fields"
    )
    body_seconds: Seconds = Field(
        30.0, description="seconds for a client to send its body, besides what the least rate needs"
    )
    body_bytes_per_second: Count = Field(
        100_000, description="bytes per second, the least rate of a body"
    )
    body_turn_seconds: Seconds = Field(
        30.0, description="seconds for which a body waits for its turn, to be sent or to be read"
    )
    wanted_body_bytes_per_second: Count = Field(
        1_000_000,
        description="bytes per second, the least rate of a large body for whose place others wait",
    )

    allowed_hosts: str = Field(
        "",
        description="names and addresses by which the service is asked, separated by commas, ports"
        " left out. * is any. None: connections to a loopback address must name this machine",
    )
    public_url: str | None = Field(
        None,
        description="the address that people use, where a proxy is in front of the service. With a"
        " path, if the proxy takes one off",
    )
    trusted_proxies: str = Field(
        "",
        description="addresses and networks of proxies in front of the service, separated by"
        " commas. They are believed when they say for whom they ask",
    )

    auth: str | None = Field(
        None,
        description="who may ask: keys, jwt (tokens of the site's issuer), both separated by a comma,"
        " or off (every client on this machine). None: off without a broker, else keys",
    )
    insecure: bool = Field(
        False,
        description="with auth off, whether other machines may ask too, and every job is theirs",
    )

    jwt_issuer: str | None = Field(None, description="the claim iss of the tokens that are taken")
    jwt_audience: str | None = Field(
        None, description="what the claim aud of a token names when it is for this service"
    )
    jwt_keys_url: str | None = Field(
        None,
        description="where the issuer has its public keys, a JSON Web Key Set. Https, or a loopback"
        " address",
    )
    jwt_tenant_claim: str = Field("tenant", description="the claim that names the tenant")
    jwt_scope_claim: str = Field(
        "scope", description="the claim that lists scopes, in a list or separated by blanks"
    )
    jwt_create_tenants: bool = Field(
        False, description="whether a tenant that a token names is made if there is none"
    )

    pages: bool = Field(
        True,
        description="whether there are pages for people, next to the API. False: no HTML at all",
    )

    assets_dir: Path | None = Field(
        None,
        description="folder of the JavaScript that draws in pages, which `steadygrid assets` makes"
        " beforehand. None: assets in the data directory",
    )

    guide_dir: Path | None = Field(
        None,
        description="folder of the guide that `make docs` builds, served at /docs/guide/. none:"
        " guide in the data directory",
    )

    traces_url: str | None = Field(
        None, description="where OpenTelemetry traces are sent, by OTLP over HTTP; none: nowhere"
    )
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING, ERROR or CRITICAL")
    log_json: bool = Field(False, description="one JSON object per line")

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in logging.getLevelNamesMapping():
            raise ValueError("it must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL")
        return value

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: str | None) -> str | None:
        if value is not None:
            _checked_url(
                value, _DATABASES, "sqlite:////path/to/file or postgresql://user@host/name"
            )
            if value.startswith("sqlite") and re.fullmatch("sqlite:///[^:].*", value) is None:
                raise ValueError("it must name a file: sqlite:////path/to/file")
        return value

    @field_validator("redis_url")
    @classmethod
    def _broker(cls, value: str | None) -> str | None:
        if value is not None:
            _checked_url(value, _BROKERS, "redis://host:6379/0")
        return value

    @field_validator("traces_url")
    @classmethod
    def _collector(cls, value: str | None) -> str | None:
        if value is not None:
            _checked_url(value, ("http", "https"), "http://127.0.0.1:4318")
        return value

    @field_validator("public_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        found = None if value is None else _ADDRESS.fullmatch(value)
        if value is not None and (found is None or not _is_host(found[1])):
            raise ValueError("it must be an address such as https://grid.example.org")
        return value

    @field_validator("allowed_hosts")
    @classmethod
    def _hosts_only(cls, value: str) -> str:
        for host in listed(value):
            if host != "*" and not _is_host(host):
                raise ValueError(
                    f"{host!r} is not a host: write the name or the address only, such as"
                    " grid.example.org or [2001:db8::1]"
                )
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _networks_only(cls, value: str) -> str:
        for network in listed(value):
            try:
                ip_network(network)
            except ValueError:
                raise ValueError(
                    f"{network!r} is no address and no network: write 10.0.0.7 or 10.0.0.0/24"
                ) from None
        return value

    @field_validator("auth")
    @classmethod
    def _known_methods(cls, value: str | None) -> str | None:
        methods = None if value is None else listed(value)
        if methods is not None and (not methods or set(methods) - set(AuthMethod)):
            raise ValueError("it must be off, or keys, or jwt, or keys,jwt")
        if methods is not None and AuthMethod.OFF in methods and len(methods) > 1:
            raise ValueError("off stands alone: it lets every client in, with a key or without")
        return value

    @model_validator(mode="after")
    def _knows_who_asks(self) -> Self:
        proxied = [name for name in ("trusted_proxies", "public_url") if getattr(self, name)]
        if AuthMethod.OFF in self.auth_methods and proxied and not self.insecure:
            raise ValueError(
                f"{PREFIX}{proxied[0].upper()} says that there is a proxy, and {PREFIX}AUTH is off:"
                " behind a proxy on this machine every request seems to come from here, so that"
                f" every client could ask. Set {PREFIX}AUTH=keys and make a key with `steadygrid"
                f" keys create`. Or set {PREFIX}INSECURE=true if the proxy lets in only who may ask"
            )
        return self

    @field_validator("jwt_keys_url")
    @classmethod
    def _keys_from_whom_they_are(cls, value: str | None) -> str | None:
        if value is not None:
            _checked_url(value, ("http", "https"), _KEYS_URL)
            parts = urlsplit(value)
            if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
                raise ValueError(
                    "it must be https: else a machine on the route could give out keys"
                )
        return value

    @model_validator(mode="after")
    def _knows_the_issuer(self) -> Self:
        needed = ("jwt_issuer", "jwt_audience", "jwt_keys_url")
        missing = [f"{PREFIX}{name.upper()}" for name in needed if not getattr(self, name)]
        if AuthMethod.JWT in self.auth_methods and missing:
            raise ValueError(f"{PREFIX}AUTH takes tokens, so {' and '.join(missing)} must be set")
        return self

    @property
    def auth_methods(self) -> frozenset[AuthMethod]:
        """The methods of `auth`, or those that are right where it says nothing."""
        if self.auth is None:
            return frozenset({AuthMethod.OFF if self.embedded else AuthMethod.KEYS})
        return frozenset(AuthMethod(method) for method in listed(self.auth))

    @property
    def shared(self) -> bool:
        """Whether several tenants may use the service: where callers must identify themselves."""
        return AuthMethod.OFF not in self.auth_methods

    @property
    def login(self) -> bool:
        """Whether people log in on the pages."""
        return self.pages and AuthMethod.KEYS in self.auth_methods

    @property
    def proxies(self) -> list[IPv4Network | IPv6Network]:
        """The networks of `trusted_proxies`."""
        return [ip_network(network) for network in listed(self.trusted_proxies)]

    @property
    def hosts(self) -> list[str]:
        """The hosts of `allowed_hosts`."""
        return listed(self.allowed_hosts)

    @model_validator(mode="after")
    def _beats_within_the_lease(self) -> Self:
        if self.heartbeat_seconds >= self.lease_seconds:
            raise ValueError(
                f"{PREFIX}HEARTBEAT_SECONDS ({self.heartbeat_seconds:g}) must be less than"
                f" {PREFIX}LEASE_SECONDS ({self.lease_seconds:g}), or every lease would end"
            )
        return self

    def environment(self) -> dict[str, str]:
        """Give the variables that make a child process read these same settings."""
        values = self.model_dump(mode="json").items()
        return {
            f"{PREFIX}{name.upper()}": str(value) for name, value in values if value is not None
        }

    @property
    def embedded(self) -> bool:
        """Whether there is no broker."""
        return self.redis_url is None

    @property
    def counts_in_redis(self) -> bool:
        """Whether requests and log-ins are counted in Redis: through a sentinel they are not."""
        return self.redis_url is not None and urlsplit(self.redis_url).scheme in _COUNTING_BROKERS

    @property
    def effective_database_url(self) -> str:
        """`database_url`, or the SQLite file in the data directory."""
        if self.database_url is not None:
            return self.database_url
        return f"sqlite:///{self.data_dir.absolute() / 'steadygrid.db'}"

    @property
    def assets_folder(self) -> Path:
        """`assets_dir`, or the folder in the data directory."""
        return self.data_dir / "assets" if self.assets_dir is None else self.assets_dir

    @property
    def guide_folder(self) -> Path:
        """`guide_dir`, or the folder in the data directory."""
        return self.data_dir / "guide" if self.guide_dir is None else self.guide_dir

    @property
    def wake_paths(self) -> list[Path]:
        """The named pipes through which the front end wakes the embedded workers."""
        return [self.data_dir / f"wake-{number}" for number in range(self.embedded_workers)]

    @property
    def lock_path(self) -> Path:
        """The file whose lock says that a data directory is in use."""
        return self.data_dir / "lock"


def _is_host(text: str) -> bool:
    """Whether a text is a name, an IPv4 address, or an IPv6 address in brackets."""
    if _HOST.fullmatch(text) is None:
        return False
    if text.startswith("["):
        try:
            IPv6Address(text[1:-1])
        except AddressValueError:
            return False
    return True


def _checked_url(value: str, schemes: tuple[str, ...], example: str) -> None:
    try:
        parts = urlsplit(value)
        good = parts.scheme in schemes and "://" in value and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ValueError(f"it must be a URL such as {example}")


def read_settings() -> Settings:
    """Read the settings from the environment, and refuse what is none.

    Raises
    ------
    SettingsError
        A value cannot be, or a variable with our prefix is not a setting.
    """
    faults = list(unknown_variables(os.environ, Settings.model_fields))
    try:
        settings = Settings()
    except ValidationError as error:
        faults += wrong_values(error)
    else:
        faults += tracing_faults(settings.traces_url)
        if not faults:
            return settings
    raise SettingsError(*faults)
