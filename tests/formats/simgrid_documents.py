"""Small SimGrid documents, and their import."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Platform, platform_faults
from steadygrid.formats import IMPORTERS

SIMGRID = IMPORTERS["platform", "application/simgrid+xml"]
DOCTYPE = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'


def document(body: str, version: str = "4.1") -> bytes:
    """Wrap zones in a platform."""
    return f"<?xml version='1.0'?>\n{DOCTYPE}\n<platform version=\"{version}\">\n{body}\n</platform>".encode()


def zone(body: str, routing: str = "Full") -> bytes:
    """Wrap elements in one zone; they begin on line 5."""
    return document(f'<zone id="z" routing="{routing}">\n{body}\n</zone>')


def pair(links: str, route: str) -> bytes:
    """Two hosts a and b, some links, and the inside of the route from a to b."""
    return zone(
        '<host id="a" speed="1Gf"/><host id="b" speed="2Gf"/>'
        f'{links}<route src="a" dst="b">{route}</route>'
    )


def load(data: bytes, limits: Limits | None = None, **parameters: str) -> Any:
    """Import a platform, and check what every import must satisfy."""
    imported = SIMGRID.read(data, parameters, limits)
    platform = imported.document
    assert isinstance(platform, Platform)
    assert list(platform_faults(platform, ())) == []
    assert Platform.model_validate(platform.model_dump(mode="json")) == platform
    return imported


def load_platform(data: bytes) -> Platform:
    """Import and forget the warnings."""
    platform = load(data).document
    assert isinstance(platform, Platform)
    return platform


def link_between(platform: Platform, source: str, target: str) -> Link:
    """Find the link that was declared from source to target."""
    (link,) = [x for x in platform.links if (x.source, x.target) == (source, target)]
    return link


def bandwidths(platform: Platform) -> dict[str, Fraction]:
    """Bandwidth of each medium."""
    return {medium.id: medium.bandwidth for medium in platform.media}


def summary(link: Link) -> tuple[Fraction | None, str, tuple[str, ...]]:
    """Bandwidth, duplex and media."""
    return (link.bandwidth, link.duplex, link.media)
