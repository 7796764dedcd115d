"""Tokens of running text, and the gaps between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.data.text.abbreviations import languages
from glyphone.data.text.tokens import Token, tokens_of_text

LANGUAGES = ["", "jpn", *sorted(languages())]
GAP = regex.compile(r"[\s\p{Cc}\p{Cf}]*")
PIECES = st.sampled_from(
    "a Ab don't l'arbre U.S. Dr. z.B. etc. 3 3.5 12/05 10:30pm a@b.cd http://x.y/z?q www.x , . ... "
    "? ! ( ) « » ' ’ \" - – -- — @ # é e\u0301 東京 です 。 ไทย 👨\u200d👩 \u200b \x00 \xa0 \n \t "
    ".. 1. n't 's".split(" ")
)
TEXTS = st.one_of(
    st.text(),
    st.lists(PIECES).map("".join),
    st.lists(PIECES).map(" ".join),
    st.text("a.1-'’:/@ \n"),
)


def texts_of(text: str, language: str = "") -> list[str]:
    return [token.text for token in tokens_of_text(text, language)]


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_tokens_and_gaps_are_the_text(text: str, language: str) -> None:
    tokens = tokens_of_text(text, language)
    assert all(token.text == text[token.begin : token.end] != "" for token in tokens)
    assert all(not regex.search(r"\s", token.text) for token in tokens)
    bounds = [0, *(place for token in tokens for place in (token.begin, token.end)), len(text)]
    assert bounds == sorted(bounds)
    assert all(GAP.fullmatch(text, a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True))


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("", "", ""),
        ("", " \n\t", ""),
        ("", "¿¡?!...", "¿ ¡ ?! ..."),
        ("", "ice-cream 10-year-old Jean‑Luc -5 a--b", "ice-cream 10-year-old Jean‑Luc - 5 a -- b"),
        ("", "3.14, 1,000.50; 10:30 12/05/2002 1990-1995 50%", (
            "3.14 , 1,000.50 ; 10:30 12/05/2002 1990-1995 50 %")),
        ("", "a.b@c.org, http://a.b/c_(d)?e=f. (www.x.com)", (
            "a.b@c.org , http://a.b/c_(d)?e=f . ( www.x.com )")),
        ("", "U.S.A. J.-P. Ph.D. 3rd", "U.S.A. J.-P. Ph.D. 3rd"),
        ("", "e\u0301te\u0301 👨‍👩‍👧!", "e\u0301te\u0301 👨‍👩‍👧 !"),
        ("eng", "can't it's I'll dogs' 'tis o'clock", "ca n't it 's I 'll dogs ' 'tis o'clock"),
        ("eng", "ca n't it 's", "ca n't it 's"),
        ("eng", "He said: 'hello'", "He said : ' hello '"),
        ("eng", "No. 5? No.", "No. 5 ? No ."),
        ("eng", "etc... etc.", "etc ... etc."),
        ("fra", "l'arbre qu'il aujourd'hui presqu'île", "l' arbre qu' il aujourd'hui presqu'île"),
        ("ita", "dell’arte c'è", "dell’ arte c' è"),
        ("nld", "'s avonds, foto's", "'s avonds , foto's"),
        ("spa", "El Sr. Paz, EE.UU.", "El Sr. Paz , EE.UU."),
        ("deu", "z.B. u. a. Nr. 5", "z.B. u. a. Nr. 5"),
        ("rus", "ул. Ленина, т. е. дом", "ул. Ленина , т. е. дом"),
        ("jpn", "東京です。", "東 京 で す 。"),
    ],
)  # fmt: skip
def test_tokens_are_those_of_the_field(language: str, text: str, tokens: str) -> None:
    assert texts_of(text, language) == tokens.split()


def test_kinds() -> None:
    kinds = {token.text: token.kind for token in tokens_of_text("Dr. Ng: 3.5 (x@y.zz)", "eng")}
    assert kinds == {
        "Dr.": "abbreviation", "Ng": "word", ":": "mark", "3.5": "number", "(": "mark",
        "x@y.zz": "address", ")": "mark",
    }  # fmt: skip


def test_parts_of_words_keep_their_offsets() -> None:
    assert tokens_of_text(" don't", "eng") == [Token("do", 1, 3), Token("n't", 3, 6)]


@pytest.mark.parametrize(
    "piece", ["a", "a.", "1:", "a+", "1-", "www.", ".", "a@", "'s", "http://,"]
)
def test_one_long_line_is_read_in_one_go(piece: str) -> None:
    """A run without blanks, in which a pattern might look for its end again and again."""
    tokens = tokens_of_text(piece * 20_000)
    assert tokens[0].begin == 0 and tokens[-1].end == 20_000 * len(piece)
    assert all(one.end == other.begin for one, other in pairwise(tokens))


def test_a_language_has_a_code_of_three_letters() -> None:
    with pytest.raises(GlyphoneError, match="language is 'English'"):
        tokens_of_text("a", "English")
