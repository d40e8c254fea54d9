"""Why no schedule does better, in words."""

from fractions import Fraction

from rich.text import Text

from steadygrid.domain.job import Outcome
from steadygrid.domain.view import Section, one
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import TOP, Cell, Column, folded
from steadygrid.report.layout import table as laid_out
from steadygrid.report.names import distinct
from steadygrid.report.quantities import (
    counted,
    decimal_text,
    exact_text,
    percent,
)
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase, price_text, table
from steadygrid.report.tables import longest_resource


def certificate(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Explain the certificate of an answer and list what it prices; nothing if it has none."""
    proof = report.result.certificate
    bound = report.result.bound
    objective = report.result.objective
    if proof.type == "lp_duality" and objective is not None and objective.minimised:
        return _least(report, width, glyphs)
    if proof.type == "lp_duality" and bound is not None:
        total = sum(proof.prices.values(), Fraction(0))
        head = (
            f"Why no schedule does more than {exact_text(bound.value, glyphs)}"
            f" {counted(report.noun, bound.value)} {report.per_time}: "
        )
        if not proof.prices:
            return _paragraph(f"{head}there is no way at all to do {one(report.noun)}.", width)
        sentence = (
            f"{head}give every resource its price below (0 if it is not listed)."
            f" Whichever way {one(report.noun)} is done, what it uses is worth at least 1; all"
            f" resources together are worth {exact_text(total, glyphs)} {report.per_time}."
            " A price also says how much the throughput can gain, at most, from one more of that"
            " resource."
        )
        return [*_paragraph(sentence, width), *_prices(report, total, "price", width, glyphs)]
    if report.view.proof is not None:
        return _own(report, report.view.proof, width, glyphs)
    if proof.type == "farkas" and bound is not None:
        total = sum(proof.prices.values(), Fraction(0))
        value = exact_text(bound.value, glyphs)
        longest = report.duration(1 / bound.value, glyphs)
        sentence = (
            f"Why no allocation does more than {value}"
            f" {counted(report.noun, bound.value)} {report.per_time}: one that did would keep every"
            f" resource for less than {longest}, so no task and no transfer in it takes as long."
            " Give every resource its price below (0 if it is not listed). Whatever is left uses"
            " what is worth at least 1, and all resources together are worth"
            f" {exact_text(total, glyphs)} {report.per_time}."
        )
        return [*_paragraph(sentence, width), *_prices(report, total, "price", width, glyphs)]
    if proof.type == "farkas":
        sentence = (
            "Why no schedule exists: add up the constraints, each as often as its weight below"
            " says, and they contradict each other."
        )
        return [*_paragraph(sentence, width), *_constraints(report, "weight", width, glyphs)]
    if proof.type == "search":
        solver = f" of {proof.solver}" if proof.solver else ""
        nodes = f" after {proof.nodes:,} nodes" if proof.nodes is not None else ""
        ended = "closed" if report.result.outcome is Outcome.OPTIMAL else "stopped"
        sentence = (
            f"Why: the search{solver} was {ended}{nodes}. Its bound is a floating-point number,"
            " not a proof in exact arithmetic."
        )
        return _paragraph(sentence, width)
    return []


def _own(report: Report, told: Section, width: int, glyphs: Glyphs) -> list[Text]:
    """Write a proof that only the kind knows."""
    lines = _paragraph(phrase(told.text, report, glyphs), width)
    if told.table is None:
        return lines
    rows = told.table.rows
    prices = [price_text(row[-1], width, glyphs) for row in rows if isinstance(row[-1], Fraction)]
    lines += table(told.table, longest_resource(width, prices[:TOP]), report, width, glyphs)
    return lines + (_more(f"{len(rows) - TOP:,} more", width) if len(rows) > TOP else [])


def _least(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Explain why nothing gets below a bound: the prices of what has to wait for what."""
    bound, objective = report.result.bound, report.result.objective
    assert bound is not None
    assert objective is not None
    name = objective.name.replace("_", " ")
    head = f"Why no schedule has a {name} below {report.duration(bound.value, glyphs)}: "
    prices = report.result.certificate.prices
    if not prices:
        return _paragraph(f"{head}{_without_prices(report, glyphs)}.", width)
    sentence = (
        f"{head}add up the constraints below, each as often as its price says, and the {name} is"
        " at least that. A price says how much later the end comes, at most, for each time unit"
        " by which the constraint is tightened."
    )
    return [*_paragraph(sentence, width), *_constraints(report, "price", width, glyphs)]


def _without_prices(report: Report, glyphs: Glyphs) -> str:
    """Say where the prices are, or why there are none."""
    if report.view.unpriced:
        return phrase(report.view.unpriced, report, glyphs)
    bound = report.result.bound
    if bound is not None and bound.value:
        return "until then nobody is available who can do some part"
    return "nothing can be negative"


def _paragraph(sentence: str, width: int) -> list[Text]:
    head, rest = sentence.split(":", 1)
    lines = folded(f"{head}:{rest}", width)
    texts = [Text(line) for line in lines]
    texts[0].stylize("bold", 0, min(len(head) + 1, len(lines[0])))
    if len(head) + 1 > len(lines[0]) and len(texts) > 1:
        texts[1].stylize("bold", 0, len(head) - len(lines[0]))
    return texts


def _prices(report: Report, total: Fraction, noun: str, width: int, glyphs: Glyphs) -> list[Text]:
    prices = report.result.certificate.prices
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
        Column(noun),
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
