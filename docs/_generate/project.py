"""Pages of the project that lie at the top of the repository: how to contribute, and what changed."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def page(name: str) -> str:
    """Give a file of the repository as a page of the guide.

    Parameters
    ----------
    name
        Of the file. Its links into `docs` become links of the guide, and others their text.

    Returns
    -------
    str
        The page in Markdown.
    """

    def link(found: re.Match[str]) -> str:
        text, target = found[1], found[2]
        if target == "docs/decisions":
            target = "docs/decisions/index.md"
        inside = target.startswith("docs/")
        return f"[{text}](../../{target.removeprefix('docs/')})" if inside else text

    source = (ROOT / name).read_text(encoding="utf-8")
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)\s]+)\)", link, source)
