"""Why no schedule does better, in words."""

from fractions import Fraction

from rich.text import Text

from steadygrid.domain.telling import why
from steadygrid.domain.view import Table
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import TOP, Cell, Column, folded
from steadygrid.report.layout import table as laid_out
from steadygrid.report.names import distinct
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase, price_text, table
from steadygrid.report.tables import longest_resource


def certificate(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Explain the certificate of an answer and list what it prices; nothing if it has none."""
    told = phrase(why(report.result, report.view), report, glyphs)
    if not told:
        return []
    lines = _paragraph(told, width)
    own, proof = report.view.proof, report.result.certificate
    if own is not None and proof.type != "lp_duality":
        return lines + ([] if own.table is None else _own(report, own.table, width, glyphs))
    if not proof.prices:
        return lines
    objective = report.result.objective
    if proof.type == "lp_duality" and objective is not None and objective.minimised:
        return lines + _constraints(report, "price", width, glyphs)
    if report.result.bound is None:
        return lines + _constraints(report, "weight", width, glyphs)
    return lines + _prices(report, width, glyphs)


def _own(report: Report, told: Table, width: int, glyphs: Glyphs) -> list[Text]:
    """List what a proof that only the kind knows gives its weights to."""
    rows = told.rows
    prices = [price_text(row[-1], width, glyphs) for row in rows if isinstance(row[-1], Fraction)]
    lines = table(told, longest_resource(width, prices[:TOP]), report, width, glyphs)
    return lines + (_more(f"{len(rows) - TOP:,} more", width) if len(rows) > TOP else [])


def _paragraph(sentence: str, width: int) -> list[Text]:
    head, rest = sentence.split(":", 1)
    lines = folded(f"{head}:{rest}", width)
    texts = [Text(line) for line in lines]
    texts[0].stylize("bold", 0, min(len(head) + 1, len(lines[0])))
    if len(head) + 1 > len(lines[0]) and len(texts) > 1:
        texts[1].stylize("bold", 0, len(head) - len(lines[0]))
    return texts


def _prices(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    prices = report.prices
    total = sum(prices.values(), Fraction(0))
    ranked = sorted(prices, key=lambda r: (-prices[r], r))
    numbers = [price_text(prices[resource], width, glyphs) for resource in ranked[:TOP]]
    longest = longest_resource(width, numbers)
    rows: list[list[Cell]] = [
        [
            report.names.of_resource(resource, longest, glyphs),
            number,
            percent(prices[resource] / total),
            prices[resource] / total,
        ]
        for resource, number in zip(ranked, numbers, strict=False)
    ]
    columns = [
        Column("resource"),
        Column("price"),
        Column("of all", right=True),
        Column("", style="magenta", bar=True),
    ]
    lines = laid_out(columns, rows, width, glyphs)
    if len(ranked) > TOP:
        rest = sum((prices[r] for r in ranked[TOP:]), Fraction(0))
        lines += _more(
            f"{len(ranked) - TOP:,} more, together {decimal_text(rest)}"
            f" ({percent(rest / total)} of all)",
            width,
        )
    return lines


def _constraints(report: Report, noun: str, width: int, glyphs: Glyphs) -> list[Text]:
    """List the constraints that contradict each other, or that add up to a bound."""
    prices = report.result.certificate.prices
    ranked = sorted(prices, key=lambda r: (-prices[r], r))
    names = distinct([printable(name) for name in ranked], width - 14, glyphs)
    rows: list[list[Cell]] = [
        [name, price_text(prices[constraint], width, glyphs)]
        for name, constraint in zip(names[:TOP], ranked, strict=False)
    ]
    lines = laid_out([Column("constraint"), Column(noun)], rows, width, glyphs)
    return lines + (_more(f"{len(ranked) - TOP:,} more", width) if len(ranked) > TOP else [])


def _more(text: str, width: int) -> list[Text]:
    return [Text(f"  {line}", style="dim") for line in folded(f"and {text}", width - 2)]
