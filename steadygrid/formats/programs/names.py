"""Names of columns and rows, as every reader of LP and MPS files takes them, and back.

``computed(shore%2D1)`` is the word ``computed`` with the part ``shore-1``. What is neither an ASCII
letter nor a digit, ``_`` or ``.`` is a percent sign with two hexadecimal digits for each of its bytes
in UTF-8, as in URLs. Longer names than readers take are numbered, ``computed(#17)``, and a comment
says what they stand for.
"""

from collections.abc import Sequence
from urllib.parse import quote, unquote

from steadygrid.domain.stated_program import Name

MOST_CHARACTERS = 255
"""Of a name: CPLEX and HiGHS read no more."""


def written_name(name: Name) -> str:
    """Write a name.

    Parameters
    ----------
    name
        Its word consists of letters, digits and ``_``.

    Examples
    --------
    >>> written_name(Name("input_sent", ("shore-1", "a,b")))
    'input_sent(shore%2D1,a%2Cb)'
    >>> written_name(Name("throughput"))
    'throughput'
    """
    return f"{name.word}({','.join(map(_quoted, name.parts))})" if name.parts else name.word


def read_name(text: str) -> Name:
    """Read a name that `written_name` has written.

    Parameters
    ----------
    text
        Not one that a comment explains.

    Examples
    --------
    >>> read_name("input_sent(shore%2D1,a%2Cb)")
    Name(word='input_sent', parts=('shore-1', 'a,b'))
    """
    word, opened, rest = text.partition("(")
    return Name(word, tuple(map(unquote, rest[:-1].split(","))) if opened else ())


def short_names(names: Sequence[Name]) -> tuple[list[str], dict[str, str]]:
    """Write names so that readers take them.

    Parameters
    ----------
    names
        No two alike.

    Returns
    -------
    list of str
        The names, as they stand in the file.
    dict
        What the numbered ones of them stand for.
    """
    written, explained = [], {}
    for number, name in enumerate(names):
        text = written_name(name)
        if len(text) > MOST_CHARACTERS:
            short = f"{name.word}(#{number})"
            explained[short] = text
            text = short
        written.append(text)
    return written, explained


def _quoted(part: str) -> str:
    return quote(part, safe="").replace("-", "%2D").replace("~", "%7E")
