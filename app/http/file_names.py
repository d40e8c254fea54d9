"""Texts of clients as parts of file names."""

import re

_MOST = 60
_OTHER = re.compile(r"[^A-Za-z0-9]+")


def plain_part(text: str) -> str:
    """Write a text as far as the file names of any system take it; empty where nothing is left."""
    return _OTHER.sub("-", text)[:_MOST].strip("-")
