"""A picture as one HTML file: the drawing, what it says, and its table, without a network.

Ids may be anything, markup and scripts too: what is text here is escaped, and what is data stands in
JSON without a character that could end its element.
"""

from fractions import Fraction
from html import escape

from steadygrid.domain.rational import approximate
from steadygrid.pictures import house_style
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme

MOST_ROWS = 2_000
"""Rows of the table in the page. The file of the table has all."""
_IN_SCRIPTS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
_EMBED = """
vegaEmbed("#drawing", JSON.parse(document.getElementById("specification").textContent), {
  ast: true, actions: false, defaultStyle: false, tooltip: {disableDefaultStyle: true}
}).catch(error => { document.getElementById("drawing").textContent = String(error); });
"""


def html_page(picture: Picture, theme: Theme, spec: str | None, script: str) -> str:
    """Write the page.

    Parameters
    ----------
    spec
        The specification with its data, as JSON. None: there is only the table, or the picture is written as SVG.
    script
        JavaScript that defines ``vegaEmbed``, and cannot end its own element.
    """
    drawing = "" if spec is None else '<div id="drawing"></div>\n'
    if picture.svg is not None:
        drawing = f'<div id="drawing">{picture.svg}</div>\n'
    scripts = "" if spec is None else _scripts(spec, script)
    title = escape(picture.title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{_style(theme)}</style>\n</head>\n<body>\n<figure>\n{drawing}"
        f"<figcaption>{escape(picture.description)}</figcaption>\n</figure>\n"
        f"{_table(picture.table, is_open=not drawing)}{scripts}</body>\n</html>\n"
    )


def for_script(json: str) -> str:
    """Make JSON fit to stand in a script element. It says the same."""
    return json.translate(_IN_SCRIPTS)


def _scripts(spec: str, script: str) -> str:
    return (
        f'<script type="application/json" id="specification">{for_script(spec)}</script>\n'
        f"<script>{script}</script>\n<script>{_EMBED}</script>\n"
    )


def _table(table: PictureTable, *, is_open: bool) -> str:
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in table.rows[:MOST_ROWS])
    left = len(table.rows) - MOST_ROWS
    more = f"<p>and {left:,} more rows, which the CSV file of this picture has</p>\n"
    return (
        f"<details{' open' if is_open else ''}>\n<summary>The same as a table</summary>\n"
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
        f"{more if left > 0 else ''}</details>\n"
    )


def _cell(cell: Cell) -> str:
    if cell is None:
        return "<td></td>"
    if isinstance(cell, str):
        return f"<td><bdi>{escape(cell)}</bdi></td>"
    near = approximate(Fraction(cell))
    whole = isinstance(cell, int) or cell.denominator == 1
    about = "" if whole or near is None else f" <span>{near:.6g}</span>"
    return f'<td class="number">{cell}{about}</td>'


def _style(theme: Theme) -> str:
    ink, faint = house_style.INK[theme], house_style.FAINT[theme]
    grid, paper = house_style.GRID[theme], house_style.PAPER[theme]
    return (
        f"html{{color-scheme:{theme};background:{paper};color:{ink};"
        f"font:15px/1.45 {house_style.FONT}}}"
        "body{margin:24px}figure{margin:0 0 24px}#drawing{overflow-x:auto}"
        f"figcaption{{max-width:70ch;margin-top:12px;color:{faint}}}"
        "summary{cursor:pointer}table{border-collapse:collapse;margin-top:12px;font-size:13px}"
        f"th,td{{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid {grid};"
        "vertical-align:top;overflow-wrap:anywhere;max-width:60ch}"
        f"th{{font-weight:600}}td span{{color:{faint}}}"
        ".number{font-variant-numeric:tabular-nums;text-align:right}"
        f"#vg-tooltip-element{{position:fixed;z-index:1;visibility:hidden;pointer-events:none;"
        f"padding:6px 10px;border:1px solid {grid};border-radius:4px;background:{paper};"
        f"color:{ink};font-size:12px;max-width:60ch;overflow-wrap:anywhere}}"
        "#vg-tooltip-element.visible{visibility:visible}"
        f"#vg-tooltip-element td.key{{color:{faint}}}"
        "#vg-tooltip-element td{border:0;padding:1px 6px}"
    )
