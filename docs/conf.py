"""How Sphinx builds the guide: ``make docs`` writes it to ``build/guide``, and needs no network."""

import re
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

project = "steadygrid"
author = "the authors of steadygrid"
project_file = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
version = release = tomllib.loads(project_file)["project"]["version"]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_generate"]
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
napoleon_google_docstring = False
nitpick_ignore_regex = [("py:.*", ".*")]
myst_heading_anchors = 4
myst_links_external_new_tab = False
highlight_language = "none"
html_theme = "furo"
html_title = f"steadygrid {version}"
html_copy_source = False
html_search_scorer = str(HERE / "_static" / "scorer.js")
html_show_sphinx = False
html_show_copyright = False
copybutton_prompt_text = "$ "

TO_FILES = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\.[^)#]*)[^)]*\)")
"""A link that leads upwards: to a file of the repository, perhaps to one that is no page."""


def repository_links(_app: Any, page: str, source: list[str]) -> None:
    """Show links to files outside the guide as their text, and the folder of decisions as its page."""

    def shown(link: re.Match[str]) -> str:
        target = (HERE / page).parent / link[2]
        return link[0] if target.resolve().is_relative_to(HERE) else link[1]

    source[0] = TO_FILES.sub(shown, source[0].replace("](decisions)", "](decisions/index.md)"))


def setup(app: Any) -> None:
    """Register what is done to the pages before they are read."""
    app.connect("source-read", repository_links)
