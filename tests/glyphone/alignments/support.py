"""A lexicon, any alignment, and `glyphone align`, for tests of alignments."""

from __future__ import annotations

from hypothesis import strategies as st

from glyphone.data.records import Alignment
from tests.glyphone.support import Ran, glyphone

LEXICON = (
    "phone\tf oʊ n\ngraph\tɡ ɹ æ f\nphi\tf aɪ\nhi\th aɪ\nrag\tɹ æ ɡ\none\tw ʌ n\nfine\tf aɪ n\n"
)
symbols = st.text(
    st.sampled_from("ab:|_\\ \t\n\rːñ\u0301\u200dشक한\u2028") | st.characters(), min_size=1
)
sides = st.lists(symbols.filter(bool), max_size=3).map(tuple)
cuts = st.lists(st.tuples(sides, sides), max_size=5).map(lambda units: Alignment(tuple(units)))


def run(*arguments: str, stdin: str = "") -> Ran:
    return glyphone("align", *arguments, stdin=stdin.encode())


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]
