"""From a picture to a file: the only place that sees vl-convert.

Call it in a process that does nothing else (`steadygrid.pictures.drawing`): vl-convert holds the
interpreter's lock while it draws, never returns in a forked process, and dies in one whose address
space is limited.
"""

import json
from typing import Any

from steadygrid.pictures.picture import Format, Picture

VEGA_LITE = "6.4"
"""The version that the bundle of vl-convert draws."""
CONTENT_TYPES: dict[Format, str] = {
    "vega": "application/vnd.vegalite.v6+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}


def svg(spec: dict[str, Any]) -> bytes:
    """Draw a specification with its data as SVG."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])
    return drawn.encode()


def png(spec: dict[str, Any], scale: float) -> bytes:
    """Draw it as PNG."""
    import vl_convert

    return vl_convert.vegalite_to_png(spec, scale=scale, vl_version=VEGA_LITE, allowed_base_urls=[])


def vega(picture: Picture) -> bytes:
    """Write the specification with its data."""
    return json.dumps(picture.vega, ensure_ascii=False, separators=(",", ":")).encode()
