"""Text to labels and back: many strings at once are each string by itself."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.kernels.arrays import row_bounds
from glyphone.data.writing import Split, Writing
from glyphone.fst.automata.transducer import SymbolTable
from glyphone.fst.interface.codec import Bytes, Side, foreign_side, side_from_table
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel

SYMBOLS = ["a", "b", "ñ", "n", "\u0303", "σ", " ", "\n", "é", "한", "𐌰", "ss"]
CHARACTERS = "abAñÑn\u0303Σσς\n\r\x00 \ud800\udcffé\u0301e한\u1112𐌰ßzﬁ"

sides = st.builds(
    lambda unit, form, case: Side(
        Writing(unit, form, case), {symbol: 3 * k for k, symbol in enumerate(SYMBOLS, 1)}, "S"
    ),
    st.sampled_from(["codepoint", "grapheme", "token"]),
    st.sampled_from(["NFC", "NFD", "NFKC", "none"]),
    st.sampled_from(["keep", "lower", "upper"]),
)
texts = st.lists(st.text(st.sampled_from(CHARACTERS), max_size=5), max_size=5)


def fields(error: ItemError) -> tuple[object, ...]:
    return (str(error), error.item, error.stage, error.symbol, error.offset, error.remedy)


@settings(deadline=None, max_examples=100)
@given(sides, texts)
@example(Side(Writing(), {"a": 1}), [])
@example(Side(Writing(), {"a": 1}), [""])
@example(Side(Writing(), {}), ["", "a"])
@example(Side(Writing(), {"a": 1}), ["\na", "a", "b\n\n", "a"])
@example(Side(Writing(), {"a": 1, "\n": 2}), ["a\n", "\n", ""])
def test_a_block_is_encoded_like_its_strings(side: Side, strings: list[str]) -> None:
    block = side.encode_all(strings)
    assert block.labels.dtype == np.int32
    assert len(block.bounds) == len(block.items) + 1
    rows = dict(zip(block.items.tolist(), pairwise(block.bounds.tolist()), strict=True))
    for place, text in enumerate(strings):
        if place in rows:
            begin, end = rows[place]
            assert block.labels[begin:end].tolist() == side.encode(text).labels
            continue
        with pytest.raises(ItemError) as caught:
            side.encode(text)
        assert fields(block.failures[place]) == fields(caught.value)
    assert len(rows) + len(block.failures) == len(strings)
    assert list(rows) == sorted(rows)


@settings(deadline=None, max_examples=100)
@given(sides, texts)
@example(Side(Writing(), {"a": 1, "ñ": 2}), ["n\u0303a", "?", "", "a"])
def test_a_block_with_offsets_is_encoded_like_its_strings(side: Side, strings: list[str]) -> None:
    plain, block = side.encode_all(strings), side.encode_all(strings, offsets=True)
    assert block.labels.tolist() == plain.labels.tolist()
    assert block.items.tolist() == plain.items.tolist()
    assert block.failures.keys() == plain.failures.keys()
    encoded = [side.encode(strings[item]) for item in block.items]
    assert block.starts == [start for one in encoded for start in one.starts]
    assert block.ends == [end for one in encoded for end in one.ends]


def test_texts_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = TransducerModel.of(cascade(letters="a ñ", phones="a ɲ", rules="ñ -> ɲ"))
    split, seen = Writing.split, list[str]()

    def recorded(writing: Writing, text: str) -> Split:
        seen.append(text)
        return split(writing, text)

    monkeypatch.setattr(Writing, "split", recorded)
    answers = model.answer(["an\u0303a", "a"], spans=True)
    assert seen == ["an\u0303a", "a"]
    assert [best.spans for item in (0, 1) for best in answers.hypotheses(item)] == [
        ((0, 1), (1, 3), (3, 4)),
        ((0, 1),),
    ]


@settings(deadline=None, max_examples=100)
@given(sides, st.lists(st.lists(st.sampled_from(range(1, len(SYMBOLS) + 1)), max_size=5)))
def test_a_block_is_decoded_like_its_strings(side: Side, rows: list[list[int]]) -> None:
    rows = [[3 * number for number in row] for row in rows]
    labels = np.array([label for row in rows for label in row], np.int32)
    offsets = row_bounds(np.array([len(row) for row in rows], np.int64))
    assert side.decode_all(labels, offsets) == [side.join(side.decode(row)) for row in rows]
    for row in rows:
        assert list(side.symbol_cuts(row)) == list(range(len(row) + 1))


def test_mixed_normal_forms_and_cases_are_one() -> None:
    side = Side(Writing(case="lower"), {"a": 1, "ñ": 2})
    for text in ("añ", "AÑ", unicodedata.normalize("NFD", "AÑ")):
        assert side.encode(text).labels == [1, 2]


def test_offsets_are_those_of_the_users_string() -> None:
    encoded = Side(Writing(), {"a": 1, "ñ": 2}).encode("n\u0303a")
    assert (list(encoded.starts), list(encoded.ends)) == ([0, 2], [2, 3])


def test_a_refusal_names_symbol_offset_and_remedy() -> None:
    side = Side(Writing(), {"a": 1}, "S")
    with pytest.raises(ItemError) as caught:
        side.encode("aaA")
    shown = str(caught.value)
    assert shown.startswith("item 'aaA': S: at 2: 'A' U+0041")
    assert "lower case 'a' U+0061 is in the alphabet" in shown


@settings(deadline=None, max_examples=100)
@given(texts)
def test_bytes(strings: list[str]) -> None:
    side = foreign_side(None, np.array([97, 255]), stage="S", path=None)
    assert isinstance(side, Bytes)
    block = side.encode_all(strings)
    good = [strings[item] for item in block.items]
    assert block.labels.tolist() == list("".join(good).encode())
    assert side.decode_all(block.labels, block.bounds) == good
    for text in good:
        labels = side.encode(text).labels
        assert side.decode(labels) == tuple(text)
        assert len(side.symbol_cuts(labels)) == len(text) + 1


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=12))
def test_bytes_that_are_no_text(data: bytes) -> None:
    side = Bytes(Writing(normal_form="none"), {})
    assert "".join(side.decode(data)) == data.decode(errors="replace")
    assert len(side.symbol_cuts(list(data))) == len(side.decode(data)) + 1
    offsets = np.array([0, len(data)])
    assert side.decode_all(np.array(list(data), np.int32), offsets) == [
        data.decode(errors="replace")
    ]


def test_code_points() -> None:
    side = foreign_side(None, np.array([0, 97, 0x3B1]), stage="S", path=None)
    assert side.encode("aα").labels == [97, 0x3B1]
    assert side.decode([0x3B1, 97]) == ("α", "a")
    with pytest.raises(ItemError, match="not in the alphabet"):
        side.encode("b")


def test_tables_of_characters_and_of_tokens() -> None:
    labels = np.array([0, 1, 2])
    characters = foreign_side(SymbolTable.of(["a", "α"]), labels, stage="S", path=None)
    assert characters.encode("αa").labels == [2, 1]
    assert characters.join(characters.decode([2, 1])) == "αa"
    tokens = foreign_side(SymbolTable.of(["a", "tʃ"]), labels, stage="S", path=None)
    assert tokens.encode(" tʃ  a ").labels == [2, 1]
    assert tokens.join(tokens.decode([2, 1])) == "tʃ a"


def test_labels_that_cannot_be_named_are_refused() -> None:
    with pytest.raises(FormatError, match=r"x.fst.*label 3, which.*save it with"):
        foreign_side(SymbolTable.of(["a", "b"]), np.array([0, 1, 3]), stage="S", path="x.fst")
    with pytest.raises(FormatError, match=r"x.fst.*labels up to 2000000.*save it with"):
        foreign_side(None, np.array([2_000_000]), stage="S", path="x.fst")


def test_epsilon_is_no_symbol() -> None:
    side = side_from_table(SymbolTable.of(["a"]), Writing(unit="token"), stage=None)
    with pytest.raises(ItemError):
        side.encode("<epsilon>")
