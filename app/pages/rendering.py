"""Templates to HTML answers, and the header fields that every HTML answer has."""

from functools import cache
from typing import Any, NamedTuple, Self

from fastapi import Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from app.access.views import is_view
from app.db.scopes import Scope
from app.http.identity import is_alone, known
from app.http.paths import own_path, root_of
from app.http.resources import resources_of
from app.pages import assets, quantities, words
from steadygrid.report.glyphs import printable
from steadygrid.report.quantities import percent

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors {frames}"
)
POLICY = _POLICY.format(frames="'none'")
FIELDS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept",
}
"""Of every HTML answer: nothing runs, loads or frames but what is served here, and no shared cache
keeps what one client was shown. Other hosts may frame views only."""
NOT_KEPT = {"Cache-Control": "no-store"}
"""A logout also removes what the browser could show again."""


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
        "when": words.readable_moment,
        "moment": words.moment,
        "amount": words.amount,
        "state": words.state,
        "kind": words.kind,
        "outcome": words.outcome,
        "number": quantities.shown,
        "share": percent,
        "printable": printable,
    }
    environment.globals |= {
        "asset": assets.address,
        "bar_width": quantities.bar_width,
        "words": words,
    }
    return environment


class Visitor(NamedTuple):
    """Who looks at a page, as far as pages show that."""

    tenant: str
    """Empty where no caller is known, or all callers are the same."""
    may_submit: bool
    may_operate: bool = False
    """Whether pages about all tenants are shown."""

    @classmethod
    def from_request(cls, request: Request) -> Self:
        """Look who asks."""
        identity = known(request)
        if identity is None:
            return cls("", False)
        tenant = "" if is_alone(identity) else identity.tenant
        return cls(tenant, Scope.SUBMIT in identity.scopes, Scope.ADMIN in identity.scopes)


def html(
    request: Request, template: str, title: str, status: int = 200, **context: Any
) -> Response:
    """Answer with a page.

    Parameters
    ----------
    template
        Its name, without suffix.
    title
        Of the window. The service's name is put behind it.
    """
    visitor = Visitor.from_request(request)
    place = {"root": root_of(request.scope), "path": own_path(request.scope)}
    content = rendered(template, title, visitor, **place, **context)
    fields = FIELDS | NOT_KEPT if visitor.tenant else FIELDS
    if is_view(request.scope):
        frames = resources_of(request).settings.view_frames
        fields = fields | {"Content-Security-Policy": _POLICY.format(frames=frames)}
    return Response(content, status, fields, media_type="text/html")


def rendered(template: str, title: str, visitor: Visitor, **context: Any) -> bytes:
    """Write a page.

    Parameters
    ----------
    **context
        What its template needs, `root` and `path` of the address among it.
    """
    whole_title = f"{title} - steadygrid" if title else "steadygrid"
    page = _templates().get_template(f"{template}.html")
    # Names may hold lone surrogates, which UTF-8 has no bytes for.
    return page.render(visitor=visitor, title=whole_title, **context).encode(
        "utf-8", "backslashreplace"
    )
