"""Unknown symbols: an item fails by name, or is answered and marked; nothing is copied unasked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import fit_joint

WORDS = {"ab": "x y", "ba": "y x", "aab": "x x y", "abb": "x y y", "a": "x", "b": "y"}
PAIRS = [Pair(tuple(word), tuple(phones.split())) for word, phones in WORDS.items()]
MODEL = fit_joint(PAIRS, source=Writing(case="lower")).model


@pytest.fixture
def model() -> JointModel:
    return MODEL


def test_an_unknown_symbol_fails_by_name(model: JointModel) -> None:
    for failing in (model, lenient(model, "fail"), lenient(lenient(model, "pass"), "fail")):
        with pytest.raises(ItemError, match=r"at 1: 'ß' U\+00DF \(LATIN SMALL LETTER SHARP S\)"):
            failing("aßb")


def test_spans_and_marks(model: JointModel) -> None:
    skipped, passed = (lenient(model, how)("E\u0301AßBé") for how in ("skip", "pass"))
    assert (skipped.output, skipped.spans) == ("x y", ((2, 3), (4, 5)))
    assert passed.output == "é x ß y é"
    assert passed.spans == ((0, 2), (2, 3), (3, 4), (4, 5), (5, 6))
    assert skipped.unknown == passed.unknown == ("é", "ß")
    assert lenient(model, "pass")("ab").unknown == ()
    assert (skipped.cost, skipped.posterior) == (model("ab").cost, model("ab").posterior)


def test_nothing_left(model: JointModel) -> None:
    with pytest.raises(ItemError, match="'ß'"):
        lenient(model, "skip")("ßß")
    assert lenient(model, "pass")("ßß").output == "ß ß"
    for how in ("skip", "pass"):
        with pytest.raises(ItemError, match="is not text"):
            lenient(model, how)("ß\0")


@given(st.lists(st.text("abAß é\u0301", max_size=6), max_size=5), st.integers(1, 3))
def test_blocks_are_answered_like_their_words(texts: list[str], n: int) -> None:
    for how in ("skip", "pass"):
        patient = lenient(MODEL, how)
        answers = patient.answer(texts, n=n, spans=True)
        plain = patient.answer(texts, n=n)
        assert plain.origins is None
        assert (plain.outputs, plain.unknown) == (answers.outputs, answers.unknown)
        for item, text in enumerate(texts):
            symbols = MODEL.source.writing.split(text).symbols
            strange = tuple(dict.fromkeys(s for s in symbols if s not in "ab"))
            found = answers.hypotheses(item)
            if item in answers.failures:
                assert how == "skip" and strange and not {"a", "b"} & set(symbols)
                continue
            assert found == patient.nbest(text, n)
            known = MODEL.nbest("".join(s for s in symbols if s in "ab"), n)
            assert [best.cost for best in found] == [best.cost for best in known]
            for best, other in zip(found, known, strict=True):
                assert best.unknown == strange
                own = [s for s in best.symbols if s in ("x", "y")]
                copies = [s for s in best.symbols if s not in ("x", "y")]
                assert own == list(other.symbols)
                assert copies == ([s for s in symbols if s not in "ab"] if how == "pass" else [])
                assert len(best.spans) == len(best.symbols)
                assert best.spans == tuple(sorted(best.spans))


def test_scores_are_the_models(model: JointModel) -> None:
    patient = lenient(model, "skip")
    assert patient.score("ab", "x y") == model.score("ab", "x y")
    with pytest.raises(ItemError, match="'ß'"):
        patient.score("aßb", "x y")


def test_fingerprints_and_inverses(model: JointModel) -> None:
    prints = {lenient(model, how).fingerprint() for how in ("fail", "skip", "pass")}
    assert len(prints) == 3
    assert lenient(model, "pass").invert()("x q y").output == "aqb"
    with pytest.raises(UnknownName, match=r"'pas'.*did you mean pass"):
        lenient(model, "pas")  # type: ignore[arg-type]
