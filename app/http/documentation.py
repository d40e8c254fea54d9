"""``/docs``: the OpenAPI document for people, without the Internet.

The scripts are those of Swagger UI (Apache-2.0) as the package `fastapi-offline` (MIT) brings them.
The content security policy keeps the page from asking any other host.
"""

import base64
import hashlib
import re
from importlib.resources import files

from fastapi import FastAPI, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.staticfiles import StaticFiles

ASSETS = "/docs/assets"
_POLICY = (
    "default-src 'none'; connect-src 'self'; font-src 'self' data:; img-src 'self' data:;"
    " script-src {scripts}; style-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def serve_documentation(app: FastAPI) -> None:
    """Add the page to an application that was made without one."""

    async def swagger(request: Request) -> Response:
        return _guarded(
            get_swagger_ui_html(
                openapi_url=_place(request, "/openapi.json"),
                title=app.title,
                swagger_js_url=_place(request, f"{ASSETS}/swagger-ui-bundle.js"),
                swagger_css_url=_place(request, f"{ASSETS}/swagger-ui.css"),
                swagger_favicon_url=_place(request, f"{ASSETS}/favicon.png"),
                swagger_ui_parameters={"validatorUrl": None},
            )
        )

    app.add_route("/docs", swagger, include_in_schema=False)
    app.mount(ASSETS, StaticFiles(directory=str(files("fastapi_offline") / "static")))


def _place(request: Request, path: str) -> str:
    """Put a path below the one where a proxy has put the service."""
    return f"{request.scope.get('root_path', '').rstrip('/')}{path}"


def _guarded(page: Response) -> Response:
    """Let a page run the scripts that are served here and its own, named by their hashes."""
    digests = (hashlib.sha256(one).digest() for one in _INLINE_SCRIPT.findall(bytes(page.body)))
    own = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    page.headers["Content-Security-Policy"] = _POLICY.format(scripts=" ".join(("'self'", *own)))
    page.headers["Cache-Control"] = "no-cache"
    page.headers["Referrer-Policy"] = "same-origin"
    page.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    return page
