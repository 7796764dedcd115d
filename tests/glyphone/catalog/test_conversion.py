"""Joint models from file to file, by the names of the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.catalog import conversion
from glyphone.catalog import names as catalog_names
from glyphone.catalog.conversion import Conversion, convert_model
from glyphone.cli import main
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.tokens import Notation
from glyphone.fst.joint.training import train_joint


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where one is, with a model in it."""
    words = [(("ph", "f"), ("i", "i")), (("p", "p"), ("i", "i")), (("x", "k s"), ("h", ""))]
    rows = [Alignment(tuple((tuple(x), tuple(y.split())) for x, y in word)) for word in words]
    model = train_joint(rows, source=Writing(), target=Writing("token"), order=3)
    joint_file.save(model, tmp_path / "a.glyphone")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("suffix", [".arpa", ".arpa.gz", ".fst", ".far", ".glyphone"])
def test_there_and_back(folder: Path, suffix: str) -> None:
    options = Conversion(chunks=True)
    model = convert_model("a.glyphone", f"b{suffix}", options)
    convert_model(f"b{suffix}", "c.glyphone", options)
    for word in ("phi", "pi", "xh", "phixh"):
        found, expected = catalog_names.load("c.glyphone")(word), model(word)
        assert (found.output, found.spans) == (expected.output, expected.spans)
        assert found.cost == pytest.approx(expected.cost, abs=1e-5)
    assert catalog_names.load("c.glyphone").name == ("joint" if suffix == ".glyphone" else "b")


def test_transducers_of_single_symbols_are_for_everybody(folder: Path) -> None:
    convert_model("a.glyphone", "b.far")
    convert_model("a.glyphone", "b.fst")
    for name in ("b.far", "b.far:joint", "b.fst"):
        assert catalog_names.load(name)("phixh").symbols == ("f", "i", "k", "s")
    with pytest.raises(FormatError, match=r"b\.fst: is no n-gram model.*glyphone convert --chunks"):
        convert_model("b.fst", "c.glyphone")


def test_a_model_can_be_pruned(folder: Path) -> None:
    whole = convert_model("a.glyphone", "b.glyphone", Conversion(prune=0.0))
    unigrams = convert_model("a.glyphone", "b.glyphone", Conversion(prune=1e9))
    assert unigrams.ngrams.n_ngrams == unigrams.ngrams.vocabulary_size < whole.ngrams.n_ngrams
    assert joint_file.load("b.glyphone").ngrams.n_ngrams == unigrams.ngrams.n_ngrams
    assert unigrams.ngrams.log_probs.dtype == whole.ngrams.log_probs.dtype
    assert catalog_names.load("b.glyphone")("phi").output == "f i"
    assert main(["convert", "a.glyphone", "c.arpa", "--prune", "1e9"]) == 0
    assert "ngram 2=0" in Path("c.arpa").read_text() or "ngram 2=" not in Path("c.arpa").read_text()


def test_units_that_the_user_names(folder: Path) -> None:
    convert_model("a.glyphone", "b.arpa")
    read = conversion.read_model("b.arpa", Conversion(source_unit="token", target_unit="codepoint"))
    assert read("p h i").output == "fi"


@pytest.mark.parametrize(
    ("source", "output", "message"),
    [
        ("a.txt", "b.arpa", r"a\.txt: has no suffix of \.arpa, \.far, \.fst, \.glyphone"),
        ("a.glyphone", "b.arpa.bz2", r"b\.arpa\.bz2: has no suffix of"),
        ("a.glyphone", "b.glyphone.gz", r"b\.glyphone\.gz: has no suffix of"),
        ("a.glyphone:X", "b.arpa", "holds one model, so none is named 'X'"),
        ("b.far:X", "b.arpa", "no transducer named 'X'"),
        ("two.far", "b.arpa", r"holds 2 transducers.*name one: two\.far:a, two\.far:b"),
    ],
)
def test_what_cannot_be_converted(folder: Path, source: str, output: str, message: str) -> None:
    from glyphone.fst.automata.far import read_far, write_far

    convert_model("a.glyphone", "b.far")
    machine = read_far("b.far", "joint")
    write_far("two.far", {"a": machine, "b": machine})
    with pytest.raises(GlyphoneError, match=message):
        convert_model(source, output)
    assert not Path(output).exists()


def test_separators_go_both_ways(folder: Path) -> None:
    options = Conversion(notation=Notation(pair="/", tie="+", empty="0"))
    convert_model("a.glyphone", "b.arpa", options)
    text = Path("b.arpa").read_text()
    assert "p+h/f" in text and "h/0" in text and "x/k+s" in text
    convert_model("b.arpa", "c.glyphone", options)
    assert catalog_names.load("c.glyphone")("phixh").output == "f i k s"
    with pytest.raises(FormatError, match="is not two sides with '}' between them"):
        convert_model("b.arpa", "c.glyphone")


def test_the_command_line_does_as_it_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import argparse

    from glyphone.cli import convert as verb

    parser = argparse.ArgumentParser()
    verb.add_arguments(parser)
    words = ["a.glyphone", "b.arpa", "--pair", "/", "--tie", "+", "--empty", "0"]
    assert verb.run(parser.parse_args(words)) == 0
    n_ngrams = joint_file.load("a.glyphone").ngrams.n_ngrams
    assert capsys.readouterr().err == f"b.arpa: 5 units, {n_ngrams} n-grams of order 3\n"
    assert "p+h/f" in Path("b.arpa").read_text()
    assert verb.run(parser.parse_args(["a.glyphone", "b.fst", "--chunks"])) == 0
    assert verb.run(parser.parse_args(["b.fst", "c.glyphone"])) == 0
