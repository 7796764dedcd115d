"""Words invented for a teacher: what they are made of, and what becomes of them."""

from __future__ import annotations

import pytest

from glyphone.data.records import Pair
from glyphone.distillation.distill import INVENTED, distill
from glyphone.distillation.invented_words import LONGEST, ORDER, invent_words
from glyphone.fst.transducers.model import TransducerModel
from glyphone.training.train import train
from tests.glyphone.distillation.support import FAST, WORDS, is_held_out


def test_invented_words() -> None:
    words = [tuple(word) for word in ("banana", "bandana", "cabana", "anagram", "program")]
    known = {tuple("ana")}
    found = invent_words(words, 20, seed=1, known=known)
    assert len(found) == len(set(found)) == 20
    assert not {*found} & {*words, *known}
    assert found == invent_words(words, 20, seed=1, known=known)
    assert found != invent_words(words, 20, seed=2, known=known)

    def grams(word: tuple[str, ...]) -> set[tuple[str, ...]]:
        padded = ("",) * ORDER + word + ("",)
        return {padded[k : k + ORDER + 1] for k in range(len(word) + 1)}

    allowed = set().union(*map(grams, words))
    assert all(grams(word) <= allowed for word in found)
    # All that can be made of one word without a loop is that word; of a loop, words to a length.
    assert invent_words([("a", "b")], 3, seed=0) == []
    assert all(len(word) <= LONGEST for word in invent_words([("a",) * 5], 50, seed=0))


def test_invented_words_are_asked_of_the_teacher_and_never_held_out(
    teacher: TransducerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[Pair]] = []

    def watched(pairs: list[Pair], **options: object) -> object:
        seen.append(pairs)
        return train(pairs, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("glyphone.distillation.distill.train", watched)
    words = WORDS[:200]
    gold = [Pair(tuple("cecece"), ("s", "e", "s", "e", "s"))]
    certificate = distill(teacher, words, gold=gold, **FAST).certificate
    (pairs,) = seen
    learnt = [word for word in words if not is_held_out(word)]
    assert ["".join(pair.source) for pair in pairs[: len(learnt)]] == learnt
    more = pairs[len(learnt) :]
    assert 0 < certificate.counts["invented"] <= len(more) <= INVENTED * len(learnt)
    assert not {"".join(pair.source) for pair in more} & {*words, "cecece"}
    assert all(teacher("".join(p.source)).output == " ".join(p.target) for p in more)
