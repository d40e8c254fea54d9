"""``/v1/platforms``."""

from app.http.shelf_router import shelf_router
from app.platforms.service import SHELF

router = shelf_router(SHELF, "StoredPlatform")
