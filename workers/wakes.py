"""What a worker says to the others through the broker: that the table is worth a look.

A message is spent where there is nothing to take. Else two workers send the next one. A worker that
has taken a job sends it before it works, so that all idle workers wake up one after the other. A
worker that has ended a job sends it because the tenant may have room now. Neither sends one where one waits. So there is a
message, or a worker that has yet to send it, as long as there is something to take, and the queues
stay short. What is lost with Redis or with a worker the sweeper sends again.
"""

from collections.abc import Callable

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.skills import Skills
from app.logs import Outage
from app.settings import solve_queue
from workers.registration import OUR_SKILLS

Publish = Callable[[str, int], object]
"""Sends a message to a queue unless so many wait there; raises what goes wrong."""


class Wakes:
    """Wakes workers where there is something to take.

    What goes wrong is left to the sweeper: nothing here raises.

    Parameters
    ----------
    database
        Where the jobs are.
    publish
        See `Publish`.
    running_jobs
        How many a tenant may have running by default.
    skills
        Of the workers of this version.
    """

    def __init__(
        self,
        database: Database,
        publish: Publish,
        running_jobs: int | None = None,
        skills: Skills = OUR_SKILLS,
    ) -> None:
        self._database = database
        self._publish = publish
        self._running_jobs = running_jobs
        self._skills = skills
        self._broker = Outage("broker")

    def wake_others(self, queue: str) -> None:
        """Hand on what woke this worker, now that it has taken a job, if there is more to take."""
        if self._something_waits():
            self.put_back(queue)

    def peers(self) -> None:
        """Wake a worker of this version if there is something to take for it.

        Others listen to this queue only if they can take at least as much: what older workers could
        not take, they do not spend.
        """
        self.wake_others(solve_queue(self._skills.level))

    def put_back(self, queue: str) -> None:
        """Send a message to a queue unless one waits there."""
        try:
            self._publish(queue, 1)
        except Exception as error:  # noqa: BLE001 the client library has many
            self._broker.noticed(str(error) or type(error).__name__)
        else:
            self._broker.end()

    def _something_waits(self) -> bool:
        try:
            with self._database.read_all() as unit:
                return unit.queue.waits(self._skills, self._running_jobs)
        except DatabaseUnavailableError:
            return False
