"""Distillation: what is learnt, what is left out, and what cannot be taught."""

from __future__ import annotations

from pathlib import Path

import pytest

import glyphone as library
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.distillation.distill import distill
from glyphone.distillation.words import NothingTaught, ask_teacher
from glyphone.evaluation.evaluate import evaluate
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.distillation.support import FAST, WORDS, is_held_out, outputs


@pytest.mark.parametrize("kind", ["tree", "joint"])
def test_a_rule_system_is_learnt(teacher: TransducerModel, kind: str) -> None:
    distilled = library.distill(teacher, WORDS, kind=kind, **FAST)
    certificate = distilled.certificate
    assert (certificate.kind, certificate.teacher) == (kind, "TEACHER")
    assert certificate.held_out.words == sum(map(is_held_out, WORDS))
    assert certificate.held_out.word > 0.95
    assert distilled.model("choce").output == "ʃ o s"
    record = distilled.trained.model.description["distilled"]
    assert record["teacher"] == "TEACHER"
    assert record["contents of the teacher"] == teacher.fingerprint()
    assert record["agreement"]["differing"] == certificate.held_out.differing


def test_words_without_an_answer_are_listed(teacher: TransducerModel) -> None:
    given = [*WORDS, "мир", "CHA", "", "cha", "a\0"]
    lessons = ask_teacher(teacher, given, jobs=1)
    assert [silence.number for silence in lessons.silent] == [
        len(WORDS), len(WORDS) + 2, len(WORDS) + 4,
    ]  # fmt: skip
    assert [silence.error.symbol for silence in lessons.silent] == ["м", None, "\0"]
    assert lessons.repeated == 2
    assert len(lessons.items) + lessons.repeated + len(lessons.silent) == len(given)
    distilled = distill(teacher, given, invent=0, **FAST)
    counts = distilled.certificate.counts
    assert (counts["given"], counts["silent"], counts["repeated"]) == (len(given), 3, 2)
    assert counts["learnt"] + counts["refused"] + counts["held_out"] == len(WORDS)
    assert len(distilled.silent) == 3


def test_a_letter_that_the_student_has_not_seen(teacher: TransducerModel) -> None:
    # The one word with a z is held out, so that the tree has no answer to it.
    seed = next(seed for seed in range(100) if is_held_out("zoe", seed=seed))
    certificate = distill(teacher, [*WORDS, "zoe"], invent=0, seed=seed, **FAST).certificate
    (word,) = [word for word in certificate.differing if word.text == "zoe"]
    assert word.student is None
    assert word.error is not None and word.error.symbol == "z"
    assert word.held_out
    assert any(pattern.student is None for pattern in certificate.patterns)
    assert "no answer" in str(certificate)


def test_gold_words_are_not_those_learnt(teacher: TransducerModel) -> None:
    answers = outputs(teacher, WORDS)
    rows = list(zip(WORDS, answers, strict=True))
    gold = [Pair(tuple(word), tuple(answer.split()) or ("x",)) for word, answer in rows]
    gold += [Pair(tuple("ACEACE"), ("x",)), Pair(tuple("aceace"), ("y",))]
    distilled = distill(teacher, WORDS, gold=gold, left=0, right=0, **FAST)
    found = distilled.certificate.gold
    assert found is not None
    kept = [pair for pair in gold if len(pair.source) > 4 or is_held_out("".join(pair.source))]
    assert (found.words, found.left_out) == (len(kept), len(gold) - len(kept))
    for model, of in ((teacher, found.teacher), (distilled.model, found.student)):
        expected = evaluate(model, kept, nbest=1, jobs=1)
        assert (of.wer, of.per) == (expected.wer, expected.per)
    assert found.student.wer > found.teacher.wer
    learnt = [pair for pair in gold if len(pair.source) < 5 and pair not in kept]
    with pytest.raises(GlyphoneError, match="has only words that the student learns"):
        distill(teacher, WORDS, gold=learnt, **FAST)
    with pytest.raises(GlyphoneError, match="the gold lexicon holds no pairs"):
        distill(teacher, WORDS, gold=[], **FAST)


def test_the_same_bytes_whatever_the_number_of_jobs(
    teacher: TransducerModel, tmp_path: Path
) -> None:
    for name, jobs in (("one", 1), ("two", 2)):
        distill(teacher, WORDS, seed=3, jobs=jobs, seconds=0.001).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert catalog_names.load(tmp_path / "one")("ce").output == "s"


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 2.0])
def test_shares_that_are_none(teacher: TransducerModel, share: float) -> None:
    with pytest.raises(GlyphoneError, match="it must be above 0 and below 1"):
        distill(teacher, WORDS, held_out=share, **FAST)


def test_too_few_words(teacher: TransducerModel) -> None:
    with pytest.raises(NothingTaught, match="there are no words"):
        distill(teacher, [], **FAST)
    with pytest.raises(GlyphoneError, match=r"of 1 words none is (held out|left to learn from)"):
        distill(teacher, ["ca"], **FAST)
    with pytest.raises(NothingTaught, match="is not in the alphabet; none of 2 words has"):
        distill(teacher, ["мир", "中"], **FAST)
    with pytest.raises(UnknownName, match="no kind of model named 'bush'"):
        distill(teacher, WORDS, kind="bush", **FAST)
    with pytest.raises(UnknownName, match="no option of a tree named 'lefd'"):
        distill(teacher, WORDS, lefd=3, **FAST)


def test_where_nothing_is_held_out_another_seed_is_named(teacher: TransducerModel) -> None:
    learnt = [word for word in WORDS if not is_held_out(word)]
    with pytest.raises(GlyphoneError, match=r"none is held out .*another seed"):
        library.distill(teacher, learnt, **FAST)
