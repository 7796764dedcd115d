"""Translations of words: dictionary, model, vocabulary and case, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import JointOptions, fit_joint
from glyphone.treebank.transfer.lexical import (
    BilingualLexicon,
    lexicon_of,
    normalise_weights,
    read_dictionary,
)

COGNATES = [("cion", "ção"), ("racion", "ração"), ("nacion", "nação"), ("cama", "cama"),
            ("rana", "rã"), ("noria", "nora"), ("moción", "moção")]  # fmt: skip


@pytest.fixture(scope="module")
def model() -> JointModel:
    pairs = [Pair(tuple(one), tuple(other)) for one, other in COGNATES]
    options = JointOptions(order=3, alignment=AlignmentOptions(max_source=2, max_target=2))
    return fit_joint(pairs, options, target=Writing()).model


def test_the_dictionary_comes_first(model: JointModel) -> None:
    lexicon = BilingualLexicon({"nacion": (("país", 1.0),), "Ana": (("Ana", 1.0),)}, model)
    assert lexicon.best_target("nacion") == "país"
    assert lexicon.best_target("Nacion") == "País"
    assert lexicon.best_target("NACION") == "PAÍS"
    assert lexicon.best_target("racion") == "ração"
    assert lexicon.targets("racion") == (("ração", 1.0),)


def test_names_numbers_and_refused_words_stay(model: JointModel) -> None:
    lexicon = BilingualLexicon({"Roma": (("Rome", 1.0),)}, model)
    assert lexicon.targets("racion", "PROPN") == (("racion", 1.0),)
    assert lexicon.best_target("Roma", "PROPN") == "Rome"
    assert lexicon.best_target("r2", "NOUN") == "r2"
    assert lexicon.best_target("ωμέγα", "NOUN") == "ωμέγα"
    assert lexicon.best_target("?", "PUNCT") == "?"


def test_words_of_the_text_are_preferred(model: JointModel) -> None:
    answers = [one.output for one in model.nbest("camarana", n=10)]
    assert len(answers) > 2
    lexicon = BilingualLexicon({}, model, frozenset(answers[1:3]))
    found = lexicon.targets("camarana")
    assert {word for word, _ in found} == set(answers[1:3])
    assert sum(share for _, share in found) == pytest.approx(1.0)
    assert BilingualLexicon({}, model).targets("camarana") == ((answers[0], 1.0),)


def test_translations_are_summed_and_sorted() -> None:
    assert normalise_weights([("b", 1.0), ("a", 2.0), ("b", 3.0), ("c", 2.0)]) == (
        ("b", 0.5), ("a", 0.25), ("c", 0.25),
    )  # fmt: skip


def test_a_dictionary_file(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\nc d\te f\t0.5\n\na\tg\t2\n")
    assert read_dictionary(path) == {"a": (("b", 1.0), ("g", 2.0)), "c d": (("e f", 0.5),)}
    assert lexicon_of(path).best_target("a") == "g"


@pytest.mark.parametrize(
    "line", ["a", "a\t", "\tb", "a\tb\tc", "a\tb\t0", "a\tb\t-1", "a\tb\t1\t2"]
)
def test_lines_that_are_no_entries(tmp_path: Path, line: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(f"ok\tok\n{line}\n")
    with pytest.raises(FormatError, match=r"line 2: .*no entry") as refused:
        read_dictionary(path)
    assert refused.value.remedy
    path.write_text("\n")
    with pytest.raises(FormatError, match="there is no entry in it"):
        read_dictionary(path)


def test_a_model_must_write_words(tmp_path: Path) -> None:
    path = str(tmp_path / "x.glyphone")
    joint_file.save(fit_joint([Pair(tuple("ab"), ("a", "b"))]).model, path)
    with pytest.raises(GlyphoneError, match="writes sounds, not words"):
        lexicon_of(model=path)
