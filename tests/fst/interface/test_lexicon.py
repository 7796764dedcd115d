"""Look-up before a model: its answers go first, and say where they come from."""

from __future__ import annotations

import math

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import fit_joint

LEXICON = {"phi": "f i", "hi": "h i", "pi": "p i", "añi": "a ɲ i", "rag": "ɹ a ɡ", "ga": "ɡ a"}


def pair(word: str, phones: str, weight: float = 1.0) -> Pair:
    return Pair(tuple(word), tuple(phones.split()), weight)


@pytest.fixture(scope="module")
def model() -> JointModel:
    pairs = [pair(*entry) for entry in LEXICON.items()]
    return fit_joint(pairs, source=Writing(case="lower")).model


def test_words_are_compared_as_the_model_reads_them(model: JointModel) -> None:
    first = LexiconFirst.of(model, [pair("AN\u0303I", "ɡ")])
    for text in ("añi", "AÑI", "an\u0303i"):
        assert (first(text).output, first(text).source) == ("ɡ", "lexicon")
    assert (first("pi").output, first("pi").source) == ("p i", "model")
    assert model("añi").output == "a ɲ i"


def test_answers_by_weight_else_in_order(model: JointModel) -> None:
    pairs = [pair("ga", "a"), pair("ga", "ɡ"), pair("ga", "i", 2.0), pair("ga", "a")]
    answers = LexiconFirst.of(model, pairs).nbest("ga")
    assert [best.output for best in answers] == ["i", "a", "ɡ"]
    assert [best.posterior for best in answers] == [0.5, 0.25, 0.25]
    assert [best.cost for best in answers] == [-math.log(best.posterior) for best in answers]
    alone = LexiconFirst.of(model, [pair("ga", "a")])("ga")
    assert (alone.posterior, str(alone.cost)) == (1.0, "0.0")


def test_blocks_are_answered_like_their_words(model: JointModel) -> None:
    first = LexiconFirst.of(model, [pair("hi", "i"), pair("hi", "a"), pair("ß", "a")])
    texts = ["phi", "hi", "ßß", "pi", "ß", "a\0", "HI", ""]
    answers = first.answer(texts, n=2, spans=True)
    assert sorted(answers.failures) == [2, 5]
    for item, text in enumerate(texts):
        if item not in answers.failures:
            assert answers.hypotheses(item) == first.nbest(text, 2)
    assert answers.sources is not None
    assert [text for text, s in zip(texts, answers.sources, strict=True) if s == "lexicon"] == [
        "hi", "ß", "HI"
    ]  # fmt: skip
    best = answers.hypotheses(1)[0]
    assert (best.symbols, best.spans) == (("i",), ((0, 2),))
    assert first.answer(["hi"], n=0).hypotheses(0) == []


def test_what_the_model_does_not_write_is_refused(model: JointModel) -> None:
    with pytest.raises(ItemError, match=r"item 'ga': lexicon: at 2: 'y' U\+0079 .* joint writes"):
        LexiconFirst.of(model, [pair("ga", "a y")])
    refused: list[tuple[int, ItemError]] = []
    first = LexiconFirst.of(
        model,
        [pair("ga", "y"), pair("", "a"), pair("ga", ""), pair("ga", "a", -1), pair("ga", "a")],
        on_error=lambda number, error: refused.append((number, error)),
    )
    assert [number for number, _ in refused] == [0, 1, 2, 3]
    assert [best.output for best in first.nbest("ga")] == ["a"]


def test_inverted(model: JointModel) -> None:
    first = LexiconFirst.of(model, [pair("hi", "p p"), pair("ß", "a")]).invert()
    assert (first("p  p").output, first("p  p").source) == ("hi", "lexicon")
    assert first("a").source == "model"  # ß is no letter of the model's
    assert first("p i").output == "pi"


def test_the_fingerprint_knows_the_lexicon(model: JointModel) -> None:
    def print_of(phones: str) -> str:
        return LexiconFirst.of(model, [pair("ga", phones)]).fingerprint()

    assert print_of("a") == print_of("a")
    assert len({print_of("a"), print_of("i"), model.fingerprint()}) == 3


def test_with_unknown_symbols(model: JointModel) -> None:
    first = LexiconFirst.of(model, [pair("ßi", "a")])
    for stacked in (lenient(first, "skip"), LexiconFirst.of(lenient(model, "skip"), [])):
        assert stacked("hßi").unknown == ("ß",)
        assert stacked("hßi").source == "model"
    best = lenient(first, "skip")("ßi")
    assert (best.output, best.source, best.unknown) == ("a", "lexicon", ())
