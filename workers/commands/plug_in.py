"""The commands that the service adds to `steadygrid`."""

from collections.abc import Mapping

from steadygrid.cli.commands import Entry

COMMANDS: Mapping[str, Entry] = {
    "serve": Entry(
        "workers.commands.services:serve",
        "Run the API and a worker on an embedded database, with nothing else to install.",
    ),
    "api": Entry(
        "workers.commands.services:api",
        "Run the API alone, on the database and the broker that the settings name.",
    ),
    "worker": Entry(
        "workers.commands.services:worker",
        "Run a production worker: Celery on the broker that STEADYGRID_REDIS_URL names.",
    ),
    "sender": Entry(
        "workers.commands.services:sender",
        "Send webhooks where workers do not: see STEADYGRID_WORKER_SENDERS.",
    ),
    "admin": Entry(
        "workers.commands.admin:admin",
        "Look at the queue and the workers, and act on them, while the service runs.",
    ),
    "audit": Entry("workers.commands.auditing:audit", "List who changed what, the oldest first."),
    "assets": Entry(
        "workers.commands.assets:assets",
        "Make the JavaScript that draws pictures in pages, so that no visitor waits for it.",
    ),
    "keys": Entry("workers.commands.keys:keys", "Make, list and revoke the keys of a service."),
    "tenants": Entry("workers.commands.tenants:tenants", "Who may have jobs here, and how many."),
    "database": Entry(
        "workers.commands.maintenance:database",
        "Migrate, measure, copy and check the database that the settings name.",
    ),
}
"""The entry point of the group ``steadygrid.commands``."""
