"""What is remembered of what was purged: that it was there."""

from collections.abc import Collection

from sqlalchemy import Connection, insert, select

from app.db.clock import current_time
from app.db.models import tombstones


class TombstoneRepository:
    """One tenant's jobs, sweeps and replans that retention has deleted."""

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def add(self, ids: Collection[str]) -> None:
        """Remember what this unit purges."""
        if ids:
            self._connection.execute(
                insert(tombstones).values(purged_at=current_time()),
                [{"tenant": self._tenant, "job_id": one} for one in ids],
            )

    def exists(self, resource_id: str) -> bool:
        """Say whether it was purged, as long as that is remembered."""
        mine = (tombstones.c.tenant == self._tenant) & (tombstones.c.job_id == resource_id)
        return self._connection.execute(select(tombstones.c.job_id).where(mine)).first() is not None
