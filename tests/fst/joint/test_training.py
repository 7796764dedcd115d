"""Joint models from pairs or alignments: windows, units that widen, normal forms."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.training import JointOptions, fit_joint, train_joint
from tests.fst.context.twins import equal

LEXICON = {
    "phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag", "gap": "gap", "hip": "hip",
    "par": "par", "phip": "fip", "hag": "hag",
}  # fmt: skip
PAIRS = [Pair(tuple(word), tuple(sounds)) for word, sounds in LEXICON.items()]
HELD_OUT = {"graphi": "grafi", "rap": "rap", "hig": "hig", "pag": "pag", "phag": "fag"}


@pytest.mark.parametrize("n", [1, 2, 10])
def test_tiny_lexicons_are_no_worse(n: int) -> None:
    words = {**LEXICON, **HELD_OUT}
    known = {letter for pair in PAIRS[:n] for letter in pair.source}
    words = {word: sounds for word, sounds in words.items() if set(word) <= known}
    right = {}
    for windows in (False, True):
        model = fit_joint(PAIRS[:n], JointOptions(windows=windows), target=Writing()).model
        assert (model.windows is not None) == windows
        right[windows] = {word for word, sounds in words.items() if model(word).output == sounds}
    assert right[False] <= right[True]
    assert {"".join(pair.source) for pair in PAIRS[:n]} <= right[True]


def test_windows_are_the_default_where_every_unit_reads_one_letter() -> None:
    assert fit_joint(PAIRS, target=Writing()).model.windows is not None
    two = JointOptions(alignment=AlignmentOptions(max_source=2))
    assert fit_joint(PAIRS, two, target=Writing()).model.windows is None
    with pytest.raises(GlyphoneError, match="one letter each"):
        fit_joint(PAIRS, replace(two, windows=True), target=Writing())


def test_a_file_keeps_windows(tmp_path: Any) -> None:
    model = fit_joint(PAIRS, target=Writing()).model
    joint_file.save(model, tmp_path / "m")
    again = joint_file.load(tmp_path / "m")
    assert again.windows is not None and model.windows is not None
    assert equal(again.windows, model.windows) and again.windows.rich == model.windows.rich
    assert again.fingerprint() == model.fingerprint()
    texts = list(HELD_OUT)
    assert model.answer(texts, n=3).costs == again.answer(texts, n=3).costs


def test_pairs_that_are_too_long_widen_units() -> None:
    """Ten such pairs are a way of writing, and a few are errors."""
    long = [Pair((letter,), ("k", "s", letter)) for letter in "abcdefghij"]
    assert fit_joint(long).refusals == ()
    assert len(fit_joint([*PAIRS, *long], JointOptions(widen=False)).refusals) == 10
    few = [*PAIRS, *long[:3]]
    refused = fit_joint(few).refusals
    assert [refusal.pair for refusal in refused] == long[:3]


def test_normal_forms_are_tried_only_where_they_differ() -> None:
    options = JointOptions(best_form=True)
    plain = fit_joint(PAIRS, options, source=Writing(normal_form="NFKC"), target=Writing())
    assert plain.model.source.writing.normal_form == "NFKC"
    words = ["".join(map(chr, (0xAC00 + 588 * a + 28 * b, 0xAC00 + 588 * b + 28 * a)))
             for a in range(6) for b in range(6)]  # fmt: skip
    pairs = [
        Pair(tuple(word), tuple(part for symbol in word for part in parts(symbol)))
        for word in words
    ]
    found = fit_joint(pairs, options).model
    assert found.source.writing.normal_form == "NFD"
    unseen = "".join(map(chr, (0xAC00 + 588 * 5 + 28 * 1, 0xAC00 + 588 * 2 + 28 * 0)))
    assert found(unseen).symbols == tuple(part for symbol in unseen for part in parts(symbol))


def parts(symbol: str) -> tuple[str, ...]:
    """A sound for each letter of a Hangul syllable."""
    return tuple(f"s{ord(part):x}" for part in unicodedata.normalize("NFD", symbol))


def test_alignments_with_windows() -> None:
    rows = [Alignment(tuple(((x,), (x,)) for x in word)) for word in LEXICON]
    model = train_joint(rows, source=Writing(), target=Writing(), order=2, windows=True)
    assert model("graph").output == "graph"
