"""The first lines of an answer: what it is, what it means, how sure it is."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.job import Outcome, Proof, Robustness
from steadygrid.domain.sentences import course
from steadygrid.report.bottleneck import bottleneck
from steadygrid.report.glyphs import UNICODE, Glyphs, shorten
from steadygrid.report.layout import break_lines, definition
from steadygrid.report.quantities import (
    amount,
    counted,
    exact_text,
    full_text,
    small_percent,
)
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase

_LABEL_WIDTH = 13
REMARKS = "Remarks of the solver, not judged by the referee"
"""Heads notes and warnings."""

_VERDICTS = {
    Outcome.OPTIMAL: ("OPTIMAL", "bold green"),
    Outcome.FEASIBLE: ("FEASIBLE", "bold yellow"),
    Outcome.INFEASIBLE: ("INFEASIBLE", "bold red"),
    Outcome.BOUND_ONLY: ("ONLY A BOUND", "bold yellow"),
    Outcome.UNKNOWN: ("NOTHING FOUND", "bold yellow"),
}


def summary(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Say what was asked, what came out and what it means.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    lines = [*_subject(report, width, glyphs), *_verdict(report, width), Text()]
    if meaning := phrase(report.view.headline, report, glyphs):
        lines += [Text("  " + line, style="bold") for line in break_lines(meaning, width - 2)]
        lines.append(Text())
    told = list(facts(report, width, glyphs))
    indent = max([_LABEL_WIDTH, *(len(label) + 1 for label, _ in told)])
    for label, text in told:
        lines += definition(label, text, width, indent, "cyan")
    return lines


def remarks(report: Report, width: int) -> list[Text]:
    """List notes and warnings, under a heading that says whose they are. Nothing if there are none.

    Parameters
    ----------
    report
        The answer, and what was asked.
    width
        Cells per line.
    """
    lines: list[Text] = []
    for label, text in report.remarks:
        style = "yellow" if label == "warning" else "cyan"
        lines += definition(label, text, width, _LABEL_WIDTH, style)
    head = [Text(line, style="bold") for line in break_lines(f"{REMARKS}:", width)]
    return [*head, *lines] if lines else []


def subject(report: Report) -> tuple[str, str, str]:
    """Give the name of what was asked about, the word before it, and how much of it there is."""
    platform, view = report.platform, report.view
    if platform is None:
        return view.subject, "of", view.extent
    processors = platform.processors
    switches = sum(one.switch for one in processors)
    counts = [
        amount(
            sum(1 if one.members is None else one.members for one in processors) - switches,
            "processor",
            UNICODE,
        ),
        *([f"{switches:,} {'switch' if switches == 1 else 'switches'}"] if switches else []),
        amount(len(platform.links), "link", UNICODE),
    ]
    return platform.name or "", "on", f"{', '.join(counts)}, {report.ports}"


def _subject(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    head = Text(report.result.kind, style="bold")
    name, before, extent = subject(report)
    counts = f"({extent})" if extent else ""
    if name:
        room = width - cell_len(head.plain) - len(before) - 2
        head.append(f" {before} {shorten(name, room, glyphs)}")
    if not counts:
        return [head]
    if cell_len(head.plain) + 1 + len(counts) <= width:
        return [head.append(f" {counts}", style="not bold")]
    return [head, *map(Text, break_lines(counts, width))]


def verdict(report: Report) -> tuple[str, str]:
    """Give the verdict in a word or two, and what it rests on."""
    reasons = ", ".join(_reasons(report))
    if report.result.proof is Proof.SEARCH and report.result.outcome is Outcome.OPTIMAL:
        reasons += ", optimality rests on the search alone"
    word = _VERDICTS[report.result.outcome][0]
    if report.result.outcome is Outcome.OPTIMAL:
        if report.loses:
            word += " RATES"
            reasons += f"; this schedule does {_loss(report)}"
        word += f" {report.view.scope}" if report.view.scope else ""
    return word, reasons


def _verdict(report: Report, width: int) -> list[Text]:
    word, reasons = verdict(report)
    lines = break_lines(f"{word}: {reasons}" if reasons else word, width)
    texts = [Text(line) for line in lines]
    texts[0].stylize(_VERDICTS[report.result.outcome][1], 0, len(word))
    return texts


def _reasons(report: Report) -> Iterator[str]:
    """Say what the verdict rests on."""
    outcome, proof = report.result.outcome, report.result.proof
    if outcome is Outcome.UNKNOWN:
        yield "another method may find a schedule"
        return
    if report.proved:
        yield "proved in exact arithmetic"
    elif outcome is Outcome.INFEASIBLE:
        yield "no schedule exists"
        if proof is Proof.SEARCH:
            yield "by the search's word"
        elif proof is Proof.EXACT or report.result.certificate.type == "farkas":
            yield "proved in exact arithmetic"
    if report.result.verified:
        yield "checked by the referee"
    if "/objective" in report.not_judged:
        yield "but the value is the method's own word"


def facts(report: Report, width: int, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """Tell value, bound and all else that the first lines say, each with its label.

    Parameters
    ----------
    width
        Cells per line.
    """
    result = report.result
    yield "method", result.method
    if report.loses:
        yield from _possible(report, glyphs)
    elif result.objective is not None:
        yield result.objective.name.replace("_", " "), value_text(report, glyphs)
    if result.bound is not None and not (report.loses and report.is_best):
        yield "bound", _bound(report, glyphs)
    if limiting := bottleneck(report, width - _LABEL_WIDTH - 1, glyphs):
        yield "bottleneck", limiting
    for label, told in report.view.facts:
        yield label, phrase(told, report, glyphs)
    if result.robustness is not None:
        yield "run it", how_to_run(result.robustness)
    if report.names.left_out:
        yield "names", f"shown without the ending {report.names.left_out}, which input needs"
    schedule = report.schedule
    if schedule is None:
        return
    if schedule.rounding_loss not in (None, 0) and not schedule.loss:
        yield (
            "rounding",
            f"rounding each count down would lose {small_percent(schedule.rounding_loss)}",
        )
    if not schedule.instances_per_period:
        return
    for label, told in course(schedule, report.noun):
        yield label, phrase(told, report, glyphs)


_EXECUTIONS = {
    "clock": "by the clock",
    "order": "in its order, without dates",
    "dispatch": "in the dispatch order",
    "on_demand": "on demand",
    "heft": "by HEFT, in batches",
    "program": "as the exported program",
}


def how_to_run(told: Robustness) -> str:
    """Say how to carry a schedule out, and what is left of it.

    Parameters
    ----------
    told
        What was simulated.
    """
    how = _EXECUTIONS[told.execution] + (", with overtaking" if told.overtake is True else "")
    noise, kept = small_percent(told.noise), small_percent(told.of_plan)
    others = [
        _EXECUTIONS[one.execution] + (", with overtaking" if one.overtake is True else "")
        for one in told.alike or ()
    ]
    as_good = f". As good: {' / '.join(others)}" if others else ""
    return f"{how}: {kept} of the plan at {noise} noise, simulated{as_good}"


def value_text(report: Report, glyphs: Glyphs) -> str:
    """Write the value that was found in both forms, with its unit.

    Parameters
    ----------
    report
        Of an answer with a value.
    glyphs
        Characters to draw with.
    """
    objective = report.result.objective
    assert objective is not None
    if objective.name == "throughput":
        noun = counted(report.noun, objective.value)
        return full_text(objective.value, glyphs, f"{noun} {report.per_time}")
    unit = report.time_unit if objective.is_time else None
    return full_text(objective.value, glyphs, unit or "")


def _bound(report: Report, glyphs: Glyphs) -> str:
    bound, gap = report.result.bound, report.result.gap
    assert bound is not None
    if report.proved:
        return f"{exact_text(bound.value, glyphs)}: reached, {none_better(report)}"
    sure = "proved exactly" if bound.exact else "by the solver, in floating point"
    if report.result.objective is None or gap is None:
        return f"{full_text(bound.value, glyphs)} ({sure})"
    closeness = f"gap {small_percent(gap)}" if gap else "reached"
    if report.is_best:
        closeness += f", {none_better(report)}"
    if gap and gap <= report.submission.options.mip_gap:
        closeness += ", no more than mip_gap allows"
    return f"{full_text(bound.value, glyphs)} ({sure}), {closeness}"


SUITS_RUN = "this period was chosen for the run, whose start and end count, too"
COMES_NEAR = "longer periods come as near to it as you like"


def none_better(report: Report) -> str:
    """Say what does no better, where the value is the optimum and the schedule reaches it."""
    return f"no {_rivals(report)} does better"


def none_exceeds(report: Report) -> str:
    """Say what does not exceed the optimum, where the schedule does less."""
    chosen = report.schedule is not None and report.schedule.bounded == "run"
    return f"no {_rivals(report)} exceeds it; {SUITS_RUN if chosen else COMES_NEAR}"


def _rivals(report: Report) -> str:
    # Prices hold for mixes of allocations too, the other proofs for one allocation only.
    priced = report.result.certificate.adds_up
    return report.view.rivals or ("schedule" if priced else "allocation")


def _loss(report: Report) -> str:
    assert report.schedule is not None
    return f"{small_percent(report.schedule.loss)} less"


def _possible(report: Report, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """Tell what the schedule does and, by another name, what its rates do in longer periods."""
    schedule = report.schedule
    assert schedule is not None
    unit = f"{counted(report.noun, schedule.throughput)} {report.per_time}"
    name = "optimum" if report.is_best else "rates"
    text = f"{full_text(schedule.throughput, glyphs, unit)}, {_loss(report)} than the {name}"
    rounding = schedule.rounding_loss
    if rounding is not None and rounding != schedule.loss:
        text += f" (rounding each count down would lose {small_percent(rounding)})"
    yield "schedule", text
    value = value_text(report, glyphs)
    if not report.is_best:
        yield name, f"{value}, in longer periods"
    elif report.proved:
        yield name, f"{value}: {none_exceeds(report)}"
    else:
        yield name, f"{value} (by the solver, in floating point): {none_exceeds(report)}"
