"""Symbols and offsets of every kind of text, and the helpers of error messages."""

from __future__ import annotations

import unicodedata
from itertools import product
from random import Random
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError, UnknownName
from glyphone.data.writing import (
    Case,
    NormalForm,
    Split,
    Unit,
    Writing,
    describe_symbol,
    suggest_symbol,
)

WRITINGS = [
    Writing(unit, form, case)
    for unit, form, case in product(get_args(Unit), get_args(NormalForm), get_args(Case))
]
# Jamo and Hangul, nukta, marks of several classes, length-changing case, compatibility forms.
AWKWARD = (
    "aAnNsSkKqQ ßẞİıŉǰΐΣσςΑᾼᾳÅÅﬁﬃ½…´ºªK \u3000\u0085\t\n\r"
    "\u0301\u0303\u0323\u0327\u0307\u0345\u0308\u1100\u1161\u11a8\uac00\uac01"
    "ㄱㅏㄳ\uffa1\uffc2カ\uff76\uff9e\u0915\u093c\u0958\u0e33\u0f77\u200d👩🚀🏽🇯🇵אבשׁ\ufb2aﷺ\uffff"
)
text = st.one_of(
    st.text(st.sampled_from(AWKWARD), max_size=12),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
)


def substrings(original: str, split: Split) -> list[str]:
    return [original[start:end] for start, end in zip(split.starts, split.ends, strict=True)]


def test_offsets_are_those_of_the_users_own_string() -> None:
    decomposed = "nin\u0303o"
    split = Writing().split(decomposed)
    assert split.symbols == ("n", "i", "ñ", "o")
    assert substrings(decomposed, split) == ["n", "i", "n\u0303", "o"]
    assert Writing().split("niño") == Split(split.symbols, (0, 1, 2, 3), (1, 2, 3, 4))


def test_all_symbols_of_a_changed_cluster_span_it() -> None:
    assert Writing(normal_form="NFD").split("aña") == Split(
        ("a", "n", "\u0303", "a"), (0, 1, 1, 2), (1, 2, 2, 3)
    )


@pytest.mark.parametrize(
    ("form", "case", "given", "symbols"),
    [
        ("NFC", "lower", "İI", ("i", "\u0307", "i")),
        ("NFC", "upper", "ßa", ("S", "S", "A")),
        ("NFC", "upper", "ŉ", ("ʼ", "N")),
        ("NFC", "upper", "ᾳ", ("Α", "Ι")),
        ("NFKC", "keep", "ﬃx", ("f", "f", "i", "x")),
        ("NFC", "keep", "ﬃ", ("ﬃ",)),
        ("NFC", "lower", "ΟΔΟΣ", ("ο", "δ", "ο", "σ")),
        ("none", "keep", "n\u0303", ("n", "\u0303")),
        ("NFC", "keep", "\u1112\u1161\u11ab\u1100\u1173\u11af", ("한", "글")),
        ("NFKC", "keep", "ㄱㅏㄱㅏ", ("가", "가")),
        ("NFC", "keep", "\u0958", ("\u0915", "\u093c")),
        ("NFC", "keep", "q\u0307\u0323", ("q", "\u0323", "\u0307")),
        ("NFC", "keep", "שלום", ("ש", "ל", "ו", "ם")),
    ],
)
def test_conversions(form: str, case: str, given: str, symbols: tuple[str, ...]) -> None:
    assert Writing.from_dict({"normal_form": form, "case": case}).split(given).symbols == symbols


def test_the_same_cluster_has_the_same_offsets_beside_any_other() -> None:
    mixed = Writing(case="lower")
    alone, beside = mixed.split("R\u0303o"), mixed.split("R\u0303oİ")
    assert beside.starts[:3] == alone.starts
    assert beside.ends[:3] == alone.ends


def test_graphemes() -> None:
    astronaut, flag = "👩🏽\u200d🚀", "🇯🇵"
    split = Writing("grapheme").split(f"a{astronaut}{flag}n\u0323\u0303")
    assert split.symbols == ("a", astronaut, flag, "ṇ\u0303")
    assert split.starts == (0, 1, 5, 7)
    assert split.ends == (1, 5, 7, 10)


