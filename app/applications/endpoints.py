"""``/v1/applications``."""

from app.applications.service import SHELF
from app.http.shelf_router import shelf_router

router = shelf_router(SHELF, "StoredApplication")
