"""Texts get no harder: sentence lengths, semicolons and refused words by group of texts."""

import ast
from functools import cache

import pytest

from tests.tree import modules, name_of
from tests.wording import (
    MEASURES,
    TARGETS,
    Found,
    gather,
    held,
    lowered,
    measure,
    paragraphs,
    sentences,
    unnamed,
)


@cache
def seen() -> dict[str, Found]:
    return {group: measure(texts) for group, texts in gather().items()}


@pytest.mark.parametrize("group", TARGETS)
def test_no_text_is_harder_than_before(group: str) -> None:
    found = seen()[group]
    most = held()[group]
    risen = {
        name: f"{figure:g}, and {most[name]:g} at most"
        for name, figure in zip(MEASURES, found.figures, strict=True)
        if figure > most[name]
    }
    worst = "\n".join(map(str, [*found.sentences[:5], *found.refused[:5]]))
    assert risen == {}, f"{group} (more: make wording):\n{worst}"


def test_the_figures_to_hold_lie_between_targets_and_texts() -> None:
    for group, goals in TARGETS.items():
        for name, goal in zip(MEASURES, goals, strict=True):
            assert held()[group][name] >= goal, (group, name)


def test_figures_are_only_lowered() -> None:
    found = {"help": Found((12.5, 19, 40, 3, 0.2), [], [])}
    old = {"help": dict(zip(MEASURES, (12.0, 25.0, 50.0, 4.0, 0.1), strict=True))}
    assert lowered(found, old) == {"help": dict(zip(MEASURES, (12.0, 20, 40, 3, 0.1), strict=True))}


def test_sentences_semicolons_and_refused_words_are_counted() -> None:
    texts = [
        ("a", "Files take any way; nobody waits. See Fig. 3 of [the report](x.md)."),
        ("b", "`nobody` and a one-way link are no refused words."),
    ]
    found = measure(texts)
    assert found.figures == (7.0, 6, 9, 33, 95.2)
    assert [word for _, word, _ in found.refused] == ["nobody", "way"]
    assert found.sentences[0][1] == "b"


def test_a_list_item_is_a_sentence_of_its_own_and_code_a_word() -> None:
    assert sentences("Use `a b c`. It works, e.g. Here") == ["Use CODE.", "It works, e.g. Here"]


def test_a_row_of_a_table_is_a_paragraph_of_its_own() -> None:
    text = """Gives a table.

    ===== ===========
    name  meaning
    ===== ===========
    one   the first,
          and least
    two   the second
    ===== ===========

    Prose goes on
    over two lines.
    """
    found = [" ".join(one.split()) for one in paragraphs(ast.Constant(text))]
    assert [one for one in found if one] == [
        "Gives a table.",
        "name meaning",
        "one the first, and least",
        "two the second",
        "Prose goes on over two lines.",
    ]


def test_formulas_listings_and_names_of_parameters_are_no_sentences() -> None:
    text = """Gives a bound.

    .. math:: T &\\ge a \\\\
       &\\ge b

    It is used like this::

        for one in bounds: print(one)

    Parameters
    ----------
    times, sizes
        Of the tasks.
    """
    found = [" ".join(one.split()) for one in paragraphs(ast.Constant(text))]
    assert [one for one in found if one] == [
        "Gives a bound.",
        "It is used like this:",
        "Of the tasks.",
    ]


def test_tests_name_the_worker_client_or_processor_that_they_mean() -> None:
    found = [
        f"{name_of(path)}:{line}: {word}"
        for path in modules("tests")
        for line, word in unnamed(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_unnamed_words_are_found_in_docstrings_comments_and_names_but_not_in_data() -> None:
    source = '''#!/usr/bin/env python

"""A service
that Nobody asks; `somebody` is code."""
everybody = ["nobody"]  # for whoever asks
SEEN = 1
"""Seen by anybody's client."""
def nobody_waits():
    "somebody"
    return ("whoever",
        "nobody")
'''
    assert [*unnamed(source)] == [
        (4, "Nobody"),
        (5, "everybody"),
        (5, "whoever"),
        (7, "anybody"),
        (9, "somebody"),
    ]
