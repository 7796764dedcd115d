"""Position automata against regular expressions of Python's."""

from __future__ import annotations

import re

from hypothesis import given, settings

from glyphone.fst.rules.expressions import Chain, Choice, Edge, Expression, Repeat, Symbol
from glyphone.fst.rules.glushkov import DEAD, EDGE, Matcher, mirror
from glyphone.fst.rules.parser import Notation
from tests.fst.support import LETTERS, expressions, words


def pattern(expression: Expression) -> str:
    match expression:
        case Symbol(text):
            return text
        case Edge():
            return EDGE
        case Chain(parts):
            return "".join(map(pattern, parts))
        case Choice(parts):
            return f"(?:{'|'.join(map(pattern, parts))})"
        case Repeat(part, low, unbounded):
            return f"(?:{pattern(part)})" + ("?" if not unbounded else "*+"[low])


@settings(deadline=None, max_examples=150)
@given(expressions(edge=True), words)
def test_what_matches(text: str, word: tuple[str, ...]) -> None:
    expression = Notation(LETTERS).parse_whole(Notation(LETTERS).split_lexemes(text))
    string = "".join(word) + EDGE
    exact, anywhere = Matcher(expression), Matcher(expression, anywhere=True)
    behind = Matcher(mirror(expression))
    one, other = exact.start, anywhere.start
    for end in range(len(string) + 1):
        if end:
            one, other = exact.step(one, string[end - 1]), anywhere.step(other, string[end - 1])
        begins = [a for a in range(end + 1) if re.fullmatch(pattern(expression), string[a:end])]
        assert exact.accepting[one] == (0 in begins)
        assert anywhere.accepting[other] == bool(begins)
        assert other != DEAD
        assert behind.accepting[behind.run(behind.start, string[:end][::-1])] == (0 in begins)
