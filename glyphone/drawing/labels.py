"""Arcs in text that can be read: labels of edges, symbols and weights.

Epsilon is ε, a space ␣, a combining mark stands on ◌, what cannot be seen is written as its code
point, and a symbol that looks like this notation is quoted. An arc is input:output/weight, as in
OpenFst; without the output where it equals the input, without the weight where that is 0.

>>> edge_label([("a", "a", 0.0), ("b", "b", 0.0), ("c", "", 0.25)])
('a b', 'c:ε/0.25')
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

EPSILON = "ε"
# Of the pairs in one label, this many get a line each; more are packed into lines this wide.
STACKED = 4
LINE = 22
LINES = 4
# Identity pairs beyond these are only counted.
IDENTITIES = 8

_NOTATION = frozenset("ε␣◌:,…/'")
_LEFT_TO_RIGHT = "\u200e"

Pair = tuple[str, str, float]


def symbol_text(symbol: str) -> str:
    """A symbol as it is shown.

    >>> [symbol_text(symbol) for symbol in ("", " ", "\\u0301", "\\n", "a b", ":", "ε", "tʃ")]
    ['ε', '␣', '◌́', 'U+000A', 'a␣b', "':'", "'ε'", 'tʃ']
    """
    if not symbol:
        return EPSILON
    if symbol in _NOTATION:
        return f"'{symbol}'"
    shown = visible_text(symbol).replace(" ", "␣")
    if unicodedata.category(shown[0]).startswith("M"):
        shown = "◌" + shown
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in shown):
        # Without the marks a viewer would set a pair of Arabic letters output first.
        shown = _LEFT_TO_RIGHT + shown + _LEFT_TO_RIGHT
    return shown


def visible_text(text: str) -> str:
    """The text with its invisible characters written as code points.

    Joiners within a text stay: they shape Indic letters and Arabic, which shows them.

    >>> visible_text("a\\x00b\\u00a0"), visible_text("\\u200d"), len(visible_text("क्\\u200dष"))
    ('aU+0000bU+00A0', 'U+200D', 4)
    """
    last = len(text) - 1
    return "".join(
        character
        if character.isprintable() or (character in "\u200c\u200d" and 0 < place < last)
        else f"U+{ord(character):04X}"
        for place, character in enumerate(text)
    )


def storable_text(text: str) -> str:
    """The text without what no XML can hold and no terminal should.

    >>> storable_text("a\\x00\\n<")
    'aU+0000U+000A<'
    """
    return "".join(
        f"U+{ord(character):04X}"
        if unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff"
        else character
        for character in text
    )


def weight_text(weight: float) -> str:
    """Three digits, or nothing for 0.

    >>> [weight_text(weight) for weight in (0.0, -math.log(0.3), 12345.6, 1e-9, math.inf)]
    ['', '1.2', '12346', '1e-09', '∞']
    """
    if weight == 0:
        return ""
    if math.isinf(weight):
        return "∞"
    return f"{weight:.0f}" if 999.5 <= abs(weight) < 1e6 else f"{weight:.3g}"


def arc_text(pair: Pair) -> str:
    source, target, weight = pair
    weighted = f"/{text}" if (text := weight_text(weight)) else ""
    return pair_text(source, target) + weighted


def pair_text(source: str, target: str) -> str:
    if source == target:
        return symbol_text(source)
    return f"{symbol_text(source)}:{symbol_text(target)}"


def edge_label(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The lines of a label: identity pairs in one line, the others below.

    >>> edge_label([(c, c, 0.0) for c in "abcdefghijkl"] + [("c", "k", 0.0)])
    ('a b c d e f g h … (12)', 'c:k')
    >>> edge_label([(c, c.upper(), 0.0) for c in "abcdefg"])
    ('a:A, b:B, c:C, d:D,', 'e:E, f:F, g:G')
    """
    same = [
        symbol_text(source) for source, target, weight in pairs if source == target and not weight
    ]
    others = [arc_text(pair) for pair in pairs if pair[0] != pair[1] or pair[2]]
    if len(same) > IDENTITIES + 2:
        same[IDENTITIES:] = ["…", f"({len(same)})"]
    return (*([" ".join(same)] if same else []), *stack_lines(others))


def stack_lines(texts: Sequence[str]) -> tuple[str, ...]:
    """One line each if they are few, else packed into a few lines and the rest counted."""
    if len(texts) <= STACKED:
        return tuple(texts)
    lines = [""]
    for place, text in enumerate(texts):
        word = text if place == len(texts) - 1 else f"{text},"
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE:
            if len(lines) == LINES:
                return (*lines[:-1], f"{lines[-1]} … ({len(texts)})")
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip(" ")
    return tuple(lines)
