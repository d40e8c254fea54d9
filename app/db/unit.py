"""The unit of work: all repositories over one transaction."""

from functools import cached_property

from sqlalchemy import Connection

from app.db.audit import AuditRepository
from app.db.counters import CounterRepository
from app.db.deliveries import DeliveryWork
from app.db.documents import DocumentRepository
from app.db.events import EventRepository
from app.db.idempotency import IdempotencyRepository
from app.db.jobs import JobRepository
from app.db.keys import KeyRepository
from app.db.measurements import MeasurementRepository
from app.db.models import applications, platforms
from app.db.news import NewsRepository
from app.db.overview import OverviewRepository
from app.db.queue import QueueRepository
from app.db.replans import ReplanRepository
from app.db.requeues import RequeueRepository
from app.db.retention import RetentionRepository
from app.db.schedules import ScheduleRepository
from app.db.sessions import SessionRepository
from app.db.sweep_work import SweepWork
from app.db.sweeps import SweepRepository
from app.db.tenants import TenantRepository
from app.db.tombstones import TombstoneRepository
from app.db.views import ViewRepository
from app.db.watch import WatchRepository
from app.db.watches import WatchedJobRepository, WatchWork
from app.db.webhooks import WebhookRepository
from app.db.workers import WorkerRepository


class AllTenants:
    """One transaction for those who work for all tenants: workers, sweepers, watchers, admission.

    `Database.read_all` and `Database.write_all` make it and end it.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cached_property
    def queue(self) -> QueueRepository:
        """Jobs as workers and the sweeper see them."""
        return QueueRepository(self._connection)

    @cached_property
    def sweep_work(self) -> SweepWork:
        """Jobs of sweeps, as they are made, cancelled and deleted some at a time."""
        return SweepWork(self._connection)

    @cached_property
    def deliveries(self) -> DeliveryWork:
        """What is delivered to webhooks, for senders."""
        return DeliveryWork(self._connection)

    @cached_property
    def workers(self) -> WorkerRepository:
        """Workers that have registered, and their solvers' versions."""
        return WorkerRepository(self._connection)

    @cached_property
    def retention(self) -> RetentionRepository:
        """How long things are kept."""
        return RetentionRepository(self._connection)

    @cached_property
    def watch(self) -> WatchRepository:
        """Jobs that clients wait for."""
        return WatchRepository(self._connection)

    @cached_property
    def sessions(self) -> SessionRepository:
        """Who has logged in on the pages."""
        return SessionRepository(self._connection)

    @cached_property
    def views(self) -> ViewRepository:
        """Views of single jobs, by their tokens."""
        return ViewRepository(self._connection)

    @cached_property
    def audit(self) -> AuditRepository:
        """Who changed what."""
        return AuditRepository(self._connection)

    @cached_property
    def keys(self) -> KeyRepository:
        """Keys of programs."""
        return KeyRepository(self._connection)

    @cached_property
    def counters(self) -> CounterRepository:
        """What processes have counted."""
        return CounterRepository(self._connection)

    @cached_property
    def overview(self) -> OverviewRepository:
        """What operators ask of all tenants' jobs."""
        return OverviewRepository(self._connection)

    @cached_property
    def requeues(self) -> RequeueRepository:
        """Failed jobs that are tried once more."""
        return RequeueRepository(self._connection)

    @cached_property
    def watch_work(self) -> WatchWork:
        """Watched jobs, as they are taken to be evaluated."""
        return WatchWork(self._connection)

    @cached_property
    def tenants(self) -> TenantRepository:
        """Who may have jobs here, how much they may have, and how much they have."""
        return TenantRepository(self._connection)


class Unit(AllTenants):
    """One transaction for one tenant. `Database.read` and `Database.write` make it and end it.

    What it has besides `AllTenants` sees only the rows of its tenant.
    """

    def __init__(self, connection: Connection, tenant: str) -> None:
        super().__init__(connection)
        self.tenant = tenant

    @cached_property
    def jobs(self) -> JobRepository:
        """Jobs as their owner sees them."""
        return JobRepository(self._connection, self.tenant)

    @cached_property
    def sweeps(self) -> SweepRepository:
        """Many jobs from one template."""
        return SweepRepository(self._connection, self.tenant)

    @cached_property
    def replans(self) -> ReplanRepository:
        """What to do now that speeds have changed."""
        return ReplanRepository(self._connection, self.tenant)

    @cached_property
    def measurements(self) -> MeasurementRepository:
        """What was measured of stored platforms."""
        return MeasurementRepository(self._connection, self.tenant)

    @cached_property
    def watched_jobs(self) -> WatchedJobRepository:
        """Jobs whose schedules run, and are watched."""
        return WatchedJobRepository(self._connection, self.tenant)

    @cached_property
    def tombstones(self) -> TombstoneRepository:
        """What of these was purged."""
        return TombstoneRepository(self._connection, self.tenant)

    @cached_property
    def webhooks(self) -> WebhookRepository:
        """Receivers that hear of what has ended."""
        return WebhookRepository(self._connection, self.tenant)

    @cached_property
    def news(self) -> NewsRepository:
        """Jobs as far as they may have changed lately."""
        return NewsRepository(self._connection, self.tenant)

    @cached_property
    def events(self) -> EventRepository:
        """What happened to a job, in order."""
        return EventRepository(self._connection, self.tenant)

    @cached_property
    def idempotency(self) -> IdempotencyRepository:
        """Idempotency keys."""
        return IdempotencyRepository(self._connection, self.tenant)

    @cached_property
    def schedules(self) -> ScheduleRepository:
        """Schedules, by content."""
        return ScheduleRepository(self._connection, self.tenant)

    @cached_property
    def platforms(self) -> DocumentRepository:
        """Stored platforms, by content."""
        return DocumentRepository(self._connection, self.tenant, platforms)

    @cached_property
    def applications(self) -> DocumentRepository:
        """Stored applications, by content."""
        return DocumentRepository(self._connection, self.tenant, applications)
