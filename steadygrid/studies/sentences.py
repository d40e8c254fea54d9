"""Sentences about studies, which the command line and the pages say alike."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.resources import compute_resource
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.quantities import counted, exact_text, percent
from steadygrid.studies.replanned import GoneResource, ScheduleChange
from steadygrid.studies.study import StudyOut

_NAMED = 3
"""Resources that a sentence names. The rest is counted."""


def opening(told: StudyOut, glyphs: Glyphs) -> str:
    """Say what a study is about, and what can be known of it.

    Parameters
    ----------
    told
        The study.
    glyphs
        Characters to draw with.
    """
    value = f"{told.objective.replace('_', ' ')} {exact_text(told.value, glyphs)}"
    if not told.factor:
        return f"The answer has the {value}."
    if told.optimum is None:
        return f"The answer has the {value}. Only solving says what helps: {told.unpriced}."
    return (
        f"The answer has the {value}. Prices say what an upgrade brings at most, and it may be nothing."
        " Exact values are solved."
    )


def closing(told: StudyOut, glyphs: Glyphs) -> list[str]:
    """Say which upgrade is the best, and whether that is proved.

    Parameters
    ----------
    told
        The study.
    glyphs
        Characters to draw with.
    """
    if not told.factor or not told.upgrades:
        return []
    best = next((one for one in told.upgrades if one.resource == told.best), None)
    if best is None or best.exact is None:
        return ["Nothing is solved, so nothing is known to help."]
    name = printable(best.resource)
    noun = told.objective.replace("_", " ")
    if best.gain is not None and best.gain <= 0:
        found = "No upgrade that was solved brings anything"
    else:
        word = "more" if told.objective == "throughput" else "less"
        brings = f"a {noun} of {exact_text(best.exact, glyphs)}"
        if best.gain is not None:
            brings = f"{percent(best.gain)} {word} {noun}"
        found = f"{name}, {exact_text(told.factor, glyphs)} times as fast, brings {brings}"
    if told.proved_best:
        return [f"{found}. Nothing else that is listed brings more."]
    if told.proved_best is None or told.next_bound is None:
        return [f"{found}. Others may bring more."]
    bound = exact_text(told.next_bound, glyphs)
    return [f"{found}. With others the {noun} is at most {bound}."]


def lost(gone: Sequence[GoneResource]) -> str:
    """Say why nothing of a schedule can be kept; empty where something is."""
    if not gone:
        return ""
    names = [one.resource.rpartition(".")[0] for one in gone]
    processors = {
        name
        for name, one in zip(names, gone, strict=True)
        if one.resource == compute_resource(name)
    }
    named = [
        f"{printable(name)}, which {percent(one.share)} of the instances need"
        for name, one in zip(names, gone, strict=True)
        if not any(_ends_at(name, processor) for processor in processors)
    ]
    more = [f"and {len(named) - _NAMED:,} more"] if len(named) > _NAMED else []
    verb = "is" if len(named) == 1 else "are"
    told = "; ".join((*named[:_NAMED], *more))
    return f"Nothing of the schedule can be kept as it is: {told}, {verb} gone."


def _ends_at(link: str, processor: str) -> bool:
    return link.startswith(f"{processor}->") or link.endswith(f"->{processor}")


def changes(change: ScheduleChange) -> str:
    """Say in numbers how two schedules differ."""
    listed = change.allocations
    before = listed.kept + listed.dropped
    return (
        f"The new schedule has {listed.kept} of the {before} {counted('allocation', Fraction(before))} of"
        f" before, for {percent(listed.share_kept)} of its work, and {listed.new} new"
        f" {counted('one', Fraction(listed.new))}."
        f" Tasks that run elsewhere: {change.tasks_moved}. Files over links: {change.transfers_appear}"
        f" appear, {change.transfers_vanish} vanish."
    )
