"""Alignments as text: the notation of units, and the rows of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from glyphone.alignments.rows import alignment_text, read_alignment, read_alignments
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.records import Alignment
from tests.glyphone.alignments.support import cuts


@settings(max_examples=150)
@given(cuts)
def test_the_notation_reads_back_what_it_writes(alignment: Alignment) -> None:
    text = alignment_text(alignment)
    assert read_alignment(text) == alignment
    assert not any(separator in text for separator in "\t\n\r")
    assert len(text.split(" ")) == max(1, len(alignment.units))


@given(cuts, cuts)
def test_two_alignments_are_never_written_alike(one: Alignment, other: Alignment) -> None:
    assert (alignment_text(one) == alignment_text(other)) == (one == other)


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (((("p", "h"), ("f",)), (("e",), ())), "p|h:f e:_"),
        (((("_",), (":",)), (("t_h",), ("i:",))), r"\_:\: t_h:i\:"),
        ((((" ",), ("\\",)), ((), ("a|b",))), r"\s:\\ _:a\|b"),
        (((("\\_",), ("\\s",)),), r"\\_:\\s"),
        ((), ""),
    ],
)
def test_what_is_written(units: tuple[tuple[tuple[str, ...], ...], ...], text: str) -> None:
    assert alignment_text(Alignment(units)) == text  # type: ignore[arg-type]
    assert read_alignment(text).units == units


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a", 0),
        ("a:b ", 4),
        ("a:b  c:d", 4),
        (":b", 0),
        ("a:b c:", 4),
        ("a:b:c", 0),
        ("a|:b", 0),
        ("_|a:b", 0),
        ("a:b _|_:x", 4),
        (r"a\x:b", 0),
        ("a:b\\", 0),
    ],
)
def test_what_is_no_alignment_is_refused_with_its_place(text: str, offset: int) -> None:
    with pytest.raises(ItemError, match="is no unit") as raised:
        read_alignment(text)
    assert raised.value.offset == offset


def test_an_empty_symbol_is_refused() -> None:
    with pytest.raises(ItemError, match="an empty symbol"):
        alignment_text(Alignment(((("",), ("a",)),)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a\tx", "column 3, the units of the alignment, is missing"),
        ("a\tx\ta-x", "is no unit"),
        ("a\tx\ta:x\tzero", "column 4 holds 'zero'"),
        ("a\tx\ta:x\t-1\tnan", "column 5 holds 'nan'"),
    ],
)
def test_rows_that_are_no_alignments(lexicon_folder: Path, line: str, message: str) -> None:
    Path("rows.tsv").write_text(f"a\tx\ta:x\n\n{line}\n")
    with pytest.raises(FormatError, match=message) as raised:
        list(read_alignments("rows.tsv"))
    assert (raised.value.path, raised.value.line) == ("rows.tsv", 3)
