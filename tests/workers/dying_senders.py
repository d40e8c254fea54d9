"""A sender that is killed at each step in turn: ``python -m ... DATABASE PORT``, then one that works.

It prints the ids of the jobs, the one that each of them was about to announce, by the step.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from app.db.deliveries import DeliveryWork
from app.db.engine import Database
from app.db.webhook_tables import DeliveryState
from app.receivers import AllowedReceiver, Rules
from tests.databases import add_job
from tests.db.test_webhooks import finish
from workers.sender import Sender
from workers.sending import Post

LEASE_SECONDS = 0.5
SECONDS = 60


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dying_before(_step: Callable[..., Any]) -> Callable[..., Any]:
    return die


def dying_after(step: Callable[..., Any]) -> Callable[..., Any]:
    def last(*arguments: Any) -> None:
        step(*arguments)
        die()

    return last


def dying_when_sent(step: Callable[..., Any]) -> Callable[..., Any]:
    async def last(*arguments: Any) -> None:
        await step(*arguments)
        die()

    return last


STEPS: dict[str, tuple[type, str, Callable[..., Any]]] = {
    "before anything is announced": (DeliveryWork, "announce", dying_before),
    "announced, not committed": (DeliveryWork, "announce", dying_after),
    "announced": (Sender, "_announce", dying_after),
    "before anything is claimed": (DeliveryWork, "claim", dying_before),
    "claimed, not committed": (DeliveryWork, "claim", dying_after),
    "claimed": (Sender, "_claim", dying_after),
    "before it is sent": (Post, "__call__", dying_before),
    "sent": (Post, "__call__", dying_when_sent),
    "recorded, not committed": (DeliveryWork, "record", dying_after),
    "recorded": (Sender, "_record", dying_after),
}


async def all_resolved(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def rules_for(port: int) -> Rules:
    return Rules(
        http=True, allowed=[AllowedReceiver.read(f"hooks.example.org:{port}=127.0.0.1/32")]
    )


def send(url: str, port: int) -> None:
    """Be a sender until all has been delivered."""
    database = Database.open(url)

    async def run() -> None:
        stop = asyncio.Event()
        post = Post(rules_for(port), all_resolved)
        running = asyncio.ensure_future(Sender(database, post, LEASE_SECONDS).run(stop))
        async with asyncio.timeout(SECONDS):
            while not done():  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        stop.set()
        await running

    def done() -> bool:
        with database.read_all() as unit:
            return (
                not unit.deliveries.has_work()
                and not unit.deliveries.counts()[DeliveryState.PENDING]
            )

    asyncio.run(run())
    database.close()


def in_a_process(url: str, port: int) -> int:
    child = os.fork()
    if not child:
        send(url, port)
        os._exit(0)
    return os.waitpid(child, 0)[1]


def main(url: str, port: int) -> None:
    made = {}
    for step, (owner, name, dying) in STEPS.items():
        database = Database.open(url)
        made[step] = add_job(database)
        finish(database, made[step])
        database.close()
        real = getattr(owner, name)
        setattr(owner, name, dying(real))
        status = in_a_process(url, port)
        setattr(owner, name, real)
        assert os.WIFSIGNALED(status), step
        assert os.WTERMSIG(status) == signal.SIGKILL, step
    assert in_a_process(url, port) == 0
    print(json.dumps(made))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
