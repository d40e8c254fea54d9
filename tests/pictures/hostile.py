"""Ids that are allowed and have a meaning in HTML, SVG, CSS, Vega, spreadsheets or XML."""

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"]+alert(1)//',
    "datum.x",
    "a.b[0]['c']",
    "\\u003cscript\\u003e",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &amp;",
    "url(javascript:alert(1))",
    "}</style><style>*{display:none}",
    "=HYPERLINK(1)",
    "\u202eevil\u202c \u05d0\u05d1",
    "\u2028\u2029line",
    "no character \ufffe",
    "W" * 200,
    "__proto__",
)
"""None has ``--`` or ``->``, which ids cannot have."""
