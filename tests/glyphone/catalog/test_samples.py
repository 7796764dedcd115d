"""The table of sample names."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.catalog import defaults as catalog_defaults
from glyphone.catalog import names as catalog_names
from glyphone.catalog import samples
from glyphone.data.errors import FormatError
from glyphone.data.lexicons.tsv import read_table
from glyphone.grammar_tools import archives
from tests.glyphone.support import glyphone


def test_names_with_their_transducers(toy: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text(f"; comment\nchaña\t{toy}:PLAIN\nq\t{toy}:PLAIN\nab\t{toy}:NONE\n")
    rows, failed = samples.transliterate_samples(str(names))
    assert failed == 2
    assert rows[1] == ("chaña", f"{toy}:PLAIN", "tʃ a ɲ a")
    assert "not in the alphabet" in rows[2][2]
    assert "no rule named 'NONE'" in rows[3][2]
    assert glyphone("samples", names).code == 1


def test_columns_line_up_where_letters_are_wide_or_have_marks() -> None:
    rows = [
        ("name", "by", "answer"),
        ("한글", "kor", "1"),
        ("n\u0303u", "x", "2"),
        ("👩‍🚀", "y", "3"),
    ]
    lines = samples.align_columns(rows).split("\n")
    assert lines[0] == "name  by   answer"
    assert lines[1] == "한글  kor  1"
    assert lines[2] == "n\u0303u    x    2"


def test_a_list_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("one column\n")
    with pytest.raises(FormatError, match=r"names\.txt: line 1: "):
        samples.transliterate_samples(str(path))
    ran = glyphone("samples", tmp_path / "nix")
    assert ran.code == 2 and "No such file" in ran.err


def test_names_that_are_shipped_name_what_is_ours() -> None:
    rows = read_table(samples.sample_file(), columns=2)
    assert {catalog_names.split_name(transducer)[0] for _, transducer in rows} <= {
        *archives.grammar_names(),
        *catalog_defaults.default_names(),
    }


def test_what_an_installation_lacks_is_no_failure_of_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    names = tmp_path / "names.txt"
    names.write_text("phoebe\teng.letter_to_sound\n")
    rows, failed = samples.transliterate_samples(str(names))
    assert failed == 0
    assert "not trained yet (glyphone models train eng: " in rows[1][2]
