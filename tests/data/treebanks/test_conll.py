"""Columns of CoNLL: what is read and refused, by line; what is written is read as it was."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Sequence
from glyphone.data.treebanks.conll import read_conll, write_conll

POS = ("token", "pos", "label")


def file_of(folder: Path, text: str | bytes) -> Path:
    path = folder / "x.conll"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "Ana B-PER\nve O\n\nLima B-LOC\n",
        "\n\nAna B-PER\nve O\n\n\n\nLima B-LOC\n\n",
        "-DOCSTART- O\n\nAna B-PER\nve O\n-DOCSTART- -DOCSTART- O\nLima B-LOC",
        "Ana\tB-PER\r\nve\tO\r\n \t\r\nLima\tB-LOC\r\n",
        "Ana   B-PER\nve    O \n  \nLima B-LOC\n",
    ],
)
def test_sentences_are_read(tmp_path: Path, text: str) -> None:
    assert list(read_conll(file_of(tmp_path, text))) == [
        Sequence(("Ana", "ve"), {}, ("B-PER", "O")),
        Sequence(("Lima",), {}, ("B-LOC",)),
    ]


def test_columns_are_named_left_out_and_absent(tmp_path: Path) -> None:
    path = file_of(tmp_path, "Ana N x\n")
    found = next(read_conll(path, columns=("token", "pos", "_")))
    assert found == Sequence(("Ana",), {"pos": ("N",)})
    assert next(read_conll(path, columns=("_", "_", "token"))).tokens == ("x",)
    with pytest.raises(GlyphoneError, match="columns are"):
        list(read_conll(path, columns=("word", "label")))
    with pytest.raises(GlyphoneError, match="columns are"):
        list(read_conll(path, columns=("token", "pos", "pos")))


def test_spaces_that_are_no_separators_stay(tmp_path: Path) -> None:
    path = file_of(tmp_path, "1\u00a0000 O\nEl Paso\tB-LOC\n")
    assert next(read_conll(path)).tokens == ("1\u00a0000", "El Paso")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a O\nb N O\n", 2, "3 columns where 2 are named: token, label"),
        ("a O\n\nb\n", 3, "1 columns where 2"),
        ("a\tO\nb\t\n", 2, "column 2 is empty"),
        ("a O\n\nb O\nc I-LOC\n", 4, "'I-LOC' follows 'O'"),
        ("a O\n\nb I-LOC\n", 3, "'I-LOC' comes first"),
        ("a B-PER\nb I-LOC\n", 2, "'I-LOC' follows 'B-PER'"),
        ("a O\nb LOC\n", 2, "no label of a phrase: 'LOC'"),
        (b"ni\xf1o O\n", 1, "not UTF-8"),
    ],
)
def test_lines_are_refused(tmp_path: Path, text: str | bytes, line: int, message: str) -> None:
    path = file_of(tmp_path, text)
    with pytest.raises(FormatError, match=message) as refused:
        list(read_conll(path))
    assert (refused.value.path, refused.value.line) == (str(path), line)
    assert refused.value.item and refused.value.remedy


@pytest.mark.parametrize("text", ["", "\n\n", "-DOCSTART- O\n\n"])
def test_a_file_without_sentences_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="there is no sentence in it"):
        list(read_conll(file_of(tmp_path, text)))


def test_schemes_of_labels(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a I-PER\nb I-PER\nc B-PER\nd I-LOC\n")
    healed = next(read_conll(path, scheme="iob1")).labels
    assert healed == ("B-PER", "I-PER", "B-PER", "B-LOC")
    assert next(read_conll(path, scheme=None)).labels == ("I-PER", "I-PER", "B-PER", "I-LOC")
    with pytest.raises(UnknownName, match="did you mean bio"):
        list(read_conll(path, scheme="bioo"))
    with pytest.raises(FormatError, match="no label of a phrase: 'X'") as refused:
        list(read_conll(file_of(tmp_path, "a O\nb X\n"), scheme="iob1"))
    assert refused.value.line == 2


CELLS = st.text(
    st.characters(exclude_characters=" \t\n\r\ufeff", exclude_categories=["Cs"]), min_size=1
)
ROWS = st.lists(
    st.tuples(CELLS, CELLS, st.sampled_from(["O", "B", "B-LOC"])), min_size=1, max_size=4
)


@given(st.lists(ROWS, min_size=1, max_size=3), st.sampled_from(" \t"))
def test_what_is_written_is_read(
    sentences: list[list[tuple[str, str, str]]], separator: str
) -> None:
    turned = [tuple(zip(*rows, strict=True)) for rows in sentences]
    records = [Sequence(tokens, {"pos": pos}, labels) for tokens, pos, labels in turned]
    kept = [record for record in records if record.tokens[0] != "-DOCSTART-"]
    if not kept:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.gz")
        write_conll([*kept, Sequence(())], path, columns=POS, separator=separator)
        assert list(read_conll(path, columns=POS)) == kept


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (Sequence(("a b",), {}, ("O",)), "would not be read as it is"),
        (Sequence(("a", ""), {}, ("O", "O")), "would not be"),
        (Sequence(("a\nb",), {}, ("O",)), "would not be"),
        (Sequence(("a\r",), {}, ("O",)), "would not be"),
        (Sequence(("-DOCSTART-",), {}, ("O",)), "would not be"),
        (Sequence(("a", "b"), {}, ("O",)), "2 tokens, column 'label' 1"),
        (Sequence(("a",)), "1 tokens, column 'label' 0"),
    ],
)
def test_what_could_not_be_read_is_not_written(
    tmp_path: Path, sentence: Sequence, message: str
) -> None:
    with pytest.raises(GlyphoneError, match=f"sentence 2.*{message}"):
        write_conll([Sequence(("x",), {}, ("O",)), sentence], tmp_path / "x.conll")


def test_a_column_that_is_absent_is_written_as_nothing(tmp_path: Path) -> None:
    write_conll([Sequence(("a",), {}, ("O",))], tmp_path / "x.conll", columns=POS)
    assert (tmp_path / "x.conll").read_text() == "a _ O\n\n"
