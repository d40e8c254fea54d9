"""What links, media and port bandwidths carry where rates are constant."""

from collections import defaultdict

from rich.text import Text

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.report.glyphs import Glyphs
from steadygrid.report.layout import NARROW, Cell, Column, table, titled
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report

MAX_LINKS = 12
"""Lines of the table. The rest is counted."""
_LONGEST_NAME = 34


def constant_rates(report: Report, platform: Platform, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate how much of each link, medium and port bandwidth is in use all the time.

    Parameters
    ----------
    report
        The answer, and what was asked.
    platform
        Its links and media.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    shares = {
        resource: share
        for resource, share in report.occupation.items()
        if not resource.endswith(".compute")
    }
    if not shares:
        return []
    carried = _carried(report, platform)
    ranked = sorted(shares, key=lambda r: (-shares[r], r))
    rows: list[list[Cell]] = [
        [
            report.names.of_resource(resource, min(_LONGEST_NAME, width - 14), glyphs),
            percent(shares[resource]),
            shares[resource],
            carried.get(resource, ""),
        ]
        for resource in ranked[:MAX_LINKS]
    ]
    columns = [
        Column(""),
        Column("", right=True),
        Column("", style="cyan", bar=True),
        Column("", style="dim", optional=width < NARROW),
    ]
    lines = table(columns, rows, width, glyphs, headings=False)
    title = "Carried all the time, at constant rates"
    return titled(title, lines, len(ranked), "in use", width, MAX_LINKS)


def _carried(report: Report, platform: Platform) -> dict[str, str]:
    """Say for each link how many files of each sort cross it per time unit."""
    schedule = report.schedule
    assert schedule is not None
    index = platform.index_by_id
    counts: defaultdict[str, Amounts[str]] = defaultdict(Amounts)
    for slot in schedule.slots:
        for hop in slot.transfers:
            arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
            link = arc_uses(platform, arc, "multiport")[0].resource
            counts[link][report.files[hop.file]] += hop.count
    return {
        link: ", ".join(
            f"{decimal_text(count / schedule.period, 3)} {word}" for word, count in files.items()
        )
        + f" {report.per_time}"
        for link, files in counts.items()
    }
