"""Files of word classes, and refusals by path and line."""

from __future__ import annotations

import gzip
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.learners.clusters.estimator import WordClasses
from glyphone.learners.clusters.files import read_clusters, write_clusters
from glyphone.learners.sequences.clusters import Clusters
from tests.learners.clusters import twins

LETTERS = st.characters(codec="utf-8", exclude_characters="\t\r\n", exclude_categories=["Cs"])


@pytest.mark.parametrize("name", ["classes.tsv", "classes.tsv.gz"])
def test_what_is_learnt_comes_back(tmp_path: Path, name: str) -> None:
    text = twins.random_text(0, words=string.ascii_letters)
    found = WordClasses(n_classes=5).fit(text).clusters_
    write_clusters(found, tmp_path / name)
    assert read_clusters(tmp_path / name) == found
    packed = (tmp_path / name).read_bytes()
    assert (packed[:2] == b"\x1f\x8b") == name.endswith(".gz")


def test_words_are_written_by_class_then_count(tmp_path: Path) -> None:
    clusters = Clusters({"a": "1", "b": "00", "c": "00"}, {"a": 9, "b": 1, "c": 2})
    write_clusters(clusters, tmp_path / "x")
    assert (tmp_path / "x").read_text() == "00\tc\t2\n00\tb\t1\n1\ta\t9\n"


@given(st.dictionaries(st.text(LETTERS, min_size=1), st.text("01", min_size=1), min_size=1))
def test_any_words_come_back(tmp_path_factory: pytest.TempPathFactory, bits: dict) -> None:
    path = tmp_path_factory.mktemp("classes") / "x"
    write_clusters(Clusters(bits), path)
    assert read_clusters(path) == Clusters(bits)


def test_words_before_bits_are_read_without_counts(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("10\t01\n\nla\t1\n", encoding="utf-8")
    assert read_clusters(tmp_path / "x") == Clusters({"10": "01", "la": "1"})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "there is no word in it"),
        ("01\tla\t3\n01 la 3\n", "line 2: item '01 la 3': 1 cells where 2 or 3 are known"),
        ("01\tla\t3\t4\n", "line 1: .* 4 cells"),
        ("la\t012\n", "line 1: .* '012' is no string of bits"),
        ("la\t\n", "'' is no string of bits"),
        ("01\t\t2\n", "the word is empty"),
        ("01\tla\t-2\n", "'-2' is no count"),
        ("01\tla\t2\n1\tla\t2\n", "line 2: .* 'la' has the classes 01 and 1"),
    ],
)
def test_lines_that_are_amiss_are_told(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "x").write_text(lines, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_clusters(tmp_path / "x")


def test_other_encodings_and_cut_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("01\tniño\t3\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"line 1: .* not UTF-8"):
        read_clusters(tmp_path / "x")
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"01\tla\t3\n" * 100)[:-9])
    with pytest.raises(FormatError, match="cut short"):
        read_clusters(tmp_path / "x.gz")


def test_words_that_lines_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GlyphoneError, match="a file could not hold it"):
        write_clusters(Clusters({"a\tb": "0"}), tmp_path / "x")
    assert not (tmp_path / "x").exists()
