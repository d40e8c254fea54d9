"""The picture of a platform: who is connected to whom, how busy all is, and what limits."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import Fault
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Platform
from steadygrid.domain.wording import shown
from steadygrid.pictures.assembling import subtitle_lines
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.numbers import printed
from steadygrid.pictures.occupation import busy_class
from steadygrid.pictures.picture import (
    PLATFORM,
    Cell,
    Neighbourhood,
    Picture,
    PictureTable,
    Wanted,
)
from steadygrid.pictures.platform_scene import MOST_BOXES, Scene, nodes_near, scene_of
from steadygrid.pictures.platform_told import AnswerTeller, PlatformTeller, computes
from steadygrid.pictures.svg import Heading, file_svg
from steadygrid.pictures.tiers import STEP
from steadygrid.report.folding import Facts, Folding, fold
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.names import Names
from steadygrid.report.occupation import Resource, resources_of
from steadygrid.report.quantities import exact_text, percent
from steadygrid.report.report import Report
from steadygrid.report.resources import ResourceList, resource_facts, resource_list

NAME = PLATFORM
WORDS: Mapping[str, str] = {
    "compute": "computing",
    "send": "sending",
    "receive": "receiving",
    "port": "port",
    "out": "bandwidth out",
    "in": "bandwidth in",
    "link": "link",
    "half": "half-duplex link",
    "medium": "medium",
    "odd": "links within a set",
}
"""What a resource is, by the end of its name."""
_LONGEST_NAME = 34


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the platform of an answer: how busy it is, and which resources have a price.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If the kind has no platform.
    UnfitPicture
        If the platform has no processor around which it is to be drawn.
    """
    platform, near = _platform_of(report), wanted.neighbourhood
    require_processor(platform, near)
    facts = resource_facts(report, platform)
    folded = _fold_part(platform, facts, near)
    most = _row_length(wanted)
    scene = _scene_of_answer(report, platform, folded, facts, resource_list(report), most, near)
    told = _Description(platform, facts, report.names)
    title = "The platform" if facts.shares is None else "How busy the platform is"
    if near is not None:
        return _part(scene, platform, folded, facts, report.names, near, wanted)
    description = f"{told.extent}. {told.bottleneck(report.view.bottleneck)}".strip()
    return _picture(scene, _table(platform, folded, facts), title, told.extent, description, wanted)


def require_processor(platform: Platform, near: Neighbourhood | None) -> None:
    """Raise `UnfitPicture` where a platform has no processor in the middle of a neighbourhood.

    Parameters
    ----------
    platform
        Its processors.
    near
        None: all of it is drawn.
    """
    if near is not None and near.around not in platform.index_by_id:
        hint = Known(platform.index_by_id).hint(near.around)
        detail = f"the platform has no processor {shown(near.around)}{hint}"
        raise UnfitPicture(faults=[Fault(("around",), "unknown_processor", detail)])


def answer_scene(
    report: Report,
    listed: ResourceList,
    most: int = MOST_BOXES,
    near: Neighbourhood | None = None,
) -> Scene:
    """Give what is drawn of the platform of an answer.

    Parameters
    ----------
    report
        The answer, and what was asked.
    listed
        Its resources, as the page lists them.
    most
        Boxes in a row.
    near
        The part that is drawn, around a processor of the platform; None: all of it.

    Raises
    ------
    ValueError
        If the kind has no platform.
    """
    platform = _platform_of(report)
    facts = resource_facts(report, platform)
    folded = _fold_part(platform, facts, near)
    return _scene_of_answer(report, platform, folded, facts, listed, most, near)


def answer_sentence(report: Report, near: Neighbourhood | None = None) -> str:
    """Say how large the platform of an answer is, and how much of it is used; `ValueError` without.

    Parameters
    ----------
    report
        The answer, and what was asked.
    near
        The part that is spoken of; None: all of it.
    """
    platform = _platform_of(report)
    if near is not None:
        folded = _fold_part(platform, resource_facts(report, platform), near)
        return f"{_part_extent(folded, report.names, near)}."
    return f"{_Description(platform, resource_facts(report, platform), report.names).extent}."


def platform_scene(platform: Platform, most: int, near: Neighbourhood | None = None) -> Scene:
    """Give what is drawn of a platform by itself.

    Parameters
    ----------
    platform
        Its processors, links and media.
    most
        Boxes in a row.
    near
        The part that is drawn, around a processor of the platform; None: all of it.
    """
    folded = _fold_part(platform, _facts_alone(platform), near)
    return scene_of(PlatformTeller(platform), folded, _names(platform), {}, most=most, near=near)


def platform_sentence(platform: Platform, near: Neighbourhood) -> str:
    """Say how large a part of a platform by itself is.

    Parameters
    ----------
    platform
        Its processors and links.
    near
        The part.
    """
    folded = _fold_part(platform, _facts_alone(platform), near)
    return f"{_part_extent(folded, _names(platform), near)}."


