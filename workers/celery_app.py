"""The Celery application: a means to be woken, and nothing that is relied on.

Leases and the sweeper recover jobs; Celery's own recovery only helps. See
`docs/decisions` for what each setting avoids.
"""

from celery import Celery

from app.publisher import SOCKET_SECONDS
from app.settings import Settings, solve_queue
from steadygrid.domain.job import Options
from workers.broker_troubles import endure

_LONGEST_TIME_LIMIT = max(
    bound.le for bound in Options.model_fields["time_limit"].metadata if hasattr(bound, "le")
)


def make_app(settings: Settings) -> Celery:
    """Configure Celery for the broker that the settings name."""
    hard_limit = _LONGEST_TIME_LIMIT + settings.hard_stop_grace_seconds + 300
    app = Celery("steadygrid", broker=settings.redis_url, include=["workers.tasks"])
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        result_serializer="json",
        task_default_queue=solve_queue(0),
        task_acks_late=True,
        task_reject_on_worker_lost=False,
        task_ignore_result=True,
        task_publish_retry=False,
        task_time_limit=hard_limit,
        worker_pool="workers.forked_pool:ForkedPool",
        worker_prefetch_multiplier=1,
        worker_max_tasks_per_child=1000,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=10.0,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": 2 * hard_limit + 600,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": SOCKET_SECONDS,
            "socket_keepalive": True,
        },
    )
    endure(app)
    return app


app = make_app(Settings())
