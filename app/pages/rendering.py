"""Templates to HTML answers, and the header fields that every HTML answer has."""

from functools import cache
from typing import Any

from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from app.http.paths import own_path, root_of
from app.pages import assets, quantities, words
from steadygrid.report.glyphs import printable
from steadygrid.report.quantities import percent

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
FIELDS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept",
}
"""Of every HTML answer: nothing runs, loads or frames but what is served here, and no shared cache
keeps what one client was shown."""


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("app.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "when": words.when,
        "moment": words.moment,
        "amount": words.amount,
        "state": words.state,
        "outcome": words.outcome,
        "number": quantities.shown,
        "share": percent,
        "printable": printable,
    }
    environment.globals |= {"asset": assets.address, "bar_width": quantities.bar_width}
    return environment


def html(
    request: Request, template: str, title: str, status: int = 200, **context: Any
) -> Response:
    """Answer with a page.

    Parameters
    ----------
    template
        Its name, without suffix.
    title
        Of the window; the service's name is put behind it.
    """
    text = (
        _templates()
        .get_template(f"{template}.html")
        .render(
            root=root_of(request.scope),
            path=own_path(request.scope),
            title=f"{title} - steadygrid" if title else "steadygrid",
            **context,
        )
    )
    # Names may hold lone surrogates, which UTF-8 has no bytes for.
    content = text.encode("utf-8", "backslashreplace")
    return Response(content, status, FIELDS, media_type="text/html")