def platform_picture(platform: Platform, wanted: Wanted) -> Picture:
    """Draw a platform by itself: its speeds and bandwidths.

    Parameters
    ----------
    platform
        Its processors, links and media.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    UnfitPicture
        If it has no processor around which it is to be drawn.
    """
    near = wanted.neighbourhood
    require_processor(platform, near)
    facts = _facts_alone(platform)
    if near is not None:
        scene = platform_scene(platform, _row_length(wanted), near)
        folded = _fold_part(platform, facts, near)
        return _part(scene, platform, folded, facts, _names(platform), near, wanted)
    extent = _Description(platform, facts, _names(platform)).extent
    table = _table(platform, fold(platform, facts), facts)
    scene = platform_scene(platform, _row_length(wanted))
    return _picture(scene, table, "The platform", extent, f"{extent}.", wanted)


def _platform_of(report: Report) -> Platform:
    if report.platform is None:
        raise ValueError("there is no platform to be drawn")
    return report.platform


def _scene_of_answer(
    report: Report,
    platform: Platform,
    folded: Folding,
    facts: Facts,
    listed: ResourceList,
    most: int,
    near: Neighbourhood | None,
) -> Scene:
    teller, names, side = AnswerTeller(platform, facts, listed), report.names, facts.side
    return scene_of(teller, folded, names, facts.roles, side=side, most=most, near=near)


def _part(
    scene: Scene,
    platform: Platform,
    folded: Folding,
    facts: Facts,
    names: Names,
    near: Neighbourhood,
    wanted: Wanted,
) -> Picture:
    """Draw a neighbourhood; its table has what lies in it."""
    inside = {one for i in nodes_near(folded, near) for one in folded.nodes[i].members}
    links = [one for one in platform.links if inside.issuperset((one.source, one.target))]
    media = {medium for link in links for medium in link.media}
    kept = tuple(
        one
        for one in facts.resources
        if (one.medium in media if one.medium is not None else inside.issuperset(one.ends))
    )
    table = _table(platform, folded, facts, kept)
    extent = _part_extent(folded, names, near)
    title = f"The platform around {names.name_of(near.around)}"
    return _picture(scene, table, title, extent, f"{extent}.", wanted)


def _part_extent(folded: Folding, names: Names, near: Neighbourhood) -> str:
    found = nodes_near(folded, near)
    inside = sum(len(folded.nodes[i].members) for i in found)
    whole = sum(len(node.members) for node in folded.nodes)
    links = _counted(near.hops, "link", "links")
    return f"{inside:,} of {whole:,} processors and switches: those within {links} of {names.name_of(near.around)}"


def _fold_part(platform: Platform, facts: Facts, near: Neighbourhood | None) -> Folding:
    return fold(platform, facts, None if near is None else near.around)


def _facts_alone(platform: Platform) -> Facts:
    kept = ("compute", "link", "half", "medium")
    return Facts(tuple(one for one in resources_of(platform, "multiport") if one.what in kept))


def _names(platform: Platform) -> Names:
    return Names([*(p.id for p in platform.processors), *(m.id for m in platform.media)])


def _row_length(wanted: Wanted) -> int:
    """Give the boxes that stand side by side at full size, at least `MOST_BOXES`."""
    return max(MOST_BOXES, int(wanted.width / STEP))


def _picture(
    scene: Scene,
    table: PictureTable,
    title: str,
    extent: str,
    description: str,
    wanted: Wanted,
) -> Picture:
    below = subtitle_lines(extent, wanted.width)
    heading = Heading(title, below, description)
    drawn = file_svg(scene, wanted.theme, wanted.width, heading)
    return Picture(NAME, title, description, None, {}, table, scene.marks, svg=drawn)


