"""Listed answers among the ten best go first, and nothing else is changed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.records import Hypothesis, Pair
from glyphone.data.writing import Writing
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.promotion import BEST, Promotion
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.interface.wrapper import ModelWrapper
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import fit_joint

# Each letter is written in four ways, some more often than others, so that there are many answers.
WAYS = [("a", "x"), ("a", "y"), ("a", "z"), ("a", "w"), ("b", "X"), ("b", "Y"), ("b", "Z")]


def pair(word: str, phones: str, weight: float = 1.0) -> Pair:
    return Pair(tuple(word), tuple(phones.split()), weight)


@pytest.fixture(scope="module")
def model() -> JointModel:
    pairs = [pair(word, phone, 7.0 - k) for k, (word, phone) in enumerate(WAYS)]
    pairs += [pair("ab", "x Y"), pair("ba", "Z w"), pair("aab", "y z X")]
    return fit_joint(pairs, source=Writing(case="lower")).model.exact()


def promoting(model: Model, *pairs: Pair) -> Promotion:
    return Promotion(LexiconFirst.of(model, pairs))


def told(hypotheses: list[Hypothesis]) -> list[tuple[str, float, float, object, object]]:
    return [(one.output, one.cost, one.posterior, one.spans, one.symbols) for one in hypotheses]


@pytest.mark.parametrize("n", [1, 3, BEST, 15])
def test_a_listed_answer_goes_first_as_it_is(model: JointModel, n: int) -> None:
    best = model.nbest("aab", 15)
    listed = best[6]
    found = promoting(model, pair("aab", listed.output)).nbest("AAB", n)
    assert told(found) == told([listed, *best[:6], *best[7:]][:n])
    assert {one.source for one in found} == {"dictionary"}


def test_several_keep_the_order_of_the_model(model: JointModel) -> None:
    best = model.nbest("aab", 12)
    entries = [pair("aab", best[8].output, 9.0), pair("aab", best[2].output), pair("aab", "w w Z")]
    found = promoting(model, *entries).nbest("aab", 12)
    places = [2, 8, *(place for place in range(12) if place not in (2, 8))]
    assert told(found) == told([best[place] for place in places])


def test_what_is_not_among_the_ten_best_stays(model: JointModel) -> None:
    best = model.nbest("aab", 15)
    for place, source in (BEST - 1, "dictionary"), (BEST, "model"):
        found = promoting(model, pair("aab", best[place].output)).nbest("aab", 15)
        assert (found[0].output == best[place].output) == (source == "dictionary")
        assert found[0].source == source
        if source == "model":
            assert told(found) == told(best)


def test_nothing_is_added(model: JointModel) -> None:
    found = promoting(model, pair("b", "x x x x")).nbest("b", 20)
    assert told(found) == told(model.nbest("b", 20))
    assert {one.source for one in found} == {"model"}


def test_words_of_a_block_are_answered_by_themselves(model: JointModel) -> None:
    entries = [pair("ab", "y X"), pair("B", "Z"), pair("ß", "x")]
    promotion = promoting(model, *entries)
    texts = ["a", "ab", "ß", "b", "AB", "c", "ba", ""]
    answers = promotion.answer(texts, n=4, spans=True)
    assert answers.failures.keys() == model.answer(texts).failures.keys()
    assert {2, 5} <= answers.failures.keys()
    for item, text in enumerate(texts):
        if item not in answers.failures:
            assert answers.hypotheses(item) == promotion.nbest(text, 4)
    assert answers.hypotheses(3)[0].output == "Z"
    bare = promotion.answer(texts, n=4)
    assert (bare.outputs, bare.origins) == (answers.outputs, None)


@pytest.mark.parametrize("seed", range(8))
def test_promotion_by_definition(model: JointModel, seed: int) -> None:
    """A stable sort of the model's answers by whether they are listed, within the ten."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("ab", k=draw.randint(1, 3))) for _ in range(6)]
    entries = [
        pair(word, draw.choice(model.nbest(word, 14)).output) for word in words for _ in range(2)
    ]
    promotion = promoting(model, *entries)
    for word in words:
        listed = {" ".join(one.target) for one in entries if "".join(one.source) == word}
        best = model.nbest(word, 14)
        ten = sorted(best[:BEST], key=lambda one: one.output not in listed)
        assert told(promotion.nbest(word, 14)) == told([*ten, *best[BEST:]])
        assert promotion(word).source == ("dictionary" if ten[0].output in listed else "model")


def test_other_forms(model: JointModel) -> None:
    class WithoutSigns(ModelWrapper):
        def forms(self, texts: Sequence[str]) -> list[str]:
            return ["".join(letter for letter in text if letter in "ab") for text in texts]

    entries = [pair("b-b", "Z Z"), pair("?", "x")]
    promotion = promoting(WithoutSigns(model), *entries)
    assert promotion("bb").output == "Z Z" != promoting(model, *entries)("bb").output
    with pytest.raises(ItemError, match="is not in the alphabet"):
        promotion("?")


def test_scores_lattices_and_fingerprints(model: JointModel) -> None:
    promotion = promoting(model, pair("a", "w"))
    assert promotion.score("a", "w") == model.score("a", "w")
    prints = {
        model.fingerprint(),
        promotion.fingerprint(),
        promotion.model.fingerprint(),
        promoting(model, pair("a", "z")).fingerprint(),
    }
    assert len(prints) == 4
    assert promotion.fingerprint() == promoting(model, pair("a", "w")).fingerprint()


def test_inverted(model: JointModel) -> None:
    back = promoting(model, pair("ab", "y X")).invert()
    assert (back("y X").output, back("y  X").source, back("x").source) == (
        "ab",
        "dictionary",
        "model",
    )


def test_behind_what_leaves_unknown_symbols_out(model: JointModel) -> None:
    promotion = lenient(promoting(model, pair("ßb", "Z")), "skip")
    best = promotion("ßb")
    assert (best.output, best.source, best.unknown) == ("Z", "dictionary", ("ß",))
