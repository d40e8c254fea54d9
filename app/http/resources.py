"""What the endpoints of one application work with."""

from dataclasses import dataclass

from fastapi import FastAPI, Request

from app.broker import Broker
from app.http.background import Background
from app.http.fair_places import FairPlaces
from app.http.feed import Feed
from app.http.pictures import Studio
from app.http.reading import Readers
from app.http.shutdown import Shutdown
from app.http.sources import Sources
from app.http.watcher import Watcher


@dataclass(frozen=True)
class Resources(Sources):
    """The parts of a running application that endpoints use."""

    broker: Broker
    watcher: Watcher
    feed: Feed
    shutdown: Shutdown
    waiting: FairPlaces
    """For event streams, and for requests that wait."""
    pictures: Studio
    background: Background
    readers: Readers
    version: str


def attach(app: FastAPI, parts: Resources) -> None:
    """Give an application its parts; for its lifespan.

    Parameters
    ----------
    app
        The application.
    parts
        The parts of the running application.
    """
    app.state.resources = parts


def resources_of(request: Request) -> Resources:
    """Give the parts of the application that serves a request."""
    found: Resources = request.app.state.resources
    return found
