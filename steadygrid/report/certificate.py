"""Why no schedule does better, in words."""

from fractions import Fraction

from rich.text import Text

from steadygrid.domain.sentences import explain_bound
from steadygrid.domain.view import Table
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import TOP, Cell, Column, Listing, break_lines
from steadygrid.report.layout import table as laid_out
from steadygrid.report.names import distinct
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report
from steadygrid.report.sections import listing, phrase, price_text
from steadygrid.report.tables import longest_resource


def certificate(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Explain the certificate of an answer and list what it prices. Nothing if it has none.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    told = phrase(explain_bound(report.result, report.view), report, glyphs)
    if not told:
        return []
    lines = _paragraph(told, width)
    if (priced := what_is_priced(report, width, glyphs)) is not None:
        listed, rest = priced
        lines += laid_out(listed.columns, listed.rows, width, glyphs)
        lines += _continuation(rest, width) if rest else []
    return lines


def what_is_priced(
    report: Report, width: int, glyphs: Glyphs, top: int = TOP
) -> tuple[Listing, str] | None:
    """List what the certificate of an answer gives prices or weights to, and say what is left out.

    Parameters
    ----------
    width
        Cells per line.
    top
        Rows.
    """
    own, proof = report.view.proof, report.result.certificate
    if own is not None and not proof.adds_up:
        return None if own.table is None else _own(report, own.table, width, glyphs, top)
    if not proof.prices:
        return None
    objective = report.result.objective
    if proof.type == "lp_duality" and objective is not None and objective.minimised:
        return _constraints(report, "price", width, glyphs, top)
    if report.result.bound is None:
        return _constraints(report, "weight", width, glyphs, top)
    return _prices(report, width, glyphs, top)


def _own(report: Report, told: Table, width: int, glyphs: Glyphs, top: int) -> tuple[Listing, str]:
    """List what a proof that only the kind knows gives its weights to."""
    rows = told.rows
    prices = [price_text(row[-1], width, glyphs) for row in rows if isinstance(row[-1], Fraction)]
    longest = longest_resource(width, prices[:top])
    return listing(told, longest, report, width, glyphs, top), _rest(len(rows), top)


def _paragraph(sentence: str, width: int) -> list[Text]:
    head, rest = sentence.split(":", 1)
    lines = break_lines(f"{head}:{rest}", width)
    texts = [Text(line) for line in lines]
    texts[0].stylize("bold", 0, min(len(head) + 1, len(lines[0])))
    if len(head) + 1 > len(lines[0]) and len(texts) > 1:
        texts[1].stylize("bold", 0, len(head) - len(lines[0]))
    return texts


def _prices(report: Report, width: int, glyphs: Glyphs, top: int) -> tuple[Listing, str]:
    prices = report.prices
    total = sum(prices.values(), Fraction(0))
    ranked = sorted(prices, key=lambda r: (-prices[r], r))
    numbers = [price_text(prices[resource], width, glyphs) for resource in ranked[:top]]
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
    rest = _rest(len(ranked), top)
    if rest:
        left = sum((prices[r] for r in ranked[top:]), Fraction(0))
        rest += f", together {decimal_text(left)} ({percent(left / total)} of all)"
    return Listing("", columns, rows, len(ranked), "resources"), rest


def _constraints(
    report: Report, noun: str, width: int, glyphs: Glyphs, top: int
) -> tuple[Listing, str]:
    """List the constraints that contradict each other, or that add up to a bound."""
    prices = report.result.certificate.prices
    ranked = sorted(prices, key=lambda r: (-prices[r], r))
    names = distinct([printable(name) for name in ranked], width - 14, glyphs)
    rows: list[list[Cell]] = [
        [name, price_text(prices[constraint], width, glyphs)]
        for name, constraint in zip(names[:top], ranked, strict=False)
    ]
    listed = Listing("", [Column("constraint"), Column(noun)], rows, len(ranked), "constraints")
    return listed, _rest(len(ranked), top)


def _rest(count: int, top: int) -> str:
    return f"{count - top:,} more" if count > top else ""


def _continuation(text: str, width: int) -> list[Text]:
    return [Text(f"  {line}", style="dim") for line in break_lines(f"and {text}", width - 2)]
