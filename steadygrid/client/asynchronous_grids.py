"""Platforms and schedules that run; `tests.client.sync_writer` makes the one that blocks of it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from steadygrid.client.asynchronous_connection import AsyncConnection
from steadygrid.documents import plain
from steadygrid.domain.platform import Platform


class AsyncPlatforms:
    """The platforms that the service keeps, and what was measured of them."""

    def __init__(self, client: AsyncConnection) -> None:
        self._client = client

    async def add(self, platform: Platform | Mapping[str, Any]) -> str:
        """Keep a platform, and give its id, which stands for it in problems.

        Parameters
        ----------
        platform
            The same platform has the same id.
        """
        body = plain(platform)
        return str((await self._client.request("POST", "/v1/platforms", json=body)).json()["id"])

    async def delete(self, platform_id: str) -> None:
        """Delete one.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        """
        await self._client.request("DELETE", f"/v1/platforms/{platform_id}")

    async def measure(
        self, platform_id: str, measurements: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Store what was measured of a platform, and give how many values are new.

        Repeats are safe: the same value of the same resource and moment is stored once.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        measurements
            Each with ``at``, a moment with its time zone, and ``measured``, as `steadygrid.replan`
            takes it.

        Raises
        ------
        InstanceError, LimitError
            With every fault that the service found; then nothing is stored.
        """
        body = {"measurements": plain(measurements)}
        path = f"/v1/platforms/{platform_id}/measurements"
        told: dict[str, Any] = (await self._client.request("POST", path, json=body)).json()
        return told

    async def latest(self, platform_id: str) -> dict[str, Any]:
        """Give the newest value of each resource that was measured.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        """
        told: dict[str, Any] = await self._client.get(f"/v1/platforms/{platform_id}/measurements")
        return told

    async def measurements(
        self,
        platform_id: str,
        resource: str,
        *,
        begin: datetime | str | None = None,
        end: datetime | str | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Go through all that was measured of one resource, the newest first.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        resource
            Such as ``processor:P1``.
        begin, end
            From this moment on, and before that one. None: all.
        """
        asked = {"resource": resource, "from": plain(begin), "to": plain(end)}
        path = f"/v1/platforms/{platform_id}/measurements"
        async for one in self._client.items(path, asked):
            yield one

    async def forget(self, platform_id: str) -> None:
        """Forget all that was measured of a platform, which stays.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        """
        await self._client.request("DELETE", f"/v1/platforms/{platform_id}/measurements")

    async def history(
        self, platform_id: str, job: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Go through what watched schedules of a platform did over time, the newest first.

        Parameters
        ----------
        platform_id
            Such as ``plt_...``.
        job
            Id of the only job to describe. None: all.
        """
        path = f"/v1/platforms/{platform_id}/history"
        async for one in self._client.items(path, {"job": job}):
            yield one


class AsyncRunningJob:
    """A job whose schedule may run, be watched and be measured."""

    def __init__(self, client: AsyncConnection, document: Mapping[str, Any]) -> None:
        self._client = client
        self.document = dict(document)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.state})"

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.document["id"])

    @property
    def state(self) -> str:
        """The state that was known last."""
        return str(self.document["state"])

    @property
    def _path(self) -> str:
        return f"/v1/jobs/{self.id}"

    async def watch(self, **asked: Any) -> dict[str, Any]:
        """Watch its schedule: the service makes a new plan when it has lost too much.

        A schedule that is watched already is watched as asked now.

        Parameters
        ----------
        **asked
            ``platform``, ``loss``, ``forecast``, ``samples``, ``solve``, ``cost``, ``horizon`` and
            others of the request.
        """
        told: dict[str, Any] = await self._client.put_document(f"{self._path}/drift", plain(asked))
        return told

    async def drift(self) -> dict[str, Any]:
        """Tell how its schedule is watched, and what it still does."""
        told: dict[str, Any] = await self._client.get(f"{self._path}/drift")
        return told

    async def unwatch(self) -> None:
        """Watch its schedule no more. Its history and its new plans stay."""
        await self._client.request("DELETE", f"{self._path}/drift")

    async def measured(self) -> dict[str, Any]:
        """Give what was measured of its platform, next to what was planned."""
        told: dict[str, Any] = await self._client.get(f"{self._path}/measured")
        return told

    async def set_epoch(self, epoch: datetime | str, unit_seconds: Any = None) -> dict[str, Any]:
        """Say when its schedule has started, or will.

        Parameters
        ----------
        epoch
            A moment with its time zone.
        unit_seconds
            Seconds of a time unit. None: as the platform says.
        """
        body = plain({"epoch": epoch, "unit_seconds": unit_seconds})
        told: dict[str, Any] = await self._client.put_document(f"{self._path}/epoch", body)
        return told

    async def epoch(self, at: datetime | str | None = None) -> dict[str, Any]:
        """Tell when its schedule has started, and exactly where in its period it is.

        Parameters
        ----------
        at
            A moment with its time zone. None: now.
        """
        told: dict[str, Any] = await self._client.get(f"{self._path}/epoch", at=plain(at))
        return told

    async def delete_epoch(self) -> None:
        """Say that its schedule runs no more."""
        await self._client.request("DELETE", f"{self._path}/epoch")

    async def create_view(self, seconds: int = 3_600) -> dict[str, Any]:
        """Make a page of it that any reader with its address can see and embed, for a while.

        Parameters
        ----------
        seconds
            For which the page is there, from 60 to 86,400.
        """
        told: dict[str, Any] = await self._client.post_once(
            f"{self._path}/views", {"seconds": seconds}
        )
        return told

    async def delete_views(self) -> None:
        """End all such pages of it."""
        await self._client.request("DELETE", f"{self._path}/views")
