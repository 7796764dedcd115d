"""Ensembles that learn from words without answers, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.fst.ensembles.model import EnsembleModel
from tests.glyphone.support import Ran, glyphone

LEXICON = "".join(f"{a}{b}{c}\t{a} {b} {c}\n" for a in "ptk" for b in "aeiou" for c in "sn")
OPTIONS = ("--kind", "ensemble", "--judges", "none", "--order", "3", "--members", "2")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lex.tsv").write_text(LEXICON, encoding="utf-8")


def run(*words: str) -> Ran:
    return glyphone("train", "lex.tsv", "--jobs", "1", *words)


def test_words_that_are_learnt_from() -> None:
    words = ["pas", "pasa", "tenu", "xyz", "kusapi", "tenu"]
    Path("words.txt").write_text("\n".join(words), encoding="utf-8")
    ran = run("-o", "more", *OPTIONS, "--unlabelled", "words.txt")
    assert ran.code == 0, ran.err
    model = catalog_names.load("more")
    assert isinstance(model, EnsembleModel)
    told = model.description["training"]
    assert (told["unlabelled"], told["agreed"]) == (len(words) - 1, 3)
    assert "p a s a" in [one.output for one in model.nbest("pasa")]
    assert run("-o", "plain", *OPTIONS).code == 0
    plain = catalog_names.load("plain")
    assert "unlabelled" not in plain.description["training"]
    assert plain.fingerprint() != model.fingerprint()


def test_only_ensembles_learn_from_them() -> None:
    Path("words.txt").write_text("pasa\n", encoding="utf-8")
    ran = run("-o", "joint", "--kind", "joint", "--unlabelled", "words.txt")
    assert ran.code == 2 and "unlabelled" in ran.err
    ran = run("-o", "none", *OPTIONS, "--unlabelled", "no.txt")
    assert ran.code == 2 and "no.txt" in ran.err
