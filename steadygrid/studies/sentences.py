"""Sentences about studies, which the command line and the pages say alike."""

from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.quantities import exact_text, percent
from steadygrid.studies.replanned import ScheduleChange
from steadygrid.studies.study import StudyOut


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
        return f"The answer has the {value}; only solving says what helps: {told.unpriced}."
    return (
        f"The answer has the {value}. Prices say what an upgrade brings at most, and it may be nothing;"
        " exact values are solved."
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
    if best.gain is not None and best.gain <= 0:
        found = f"None of those that are solved helps; {name} is the first of them"
    else:
        found = f"{name} is the best of those that are solved"
    if told.proved_best:
        return [f"{found}, and proved the best of all that are listed."]
    if told.proved_best is None or told.next_bound is None:
        return [f"{found}; others may be better."]
    bound = exact_text(told.next_bound, glyphs)
    return [f"{found}; of others no more is proved than at most {bound}."]


def changes(change: ScheduleChange) -> str:
    """Say in numbers how two schedules differ."""
    listed = change.allocations
    return (
        f"The new schedule has {listed.kept} of the {listed.kept + listed.dropped} allocations of"
        f" before, for {percent(listed.share_kept)} of its work, and {listed.new} new ones;"
        f" tasks that run elsewhere: {change.tasks_moved}; files over links: {change.transfers_appear}"
        f" appear, {change.transfers_vanish} vanish."
    )
