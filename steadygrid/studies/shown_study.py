"""Studies as people read them: a sentence, a table, what is proved, notes."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from rich.text import Text

from steadygrid.domain.job import Outcome
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import Cell, Column, break_lines, printed, table, titled
from steadygrid.report.quantities import cell_text, percent
from steadygrid.studies.sentences import closing, opening
from steadygrid.studies.study import StudyOut, UpgradeOut

_MOST_ROWS = 40


class ShownStudy(StudyOut):
    """A study whose text is what ``steadygrid what-if`` prints.

    It is in ASCII where the standard output takes no more.
    """

    def __repr__(self) -> str:
        return printed(partial(study_lines, self))

    __str__ = __repr__


def study_lines(told: StudyOut, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a study: a sentence, a table, what is proved, notes.

    Parameters
    ----------
    told
        The study.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    lines = [Text(line) for line in break_lines(opening(told, glyphs), width)]
    if told.upgrades:
        shown = told.upgrades[:_MOST_ROWS]
        if not told.factor:
            # Without bounds nothing is known of what is not solved.
            shown = [one for one in shown if one.exact is not None or one.note is not None]
        rows = table(_columns(told), [_row(told, one) for one in shown], width, glyphs)
        title = "What if it fails" if not told.factor else f"{told.factor} times as fast"
        lines += [
            Text(),
            *titled(title, rows, len(told.upgrades), "resources", width, len(shown)),
        ]
    said = [*closing(told, glyphs), *(f"note: {note}" for note in told.notes)]
    said += [
        f"note: {printable(one.resource)}: {printable(one.note)}"
        for one in told.upgrades
        if one.note
    ]
    for sentence in said:
        lines += [Text(line) for line in break_lines(sentence, width)]
    return lines


def _columns(told: StudyOut) -> Sequence[Column]:
    bounds = [Column("at most", right=True), Column("gain at most", right=True)]
    minimised = told.objective != "throughput"
    change = "saved" if minimised else "gain"
    return [
        Column("resource"),
        Column("alike", right=True, optional=True),
        Column("busy", right=True, optional=True),
        *(bounds if told.optimum is not None else ()),
        Column("exact", right=True),
        Column(change if told.factor else "change", right=True),
    ]


def _row(told: StudyOut, one: UpgradeOut) -> Sequence[Cell]:
    bounds = (
        "?" if one.at_most is None else cell_text(one.at_most),
        "?" if one.gain_at_most is None else percent(one.gain_at_most),
    )
    exact = "" if one.exact is None else cell_text(one.exact)
    if one.outcome is Outcome.FEASIBLE:
        exact = f"{'<=' if told.objective != 'throughput' else '>='} {exact}"
    return [
        printable(one.resource),
        str(one.members) if one.members > 1 else "",
        "?" if one.occupation is None else percent(one.occupation),
        *(bounds if told.optimum is not None else ()),
        exact,
        "" if one.gain is None else _signed(one.gain),
    ]


def _signed(gain: Fraction) -> str:
    return f"-{percent(-gain)}" if gain < 0 else percent(gain)
