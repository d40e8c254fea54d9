"""Where applications are kept."""

from operator import attrgetter

from app.http.stored import Shelf
from steadygrid.domain.application import Application, application_faults

SHELF = Shelf(
    noun="application",
    path="/v1/applications",
    prefix="app",
    model=Application,
    faults=application_faults,
    most={"tasks": "max_tasks", "files": "max_files"},
    repository=attrgetter("applications"),
)
