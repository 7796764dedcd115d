"""The certificate of a distillation: agreement, patterns of differences, and costs."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from glyphone.catalog.names import file_of
from glyphone.data.errors import ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.distillation.certificate import Agreement, wilson_interval
from glyphone.distillation.distill import Distilled, distill
from glyphone.distillation.patterns import Differing, frequent_patterns, place_differences
from glyphone.evaluation.verdicts import Answer, Item, judge_answers
from glyphone.fst.automata.openfst import to_bytes
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.distillation.support import FAST, WORDS, is_held_out, outputs

LOWER = Writing(case="lower")


@pytest.fixture(scope="session")
def blind(teacher: TransducerModel) -> Distilled:
    """A tree that sees one letter at a time, and so differs in many words."""
    return distill(teacher, WORDS, left=0, right=0, invent=0, **FAST)


def test_agreement_is_what_the_models_say(teacher: TransducerModel, blind: Distilled) -> None:
    taught, learnt = outputs(teacher, WORDS), outputs(blind.model, WORDS)
    rows = list(zip(WORDS, taught, learnt, strict=True))
    found = blind.certificate
    for agreement, held in ((found.held_out, True), (found.learnt, False)):
        part = [row for row in rows if is_held_out(row[0]) == held]
        differing = sum(one != other for _, one, other in part)
        assert (agreement.words, agreement.differing) == (len(part), differing)
        assert agreement.word == pytest.approx(1 - differing / len(part))
        low, high = agreement.word_interval
        assert low < agreement.word < high
        low, high = agreement.symbol_interval
        assert low < agreement.symbol < high
    expected = [(word, one, other) for word, one, other in rows if one != other]
    assert len(expected) > 100
    assert [
        (word.text, " ".join(word.teacher), " ".join(word.student or ()))
        for word in found.differing
    ] == expected
    assert [word.held_out for word in found.differing] == [is_held_out(row[0]) for row in expected]


def test_patterns_count_places(blind: Distilled) -> None:
    found = blind.certificate.patterns
    places = [(word, place) for word in blind.certificate.differing for place in word.places]
    assert sum(pattern.count for pattern in found) == len(places)
    assert [pattern.count for pattern in found] == sorted((p.count for p in found), reverse=True)
    for pattern in found:
        mine = [
            (word, place)
            for word, place in places
            if (place.letters, place.teacher, place.student)
            == (pattern.letters, pattern.teacher, pattern.student)
        ]
        assert len(mine) == pattern.count == sum(count for *_, count in pattern.contexts)
        assert pattern.held_out == sum(word.held_out for word, _ in mine)
        assert set(pattern.examples) <= {word.text for word, _ in mine}
        for before, after, count in pattern.contexts:
            assert count == sum((p.before, p.after) == (before, after) for _, p in mine)
    # A tree without a window cannot know that c before e is s, and e at the end silent.
    shapes = {(pattern.letters, pattern.teacher, pattern.student) for pattern in found}
    assert {("c", ("s",), ("k",)), ("e", (), ("e",))} <= shapes
    for word, place in places:
        if place.letters == "e" and place.teacher == ():
            assert place.after == "", word


def test_places_are_in_the_text_as_it_is_read(teacher: TransducerModel) -> None:
    student = TransducerModel.of(
        cascade(letters="a c e h o", phones="a k s e o", source=LOWER, rules=["c -> k", "h -> ∅"])
    )
    words = [Differing("OCHA", 5, (), ()), Differing("zo", 6, ("z", "o"), None)]
    first, second = place_differences(teacher, student, words, jobs=1)
    (place,) = first.places
    assert (place.letters, place.before, place.after) == ("ch", "o", "a")
    assert (place.teacher, place.student) == (("ʃ",), ("k",))
    (place,) = second.places
    assert (place.letters, place.before, place.after) == ("zo", "", "")
    assert (place.teacher, place.student) == (("z", "o"), None)
    assert [pattern.letters for pattern in frequent_patterns([first, second, first])] == [
        "ch",
        "zo",
    ]


def test_costs(
    teacher: TransducerModel, blind: Distilled, teacher_archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "m.glyphone"
    blind.save(path)
    one, other = blind.certificate.teacher_cost, blind.certificate.student_cost
    machine = b"".join(map(to_bytes, teacher.machines))
    assert machine in teacher_archive.read_bytes()
    assert (one.bytes, one.compressed) == (len(machine), len(zlib.compress(machine)))
    assert other.bytes == path.stat().st_size
    assert one.words_per_second > 0 < other.words_per_second
    assert file_of(str(path)) == path
    assert file_of(f"{teacher_archive}:TEACHER") == teacher_archive
    assert file_of("spa.letter_to_sound:CASTILIAN") is None


def test_a_learned_model_teaches_too(
    teacher: TransducerModel, blind: Distilled, tmp_path: Path
) -> None:
    blind.save(tmp_path / "blind.glyphone")
    named = distill(str(tmp_path / "blind.glyphone"), WORDS, **FAST).certificate
    assert named.held_out.differing == 0
    assert named.teacher_cost.bytes == (tmp_path / "blind.glyphone").stat().st_size
    around = LexiconFirst.of(teacher, [Pair(tuple("cec"), ("a",))])
    certificate = distill(around, WORDS, left=0, right=0, invent=0, **FAST).certificate
    assert certificate.teacher_cost.bytes is None
    assert "unknown" in str(certificate)
    assert "cec" in {word.text for word in certificate.differing}


def test_agreement_by_hand() -> None:
    items = [Item("a", (("x", "y"),), (0,)), Item("b", ((),), (1,)), Item("c", (("z",),), (2,))]
    answers = [
        Answer(("x", "z"), 1.0, 0),
        Answer((), 1.0, 1),
        Answer(None, float("nan"), 0, error=ItemError("no")),
    ]
    found = Agreement.of(judge_answers(items, answers))
    assert (found.words, found.differing) == (3, 2)
    assert found.word == pytest.approx(1 / 3)
    assert found.symbol == pytest.approx(1 - 2 / 4)  # the empty answer counts as one symbol
    perfect = Agreement.of(judge_answers(items[1:2], answers[1:2]))
    assert (perfect.word, perfect.symbol) == (1, 1)
    assert perfect.symbol_interval == perfect.word_interval == wilson_interval(1, 1)


def test_wilson() -> None:
    # z^2 / (n + z^2) where nothing differs; the example of Newcombe 1998: 81 of 263.
    assert wilson_interval(10, 10) == pytest.approx((10 / (10 + 3.8414588), 1.0))
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
