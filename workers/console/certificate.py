"""Why no schedule does better, in words."""

from fractions import Fraction
from textwrap import wrap

from rich.text import Text

from workers.console.glyphs import Glyphs, bar, pad, shorten
from workers.console.quantities import decimal_text, exact_text, full_text, percent, plural
from workers.console.report import Report
from workers.console.tables import TOP, Column, table


def certificate(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Explain the certificate of an answer and list what it prices; nothing if it has none."""
    proof = report.result.certificate
    bound = report.result.bound
    if proof.type == "lp_duality" and bound is not None:
        total = sum(proof.prices.values(), Fraction(0))
        tasks = plural(report.noun)
        sentence = (
            f"Why no schedule does more than {exact_text(bound.value, glyphs)} {tasks}"
            f" {report.per_time}: give every resource its price below (0 if it is not listed)."
            f" Whichever way a {report.noun} is done, what it uses is worth at least 1; all"
            f" resources together are worth {exact_text(total, glyphs)} {report.per_time}."
            " A price also says how much the throughput can gain, at most, from one more of that"
            " resource."
        )
        return [*_paragraph(sentence, width), *_prices(proof.prices, total, width, glyphs)]
    if proof.type == "farkas":
        sentence = (
            "Why no schedule exists: add up the constraints, each as often as its weight below"
            " says, and they contradict each other."
        )
        return [*_paragraph(sentence, width), *_prices(proof.prices, None, width, glyphs)]
    if proof.type == "search":
        solver = f" of {proof.solver}" if proof.solver else ""
        nodes = f" after {proof.nodes:,} nodes" if proof.nodes is not None else ""
        sentence = (
            f"Why: the search{solver} was closed{nodes}. Its bound is a floating-point number,"
            " not a proof in exact arithmetic."
        )
        return _paragraph(sentence, width)
    return []


def _paragraph(sentence: str, width: int) -> list[Text]:
    head, rest = sentence.split(":", 1)
    lines = wrap(f"{head}:{rest}", width, break_on_hyphens=False)
    texts = [Text(line) for line in lines]
    texts[0].stylize("bold", 0, min(len(head) + 1, len(lines[0])))
    if len(head) + 1 > len(lines[0]) and len(texts) > 1:
        texts[1].stylize("bold", 0, len(head) - len(lines[0]))
    return texts


def _prices(
    prices: dict[str, Fraction], total: Fraction | None, width: int, glyphs: Glyphs
) -> list[Text]:
    ranked = sorted(prices, key=lambda r: (-prices[r], r))
    bars = max(min(40, width - 60), 8)
    rows = []
    for resource in ranked[:TOP]:
        cells = [shorten(resource, 34, glyphs), full_text(prices[resource], glyphs)]
        if total:
            share = prices[resource] / total
            cells += [percent(share), pad(bar(share, bars, glyphs), bars)]
        rows.append(cells)
    columns = [Column("resource"), Column("price" if total else "weight")]
    if total:
        columns += [Column("of all", right=True), Column("", style="magenta")]
    lines = table(columns, rows, width) if rows else []
    if len(ranked) > TOP:
        rest = sum((prices[r] for r in ranked[TOP:]), Fraction(0))
        more = f"  and {len(ranked) - TOP:,} more"
        if total:
            more += f", together {decimal_text(rest)} ({percent(rest / total)} of all)"
        lines.append(Text(more, style="dim"))
    return lines