def test_compatibility_jamo_that_only_meet_after_decomposition_are_one_grapheme() -> None:
    split = Writing("grapheme", "NFKD").split("xㄱㅏ")
    assert split == Split(("x", "\u1100\u1161"), (0, 1), (1, 3))


def test_tokens() -> None:
    tokens = Writing("token", case="lower")
    split = tokens.split("  TʃH a\u3000N\u0303\n")
    assert split == Split(("tʃh", "a", "ñ"), (2, 6, 8), (5, 7, 10))
    assert tokens.join(split.symbols) == "tʃh a ñ"
    assert tokens.split(" \t").symbols == tokens.split("").symbols == ()


@given(text, st.sampled_from(WRITINGS))
@example("ㄱㅏㄳ", Writing(normal_form="NFKC"))
@example(" \u0301\u0327", Writing("token"))
def test_symbols_are_the_units_of_the_converted_text(given_text: str, writing: Writing) -> None:
    split = writing.split(given_text)
    converted = writing.convert(given_text)
    expected = converted.split() if writing.unit == "token" else [converted]
    assert "".join(split.symbols) == "".join(expected)
    spans = list(zip(split.starts, split.ends, strict=True))
    assert len(spans) == len(split.symbols)
    assert all(0 <= start < end <= len(given_text) for start, end in spans)
    assert list(split.starts) == sorted(split.starts)
    assert list(split.ends) == sorted(split.ends)


@given(text, st.sampled_from(WRITINGS))
def test_what_was_split_and_joined_splits_into_the_same(given_text: str, writing: Writing) -> None:
    symbols = writing.split(given_text).symbols
    assert writing.split(writing.join(symbols)).symbols == symbols


@given(text, st.sampled_from([w for w in WRITINGS if w.normal_form != "none"]), st.randoms())
def test_canonical_equivalents_are_the_same(
    given_text: str, writing: Writing, random: Random
) -> None:
    expected = writing.split(given_text).symbols
    assert writing.split(unicodedata.normalize("NFC", given_text)).symbols == expected
    assert writing.split(unicodedata.normalize("NFD", given_text)).symbols == expected
    # Marks of different classes may come in any order among themselves.
    characters = list(unicodedata.normalize("NFD", given_text))
    for _ in range(len(characters)):
        at = random.randrange(len(characters))
        first, second = map(unicodedata.combining, [*characters, "a"][at : at + 2])
        if first and second and first != second:
            characters[at : at + 2] = reversed(characters[at : at + 2])
    assert writing.split("".join(characters)).symbols == expected


@given(text, st.sampled_from(WRITINGS))
def test_fast_and_slow_path_agree(given_text: str, writing: Writing) -> None:
    converted = writing.convert(given_text)
    starts, ends = writing._trace(given_text, converted)
    assert len(starts) == len(ends) == len(converted)
    if writing._one_to_one(given_text, converted):
        assert starts == list(range(len(given_text)))
        assert ends == list(range(1, len(given_text) + 1))


@given(st.lists(text.filter(lambda t: "\n" not in t)), st.sampled_from(WRITINGS))
def test_lines_can_be_converted_in_bulk(lines: list[str], writing: Writing) -> None:
    converted = [writing.convert(line) for line in lines]
    assert writing.convert("\n".join(lines)) == "\n".join(converted)


def test_every_code_point_is_mapped_without_context() -> None:
    everything = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x110000)]))
    for writing in Writing(normal_form="none", case="lower"), Writing("codepoint", "none", "upper"):
        each = str.lower if writing.case == "lower" else str.upper
        assert writing.convert(everything) == "".join(map(each, everything))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("ab\udce9", ["U+DCE9", "at 2", "0xE9", "not valid UTF-8", "re-encode"]),
        ("\ud800x", ["U+D800", "at 0", "surrogate"]),
        ("a\0b", ["U+0000", "at 1"]),
    ],
)
def test_what_is_not_text_is_refused(bad: str, words: list[str]) -> None:
    for act in Writing().split, Writing("token", "none").split, Writing().convert:
        with pytest.raises(ItemError) as caught:
            act(bad)
        message = str(caught.value)
        assert all(word in message for word in words)
        message.encode("utf-8")
        assert "\0" not in message


