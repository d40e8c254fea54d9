"""From a picture to a file: the only place that sees vl-convert.

`svg`, `png`, `pdf` and `bundle` belong into a process that does nothing else (`steadygrid.pictures.drawing`).
Vl-convert holds the interpreter's lock while it draws, never returns in a forked process, and dies in
one whose address space is limited. The other formats need only what a picture holds.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any

from steadygrid.domain.errors import Fault
from steadygrid.pictures.errors import PictureFailed, UnfitPicture
from steadygrid.pictures.html_page import html_page
from steadygrid.pictures.picture import Format, Picture, Wanted

VEGA_LITE = "6.4"
"""The version that the bundle of vl-convert draws."""
MOST_PIXELS = 50_000_000
"""Of a PNG. Each takes four bytes of memory while it is drawn."""
LONGEST_SIDE = 14_400
"""Of a page of PDF, in its units, one for each pixel of the drawing (PDF 1.7, annex C.2)."""
CONTENT_TYPES: dict[Format, str] = {
    "vega": "application/vnd.vegalite.v6+json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ROOT = re.compile(r'<svg\b[^>]*? width="([0-9.]+)" height="([0-9.]+)"[^>]*>')


def written(picture: Picture, form: Format, wanted: Wanted) -> bytes:
    """Write a picture in any format; belongs into a process of its own, as `svg` does.

    Parameters
    ----------
    picture
        A drawing as data, with its table.
    form
        Format of the file.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    UnfitPicture
        If there is too much to draw, and the format has no table.
    PictureFailed, ModuleNotFoundError
        If vl-convert cannot draw it, or is not installed.
    """
    match form:
        case "svg" if picture.svg is not None:
            return picture.svg.encode()
        case "png" if picture.svg is not None:
            return png_of_svg(picture.svg, wanted.scale)
        case "pdf" if picture.svg is not None:
            return pdf_of_svg(picture.svg)
        case "svg":
            return svg(specification_of(picture), wanted.width)
        case "png":
            return png(specification_of(picture), wanted.scale, wanted.width)
        case "pdf":
            return pdf(specification_of(picture), wanted.width)
        case "html":
            return html(picture, wanted, "" if picture.spec is None else bundle())
        case "vega":
            return vega(picture)
        case "csv":
            return csv(picture)


def specification_of(picture: Picture) -> dict[str, Any]:
    """Give what is drawn.

    Raises
    ------
    UnfitPicture
        If there is too much to draw, or it is drawn without Vega.
    """
    if picture.svg is not None:
        detail = (
            "this picture is written as SVG, and not by Vega-Lite: ask for svg, png, pdf or html"
        )
        raise UnfitPicture(faults=[Fault(("format",), "not_vega", detail)])
    if picture.spec is None:
        detail = f"{picture.description} This is too much to draw: ask for the table: csv or html."
        raise UnfitPicture(faults=[Fault((), "too_large", detail)])
    return picture.vega


def svg(spec: dict[str, Any], width: float | None = None) -> bytes:
    """Draw a specification with its data as SVG, with its title and description for who cannot see.

    Parameters
    ----------
    width
        Pixels of the whole drawing, to which it is scaled where its own width is another.
    """
    import vl_convert

    plain = _of_xml(spec)
    drawn: str = vl_convert.vegalite_to_svg(plain, vl_version=VEGA_LITE, allowed_base_urls=[])
    return _labelled(drawn, _title(plain), plain.get("description", ""), width).encode()


def png(spec: dict[str, Any], scale: float, width: float | None = None) -> bytes:
    """Draw it as PNG.

    Parameters
    ----------
    spec
        A specification of Vega-Lite with its data.
    scale
        Pixels for each of the drawing.
    width
        Of the whole drawing, to which it is scaled. None: its own.

    Raises
    ------
    UnfitPicture
        If it would have more than `MOST_PIXELS`.
    """
    return png_of_svg(svg(spec, width).decode(), scale)


def png_of_svg(drawn: str, scale: float) -> bytes:
    """Turn an SVG into PNG; belongs into a process of its own, as `svg` does.

    Parameters
    ----------
    drawn
        The SVG, with its width and height in pixels.
    scale
        Pixels for each of the drawing.

    Raises
    ------
    UnfitPicture
        If it would have more than `MOST_PIXELS`.
    """
    import vl_convert

    across, down = _size(drawn)
    if across * down * scale * scale > MOST_PIXELS:
        detail = (
            f"at {across * scale:.0f} x {down * scale:.0f} it would have more than"
            f" {MOST_PIXELS:,} pixels: ask for a smaller scale or width, or for svg"
        )
        raise UnfitPicture(faults=[Fault(("scale",), "too_large", detail)])
    return bytes(vl_convert.svg_to_png(drawn, scale=scale))


def pdf(spec: dict[str, Any], width: float | None = None) -> bytes:
    """Draw it as a PDF of one page.

    Parameters
    ----------
    spec
        A specification of Vega-Lite with its data.
    width
        Of the whole drawing, to which it is scaled. None: its own.

    Raises
    ------
    UnfitPicture
        If a page cannot be that large.
    """
    return pdf_of_svg(svg(spec, width).decode())


def pdf_of_svg(drawn: str) -> bytes:
    """Turn an SVG into a PDF of one page; belongs into a process of its own, as `svg` does.

    Parameters
    ----------
    drawn
        The SVG, with its width and height in pixels.

    Returns
    -------
    bytes
        The same drawing each time. The order of its fonts may differ.

    Raises
    ------
    UnfitPicture
        If it has a side longer than `LONGEST_SIDE`.
    """
    import vl_convert

    across, down = _size(drawn)
    if max(across, down) > LONGEST_SIDE:
        detail = (
            f"at {across:.0f} x {down:.0f} it would be larger than a page of PDF, which has at most"
            f" {LONGEST_SIDE:,} units a side: ask for a smaller width, or for svg"
        )
        raise UnfitPicture(faults=[Fault(("width",), "too_large", detail)])
    return bytes(vl_convert.svg_to_pdf(drawn))


def vega(picture: Picture) -> bytes:
    """Write the specification with its data.

    Raises
    ------
    UnfitPicture
        If there is too much to draw.
    """
    return compact_json(specification_of(picture)).encode()


def csv(picture: Picture) -> bytes:
    """Write the table."""
    return picture.table.csv().encode()


def html(picture: Picture, wanted: Wanted, script: str) -> bytes:
    """Write a page that shows the picture without a network.

    Parameters
    ----------
    script
        What `bundle` gives; not needed where there is too much to draw.
    """
    spec = None if picture.spec is None else compact_json(picture.vega)
    return html_page(picture, wanted.theme, spec, script).encode()


@cache
def bundle() -> str:
    """Give the JavaScript of Vega, Vega-Lite and vega-embed, safe inside a script element.

    Raises
    ------
    PictureFailed
        If it is not.
    """
    import vl_convert

    script: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise PictureFailed("This version of vl-convert has a script that cannot stand in a page.")
    return script


def compact_json(spec: Mapping[str, Any]) -> str:
    """Write a specification as JSON."""
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _of_xml(value: Any) -> Any:
    """Replace characters that ids may have and XML may not: vl-convert aborts at them."""
    if isinstance(value, str):
        return _NO_XML.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {name: _of_xml(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_of_xml(member) for member in value]
    return value


def _title(spec: Mapping[str, Any]) -> str:
    title = spec.get("title", "")
    text = title.get("text", "") if isinstance(title, Mapping) else title
    return " ".join(text) if isinstance(text, list) else str(text)


def _size(drawn: str) -> tuple[float, float]:
    root = _ROOT.match(drawn)
    if root is None or not float(root[1]):
        raise PictureFailed("This version of vl-convert writes an SVG of unknown size.")
    return float(root[1]), float(root[2])


def _labelled(drawn: str, title: str, description: str, width: float | None) -> str:
    """Put title and description first, and set the width; lengths inside stay as they are."""
    across, down = _size(drawn)
    wide = across if width is None else width
    high = down * wide / across
    root, rest = drawn[: (end := drawn.index(">") + 1)], drawn[end:]
    if "viewBox=" not in root:
        root = root[:-1] + f' viewBox="0 0 {across:g} {down:g}">'
    root = root.replace(f' width="{_number(root, "width")}"', f' width="{wide:g}"', 1)
    root = root.replace(f' height="{_number(root, "height")}"', f' height="{high:g}"', 1)
    label = ": ".join(filter(None, (title, description)))
    root = f'{root[:-1]} role="img" aria-label="{escape(label)}">'
    return f"{root}<title>{escape(title)}</title><desc>{escape(description)}</desc>{rest}"


def _number(root: str, name: str) -> str:
    found = re.search(rf' {name}="([^"]*)"', root)
    assert found is not None
    return found[1]
