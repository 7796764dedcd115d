"""Lexicons: what is read, what is refused and how, and that what is written is read back."""

from __future__ import annotations

import gzip
import io
import tempfile
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lexicons.tsv import read_lexicon, read_table, write_lexicon
from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, PHONES, Writing

WRITINGS = [
    LETTERS,
    PHONES,
    Writing("grapheme", "NFD"),
    Writing("codepoint", "NFKC", "upper"),
    Writing("token", "none", "lower"),
]


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    return tmp_path / "spa.tsv"


def test_lines_become_pairs(lexicon: Path) -> None:
    lexicon.write_bytes("\ufeffan\u0303o\ta ɲ o\r\n\r\n#;\tx\tmore\n👩\u200d🚀\tʃ".encode())
    assert list(read_lexicon(lexicon)) == [
        Pair(("a", "ñ", "o"), ("a", "ɲ", "o")),
        Pair(("#", ";"), ("x",)),
        Pair(("👩", "\u200d", "🚀"), ("ʃ",)),
    ]


def test_right_to_left_words_are_in_logical_order(lexicon: Path) -> None:
    lexicon.write_text("שלום\tʃ a l o m\n", encoding="utf-8")
    (pair,) = read_lexicon(lexicon)
    assert pair.source == ("ש", "ל", "ו", "ם")


def test_columns_and_writings_are_options(lexicon: Path) -> None:
    lexicon.write_text("0.5\tk a t\tCAT\n", encoding="utf-8")
    options = {"source_column": 3, "target_column": 2}
    (pair,) = read_lexicon(lexicon, **options, weight_column=1, source=Writing(case="lower"))  # type: ignore[arg-type]
    assert pair == Pair(("c", "a", "t"), ("k", "a", "t"), 0.5)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("año", ["column 2 is missing", "1 column found", "TAB"]),
        ("año\ta ɲ o", ["column 3 is missing", "2 columns found"]),
        ("\ta\t1", ["column 1 is empty"]),
        ("a\t \t1", ["column 2 is empty"]),
        ("a\ta\t0", ["column 3", "'0'", "positive"]),
        ("a\ta\t-1", ["column 3", "'-1'"]),
        ("a\ta\tnan", ["column 3", "'nan'"]),
        ("a\ta\tinf", ["column 3", "'inf'"]),
        ("a\ta\t1e999", ["column 3", "'1e999'"]),
        ("a\ta\tmany", ["column 3", "'many'"]),
        ("a\ta\t", ["column 3", "''"]),
        ("ni\udcf1o\tn\t1", ["at 2", "U+DCF1", "0xF1", "column 1", "re-encode"]),
        ("niño\tn\0\t1", ["at 6", "U+0000", "column 2"]),
    ],
)
def test_what_is_no_entry_is_refused_by_line(line: str, words: list[str], lexicon: Path) -> None:
    data = f"a\tb\t1\n\n{line}\nc\td\t2\n".encode("utf-8", "surrogateescape")
    lexicon.write_bytes(data)
    pairs = read_lexicon(lexicon, weight_column=3)
    assert next(pairs) == Pair(("a",), ("b",), 1.0)
    with pytest.raises(FormatError) as caught:
        next(pairs)
    message = str(caught.value)
    assert message.startswith(f"{lexicon}: line 3: ")
    assert all(word in message for word in words), message
    assert caught.value.remedy

    refused: list[FormatError] = []
    taken = list(read_lexicon(lexicon, weight_column=3, on_error=refused.append))
    assert [pair.source for pair in taken] == [("a",), ("c",)]
    assert [error.line for error in refused] == [3]


def test_columns_count_from_one(lexicon: Path) -> None:
    lexicon.write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(GlyphoneError, match="count from 1"):
        list(read_lexicon(lexicon, source_column=0))