def test_noncharacters_and_a_long_line_pass() -> None:
    assert Writing().split("\uffff\U0010fffe\u0378").symbols == ("\uffff", "\U0010fffe", "\u0378")
    assert len(Writing("grapheme").split("n\u0303" * 100_000).symbols) == 100_000


@given(st.sampled_from(WRITINGS))
def test_dictionary_round_trip(writing: Writing) -> None:
    assert Writing.from_dict(writing.as_dict()) == writing


def test_unknown_options_are_named() -> None:
    with pytest.raises(UnknownName, match=r"no writing option named 'normalform'.*normal_form"):
        Writing.from_dict({"normalform": "NFC"})
    with pytest.raises(UnknownName, match=r"no normal form named 'nfc'.*NFC"):
        Writing.from_dict({"normal_form": "nfc"})
    with pytest.raises(UnknownName, match=r"no case named '3'"):
        Writing.from_dict({"case": 3})


@pytest.mark.parametrize(
    ("symbol", "description"),
    [
        ("ñ", "'ñ' U+00F1 LATIN SMALL LETTER N WITH TILDE"),
        ("n\u0303", "'n\u0303' U+006E U+0303"),
        ("\u0303", "'\u25cc\u0303' U+0303 COMBINING TILDE"),
        ("\ud800", r"'\ud800' U+D800"),
        ("\x1b", r"'\x1b' U+001B"),
        ("\u202e", r"'\u202e' U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("", "'' (empty)"),
        ("א", "'א' U+05D0 HEBREW LETTER ALEF"),
    ],
)
def test_describe(symbol: str, description: str) -> None:
    assert describe_symbol(symbol) == description


@pytest.mark.parametrize(
    ("symbol", "alphabet", "suggestion"),
    [
        ("Ñ", "ñ", "lower case 'ñ' U+00F1 is in the alphabet"),
        ("ñ", "Ñ", "upper case 'Ñ' U+00D1 is in the alphabet"),
        ("n\u0303", "ñ", "composed form 'ñ' U+00F1 is in the alphabet"),
        ("ñ", ["n\u0303"], "decomposed form 'n\u0303' U+006E U+0303 is in the alphabet"),
        ("ａ", "a", "compatibility form 'a' U+0061 is in the alphabet"),
        ("ﬁ", "if", "compatibility form 'fi' U+0066 U+0069 can be written with the alphabet"),
        ("é", "e", "without diacritics 'e' U+0065 is in the alphabet"),
        ("É", "e", "lower case without diacritics 'e' U+0065 is in the alphabet"),
        ("\u0430", "a", "look-alike 'a' U+0061 LATIN SMALL LETTER A is in the alphabet"),
        ("\u0410", "\u0391", "look-alike '\u0391' U+0391 GREEK CAPITAL LETTER ALPHA is in the"),
        ("\u041d", "h", "lower case look-alike 'h' U+0068 LATIN SMALL LETTER H is in the"),
        ("g", "ɡ", "look-alike 'ɡ' U+0261 LATIN SMALL LETTER SCRIPT G is in the alphabet"),
        (":", "ː", "look-alike 'ː' U+02D0 MODIFIER LETTER TRIANGULAR COLON is in the alphabet"),
    ],
)
def test_suggest(symbol: str, alphabet: str | list[str], suggestion: str) -> None:
    assert (suggest_symbol(symbol, set(alphabet)) or "").startswith(suggestion)


def test_suggest_does_not_invent() -> None:
    assert suggest_symbol("ж", {"a", "b"}) is None
    assert suggest_symbol("\u0301", {"a"}) is None
    assert suggest_symbol("", {"a"}) is None
    assert suggest_symbol("\ud800", {"a"}) is None


def test_look_alikes_are_pairs_of_letters_with_like_names() -> None:
    """A typing error in a table of escapes would not be seen; equal lengths and scripts would."""
    from glyphone.data.writing import _LOOK_ALIKES

    cyrillic, greek = _LOOK_ALIKES[0], _LOOK_ALIKES[2]
    assert all(unicodedata.name(chr(c)).startswith("CYRILLIC") for c in cyrillic.values())
    assert all(unicodedata.name(chr(c)).startswith("GREEK") for c in greek.values())
    for table in cyrillic, greek:
        assert all(chr(a).isupper() == chr(b).isupper() for a, b in table.items())
