"""Reading a page strictly: every element closed where it must be, every reference in the page there."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"br", "hr", "img", "input", "link", "meta", "source"}
CLOSED = {"rect", "path"}
"""Of SVG: closed at once where they hold nothing."""
ONCE = {"main", "h1", "title", "header", "footer"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        parts = (one if isinstance(one, str) else one.text for one in self.children)
        return " ".join("".join(parts).split())

    def all(self, tag: str) -> list["Element"]:
        """Give all elements of a tag within this one, in order."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                found += ([child] if child.tag == tag else []) + child.all(tag)
        return found

    def one(self, tag: str) -> "Element":
        (found,) = self.all(tag)
        return found

    def where(self, **attributes: str) -> list["Element"]:
        """Give all elements with these attributes; ``class_`` is one of the classes."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                fits = all(
                    value in child.attributes.get("class", "").split()
                    if name == "class_"
                    else child.attributes.get(name) == value
                    for name, value in attributes.items()
                )
                found += ([child] if fits else []) + child.where(**attributes)
        return found


class _Strict(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> says {names}"
        assert not any(name.startswith("on") or name == "style" for name in names), names
        tag = self._named(tag)
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID | CLOSED, f"<{tag}/>"
        self.handle_starttag(tag, attrs)
        if tag in CLOSED:
            self.open.pop()

    def _named(self, tag: str) -> str:
        """Tell what names a part of a drawing from what names the page."""
        drawn = any(element.tag == "svg" for element in self.open)
        return f"svg:{tag}" if drawn and tag == "title" else tag

    def handle_endtag(self, tag: str) -> None:
        tag = self._named(tag)
        assert tag == self.open.pop().tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(text: str) -> Element:
    """Read a page; fails where it is not well formed or breaks what every page keeps."""
    assert text.lstrip().startswith("<!DOCTYPE html>")
    reader = _Strict()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root]
    page = reader.root.one("html")
    for tag in ONCE:
        assert len(page.all(tag)) == 1, tag
    identifiers = [one.attributes["id"] for one in _everything(page) if "id" in one.attributes]
    assert len(identifiers) == len(set(identifiers)), identifiers
    for one in _everything(page):
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert set(one.attributes.get(name, "").split()) <= set(identifiers)
    _levels([int(one.tag[1]) for one in _everything(page) if one.tag in ("h1", "h2", "h3", "h4")])
    for table in page.all("table"):
        assert len(table.all("caption")) == 1
        assert table.one("caption").text
        assert all(head.attributes.get("scope") in ("row", "col") for head in table.all("th"))
        assert all(head.text for head in table.all("th")), table.one("caption").text
        widths = {sum(c.tag in ("td", "th") for c in _elements(row)) for row in table.all("tr")}
        assert len(widths) == 1, widths
    for image in page.all("img"):
        assert "alt" in image.attributes
    labels = page.all("label")
    for control in (*page.all("input"), *page.all("select"), *page.all("textarea")):
        within = any(control in label.all(control.tag) for label in labels)
        named = {label.attributes.get("for", "") for label in labels} - {""}
        assert (
            control.attributes.get("type") == "hidden"
            or "hidden" in control.attributes
            or within
            or control.attributes.get("aria-label")
            or control.attributes.get("id", "") in named
        ), control.attributes
    assert all(one.text or one.attributes.get("aria-label") for one in page.all("a"))
    return page


def _elements(parent: Element) -> list[Element]:
    return [child for child in parent.children if isinstance(child, Element)]


def _everything(parent: Element) -> list[Element]:
    return [one for child in _elements(parent) for one in (child, *_everything(child))]


def _levels(levels: list[int]) -> None:
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