def test_reading_is_lazy(lexicon: Path) -> None:
    pairs = read_lexicon(lexicon)
    lexicon.write_text("a\tb\n", encoding="utf-8")
    assert next(pairs).source == ("a",)


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "spa.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tb\n" * 1000)[:-10])
    with pytest.raises(FormatError, match="cut short"):
        list(read_lexicon(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("año\ta ɲ o\n".encode())))
    assert [pair.target for pair in read_lexicon("-")] == [("a", "ɲ", "o")]


def test_a_long_line(lexicon: Path) -> None:
    lexicon.write_text("n\u0303" * 100_000 + "\tx\n", encoding="utf-8")
    (pair,) = read_lexicon(lexicon)
    assert pair.source == ("ñ",) * 100_000


side = st.text(st.characters(codec="utf-8", exclude_characters="\0\t\r\n"), min_size=1, max_size=6)
weight = st.floats(0, exclude_min=True, allow_infinity=False, allow_nan=False)


@pytest.mark.parametrize(("source", "target"), list(product(WRITINGS, WRITINGS)))
@settings(max_examples=25)
@given(st.lists(st.tuples(side, side, weight), max_size=4), st.sampled_from(["x", "x.gz"]))
@example([("\ufeffa", "b", 1.0)], "x")
@example([("\ufeff\ufeff", "b", 1.0)], "x")
@example([(";", "#", 1e-320)], "x")
def test_what_is_written_is_read_back(
    source: Writing, target: Writing, rows: list[tuple[str, str, float]], name: str
) -> None:
    split = [
        Pair(source.split(word).symbols, target.split(phones).symbols, weight)
        for word, phones, weight in rows
    ]
    pairs = [pair for pair in split if pair.source and pair.target]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, name)
        write_lexicon(pairs, path, source=source, target=target, weights=True)
        assert list(read_lexicon(path, source=source, target=target, weight_column=3)) == pairs


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (Pair(("a", "\t"), ("a",)), r"U\+0009 holds a TAB or a line end"),
        (Pair(("a",), ("a\nb",)), r"U\+000A.* holds a TAB or a line end"),
        (Pair(("\r",), ("a",)), r"U\+000D holds a TAB or a line end"),
        (Pair(("a",), ("a b",)), r"\('a b',\) would be read back as \('a', 'b'\)"),
        (Pair(("n\u0303",), ("n",)), r"would be read back as \('ñ',\)"),
        (Pair((), ("n",)), r"\(\) would be read back as \(\)"),
        (Pair(("\udce9",), ("n",)), r"U\+DCE9 is a lone surrogate"),
    ],
)
def test_what_cannot_be_written_is_refused(pair: Pair, message: str, lexicon: Path) -> None:
    with pytest.raises(FormatError, match=rf"spa\.tsv: line 2: .*{message}"):
        write_lexicon([Pair(("o",), ("k",)), pair], lexicon)


def test_weights_are_written_only_when_asked_for(lexicon: Path) -> None:
    write_lexicon([Pair(("a", "ñ", "o"), ("a", "ɲ", "o"), 3.0)], lexicon)
    assert lexicon.read_text(encoding="utf-8") == "año\ta ɲ o\n"


def test_table(tmp_path: Path) -> None:
    path = tmp_path / "digraphs.tsv"
    path.write_bytes(
        "; spelling\tphone\r\nn\u0303\tɲ\r\n \t\r\n\nll\t\n\\;\tpause\n\\\\;\tx\n\\n\ty".encode()
    )
    assert read_table(path, columns=2) == [
        ("ñ", "ɲ"),
        ("ll", ""),
        (";", "pause"),
        ("\\;", "x"),
        ("\\n", "y"),
    ]


@pytest.mark.parametrize(
    ("data", "columns", "message"),
    [
        ("a\tb\n;\nc\n", None, r"digraphs\.tsv: line 3: 1 columns where 2 .*'c'.*TAB"),
        ("a\tb\tc\n", 2, r"line 1: 3 columns where 2"),
        ("a\tb\0\n", None, r"line 1: at 3: .*U\+0000"),
    ],
)
def test_ragged_table(data: str, columns: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "digraphs.tsv"
    path.write_text(data, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_table(path, columns=columns)