class _Description:
    """What is said of a platform in a sentence."""

    def __init__(self, platform: Platform, facts: Facts, names: Names) -> None:
        self._platform, self._facts, self._names = platform, facts, names

    @property
    def extent(self) -> str:
        """How many there are of each sort, and how many of them are used."""
        processors = self._platform.processors
        switches = sum(one.switch for one in processors)
        routers = sum(
            not one.switch
            and one.id not in self._facts.roles
            and not computes(self._platform, self._facts, one.id)
            for one in processors
        )
        computing = sum(one.members or 1 for one in processors) - switches - routers
        parts = [
            _counted(computing, "processor", "processors"),
            _counted(routers, "router", "routers") if routers else "",
            _counted(switches, "switch", "switches") if switches else "",
            _counted(len(self._platform.links), "link", "links"),
            _counted(len(self._platform.media), "medium", "media") if self._platform.media else "",
        ]
        text = _listed([part for part in parts if part])
        if self._facts.shares is None:
            return text
        busy = {end for one in self._facts.resources if self._used(one) for end in one.ends}
        used = sum(one.id in busy and not one.switch for one in processors)
        always = sum(share == 1 for share in self._facts.shares.values())
        at_work = f"{used:,} of {len(processors) - switches:,} take part"
        if computing + routers == 1:
            at_work = "it takes part" if used else "it does nothing"
        full = _counted(always, "resource is", "resources are") if always else "no resource is"
        return f"{text}; {at_work}, {full} always busy"

    def _used(self, resource: Resource) -> bool:
        return resource.what != "odd" and bool(self._facts.use(resource.name)[0])

    def bottleneck(self, known: str | None) -> str:
        """Name the resource that limits: the one with the greatest price, or else a busy one."""
        shares = self._facts.shares or {}
        listed = {one.name for one in self._facts.resources}
        # Prices of other constraints say what is limited by no words that all readers know.
        prices = {name: price for name, price in self._facts.prices.items() if name in listed}
        if self._facts.side:
            names = [self._names.name_of(one) for one in sorted(self._facts.side)]
            more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
            priced = sum(
                one.name in prices and len(self._facts.side.intersection(one.ends)) == 1
                for one in self._facts.resources
            )
            across = _counted(priced, "link across it has a price", "links across it have prices")
            return f"The bottleneck is the cut around {', '.join(names[:3])}{more}: {across}."
        if prices:
            name = min(prices, key=lambda one: (-prices[one], one))
            alike = sum(price == prices[name] for price in prices.values()) - 1
            like = f" (like {alike:,} more)" if alike else ""
            busy = f", {percent(shares[name])} busy" if name in shares else ""
            price = exact_text(prices[name], UNICODE)
            return f"The greatest price is that of {self._name(name)}{like}: {price}{busy}."
        if known is None:
            always = sorted(name for name, share in shares.items() if share == 1)
            known = always[0] if always else None
        if known is None:
            return ""
        busy = f", {percent(shares[known])} busy" if known in shares else ""
        return f"The bottleneck is {self._name(known)}{busy}."

    def _name(self, resource: str) -> str:
        return self._names.of_resource(resource, _LONGEST_NAME, UNICODE)


def _table(
    platform: Platform, folded: Folding, facts: Facts, part: tuple[Resource, ...] | None = None
) -> PictureTable:
    """List what can be busy, twins together, with exact numbers. Columns are those of the whole."""
    plain = facts.shares is None and not facts.prices
    if part is not None:
        listed = {one.name for one in part}
        prices = {name: price for name, price in facts.prices.items() if name in listed}
        facts = replace(facts, resources=part, prices=prices)
    if plain:
        return _plain_table(platform, folded, facts)
    columns = ("processors", "what", "busy", "class", "price of each", "members")
    rows: list[tuple[Cell, ...]] = []
    for ends, members, resource in _rows(folded, facts):
        share, price = facts.use(resource.name)
        known = facts.shares is not None
        rows.append(
            (
                ends,
                _resource_text(resource),
                printed(share) if known else None,
                busy_class(share) if known else None,
                printed(price) if price else None,
                members,
            )
        )
    listed = {one.name for one in facts.resources}
    for name, price in facts.prices.items():
        if name not in listed:
            rows.append((name, "constraint", None, None, printed(price), 1))
    return PictureTable(columns, tuple(rows), ("busy", "price of each"))


def _plain_table(platform: Platform, folded: Folding, facts: Facts) -> PictureTable:
    columns = ("processors", "what", "speed or bandwidth", "members")
    index, media = platform.index_by_id, {one.id: one.bandwidth for one in platform.media}
    rows: list[tuple[Cell, ...]] = []
    for ends, members, resource in _rows(folded, facts):
        amount: Fraction | None = None
        if resource.medium is not None:
            amount = media[resource.medium]
        elif len(resource.ends) == 1:
            time = platform.processors[index[resource.ends[0]]].time_per_work
            amount = None if time is None else 1 / time
        else:
            source, target = (index[end] for end in resource.ends)
            amount = 1 / platform.arc_by_ends[source, target].unit_time
        rows.append((ends, _resource_text(resource), amount, members))
    return PictureTable(columns, tuple(rows), ("speed or bandwidth",))


def _resource_text(resource: Resource) -> str:
    word = WORDS[resource.what]
    return f"{word} by card {resource.card}" if resource.card else word


def _rows(folded: Folding, facts: Facts) -> Iterator[tuple[str, int, Resource]]:
    """Give resources, those of twins as one: whose they are, how many, and the first of them."""
    node_of = {member: node for node in folded.nodes for member in node.members}
    for one in facts.resources:
        if one.medium is not None:
            yield one.medium, 1, one
            continue
        if one.what == "odd":
            yield ", ".join(one.ends), len(one.ends), one
            continue
        nodes = [node_of[end] for end in one.ends]
        if any(node.first != end for node, end in zip(nodes, one.ends, strict=True)):
            continue
        groups = [", ".join(node.members) for node in nodes]
        join = " -- " if one.what == "half" else " -> "
        yield join.join(groups), max(len(node.members) for node in nodes), one


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}" if number else f"no {many}"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
